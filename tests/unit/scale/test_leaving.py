"""When the first card of a spill left, and spills that no switch and no cosine show."""

import math

import pytest

from companion.events import Placed, Removed, Spill
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    TRAY_G,
    Signal,
    calibration,
    cards,
    eased,
    judged,
    names,
    over,
    past,
    press,
    rows,
    step,
    tilted,
    together,
)

FALLEN_S = 4.35


def springing(sense: int, count: int, at: float = FALLEN_S, hertz: float = 6.0) -> Signal:
    """What a beam that springs back from its stop adds to a tray: by its weight, and in opposite
    sense to the other tray."""
    gross_g = TRAY_G + count * CARD_G

    def push_g(t: float) -> float:
        ringing = math.exp(-(t - at) / 0.12) * math.sin(2 * math.pi * hertz * (t - at))
        return sense * 0.4 * gross_g * ringing if t >= at else 0.0

    return push_g


@BOTH_RATES
@pytest.mark.parametrize("side", Tray)
@pytest.mark.parametrize("first_s", [4.4, 4.7, 5.5])
@pytest.mark.parametrize("pause_s", [0.06, 0.4])
def test_a_spill_begins_when_the_first_of_its_cards_leaves(
    sps: int, side: Tray, first_s: float, pause_s: float
) -> None:
    """Whether they slide out at once or one by one, and however the beam springs on its stop."""
    angle = over(4, 12)
    falls = [step(first_s + i * pause_s, -CARD_G) for i in range(4)]
    gone: dict[Tray, list[Signal]] = {Tray.LEFT: [], Tray.RIGHT: [], side: falls}
    left = together(tilted(cards(8, *gone[Tray.LEFT]), angle), springing(1, 8))
    right = together(tilted(cards(7, *gone[Tray.RIGHT]), angle), springing(-1, 7))
    events = judged(rows(left, right, 11, sps=sps, tilt=past(angle)))
    (spill,) = (event for event in events if isinstance(event, Spill))
    assert abs(spill.began_s - first_s) < (0.3 if sps == 80 else 0.5)


@BOTH_RATES
@pytest.mark.parametrize("fitted", [True, False])
def test_many_cards_that_a_fall_shook_out_of_hanging_trays_are_a_spill(
    sps: int, *, fitted: bool
) -> None:
    """No switch closes and no cosine takes weight, yet no hand takes eight cards in a fall."""
    scale = calibration(tilt_switch=fitted)
    falls = [step(4.3 + 0.05 * i, -CARD_G) for i in range(8)]
    left = together(cards(12, *falls), springing(1, 12, at=4.2, hertz=2.0))
    right = together(cards(4), springing(-1, 4, at=4.2, hertz=2.0))
    events = judged(rows(left, right, 9, sps=sps, scale=scale), scale)
    assert names(events)[:2] == ["tip", "spill"]
    spill = events[1]
    assert isinstance(spill, Spill)
    assert spill.lost == {Tray.LEFT: 8, Tray.RIGHT: 0}
    assert abs(spill.began_s - 4.3) < 0.5


@BOTH_RATES
@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_cards_that_a_hand_takes_are_removed(sps: int, count: int) -> None:
    """Also where no switch could say that the scale stood level."""
    scale = calibration(tilt_switch=False)
    taken = cards(6, step(4, -count * CARD_G))
    events = judged(rows(taken, cards(5), 8, sps=sps, scale=scale), scale)
    assert names(events) == ["removed"]
    assert isinstance(events[0], Removed)
    assert events[0].count == count


@BOTH_RATES
@pytest.mark.parametrize("creeps_s", [1.2, 2.5, 5.0])
def test_a_beam_that_creeps_past_an_early_switch_before_it_falls_has_tipped(
    sps: int, creeps_s: float
) -> None:
    """At six degrees it has taken half a per cent of both weights: no cell has moved when the
    switch closes, and when it falls and has lost its cards it may stand again by itself."""
    falls_s = 4.0 + creeps_s
    angle = eased(
        (3.0, 0.0), (4.0, 6.0), (falls_s, 8.0), (falls_s + 0.4, 24.0), (falls_s + 1.6, 24.0),
        (falls_s + 2.4, 0.0),
    )  # fmt: skip
    gone = [step(falls_s + 0.5 + 0.05 * i, -CARD_G) for i in range(6)]
    left, right = tilted(cards(5), angle), tilted(cards(9, *gone), angle)
    events = judged(rows(left, right, falls_s + 5, sps=sps, tilt=past(angle, 5.5)))
    assert names(events)[:2] == ["tip", "spill"]
    assert abs(events[0].began_s - 3.9) < 0.4


