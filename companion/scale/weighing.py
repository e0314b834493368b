"""How many cards explain a change of weight, both trays seen together.

A tilted beam lightens both trays by the same share (the cosine of its angle), a card weighs on
one of them; pure arithmetic, which never remembers anything.
"""

import itertools
import math

import msgspec

STEEPEST_SHARE = -0.5
"""The cosine of 60 degrees: no arm of the scale goes further down."""


class Tilt(msgspec.Struct, frozen=True):
    """What is known of the beam: how much of both weights its angle may have changed."""

    spread: float
    low: float = -0.1
    high: float = 0.1
    ended: bool = False
    """True if it is the weights before that were tilted."""
    together: float = 0.0
    """What it costs that the counts of both trays changed in the same sense at once."""


BOTH_AT_ONCE = 9.0
"""Odds of 90 to 1 against hands that take cards out of both trays, or put them in, in the same
moment: a beam does so to both weights."""
LEVEL = Tilt(0.004, together=BOTH_AT_ONCE)
"""A standing beam: a placed card leans it, cos 5 degrees is 0.996."""
LEANED = 0.012
"""Cards lean a standing beam by up to 9 degrees: by so much it may have leaned before, and lean
again."""
RETURNING = Tilt(0.015, high=LEANED, ended=True, together=BOTH_AT_ONCE)
"""A beam that has just come back past the switch and may be on its way still."""
RETURNED = Tilt(0.015, -LEANED, LEANED, ended=True)
"""A beam that came back and rests: it leans no more than cards lean it, 9 degrees."""
RIGHTED = Tilt(0.015, high=LEANED, ended=True)
"""A beam that stands again, and leaned by up to 12 degrees before it tipped."""
TIPPED = Tilt(0.15, STEEPEST_SHARE, 0.01)
"""Somewhere between level and the steepest stop."""
HANGING = Tilt(0.015, together=BOTH_AT_ONCE)
"""A beam that hangs and creeps, seen twice within a second."""

MISFIT = 12.0
"""Three and a half standard deviations, squared: beyond it no count explains the weights: a leaning
card, a hand that still holds."""
ASKED_CHANGE = 1.0
UNASKED_CHANGE = 6.0
"""What a change of count without any contact must gain in fit: odds of 20 to 1."""
EACH_CARD = 0.5
UNKNOWN_CARD = 0.02
"""How well the weight of a card is known once some were put down."""
UNKNOWN_TRAY_G = 0.25
"""How well an empty tray's own weight is known: of it a tilt takes its share."""


class Seen(msgspec.Struct, frozen=True):
    """What one tray shows: its weight before and now, and how well both are known."""

    before_g: float
    now_g: float
    gross_g: float
    """Tray and cards before, grams."""
    cards: int
    card_g: float
    """What one more card is expected to weigh."""
    lying_g: float
    """What a card that lies there weighs: their measured weight, divided."""
    sigma_g: float
    touched: bool
    """True if something pressed on this tray or pulled at it."""
    still: bool = False
    """True if nothing moved: its count is the one before."""

    def cards_g(self, change: int) -> float:
        """What so many cards more or less weigh."""
        return change * (self.card_g if change > 0 else self.lying_g)


class Weighed(msgspec.Struct, frozen=True):
    """The best explanation: cards more or less on each tray, and the beam's share of it."""

    changes: tuple[int, ...]
    share: float
    """Relative change of both weights that the beam's angle explains."""
    left_over_g: tuple[float, ...]
    misfit: float
    """How badly the weights fit, in squared standard deviations."""
    cost: float
    """The same with what its changes and its share cost: -2 log likelihood."""
    cost_unchanged: float
    """How badly "no card came or went" fits."""
    margin: float
    """How much worse the next explanation with other counts fits."""


def weigh(trays: tuple[Seen, ...], *, tilt: Tilt) -> Weighed:
    """Finds the counts that explain what all `trays` show."""
    parts: list[dict[int, _Part]] = [{} for _ in trays]

    def fit(changes: tuple[int, ...]) -> _Fit:
        explained = []
        for i, change in enumerate(changes):
            known = parts[i]
            if change not in known:
                known[change] = _Part(trays[i], change, tilt=tilt)
            explained.append(known[change])
        return _Fit(changes, explained, tilt=tilt)

    unchanged = fit((0,) * len(trays))
    best, second = unchanged, math.inf
    for changes in _explanations(trays, tilt=tilt):
        other = fit(changes)
        if other.cost < best.cost:
            best, second = other, best.cost
        elif other.cost < second:
            second = other.cost
    return Weighed(
        best.changes, best.share, best.left_over_g, best.misfit, best.cost, unchanged.cost,
        second - best.cost,
    )  # fmt: skip


