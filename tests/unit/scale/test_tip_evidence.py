"""What hides the loss of a tipped scale: hanging trays, slow returns, a card from each tray."""

import math
from collections.abc import Callable

import pytest

from companion.events import Level, Placed, Sample, Spill, Tip, Wobble
from companion.units import MonoSeconds, Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    Signal,
    cards,
    eased,
    judged,
    names,
    over,
    past,
    press,
    ramp,
    rows,
    step,
    tilted,
    together,
)


@BOTH_RATES
@pytest.mark.parametrize("lost", [1, 3, 6])
def test_trays_that_hang_level_spill_too(sps: int, lost: int) -> None:
    """They weigh the same however the beam stands: once they hold still, what is missing fell."""
    angle = over(4, 9)
    samples = rows(cards(6, step(4.4, -lost * CARD_G)), cards(4), 14, sps=sps, tilt=past(angle))
    events = judged(samples)
    spill = next(event for event in events if isinstance(event, Spill))
    assert spill.lost == {Tray.LEFT: lost, Tray.RIGHT: 0}
    assert abs(spill.began_s - 4.4) < 0.4
    assert spill.decided_s < 7


@BOTH_RATES
def test_trays_that_hang_level_and_keep_their_cards_wobbled(sps: int) -> None:
    """They swing as the beam comes to its stop, and that is all."""
    angle = over(4, 9)
    swing = together(*(press(4.2 + 0.2 * i, 0.1, 6.0 - i) for i in range(5)))
    events = judged(rows(cards(6, swing), cards(4, swing), 14, sps=sps, tilt=past(angle)))
    assert names(events) == ["tip", "wobble"]


@BOTH_RATES
def test_a_beam_that_comes_back_slowly_past_the_switch_has_lost_nothing(sps: int) -> None:
    """On its way it takes as much of both weights as a card from each tray."""
    slowly = eased((4, 0.0), (4.35, 17.0), (6, 17.0), (8.5, 0.0))
    left, right = tilted(cards(6), slowly), tilted(cards(5), slowly)
    events = judged(rows(left, right, 13, sps=sps, tilt=past(slowly)))
    assert names(events) == ["tip", "wobble"]


@BOTH_RATES
def test_a_card_from_each_tray_is_a_spill_and_no_wobble_with_cards_removed(sps: int) -> None:
    """Both trays alike, as a steeper beam: but a scale that stands again takes nothing."""
    angle = over(4, 8)
    left = tilted(cards(4, step(4.5, -CARD_G)), angle)
    right = tilted(cards(4, step(4.5, -CARD_G)), angle)
    events = judged(rows(left, right, 14, sps=sps, tilt=past(angle)))
    spill = next(event for event in events if isinstance(event, Spill))
    assert spill.lost == {Tray.LEFT: 1, Tray.RIGHT: 1}
    assert abs(spill.began_s - 4.5) < 0.4
    assert not any(isinstance(event, Wobble) for event in events)
    assert [(e.left, e.right) for e in events if isinstance(e, Level)] == [(3, 3)]


@BOTH_RATES
@pytest.mark.parametrize("seed", range(6))
def test_a_card_from_each_tray_of_a_scale_that_leaned_before_is_no_lean(
    seed: int, sps: int
) -> None:
    """A beam that is not yet all the way back would take as much from both."""
    angle = eased((3, 9.0), (3.3, 16.0), (3.7, 19.6), (4, 28.0), (9, 28.0), (9.6, 9.0))
    left = tilted(cards(13, step(2.6, CARD_G), step(4.2, -CARD_G)), angle)
    right = tilted(cards(6, step(4.23, -CARD_G)), angle)
    events = judged(rows(left, right, 13, sps=sps, tilt=past(angle), seed=seed))
    assert names(events) == ["placed", "tip", "spill", "level"]


