"""What is slow to reckon must not keep a small machine from its next reading."""

import sys
from types import FrameType

from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from tests.unit.scale.kit import CARD_G, Signal, calibration, cards, press, rows, step, together


def work(left: Signal, right: Signal, scale: Calibration) -> int:
    """How many steps the judge reckons for these signals: its calls, of Python and of C."""
    samples, judge, calls = rows(left, right, 9, scale=scale), Judge(scale), 0

    def count(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for sample in samples:
            judge.feed(sample)
    finally:
        sys.setprofile(before)
    return calls


def test_a_pile_that_waits_to_be_believed_costs_in_proportion_to_its_cards() -> None:
    """It is looked at thirty times a second meanwhile, from the first hand on."""
    few, many = (
        work(together(step(3, count * CARD_G), press(3, 2, -5)), cards(3), calibration())
        for count in (8, 80)
    )
    assert many / 80 < 4 * few / 8


def test_two_who_play_at_once_where_no_switch_is_cost_no_search_for_a_dump() -> None:
    """Every pair of losses would be held against both trays, thirty times a second."""

    def both_play(lying: int) -> int:
        left = cards(lying, *(press(3 + 0.4 * i, 0.2, 20) for i in range(14)))
        right = cards(lying, *(press(3.2 + 0.4 * i, 0.2, 20) for i in range(14)))
        return work(left, right, calibration(tilt_switch=False))

    assert both_play(40) < 3 * both_play(4)
