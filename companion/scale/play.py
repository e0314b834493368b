"""Cards that come and go while people play: what a rest after a motion means.

It never speaks of tips and spills.
"""

import math
from statistics import fmean, pstdev

from companion.events import Placed, Removed, Sensed
from companion.scale.arrivals import arrivals
from companion.scale.balance import Balance
from companion.scale.lifting import Lighter, emptied_too, go_on
from companion.scale.motion import Flat
from companion.scale.signal import SETTLING_CONVERSIONS
from companion.scale.trays import HANDFUL, LEANING_CARDS, MOST_CARDS, TrayCards
from companion.scale.weighing import LEVEL, MISFIT, Weighed
from companion.scale.whole import CLOSE_CARDS
from companion.units import Grams, MonoSeconds, Tray

CLOSE_REST_S = 0.25
REMOVAL_REST_S = 0.3
MANY_REST_S = 0.5
SEVERAL_REST_S = 0.7
"""Two or three cards at once are rare, a hand that rests on one for a third of a second is not."""
HAND_REST_S = 3.0
LEANING_REST_S = 2.0
STANDING_SHARE, SWINGING_REST_S = 0.012, 1.0
"""A card changes the lean of a standing beam by 0.8 % at most: where both trays are heavier or
lighter by more, or where the other one strays by a quarter of a card while it is called at rest,
the beam still swings, at one to two hertz."""
ALIKE, ALIKE_REST_S = 0.6, 0.75
"""Two cards in the same moment, put in with like pushes, are rarer than a scale that is heaved:
that lasts for half a second or less."""
TREMBLES, WANDERS_S, RINGS_S = 4.0, 1.0, 0.1
"""What wanders in a second by so many times the cell's noise is a hand that holds the tray, or the
beam; a tray that rings does so faster."""
TOGETHER_S = 0.15
"""Nobody takes a card out of one tray and puts it in the other in less, and hands that bring stuck
cards to both are no two players' but hold the beam."""
AT_ONCE_S = 0.6
"""Whoever brings one card after the other takes longer, between two hands (docs/protocol.md)."""
TURNS_S = 1.0
"""A beam that takes a card's weight from one tray and gives it to the other gathers speed: even
trays of 80 g on arms of 25 cm pass 20 degrees within a second (half of a t squared)."""
HAND_STRAYS = 1.3
"""So many times a cell's own noise is more than noise within two seconds of readings."""
HELD_CARDS, HELD_S = 0.75, 5.0
"""Whole cards never leave more over than this: it weighs less than the empty tray, which a hand
holds up, or whose zero a knock has shifted by a few cards' weight."""
JUMP_CARDS = 0.35
"""A card comes or goes at once, even one that leans; what never jumped is drift."""
ECHO = 0.08
"""How much of a push on one tray the other's cell may feel through the base."""


def step(balance: Balance, host_s: float) -> list[Sensed]:
    """Turns rests into `placed` and `removed`."""
    trays: list[TrayCards] = []
    flats: list[Flat] = []
    for tray in balance.sighted():
        flat = tray.rest()
        if flat is not None:
            if flat.until_s - tray.cell.rest_since_s >= CLOSE_REST_S:
                tray.push_home(flat)
            trays.append(tray)
            flats.append(flat)
    if not any(tray.cell.moving for tray in trays):
        return []
    events: list[Sensed] = []
    weighed = balance.weighed(trays, flats, tilt=LEVEL, from_level=False)
    swings_s = _swings_s(balance, trays, flats, weighed)
    for tray, flat, change, left_over_g in zip(
        trays, flats, weighed.changes, weighed.left_over_g, strict=True
    ):
        if not tray.cell.moving:
            continue
        other = balance.other(tray)
        lighter = balance.lifting.pending(tray)
        if lighter is not None and emptied_too(other, lighter):
            events += taken_out(tray, other, lighter, host_s)
            continue
        if other.sighted and ECHO * other.pressed_g(flat) > LEANING_CARDS * tray.card_g:
            continue
        rested_s = flat.until_s - tray.cell.rest_since_s
        if left_over_g < -HELD_CARDS * tray.card_g:
            if rested_s >= HELD_S and left_over_g > -HANDFUL * tray.card_g:
                tray.drifted(flat)
            continue
        if tray.cell.jump_g() < JUMP_CARDS * tray.card_g:
            if rested_s >= SWINGING_REST_S or not _may_swing(tray, flat, other):
                tray.drifted(flat)
            continue
        most = _at_once(tray, other, flat, change, left_over_g)
        alone_s = max(patience_s(tray, most, left_over_g), swings_s, _doubts_s(tray, flat, weighed))
        beside = other.sighted and other.cell.moving
        if rested_s < (_beside_s(other, flat, alone_s) if beside else alone_s):
            continue
        lighter = balance.lifting.look(tray, flat, change, left_over_g)
        if lighter is None:
            events += resolve(tray, other, flat, change, left_over_g, host_s)
        elif lighter.lasts(flat.until_s):
            events += taken_out(tray, other, lighter, host_s)
    return events


