"""Cards that are put into a tray that goes down, and what only looks like one."""

import math

import pytest

from companion.events import Placed, Sensed, Spill, Tip, Wobble
from companion.units import Tray
from tests.unit.scale.kit import (
    ARM_M,
    CARD_G,
    GRAVITY,
    TRAY_G,
    Signal,
    cards,
    eased,
    judged,
    past,
    press,
    rows,
    step,
    swung,
    together,
)

EDGE, STOP = 0.16, 0.55
"""Radians: where the beam begins to fall by itself, and where it is stopped."""
RATE = 6.0
"""1/s: a beam past its edge falls faster and faster."""
FALLS_S = 5.0
STOPS_S = FALLS_S + math.log((STOP - EDGE) / 0.02 + 1) / RATE


def angle(t: float) -> float:
    """A beam that leans to its edge and then falls by itself."""
    if t < FALLS_S:
        return EDGE * min(max(t - FALLS_S + 1.0, 0.0), 1.0)
    return min(EDGE + 0.02 * (math.exp(RATE * (t - FALLS_S)) - 1), STOP)


def heave(t: float) -> float:
    """By which share of its weight the falling beam leaves a tray behind."""
    if not FALLS_S <= t < STOPS_S:
        return 0.0
    return ARM_M * 0.02 * RATE**2 * math.exp(RATE * (t - FALLS_S)) / GRAVITY


def falling(load: Signal, sense: int, hand: Signal = lambda _: 0.0) -> Signal:
    """A tray that goes down (`sense` -1) or up (1) with its load, and a hand on it."""
    return lambda t: (TRAY_G + load(t)) * (math.cos(angle(t)) + sense * heave(t)) - TRAY_G + hand(t)


def fallen(load: Signal, hand: Signal, side: Tray, *, sps: int = 80) -> list[Sensed]:
    """What the judge says of a fall in which ten cards leave the lower tray at the stop."""
    emptied = step(STOPS_S + 0.15, -10 * CARD_G, rise=0.3)
    down = falling(together(cards(10, load), emptied), -1, hand)
    up = falling(cards(3), 1)
    left, right = (down, up) if side is Tray.LEFT else (up, down)
    return judged(rows(left, right, 9, sps=sps, tilt=lambda t: angle(t) > EDGE + 0.005))


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("push_g", [6.0, 20.0])
def test_a_card_that_is_put_into_a_falling_tray_is_placed_before_the_spill(
    side: Tray, push_g: float
) -> None:
    """Who plays while the scale already tips pays for it; as it may have been a hand alone, the
    table asks."""
    at = FALLS_S + 0.15
    events = fallen(step(at, CARD_G, rise=0.08), press(at + 0.02, 0.08, push_g), side)
    tip, late, spill = (e for e in events if isinstance(e, Tip | Placed | Spill))
    assert isinstance(tip, Tip)
    assert isinstance(late, Placed)
    assert isinstance(spill, Spill)
    assert (late.tray, late.count, late.sure) == (side, 1, False)
    assert abs(late.began_s - at) < 0.15
    assert tip.began_s < late.began_s < spill.began_s


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize(("push_g", "after_s"), [(3.0, 0.09), (6.0, 0.09), (12.0, 0.07)])
def test_a_card_that_comes_as_a_creeping_beam_passes_its_switch_is_placed(
    push_g: float, after_s: float, side: Tray
) -> None:
    """A slow cell has no reading of the tip before it; those of the creeping beam serve as well."""
    at = FALLS_S + after_s
    hand = press(at + 0.02, 0.12, push_g)
    events = fallen(step(at, CARD_G, rise=0.08), hand, side, sps=10)
    late = [event for event in events if isinstance(event, Placed)]
    assert [(card.tray, card.count, card.sure) for card in late] == [(side, 1, False)]
    assert [type(event) for event in events if isinstance(event, Tip | Spill)] == [Tip, Spill]


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("side", list(Tray))
def test_a_beam_that_falls_by_itself_is_no_hand(sps: int, side: Tray) -> None:
    """What a falling beam adds to one tray it takes from the other."""
    events = fallen(lambda _: 0.0, lambda _: 0.0, side, sps=sps)
    assert not [e for e in events if isinstance(e, Placed)]
    assert [e for e in events if isinstance(e, Spill)]


@pytest.mark.parametrize("stop", [18.0, 19.0, 19.7])
@pytest.mark.parametrize("lies_s", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("back_s", [0.25, 0.3])
def test_a_beam_that_swings_back_past_the_switch_has_no_hand_in_it(
    back_s: float, lies_s: float, stop: float
) -> None:
    """A card tips it gently, it lies down for a moment, and swings back beyond level."""
    up_s = 3.2 + lies_s + back_s
    turns = eased((3.0, 2.0), (3.2, stop), (3.2 + lies_s, stop), (up_s, -8.0), (up_s + back_s, 0.0))
    put = together(step(2.9, CARD_G), press(2.9, 0.15, 12))
    left, right = swung(cards(6, put), turns, -1), swung(cards(5), turns, 1)
    events = judged(rows(left, right, 9, tilt=past(turns)))
    assert [type(event) for event in events] == [Placed, Tip, Wobble]


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("push_g", [6.0, 20.0])
def test_a_hand_that_pushes_a_tray_as_its_beam_comes_back_past_the_switch_puts_nothing_in(
    side: Tray, push_g: float
) -> None:
    """Only a beam that falls on under a hand says that it has brought a card."""
    at = FALLS_S + 0.15
    down, up = falling(cards(10), -1, press(at + 0.02, 0.08, push_g)), falling(cards(3), 1)
    left, right = (down, up) if side is Tray.LEFT else (up, down)
    seen = rows(left, right, STOPS_S + 0.2, tilt=lambda t: angle(t) > EDGE + 0.005 and t < at)
    assert [type(event) for event in judged(seen)] == [Tip]
