"""The look of the display in one place: inks, sizes and the shape that goes with each colour.

It never paints; lengths are in units, of which the short side of every display has 480.
"""

from enum import StrEnum
from typing import NamedTuple

from companion.games.cards import Colour


class Ink(NamedTuple):
    """An opaque colour, 0-255 each."""

    red: int
    green: int
    blue: int

    def towards(self, other: "Ink", share: float) -> "Ink":
        """This ink mixed with ``share`` (0-1) of another."""
        mixed = (round(a + (b - a) * share) for a, b in zip(self, other, strict=True))
        return Ink(*mixed)


class Shape(StrEnum):
    """What tells a colour to those who do not see it; the letter stands inside."""

    HEART = "heart"
    STAR = "star"
    LEAF = "leaf"
    DROP = "drop"


class Weight(StrEnum):
    BOLD = "Bold"
    BLACK = "Black"


WHITE = Ink(255, 255, 255)
PAPER = Ink(246, 242, 233)
PLATE = Ink(255, 254, 250)
LINE = Ink(214, 206, 190)
RIM = Ink(134, 132, 128)
"""The edge of a quiet button: soft, but seen."""
SHADE = Ink(232, 226, 213)
INK = Ink(28, 37, 54)
SOFT_INK = Ink(84, 92, 107)
PLUM = Ink(98, 54, 148)
PALE_PLUM = Ink(236, 228, 246)
CRIMSON = Ink(170, 17, 46)
PALE_CRIMSON = Ink(251, 229, 230)
AMBER = Ink(255, 214, 102)
UNNAMED = Ink(112, 118, 131)

CARD_INKS: dict[Colour, Ink] = {
    Colour.RED: Ink(214, 52, 38),
    Colour.YELLOW: Ink(247, 194, 30),
    Colour.GREEN: Ink(14, 130, 88),
    Colour.BLUE: Ink(40, 98, 210),
}
SHAPES: dict[Colour, Shape] = {
    Colour.RED: Shape.HEART,
    Colour.YELLOW: Shape.STAR,
    Colour.GREEN: Shape.LEAF,
    Colour.BLUE: Shape.DROP,
}


def on(ink: Ink) -> Ink:
    """The ink in which words are readable on ``ink``."""
    luminance = 0.2126 * ink.red + 0.7152 * ink.green + 0.0722 * ink.blue
    return INK if luminance > 150 else WHITE


SHORT = 480.0
LONG_LEAST = 768.0
LONG_MOST = 880.0
NARROW = 600.0
"""What is narrower than this lies on an upright display."""
TOUCH = 56.0
"""The least side of anything to be tapped: 9 mm on a 7-inch display of 800x480."""

GAP = 8.0
MARGIN = 12.0
TOP = 64.0
TOP_UPRIGHT = 120.0
"""An upright display has no room for a long sentence in one line."""
FOOT = 76.0
STRIP = 40.0
CALL = 132.0
"""The width of UNO and CATCH, which never move."""
RADIUS = 14.0

SMALL = 17.0
LEAST = 12.0
"""No word is ever smaller."""
