"""How many cards explain a change of weight, both trays seen together.

A tilted beam lightens both trays by the same share (the cosine of its angle), a card weighs on
one of them; pure arithmetic, which never remembers anything.
"""

import itertools
import math
from dataclasses import dataclass

LEAN_SHARE = 0.004
"""How far a placed card usually leans a standing beam: cos 5 degrees is 0.996."""
TIPPED_SHARE = 0.12
UNASKED_CHANGE = 6.0
"""What a change of count without any contact must gain in fit: odds of 20 to 1."""
ASKED_CHANGE = 1.0


@dataclass(frozen=True, slots=True)
class Seen:
    """What one tray shows: its weight before and now, and how well both are known."""

    before_g: float
    now_g: float
    gross_g: float
    """Tray and cards before, grams."""
    cards: int
    card_g: float
    sigma_g: float
    touched: bool
    """True if something pressed on this tray or pulled at it."""
    still: bool = False
    """True if nothing moved: its count is the one before."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The best explanation: cards more or less on each tray, and the beam's share of it."""

    changes: tuple[int, ...]
    share: float
    """Relative change of both weights that the beam's angle explains."""
    left_over_g: tuple[float, ...]
    margin: float
    """How much worse the next explanation with other counts fits (difference of -2 log odds)."""


def weigh(trays: tuple[Seen, ...], *, tipped: bool) -> Weighed:
    """Finds the counts that explain what all `trays` show."""
    best: tuple[float, tuple[int, ...], float] | None = None
    second = math.inf
    for changes in itertools.product(*(_candidates(tray, tipped=tipped) for tray in trays)):
        cost, share = _cost(trays, changes, tipped=tipped)
        if best is None or cost < best[0]:
            second = math.inf if best is None else best[0]
            best = (cost, changes, share)
        else:
            second = min(second, cost)
    assert best is not None
    cost, changes, share = best
    left_over = tuple(
        tray.now_g - tray.before_g - change * tray.card_g
        - share * (tray.gross_g + change * tray.card_g)
        for tray, change in zip(trays, changes, strict=True)
    )  # fmt: skip
    return Weighed(changes, share, left_over, second - cost)


def _candidates(tray: Seen, *, tipped: bool) -> list[int]:
    if tray.still:
        return [0]
    change_g = tray.now_g - tray.before_g
    lean_g = tray.gross_g * (0.25 if tipped else 0.03)
    low = math.floor((change_g - lean_g) / tray.card_g)
    high = math.ceil((change_g + lean_g) / tray.card_g)
    return [change for change in range(low, high + 1) if change >= -tray.cards] or [-tray.cards]


def _cost(
    trays: tuple[Seen, ...], changes: tuple[int, ...], *, tipped: bool
) -> tuple[float, float]:
    spread = TIPPED_SHARE if tipped else LEAN_SHARE
    above, below = 0.0, 1 / spread**2
    for tray, change in zip(trays, changes, strict=True):
        gross = tray.gross_g + change * tray.card_g
        rest = tray.now_g - tray.before_g - change * tray.card_g
        above += gross * rest / tray.sigma_g**2
        below += gross**2 / tray.sigma_g**2
    share = above / below
    cost = (share / spread) ** 2
    for tray, change in zip(trays, changes, strict=True):
        gross = tray.gross_g + change * tray.card_g
        rest = tray.now_g - tray.before_g - change * tray.card_g - share * gross
        cost += (rest / tray.sigma_g) ** 2
        if change:
            cost += (ASKED_CHANGE if tray.touched else UNASKED_CHANGE) + 0.5 * abs(change)
    return cost, share
