"""The table's defined answers, one hand-written table each."""

from pathlib import Path

import pytest

from tests.tables import script

ANSWERS = sorted((Path(__file__).parent / "answers").glob("*.txt"))


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_a_table_answers_as_it_is_written(path: Path) -> None:
    """Each input of a hand-written table is answered exactly as the lines below it say."""
    for line, expected, answers in script.played(script.read(path)):
        assert answers == expected, line
