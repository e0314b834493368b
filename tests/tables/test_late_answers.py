"""People set the scale up before they answer: what they say of a spill is no less true then."""

from pathlib import Path

import pytest

from companion.table.outcomes import Asked, Doubt
from companion.table.table import SpillVerdict
from tests.tables import script
from tests.tables.test_answers import ANSWERS

ABOUT_A_SPILL = (Doubt.TIPPED_BY_IT, Doubt.WHO_TIPPED, Doubt.FELL_OUT)
ASKED = [
    path
    for path in ANSWERS
    if any(f"asks {doubt}" in path.read_text(encoding="utf-8") for doubt in ABOUT_A_SPILL)
]


def answered(path: Path, which: int, *, reset_first: bool) -> tuple[SpillVerdict | None, str]:
    """The last spill and whose turn it is when the question of a hand-written table about a spill
    has got one of its answers, with the scale set up again before or after it."""
    lines = script.read(path)
    table = script.begin(lines)
    question = next(
        outcome.question
        for _, given, _ in lines.steps
        for outcome in table.feed(given)
        if isinstance(outcome, Asked) and outcome.question.doubt in ABOUT_A_SPILL
    )
    at_s = table.now + 8.0
    answer = f'tap {{"do": "answer", "question": {question.number}, "answer": "%s"}}'
    said = [answer % question.answers[which], 'tap {"do": "reset"}']
    for k, one in enumerate(reversed(said) if reset_first else said):
        table.feed(script.given(f"{at_s + k} {one}"))
    assert table.state is not None
    return table.last_spill, str(table.state.turn)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("path", ASKED, ids=lambda path: path.stem)
def test_an_answer_about_a_spill_counts_the_same_before_and_after_the_reset(
    path: Path, which: int
) -> None:
    """Who pays, for what, and whose turn it is then (T21, T23)."""
    before, turn = answered(path, which, reset_first=False)
    after, turn_after = answered(path, which, reset_first=True)
    assert turn_after == turn
    if before is None:
        assert after is None
        return
    assert after is not None
    assert (after.payer, after.count, after.trays) == (before.payer, before.count, before.trays)
