"""House rules: what they are called, which values they know, and the first one, the default.

A game declares its options as a struct; this module reads them. It never decides by them.
"""

from typing import Annotated, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta

from companion.games.commands import Start, Whole
from companion.games.referee import Code, Refusal, refusal
from companion.games.wording import explain

Target: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000_000)]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that every game has. What a game has no option for stands at its default."""

    uno_penalty: Whole = 2
    """Cards for being caught without having said UNO (U8)."""
    misplay_penalty: Literal[0, 1, 2] = 0
    """Cards for an illegal or out-of-turn card; 0: it is only taken back (U12)."""
    target: Target = 500
    """The score at which a game is over (U21)."""

    @property
    def false_call_penalty(self) -> int:
        return 0

    @property
    def reverse_2p(self) -> str:
        return "skip"

    @property
    def next_dealer(self) -> str:
        return "left"


class UnoOptions(Options, frozen=True, kw_only=True):
    """The options of the games that are played to the winner's score."""

    false_call_penalty: Literal[0, 2] = 0
    """Cards for a false call or catch; 0: it is only refused (U5)."""
    reverse_2p: Literal["skip", "none"] = "skip"
    """Between two players a Reverse works as a Skip, or only turns the direction (U9)."""
    next_dealer: Literal["left", "winner"] = "left"
    """Who deals the next round (U17)."""
    grace_seconds: Whole = 0
    """For the table's clock: how much longer one can be caught (U3)."""


O = TypeVar("O", bound=Options)  # noqa: E741  (the type of a game's options)


def read_options(command: Start, options: type[O]) -> O | Refusal:
    """The options that a `start` names, the rest by default; refused if one is not known."""
    named = {} if command.options is UNSET else command.options
    try:
        return msgspec.convert(named, options)
    except msgspec.ValidationError as error:
        return refusal(Code.BAD_INPUT, explain(error, options, f"A game of {command.game}"))
