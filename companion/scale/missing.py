"""Which cards are missing from a tipped scale: every loss held against what both trays show.

A tilted beam presses on both cells with the cosine of its angle, a card weighs on one of them; pure
arithmetic, which never remembers anything.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

TRAY_SIGMA_G = 0.3
"""How well the calibration knows the empty tray's weight: kitchen scales show whole grams."""
TRAY_G_UNSAID = 0.15
"""How well it is known where the calibration does not say it: built scales differ."""
UNLIKE_TRAYS = 0.03
"""Both trays of a scale come from one mould."""
CARD_SHARE = 0.02
"""How well the weight of a card is known once some were put down."""
LOSS = 2.0
EACH_CARD = 0.3
"""What the fit must gain for a card to be called lost; parsimony."""


class Hung(NamedTuple):
    """One tray of a tipped scale: what it weighed with all its cards, and what it weighs now."""

    whole_g: float
    """What it showed, or would show on a level beam, with `cards` in it."""
    gross_g: float
    """What tray and cards pressed with then."""
    cards: int
    card_g: float
    """What each of the cards pressed with then."""
    now_g: float
    sigma_g: float
    tray_g: float = 0.0
    """The empty tray; 0 if it does not matter."""
    doubted: int = 0
    """How many of the cards may have been a hand: that they are missing is no loss."""
    unseen: int = 0
    """How many cards may have come unseen as the scale tipped: that they are there is none."""


class Beam(NamedTuple):
    """What is known of the beam: by how much it lightened both trays since they were whole."""

    low: float
    high: float
    spread: float = math.inf
    """How far it may have moved, one standard deviation; inf: anywhere within its bounds."""
    tray_g_said: bool = True


class Missing(NamedTuple):
    """The best explanation."""

    lost: tuple[int, ...]
    share: float
    """Relative change of both weights that the beam's angle explains."""
    misfit: float
    """How badly the weights fit, in squared standard deviations."""
    cost: float
    """The same with what its losses cost: -2 log likelihood."""
    gain: float
    """By how much "no card was lost" fits worse: -2 log likelihood."""


def explain(trays: Sequence[Hung], beam: Beam) -> Missing:
    """Finds the losses and the angle that explain what the trays show."""
    lost: tuple[int, ...] = (0,) * len(trays)
    counts = (range(-tray.unseen, tray.doubted + 1) for tray in trays)
    whole = min(
        (_fit(trays, each, beam) for each in itertools.product(*counts)), key=lambda fit: fit.cost
    )
    best, best_cost = whole, whole.cost
    for losses in _losses(trays, beam):
        parsimony = EACH_CARD * sum(losses)
        if LOSS + parsimony >= best_cost:
            continue  # it would cost too much even if it fitted without a misfit
        fit = _fit(trays, losses, beam)
        cost = fit.cost + LOSS + parsimony
        if cost < best_cost:
            best, lost, best_cost = fit, losses, cost
    return Missing(lost, best.share, best.misfit, best_cost, whole.cost - best_cost)


def _losses(trays: Sequence[Hung], beam: Beam) -> Iterator[tuple[int, ...]]:
    """Losses worth a look: for each loss of the first tray, what its share leaves for the other."""
    first = trays[0]
    for lost in range(first.cards + 1):
        if len(trays) == 1:
            if lost:
                yield (lost,)
            continue
        other = trays[1]
        gross_g = first.gross_g - lost * first.card_g
        share = (first.now_g - first.whole_g + lost * first.card_g) / gross_g
        share = min(max(share, beam.low), beam.high)
        missing_g = other.whole_g + share * other.gross_g - other.now_g
        nearest = missing_g / (other.card_g * (1 + share))
        low = min(max(math.floor(nearest), 0), other.cards)
        yield from ((lost, each) for each in {low, min(low + 1, other.cards)} if lost or each)


class _Fit(NamedTuple):
    share: float
    cost: float
    misfit: float


def _fit(trays: Sequence[Hung], losses: Sequence[int], beam: Beam) -> _Fit:
    """The best share of the beam, and what it leaves unexplained."""
    rests, grosses, variances = [], [], []
    for tray, lost in zip(trays, losses, strict=True):
        rests.append(tray.now_g - tray.whole_g + lost * tray.card_g)
        grosses.append(tray.gross_g - lost * tray.card_g)
        variances.append(tray.sigma_g**2 + (CARD_SHARE * lost * tray.card_g) ** 2)
    common = 0.0
    share = _share(rests, grosses, variances, common, beam)
    if trays[0].tray_g:
        for i, tray in enumerate(trays):
            own_g = TRAY_SIGMA_G if beam.tray_g_said else UNLIKE_TRAYS * tray.tray_g
            variances[i] += (share * own_g) ** 2
        if not beam.tray_g_said:
            common = (share * TRAY_G_UNSAID * trays[0].tray_g) ** 2
        share = _share(rests, grosses, variances, common, beam)
    left = [rest - share * gross for rest, gross in zip(rests, grosses, strict=True)]
    misfit = _squares(left, left, variances, common)
    return _Fit(share, misfit + (share / beam.spread) ** 2, misfit)


def _share(
    rests: Sequence[float], grosses: Sequence[float], variances: Sequence[float], common: float,
    beam: Beam,
) -> float:  # fmt: skip
    """Generalised least squares for the one unknown that both trays share."""
    above = _squares(grosses, rests, variances, common)
    below = _squares(grosses, grosses, variances, common) + 1 / beam.spread**2
    return min(max(above / below, beam.low), beam.high)


def _squares(
    xs: Sequence[float], ys: Sequence[float], variances: Sequence[float], common: float
) -> float:
    """x' V^-1 y for the variances of each tray and what both have in common (Sherman-Morrison)."""
    plain = sum([x * y / v for x, y, v in zip(xs, ys, variances, strict=True)])
    if not common:
        return plain
    ones = sum(1 / v for v in variances)
    x_sum = sum(x / v for x, v in zip(xs, variances, strict=True))
    y_sum = sum(y / v for y, v in zip(ys, variances, strict=True))
    return plain - common * x_sum * y_sum / (1 + common * ones)
