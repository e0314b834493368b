"""A journal of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite") as opened:
        yield opened
