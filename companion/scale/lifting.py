"""Many cards that seem to be gone from one tray of a standing scale: taken out, or a hand lifts it.

It never counts what is gone; it says which rest with too few cards is to be believed, and when.
"""

import msgspec

from companion.scale.motion import Base, Flat
from companion.scale.trays import HANDFUL, TrayCards
from companion.units import Tray

LIFTED_S = 2.0
"""Who lifts a tray to look under it has put it back by then, or has trembled: a hand that holds
tens of grams does not keep still to a cell's noise for so long."""
MOST_TAKEN = 4
"""So many cards, a quarter of the empty tray's weight, a hand may take out at once; one that lifts
the tray takes more off it."""


class Lighter(msgspec.Struct, frozen=True):
    """A rest of a tray from which more cards are gone than a hand takes at once."""

    flat: Flat
    change: int
    left_over_g: float
    since_s: float
    base: Base
    """From where it went."""

    def lasts(self, now_s: float) -> bool:
        """True if no hand holds a tray for so long."""
        return now_s - self.since_s >= LIFTED_S


class Lifting:
    """Remembers since when each tray has been without many of its cards."""

    def __init__(self) -> None:
        self._rests: dict[Tray, Lighter] = {}

    def look(self, tray: TrayCards, flat: Flat, change: int, left_over_g: float) -> Lighter | None:
        """The rest without many cards to which this one belongs, if it does.

        A card that comes meanwhile is no way back, and puts nothing off. A tray that weighs what
        the empty one does was emptied.
        """
        lighter = self.pending(tray)
        if lighter is None or not lighter.change <= change <= min(lighter.change + HANDFUL, -1):
            if change >= -MOST_TAKEN or change == -tray.cards:
                self._rests.pop(tray.tray, None)
                return None
            assert tray.cell.base is not None
            since_s = tray.cell.rest_since_s
            lighter = Lighter(flat, change, left_over_g, since_s, tray.cell.base)
        elif change == lighter.change:
            lighter = msgspec.structs.replace(lighter, flat=flat, left_over_g=left_over_g)
        self._rests[tray.tray] = lighter
        return lighter

    def pending(self, tray: TrayCards) -> Lighter | None:
        """The rest without many cards that is waited for now."""
        lighter = self._rests.get(tray.tray)
        if lighter is None or not tray.cell.moving or tray.cell.base is not lighter.base:
            return None
        return lighter

    def as_it_tipped(self, tray: TrayCards, began_s: float) -> Lighter | None:
        """The same if it was still so as the scale tipped: what is missing later was not all lost.

        A hand that lets go of a tray gives it all its weight back.
        """
        lighter = self.pending(tray)
        if lighter is None:
            return None
        since = tray.cell.between(lighter.flat.since_s, began_s)
        return lighter if since and since[-1] < lighter.change * tray.lying_g / 2 else None


def emptied_too(other: TrayCards, lighter: Lighter) -> bool:
    """True if many cards go from the other tray now: who clears a scale empties one tray after the
    other, and nobody lifts both in turn."""
    base, flat = other.cell.base, other.quick()
    if base is None or flat is None or other.cell.onset_s < lighter.since_s:
        return False
    return flat.level_g - base.at(flat.until_s) < -MOST_TAKEN * other.card_g


def go_on(tray: TrayCards, rows: list[tuple[float, float]]) -> None:
    """Leaves the rest that was just believed with what the tray has shown since, if it has."""
    cell = tray.cell
    assert cell.base is not None
    base = cell.base
    if all(abs(grams - base.at(at_s)) < cell.threshold_g for at_s, grams in rows):
        return
    cell.disturb(rows[0][0])
    for at_s, grams in rows:
        cell.trail.add(at_s, grams)
