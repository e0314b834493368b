"""Cards that are put into a tray that goes down, and what only looks like one."""

import math

import pytest
from msgspec.structs import replace

from companion.events import Placed, Sensed, Spill, Tip, Wobble
from companion.units import Tray
from tests.unit.scale.kit import (
    ARM_M,
    CARD_G,
    GRAVITY,
    TRAY_G,
    Signal,
    calibration,
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
EMPTIED = step(STOPS_S + 0.15, -10 * CARD_G, rise=0.3)


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
    down = falling(cards(10, load, EMPTIED), -1, hand)
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


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("held_g", [4.0, 8.0])
def test_a_hand_that_holds_a_falling_tray_from_below_and_lets_it_go_has_come(
    side: Tray, held_g: float
) -> None:
    """In a free fall both trays together only get lighter: what makes them heavier is a hand."""
    at = FALLS_S + 0.15
    events = fallen(step(at, CARD_G, rise=0.08), press(at + 0.02, 0.06, -held_g), side)
    late = [event for event in events if isinstance(event, Placed)]
    assert [(card.tray, card.count, card.sure) for card in late] == [(side, 1, False)]


@pytest.mark.parametrize("after_s", [0.03, 0.06, 0.1])
@pytest.mark.parametrize("side", list(Tray))
def test_a_hand_is_seen_at_a_tray_that_rested_beyond_its_switch(side: Tray, after_s: float) -> None:
    """The beam crept past the switch; what the trays weighed as they rested begins the fall."""
    at = FALLS_S + after_s
    down = crept(cards(10, step(at, CARD_G, rise=0.08), EMPTIED), -1, press(at + 0.02, 0.08, 6.0))
    up = crept(cards(3), 1)
    left, right = (down, up) if side is Tray.LEFT else (up, down)
    events = judged(rows(left, right, 9, tilt=lambda t: t > FALLS_S - 0.3))
    late = [event for event in events if isinstance(event, Placed)]
    assert [(card.tray, card.count, card.sure) for card in late] == [(side, 1, False)]


def crept(load: Signal, sense: int, hand: Signal = lambda _: 0.0) -> Signal:
    """A falling tray whose beam has leant to its edge slowly, within three seconds."""
    fall = falling(load, sense, hand)
    lean = eased((FALLS_S - 3.0, 0.0), (FALLS_S, EDGE))
    return lambda t: fall(t) if t > FALLS_S else (TRAY_G + load(t)) * math.cos(lean(t)) - TRAY_G


@pytest.mark.parametrize("seed", range(4, 6))
def test_a_noisy_beam_that_falls_by_itself_is_no_hand(seed: int) -> None:
    """Of many noisy readings the lowest lies low and the highest high."""
    cell = {"counts_per_gram": 150.0, "tray_g": TRAY_G}
    scale = calibration(left={"zero": 83_211, **cell}, right={"zero": -40_122, **cell})
    down, up = falling(cards(10, EMPTIED), -1), falling(cards(3), 1)
    seen = rows(down, up, 9, seed=seed, tilt=lambda t: angle(t) > EDGE + 0.005, scale=scale)
    assert not [event for event in judged(seen, scale) if isinstance(event, Placed)]


@pytest.mark.parametrize("lead_s", [0.003, 0.006, 0.009, 0.012])
def test_a_stop_that_one_cell_shows_before_the_other_is_no_hand(lead_s: float) -> None:
    """Two chips convert at moments of their own: a hard stop is half seen in one of them first."""
    rate = 16.0
    stops_s = FALLS_S + math.log((STOP - EDGE) / 0.02 + 1) / rate

    def grown(t: float) -> float:
        return 0.02 * math.exp(rate * (t - FALLS_S))

    def steep(t: float) -> float:
        return angle(t) if t < FALLS_S else min(EDGE + grown(t) - 0.02, STOP)

    def stopped(load: Signal, sense: int) -> Signal:
        def pressed(t: float) -> float:
            falls = ARM_M * rate**2 * grown(t) / GRAVITY if FALLS_S <= t < stops_s else 0.0
            return math.cos(steep(t)) + sense * (-3.0 if 0 <= t - stops_s < 0.02 else falls)

        return lambda t: (TRAY_G + load(t)) * pressed(t) - TRAY_G

    down, up = stopped(cards(10, EMPTIED), -1), stopped(cards(3), 1)
    seen = rows(lambda t: down(t + lead_s), up, 9, tilt=lambda t: steep(t) > EDGE + 0.005)
    assert not [event for event in judged(seen) if isinstance(event, Placed)]


def test_a_hole_in_a_tray_that_seemed_to_rest_is_no_hand() -> None:
    """A resting cell's readings are timed evenly; nobody knows when those around a hole were."""
    down, up = falling(cards(10, EMPTIED), -1), falling(cards(3), 1)
    seen = [
        replace(row, right=None) if 0.05 < row.mono_s - FALLS_S < 0.3 else row
        for row in rows(down, up, 9, tilt=lambda t: angle(t) > EDGE + 0.005)
    ]
    assert not [event for event in judged(seen) if isinstance(event, Placed)]


@pytest.mark.parametrize("lost", [2, 3])
def test_no_card_has_left_a_tray_that_still_fell_as_another_one_was_put_in(lost: int) -> None:
    """What both trays lost alike shows only as the scale is righted; who put the last card in pays
    for it."""
    at, back_s = FALLS_S + 0.3, STOPS_S + 1.0
    gone = step(STOPS_S + 0.15, -lost * CARD_G, rise=0.1)

    def righted(load: Signal, sense: int, hand: Signal) -> Signal:
        fall, level = falling(load, sense, hand), eased((back_s, STOP), (back_s + 0.6, 0.0))
        return lambda t: fall(t) if t < back_s else (TRAY_G + load(t)) * math.cos(level(t)) - TRAY_G

    down = righted(cards(10, step(at, CARD_G, rise=0.08), gone), -1, press(at + 0.02, 0.08, 8.0))
    up = righted(cards(8, gone), 1, lambda _: 0.0)
    seen = rows(down, up, 14, tilt=lambda t: angle(t) > EDGE + 0.005 and t < back_s + 0.4)
    late, spill = (event for event in judged(seen) if isinstance(event, Placed | Spill))
    assert isinstance(late, Placed)
    assert late.began_s <= spill.began_s


@pytest.mark.parametrize("bottom", [18.0, 19.0, 19.7])
@pytest.mark.parametrize("halt", [12.0, 20.0, 30.0])
def test_a_beam_that_is_caught_and_brought_back_briskly_has_no_hand_in_its_tray(
    halt: float, bottom: float
) -> None:
    """Both trays get heavier as it rises, and the lower one is left behind as it is stopped; but
    what has parted them adds up to no speed downwards."""
    top, begins, back_s = 13.5, 2.0, 5.3
    speed = math.sqrt(2 * math.radians(bottom - top) / (1 / begins + 1 / halt))
    halts_s = back_s + speed / begins
    level_s = halts_s + speed / halt
    falls = eased((4.0, 0.0), (5.0, 14.0), (back_s, bottom))
    rises = eased((level_s + 0.1, top), (level_s + 1.0, 0.0))

    def turns(t: float) -> float:
        if t < back_s:
            return falls(t)
        if t < halts_s:
            return bottom - math.degrees(begins * (t - back_s) ** 2 / 2)
        return top + math.degrees(halt * (level_s - t) ** 2 / 2) if t < level_s else rises(t)

    left, right = swung(cards(10), turns, -1), swung(cards(8), turns, 1)
    events = judged(rows(left, right, 9, tilt=past(turns, 13.0)))
    assert not [event for event in events if isinstance(event, Placed)]
