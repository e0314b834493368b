"""What a referee is: a value-to-value function from a state and a command to rulings or a refusal.

It never keeps anything between two calls: state is frozen, undo is the state before.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from companion.games.cards import Card
from companion.games.commands import Command, Start
from companion.games.rulings import Ruling


class Code(StrEnum):
    """Why a command was refused. Of several that apply the protocol's first is given."""

    BAD_INPUT = "bad_input"
    NO_GAME = "no_game"
    GAME_RUNNING = "game_running"
    WRONG_PHASE = "wrong_phase"
    ALREADY_DRAWN = "already_drawn"
    DRAW_FIRST = "draw_first"
    UNKNOWN_PLAYER = "unknown_player"
    UNKNOWN_CARD = "unknown_card"
    NOT_YOUR_TURN = "not_your_turn"
    COLOUR_NEEDED = "colour_needed"
    TRAY_STOPPED = "tray_stopped"
    NO_MATCH = "no_match"
    STOP_NEEDS_STOP = "stop_needs_stop"
    ONLY_THE_DRAWN_CARD = "only_the_drawn_card"
    NOTHING_TO_CALL = "nothing_to_call"
    NOT_AT_ONE = "not_at_one"
    ALREADY_CALLED = "already_called"
    TOO_LATE = "too_late"
    HAND_MISMATCH = "hand_mismatch"
    PILE_EMPTY = "pile_empty"
    NOTHING_TO_UNDO = "nothing_to_undo"
    START_CARD = "start_card"
    TILES_MISSING = "tiles_missing"
    ILLEGAL_MELD = "illegal_meld"
    TOO_MANY_TILES = "too_many_tiles"
    EFFECT_NEEDED = "effect_needed"
    CANNOT_STEAL = "cannot_steal"


class Phase(StrEnum):
    # An Enum's own hash is written in Python; every command is looked up by its phase.
    __hash__ = str.__hash__

    SETUP = "setup"
    PLAY = "play"
    DRAWN = "drawn"
    TILT = "tilt"
    SPILLED = "spilled"
    GOING_OUT = "going_out"
    HANDS = "hands"
    GAME_OVER = "game_over"


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """A command that changes nothing, with one sentence that people at the table understand."""

    code: Code
    message: str
    rule: str | None = None


def refusal(code: Code, sentence: str, rule: str | None = None) -> Refusal:
    """A refusal whose message is `sentence` with the rule's number and a full stop."""
    return Refusal(code, f"{sentence} ({rule})." if rule else f"{sentence}.", rule)


class State(Protocol):
    """What every game's state shows; the games add their own (`TippoState.trays`, ...)."""

    @property
    def game(self) -> str: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def round(self) -> int: ...
    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def dealer(self) -> str: ...
    @property
    def turn(self) -> str | None: ...
    @property
    def direction(self) -> int: ...
    @property
    def hands(self) -> Mapping[str, int]: ...
    @property
    def scores(self) -> Mapping[str, int]: ...
    @property
    def target(self) -> int:
        """The score that ends the game (U21)."""
        ...

    @property
    def low_wins(self) -> bool:
        """Whether the lowest score wins it (C31, H24)."""
        ...

    @property
    def last_actor(self) -> str | None: ...
    @property
    def draw_pile(self) -> int: ...
    @property
    def set_aside(self) -> int: ...
    @property
    def needs(self) -> str | None: ...
    @property
    def uno_open(self) -> str | None: ...

    def as_json(self) -> dict[str, Any]:
        """The `state` of the referee stream, exactly."""
        ...


S = TypeVar("S", bound=State)


class Accepted(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """The state after a command, and what the table must do or know, in order."""

    state: S
    rulings: tuple[Ruling, ...]


class Referee(Protocol[S]):
    """The rules of one game. `Start` and `Undo` never reach `apply`: see `companion.games.game`."""

    @property
    def game(self) -> str: ...

    @property
    def cards(self) -> Mapping[str, Card]:
        """Every text that is a card or a tile of this game, and `?` where a card may be unnamed."""
        ...

    def start(self, command: Start) -> Accepted[S] | Refusal:
        """A new game in its first `setup`."""
        ...

    def apply(self, state: S, command: Command) -> Accepted[S] | Refusal:
        """The state and rulings after `command`, or why it changes nothing."""
        ...
