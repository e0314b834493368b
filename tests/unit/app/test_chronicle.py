"""`tippo history` as people read it: in a terminal of any width, in the time of the place."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.chronicle import Form, show
from companion.journal.journal import Journal
from tests.unit.journal import evening


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as opened:
        evening.play(opened)
    return path


@pytest.fixture
def in_tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("width", [1, 20, 40, 71, 72, 80, 200])
def test_who_played_and_what_they_have_is_readable_at_any_width(
    journal: Path, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    show(None, Form.WORDS, journal=journal)
    told = capsys.readouterr().out
    letters = "".join(told.split())
    assert all(player in letters for player in evening.PLAYERS)
    assert "finished" in letters
    assert max(map(len, told.splitlines())) <= width


@pytest.mark.usefixtures("in_tokyo")
def test_a_game_began_when_the_clock_on_the_wall_said_so(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The journal itself keeps the time of the world (UTC)."""
    monkeypatch.setenv("COLUMNS", "60")
    show(None, Form.WORDS, journal=journal)
    assert "2024-05-02 03:00" in capsys.readouterr().out
