"""What the table waits for, as values: the display and the narrator put them into words.

This module never changes the table.
"""

from dataclasses import dataclass
from typing import TypeAlias

from companion.table.outcomes import Question
from companion.table.trays import Stray
from companion.units import MonoSeconds, Tray


@dataclass(frozen=True, slots=True)
class NewGame:
    """Nobody plays; the table waits for `start`."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A round is to be dealt."""


@dataclass(frozen=True, slots=True)
class StartCards:
    """The deal was told; its cards do not lie in these trays yet."""

    trays: tuple[Tray, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A player is to play or draw; after a draw (`drawn`) to play that card or pass."""

    player: str
    drawn: bool


@dataclass(frozen=True, slots=True)
class Name:
    """The card in this tray has no name yet. `until_s`: then it counts as an ordinary card."""

    act: int
    tray: Tray
    player: str | None
    until_s: MonoSeconds | None


@dataclass(frozen=True, slots=True)
class Placing:
    """A card was named and is to be put down. `blind`: no sensor will see it, so tap the tray."""

    card: str
    colour: str | None
    player: str | None
    blind: bool


@dataclass(frozen=True, slots=True)
class ColourOf:
    """A wild's colour is to be named by this player."""

    player: str
    tray: Tray | None


@dataclass(frozen=True, slots=True)
class Reset:
    """The scale is to be set up again: so many cards in each tray, and what is counted there.

    `blind`: a sensor is missing, so the table must tap when it is done.
    """

    left: int
    right: int
    left_counted: int
    right_counted: int
    blind: bool


@dataclass(frozen=True, slots=True)
class Settling:
    """A last card lies; the round is over when the scale has rested for `of_s` seconds."""

    player: str
    rested_s: float
    of_s: float
    blind: bool


@dataclass(frozen=True, slots=True)
class Drop:
    """In a Tilt challenge this player is to draw a card and put it in this tray."""

    player: str
    tray: Tray


@dataclass(frozen=True, slots=True)
class Hands:
    """The losers' hands are to be counted."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A card that is no part of the game lies in a tray."""

    stray: Stray


@dataclass(frozen=True, slots=True)
class PutBack:
    """So many cards left a level tray and must go back (T25)."""

    tray: Tray
    count: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A question is open; play may go on meanwhile."""

    question: Question


@dataclass(frozen=True, slots=True)
class Decision:
    """The game itself waits for something else: `challenge`, `turn`."""

    needs: str
    player: str | None


@dataclass(frozen=True, slots=True)
class Rest:
    """The table rests until people play on."""


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over."""


Awaited: TypeAlias = (
    NewGame
    | Deal
    | StartCards
    | Move
    | Name
    | Placing
    | ColourOf
    | Reset
    | Settling
    | Drop
    | Hands
    | TakeBack
    | PutBack
    | Answer
    | Decision
    | Rest
    | Over
)
