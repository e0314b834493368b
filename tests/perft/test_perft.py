"""The engine accepts exactly what an independent enumeration of the rules counts."""

import pytest

from tests.perft.perft import Case, cases, counts

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}: {case.name}")
def test_the_referee_accepts_as_many_sequences_as_the_rules_allow(case: Case) -> None:
    assert counts(case) == list(case.counts), case.about
