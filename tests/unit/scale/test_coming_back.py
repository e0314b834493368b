"""A beam that came back: what swings, what was taken since, and a scale that was found tipped."""

import math

import pytest
from msgspec.structs import replace

from companion.events import Level, Placed, Removed, Spill, Wobble
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
    ramp,
    rows,
    step,
    tilted,
    together,
)

RIGHTED_S = 5.0
"""When a beam that is righted from 4.6 s on stands level."""


def swinging(sense: int, count: int, share: float, hertz: float, seconds: float) -> Signal:
    """What a beam that swings about level adds to one tray and takes from the other's share."""
    gross_g = TRAY_G + count * CARD_G

    def swing_g(t: float) -> float:
        since_s = t - RIGHTED_S
        if not 0 < since_s < seconds:
            return 0.0
        return sense * share * gross_g * math.cos(2 * math.pi * hertz * since_s)

    return swing_g


@BOTH_RATES
@pytest.mark.parametrize("share", [0.02, 0.028, 0.04])
@pytest.mark.parametrize("hertz", [0.6, 1.0, 1.7])
@pytest.mark.parametrize("rising", [1.0, 0.3])
def test_a_beam_that_swings_about_level_after_it_came_back_has_lost_nothing(
    sps: int, share: float, hertz: float, rising: float
) -> None:
    """It lightens one tray by a card's weight and makes the other as much heavier, in turns; less
    where its bearing rubs."""
    angle, seconds = over(3, 4.6), 1.5 / hertz
    left = together(tilted(cards(4), angle), swinging(-1, 4, share, hertz, seconds))
    right = together(tilted(cards(4), angle), swinging(1, 4, rising * share, hertz, seconds))
    assert names(judged(rows(left, right, 11, sps=sps, tilt=past(angle)))) == ["tip", "wobble"]


@BOTH_RATES
@pytest.mark.parametrize("after_s", [0.8, 1.2])
def test_a_card_that_a_hand_takes_from_a_beam_that_came_back_is_removed_and_no_spill(
    sps: int, after_s: float
) -> None:
    """The tray stood there with it, while the beam still rang; the hand came after."""
    angle, taken_s = over(3, 4.6), RIGHTED_S + after_s

    def ringing(t: float) -> float:
        return 0.9 * math.sin(62 * t) * (t > RIGHTED_S)

    taking = together(press(taken_s, 0.5, 6.0), step(taken_s + 0.4, -CARD_G))
    left = together(tilted(cards(4), angle), ringing)
    right = together(tilted(cards(6, taking), angle), lambda t: -ringing(t))
    events = judged(rows(left, right, 11, sps=sps, tilt=past(angle)))
    assert names(events)[0] == "tip"
    assert sorted(names(events)[1:]) == ["removed", "wobble"]
    (removed,) = (event for event in events if isinstance(event, Removed))
    assert (removed.tray, removed.count) == (Tray.RIGHT, 1)
    assert abs(removed.began_s - taken_s) < 0.6


@BOTH_RATES
@pytest.mark.parametrize("lost", [2, 5])
def test_cards_that_fall_as_the_scale_is_righted_are_a_spill_although_a_hand_was_there_before(
    sps: int, lost: int
) -> None:
    """The hand that was at the tray as the beam left level took none of them."""
    angle = eased((3.2, 0.0), (3.6, 18.0), (9.0, 18.0), (9.6, 0.0))
    falls = [step(8.9 + 0.05 * i, -CARD_G) for i in range(lost)]
    left = tilted(cards(6, press(3.0, 0.5, -2.5), *falls), angle)
    events = judged(rows(left, tilted(cards(3), angle), 14, sps=sps, tilt=past(angle)))
    (spill,) = (event for event in events if isinstance(event, Spill))
    assert spill.trays == (Tray.LEFT,)
    assert abs(spill.began_s - 8.9) < 0.6


@BOTH_RATES
@pytest.mark.parametrize("lost", [(1, 1), (2, 2), (3, 3)])
@pytest.mark.parametrize("hung_s", [2.0, 5.0])
def test_a_loss_that_only_the_righted_scale_tells_began_as_the_beam_came_to_its_stop(
    sps: int, lost: tuple[int, int], hung_s: float
) -> None:
    """Both trays lose the same share, as on a steeper beam; the hands that right it lift one."""
    angle = over(4, 4.4 + hung_s)
    lifting = press(4.4 + hung_s, 0.4, -12.0)
    left, right = (
        tilted(cards(6, *[step(4.3 + 0.05 * i, -CARD_G) for i in range(each)]), angle)
        for each in lost
    )
    left = together(left, lifting)
    events = judged(rows(left, right, 10 + hung_s, sps=sps, tilt=past(angle)))
    (spill,) = (event for event in events if isinstance(event, Spill))
    assert abs(spill.began_s - 4.3) < 0.6