@pytest.mark.parametrize("tray", list(Tray))
@pytest.mark.parametrize("late_s", [0.2, 0.23, 0.26])
def test_a_slow_cell_shows_the_card_that_tipped_the_scale_at_once(
    tray: Tray, late_s: float
) -> None:
    """Its filter spreads the card over the fall that follows within two readings or three.

    The tray that goes down weighs less while it gathers speed, the other one more.
    """
    fall_s = 4.0 + late_s
    angle = eased((fall_s, 0.0), (fall_s + 0.35, 30.0), (8, 30.0), (8.6, 0.0))
    swing = together(press(fall_s, 0.17, 8.0), press(fall_s + 0.17, 0.17, -8.0))

    def pulled(t: float) -> float:
        return -swing(t)

    trays = {
        tray: tilted(together(cards(5, step(4.0, CARD_G), press(4.0, 0.05, 12.0)), pulled), angle),
        tray.other: tilted(together(cards(4), swing), angle),
    }
    samples = rows(trays[Tray.LEFT], trays[Tray.RIGHT], 12, sps=10, tilt=past(angle))
    events = judged(samples)
    first = events[0]
    assert isinstance(first, Placed)
    assert first.tray is tray
    assert abs(first.began_s - 4.0) < 0.4
    assert isinstance(events[1], Tip)


@BOTH_RATES
def test_a_beam_that_a_hand_leans_slowly_and_lets_back_has_lost_nothing(sps: int) -> None:
    """It turns over a second, and while it does one tray presses more and the other less."""
    slowly = eased((4, 0.0), (5.0, 19.5), (6.2, 0.0))
    turning = together(press(4.4, 0.9, 0.9))

    def lighter(t: float) -> float:
        return -turning(t)

    left = tilted(cards(6, lighter), slowly)
    right = tilted(cards(5, turning), slowly)
    events = judged(rows(left, right, 11, sps=sps, tilt=past(slowly)))
    assert names(events) == ["tip", "wobble"]


def _read_apart(
    trays: dict[Tray, Signal], first: Tray, apart_s: float, tilt: Callable[[float], bool]
) -> list[Sample]:
    """Slow cells on clocks of their own: one is read so much earlier than the other."""

    def later(t: float) -> float:
        return trays[first.other](t + apart_s)

    at_once = {first: trays[first], first.other: later}
    samples: list[Sample] = []
    for row in rows(at_once[Tray.LEFT], at_once[Tray.RIGHT], 12, sps=10):
        left_s, right_s = (row.mono_s + apart_s * (tray is not first) for tray in Tray)
        samples += [
            Sample(mono_s=MonoSeconds(left_s), left=row.left, tilt=tilt(left_s)),
            Sample(mono_s=MonoSeconds(right_s), right=row.right, tilt=tilt(right_s)),
        ]
    samples.sort(key=lambda sample: sample.mono_s)
    return samples


@pytest.mark.parametrize("tray", list(Tray))
@pytest.mark.parametrize("apart_s", [0.01, 0.03, 0.05])
def test_the_cell_that_is_read_first_is_not_the_one_that_was_touched(
    tray: Tray, apart_s: float
) -> None:
    """A twelfth of a push comes through the base, and may be seen a moment before the push."""
    touched_s, fall_s = 3.95, 4.08
    angle = eased((fall_s, 0.0), (fall_s + 0.35, 30.0), (8, 30.0), (8.6, 0.0))
    push = press(touched_s, 0.4, 60.0)
    trays = {
        tray: tilted(together(cards(5, step(touched_s, CARD_G)), push), angle),
        tray.other: tilted(together(cards(4), lambda t: push(t) / 12), angle),
    }
    events = judged(_read_apart(trays, tray.other, apart_s, past(angle)))
    first = events[0]
    assert isinstance(first, Placed)
    assert first.tray is tray
    assert abs(first.began_s - touched_s) < 0.25


@pytest.mark.parametrize("tray", list(Tray))
@pytest.mark.parametrize("answer", [0.0, 0.3, 0.7])
@pytest.mark.parametrize("cards_apart", [-5, 0, 5])
def test_a_hand_that_presses_a_free_beam_down_put_a_card_on_the_tray_that_it_pressed(
    tray: Tray, answer: float, cards_apart: int
) -> None:
    """The other tray is pressed too, by its own inertia as it rises, but less; and the heavier
    side is not the one that goes down."""
    angle = eased((4.0, 0.0), (4.35, 14.0), (8, 14.0), (8.6, 0.0))
    push = press(4.0, 0.3, 12.0)
    trays = {
        tray: tilted(together(cards(8, step(4.0, CARD_G)), push), angle),
        tray.other: tilted(together(cards(8 + cards_apart), lambda t: answer * push(t)), angle),
    }
    events = judged(rows(trays[Tray.LEFT], trays[Tray.RIGHT], 7, sps=80, tilt=past(angle, 6.0)))
    placed, tip = events[:2]
    assert isinstance(placed, Placed)
    assert placed.tray is tray
    assert isinstance(tip, Tip)
    assert tip.side is tray


