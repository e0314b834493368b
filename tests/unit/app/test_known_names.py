"""Names that have played before need not be typed again."""

import sqlite3
from pathlib import Path

import pytest

from companion.display.bodies import TypingBody
from companion.display.looking import Looking
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import ChooseGame, EditPlayer
from companion.evening import Evening
from companion.games.commands import Start
from companion.journal.journal import Board, Journal
from companion.sitting import Choices, play_evening
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Tap
from companion.units import MonoSeconds, WallUtc


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings that know nobody, and an empty journal."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def played(path: Path, *players: str, simulated: bool = False) -> None:
    """A game was begun by them."""
    table = Table()
    tap = Tap(MonoSeconds(0.0), Start(game="classic", players=players))
    step = Step(tap, tuple(table.feed(tap)))
    with Journal.open(path) as journal:
        journal.write(
            [step],
            table.entries,
            wall=WallUtc("2024-05-01T18:00:00.000+00:00"),
            board=Board("bench", simulated=simulated),
        )


@pytest.fixture
def sat_down(monkeypatch: pytest.MonkeyPatch) -> list[Evening]:
    """The evenings that would be spent."""
    evenings: list[Evening] = []
    monkeypatch.setattr("companion.sitting.spend", lambda evening, *_: evenings.append(evening))
    return evenings


def suggested(sat_down: list[Evening], path: Path, settings: Path | None = None) -> list[str]:
    """What is offered to whoever is about to type a name, at a table without a scale."""
    play_evening(Choices(board="none", journal=path, settings=settings, resume=False))
    looking = Looking(known_names=sat_down[-1].known_names)
    for look in (ChooseGame("classic"), EditPlayer(0)):
        looking = looking.after(look)
    body = view(Table(), looking, Surroundings(MonoSeconds(0.0))).body
    assert isinstance(body, TypingBody)
    return [choice.label for choice in body.suggestions]


def test_whoever_played_last_is_offered_first(sat_down: list[Evening], tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    assert suggested(sat_down, path) == []
    played(path, "Oma", "Opa")
    played(path, "Mia", "Oma")
    played(path, "Ann", "Ben", simulated=True)
    assert suggested(sat_down, path) == ["Mia", "Oma", "Opa"]


def test_names_of_the_settings_come_before_those_of_the_journal(
    sat_down: list[Evening], tmp_path: Path
) -> None:
    path, settings = tmp_path / "journal.sqlite", tmp_path / "settings.toml"
    settings.write_text('[table]\nplayers = ["Zoe", "Oma"]\n')
    played(path, "Mia", "Oma")
    assert suggested(sat_down, path, settings) == ["Zoe", "Oma", "Mia"]


def test_names_that_cannot_be_read_any_more_keep_nobody_from_playing(
    sat_down: list[Evening], tmp_path: Path
) -> None:
    path = tmp_path / "journal.sqlite"
    played(path, "Mia", "Oma")
    played(path, "Ann", "Ben")
    database = sqlite3.connect(path)
    database.execute("DROP TRIGGER games_update")
    database.execute("UPDATE games SET players = 'worn out' WHERE id = 1")
    database.commit()
    database.close()
    assert suggested(sat_down, path) == []
