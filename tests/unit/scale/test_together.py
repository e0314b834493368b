"""What both trays weigh together before the scale tips: a card that shows although the beam leans,
and beams and knocks that only look like one."""

import math

import pytest

from companion.events import Placed, Removed, Tip
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    Signal,
    cards,
    eased,
    judged,
    past,
    press,
    rows,
    step,
    swung,
    tilted,
    together,
)


def leaning(at: float, seconds: float, degrees: float = 16.0, stop: float = 24.0) -> Signal:
    """A beam that leans away ever faster, evenly accelerated, to its stop."""
    return lambda t: min(degrees * (max(t - at, 0.0) / seconds) ** 2, stop)


def rung(at: float, grams: float, hertz: float) -> Signal:
    """A tray that rings after a blow."""

    def signal(t: float) -> float:
        since_s = t - at
        if since_s < 0:
            return 0.0
        return grams * math.exp(-since_s / 0.06) * math.sin(math.tau * hertz * since_s)

    return signal


def sided(side: Tray, lower: Signal, upper: Signal) -> tuple[Signal, Signal]:
    return (lower, upper) if side is Tray.LEFT else (upper, lower)


@BOTH_RATES
@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("seconds", [0.7, 0.9, 1.2])
@pytest.mark.parametrize("push_g", [0.0, 3.0])
def test_a_card_under_which_the_beam_leans_slowly_away_is_placed(
    push_g: float, seconds: float, side: Tray, sps: int
) -> None:
    """The lean takes a part of the card's weight from its tray and gives it to the other one."""
    turns = leaning(4.1, seconds)
    put = together(step(4.0, CARD_G), press(4.0, 0.12, push_g))
    lower, upper = swung(cards(6, put), turns, -1), swung(cards(4), turns, 1)
    events = judged(rows(*sided(side, lower, upper), 6, sps=sps, tilt=past(turns)))
    placed, tip = events[:2]
    assert isinstance(placed, Placed)
    assert (placed.tray, placed.count) == (side, 1)
    assert placed.sure or (sps == 10 and seconds < 0.9)
    assert abs(placed.began_s - 4.0) < 0.3
    assert isinstance(tip, Tip)
    assert tip.side is side


@BOTH_RATES
@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("share", [1.0, 1.2])
@pytest.mark.parametrize("later_s", [0.0, 0.2])
def test_what_a_turning_beam_takes_from_one_tray_and_gives_to_the_other_is_no_card(
    later_s: float, share: float, side: Tray, sps: int
) -> None:
    """It may do so by a card's weight, for as long as it takes to the switch."""
    turns = leaning(4.8, 0.2)
    lower = swung(cards(6, step(4.0 + later_s, -share * CARD_G, rise=0.1)), turns, -1)
    upper = swung(cards(6, step(4.0, share * CARD_G, rise=0.1)), turns, 1)
    events = judged(rows(*sided(side, lower, upper), 5.3, sps=sps, tilt=past(turns)))
    assert not [event for event in events if isinstance(event, Removed)]
    assert not [event for event in events if isinstance(event, Placed) and event.sure]
    assert any(isinstance(event, Tip) for event in events)


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("knock_g", [4.0, 8.0])
@pytest.mark.parametrize("hertz", [4.0, 6.0])
@pytest.mark.parametrize("seconds", [0.3, 0.4])
def test_a_knock_under_which_a_beam_gives_way_puts_no_card_on_the_tray_that_rises(
    seconds: float, hertz: float, knock_g: float, side: Tray
) -> None:
    """Both trays are shaken alike, and the one that sinks weighs less all the while."""
    turns = leaning(4.0, seconds)

    def knock(t: float) -> float:
        return knock_g * math.exp(-(t - 4.0) / 0.4) * math.sin(math.tau * hertz * (t - 4.0))

    def shaken(t: float) -> float:
        return knock(t) if t > 4.0 else 0.0

    lower = together(swung(cards(6), turns, -1), shaken)
    upper = together(swung(cards(6), turns, 1), shaken)
    events = judged(rows(*sided(side, lower, upper), 5.3, tilt=past(turns)))
    tip = next(event for event in events if isinstance(event, Tip))
    assert tip.side is side
    assert not [event for event in events if isinstance(event, Placed) and event.tray is not side]


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("share", [0.6, 1.0])
@pytest.mark.parametrize("hertz", [18.0, 25.0, 35.0])
@pytest.mark.parametrize("later_s", [0.0, 0.004])
def test_a_stop_that_a_beam_meets_slowly_is_no_hand(
    later_s: float, hertz: float, share: float, side: Tray
) -> None:
    """It lifts one tray as it presses on the other, and then both ring, each in its own time."""
    turns = leaning(4.1, 0.9, stop=20.0)
    stops_s = 4.1 + 0.9 * math.sqrt(20.0 / 16.0) + later_s
    put = together(step(4.0, CARD_G), press(4.0, 0.15, 8.0))
    lower = together(tilted(cards(6, put), turns), rung(stops_s, 50.0, 14.0))
    upper = together(tilted(cards(4), turns), rung(stops_s, -50.0 * share, hertz))
    events = judged(rows(*sided(side, lower, upper), 6, tilt=past(turns)))
    assert [type(event) for event in events] == [Placed, Tip]


