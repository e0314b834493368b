"""Cards that come and go while people play: what a rest after a motion means.

It never speaks of tips and spills.
"""

from companion.events import Placed, Removed, Sensed
from companion.scale.balance import Balance
from companion.scale.motion import Flat
from companion.scale.trays import LEANING_CARDS, TrayCards
from companion.scale.weighing import LEVEL
from companion.units import Grams, MonoSeconds

FEW_CARDS = 3
"""What a hand puts down or takes at once: one card, now and then stuck ones."""
CLOSE_CARDS = 0.12
"""A remainder within this is what cards of one deck differ by, and drift."""
CLOSE_REST_S = 0.25
REMOVAL_REST_S = 0.3
MANY_REST_S = 0.5
HAND_REST_S = 3.0
LEANING_REST_S = 2.0
MISFIT = 12.0
"""Beyond it no count explains both trays: a leaning card, a hand that still holds."""
STANDING_SHARE, SWINGING_REST_S = 0.012, 1.0
"""A card changes the lean of a standing beam by 0.8 % at most: where both trays are heavier or
lighter by more it still swings, at one to two hertz."""
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
            trays.append(tray)
            flats.append(flat)
    if not any(tray.cell.moving for tray in trays):
        return []
    events: list[Sensed] = []
    weighed = balance.weighed(trays, flats, tilt=LEVEL, from_level=False)
    for tray, flat, change, left_over_g in zip(
        trays, flats, weighed.changes, weighed.left_over_g, strict=True
    ):
        if not tray.cell.moving:
            continue
        other = balance.other(tray)
        if other.sighted and ECHO * other.away_g(flat) > LEANING_CARDS * tray.card_g:
            continue
        if tray.cell.jump_g() < JUMP_CARDS * tray.card_g:
            tray.drifted(flat)
            continue
        rested_s = flat.until_s - tray.cell.rest_since_s
        patience_s = _patience_s(tray, change, left_over_g)
        if weighed.misfit > MISFIT:
            patience_s = max(patience_s, LEANING_REST_S)
        if abs(weighed.share) > STANDING_SHARE:
            patience_s = max(patience_s, SWINGING_REST_S)
        if other.sighted and other.cell.moving and other.cell.flat is None:
            patience_s += CLOSE_REST_S
        if rested_s >= patience_s:
            events += resolve(tray, flat, change, left_over_g, host_s)
    return events


def _patience_s(tray: TrayCards, change: int, left_over_g: float) -> float:
    """How much longer than a first look a weight must hold still to be believed, seconds."""
    if change > 2 * FEW_CARDS:
        return HAND_REST_S
    if abs(left_over_g) > LEANING_CARDS * tray.card_g:
        return LEANING_REST_S
    if abs(change) > FEW_CARDS:
        return MANY_REST_S
    patience_s = REMOVAL_REST_S if change < 0 else 0.0
    return patience_s + (CLOSE_REST_S if abs(left_over_g) > CLOSE_CARDS * tray.card_g else 0.0)


def resolve(
    tray: TrayCards, flat: Flat, change: int, left_over_g: float, host_s: float
) -> list[Sensed]:
    """Accepts a rest and says what it means."""
    began_s = MonoSeconds(min(tray.first_touch_s(change, left_over_g), host_s))
    step_g = change * tray.card_g + left_over_g
    sure = abs(left_over_g) <= LEANING_CARDS * tray.card_g and change <= FEW_CARDS
    pull_g, push_g = tray.cell.extremes()
    reasons = (
        f"{tray.tray} rests {step_g:+.2f} g from before, {change:+d} cards of "
        f"{tray.card_g:.2f} g leave {left_over_g:+.2f} g",
        f"noise {tray.cell.sigma_g:.3f} g, pushed and pulled by {push_g:.1f} and {-pull_g:.1f} g",
    )
    tray.accept(flat, change, left_over_g)
    if change > 0:
        return [
            Placed(
                began_s=began_s, decided_s=MonoSeconds(host_s), reasons=reasons, tray=tray.tray,
                count=change, grams=Grams(round(step_g, 3)), sure=sure,
            )
        ]  # fmt: skip
    if change < 0:
        return [
            Removed(
                began_s=began_s, decided_s=MonoSeconds(host_s), reasons=reasons, tray=tray.tray,
                count=-change, grams=Grams(round(step_g, 3)),
            )
        ]  # fmt: skip
    return []
