"""Who has said UNO and who can still be caught: the rules U1-U7 as a value.

It never counts cards or penalties; the referee tells it what became of a hand.
"""

import msgspec

from companion.games.referee import Code, Refusal, refusal


class Calls(msgspec.Struct, frozen=True, gc=False):
    """The open window and the calls that stand.

    `open` is the player who can be caught now. `called` are players who have said UNO, with one
    card, while they hold one; among them `ahead`, who has said it before the play on their own
    turn: until that turn ends, whatever becomes of the hand meanwhile.
    """

    open: str | None = None
    called: frozenset[str] = frozenset()
    ahead: str | None = None

    def after_discard(self, player: str, cards_left: int) -> "Calls":
        """A discard that leaves one card opens a window, unless it was called before (U1, U6)."""
        if cards_left != 1 and not self.called and self.open is None:
            return self
        still_ahead = None if self.ahead == player else self.ahead
        if cards_left != 1:
            return Calls(None, self.called - {player}, still_ahead)
        return Calls(None if player in self.called else player, self.called, still_ahead)

    def after_hand_changed(self, player: str) -> "Calls":
        """Getting cards ends the one-card state with its window and its call (U6, T34)."""
        if player == self.ahead or (self.open != player and player not in self.called):
            return self
        still_open = None if self.open == player else self.open
        return Calls(still_open, self.called - {player}, self.ahead)

    def after_call(self, player: str) -> "Calls":
        """Somebody has said UNO late, in an open window, or ahead of their play (U1, U2)."""
        if self.open == player:
            return Calls(None, self.called | {player}, self.ahead)
        return Calls(self.open, self.called | {player}, player)

    def after_turn(self) -> "Calls":
        """A call that was not followed by a play lapses when the turn ends (U1)."""
        return Calls(self.open, self.called - {self.ahead})

    def closed(self) -> "Calls":
        return Calls(None, self.called, self.ahead)

    def refuse_call(
        self, player: str, cards: int, *, own_turn: bool, most: int, thing: str
    ) -> Refusal | None:
        """Why `player` with `cards` cards, each a `thing`, may not say UNO now.

        `own_turn`: could play now, and so call with two to `most` cards.
        """
        if self.open == player:
            return None
        if not 1 <= cards <= most:
            text = f"{player} has {cards} {thing}s and cannot say UNO"
            return refusal(Code.NOT_AT_ONE, text, "U1")
        if player in self.called:
            return refusal(Code.ALREADY_CALLED, f"{player} has said UNO already", "U1")
        if own_turn and cards > 1:
            return None
        if own_turn or cards > 1:
            return refusal(Code.NOTHING_TO_CALL, f"{player} has nothing to call now", "U1")
        return refusal(Code.TOO_LATE, f"It is too late for {player} to say UNO", "U3")

    def refuse_catch(self, player: str, cards: int, *, thing: str) -> Refusal | None:
        """Why `player` with `cards` cards, each a `thing`, cannot be caught now."""
        if cards != 1:
            return refusal(Code.NOT_AT_ONE, f"{player} has {cards} {thing}s, not one", "U5")
        if player in self.called:
            return refusal(Code.ALREADY_CALLED, f"{player} has said UNO", "U2")
        if self.open != player:
            return refusal(Code.TOO_LATE, f"It is too late to catch {player}", "U3")
        return None
