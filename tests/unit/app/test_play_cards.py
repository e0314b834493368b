"""`tippo play` without a scale: people play a whole game, which the journal keeps."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from companion.errors import JournalError
from companion.journal.history import History
from sim.card_table import CardPlan, evening
from sim.party import NAMES
from tests.unit.app.test_play import tippo

SIM = ("play", "--board", "sim", "--headless")
GAMES = ("classic", "battle", "rummy_up")


def start(*arguments: str) -> subprocess.Popen[str]:
    """The command in a process of its own, with a display that nobody sees."""
    return subprocess.Popen(
        [sys.executable, "-m", "companion.cli", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
    )


def killed_after(told: int, *arguments: str, by: signal.Signals = signal.SIGKILL) -> str:
    """Plays in a process of its own that is killed once it has told so much; its last words."""
    playing = start(*arguments)
    assert playing.stdout is not None
    for _ in range(told):
        playing.stdout.readline()
    playing.send_signal(by)
    return playing.communicate()[0]


def rulings(path: Path) -> list[object]:
    with History(path) as history:
        return [(act.command, act.rulings) for act in history.game(1).acts]


@pytest.mark.parametrize(("game", "target"), [("classic", 100), ("battle", 25), ("rummy_up", 40)])
def test_a_whole_game_is_played_and_nothing_is_refused(
    game: str, target: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the table accepted is exactly what the people tapped, and there is a winner."""
    journal, settings = tmp_path / "journal.sqlite", tmp_path / "tippo.toml"
    settings.write_text(f"[table.options]\ntarget = {target}\n", encoding="utf-8")
    where = ("--journal", str(journal), "--settings", str(settings))
    chosen = ("--game", game, "--people", "4", "--seed", "5", "--speed", "0")
    assert tippo(*SIM, *chosen, *where) == 0
    assert "wins the game!" in capsys.readouterr().out
    plan = CardPlan(game, 5, NAMES[:4], options={"target": target})
    with History(journal) as history:
        acts = history.game(1).acts
    told = (msgspec.json.encode(command) for command, _ in evening(plan))
    assert [act.command for act in acts] == list(map(msgspec.json.decode, told))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_whose_companion_was_killed_goes_on_as_if_it_had_not_been(
    game: str, tmp_path: Path
) -> None:
    """Nothing is lost: with --resume the same game is played to the same end."""
    path, other = str(tmp_path / "journal.sqlite"), str(tmp_path / "other.sqlite")
    chosen = ("--game", game, "--people", "3", "--seed", "9", "--rounds", "1")
    killed_after(20, *SIM, *chosen, "--speed", "200", "--journal", path)
    assert tippo(*SIM, "--people", "3", "--resume", "--speed", "0", "--journal", path) == 0
    assert tippo(*SIM, *chosen, "--speed", "0", "--journal", other) == 0
    assert rulings(Path(path)) == rulings(Path(other))


def test_a_person_sits_among_them_and_finds_their_cards_again(tmp_path: Path) -> None:
    """The others deal and play until it is the person's turn; the game goes on after kill -9."""
    path = tmp_path / "journal.sqlite"
    display = ("play", "--board", "sim", "--display", "--speed", "0", "--journal", str(path))
    chosen = ("--game", "classic", "--people", "2", "--with", "Zoe")
    playing = start(*display, *chosen)
    while not path.exists() or not acts_in(path):
        assert playing.poll() is None
        threading.Event().wait(0.05)
    playing.kill()
    playing.communicate()
    said = killed_after(1, *display, "--resume", by=signal.SIGINT)
    assert "Round 1 (Zoe 0, Ann 0, Ben 0) stands as it is" in " ".join(said.split())


def acts_in(path: Path) -> int:
    """How many acts the journal holds, none while it is only being made."""
    try:
        with History(path) as history:
            return len(history.game(1).acts) if history.games() else 0
    except JournalError:
        return 0