def _explanations(trays: tuple[Seen, ...], *, tilt: Tilt) -> set[tuple[int, ...]]:
    """Counts worth a look: for each change of one tray, what its share leaves for the other."""
    found: set[tuple[int, ...]] = set()
    for i, tray in enumerate(trays):
        for change in _changes(tray, tilt=tilt):
            cards_g = tray.cards_g(change)
            gross_g = tray.gross_g + (0.0 if tilt.ended else cards_g)
            share = (tray.now_g - tray.before_g - cards_g) / gross_g
            share = min(max(share, tilt.low), tilt.high) if tilt.spread > LEVEL.spread else 0.0
            others = [
                [change] if j == i else _nearest(other, share, tilt)
                for j, other in enumerate(trays)
            ]
            found.update(itertools.product(*others))
    found.discard((0,) * len(trays))
    return found


def _changes(tray: Seen, *, tilt: Tilt) -> range:
    if tray.still:
        return range(1)
    change_g = tray.now_g - tray.before_g
    up_g = max(min(-tilt.low, 5 * tilt.spread), 0.03) * tray.gross_g
    low = math.floor(change_g / min(tray.card_g, tray.lying_g) - 0.5)
    high = math.ceil((change_g + up_g) / tray.card_g + 0.5)
    return range(max(low, -tray.cards), max(high, -tray.cards) + 1)


def _nearest(tray: Seen, share: float, tilt: Tilt) -> list[int]:
    if tray.still:
        return [0]
    change_g = tray.now_g - tray.before_g - share * tray.gross_g
    if not tilt.ended:
        change_g /= 1 + share
    change = change_g / (tray.card_g if change_g > 0 else tray.lying_g)
    low = max(math.floor(change), -tray.cards)
    return [low, low + 1]


class _Part:
    """One tray with so many cards more or less, for any share."""

    __slots__ = ("cost", "gross_g", "power", "pull", "rest_g", "sigma_g")

    def __init__(self, tray: Seen, change: int, *, tilt: Tilt) -> None:
        cards_g = tray.cards_g(change)
        gross_g = self.gross_g = tray.gross_g + (0.0 if tilt.ended else cards_g)
        rest_g = self.rest_g = tray.now_g - tray.before_g - cards_g
        tilted = min(abs(rest_g / gross_g), -STEEPEST_SHARE)
        variance = tray.sigma_g**2 + (UNKNOWN_CARD * cards_g) ** 2 + (UNKNOWN_TRAY_G * tilted) ** 2
        self.sigma_g = math.sqrt(variance)
        self.pull, self.power = gross_g * rest_g / variance, gross_g**2 / variance
        asked = ASKED_CHANGE if tray.touched else UNASKED_CHANGE
        self.cost = asked + EACH_CARD * abs(change) if change else 0.0


class _Fit:
    """The best share for given changes, and its cost."""

    __slots__ = ("changes", "cost", "left_over_g", "misfit", "share")

    def __init__(self, changes: tuple[int, ...], parts: list[_Part], *, tilt: Tilt) -> None:
        self.changes = changes
        pull, power, cost = 0.0, 1 / tilt.spread**2, 0.0
        for part in parts:
            pull, power, cost = pull + part.pull, power + part.power, cost + part.cost
        share = self.share = min(max(pull / power, tilt.low), tilt.high)
        left_over_g, misfit = [], 0.0
        for part in parts:
            left_g = part.rest_g - share * part.gross_g
            left_over_g.append(left_g)
            misfit += (left_g / part.sigma_g) ** 2
        if len(changes) > 1 and (min(changes) > 0 or max(changes) < 0):
            cost += tilt.together
        self.left_over_g, self.misfit = tuple(left_over_g), misfit
        self.cost = cost + (share / tilt.spread) ** 2 + misfit
