"""Cards that come and go on a level scale, and hands that leave nothing behind."""

import random

import pytest

from companion.events import Drawn, Placed, Removed, Sample
from companion.scale.judge import Judge
from companion.units import Counts, Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    COUNTS_PER_GRAM,
    Idle,
    Signal,
    calibration,
    cards,
    judged,
    names,
    press,
    rows,
    step,
    still,
    together,
)

TREMOR_S = 0.12
"""Hands tremble at eight times a second, and wander more slowly."""


def trembling(since: float, seconds: float, grams: float, *, seed: int) -> Signal:
    """How a hand's force wanders, root mean square: from one moment to the next by most of it."""
    rng = random.Random(seed)
    forces = [rng.gauss(0, grams) for _ in range(round(seconds / TREMOR_S) + 2)]

    def signal(t: float) -> float:
        passed = (t - since) / TREMOR_S
        if not 0 <= passed < seconds / TREMOR_S:
            return 0.0
        part, i = passed % 1, int(passed)
        return forces[i] + (forces[i + 1] - forces[i]) * part

    return signal


@BOTH_RATES
@pytest.mark.parametrize("grams", [20.0, 400.0])
def test_a_card_pressed_in_is_placed_once_the_hand_is_off(sps: int, grams: float) -> None:
    """Its time is the first contact; the hand's weight is no card."""
    events = judged(rows(together(step(3, CARD_G), press(3, 0.7, grams)), still, 7, sps=sps))
    (event,) = events
    assert isinstance(event, Placed)
    assert (event.tray, event.count, event.sure) == (Tray.LEFT, 1, True)
    assert abs(event.began_s - 3) < 0.25
    assert 3.7 < event.decided_s < 5


@BOTH_RATES
def test_two_cards_that_stick_together_are_one_event(sps: int) -> None:
    """With a count of 2."""
    events = judged(rows(still, step(3, 2 * CARD_G), 6, sps=sps))
    assert [(e.tray, e.count) for e in events if isinstance(e, Placed)] == [(Tray.RIGHT, 2)]


@BOTH_RATES
def test_two_hands_a_second_apart_are_two_events(sps: int) -> None:
    """Hands that leave one tray 0.6 s and more apart are not thrown together."""
    cards = together(step(3, CARD_G), step(3.9, CARD_G))
    events = judged(rows(cards, still, 7, sps=sps))
    assert [e.count for e in events if isinstance(e, Placed)] == [1, 1]


@BOTH_RATES
def test_one_card_in_each_tray_at_the_same_moment(sps: int) -> None:
    """Two people, two trays, two events."""
    events = judged(rows(step(3, CARD_G), step(3.1, CARD_G), 6, sps=sps))
    assert {e.tray for e in events if isinstance(e, Placed)} == {Tray.LEFT, Tray.RIGHT}
    assert len(events) == 2


@BOTH_RATES
def test_a_card_that_leans_counts_once(sps: int) -> None:
    """Half of it is felt at first, the rest when it is pushed home later."""
    leaning = together(step(3, 0.6 * CARD_G), press(6, 0.4, 40), step(6.2, 0.4 * CARD_G))
    events = judged(rows(leaning, still, 10, sps=sps))
    (event,) = events
    assert isinstance(event, Placed)
    assert event.count == 1
    assert abs(event.began_s - 3) < 0.3


@BOTH_RATES
@pytest.mark.parametrize("rests_s", [1.2, 3.0])
@pytest.mark.parametrize(
    ("first", "later"),
    [(0.78, 0.0), (0.85, 0.0), (0.95, -0.35), (0.9, -0.2), (0.35, 0.0)],
    ids=["leans by little", "hardly leans", "sinks far", "sinks", "a part comes first"],
)
@pytest.mark.parametrize("beside", [0, 4])
def test_a_card_that_is_pushed_home_is_no_part_of_the_next_one(
    beside: int, first: float, later: float, rests_s: float, sps: int
) -> None:
    """The next hand comes before anybody could be sure of what the push has left."""
    pushed_s = 3.5 + rests_s
    next_s = pushed_s + 1.9
    half_in = together(
        press(3, 0.3, 5), step(3.1, first * CARD_G), step(3.6, later * CARD_G),
        press(pushed_s, 0.4, 30), step(pushed_s + 0.2, (1 - first - later) * CARD_G),
        press(next_s, 0.2, 8), step(next_s + 0.05, CARD_G),
    )  # fmt: skip
    events = judged(rows(cards(beside, half_in), cards(beside), next_s + 4, sps=sps))
    placed = [event for event in events if isinstance(event, Placed)]
    assert names(events) == ["placed"] * 2
    assert [event.count for event in placed] == [1, 1]
    assert [event.began_s for event in placed] == pytest.approx([3, next_s], abs=0.3)


