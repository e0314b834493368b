"""A journal that cannot be used says clearly why."""

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from companion.chronicle import Form, show
from companion.errors import BadInput, JournalError
from companion.journal.history import History
from companion.journal.journal import Journal
from companion.journal.schema import SCHEMA_VERSION
from companion.table.table import Table
from companion.units import Tray
from tests.unit.journal import evening


def test_a_second_game_on_the_same_journal_is_refused(journal: Journal) -> None:
    with pytest.raises(JournalError, match="another game is running"):
        Journal.open(journal.path)


def test_history_can_be_read_while_a_game_is_running(journal: Journal) -> None:
    evening.play(journal)
    assert evening.first_game(journal).acts


@pytest.mark.parametrize("damage", ["head", "middle", "text"])
def test_a_damaged_journal_is_said_in_one_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.sqlite"
    for _ in range(10):
        with Journal.open(path) as journal:
            evening.play(journal)
    content = bytearray(path.read_bytes())
    match damage:
        case "head":
            content[:100] = b"x" * 100
        case "middle":
            content[4096 : len(content) // 2] = b"\x00" * (len(content) // 2 - 4096)
        case _:
            content = bytearray(b"this is a shopping list\n" * 50)
    path.write_bytes(bytes(content))
    with pytest.raises(JournalError, match=r"damaged|no journal") as raised:
        Journal.open(path)
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("written", ["", "null", "{}", "[1]", "NaN", '"x"', "[" * 9999, b"\xc5x"])
@pytest.mark.parametrize(
    "place",
    [
        "games.players",
        "games.start",
        "games.plan",
        "endings.scores",
        "inputs.body",
        "commands.body",
        "remarks.body",
    ],
)
def test_whatever_stands_in_a_damaged_journal_is_said_or_can_be_read(
    tmp_path: Path, place: str, written: str | bytes
) -> None:
    """Worn-out cards and pulled plugs: nothing is taken for what it should be."""
    path, (table, column) = tmp_path / "journal.sqlite", place.split(".")
    with Journal.open(path) as journal:
        evening.play(journal)
    database = sqlite3.connect(path)
    database.execute(f"DROP TRIGGER {table}_update")
    value = "CAST(? AS TEXT)" if isinstance(written, bytes) else "?"
    database.execute(f"UPDATE {table} SET {column} = {value}", (written,))
    database.commit()
    database.close()
    with Journal.open(path) as journal, suppress(JournalError):
        evening.resumed(journal)
    for form in Form:
        with suppress(JournalError):
            show(None, form, journal=path)
        with suppress(JournalError):
            show(1, form, journal=path)


def test_a_journal_of_a_newer_companion_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal.open(path).close()
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.close()
    with pytest.raises(JournalError, match="newer companion"):
        Journal.open(path)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(JournalError, match="no journal of this companion"):
        Journal.open(path)


def test_a_locked_journal_is_said(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        journal._database.execute("PRAGMA busy_timeout = 10")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked by another program"):
            evening.play(journal)
        other.execute("ROLLBACK")
        other.close()


def test_a_full_disk_is_said_and_the_step_can_be_written_again(tmp_path: Path) -> None:
    """Nothing of the step is in the journal, and once there is room all of it is."""
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        table = Table()
        given = list(evening.inputs())
        for one in given[:4]:
            evening.write(journal, table, one)
        pages = journal._database.execute("PRAGMA page_count").fetchone()[0]
        journal._database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="disk is full"):
            evening.play_on(journal, table, 40)
        before = evening.first_game(journal)
        journal._database.execute("PRAGMA max_page_count = 1000000")
        evening.write(journal, table, evening.placed(900.0, Tray.LEFT))
        assert len(evening.first_game(journal).events) == len(before.events) + 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(JournalError, match="--journal"):
        Journal.open(tmp_path / "deeper" / "journal.sqlite")


def test_a_place_that_is_no_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="--journal"):
        Journal.open(tmp_path / "file" / "journal.sqlite")


@pytest.mark.parametrize("number", [-1, 0, 2, 2**63, 10**30])
def test_a_game_that_was_never_played_is_said(journal: Journal, number: int) -> None:
    evening.play(journal)
    with History(journal.path) as history, pytest.raises(BadInput, match="there is no game"):
        history.game(number)


def test_a_missing_journal_has_no_history(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nothing has been played yet"):
        History(tmp_path / "journal.sqlite")


def test_an_empty_journal_has_no_history(tmp_path: Path) -> None:
    """What a plug pulled at the first start leaves; the next game makes it whole."""
    path = tmp_path / "journal.sqlite"
    path.touch()
    with pytest.raises(JournalError, match="nothing has been played yet"):
        History(path)
    with Journal.open(path), History(path) as history:
        assert history.games() == []
