"""The engine accepts exactly what an independent enumeration of the rules counts."""

import pytest

from tests.perft.perft import Case, cases, count

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}: {case.name}")
def test_the_referee_accepts_as_many_sequences_as_the_rules_allow(case: Case) -> None:
    found = [count(case, depth) for depth in range(1, len(case.counts) + 1)]
    assert found == list(case.counts), case.about