@pytest.mark.parametrize("first", [1, -1])
def test_a_knock_that_tips_the_scale_puts_no_card_into_it(first: int) -> None:
    """It presses on both trays and lifts them in turn, and a beam that falls by itself takes from
    one what it adds to the other."""
    angle = eased((4.1, 0.0), (4.45, 30.0), (8, 30.0), (8.6, 0.0))
    rings = together(*(press(4.0 + 0.05 * i, 0.05, first * (-1) ** i * 9.0) for i in range(4)))
    falls = press(4.1, 0.12, 3.0)
    left = tilted(together(cards(7), rings, lambda t: -falls(t)), angle)
    right = tilted(together(cards(5), rings, falls), angle)
    events = judged(rows(left, right, 7, sps=80, tilt=past(angle)))
    assert names(events)[0] == "tip"


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("sway_g", [1.5, 2.5])
@pytest.mark.parametrize("hertz", [1.0, 1.5])
def test_a_beam_that_sways_before_it_tips_has_no_card_put_on_it(
    hertz: float, sway_g: float, side: Tray
) -> None:
    """What it takes from one tray it gives to the other, and the other one's way back past its base
    is no first answer."""
    half_s = 0.5 / hertz

    def sway(t: float) -> float:
        passed = (t - 4) / half_s
        return sway_g * math.sin(math.pi * passed) if 0 < passed < 1.3 else 0.0

    def gives(t: float) -> float:
        return -0.9 * sway(t + 0.01)

    tips_s = 4 + half_s
    angle = eased((tips_s - 0.05, 0.0), (tips_s + 0.1, 17.0), (8, 17.0), (8.6, 0.0))
    lower, upper = together(tilted(cards(6), angle), sway), together(tilted(cards(5), angle), gives)
    left, right = (lower, upper) if side is Tray.LEFT else (upper, lower)
    events = judged(rows(left, right, 12, tilt=past(angle)))
    assert [type(event) for event in events] == [Tip, Wobble]


@BOTH_RATES
@pytest.mark.parametrize("lay_s", [0.7, 1.0, 1.4])
def test_a_card_that_tips_the_scale_late_came_before_the_other_tray_took_up_the_lean(
    lay_s: float, sps: int
) -> None:
    """The beam leans under it, the other tray rests anew, and this one never until it falls."""
    falls_s = 4.1 + lay_s
    angle = over(falls_s, 12)
    gives_way = ramp(4.2, falls_s, -1.0)
    left = cards(6, press(4, 0.25, 3), step(4, CARD_G + 0.3), gives_way)
    right = cards(3, step(4, 0.65, 0.1))
    samples = rows(tilted(left, angle), tilted(right, angle), 9, sps=sps, tilt=past(angle))
    card = next(event for event in judged(samples) if isinstance(event, Placed))
    assert (card.tray, card.count) == (Tray.LEFT, 1)
    assert abs(card.began_s - 4) < 0.3


@BOTH_RATES
@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("apart_s", [0.5, 0.9])
def test_cards_that_slide_off_a_beam_that_crept_past_its_switch_are_a_spill(
    apart_s: float, side: Tray, sps: int
) -> None:
    """It turned too slowly for any cell to move, and takes too little of both weights; whoever
    takes a card by hand does so from a scale that stands."""
    turns = eased((3.0, 0.0), (7.0, 6.0), (9.0, 9.0), (20.0, 9.0))
    slid = [step(8.0 + n * apart_s, -CARD_G, rise=0.1) for n in range(5)]
    down, up = tilted(cards(8, *slid), turns), tilted(cards(6), turns)
    left, right = (down, up) if side is Tray.LEFT else (up, down)
    events = judged(rows(left, right, 13, sps=sps, tilt=past(turns, 5.0)))
    assert names(events) == ["tip", "spill"]
    spill = next(event for event in events if isinstance(event, Spill))
    assert spill.trays == (side,)
    assert abs(spill.began_s - 8.0) < 0.7
