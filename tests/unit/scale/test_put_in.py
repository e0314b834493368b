"""A card that somebody lays into a tray of a scale that hangs tipped."""

import pytest

from companion.events import Placed, Sensed, Spill, Wobble
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    Signal,
    cards,
    judged,
    over,
    past,
    press,
    rows,
    step,
    still,
    swung,
    together,
)

FELL_S, CAME_S, RIGHTED_S, SEEN_S = 2.0, 3.4, 6.5, 9.0


def laid(came_s: float, finger_g: float = 3.0) -> Signal:
    """A card that a finger presses down."""
    return together(step(came_s, CARD_G, 0.08), press(came_s + 0.03, 0.12, finger_g))


def hung(left: Signal, right: Signal, degrees: float, sps: int) -> list[Sensed]:
    """Six cards in the right tray, which goes down, and four in the left one."""
    angle = over(FELL_S, RIGHTED_S, degrees)
    trays = (swung(cards(4, left), angle, 1), swung(cards(6, right), angle, -1))
    return judged(rows(*trays, SEEN_S, sps=sps, tilt=past(angle, 8.0)))


def fall(at_s: float, count: int) -> Signal:
    """Cards that slide off one by one."""
    return together(*(step(at_s + 0.04 * i, -CARD_G) for i in range(count)))


def placed(events: list[Sensed]) -> list[Placed]:
    return [event for event in events if isinstance(event, Placed)]


def spilled(events: list[Sensed]) -> Spill:
    (spill,) = (event for event in events if isinstance(event, Spill))
    return spill


@BOTH_RATES
@pytest.mark.parametrize("tray", Tray)
def test_a_card_laid_into_a_tipped_scale_is_placed_when_it_came_and_not_when_the_beam_fell(
    sps: int, tray: Tray
) -> None:
    """The stop that the beam met moved the tray by more, and long before."""
    left, right = (laid(CAME_S) if each is tray else still for each in Tray)
    events = hung(left, right, 16.0, sps)
    (card,) = placed(events)
    assert (card.tray, card.count, card.sure) == (tray, 1, True)
    assert abs(card.began_s - CAME_S) < 0.2
    assert any(isinstance(event, Wobble) for event in events)


@BOTH_RATES
@pytest.mark.parametrize("degrees", [12.0, 22.0])
@pytest.mark.parametrize(("later_s", "lost"), [(0.4, 4), (0.7, 2)])
def test_a_card_laid_into_the_tray_that_rose_hides_no_spill_of_the_other_one(
    sps: int, degrees: float, later_s: float, lost: int
) -> None:
    """Its player pays, and the spill is decided while the scale still hangs there."""
    events = hung(laid(CAME_S), fall(CAME_S + later_s, lost), degrees, sps)
    (card,), spill = placed(events), spilled(events)
    assert (card.tray, card.count) == (Tray.LEFT, 1)
    assert abs(card.began_s - CAME_S) < 0.25
    assert spill.lost == {Tray.LEFT: 0, Tray.RIGHT: lost}
    assert abs(spill.began_s - CAME_S - later_s) < 0.3
    assert card.began_s < spill.began_s < spill.decided_s < RIGHTED_S


@BOTH_RATES
def test_a_card_laid_into_a_tipped_scale_after_the_first_card_left_is_nobodys_play(
    sps: int,
) -> None:
    """The beam hangs still while it comes: who pays goes by when the first card left."""
    events = hung(laid(CAME_S + 0.4), fall(CAME_S, 3), 16.0, sps)
    spill = spilled(events)
    assert not [card for card in placed(events) if card.began_s < spill.began_s]
    assert spill.lost == {Tray.LEFT: 0, Tray.RIGHT: 3}
    assert abs(spill.began_s - CAME_S) < 0.3
    assert spill.decided_s < RIGHTED_S
