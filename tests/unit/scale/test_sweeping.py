"""A beam on its way: what its trays weigh over a whole swing is known before it rests."""

import math

import pytest

from companion.events import Spill
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    TRAY_G,
    Signal,
    cards,
    eased,
    judged,
    names,
    over,
    past,
    press,
    rows,
    step,
    swung,
    tilted,
    together,
)

FELL_S = 4.35
FALLS = pytest.mark.parametrize("degrees", [20.0, 28.0, 36.0])
"""Where the beam meets its stop."""
BACK_S = FELL_S + 0.8
"""When it is back from there."""


def righting(degrees: float) -> Signal:
    """A beam that falls to its stop and comes back from there by itself."""
    return eased((4.0, 0.0), (FELL_S, degrees), (BACK_S, 0.0))


def ringing(count: int, sense: int) -> Signal:
    """It then swings about level for as long as the trace lasts, in time with 1.4 hertz."""

    most_g = 0.03 * (TRAY_G + count * CARD_G)

    def swing_g(t: float) -> float:
        since = t - BACK_S
        return sense * most_g * math.sin(9 * since) * math.exp(-0.4 * since) * (since > 0)

    return swing_g


@BOTH_RATES
@FALLS
@pytest.mark.parametrize("lost", [(7, 2), (0, 5)])
def test_many_cards_gone_from_a_beam_that_rights_itself_are_a_spill_before_it_rests(
    sps: int, degrees: float, lost: tuple[int, int]
) -> None:
    """Nobody waits with the picking up until a scale has swung itself out."""
    angle = righting(degrees)
    left, right = (
        together(
            swung(cards(7, *(step(4.2 + 0.02 * i, -CARD_G) for i in range(each))), angle, sense),
            ringing(7, sense),
        )
        for each, sense in zip(lost, (-1, 1), strict=True)
    )
    events = judged(rows(left, right, BACK_S + 1.2, sps=sps, tilt=past(angle)))
    assert names(events) == ["tip", "spill"]
    (spill,) = (event for event in events if isinstance(event, Spill))
    more = Tray.LEFT if lost[0] > lost[1] else Tray.RIGHT
    assert more in spill.trays
    assert abs(spill.began_s - 4.2) < 0.5
    assert spill.decided_s < BACK_S + 1.0


@BOTH_RATES
@FALLS
def test_a_beam_that_rights_itself_and_swings_out_with_all_its_cards_has_wobbled(
    sps: int, degrees: float
) -> None:
    angle = righting(degrees)
    left = together(swung(cards(5), angle, -1), ringing(5, -1))
    right = together(swung(cards(4), angle, 1), ringing(4, 1))
    events = judged(rows(left, right, BACK_S + 5, sps=sps, tilt=past(angle)))
    assert names(events) == ["tip", "wobble"]


@BOTH_RATES
@pytest.mark.parametrize("lifted", [4.5, 5.5])
def test_a_hand_that_lifts_one_tray_as_it_rights_the_scale_has_taken_no_cards(
    sps: int, lifted: float
) -> None:
    """What the trays weighed as they hung still is what lies in them: none leaves as they rise."""
    lifting_s = FELL_S + 0.8
    angle = over(4, lifting_s)
    lift = press(lifting_s, 0.8, -lifted * CARD_G)
    left, right = tilted(cards(8, lift), angle), tilted(cards(3), angle)
    events = judged(rows(left, right, lifting_s + 4, sps=sps, tilt=past(angle)))
    assert names(events) == ["tip", "wobble"]


@pytest.mark.parametrize(("sps", "slower"), [(10, 1.2), (80, 1.0)])
def test_hands_that_lift_both_trays_and_set_them_down_have_thrown_nothing_off(
    sps: int, slower: float
) -> None:
    """Over a whole swing both lack as much as if all their cards were gone; then they are back."""
    angle = eased((5.0, 0.0), (5.25, 15.0), (5.5, 15.0), (5.85, 0.0))

    def lifted(*keys: tuple[float, float]) -> Signal:
        return eased(*((5.5 + slower * after, grams) for after, grams in keys))

    left_hand = lifted((0.0, 0.0), (0.2, -30.0), (0.34, -9.0), (0.54, -28.0), (0.6, 0.0))
    right_hand = lifted((0.0, 0.0), (0.25, -31.0), (0.47, -14.0), (0.6, -40.0), (0.7, 0.0))
    left = together(swung(cards(11), angle, -1), left_hand)
    right = together(swung(cards(7), angle, 1), right_hand)
    events = judged(rows(left, right, 10, sps=sps, tilt=past(angle, 6.0)))
    assert names(events) == ["tip", "wobble"]
