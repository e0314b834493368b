"""`tippo play` as people start it: a whole round, interrupted and gone on with, no display."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.clock import SystemClock
from companion.games.commands import Start
from companion.journal.history import History
from companion.journal.journal import Board, Journal
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Tap
from companion.units import MonoSeconds
from sim.party import NAMES, Party, Plan

PLAY = [
    *("play", "--board", "sim", "--people", "3", "--sps", "10", "--seed", "7"),
    *("--rounds", "1", "--headless"),
]


def tippo(*arguments: str) -> int:
    """Runs the command in this process; answers with its exit code."""
    try:
        main(list(arguments))
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_a_round_is_played_narrated_and_kept_like_the_truth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Simulated people play a round; the journal's scores are the simulator's truth."""
    path = tmp_path / "journal.sqlite"
    assert tippo(*PLAY, "--speed", "0", "--journal", str(path)) == 0
    told = capsys.readouterr().out
    assert "Ann, Ben, Cleo sit down." in told
    party = Party(Plan(seed=7, players=NAMES[:3], sps=10, rounds=1))
    while not party.finished:
        party.advance(party.now_s + 5.0)
    scores = next(line for line in party.truth() if line["truth"] == "scores")
    with History(path) as history:
        game = history.games()[0]
    assert game.scores == scores["scores"]
    assert game.board == "simulated scale, seed 7"
    assert tippo("history", "--json", "--journal", str(path)) == 0
    assert json.loads(capsys.readouterr().out)[0]["players"] == ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize("what", [b"no database at all", b""])
def test_a_damaged_journal_is_kept_and_a_new_one_begun_unless_it_was_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: bytes
) -> None:
    """Where nobody named it there is nobody who could name another; nothing is lost."""
    path, settings = tmp_path / "evenings.sqlite", tmp_path / "tippo.toml"
    settings.write_text(f'[files]\njournal = "{path}"\n')
    path.write_bytes(what)
    named = tippo(*PLAY, "--speed", "0", "--journal", str(path))
    assert named == (1 if what else 0)
    assert tippo(*PLAY, "--speed", "0", "--settings", str(settings)) == 0
    told = " ".join(capsys.readouterr().out.split())
    kept = list(tmp_path.glob("evenings.sqlite.damaged-*"))
    assert [each.read_bytes() for each in kept] == [what] * bool(what)
    assert ("and a new one begins" in told) is bool(what)
    with History(path) as history:
        assert history.games()


def test_a_game_that_was_ended_by_a_signal_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    """Ctrl-C ends the loop cleanly; with --resume the same game is played to the same end."""
    path, other = tmp_path / "journal.sqlite", tmp_path / "other.sqlite"
    command = [sys.executable, "-m", "companion.cli", *PLAY, "--journal", str(path)]
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    playing = subprocess.Popen(
        [*command, "--speed", "40"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert playing.stdout is not None
    for line in playing.stdout:
        if "plays" in line:
            break
    playing.send_signal(signal.SIGINT)
    rest, complaint = playing.communicate()
    assert playing.returncode == 0, complaint
    assert complaint == ""
    assert "--resume" in rest
    assert tippo(*PLAY, "--speed", "0", "--journal", str(path), "--resume") == 0
    assert tippo(*PLAY, "--speed", "0", "--journal", str(other)) == 0
    assert _rulings(path) == _rulings(other)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_machine_or_a_terminal_that_is_closed_ends_it_cleanly(
    tmp_path: Path, number: signal.Signals
) -> None:
    told = _ended_by(number, tmp_path, "env")
    assert "--resume" in told


def test_who_was_told_not_to_heed_the_terminal_plays_on(tmp_path: Path) -> None:
    """That is what `nohup` asks for."""
    told = _ended_by(signal.SIGHUP, tmp_path, "nohup", signal.SIGTERM)
    assert "--resume" in told


def _ended_by(
    number: signal.Signals, folder: Path, how: str, then: signal.Signals | None = None
) -> str:
    """What was told at the end of a slow evening that `number` ends, or only `then`."""
    cards = ["play", "--board", "sim", "--game", "classic", "--people", "3", "--headless", "--new"]
    command = [how, sys.executable, "-m", "companion.cli", *cards]
    playing = subprocess.Popen(
        [*command, "--journal", str(folder / "journal.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert playing.stdout is not None
    assert "sit down" in playing.stdout.readline()
    playing.send_signal(number)
    if then is not None:
        with pytest.raises(subprocess.TimeoutExpired):
            playing.wait(0.5)
        playing.send_signal(then)
    told, complaint = playing.communicate()
    assert playing.returncode == 0, complaint
    return told


@pytest.mark.parametrize("game", ["tippo", "classic"])
def test_a_simulated_table_of_another_version_is_not_gone_on_with(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it would need to be made again does not stand in its plan."""
    path, table = tmp_path / "journal.sqlite", Table()
    given = Tap(MonoSeconds(1.0), Start(game=game, players=("Ann", "Ben")))
    board = Board("simulated scale", simulated=True, plan={"game": game, "dice": 6})
    with Journal.open(path) as journal:
        step = Step(given, tuple(table.feed(given)))
        journal.write([step], table.entries, wall=SystemClock().wall(), board=board)
    assert tippo("play", "--board", "sim", "--resume", "--headless", "--journal", str(path)) == 1
    assert "--new" in capsys.readouterr().err


def _rulings(path: Path) -> list[object]:
    with History(path) as history:
        return [(act.command, act.rulings) for act in history.game(1).acts]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["play", "--headless"], "which board is on the table?"),
        (["play", "--board", "sim", "--people", "1", "--headless"], "a game needs two people"),
        (["play", "--board", "sim", "--size", "big"], "--size is for example 1024x600"),
        (["play", "--board", "sim", "--size", "99999x99999"], "between 320x240 and 8192x8192"),
        (["play", "--board", "sim", "--size", "800x1"], "between 320x240 and 8192x8192"),
        (["play", "--board", "pico", "--headless"], "tippo calibrate"),
        (["play", "--board", "sim", "--resume", "--headless"], "there is no unfinished game"),
        (["play", "--board", "none", "--headless"], "tapping the display, and there is none"),
        (["play", "--board", "sim", "--headless"], "tapping the display, and there is none"),
        ([*PLAY[:3], "--people", "1", "--with", "Zoe", "--headless"], "and there is none here"),
        (
            [*PLAY[:3], "--game", "classic", "--people", "1", "--with", "Zoe", "--headless"],
            "none here",
        ),
        (["history"], "nothing has been played yet"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert tippo(*arguments) in (1, 2)
    said = capsys.readouterr().err
    assert complaint in said
    assert "Traceback" not in said


def test_a_recording_is_refused_in_the_middle_of_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It could not be replayed: what was played before is not in it."""
    where = ("--journal", str(tmp_path / "journal.sqlite"), "--headless")
    assert tippo("record", str(tmp_path / "rec"), "--board", "sim", *where, "--resume") == 2
    assert "a recording begins with its game" in capsys.readouterr().err
    assert not (tmp_path / "rec").exists()
