"""A journal that may be read and not written: on a stick, in a backup, of another user."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.errors import JournalError
from companion.journal.history import History
from companion.journal.journal import Journal
from tests.unit.journal import evening

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that others may enter, too."""
    with TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o755)
        yield path


@contextmanager
def only_reading(folder: Path, rights: int) -> Iterator[None]:
    """As somebody who may do no more than the rights say; root may do anything."""
    for file in folder.iterdir():
        file.chmod(rights & 0o666)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


def played(folder: Path) -> Path:
    path = folder / "journal.sqlite"
    with Journal.open(path) as journal:
        evening.play(journal)
    return path


def test_the_games_of_a_journal_in_a_folder_that_cannot_be_written_are_listed(
    folder: Path,
) -> None:
    path = played(folder)
    left = sorted(path.parent.iterdir())
    with only_reading(folder, 0o444), History(path) as history:
        (game,) = history.games()
        assert history.game(game.number).acts
    assert sorted(path.parent.iterdir()) == left


def test_a_journal_that_cannot_be_written_is_read_also_while_somebody_else_plays(
    folder: Path,
) -> None:
    path = folder / "journal.sqlite"
    with Journal.open(path) as journal:
        evening.play(journal)
        with only_reading(folder, 0o644), History(path) as history:
            assert len(history.games()) == 1


def test_what_a_pulled_plug_left_beside_the_journal_is_said_where_it_cannot_be_joined(
    folder: Path,
) -> None:
    """A list without the last turns would be a wrong one."""
    backup = folder / "backup"
    backup.mkdir()
    path = folder / "journal.sqlite"
    with Journal.open(path) as journal:
        evening.play(journal)
        for name in ("journal.sqlite", "journal.sqlite-wal"):
            shutil.copy(folder / name, backup / name)
    with only_reading(backup, 0o444), pytest.raises(JournalError, match="copy both into") as raised:
        History(backup / path.name)
    assert "\n" not in str(raised.value)


def test_a_journal_that_may_not_be_read_says_nothing_of_writing(folder: Path) -> None:
    path = played(folder)
    with only_reading(folder, 0o000), pytest.raises(JournalError, match="cannot be opened: check"):
        History(path)
