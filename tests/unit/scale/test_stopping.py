"""Beams that are stopped early: whether they tipped where no switch tells, and what slid off."""

import math

import pytest

from companion.events import Placed, Spill, Tip
from companion.scale.balance import Balance
from companion.scale.calibration import Calibration
from companion.scale.hanging import explained
from companion.scale.missing import Beam
from companion.scale.motion import Flat
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    TRAY_G,
    Signal,
    calibration,
    cards,
    judged,
    names,
    past,
    press,
    ramp,
    rows,
    step,
    swung,
)

FALLS_RAD_PER_S2, SPRINGS = 5.0, 0.4


def dropped(at: float, back: float, degrees: float) -> Signal:
    """A beam that falls to a hard stop, springs back from it twice and falls back at `back`."""
    stop = math.radians(degrees)
    falls_s = math.sqrt(2 * stop / FALLS_RAD_PER_S2)
    flights_s = [2 * falls_s * SPRINGS, 2 * falls_s * SPRINGS**2]

    def angle(t: float) -> float:
        if t < at or t > back + falls_s:
            return 0.0
        if t > back:
            return math.degrees(stop - FALLS_RAD_PER_S2 * (t - back) ** 2 / 2)
        t -= at
        if t < falls_s:
            return math.degrees(FALLS_RAD_PER_S2 * t**2 / 2)
        t -= falls_s
        for flight_s in flights_s:
            if t < flight_s:
                return degrees - math.degrees(FALLS_RAD_PER_S2 * t * (flight_s - t) / 2)
            t -= flight_s
        return degrees

    return angle


def unswitched() -> Calibration:
    return calibration(tilt_switch=False)


@BOTH_RATES
@pytest.mark.parametrize("degrees", [11.0, 13.0, 16.0])
def test_a_beam_that_is_stopped_before_twenty_degrees_has_tipped_without_a_switch(
    sps: int, degrees: float
) -> None:
    beam = dropped(5.0, 7.5, degrees)
    left, right = swung(cards(7), beam, -1), swung(cards(12), beam, 1)
    events = judged(rows(left, right, 12, sps=sps), unswitched())
    assert names(events) == ["tip", "wobble"]
    assert abs(events[0].began_s - 5.3) < 0.4


@BOTH_RATES
@pytest.mark.parametrize("degrees", [13.0, 16.0])
def test_the_card_that_tipped_it_so_is_placed_before(sps: int, degrees: float) -> None:
    beam = dropped(5.0, 7.5, degrees)
    left = swung(cards(7, step(4.1, 1.8)), beam, -1)
    right = swung(cards(12), beam, 1)
    events = judged(rows(left, right, 12, sps=sps), unswitched())
    assert names(events) == ["placed", "tip", "wobble"]
    assert isinstance(events[0], Placed)
    assert (events[0].tray, events[0].count) == (Tray.LEFT, 1)
    assert isinstance(events[1], Tip)
    assert events[1].side is Tray.LEFT


@pytest.mark.parametrize("degrees", [17.0, 18.0, 19.0])
def test_a_card_that_weighs_as_much_as_the_tilt_takes_is_not_one_from_the_other_tray(
    degrees: float,
) -> None:
    """The pressed tray weighs as before, the other one a card less."""
    beam = dropped(5.0, 7.5, degrees)
    left = swung(cards(5, step(4.5, 1.8)), beam, -1)
    right = swung(cards(5), beam, 1)
    events = judged(rows(left, right, 12, sps=10), unswitched())
    assert names(events) == ["placed", "tip", "wobble"]


@BOTH_RATES
@pytest.mark.parametrize("fitted", [False, True], ids=["no switch", "a switch that never closes"])
def test_cards_that_slide_off_a_beam_on_such_a_stop_are_spilled(sps: int, fitted: bool) -> None:
    beam = dropped(5.0, 9.0, 14.0)
    left = swung(cards(9, ramp(5.5, 5.7, -27.0)), beam, -1)
    right = swung(cards(8), beam, 1)
    events = judged(rows(left, right, 12, sps=sps), calibration(tilt_switch=fitted))
    assert names(events)[:2] == ["tip", "spill"]
    spill = events[1]
    assert isinstance(spill, Spill)
    assert spill.trays == (Tray.LEFT,)
    assert spill.decided_s < 8.0


@BOTH_RATES
def test_two_cards_that_slide_off_a_gentle_stop_are_told_before_a_hand_comes(sps: int) -> None:
    beam = dropped(5.0, 9.0, 11.0)
    left = swung(cards(9, ramp(5.8, 5.9, -36.0)), beam, -1)
    right = swung(cards(8, press(6.9, 1.5, 40.0)), beam, 1)
    events = judged(rows(left, right, 8, sps=sps, tilt=past(beam, 6.0)))
    assert names(events) == ["tip", "spill"]
    assert events[1].decided_s < 6.9


def test_a_tray_that_falls_off_the_tipped_scale_takes_all_its_cards_along() -> None:
    beam = dropped(5.0, 9.0, 14.0)
    left = swung(cards(8, ramp(5.5, 5.55, -20 * (TRAY_G + 8 * CARD_G))), beam, -1)
    right = swung(cards(12), beam, 1)
    events = judged(rows(left, right, 8, sps=10, tilt=past(beam, 6.0)))
    assert names(events) == ["tip", "spill"]
    assert isinstance(events[1], Spill)
    assert events[1].lost == {Tray.LEFT: 8, Tray.RIGHT: 0}


def test_a_loss_with_a_fallen_tray_is_dated_by_the_tray_that_still_hangs() -> None:
    """The angle is known from it alone; the tray that is gone says nothing of it."""
    balance = Balance(calibration())
    for tray, count in ((balance.left, 8), (balance.right, 12)):
        tray.begin(Flat(count * CARD_G, 0.0, 1.0, 20, 0.03))
        tray.cell.settle(Flat(count * CARD_G, 0.0, 1.0, 20, 0.03))
        tray.cell.disturb(2.0)
        tray.cell.rest_since_s = 3.0
    hangs_g = (TRAY_G + 12 * CARD_G) * math.cos(math.radians(14.0)) - TRAY_G
    flats = [Flat(level_g, 3.0, 5.0, 20, 0.03) for level_g in (-20.0 * TRAY_G, hangs_g)]
    missing = explained(balance.trays, flats, Beam(tray_g_said=True))
    assert missing.lost == missing.gone == (8, 0)
    assert missing.gone_share == missing.share
    assert abs(missing.share - (math.cos(math.radians(14.0)) - 1)) < 0.005
