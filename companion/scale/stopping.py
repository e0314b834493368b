"""Whether a beam has come to lie on a stop so gentle that its angle alone would not show it.

It never says what the tilt did to the cards, and remembers nothing from one look to the next.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from companion.scale.balance import Balance
from companion.scale.leaving import shown
from companion.scale.together import laid
from companion.scale.trays import TrayCards
from companion.scale.weighing import BOTH_AT_ONCE, LEANED, LEVEL, TIPPED

HIT_S = 3.0
"""Cards that follow one another keep the trays moving for so long after their beam was stopped."""
HIT_SHARE, SMEARED_HIT_SHARE = 0.1, 0.035
"""A tenth of g: a beam that is stopped, and none that only swings about level. A slow cell's filter
leaves a third of it."""
FILTERED = 4
"""After so many conversions the chip's filter shows all of a blow; a slow cell shows half of it
before the beam springs back."""
ALIKE = 0.4
"""A stop slows down both trays alike, each as its arm is long and its cell hears it in time."""
FIT = 9.0
"""Three standard deviations, squared."""
SURELY = 9.0
"""Odds of 90 to 1 against hands that do the same to both trays."""
DESPITE_SHARE = -0.02
"""cos 11 degrees, beside a switch that says otherwise: more than cards ever lean a standing beam
in one moment."""


class Stop(NamedTuple):
    """A stop on which the beam lies."""

    share: float
    """What it takes of both weights, below 0."""
    came_g: float
    """What has come into a tray meanwhile: the card that tipped the scale."""
    left_s: float
    """When the beam left level."""


def lies_on(balance: Balance, *, despite: bool) -> Stop | None:
    """The stop on which the beam has come to lie; None if it lies on none.

    Both trays were hit in opposite sense, as only a beam does that is stopped, and hold still
    since, lighter by one share, give or take the card that tipped the scale and cards that fell.
    """
    trays = balance.sighted()
    flats = [flat for tray in trays if tray.cell.moving and (flat := tray.cell.flat) is not None]
    if len(flats) < len(balance.trays):
        return None
    hit_s = hit(trays, flats[0].until_s, HIT_S)
    if hit_s is None:
        return None
    least = DESPITE_SHARE if despite else -LEANED
    lying = msgspec.structs.replace(TIPPED, high=least)
    tilted = balance.weighed(trays, flats, tilt=lying, from_level=True)
    came = [max(change, 0) for change in tilted.changes]
    if tilted.misfit > FIT or sum(came) > 1:
        return None
    came_g = sum(count * tray.card_g for tray, count in zip(trays, came, strict=True))
    left_s = last_above_s(trays, tilted.share / 2, came_g=came_g, until_s=hit_s)
    stop = Stop(tilted.share, came_g, left_s)
    return stop if _level_cost(balance, stop) > tilted.cost + SURELY else None


def _level_cost(balance: Balance, stop: Stop) -> float:
    """What it costs that hands did it to a level beam: took a card again that was seen to lie there
    until the filter showed half of the blow, and one out of the other tray in the same moment."""
    trays = balance.sighted()
    flats = [flat for tray in trays if (flat := tray.rest()) is not None]
    level = balance.weighed(trays, flats, tilt=LEVEL, from_level=True)
    until_s = stop.left_s + FILTERED / 2 * max(tray.cell.cadence.period_s for tray in trays)
    card = laid(balance, until_s) if stop.came_g else None
    if card is None:
        return level.cost
    taken = [change - (tray is card[0]) for tray, change in zip(trays, level.changes, strict=True)]
    at_once = max(taken) < 0 <= max(level.changes)
    return level.cost + (BOTH_AT_ONCE if at_once else 0.0)


def last_above_s(
    trays: Sequence[TrayCards], share: float, *, came_g: float = 0.0, until_s: float = math.inf
) -> float:
    """When both trays together last weighed more, until then, than on a beam that takes `share` of
    them and of what came."""
    first, other = sorted(trays, key=lambda tray: not tray.cell.moving)
    gross_g = first.gross_g + other.gross_g
    times, grams = first.cell.trail.times, first.cell.trail.grams
    for i in range(bisect_right(times, until_s) - 1, -1, -1):
        both_g = grams[i] - first.whole_g(times[i], 0.0) + _away_g(other, times[i])
        if both_g - came_g > share * gross_g:
            return times[i]
    return times[0]


def _away_g(tray: TrayCards, moment_s: float) -> float:
    """How far from its level weight it was at a moment."""
    cell = tray.cell
    if not cell.moving:
        return 0.0
    i = max(0, bisect_right(cell.trail.times, moment_s) - 1)
    return cell.trail.grams[i] - tray.whole_g(moment_s, 0.0)


def hit(trays: Sequence[TrayCards], until_s: float, seconds: float) -> float | None:
    """When both were first hit at one moment within the last `seconds`, in opposite sense."""
    fast = all(tray.cell.cadence.fast for tray in trays)
    moments_s = [at_s for at_s in trays[0].cell.trail.times if until_s - seconds < at_s]
    lag = FILTERED if fast else FILTERED // 2
    left, right = (_jolts(tray, moments_s, lag) for tray in trays)
    least = HIT_SHARE if fast else SMEARED_HIT_SHARE
    for at_s, one, other in zip(moments_s, left, right, strict=False):
        low, high = sorted((abs(one), abs(other)))
        if one * other < 0 and low > max(least, ALIKE * high):
            return at_s
    return None


def _jolts(tray: TrayCards, moments_s: Sequence[float], lag: int) -> list[float]:
    """By how much of its weight it changed from each moment to the next but `lag`."""
    ways = shown(tray, moments_s)
    return [
        0.0 if before is None or after is None else (after - before) / tray.gross_g
        for before, after in zip(ways, ways[lag:], strict=False)
    ]