@BOTH_RATES
def test_a_card_that_leans_while_the_beam_swings_came_with_the_hand(sps: int) -> None:
    """The swinging beam carries the tray back to where it was, and away again."""
    swing = [(3.4, -1.0), (3.65, 1.7), (3.9, -1.2), (4.15, 0.8), (4.4, -0.3)]
    half_in = together(
        press(3, 0.3, 8), step(3.1, 0.55 * CARD_G),
        *(step(at_s, grams) for at_s, grams in swing),
        press(8, 0.4, 30), step(8.2, 0.45 * CARD_G),
    )  # fmt: skip
    beam = together(*(step(at_s, -grams) for at_s, grams in swing))
    (event,) = judged(rows(cards(3, half_in), cards(3, beam), 13, sps=sps))
    assert isinstance(event, Placed)
    assert event.began_s == pytest.approx(3, abs=0.3)


@BOTH_RATES
@pytest.mark.parametrize("leaning", [-0.5, 0.4])
def test_cards_are_counted_beside_one_that_leans_in_the_other_tray(
    sps: int, leaning: float
) -> None:
    """What leans there lies still: it is no part of what comes here."""
    leans = together(lambda _: 3 * CARD_G, step(3, leaning * CARD_G))
    cards = together(*(step(at, CARD_G) for at in (8, 11, 14, 17)))
    events = judged(rows(cards, leans, 20, sps=sps))
    placed = [e for e in events if isinstance(e, Placed) and e.tray is Tray.LEFT]
    assert [(event.count, event.sure) for event in placed] == [(1, True)] * 4


@BOTH_RATES
def test_a_card_that_comes_beside_one_that_leans_has_a_time_of_its_own(sps: int) -> None:
    """Dated when the other began to lean, it would be the play of whoever acted long ago."""
    leans = together(step(3, 0.4 * CARD_G), step(12, CARD_G), step(20, CARD_G))
    events = judged(rows(leans, still, 24, sps=sps))
    assert [e.count for e in events if isinstance(e, Placed)] == [1, 1]
    assert [round(e.began_s) for e in events] == [12, 20]


@BOTH_RATES
def test_a_card_taken_back_is_removed(sps: int) -> None:
    """And so are several."""
    taken = together(lambda _: 5 * CARD_G, step(3, -CARD_G), step(7, -3 * CARD_G))
    events = judged(rows(taken, still, 11, sps=sps))
    assert [(type(e), e.count) for e in events if isinstance(e, Removed)] == [
        (Removed, 1),
        (Removed, 3),
    ]
    assert len(events) == 2


@BOTH_RATES
@pytest.mark.parametrize(
    "hand",
    [
        press(3, 0.15, 300),
        press(3, 2.0, 60),
        press(3, 1.5, -30),
        together(press(3, 0.3, 8), press(3.5, 0.4, -6)),
    ],
)
def test_a_hand_that_leaves_nothing_is_no_event(sps: int, hand: Signal) -> None:
    """It shoves, leans, lifts or fumbles, and goes."""
    held: Signal = lambda _: 4 * CARD_G  # noqa: E731 - a signal like the others
    assert judged(rows(together(held, hand), held, 8, sps=sps)) == []


def test_a_cell_mounted_upside_down_weighs_like_any_other() -> None:
    """Its counts fall under load."""
    upside_down = {"zero": 83_211, "counts_per_gram": -COUNTS_PER_GRAM}
    scale = calibration(left=upside_down)
    events = judged(rows(step(3, CARD_G), still, 6, scale=scale), scale)
    assert names(events) == ["placed"]


