"""Something that can be tapped, as a value, and how much it asks for attention.

It never says what comes of a tap.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.display.glyph import Glyph
from companion.games.cards import Card, Colour

Touch: TypeAlias = Hashable
"""What a tap means: a tap for the table, or a wish to look at something else."""


class Tone(StrEnum):
    """How much something asks for attention."""

    MAIN = "main"
    PLAIN = "plain"
    QUIET = "quiet"
    WARN = "warn"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be tapped."""

    label: str
    touch: Touch
    tone: Tone = Tone.PLAIN
    note: str = ""
    card: Card | None = None
    colour: Colour | None = None
    chosen: bool = False
    faded: bool = False
    """A card that may not be played as things are."""
    tile: str = ""
    """A tile of Rummy Up in its text form."""
    glyph: Glyph | None = None
