"""What both trays weighed over half a swing of the beam, and what explains it: cards, an angle.

It never decides anything, and remembers nothing from one look to the next.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from msgspec.structs import replace

from companion.scale.missing import Beam, Hung, Missing, explain, misfit
from companion.scale.motion import Flat
from companion.scale.trays import TrayCards
from companion.scale.weighing import STEEPEST_SHARE
from companion.units import Tray

SWING_S, PARTS = 0.3, 4
"""Half a swing of the beam at 1.7 Hz."""
SMEARED = 1.5
"""Four readings of a slow cell lie within its filter: they differ less than what they show."""
STIRRED_CARDS, STILL_CARDS = 0.15, 0.1
LATEST_SIGMA_G = 0.1
"""The noise of what has come to rest; what still moves is counted by how it moves."""
WEIGHTLESS = -1.05
"""Less than nothing: tray and cards in free fall press with nothing at all."""
OFF_S = 1.0
"""A hand that holds a tray up trembles by more than the cell's noise."""
WHOLE_MISFIT = 4.0
"""Two standard deviations, squared: both trays weigh what one cosine leaves them."""
LONE_SPREAD = 0.15
"""One cell alone cannot tell a loss from an angle: few stops are as steep as 45 degrees."""


class Span(NamedTuple):
    """What one tray weighed over half a swing of the beam, whole and in parts."""

    flat: Flat
    parts_g: tuple[float, ...]

    @property
    def latest(self) -> Flat:
        """The newer half of it, with half of what moved in it as its noise."""
        before_g, last_g = self.parts_g[-2:]
        moved_g = abs(last_g - before_g) / 2
        noise_g = min(self.flat.sigma_g, LATEST_SIGMA_G)
        level_g = (before_g + last_g) / 2
        return replace(self.flat, level_g=level_g, sigma_g=math.hypot(noise_g, moved_g))


def spans(trays: Sequence[TrayCards], since_s: float, seconds: float = SWING_S) -> list[Span]:
    """What the trays weighed in the last moments; empty if they began before `since_s`."""
    found = wholes(trays, since_s, seconds)
    return [Span(flat, _parts_g(tray, flat)) for tray, flat in zip(trays, found, strict=False)]


def wholes(trays: Sequence[TrayCards], since_s: float, seconds: float = SWING_S) -> list[Flat]:
    """The same without its parts."""
    found = []
    for tray in trays:
        cell = tray.cell
        if not cell.moving:
            flat = tray.quick()
            if flat is None or flat.until_s < since_s:
                return []
        else:
            flat = cell.quick(max(seconds, PARTS * cell.cadence.period_s))
            if flat is None or flat.since_s < since_s:
                return []
            if not cell.cadence.fast and flat.sigma_g > STIRRED_CARDS * tray.card_g:
                flat = replace(flat, sigma_g=SMEARED * flat.sigma_g)
        found.append(flat)
    return found


def _parts_g(tray: TrayCards, flat: Flat) -> tuple[float, ...]:
    if not tray.cell.moving:
        return (flat.level_g,) * PARTS
    values, width = tray.cell.trail.grams, flat.readings / PARTS
    ends = [len(values) - round(i * width) for i in range(PARTS, -1, -1)]
    return tuple(fmean(values[i:j]) for i, j in pairwise(ends))


def explained(
    trays: Sequence[TrayCards], flats: Sequence[Flat], beam: Beam, *, unseen: Tray | None = None
) -> Missing:
    """The losses that explain these weights on such a beam.

    Into the tray `unseen` a card may have come that its cell was too slow to show. A tray that fell
    off has taken all its cards along, and says nothing of the angle.
    """
    shown = list(zip(trays, flats, strict=True))
    hung = [_hung(tray, flat, unseen) for tray, flat in shown]
    lone = beam._replace(spread=LONE_SPREAD)
    missing = explain(hung, beam if len(trays) > 1 else lone)
    off = [fell_off(tray, flat) for tray, flat in shown]
    if sum(off) != 1 or len(trays) == 1:
        return missing
    i = off.index(True)
    other = explain([hung[1 - i]], lone)
    lost = (hung[0].cards, *other.lost) if i == 0 else (*other.lost, hung[1].cards)
    return missing._replace(
        lost=lost, share=other.share, misfit=other.misfit, gone=lost, gone_share=other.share
    )


def _hung(tray: TrayCards, flat: Flat, unseen: Tray | None) -> Hung:
    return Hung(
        tray.whole_g(flat.until_s, 0.0), tray.gross_g, tray.cards, tray.lying_g,
        flat.level_g, math.hypot(flat.sigma_g, tray.unsure_g(flat)), tray.tray_g,
        tray.doubted, int(tray.tray is unseen and not tray.cell.cadence.fast),
    )  # fmt: skip


def doubted_there(
    trays: Sequence[TrayCards], flats: Sequence[Flat], beam: Beam, odds: float
) -> bool:
    """True if these weights fit with the cards that may have been hands, and by `odds` better than
    without them."""
    hung = [_hung(tray, flat, None) for tray, flat in zip(trays, flats, strict=True)]
    there = misfit(hung, [0] * len(hung), beam)
    gone = misfit(hung, [each.doubted for each in hung], beam)
    return there < WHOLE_MISFIT and gone - there > odds


def fell_off(tray: TrayCards, flat: Flat) -> bool:
    """True if the tray itself is gone: it has kept as still as a cell alone, by less than a tray on
    a beam at sixty degrees weighs."""
    least_g = tray.whole_g(flat.until_s, 0.0) - tray.gross_g + (1 + STEEPEST_SHARE) * tray.tray_g
    still = tray.cell.moving and flat.until_s - tray.cell.rest_since_s > OFF_S
    return still and flat.level_g < least_g


def handled(tray: TrayCards, span: Span, share: float) -> bool:
    """True if only a hand can have made it weigh so much, or so little.

    A stop hits a tray hard, but not for so long, and what falls never weighs less than nothing.
    """
    lifted = any(tray.share(replace(span.flat, level_g=g)) < WEIGHTLESS for g in span.parts_g)
    return (lifted and not fell_off(tray, span.flat)) or by_hand([tray], [span.flat], share)


def by_hand(trays: Sequence[TrayCards], flats: Sequence[Flat], share: float) -> bool:
    """True if one weighs more than all its cards, or less than the empty tray that lies there."""
    return any(
        tray.by_hand(flat, share) and not fell_off(tray, flat)
        for tray, flat in zip(trays, flats, strict=True)
    )
