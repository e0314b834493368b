"""What lies in the trays besides the piles that the referee knows: a count, and cards out of place.

This module never knows whose turn it is or what a card is worth.
"""

from dataclasses import dataclass
from enum import StrEnum

from companion.units import MonoSeconds, Tray


class Why(StrEnum):
    """Why a card in a tray is no part of the game."""

    REFUSED = "refused"
    """The referee refused it: take it back."""
    EXTRA = "extra"
    """A second card came down with a play: take it back."""
    UNDONE = "undone"
    """Its play was taken back, the card not yet."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A card that lies in a tray but is no part of the game."""

    number: int
    """Of the act that it was."""
    tray: Tray
    why: Why
    at_s: MonoSeconds
    player: str | None
    name: str | None
    named_at_s: MonoSeconds | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """Cards that left a level tray although others had acted since: they must go back (T25)."""

    tray: Tray
    count: int
    at_s: MonoSeconds


class Trays:
    """The physical side of the table."""

    def __init__(self) -> None:
        self.counts: dict[Tray, int] = dict.fromkeys(Tray, 0)
        self.strays: list[Stray] = []
        self.missing: dict[Tray, Missing] = {}
        self.start_cards_due: set[Tray] = set()

    def add(self, tray: Tray, count: int) -> None:
        self.counts[tray] += count

    def take(self, tray: Tray, count: int) -> None:
        self.counts[tray] = max(0, self.counts[tray] - count)

    def set_counts(self, left: int, right: int) -> None:
        """The judge counts these cards at rest; a start card that lies there is not awaited."""
        self.counts = {Tray.LEFT: left, Tray.RIGHT: right}
        self.start_cards_due -= {tray for tray, count in self.counts.items() if count}

    def strays_from_the_top(self) -> list[Stray]:
        """What lies in the trays and is no part of the game: the newest first, as it comes out."""
        return sorted(self.strays, key=lambda stray: stray.at_s, reverse=True)

    def stray_in(self, tray: Tray) -> Stray | None:
        """The newest card in the tray that is no part of the game."""
        return next((stray for stray in self.strays_from_the_top() if stray.tray is tray), None)

    def strays_in(self, tray: Tray) -> list[Stray]:
        return [stray for stray in self.strays if stray.tray is tray]

    def forget(self, number: int) -> None:
        """The card of this act is looked at anew."""
        self.strays[:] = [stray for stray in self.strays if stray.number != number]

    def suspect_before(self, at_s: MonoSeconds) -> Stray | None:
        """The newest refused card that lay there at `at_s`: it may have tipped the scale (T23)."""
        return next(
            (s for s in reversed(self.strays) if s.why is Why.REFUSED and s.at_s <= at_s), None
        )

    def owe(self, tray: Tray, count: int, at_s: MonoSeconds) -> None:
        """Notes that cards slid off, or were lifted out, and must go back."""
        owed = self.missing[tray].count if tray in self.missing else 0
        self.missing[tray] = Missing(tray, owed + count, at_s)

    def put_back(self, tray: Tray, count: int) -> None:
        """Notes that owed cards lie in the tray again."""
        left = self.missing[tray].count - count
        if left > 0:
            self.missing[tray] = Missing(tray, left, self.missing[tray].at_s)
        else:
            del self.missing[tray]

    def await_start_cards(self) -> None:
        """After a deal one card lies in each tray; where it does not yet, it is no play."""
        self.start_cards_due = {tray for tray, count in self.counts.items() if count != 1}

    def clear(self) -> None:
        """A new round or game: only what is counted in the trays still holds."""
        self.clear_strays()
        self.start_cards_due.clear()

    def clear_strays(self) -> None:
        """After a spill nothing is out of place any more."""
        self.strays.clear()
        self.missing.clear()