@BOTH_RATES
@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("seconds", [0.4, 0.5, 0.6])
def test_a_beam_that_is_slowed_before_the_switch_closes_goes_down_where_it_gathered_speed(
    seconds: float, side: Tray, sps: int
) -> None:
    """By then the tray that goes down weighs more, and the other one less."""
    turns = eased((4.0, 0.0), (4.0 + seconds, 28.0), (8.0, 28.0))
    lower, upper = swung(cards(6), turns, -1), swung(cards(6), turns, 1)
    events = judged(rows(*sided(side, lower, upper), 5.5, sps=sps, tilt=past(turns, 20.0)))
    assert [event.side for event in events if isinstance(event, Tip)] == [side]


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("degrees", [8.0, 10.0])
@pytest.mark.parametrize("push_g", [6.0, 12.0])
@pytest.mark.parametrize("waits_s", [0.3, 0.5])
def test_a_beam_that_pauses_under_the_hand_falls_to_the_side_of_the_hand(
    waits_s: float, push_g: float, degrees: float, side: Tray
) -> None:
    """Where it pauses, its angle takes as much of the tray that rises: that one does not sink."""
    falls_s = 4.2 + waits_s
    turns = eased((4.0, 0.0), (4.2, degrees), (falls_s, degrees + 0.1), (falls_s + 0.6, 24.0))
    hand = together(press(4.05, 0.15, push_g), press(4.2, 9.0, -0.2))
    lower = together(tilted(cards(21, step(4.1, CARD_G)), turns), hand)
    upper = tilted(cards(14), turns)
    switch = past(turns, degrees + 0.05)
    events = judged(rows(*sided(side, lower, upper), falls_s + 1.2, sps=10, tilt=switch))
    tip = next(event for event in events if isinstance(event, Tip))
    assert tip.side is side
    assert [event.tray for event in events if isinstance(event, Placed)] == [side]


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("share", [0.15, 0.5])
@pytest.mark.parametrize("turns_g", [1.6, 4.0])
@pytest.mark.parametrize("angle_g", [0.0, 0.6])
def test_a_card_whose_weight_the_turning_beam_takes_lies_where_the_hand_was(
    angle_g: float, turns_g: float, share: float, side: Tray
) -> None:
    """A light beam answers the push in the other tray, and falls on as soon as the hand is gone."""
    push, turns = press(4.0, 0.18, 5.0), eased((4.15, 0.0), (4.35, turns_g), (4.7, 0.0))
    angle = eased((4.15, 0.0), (4.35, angle_g), (5.0, 2.0), (9.0, 2.0))
    lower = cards(8, step(4.0, CARD_G), push, lambda t: -turns(t) - angle(t) / 2)
    upper = cards(6, lambda t: share * push(t) + turns(t) - angle(t) / 2)
    samples = rows(*sided(side, lower, upper), 4.6, tilt=lambda t: t > 4.42)
    events = judged(samples)
    assert [type(event) for event in events] == [Placed, Tip]
    assert isinstance(events[0], Placed)
    assert isinstance(events[1], Tip)
    assert (events[0].tray, events[1].side) == (side, side)
    assert abs(events[0].began_s - 4.0) < 0.1
