"""What is slow to reckon must not keep a small machine from its next reading."""

import time

from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from tests.unit.scale.kit import CARD_G, Signal, calibration, cards, press, rows, step, together

SECONDS = 9


def spent_s(left: Signal, right: Signal, scale: Calibration) -> float:
    """The processor's time for these signals at 80 readings a second."""
    samples, judge = rows(left, right, SECONDS, scale=scale), Judge(scale)
    began_s = time.process_time()
    for sample in samples:
        judge.feed(sample)
    return time.process_time() - began_s


def test_a_pile_that_waits_to_be_believed_costs_no_more_the_more_cards_it_has() -> None:
    """It is looked at thirty times a second meanwhile, from the first hand on."""
    pile = together(step(3, 100 * CARD_G), press(3, 2, -5))
    assert spent_s(pile, cards(3), calibration()) < SECONDS / 8


def test_two_who_play_at_once_where_no_switch_is_cost_no_search_for_a_dump() -> None:
    """Every pair of losses would be held against both trays, thirty times a second."""
    left = cards(40, *(press(3 + 0.4 * i, 0.2, 20) for i in range(14)))
    right = cards(40, *(press(3.2 + 0.4 * i, 0.2, 20) for i in range(14)))
    assert spent_s(left, right, calibration(tilt_switch=False)) < SECONDS / 60