def taken_out(tray: TrayCards, other: TrayCards, lighter: Lighter, host_s: float) -> list[Sensed]:
    """Believes that many cards are gone, and goes on with what has come since."""
    rows = tray.cell.readings_since(lighter.flat.until_s)
    events = resolve(tray, other, lighter.flat, lighter.change, lighter.left_over_g, host_s)
    go_on(tray, rows)
    return events


def _may_swing(tray: TrayCards, flat: Flat, other: TrayCards) -> bool:
    """True if this may be a turning point, away from the base beside a tray that still moves."""
    base = tray.cell.base
    assert base is not None
    away_g = abs(flat.level_g - base.at(flat.until_s))
    return other.sighted and other.cell.moving and away_g > CLOSE_CARDS * tray.card_g


def put_down(
    tray: TrayCards, began_s: float, host_s: float, *reasons: str,
    grams: float, sure: bool, count: int = 1,
) -> Placed:  # fmt: skip
    """`count` cards that came into the tray, as people are told of them."""
    return Placed(
        began_s=MonoSeconds(min(began_s, host_s)),
        decided_s=MonoSeconds(host_s),
        reasons=reasons,
        tray=tray.tray,
        count=count,
        grams=Grams(round(grams, 3)),
        sure=sure,
    )


def _doubts_s(tray: TrayCards, flat: Flat, weighed: Weighed) -> float:
    """How long a rest must last that may be a hand's, seconds."""
    cell = tray.cell
    since_s = max(cell.rest_since_s, flat.until_s - WANDERS_S)
    settled = cell.between(since_s, math.inf)[SETTLING_CONVERSIONS:]
    many = max(1, round(RINGS_S / cell.cadence.period_s))
    means = [fmean(settled[i : i + many]) for i in range(0, len(settled), many)]
    if len(means) > 1 and pstdev(means) > TREMBLES * cell.sigma_g:
        return HAND_REST_S
    return LEANING_REST_S if weighed.misfit > MISFIT else 0.0


def _beside_s(other: TrayCards, flat: Flat, alone_s: float) -> float:
    """The patience with a rest beside a tray that moves, seconds."""
    if other.cell.flat is None:
        alone_s += CLOSE_REST_S
    if other.strayed_g(flat) > LEANING_CARDS * other.card_g:
        return max(alone_s, SWINGING_REST_S)
    return alone_s


def _swings_s(
    balance: Balance, trays: list[TrayCards], flats: list[Flat], weighed: Weighed
) -> float:
    """How long a rest must last that may be a turning point of the beam or of whoever carries it,
    seconds: as long as it is told by a share of the weight."""
    if abs(weighed.share) > STANDING_SHARE:
        return SWINGING_REST_S
    if not all(tray.cell.moving for tray in balance.trays):
        return 0.0
    left, right = (tray.cell.onset_s for tray in balance.trays)
    exchanged = min(weighed.changes) < 0 < max(weighed.changes)
    at_once = all(tray.cell.rest_since_s - min(left, right) < AT_ONCE_S for tray in trays)
    both = min(map(abs, weighed.changes)) > 0
    several = at_once and both and sum(map(abs, weighed.changes)) > len(Tray)
    if abs(left - right) < TOGETHER_S and (exchanged or several):
        return HAND_REST_S
    if exchanged:
        return TURNS_S
    return ALIKE_REST_S if _alike(trays, flats) else 0.0


