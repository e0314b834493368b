"""Which cards are missing from a tipped scale: every loss held against what both trays show.

A tilted beam presses on both cells with the cosine of its angle, a card weighs on one of them; pure
arithmetic, which never remembers anything.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.scale.weighing import HANGING, STEEPEST_SHARE

TRAY_SIGMA_G = 0.3
"""How well the calibration knows the empty tray's weight: kitchen scales show whole grams."""
TRAY_G_UNSAID = 0.35
"""How well it is known where the calibration does not say it: built scales differ."""
UNLIKE_TRAYS = 0.03
"""Both trays of a scale come from one mould."""
CARD_SHARE = 0.02
"""How well the weight of a card is known once some were put down."""
LEVEL_SHARE = 0.01
"""No beam makes its trays heavier: what is left to a standing one is its lean before the tip."""
LOSS, EACH_CARD = 2.0, 0.15
"""What the fit must gain for any card to be called lost, and for each; parsimony."""
FROM_BOTH = 1.4
"""Odds of 2 to 1 that the tray that rises keeps its cards: a card from there weighs what a little
of the angle takes."""

KEEPS_SHARE, KEEPS_SPREAD = -0.27, 0.03
"""Down a slope of 43 degrees (its cosine is 0.73) nearly everything slides; card on plastic holds
up to 20 to 30."""
STOP_SHARE, STOP_SPREAD = -0.33, 0.10
"""Few scales let their beam go further down."""
MOVED = 9.0
"""Odds of 90 to 1 that a beam that hung still stays where it is."""
NEARLY = 4.0
"""Odds of 7 to 1."""
MEAN_MISFIT = 4.0
"""What lies between two good explanations may be none itself."""


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

    low: float = STEEPEST_SHARE
    high: float = LEVEL_SHARE
    spread: float = math.inf
    """How far it may have moved, one standard deviation; inf: anywhere within its bounds."""
    tray_g_said: bool = True
    sank: bool = False
    """Both trays went on to get lighter after the fall."""
    hung: float | None = None
    """The share that it took when it was seen to hang still with all its cards."""
    lies: bool = False
    """It has come to rest on its stop, where cards have rather left than not."""


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
    fewest: int = 0
    """The fewest cards in all that explain it nearly as well."""
    gone: tuple[int, ...] = ()
    """The mean of all likely losses if it names the same trays, else `lost`; and ..."""
    gone_share: float = 0.0
    """... what the angle takes with it: what was missing when is told by both."""


class _Fit(NamedTuple):
    share: float
    cost: float
    misfit: float


def explain(trays: Sequence[Hung], beam: Beam) -> Missing:
    """Finds the losses and the angle that explain what the trays show.

    How many cards were lost is the mean of all explanations, each weighed by its likelihood: many
    cards on a gentle slope weigh what few weigh on a steep one.
    """
    nothing = (0,) * len(trays)
    counts = (range(-tray.unseen, tray.doubted + 1) for tray in trays)
    whole = min(
        (_fit(trays, each, beam) for each in itertools.product(*counts)), key=lambda fit: fit.cost
    )
    whole_cost = whole.cost + (_slides(whole.share) if beam.sank else 0.0)
    whole_cost += _moved(whole.share, beam)
    some = 0.0 if beam.lies else LOSS
    if whole_cost <= some:  # no loss can fit better
        return Missing(nothing, whole.share, whole.misfit, whole_cost, 0.0)
    losses = list(_losses(trays, beam))
    fits = [_fit(trays, each, beam) for each in losses]
    costs = [
        fit.cost + some + EACH_CARD * sum(each) + _steep(fit.share) + _moved(fit.share, beam)
        for each, fit in zip(losses, fits, strict=True)
    ]
    cost = min(costs, default=math.inf)
    if whole_cost <= cost:
        return Missing(nothing, whole.share, whole.misfit, whole_cost, 0.0)
    lost = _named(trays, losses, fits, costs, beam)
    gone = _mean(losses, [math.exp((cost - each) / 2) for each in costs])
    fit, best = _fit(trays, gone, beam), costs.index(cost)
    if fit.misfit > fits[best].misfit + MEAN_MISFIT:
        gone, fit = losses[best], fits[best]
    fewest = min(sum(n) for n, each in zip(losses, costs, strict=True) if each < cost + NEARLY)
    gone_share = fit.share
    if _other_trays(gone, lost):
        gone, gone_share = lost, _fit(trays, lost, beam).share
    return Missing(lost, fit.share, fit.misfit, cost, whole_cost - cost, fewest, gone, gone_share)


