"""When the first card left a tipped scale: the moment that leaves the fewest readings unexplained.

It never says which cards left; that is known before.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from companion.scale.motion import reading_at
from companion.scale.reference import Gain
from companion.scale.signal import LOOK_S
from companion.scale.trays import HALF_CARD, TrayCards
from companion.scale.weighing import LEANED
from companion.units import Tray

SHOWN_PERIODS = 3.5
"""Between a lone card, of which an HX711 shows half after two conversions and half a reading, and
cards of a fall, which it shows after all four and half a reading."""

GAP_PERIODS = 3.0
"""What lies further apart is not read between two readings."""
MISSING_PART = 0.25
"""Of what is missing in the end: a beam that sinks on takes less."""
PLATEAU_S = 0.6
"""A slow beam that swings, at eight tenths of a hertz, weighs for less what one at rest weighs."""
SAME_SHARE = 0.002
"""What hangs still wanders by less from one look to the next: 0.08 g of a tray of 40, where the
mean of half a swing's readings is unsure of 0.02."""
MOST_LOOKS = 4096
"""Two minutes and a half of a tipped scale that never hangs still; nobody leaves it so for longer
and then asks when its cards fell."""


def first_left_s(
    trays: Sequence[TrayCards], lost: Mapping[Tray, int], wholes_g: Mapping[Tray, float],
    began_s: float, gains: Sequence[Gain] = (),
) -> float:  # fmt: skip
    """The moment from which most readings are half a card short, and before which few are, seconds.

    `wholes_g` is what the trays would show with all their cards on the beam as it hangs now, and
    `gains` are cards that came meanwhile. A beam that springs back from its stop presses on both
    trays in opposite sense, by the same part of their weight: the mean of both knows its angle
    alone.
    """
    short_share = _half_a_card(trays, lost)
    leader = max(trays, key=lambda tray: len(tray.cell.trail.times) if tray.cell.moving else 0)
    if not leader.cell.moving:
        return began_s
    times = leader.cell.trail.times
    first = bisect_left(times, began_s)
    votes: list[int] = []
    showns = [
        _with_all(shown(tray, times[first:]), times[first:], [g for g in gains if g.tray is tray])
        for tray in trays
    ]
    for grams in zip(*showns, strict=True):
        aways = [
            (each_g - wholes_g[tray.tray]) / tray.gross_g
            for tray, each_g in zip(trays, grams, strict=True)
            if each_g is not None
        ]
        votes.append(_vote(fmean(aways), short_share) if aways else 0)
    if not any(votes):
        return began_s
    parted = _parted(votes, PLATEAU_S / leader.cell.cadence.period_s)
    return max(times[first + parted] - SHOWN_PERIODS * leader.cell.cadence.period_s, began_s)


def left_edge_s(trays: Sequence[TrayCards], began_s: float) -> float:
    """When both trays together last weighed what a standing beam leaves them, seconds; `began_s`
    if they had not since. A beam may creep past an early switch long before it falls, and before
    any cell has stirred no card has left."""
    stirred_s = min((tray.cell.onset_s for tray in trays if tray.cell.moving), default=began_s)
    moments_s = sorted({at_s for tray in trays for at_s in tray.cell.trail.times if at_s > began_s})
    showns = [shown(tray, moments_s) for tray in trays]
    for i in range(len(moments_s) - 1, -1, -1):
        aways = [
            (grams - tray.whole_g(moments_s[i], 0.0)) / tray.gross_g
            for tray, each in zip(trays, showns, strict=True)
            if (grams := each[i]) is not None
        ]
        if aways and fmean(aways) > -LEANED:
            return max(moments_s[i], stirred_s)
    return max(began_s, stirred_s)


class _Look(NamedTuple):
    """What both trays had lost of their weight, as shares below 0."""

    at_s: float
    shares: tuple[float, ...]
    held: bool
    """No tray moved by a card's weight."""
    times: int
    """In how many looks in a row they weighed the same."""

    @property
    def share(self) -> float:
        return fmean(self.shares)


