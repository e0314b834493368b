"""A scale that hangs at its edge, past the switch: who puts a card in there, and when it spills."""

import pytest

from companion.events import Placed, Sensed, Spill, Tip
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
    tilted,
    together,
)

TIPS_S, FALLS_S = 3.0, 7.0
EDGE = eased((TIPS_S, 8.0), (TIPS_S + 0.4, 16.5), (FALLS_S, 17.0), (FALLS_S + 0.3, 30.0))


def hanging(tray: Tray, comes_s: float, push_g: float, sps: int) -> list[Sensed]:
    """What is said where a hand that pushes puts a card into one `tray` of a scale that hangs at
    its edge, and four cards leave the left one as it falls on."""
    emptied = [step(FALLS_S + 0.35 + 0.06 * i, -CARD_G) for i in range(4)]
    put: dict[Tray, list[Signal]] = {Tray.LEFT: [], Tray.RIGHT: [], tray: [step(comes_s, CARD_G)]}
    hand = press(comes_s, 0.3, push_g)
    left = tilted(cards(9, *emptied, *put[Tray.LEFT]), EDGE)
    right = tilted(cards(6, *put[Tray.RIGHT]), EDGE)
    if tray is Tray.LEFT:
        left = together(left, hand)
    else:
        right = together(right, hand)
    return judged(rows(left, right, 10.9, sps=sps, tilt=past(EDGE)))


@BOTH_RATES
@pytest.mark.parametrize("tray", list(Tray))
@pytest.mark.parametrize("push_g", [12.0, 60.0])
@pytest.mark.parametrize("comes_s", [4.1, 5.0])
def test_whoever_puts_a_card_into_a_scale_that_hangs_pays_for_its_fall(
    comes_s: float, tray: Tray, push_g: float, sps: int
) -> None:
    """The card comes before the spill, in what is said and in time, and once; also where it comes
    so soon that the scale may still fall on by itself."""
    events = hanging(tray, comes_s, push_g, sps)
    tip, placed, spill = events
    assert isinstance(tip, Tip)
    assert isinstance(placed, Placed)
    assert isinstance(spill, Spill)
    assert (placed.tray, placed.count) == (tray, 1)
    assert placed.began_s == pytest.approx(comes_s, abs=0.35)
    assert spill.began_s > placed.began_s + 1
