"""What a beam on its way shows of its trays: their mean over a whole swing, whatever its angle.

It never decides anything, and remembers nothing from one look to the next.
"""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from msgspec.structs import replace

from companion.scale.hanging import Span
from companion.scale.leaving import shown
from companion.scale.motion import Flat
from companion.scale.trays import TrayCards

SWEEP_S, PARTS = 0.6, 3
"""A whole swing of a beam at 1.7 Hz: what it gives a tray in one half it takes in the other."""
PART_READINGS = 2
GRAVITY, LONG_ARM_M = 9.81, 0.2
UNFINISHED = 0.5
"""By so much of how far the trays were parted is the mean of a swing off that takes longer; that of
its half is off by 2 / pi of the way to its turn."""
CREEP_SHARE = 0.003
"""A tenth of a gram in half a swing: thrice the noise of two means of a few readings."""
SUNK_ALIKE = 0.6
"""Arms of 20 cm that turn e times as fast every half second part the trays by less; where cards
leave both of them, one is mostly faster."""
PARTED_SHARE = 0.005
"""A third of what one card in a tray of 60 g parts them."""


class Sweep(NamedTuple):
    """What both trays weighed in a whole swing; their noise is what it may still hide."""

    mean: list[Flat]
    closest: list[Flat]
    """The same of the part in which one angle explains both trays best."""


def sweep(trays: Sequence[TrayCards], since_s: float) -> Sweep | None:
    """What the trays of a beam on its way weighed; None if that began before `since_s`, or if a
    cell was silent meanwhile.

    A beam that turns gives both trays one cosine and no noise, however fast it turns. What parts
    them is its gathering of speed, which bends the way of its angle, or else cards.
    """
    if len(trays) < 2:
        return None
    until_s = min(tray.cell.cadence.sampled_s for tray in trays)
    from_s = until_s - SWEEP_S
    if from_s < since_s:
        return None
    period_s = max(tray.cell.cadence.period_s for tray in trays)
    part = max(PART_READINGS, round(SWEEP_S / PARTS / period_s))
    step_s = SWEEP_S / PARTS / part
    moments_s = [from_s + (i + 0.5) * step_s for i in range(PARTS * part)]
    ways = [_shares(tray, moments_s) for tray in trays]
    if not all(ways):
        return None
    left, right = ways
    apart = [(each - other) / 2 for each, other in zip(left, right, strict=True)]
    both = [(each + other) / 2 for each, other in zip(left, right, strict=True)]
    gathered = LONG_ARM_M * _bend(both, part) / GRAVITY
    strays = math.hypot(gathered, UNFINISHED * (max(apart) - min(apart)))

    def flats(first: int, last: int) -> list[Flat]:
        found = []
        for tray, way in zip(trays, ways, strict=True):
            noise_g = tray.cell.sigma_g / math.sqrt(last - first)
            level_g = tray.whole_g(until_s, fmean(way[first:last]))
            sigma_g = math.hypot(noise_g, strays * tray.gross_g)
            found.append(Flat(level_g, from_s, until_s, last - first, sigma_g))
        return found

    firsts = range(0, PARTS * part, part)
    closest = min(firsts, key=lambda first: abs(fmean(apart[first : first + part])))
    return Sweep(flats(0, PARTS * part), flats(closest, closest + part))


def weighs_more(trays: Sequence[TrayCards], lost: Sequence[int]) -> bool:
    """True if what is left would weigh less on a level beam than both trays show now.

    Each is held against its own, and the mean of both asked, which no turning beam changes.
    """
    now_s = min(tray.cell.cadence.sampled_s for tray in trays)
    more = []
    for tray, count in zip(trays, lost, strict=True):
        (grams,) = shown(tray, [now_s])
        if grams is None:
            return False
        left_g = tray.gross_g - count * tray.lying_g
        more.append((grams - tray.whole_g(now_s, 0.0) + tray.gross_g) / left_g - 1)
    return fmean(more) > max(tray.card_g / tray.gross_g for tray in trays)


def parted(trays: Sequence[TrayCards], flats: Sequence[Flat]) -> float:
    """How much less one tray weighs than the other of what both weigh: the same at any angle."""
    left, right = (tray.share(flat) for tray, flat in zip(trays, flats, strict=True))
    return (left - right) / (2 + left + right)


def sink_alike(trays: Sequence[TrayCards], seen: Sequence[Span]) -> bool:
    """True if all trays get lighter by about the same share, as they do where their beam sinks."""
    sunk = [
        (span.parts_g[0] - span.parts_g[-1]) / tray.gross_g
        for tray, span in zip(trays, seen, strict=True)
    ]
    return min(sunk) > max(CREEP_SHARE, SUNK_ALIKE * max(sunk))


def springs(trays: Sequence[TrayCards], seen: Sequence[Span]) -> bool:
    """True if the beam may be in the air between two hits of its stop.

    Gravity then parts both trays evenly and bends the way of their angle: so much less do both
    weigh at the ends of a flight than in its middle, and their mean, or else it does not part
    them so. What rings in them leaves their mean alone.
    """
    if len(trays) < 2:
        return False
    left, right = (
        [tray.share(replace(span.flat, level_g=each_g)) for each_g in span.parts_g]
        for tray, span in zip(trays, seen, strict=True)
    )
    sine = math.sqrt(max(0.0, 1 - (1 + fmean(left + right)) ** 2))
    apart = abs(fmean(left) - fmean(right)) / 2
    lasted_s = max(span.flat.until_s - span.flat.since_s for span in seen)
    bends = sine * apart * GRAVITY * lasted_s**2 / (16 * LONG_ARM_M)
    mean = [fmean(both) for both in zip(left, right, strict=True)]
    bent = min(max(each) - min(each) for each in (left, right, mean))
    return apart > PARTED_SHARE and bent > max(bends, CREEP_SHARE)


def _bend(shares: Sequence[float], part: int) -> float:
    """How fast a beam gathers speed that takes these shares of its trays, radians a second, a
    second."""
    before, amid, after = (
        math.acos(min(max(1 + fmean(shares[i : i + part]), 0.0), 1.0))
        for i in range(0, PARTS * part, part)
    )
    return abs(before - 2 * amid + after) / (SWEEP_S / PARTS) ** 2


def _shares(tray: TrayCards, moments_s: Sequence[float]) -> list[float]:
    """What the beam took of it at each moment if no card came or went; empty if its cell was
    silent."""
    shares = []
    for moment_s, grams in zip(moments_s, shown(tray, moments_s), strict=True):
        if grams is None:
            return []
        shares.append((grams - tray.whole_g(moment_s, 0.0)) / tray.gross_g)
    return shares