@BOTH_RATES
def test_cards_played_beside_a_switch_that_has_just_jammed_tip_nothing(sps: int) -> None:
    """They make one tray heavier, and no fall does that."""
    left = cards(4, step(6.0, CARD_G), step(9.0, CARD_G))
    right = cards(5, step(7.5, CARD_G))
    events = judged(rows(left, right, 11, sps=sps, tilt=lambda t: t > 4.0))
    assert names(events) == ["placed"] * 3


@BOTH_RATES
@pytest.mark.parametrize("hung", [22.0, 30.0])
@pytest.mark.parametrize("lost", [3, 6])
def test_a_beam_that_hung_further_down_before_does_not_date_a_spill(
    sps: int, hung: float, lost: int
) -> None:
    """It took as much as the cards that left later take; in between they all hung there."""
    angle = eased(
        (3, 0.0), (3.35, hung), (5.5, hung), (6.0, 11.0), (7.5, 11.0), (7.9, 15.0), (11, 15.0)
    )  # fmt: skip
    falls = [step(8.0 + 0.05 * i, -CARD_G) for i in range(lost)]
    left, right = tilted(cards(6, *falls), angle), tilted(cards(6), angle)
    events = judged(rows(left, right, 11, sps=sps, tilt=lambda t: t > 3.2))
    (spill,) = (event for event in events if isinstance(event, Spill))
    assert abs(spill.began_s - 8.0) < (0.3 if sps == 80 else 0.5)


@BOTH_RATES
@pytest.mark.parametrize("first_s", [4.45, 5.2])
@pytest.mark.parametrize("pressed_g", [4.0, 9.0])
def test_a_spill_begins_with_the_card_that_tipped_the_scale_if_that_leaves_first(
    sps: int, first_s: float, pressed_g: float
) -> None:
    """Until then a hand may have been all that was seen of it: once it hangs there it was none."""
    angle = over(4, 14)
    falls = [step(first_s + 0.9 * i, -CARD_G, rise=0.2) for i in range(4)]
    put = [press(3.7, 0.35, pressed_g), step(3.9, CARD_G)]
    left, right = tilted(cards(7, *put, *falls), angle), tilted(cards(6), angle)
    events = judged(rows(left, right, 8, sps=sps, tilt=past(angle)))
    assert names(events)[:3] == ["placed", "tip", "spill"]
    assert isinstance(events[0], Placed)
    assert not events[0].sure
    assert abs(events[2].began_s - first_s) < (0.3 if sps == 80 else 0.5)


@pytest.mark.parametrize("side", Tray)
@pytest.mark.parametrize("stop", [24.0, 34.0])
@pytest.mark.parametrize("apart_s", [0.2, 0.3])
def test_trays_that_empty_one_after_the_other_have_lost_all_their_cards(
    side: Tray, stop: float, apart_s: float
) -> None:
    """In the end both weigh alike, like the same trays far further down; but as the first of them
    lost its cards, the other one held still, and so did the beam."""
    angle = over(3, 9, stop)
    gone: dict[Tray, list[Signal]] = {
        side: [step(3.5 + 0.04 * i, -CARD_G) for i in range(8)],
        side.other: [step(3.5 + apart_s + 0.04 * i, -CARD_G) for i in range(5)],
    }
    left, right = (tilted(cards(len(gone[tray]), *gone[tray]), angle) for tray in Tray)
    events = judged(rows(left, right, 5, tilt=past(angle)))
    (spill,) = (event for event in events if isinstance(event, Spill))
    assert spill.lost == {side: 8, side.other: 5}
    assert abs(spill.began_s - 3.5) < 0.3


@BOTH_RATES
@pytest.mark.parametrize("side", Tray)
def test_a_card_put_into_a_tipped_scale_was_there_before_others_fell(sps: int, side: Tray) -> None:
    """What the trays weighed before it came is no weight of theirs without a card."""
    angle = over(3, 9)
    put = [press(5.7, 0.2, 8.0), step(5.8, CARD_G)]
    falls = [step(6.4 + 0.05 * i, -CARD_G) for i in range(3)]
    came: dict[Tray, list[Signal]] = {side: put, side.other: falls}
    left, right = (tilted(cards(6, *came[tray]), angle) for tray in Tray)
    events = judged(rows(left, right, 8, sps=sps, tilt=past(angle)))
    assert names(events)[:3] == ["tip", "placed", "spill"]
    assert abs(events[2].began_s - 6.4) < (0.3 if sps == 80 else 0.5)