def misfit(trays: Sequence[Hung], losses: Sequence[int], beam: Beam) -> float:
    """How badly these losses fit, and no others, in squared standard deviations."""
    return _fit(trays, losses, beam).misfit


def _named(
    trays: Sequence[Hung], losses: Sequence[tuple[int, ...]], fits: Sequence[_Fit],
    costs: Sequence[float], beam: Beam,
) -> tuple[int, ...]:  # fmt: skip
    """How many cards each tray is said to have lost; `fits` and `costs` are those of `losses`."""
    cost = min(costs)
    odds = [
        math.exp((cost - each - _from_both(trays, lost)) / 2)
        for each, lost in zip(costs, losses, strict=True)
    ]
    lost, best = _mean(losses, odds), costs.index(cost)
    if _fit(trays, lost, beam).misfit <= fits[best].misfit + MEAN_MISFIT:
        return lost
    likely = [losses[i] for i, each in enumerate(costs) if each < cost + NEARLY]
    if any(_emptied(trays, each) for each in likely):
        return min(likely, key=lambda each: _apart(each, lost))
    return losses[best]


def _mean(losses: Sequence[tuple[int, ...]], odds: Sequence[float]) -> tuple[int, ...]:
    return tuple(_mean_loss(counts, odds) for counts in zip(*losses, strict=True))


def _from_both(trays: Sequence[Hung], losses: Sequence[int]) -> float:
    """What it costs to name both trays, unless all that lay there is gone."""
    both = len(losses) > 1 and all(losses) and not _emptied(trays, losses)
    return FROM_BOTH if both else 0.0


def _emptied(trays: Sequence[Hung], losses: Sequence[int]) -> bool:
    return all(lost == tray.cards for tray, lost in zip(trays, losses, strict=True))


def _apart(each: Sequence[int], mean: Sequence[int]) -> tuple[bool, int]:
    """How far an explanation is from the mean of all; first whether it names other trays."""
    return _other_trays(each, mean), sum(
        abs(one - many) for one, many in zip(each, mean, strict=True)
    )


def _other_trays(each: Sequence[int], other: Sequence[int]) -> bool:
    return any(bool(one) is not bool(many) for one, many in zip(each, other, strict=True))


def _mean_loss(counts: Sequence[int], odds: Sequence[float]) -> int:
    """What one tray lost: 0 unless it is more likely than not that it lost any."""
    any_lost = sum(weight for count, weight in zip(counts, odds, strict=True) if count)
    if any_lost <= sum(odds) / 2:
        return 0
    mean = sum(count * weight for count, weight in zip(counts, odds, strict=True)) / any_lost
    return max(1, round(mean))


def _steep(share: float) -> float:
    """What an angle beyond those of built stops costs."""
    return max(0.0, (STOP_SHARE - share) / STOP_SPREAD) ** 2


def _moved(share: float, beam: Beam) -> float:
    """What it costs that the beam moved on since it hung still; it may, so no more than so much."""
    if beam.hung is None:
        return 0.0
    return min(((share - beam.hung) / HANGING.spread) ** 2, MOVED)


def _slides(share: float) -> float:
    """What it costs that no card slides down such a slope."""
    return max(0.0, (KEEPS_SHARE - share) / KEEPS_SPREAD) ** 2


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
    plain = sum(x * y / v for x, y, v in zip(xs, ys, variances, strict=True))
    if not common:
        return plain
    ones = sum(1 / v for v in variances)
    x_sum = sum(x / v for x, v in zip(xs, variances, strict=True))
    y_sum = sum(y / v for y, v in zip(ys, variances, strict=True))
    return plain - common * x_sum * y_sum / (1 + common * ones)
