"""Twenty whole evenings as their tables heard them: every payer, play and score as in the truth."""

import pytest

from companion.bench.tables import payers_of, plays_of, scores_of, told_in_the_end
from companion.table.inputs import decode_input
from companion.table.table import Table
from companion.table.taps import Mode
from tests.golden.keep_evenings import Kept, evenings


@pytest.mark.parametrize("evening", list(evenings()), ids=lambda evening: f"seed {evening.seed}")
def test_a_table_referees_an_evening_as_the_truth_is(evening: Kept) -> None:
    """2 to 10 people, full and quick, cells of 10 and 80 samples a second."""
    table = Table(Mode(evening.mode))
    outcomes = [one for line in evening.inputs for one in table.feed(decode_input(line))]
    rulings = told_in_the_end(outcomes)
    assert payers_of(rulings) == evening.payers
    assert plays_of(rulings, quick=evening.mode == "quick") == evening.plays
    assert scores_of(rulings) == evening.scores