@BOTH_RATES
@pytest.mark.parametrize("degrees", [15.5, 17.0, 25.0, 35.0])
@pytest.mark.parametrize("righted_s", [0.9, 3.0, 13.0])
@pytest.mark.parametrize("roughly", [True, False])
def test_a_scale_that_is_found_tipped_is_counted_when_it_is_righted(
    sps: int, degrees: float, righted_s: float, *, roughly: bool
) -> None:
    """The hands that right it put nothing in, although both trays then weigh more; also where it
    had hung for so long that its switch was taken for a stuck one."""
    angle = eased((righted_s, degrees), (righted_s + (0.6 if roughly else 1.5), 0.0))
    forces = (9, 70, 30, -20) if roughly else ()
    hands = [press(righted_s + 0.1 * i, 0.1, grams) for i, grams in enumerate(forces)]
    lifting = press(righted_s + 0.1, 0.1, -42.0 if roughly else 0.0)
    left = together(tilted(cards(4, step(righted_s + 5, CARD_G)), angle), *hands)
    right = together(tilted(cards(2, step(righted_s + 7, CARD_G)), angle), lifting)
    events = judged(rows(left, right, righted_s + 9, sps=sps, tilt=past(angle)))
    told = [event for event in events if isinstance(event, Placed)]
    assert [event.tray for event in told] == [Tray.LEFT, Tray.RIGHT]
    assert set(names(events)) <= {"placed", "fault", "recovered"}


@BOTH_RATES
@pytest.mark.parametrize("held", [(0, 0), (4, 2), (1, 3)])
def test_a_switch_that_is_closed_on_a_scale_which_was_found_tipped_is_not_stuck(
    sps: int, held: tuple[int, int]
) -> None:
    """What rests there for long weighs no whole cards, as it would on a level beam."""
    left, right = (tilted(cards(count), lambda _: 35.0) for count in held)
    assert judged(rows(left, right, 14, sps=sps, tilt=lambda _: True)) == []


@BOTH_RATES
@pytest.mark.parametrize("stuck_s", [3.0, 8.0, 12.0])
@pytest.mark.parametrize("after_s", [-0.2, 0.0, 0.1, 0.3])
def test_a_card_that_frees_a_switch_which_was_stuck_from_the_first_row_on_is_placed(
    sps: int, stuck_s: float, after_s: float
) -> None:
    """The scale was not found tipped: one tray alone has changed."""
    left = cards(4, press(stuck_s, 0.3, 9.0), step(stuck_s, CARD_G))
    samples = rows(left, cards(2), stuck_s + 4, sps=sps, tilt=lambda t: t < stuck_s + after_s)
    told = [event for event in judged(samples) if isinstance(event, Placed)]
    assert [(event.tray, event.count) for event in told] == [(Tray.LEFT, 1)]
    assert abs(told[0].began_s - stuck_s) < 0.3


@BOTH_RATES
def test_what_a_scale_that_was_found_tipped_holds_is_known_after_its_first_spill(sps: int) -> None:
    angle = eased(
        (1.5, 30.0), (2.1, 0.0), (5.0, 0.0), (5.35, 30.0), (8.0, 30.0), (8.6, 0.0)
    )  # fmt: skip
    falls = [step(5.4 + 0.05 * i, -CARD_G) for i in range(4)]
    left = tilted(cards(5, *falls), angle)
    events = judged(rows(left, tilted(cards(3), angle), 12, sps=sps, tilt=past(angle)))
    assert names(events) == ["tip", "spill", "level"]
    level = events[-1]
    assert isinstance(level, Level)
    assert (level.left, level.right) == (1, 3)


@BOTH_RATES
@pytest.mark.parametrize("degrees", [13.0, 16.0, 19.0])
def test_a_dump_is_seen_without_a_switch_however_gently_the_beam_hangs(
    sps: int, degrees: float
) -> None:
    """Where the cosine alone shows no tilt, the cards that are gone and the fall show one."""
    scale = calibration(tilt_switch=False)
    angle = eased((4, 0.0), (4.3, degrees), (8, degrees), (8.6, 0.0))
    falls = [step(4.3 + 0.04 * i, -CARD_G) for i in range(5)]

    def stopped(t: float) -> float:
        return 18 * math.exp(-(t - 4.3) / 0.1) * math.sin(38 * (t - 4.3)) if t > 4.3 else 0.0

    left = together(tilted(cards(5, *falls), angle), stopped)
    right = together(tilted(cards(4), angle), lambda t: -stopped(t))
    events = judged(rows(left, right, 11, sps=sps, scale=scale), scale)
    assert names(events)[:2] == ["tip", "spill"]
    assert events[1].decided_s < 8


