"""Simulated tables with adversities through the judge alone: no spill missed, none invented."""

import pytest

from companion.bench.judge_table import OURS, watch

ONCE_WRONG = [
    # seed, samples a second, seconds, and what was hard in it
    (80, 80, 50.0),  # three cards fall, with the one just laid there, from a beam that comes back
    (72, 80, 210.0),  # hands clear one tray and then the other for a new round
    (105, 80, 100.0),  # the switch sticks as a card comes, and the scale spills later
]


@pytest.mark.parametrize(("seed", "sps", "seconds"), ONCE_WRONG)
def test_a_table_that_once_went_wrong_is_judged_right(seed: int, sps: int, seconds: float) -> None:
    """`make bench` watches two thousand of them; these stand for what was found there."""
    tally = watch(seed, sps, seconds).tallies[OURS]
    assert (tally.spills_missed, tally.spills_invented, tally.removed_invented) == (0, 0, 0)
    assert tally.spills + tally.blind_spills > 0
