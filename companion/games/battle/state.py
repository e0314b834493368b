"""What a round of Battle is at one moment: the pile, what can be stolen, the battle, a tie.

This module never decides what may be done: see `judgement`.
"""

from typing import Any, Literal

import msgspec

from companion.games.one_pile import OnePileState
from companion.games.options import Options, Target
from companion.games.referee import Phase
from companion.games.turns import ON_TURN


class BattleOptions(Options, frozen=True, kw_only=True):
    """The house rules of Battle."""

    target: Target = 100
    """The score at which a game is over; the lowest wins (H24)."""
    finish_penalty: Literal["all", "plus_only"] = "all"
    """The last cards that cost two: all five kinds of penalty card, or only +2 and +4 (H5)."""
    steal_turn: Literal["stealer", "original"] = "stealer"
    """After a steal the player after the stealer goes on, or whoever was on turn stays (H6)."""


class Laid(msgspec.Struct, frozen=True, gc=False):
    """The visible card was laid by somebody, and can be stolen until the next one (H12)."""

    by: str
    turned: bool = False
    """Whether it has turned the direction of play: a steal annuls that (H7)."""


class Steal(msgspec.Struct, frozen=True, gc=False):
    """The last command was a steal."""

    before: "BattleState"
    """What `defend` goes back to (H11)."""


class Interrupted(msgspec.Struct, frozen=True, gc=False):
    """Whose turn a steal has interrupted, and in which phase of it."""

    turn: str
    phase: Phase


class Tie(msgspec.Struct, frozen=True, gc=False):
    """Players who play on for first or last place (H27)."""

    players: tuple[str, ...]
    place: Literal["first", "last"]

    @property
    def kind(self) -> Literal["sudden_death", "rounds"]:
        return "sudden_death" if len(self.players) == 2 else "rounds"

    def as_json(self) -> dict[str, Any]:
        return {"players": self.players, "for": self.place, "kind": self.kind}


class BattleState(OnePileState, frozen=True, kw_only=True):
    """A state of Battle."""

    options: BattleOptions
    laid: Laid | None = None
    """None on a card turned up, and once the window for a steal is closed."""
    battle: int = 0
    """Cards that whoever cannot answer must draw; 0 outside battle mode."""
    answered: bool = False
    """Whether a card has answered the one that began this battle (H18)."""
    undecided: bool = False
    """Rock, paper, scissors must say whose turn it is (H18)."""
    steal: Steal | None = None
    interrupted: Interrupted | None = None
    """While a stealer names a colour: whose turn it was."""
    last_winner: str | None = None
    """Who won the last round, and starts the next (H2)."""
    first: str | None = None
    """Who has won the game while others still play for last place (H27)."""
    tie: Tie | None = None

    @property
    def at_play(self) -> tuple[str, ...]:
        """Who is dealt in: everyone, or in a tie those who are tied, in seat order."""
        return self.players if self.tie is None else self.tie.players

    @property
    def sudden_death(self) -> bool:
        return self.tie is not None and self.tie.kind == "sudden_death"

    @property
    def drawing_battle(self) -> bool:
        """Whether some of the battle's cards are drawn and some are not (H14)."""
        return self.battle > 0 and self.phase is Phase.DRAWN

    @property
    def low_wins(self) -> bool:
        return True

    @property
    def needs(self) -> str | None:
        return "turn" if self.undecided and self.phase in ON_TURN else super().needs

    def as_json(self) -> dict[str, Any]:
        shown = super().as_json()
        shown["battle"] = self.battle
        shown["tie"] = None if self.tie is None else self.tie.as_json()
        return shown