@BOTH_RATES
def test_two_hands_that_take_cards_from_both_trays_of_a_scale_whose_switch_is_open_tip_nothing(
    sps: int,
) -> None:
    """More cards go than one hand takes, but nothing has shaken the trays."""
    left, right = cards(5, step(4.0, -2 * CARD_G)), cards(6, step(4.05, -2 * CARD_G))
    events = judged(rows(left, right, 9, sps=sps))
    assert names(events) == ["removed", "removed"]


@BOTH_RATES
@pytest.mark.parametrize("grams", [3.6, 5.2, 7.0])
@pytest.mark.parametrize("held_s", [1.0, 2.0])
def test_hands_that_hold_both_trays_alike_for_a_while_put_nothing_in(
    sps: int, grams: float, held_s: float
) -> None:
    """However steady they are: nobody brings several cards to both trays in one moment."""
    left, right = (cards(2, press(at_s, held_s, grams)) for at_s in (3.0, 3.05))
    assert judged(rows(left, right, 9, sps=sps)) == []


@BOTH_RATES
@pytest.mark.parametrize("righted_s", [7.0, 9.0])
def test_the_only_cell_that_is_heard_tells_a_tray_that_was_emptied_and_is_less_sure(
    sps: int, righted_s: float
) -> None:
    """It would have to hang at 44 degrees with all its cards: the table is asked at once."""
    angle = eased((4, 0.0), (4.35, 18.0), (righted_s, 18.0), (righted_s + 0.6, 0.0))
    falls = [step(4.4 + 0.04 * i, -CARD_G) for i in range(6)]
    left, right = tilted(cards(6, *falls), angle), tilted(cards(4), angle)
    seen = rows(left, right, 12, sps=sps, tilt=past(angle))
    heard = [row if row.mono_s < 1.5 else replace(row, right=None) for row in seen]
    ends = [event for event in judged(heard) if isinstance(event, Spill | Wobble)]
    assert [type(end) for end in ends] == [Spill]
    assert isinstance(ends[0], Spill)
    assert not ends[0].sure
    assert ends[0].decided_s < righted_s


@BOTH_RATES
@pytest.mark.parametrize("taken", [1, 2])
def test_cards_that_hands_take_for_the_reset_do_not_hide_those_that_fell_before(
    sps: int, taken: int
) -> None:
    """The beam came back without a card in each tray: that was the spill."""
    angle = over(3, 4.6)
    lost, hand = step(3.5, -CARD_G), press(5.9, 0.5, 8.0)
    left, right = (
        tilted(cards(6, lost, hand, step(at_s, -taken * CARD_G)), angle) for at_s in (6.2, 6.3)
    )
    ends = [
        event
        for event in judged(rows(left, right, 10, sps=sps, tilt=past(angle)))
        if isinstance(event, Spill | Wobble)
    ]
    assert [type(end) for end in ends] == [Spill]


@pytest.mark.parametrize("first_g", [3.0, 8.0, 20.0])
def test_a_hand_that_was_taken_for_a_card_is_corrected_no_earlier_than_it_came(
    first_g: float,
) -> None:
    """Hands catch the beam that swayed before it fell: what was said to come is taken back."""
    angle = eased((2.95, 0.0), (3.35, 17.0), (3.9, 20.0), (4.6, 0.0))
    pushes_g = (first_g, -2.0, 10.0, 24.0, 12.0, 6.0, 3.0)
    hands = [press(3.15 + 0.1 * i, 0.1, grams) for i, grams in enumerate(pushes_g)]
    left = together(tilted(cards(4), angle), press(2.9, 0.15, 6.0))
    right = together(tilted(cards(4), angle), press(2.9, 0.15, -6.0), *hands)
    events = judged(rows(left, right, 9, sps=80, tilt=past(angle)))
    assert names(events) == ["placed", "tip", "removed", "wobble"]
    assert events[2].began_s >= events[0].began_s


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize("given", [0.35, 0.4])
@pytest.mark.parametrize("seconds", [1.5, 2.0])
def test_what_a_beam_that_came_back_gives_to_a_tray_dates_no_card(
    seconds: float, given: float, side: Tray
) -> None:
    """It rubs in its bearing and creeps on, until the next card brings it back."""
    angle, came_s, part_g = over(3, 4.6), 9.0, given * CARD_G
    rubs = step(RIGHTED_S, part_g / 2)
    creeps = ramp(6.8, 6.8 + seconds, part_g / 2 / seconds)
    creeping = together(rubs, creeps, step(came_s, CARD_G - part_g))
    loads = (tilted(cards(4), angle), tilted(cards(4, creeping), angle))
    left, right = loads if side is Tray.RIGHT else reversed(loads)
    events = judged(rows(left, right, 11, tilt=past(angle)))
    assert names(events) == ["tip", "wobble", "placed"]
    assert abs(events[2].began_s - came_s) < 0.3
