"""When the first card left a tipped scale: the moment that leaves the fewest readings unexplained.

It never says which cards left; that is known before.
"""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from companion.scale.trays import HALF_CARD, TrayCards
from companion.units import Tray

FILTER_PERIODS = 3.5
"""An HX711 shows half of a lone step after two conversions, all of a fall after four, and it is
half a reading until the next."""


def first_left_s(
    trays: Sequence[TrayCards], lost: Mapping[Tray, int], wholes_g: Mapping[Tray, float],
    began_s: float,
) -> float:  # fmt: skip
    """The moment from which most readings are half a card short, and before which few are, seconds.

    `wholes_g` is what the trays would show with all their cards on the beam as it hangs now. A beam
    that springs back from its stop presses on both trays in opposite sense, by the same part of
    their weight: the mean of both knows its angle alone.
    """
    short_share = max(
        HALF_CARD * tray.card_g / tray.gross_g for tray in trays if lost[tray.tray]
    ) / len(trays)
    leader = max(trays, key=lambda tray: len(tray.cell.trail.times) if tray.cell.moving else 0)
    if not leader.cell.moving:
        return began_s
    times = leader.cell.trail.times
    first = bisect_left(times, began_s)
    votes: list[int] = []
    for moment_s in times[first:]:
        away = sum(_away(tray, wholes_g[tray.tray], moment_s) for tray in trays) / len(trays)
        # Higher than with all its cards the beam is on its way, and weighs nothing.
        votes.append(0 if away > short_share else 1 if away > -short_share else -1)
    arrived = next((i for i, vote in enumerate(votes) if vote), None)
    if arrived is None:
        return began_s
    parted = _parted(votes, arrived)
    return max(times[first + parted] - FILTER_PERIODS * leader.cell.cadence.period_s, began_s)


def _parted(votes: Sequence[int], arrived: int) -> int:
    """Where the votes for whole trays end and those for short ones begin."""
    best, at, agreed = 0, arrived, 0
    for i in range(arrived, len(votes)):
        agreed += votes[i]
        if agreed > best:
            best, at = agreed, i + 1
    return min(at, len(votes) - 1)


def _away(tray: TrayCards, whole_g: float, moment_s: float) -> float:
    """How far a tray was from all its cards' weight, as a share of it."""
    cell = tray.cell
    if cell.moving:
        times, grams = cell.trail.times, cell.trail.grams
        i = min(bisect_left(times, moment_s), len(times) - 1)
        now_g = grams[i]
        if i and times[i] > moment_s:
            part = (moment_s - times[i - 1]) / (times[i] - times[i - 1] or math.inf)
            now_g = grams[i - 1] + part * (grams[i] - grams[i - 1])
    else:
        assert cell.base is not None
        now_g = cell.base.at(moment_s)
    return (now_g - whole_g) / tray.gross_g
