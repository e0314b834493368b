"""When cards came that are counted only once they rest, and what is none although it weighs so."""

import math

import pytest

from companion.events import Placed, Sensed
from companion.scale.judge import Judge
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    TRAY_G,
    Signal,
    calibration,
    judged,
    press,
    ramp,
    rows,
    step,
    still,
    together,
)


def put_in(at: float, seconds: float, grams: float) -> Signal:
    """A hand that presses a card in and goes."""
    return together(step(at, CARD_G), press(at, seconds, grams))


def swinging(since: float, grams: float, hertz: float, lasts: float) -> Signal:
    """What a beam that swings from then on takes from one tray and gives to the other."""

    def signal(t: float) -> float:
        passed = t - since
        if passed < 0:
            return 0.0
        return grams * math.exp(-passed / lasts) * math.cos(2 * math.pi * hertz * passed)

    return signal


def less(signal: Signal) -> Signal:
    return lambda t: -signal(t)


def placed(events: list[Sensed]) -> list[tuple[Tray, int]]:
    return [(e.tray, e.count) for e in events if isinstance(e, Placed)]


@BOTH_RATES
@pytest.mark.parametrize("grams", [4.0, 40.0])
@pytest.mark.parametrize("hands", [2, 3])
def test_quick_hands_are_told_apart_by_the_cards_that_lay_between_them(
    sps: int, grams: float, hands: int
) -> None:
    """Hands that leave a tray 0.75 s apart, each after a quarter of a second on it, are one
    event each, with the time of its own first contact."""
    moments = [3 + 0.75 * i for i in range(hands)]
    events = judged(rows(together(*(put_in(at, 0.22, grams) for at in moments)), still, 8, sps=sps))
    assert placed(events) == [(Tray.LEFT, 1)] * hands
    for event, at_s in zip(events, moments, strict=True):
        assert abs(event.began_s - at_s) < 0.3


@BOTH_RATES
def test_a_hand_that_presses_twice_puts_two_cards_down_once(sps: int) -> None:
    """Two cards that stick together are no two plays because a hand has moved on them."""
    pressed = together(step(3, 2 * CARD_G), press(3, 0.4, 30), press(3.7, 0.3, 12))
    assert placed(judged(rows(pressed, still, 8, sps=sps))) == [(Tray.LEFT, 2)]


@BOTH_RATES
@pytest.mark.parametrize("seconds", [0.5, 1.4])
def test_a_card_came_with_the_hand_and_not_as_the_beam_swings_after_it(
    sps: int, seconds: float
) -> None:
    """A swing brings the tray back to what it weighed before the card, and takes it away again."""
    swings = swinging(3 + seconds, CARD_G, 1.4, 0.5)
    left = together(put_in(3, seconds, 50), less(swings))
    (event,) = judged(rows(left, swings, 9, sps=sps))
    assert isinstance(event, Placed)
    assert event.tray is Tray.LEFT
    assert abs(event.began_s - 3) < 0.3


@BOTH_RATES
@pytest.mark.parametrize("grams", [8.0, 10.0, 12.0])
@pytest.mark.parametrize("after_s", [3.0, 3.4])
def test_a_card_that_comes_as_a_bump_on_the_table_dies_down_came_with_its_hand(
    after_s: float, grams: float, sps: int
) -> None:
    """What the bump made of the cell's noise hides neither that the card has come, nor when."""
    rings = swinging(3, grams, 9.3 if sps == 80 else 3.1, 0.55)
    left = together(rings, step(3 + after_s, CARD_G, 0.1))
    events = judged(rows(left, rings, 10, sps=sps))
    assert placed(events) == [(Tray.LEFT, 1)]
    (event,) = (event for event in events if isinstance(event, Placed))
    assert abs(event.began_s - 3 - after_s) < 0.35


