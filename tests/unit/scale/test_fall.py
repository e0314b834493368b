"""The stop that a falling beam springs back from, seen in both trays' pulses and common weight."""

import math

import pytest

from companion.scale.balance import Balance
from companion.scale.fall import Fall
from companion.scale.weighing import STEEPEST_SHARE
from tests.unit.scale.kit import CARD_G, TRAY_G, Signal, calibration, eased, rows

PERIOD_S = 0.005
ARM_S2 = 0.12 / 9.81
"""What an arm of 12 cm adds to both weights, for each radian a second squared."""


def pressing(degrees: Signal, side: int) -> Signal:
    """Tray and five cards on a beam that turns: its cosine, and its acceleration."""

    def grams(t: float) -> float:
        before, now, after = (math.radians(degrees(t + k * PERIOD_S)) for k in (-1, 0, 1))
        faster = (after - 2 * now + before) / PERIOD_S**2
        return (TRAY_G + 5 * CARD_G) * math.cos(now) * (1 + side * ARM_S2 * faster) - TRAY_G

    return grams


def low_after(degrees: Signal, *, sps: int = 80) -> float:
    """What the stop leaves open once everything has happened."""
    balance = Balance(calibration())
    fall = Fall(balance)
    for sample in rows(pressing(degrees, -1), pressing(degrees, 1), 6.0, sps=sps):
        for tray, counts in ((balance.left, sample.left), (balance.right, sample.right)):
            assert counts is not None
            tray.cell.take(sample.mono_s, counts)
            if not tray.known and (flat := tray.rest()) is not None:
                tray.begin(flat)
        if sample.mono_s > 4.1:
            fall.look(sample.mono_s)
    return fall.low


@pytest.mark.parametrize("stop", [25.0, 35.0, 45.0])
@pytest.mark.parametrize("sense", [-1, 1])
def test_a_beam_that_springs_back_shows_its_stop(stop: float, sense: int) -> None:
    """Beyond that angle nothing but cards can be missing."""
    fell = [(4.0, 0.0), (4.3, stop), (4.42, stop * 0.85), (4.6, stop), (9.0, stop)]
    low = low_after(eased(*[(t, sense * degrees) for t, degrees in fell]))
    angle = math.degrees(math.acos(1 + low))
    assert stop < angle < stop + 6


def test_a_beam_that_only_sinks_has_no_stop_yet() -> None:
    """It may still go further."""
    low = low_after(eased((4.0, 0.0), (5.2, 20.0), (6.5, 40.0)))
    assert low == STEEPEST_SHARE


def test_a_second_fall_is_not_bound_by_the_first() -> None:
    """It swings back over level and falls to the other side, deeper than before."""
    keys = [(4.0, 0.0), (4.3, 20.0), (4.6, 0.0), (4.9, -45.0), (5.02, -38.0), (5.2, -45.0)]
    low = low_after(eased(*keys, (9.0, -45.0)))
    assert math.degrees(math.acos(1 + low)) > 45


def test_slow_cells_tell_nothing_of_a_stop() -> None:
    """What lasts a tenth of a second is smeared by their filter."""
    keys = [(4.0, 0.0), (4.3, 35.0), (4.42, 30.0), (4.6, 35.0), (9.0, 35.0)]
    assert low_after(eased(*keys), sps=10) == STEEPEST_SHARE
