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
PUSH_CARDS = 0.4
"""Far over the noise of a reading, 0.03 g as measured at twelve a second and about twice that at
80 (the HX711's data sheet), and under a card that has half come."""
RINGS = 0.25
"""A knock on the table presses and lifts in turn, a hand only presses; and a beam that falls by
itself takes from one tray what it adds to the other."""
INERTIA_SHARE = 0.8
"""What a push shows on the other tray of a beam that turns freely and weighs a quarter of it."""
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
    # A hand's push may have made the beam turn by the time the card alone is left of it.
    tray = _pressed(balance, shown[came if _fast(balance) else since :])[0]
    first = [moment for moment in shown[since:] if moment.at_s <= shown[since].at_s + CAME_S]
    return tray, Touch(shown[came].at_s, fmean(m.both_g for m in first), lies=True)


def pushed(balance: Balance, end_s: float) -> tuple[TrayCards, Touch] | None:
    """What pressed on one tray until the beam turned, which may take all of it again.

    Both trays together are heavier for longer than half of a knock's slowest wave, and the pressed
    one more than the other. A slow cell smears a knock over more than that.
    """
    if not _fast(balance):
        return None
    shown = moments(balance, end_s)
    enough_g = LIES_CARDS * fmean(tray.card_g for tray in balance.trays)
    heavier, level = _Run(), _Run()
    pushes: list[Moment] = []
    for i, moment in enumerate(shown):
        if heavier.goes_on(i, shown, moment.both_g > AT_BASE * enough_g) > LAID_S:
            pushes = shown[heavier.first : i + 1]
        if level.goes_on(i, shown, abs(moment.both_g) < enough_g / 2) > LAID_S:
            pushes = []
    if not pushes or _rings(shown, pushes):
        return None
    tray, push_g, answer_g = _pressed(balance, pushes)
    if push_g + answer_g < PUSH_CARDS * tray.card_g or answer_g > INERTIA_SHARE * push_g:
        return None
    most_g = max(moment.of(tray.tray) for moment in pushes)
    return tray, Touch(pushes[0].at_s, most_g, lies=False)


def _fast(balance: Balance) -> bool:
    return all(tray.cell.cadence.fast for tray in balance.trays)


def _rings(shown: list[Moment], pushes: list[Moment]) -> bool:
    """True if both trays were lifted together before they were pressed."""
    begin_s, end_s = pushes[0].at_s - LAID_S, pushes[-1].at_s
    least_g = min(moment.both_g for moment in shown if begin_s < moment.at_s <= end_s)
    return least_g < -RINGS * max(moment.both_g for moment in pushes)


def _pressed(balance: Balance, pushes: list[Moment]) -> tuple[TrayCards, float, float]:
    """The tray that weighs more at first, how much, and what the other one answers, grams."""
    first = [moment for moment in pushes if moment.at_s <= pushes[0].at_s + CAME_S]
    left_g, right_g = fmean(m.left_g for m in first), fmean(m.right_g for m in first)
    if left_g > right_g:
        return balance.left, left_g, right_g
    return balance.right, right_g, left_g


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