@BOTH_RATES
@pytest.mark.parametrize("share", [0.4, 0.6, 0.8])
def test_a_card_that_lies_on_the_edge_without_a_stir_is_a_sure_one(sps: int, share: float) -> None:
    """No hand holds a gram so still for two seconds; and pushed in later it is no second card."""
    leaning = together(
        step(3, share * CARD_G),
        press(3, 0.4, 8),
        press(8, 0.5, 30),
        step(8.2, (1 - share) * CARD_G),
    )
    (event,) = judged(rows(leaning, still, 13, sps=sps))
    assert isinstance(event, Placed)
    assert event.sure
    assert abs(event.began_s - 3) < 0.3


@BOTH_RATES
@pytest.mark.parametrize("g_per_s", [0.2, -0.2])
def test_a_cell_that_drifts_fast_is_asked_where_it_was_last(sps: int, g_per_s: float) -> None:
    """And not where it was a second before the hand came."""
    left = together(ramp(3, 12, g_per_s), *(put_in(at, 0.4, 30) for at in (6, 9)))
    events = judged(rows(left, still, 14, sps=sps))
    assert placed(events) == [(Tray.LEFT, 1)] * 2
    assert all(isinstance(event, Placed) and event.sure for event in events)


@BOTH_RATES
def test_a_base_that_has_changed_a_second_ago_is_no_older_one(sps: int) -> None:
    """A quarter of a gram that came beforehand is none of the card's."""
    left = together(step(4, 0.25), *(put_in(4 + at, 0.5, 30) for at in (1.4,)))
    (event,) = judged(rows(left, still, 9, sps=sps))
    assert isinstance(event, Placed)
    assert abs(event.grams - CARD_G) < 0.15


@BOTH_RATES
@pytest.mark.parametrize("part", [0.4, 1.0])
@pytest.mark.parametrize("seconds", [1.0, 4.0])
def test_a_tray_that_a_hand_lifts_has_lost_no_cards(sps: int, part: float, seconds: float) -> None:
    """It weighs less than the empty tray, which no card that is taken out can bring about."""
    cards = 6 * CARD_G
    lift = press(4, seconds, -part * (TRAY_G + cards) - 3.0)
    assert judged(rows(together(lambda _: cards, lift), still, 12, sps=sps)) == []


@BOTH_RATES
@pytest.mark.parametrize("sense", [1, -1])
def test_what_both_trays_weigh_more_at_once_is_a_scale_that_is_carried(
    sps: int, sense: int
) -> None:
    """For a third of a second it weighs on each of them as a card does."""
    heaved = press(5, 0.35, sense * CARD_G)
    cards: Signal = lambda _: 4 * CARD_G  # noqa: E731 - a signal like the others
    both = together(cards, heaved)
    assert judged(rows(both, both, 10, sps=sps)) == []


@pytest.mark.parametrize("sense", [1, -1])
def test_a_beam_that_pauses_as_it_swings_has_neither_gained_nor_lost_cards(sense: int) -> None:
    """At its turning point one tray holds still for a moment while the other does not."""
    away = press(5, 0.5, sense * 2.5 * CARD_G)
    settles = swinging(5.5, 0.6 * CARD_G, 0.9, 0.8)
    assert judged(rows(together(away, settles), together(less(away), less(settles)), 12)) == []


@BOTH_RATES
def test_a_tray_whose_zero_a_knock_has_shifted_is_counted_on(sps: int) -> None:
    """It stays lighter than the empty tray was: no hand holds it up for ever."""
    knocked = together(step(4, -2.0), put_in(14, 0.4, 30))
    assert placed(judged(rows(knocked, still, 18, sps=sps))) == [(Tray.LEFT, 1)]


def test_a_scale_that_is_lifted_and_put_back_is_judged_on() -> None:
    """A card that comes afterwards is counted."""
    lifted = together(press(4, 2.0, -TRAY_G - 5), put_in(9, 0.4, 30))
    judge = Judge(calibration())
    events = [event for row in rows(lifted, still, 12) for event in judge.feed(row)]
    assert placed(events) == [(Tray.LEFT, 1)]
    assert judge.live.left.cards == 1


