"""What can happen to the scale, as whoever keeps the truth is told.

These are values; nothing here happens.
"""

from dataclasses import dataclass
from enum import StrEnum

from companion.units import Tray


class What(StrEnum):
    """What can happen to the scale, for whoever keeps the truth."""

    CONTACT = "contact"
    LET_GO = "let_go"
    TAKEN = "taken"
    FELL = "fell"
    TIPPED = "tipped"
    CALM = "calm"
    DISK_LOST = "disk_lost"


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened, at its true time."""

    at_s: float
    what: What
    tray: Tray | None = None
    cards: tuple[str, ...] = ()