def _alike(trays: list[TrayCards], flats: list[Flat]) -> bool:
    """True if both trays have gone the same way, each by its share of the weight."""
    if len(trays) < len(Tray):
        return False
    shares = [tray.away_shares(flat) for tray, flat in zip(trays, flats, strict=True)]
    (now, pushed), (other_now, other_pushed) = shares
    return _near(now, other_now) and _near(pushed, other_pushed)


def _near(share: float, other: float) -> bool:
    low, high = sorted((share, other), key=abs)
    return high != 0.0 and low / high > ALIKE


def _lies(tray: TrayCards, flat: Flat) -> bool:
    """True if a part of a card's weight has held too still for too long for a hand.

    A finger strays by some per cent of its force at least, and by more at so small a one.
    """
    cell = tray.cell
    values = cell.between(flat.until_s - LEANING_REST_S, math.inf)
    rested_s = flat.until_s - cell.rest_since_s
    return rested_s >= LEANING_REST_S and pstdev(values) < HAND_STRAYS * cell.sigma_g


def patience_s(tray: TrayCards, change: int, left_over_g: float) -> float:
    """How much longer than a first look a weight must hold still to be believed, seconds."""
    if change > MOST_CARDS:
        return HAND_REST_S
    if abs(left_over_g) > LEANING_CARDS * tray.card_g:
        return LEANING_REST_S
    if change > 1:
        return SEVERAL_REST_S
    if change < -HANDFUL:
        return MANY_REST_S
    removal_s = REMOVAL_REST_S if change < 0 else 0.0
    return removal_s + (CLOSE_REST_S if abs(left_over_g) > CLOSE_CARDS * tray.card_g else 0.0)


def _at_once(tray: TrayCards, other: TrayCards, flat: Flat, change: int, left_over_g: float) -> int:
    """How many of these cards one hand has brought at the most."""
    if change <= 1:
        return change
    return max(one.cards for one in arrivals(tray, flat, change, left_over_g, other))


def resolve(
    tray: TrayCards, other: TrayCards, flat: Flat, change: int, left_over_g: float, host_s: float,
    since_s: float = -math.inf,
) -> list[Sensed]:  # fmt: skip
    """Accepts a rest and says what it means; before `since_s` nothing was taken."""
    came = arrivals(tray, flat, change, left_over_g, other)
    step_g = change * tray.card_g + left_over_g
    few = max(one.cards for one in came) <= HANDFUL
    sure = abs(left_over_g) <= LEANING_CARDS * tray.card_g and few
    if change == 1 and left_over_g < 0:
        sure = sure or _lies(tray, flat)
    pull_g, push_g = tray.cell.extremes()
    reasons = (
        f"{tray.tray} rests {step_g:+.2f} g from before, {change:+d} cards of "
        f"{tray.card_g:.2f} g leave {left_over_g:+.2f} g",
        f"noise {tray.cell.sigma_g:.3f} g, pushed and pulled by {push_g:.1f} and {-pull_g:.1f} g",
    )
    tray.accept(flat, change, left_over_g, came[0].began_s)
    if change > 0:
        return [
            put_down(
                tray, began_s, host_s, *reasons,
                grams=step_g * cards / change, sure=sure, count=cards,
            )
            for began_s, cards in came
        ]  # fmt: skip
    if change < 0:
        return [
            Removed(
                began_s=MonoSeconds(min(max(came[0].began_s, since_s), host_s)),
                decided_s=MonoSeconds(host_s), reasons=reasons, tray=tray.tray, count=-change,
                grams=Grams(round(step_g, 3)),
            )
        ]  # fmt: skip
    return []
