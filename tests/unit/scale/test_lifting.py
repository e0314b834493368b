"""Many cards seem to be gone from a standing scale: a hand took them out, or lifts the tray."""

import pytest

from companion.events import Placed, Removed, Spill
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    Signal,
    cards,
    eased,
    judged,
    names,
    past,
    press,
    rows,
    step,
    swung,
)


def lifted(at: float, seconds: float, grams: float) -> Signal:
    """A hand that takes so much off a tray, holds it and lets it down again."""
    return eased((at, 0.0), (at + 0.3, -grams), (at + seconds, -grams), (at + seconds + 0.3, 0.0))


@BOTH_RATES
@pytest.mark.parametrize("count", [5, 8, 11])
@pytest.mark.parametrize("seconds", [0.9, 1.5, 2.0])
def test_who_lifts_a_tray_and_looks_under_it_takes_no_cards_out(
    sps: int, count: int, seconds: float
) -> None:
    """However still the tray is held, and if it weighs just so many cards less."""
    left = cards(14, lifted(4.0, seconds, count * CARD_G))
    assert judged(rows(left, cards(12), 10, sps=sps)) == []


@BOTH_RATES
def test_who_lifts_a_tray_just_after_a_hand_has_shoved_it_spills_nothing(sps: int) -> None:
    """The shove shook both trays, as a stop does; but no card waits so long before it leaves."""
    shove = [press(4.0, 0.15, 50.0), press(4.15, 0.1, -8.0)]
    left = cards(14, *shove, lifted(4.9, 0.9, 12 * CARD_G))
    right = cards(12, press(4.0, 0.15, 9.0), press(4.15, 0.1, -9.0))
    assert judged(rows(left, right, 9, sps=sps)) == []


@BOTH_RATES
def test_a_pile_that_is_taken_out_is_removed_once(sps: int) -> None:
    """And when it was taken."""
    events = judged(rows(cards(14, step(4.0, -8 * CARD_G)), cards(12), 9, sps=sps))
    (removed,) = events
    assert isinstance(removed, Removed)
    assert removed.count == 8
    assert abs(removed.began_s - 4.0) < 0.3
    assert removed.decided_s < 7.0


@BOTH_RATES
def test_who_clears_the_scale_empties_one_tray_after_the_other(sps: int) -> None:
    """Nobody lifts both in turn: the first one is believed when the second loses its cards, and
    both together are no beam that tips."""
    left, right = cards(8, step(4.0, -8 * CARD_G)), cards(9, step(5.0, -9 * CARD_G, 0.3))
    events = judged(rows(left, right, 9, sps=sps))
    assert names(events) == ["removed", "removed"]
    assert [round(event.began_s) for event in events] == [4, 5]
    assert events[0].decided_s < 5.8


@BOTH_RATES
def test_a_card_put_in_where_many_were_just_taken_out_is_placed(sps: int) -> None:
    """At its own time, although nobody knows yet that no hand lifts the tray."""
    left = cards(14, step(4.0, -8 * CARD_G), step(5.2, CARD_G), press(5.2, 0.3, 25.0))
    removed, placed = judged(rows(left, cards(12), 10, sps=sps))
    assert isinstance(removed, Removed)
    assert isinstance(placed, Placed)
    assert (removed.count, placed.count, placed.tray) == (8, 1, Tray.LEFT)
    assert abs(removed.began_s - 4.0) < 0.3
    assert abs(placed.began_s - 5.2) < 0.4


@BOTH_RATES
def test_what_was_taken_out_just_before_the_scale_tips_is_not_lost(sps: int) -> None:
    """Hands took eight cards, the beam two."""
    angle = eased((5.3, 0.0), (5.65, 27.0), (9.0, 27.0), (9.6, 0.0))
    left = swung(cards(14, step(4.0, -8 * CARD_G)), angle, -1)
    right = swung(cards(12, step(5.9, -2 * CARD_G)), angle, 1)
    events = judged(rows(left, right, 12, sps=sps, tilt=past(angle)))
    assert names(events)[:3] == ["removed", "tip", "spill"]
    spill = events[2]
    assert isinstance(spill, Spill)
    assert spill.lost[Tray.LEFT] == 0
    assert 1 <= spill.lost[Tray.RIGHT] <= 3