class Course:
    """How much both trays weighed from look to look of a tip, for a loss that is known only later.

    What hangs still is one entry, however long it hangs; of what never does, the oldest is
    forgotten.
    """

    def __init__(self) -> None:
        self._looks: list[_Look] = []
        self._trays: list[TrayCards] = []

    def take(
        self, look_s: float, trays: Sequence[TrayCards], shares: tuple[float, ...], *, held: bool
    ) -> None:
        """What one look saw; a cell that falls silent, or is heard again, begins anew."""
        if list(trays) != self._trays:
            self._trays = list(trays)
            self._looks.clear()
        look = _Look(look_s, shares, held, 1)
        if self._looks and abs(look.share - self._looks[-1].share) < SAME_SHARE:
            before = self._looks[-1]
            look = before._replace(held=before.held or held, times=before.times + 1)
            self._looks.pop()
        self._looks.append(look)
        if len(self._looks) > MOST_LOOKS:
            del self._looks[: MOST_LOOKS // 2]

    def first_left_s(self, trays: Sequence[TrayCards], lost: Mapping[Tray, int]) -> float | None:
        """The moment from which most looks are half a card short, seconds; None if all are, or if
        not all these trays were seen."""
        if list(trays) != self._trays:
            return None
        gone = [lost[tray.tray] * tray.card_g / tray.gross_g for tray in trays]
        short = max(_half_a_card(trays, lost), MISSING_PART * fmean(gone))
        held = [n for n, look in enumerate(self._looks) if look.held]
        hung = [n for n in held if abs(_unlike(self._looks[n], gone)) < short]
        last = max(hung or held, default=None)
        if last is None:
            return None
        whole = (self._looks[last].share + fmean(gone)) / (1 - fmean(gone))
        votes = [look.times * _vote(look.share - whole, short) for look in self._looks[: last + 1]]
        parted = _parted(votes, PLATEAU_S / LOOK_S)
        return self._looks[parted].at_s if any(vote > 0 for vote in votes[:parted]) else None


def _unlike(look: _Look, gone: Sequence[float]) -> float:
    """How much further apart both trays were than what is gone, and one angle, leave them: a hand
    that rights the scale lifts or presses one."""
    if len(gone) < 2:
        return 0.0
    (left, right), (left_gone, right_gone) = look.shares, gone
    angle = (look.share + fmean(gone)) / (1 - fmean(gone))
    return (left - right + (1 + angle) * (left_gone - right_gone)) / 2


def _half_a_card(trays: Sequence[TrayCards], lost: Mapping[Tray, int]) -> float:
    """What half a card takes from the mean of both weights, where cards were lost."""
    shares = (HALF_CARD * tray.card_g / tray.gross_g for tray in trays if lost[tray.tray])
    return max(shares) / len(trays)


def _vote(away: float, short: float) -> int:
    """1 for trays with all their cards, -1 for short ones, 0 for a beam that is still on its way:
    higher than with all its cards it says nothing of them."""
    return 0 if away > short else 1 if away > -short else -1


def _parted(votes: Sequence[int], plateau: float) -> int:
    """From where on the votes speak for short trays; before a plateau of whole ones none counts,
    because a beam that hung further down then takes as much."""
    agreed, best, at = 0, 0, len(votes) - 1
    for i in range(len(votes) - 1, -1, -1):
        agreed -= votes[i]
        if agreed > best:
            best, at = agreed, i
        elif best - agreed >= plateau:
            break
    return at


def _with_all(
    grams_shown: list[float | None], moments_s: Sequence[float], gains: Sequence[Gain]
) -> list[float | None]:
    """The same as if the cards had lain there that came later; None while they came."""
    for gain in gains:
        for i, grams in enumerate(grams_shown):
            if grams is not None and moments_s[i] < gain.lies_s:
                grams_shown[i] = grams + gain.grams if moments_s[i] <= gain.came_s else None
    return grams_shown


def shown(tray: TrayCards, moments_s: Sequence[float]) -> list[float | None]:
    """What a tray showed at these moments, grams; None where its cell said nothing."""
    cell = tray.cell
    assert cell.base is not None
    if not cell.moving:
        return [cell.base.at(moment_s) for moment_s in moments_s]
    times = cell.trail.times
    readings = list(zip(times, cell.trail.grams, strict=True))
    gap_s = GAP_PERIODS * cell.cadence.period_s
    grams: list[float | None] = []
    for moment_s in moments_s:
        if moment_s < cell.onset_s:
            grams.append(cell.base.at(moment_s))
            continue
        after = bisect_left(times, moment_s)
        if after < len(times):
            heard_s = times[after - 1] if after else cell.onset_s
            silent = times[after] != moment_s and times[after] - heard_s > gap_s
        else:
            silent = not times  # its chip has just begun anew
        grams.append(None if silent else reading_at(readings, moment_s))
    return grams