@pytest.mark.parametrize("gain", [0.94, 1.06])
def test_a_wrong_gain_is_learned(gain: float) -> None:
    """Twenty cards one by one, and then all of them but two, on a cell that is six per cent off."""
    put = [step(3.0 + 2 * i, gain * CARD_G) for i in range(20)]
    all_out = step(45, -18 * gain * CARD_G)
    events = judged(rows(together(*put, all_out), still, 49, sps=10))
    assert sum(e.count for e in events if isinstance(e, Placed)) == 20
    assert [e.count for e in events if isinstance(e, Removed)] == [18]


def test_a_row_that_comes_twice_is_taken_once() -> None:
    """A line that the wire repeats changes nothing."""
    samples = rows(step(3, CARD_G), still, 6)
    doubled = [sample for sample in samples for _ in range(2)]
    assert judged(doubled) == judged(samples)


def test_time_alone_may_pass() -> None:
    """A sample of Nones says only that it is later."""
    judge = Judge(calibration())
    assert judge.feed(Sample(mono_s=rows(still, still, 1)[0].mono_s)) == []


@BOTH_RATES
def test_cards_drawn_from_the_deck_are_counted(sps: int) -> None:
    """A hand on the pile and a heavier pile are no draw."""
    pile = together(
        lambda _: 60 * CARD_G, press(3, 0.5, 60), step(3.3, -CARD_G), press(6, 0.4, 25),
        step(6.2, -4 * CARD_G), step(9, 10 * CARD_G), press(12, 0.5, 30),
    )  # fmt: skip
    deck = {"zero": 0, "counts_per_gram": 1050.0}
    idle, period = Idle(9, sps), 1 / {10: 11.6, 80: 88.0}[sps]
    samples = []
    for sample in rows(still, still, 15, sps=sps):
        grams = sum(pile(sample.mono_s - period * (k + 0.5)) for k in range(4)) / 4
        counts = round(1050 * grams + idle.counts(period))
        samples.append(Sample(mono_s=sample.mono_s, left=sample.left, right=sample.right,
                              tilt=False, deck=Counts(counts)))  # fmt: skip
    events = judged(samples, calibration(deck=deck))
    assert [(type(e), e.count) for e in events if isinstance(e, Drawn)] == [(Drawn, 1), (Drawn, 4)]
    assert len(events) == 2


@BOTH_RATES
@pytest.mark.parametrize("weighs", [1.0, 1.2, 2.0])
def test_a_hand_that_rests_on_a_card_for_a_moment_is_no_second_card(
    sps: int, weighs: float
) -> None:
    """Two cards at once are rare: they are believed when they have lain for longer than a hand."""
    laid = cards(4, step(4.0, CARD_G), press(4.0, 0.5, weighs * CARD_G))
    events = judged(rows(laid, cards(5), 8, sps=sps))
    assert [(type(e), getattr(e, "count", 0)) for e in events] == [(Placed, 1)]


@BOTH_RATES
@pytest.mark.parametrize("grams", [(3.6, 3.6), (9.0, -4.0), (-3.6, 5.4)])
@pytest.mark.parametrize("seconds", [1.2, 2.0, 2.8])
def test_hands_that_steady_the_beam_put_nothing_in_and_take_nothing_out(
    seconds: float, grams: tuple[float, float], sps: int
) -> None:
    """Whoever holds something still trembles, many times as much as a cell's noise."""
    left, right = (
        together(press(4 + 0.07 * i, seconds, push_g), trembling(4, seconds, 1.0, seed=i))
        for i, push_g in enumerate(grams)
    )
    assert not judged(rows(cards(5, left), cards(4, right), 11, sps=sps))


@BOTH_RATES
@pytest.mark.parametrize("apart_s", [0.08, 0.14])
def test_quick_hands_that_begin_at_both_trays_in_one_moment_are_counted_all_the_while(
    sps: int, apart_s: float
) -> None:
    """They never leave the trays alone for as long as hands that hold them do."""
    times = [begin_s + 0.7 * i for begin_s in (3.0, 7.6, 12.2) for i in range(4)]
    left = cards(2, *[step(at_s, CARD_G) for at_s in times])
    right = cards(3, *[step(at_s + apart_s, CARD_G) for at_s in times])
    placed = [e for e in judged(rows(left, right, 16, sps=sps)) if isinstance(e, Placed)]
    assert sum(event.count for event in placed) == 2 * len(times)
    assert sum(event.count for event in placed if event.decided_s < 7.6) == 2 * 4
