"""What one conversion read from an HX711 is: counts, or the damage that makes it worthless.

It never touches a pin.
"""

from enum import StrEnum
from typing import NamedTuple

from companion.units import Counts


class Damage(StrEnum):
    """Why a word is worthless, in words for people."""

    STRETCHED = "a clock pulse took over 60 µs and may have switched the chip off"
    SLOW = "a clock pulse took over 60 µs; the chip went on, the word is lost"
    OUT_OF_STEP = "the pulse after the word did not read as 1: the chip has lost count of the bits"
    SATURATED = "the reading is at an end of the range"


class Word(NamedTuple):
    """A conversion as read; ``counts`` is None if it is damaged."""

    counts: Counts | None
    damage: Damage | None = None
    switched_off: bool = False
    """Good, but the last pulse was long: the chip begins afresh after it."""
