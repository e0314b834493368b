"""Who sits where, who deals, and in which direction play goes.

Seats are in order to the left, that is clockwise. This module never says whose turn it is.
"""

from typing import Literal, TypeAlias

import msgspec

Direction: TypeAlias = Literal[1, -1]

TO_THE_LEFT: Direction = 1
TO_THE_RIGHT: Direction = -1


class Seats(msgspec.Struct, frozen=True, gc=False):
    """The players in seat order, the dealer, and the direction of play (1 left, -1 right)."""

    players: tuple[str, ...]
    dealer: str
    direction: Direction = TO_THE_LEFT

    def after(self, player: str, steps: int = 1) -> str:
        """The player who is `steps` turns after `player` in the direction of play."""
        index = self.players.index(player) + steps * self.direction
        return self.players[index % len(self.players)]

    def left_of(self, player: str) -> str:
        """The neighbour to the left, whatever the direction of play."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def once_round_after(self, player: str) -> tuple[str, ...]:
        """Everyone in order of play, beginning after `player`, who comes last (T36)."""
        return tuple(self.after(player, steps) for steps in range(1, len(self.players) + 1))

    def reversed(self) -> "Seats":
        other = TO_THE_RIGHT if self.direction == TO_THE_LEFT else TO_THE_LEFT
        return Seats(self.players, self.dealer, other)

    def with_dealer(self, dealer: str) -> "Seats":
        """The seats of a new round: another dealer, and play goes to the left again (U17)."""
        return Seats(self.players, dealer, TO_THE_LEFT)

    def without(self, player: str) -> "Seats":
        """The seats after `player` has left (U19); the dealer's place passes to the left."""
        dealer = self.left_of(player) if self.dealer == player else self.dealer
        rest = tuple(name for name in self.players if name != player)
        return Seats(rest, dealer, self.direction)

    def joined_by(self, player: str, seat: int) -> "Seats":
        """The seats with a newcomer at the 0-based `seat` (U20)."""
        players = (*self.players[:seat], player, *self.players[seat:])
        return Seats(players, self.dealer, self.direction)
