"""What both trays weighed together before the beam left level: it shows a card though it leans.

A beam that turns gives to one tray what it takes from the other, and its angle takes from both
only as its cosine does; a knock presses on both and lifts them in turn. What stays is what was
put there. It never looks at a scale that has tipped.
"""

import math
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from companion.scale.balance import Balance
from companion.scale.motion import GAP_PERIODS, Base, gap_at, reading_at, undamaged
from companion.scale.signal import AT_BASE
from companion.scale.trays import HALF_CARD, TrayCards
from companion.units import Tray

LIES_CARDS = 0.3
LIES_S = 0.1
"""A hand's force changes by more, and a card that dropped has rung out: beside a still tray."""
LIES_PERIODS = 2.0
"""A slow cell's filter shows a push half come and half gone."""
LAID_S = 0.2
"""The same where the other tray moves too: half of a knock's slowest wave, at three hertz, crosses
a card's weight in less."""
CAME_S = 0.15
"""Before the beam has turned far, what came lies in the tray that weighs more than it did."""


class Touch(NamedTuple):
    """Something was put on one tray alone and has not come to rest."""

    began_s: float
    push_g: float
    """How hard; 0 if nobody saw it."""
    lies: bool
    """True if both trays weighed one card more for long enough: no hand does that."""


class Moment(NamedTuple):
    """How far both trays are from what they weighed at rest with their cards, grams."""

    at_s: float
    left_g: float
    right_g: float

    def of(self, tray: Tray) -> float:
        return self.left_g if tray is Tray.LEFT else self.right_g

    @property
    def both_g(self) -> float:
        return self.left_g + self.right_g


def moments(balance: Balance, end_s: float) -> list[Moment]:
    """Both trays at each reading of either, since both last rested and until `end_s`."""
    quiet = balance.last_quiet
    if quiet is None or len(balance.sighted()) < len(balance.trays):
        return []
    left, right = (
        _away(tray, base, quiet.until_s, tray.cards - cards)
        for tray, base, cards in zip(balance.trays, quiet.bases, quiet.cards, strict=True)
    )
    return [
        Moment(at_s, reading_at(left, at_s), reading_at(right, at_s))
        for at_s in sorted({at_s for at_s, _ in (*left, *right) if quiet.until_s <= at_s <= end_s})
        if _heard(balance.left, left, at_s) and _heard(balance.right, right, at_s)
    ]


def _heard(tray: TrayCards, rows: list[tuple[float, float]], at_s: float) -> bool:
    """True if the tray was heard around that moment, or is known to have rested."""
    resting = not tray.cell.moving or at_s < tray.cell.onset_s
    return resting or gap_at(rows, at_s) < GAP_PERIODS * tray.cell.cadence.period_s


def _away(tray: TrayCards, base: Base, moved_s: float, counted: int) -> list[tuple[float, float]]:
    """How far the tray is from `base`, without the cards that were counted since it moved."""
    cell = tray.cell
    assert cell.base is not None
    rows = [(base.at_s, 0.0)]
    motions = [] if cell.past is None else [cell.past]
    if cell.moving:
        motions.append((cell.base, cell.trail))
    for rested, trail in motions:
        moved = trail.readings_between(base, moved_s, math.inf)
        if moved:
            still_s = moved[0][0] - cell.cadence.period_s
            rows += [(still_s, rested.at(still_s) - base.at(still_s)), *moved]
    if not cell.moving:
        rows.append((cell.base.at_s, cell.base.level_g - base.at(cell.base.at_s)))
        rows += [
            (at_s, away_g + cell.base.at(at_s) - base.at(at_s))
            for at_s, away_g in cell.resting_readings()
        ]
    rows.sort()
    if cell.cadence.fast and len(rows) > 2:
        rows = undamaged(rows)
    return [(at_s, away_g - counted * tray.card_g) for at_s, away_g in rows]


def laid(balance: Balance, end_s: float) -> tuple[TrayCards, Touch] | None:
    """The card that lay on the scale, in a tray, until the beam left level at `end_s`."""
    shown = moments(balance, end_s)
    since = _last_whole(shown, balance)
    if since is None:
        return None
    came = since
    while came > 0 and shown[came].both_g > AT_BASE * LIES_CARDS * balance.left.card_g:
        came -= 1
    lies_s = shown[since].at_s
    first = [moment for moment in shown[since:] if moment.at_s <= lies_s + CAME_S]
    left_g, right_g = fmean(m.left_g for m in first), fmean(m.right_g for m in first)
    tray = balance.left if left_g > right_g else balance.right
    return tray, Touch(shown[came].at_s, left_g + right_g, lies=True)


def _last_whole(shown: list[Moment], balance: Balance) -> int | None:
    """Since when both weighed one card more, first for long enough and not as before after that."""
    card_g = fmean(tray.card_g for tray in balance.trays)
    period_s = max(tray.cell.cadence.period_s for tray in balance.trays)
    unsure_g = [2 * tray.cell.sigma_g for tray in balance.trays]
    slack_g = min(LIES_CARDS * card_g + math.hypot(*unsure_g), HALF_CARD * card_g)
    still_g = AT_BASE * LIES_CARDS * card_g + max(unsure_g)
    found, since, alone, empty = None, _Run(), _Run(), _Run()
    for i, moment in enumerate(shown):
        one = abs(moment.both_g - card_g) < slack_g
        lasted_s = since.goes_on(i, shown, one)
        alone_s = alone.goes_on(i, shown, one and min(map(abs, moment[1:])) < still_g)
        if lasted_s > LAID_S or alone_s > max(LIES_S, LIES_PERIODS * period_s):
            found = since.first if found is None else found
        if empty.goes_on(i, shown, abs(moment.both_g) < slack_g / 2) > LAID_S:
            found = None
    return found


@dataclass(slots=True)
class _Run:
    """Moments in a row in which something is so."""

    first: int = 0
    goes: bool = False

    def goes_on(self, i: int, shown: list[Moment], so: bool) -> float:
        """For how long it has been so now, seconds."""
        if so and not self.goes:
            self.first = i
        self.goes = so
        return shown[i].at_s - shown[self.first].at_s if so else 0.0
