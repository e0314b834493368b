"""Quantities that must never be mixed up, each with its unit in its name.

This module never converts: a conversion needs a calibration or a clock.
"""

from enum import StrEnum
from typing import NewType

Counts = NewType("Counts", int)
"""A raw HX711 conversion, signed 24 bits: -8388608..8388607."""

Grams = NewType("Grams", float)

DeviceSeconds = NewType("DeviceSeconds", float)
"""Seconds on the clock of the board that sampled; any origin, may jump back at its restart."""

MonoSeconds = NewType("MonoSeconds", float)
"""Seconds on the host's monotonic clock, or in a trace its column ``t``; any origin."""

WallUtc = NewType("WallUtc", str)
"""A moment for people: ISO 8601 in UTC."""

COUNTS_MIN = Counts(-(2**23))
COUNTS_MAX = Counts(2**23 - 1)


class Tray(StrEnum):
    """A tray of the scale, as seen by whoever looks at the display."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Tray":
        return Tray.RIGHT if self is Tray.LEFT else Tray.LEFT
