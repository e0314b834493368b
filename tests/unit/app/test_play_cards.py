"""`tippo play` without a scale: simulated people play a whole game, which the journal keeps."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.clock import PacedClock
from companion.journal.history import History
from sim.card_table import CardPlan, CardTable
from sim.party import NAMES
from tests.unit.app.test_play import tippo

PLAY = ("play", "--board", "sim", "--headless", "--speed", "0")


@pytest.mark.parametrize(("game", "target"), [("classic", 150), ("battle", 60), ("rummy_up", 60)])
def test_a_whole_game_is_played_and_nothing_is_refused(
    game: str, target: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the table accepted is exactly what the people tapped, and there is a winner."""
    journal, settings = tmp_path / "journal.sqlite", tmp_path / "tippo.toml"
    settings.write_text(f"[table.options]\ntarget = {target}\n", encoding="utf-8")
    where = ("--journal", str(journal), "--settings", str(settings))
    assert tippo(*PLAY, "--game", game, "--people", "4", "--seed", "5", *where) == 0
    assert "wins the game!" in capsys.readouterr().out
    clock = PacedClock(0)
    table = CardTable(CardPlan(game, 5, NAMES[:4], options={"target": target}), clock)
    tapped = []
    while not table.finished:
        tapped += [_told(tap) for tap in table.taps()]
        clock.sleep(1.0)
    with History(journal) as history:
        acts = history.game(1).acts
    assert [_told(act.command) for act in acts] == tapped


def _told(command: Any) -> bytes:
    fields: dict[str, Any] = msgspec.to_builtins(command)
    fields.pop("t", None)
    return msgspec.json.encode(fields)


def test_a_person_cannot_sit_among_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert tippo(*PLAY, "--game", "classic", "--people", "2", "--with", "Zoe") == 2
    assert "among themselves" in capsys.readouterr().err


def test_their_game_cannot_be_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody remembers the cards; the companion says so."""
    game = (*PLAY, "--game", "classic", "--people", "2", "--rounds", "1")
    journal = ("--journal", str(tmp_path / "journal.sqlite"))
    assert tippo(*game, *journal) == 0
    assert tippo(*game, *journal, "--resume") == 1
    assert "forgotten their cards" in capsys.readouterr().err