def of_a_beam(load: Signal, other: Signal) -> tuple[Signal, Signal]:
    """The same on a beam that swings by most of a card's weight at 1 Hz from the first hand on."""
    swing = swinging(3.1, 0.7 * CARD_G, 1.0, 0.8)
    return together(load, swing), together(other, less(swing))


@pytest.mark.parametrize("tray", list(Tray))
def test_a_swinging_beam_hides_no_quick_hand(tray: Tray) -> None:
    """What the beam takes from one tray it gives to the other, which nobody touched: without it
    the cards that lay between two hands are seen although the tray never came to rest."""
    loads = of_a_beam(together(put_in(3, 0.2, 30), put_in(3.7, 0.2, 30)), still)
    left, right = loads if tray is Tray.LEFT else loads[::-1]
    events = [e for e in judged(rows(left, right, 9)) if isinstance(e, Placed)]
    assert [(e.tray, e.count) for e in events] == [(tray, 1), (tray, 1)]
    assert all(abs(e.began_s - at) < 0.15 for e, at in zip(events, (3, 3.7), strict=True))


def test_a_hand_that_brings_nothing_is_not_when_the_next_card_came() -> None:
    """Somebody straightens the first card before the second one comes: that has its own time."""
    load = together(put_in(3, 0.2, 20), press(3.7, 0.3, 25), put_in(4.3, 0.2, 20))
    events = [e for e in judged(rows(load, still, 9)) if isinstance(e, Placed)]
    assert [e.count for e in events] == [1, 1]
    assert abs(events[-1].began_s - 4.3) < 0.15


@BOTH_RATES
def test_quick_plays_in_both_trays_wait_for_neither(sps: int) -> None:
    """People who lay card after card, now here, now there, are told of each tray's cards as soon
    as that one rests, however many came into the other one meanwhile."""
    left = together(put_in(3, 0.2, 20), put_in(3.8, 0.2, 20))
    right = together(*(put_in(3.4 + 0.75 * i, 0.2, 20) for i in range(5)))
    events = judged(rows(left, right, 12, sps=sps))
    sums = dict.fromkeys(Tray, 0)
    for tray, count in placed(events):
        sums[tray] += count
    assert sums == {Tray.LEFT: 2, Tray.RIGHT: 5}
    assert max(e.decided_s for e in events if isinstance(e, Placed) and e.tray is Tray.LEFT) < 6.5


def test_more_cards_than_a_hand_holds_are_told_at_once_if_they_came_one_by_one() -> None:
    """Eight cards that lay there one after the other are no hand that weighs as much."""
    load = together(*(put_in(3 + 0.75 * i, 0.2, 20) for i in range(8)))
    noisy = together(*(press(3 + 0.75 * i + 0.3, 0.4, 8.0 if i % 2 else -8.0) for i in range(8)))
    events = [
        e for e in judged(rows(load, noisy, 12)) if isinstance(e, Placed) and e.tray is Tray.LEFT
    ]
    assert sum(e.count for e in events) == 8
    assert all(e.sure for e in events)
    assert events[-1].decided_s < 10.5


@BOTH_RATES
@pytest.mark.parametrize("hertz", [1.3, 1.8, 2.4])
@pytest.mark.parametrize("later_s", [0.9, 1.3, 1.6])
def test_a_card_came_with_its_hand_and_not_as_the_tray_began_to_swing_beside_another_hand(
    later_s: float, hertz: float, sps: int
) -> None:
    swing = swinging(3.3, 3.0, hertz, 0.8)
    left = together(put_in(3, 0.4, 30), swing)
    right = together(put_in(3 + later_s, 0.3, 30), less(swing))
    came = {
        e.tray: e.began_s for e in judged(rows(left, right, 9, sps=sps)) if isinstance(e, Placed)
    }
    assert came[Tray.LEFT] == pytest.approx(3, abs=0.25)
    assert came[Tray.RIGHT] == pytest.approx(3 + later_s, abs=0.35)
