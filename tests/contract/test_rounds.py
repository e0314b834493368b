"""A whole round of four people comes to the same rulings whatever way the readings take, and
cables that come and go spoil none of them. `make bench` pulls a hundred cables."""

from pathlib import Path
from typing import Any

import pytest

from companion.bench.cables import WITHIN_S, CableThief, slowest_news
from companion.bench.rounds import PlayedRound, play_round
from companion.cli import main
from companion.journal.history import History
from sim.board import SimulatedTable
from sim.party import NAMES, Plan
from sim.pins import VirtualTime
from tests.contract.fingers import Fingers
from tests.contract.machines import MACHINES, set_up

SEED = 8
"""A short round with a spill."""


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> PlayedRound:
    """The round as the simulator itself delivers it, sample by sample."""
    journal = tmp_path_factory.mktemp("rounds") / "sim.sqlite"
    return play_round("sim", journal, seed=SEED, sps=10)


@pytest.mark.parametrize("board", list(MACHINES))
def test_a_round_at_a_board_is_ruled_as_on_the_simulator(
    board: str, simulated: PlayedRound, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the command itself: from its options and settings, through the board's own adapter, to the
    display, on which everything that people tell is tapped."""
    assert any(ruling["ruling"] == "spill" for ruling in simulated.rulings)
    assert len(simulated.decisions) > 40
    assert simulated.wrong == 0
    time = VirtualTime()
    table = SimulatedTable(Plan(seed=SEED, players=NAMES[:4], sps=10, rounds=1), time)
    with set_up(board, time, table, tmp_path) as options:
        fingers = Fingers(table, time)
        with fingers.at_the_display():
            main(["play", *options, "--game", "tippo", "--display"])
    assert fingers.told_everything
    assert "On the table: " in capsys.readouterr().out
    with History(tmp_path / "journal.sqlite") as history:
        game = history.game(1)
    rulings = [ruling for act in game.acts for ruling in act.rulings]
    played = PlayedRound(rulings, dict(game.game.scores), [], [], [], time.mono())
    assert said_with_its_card(played.decisions) == said_with_its_card(simulated.decisions)
    assert played.scores == simulated.scores


def said_with_its_card(decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """On the display a wild's colour is tapped after its card, and is then a ruling of its own."""
    return [ruling for ruling in decisions if ruling["ruling"] != "choose_colour"]


@pytest.mark.parametrize("board", ["pins", "pty"])
def test_cables_that_come_and_go_during_a_round_change_no_ruling(
    board: str, tmp_path: Path
) -> None:
    """Cells, both, and the Pico's port, which comes back under another name."""
    thief = CableThief(10, every_s=6.0)
    played = play_round(board, tmp_path / "c.sqlite", seed=SEED, sps=10, trouble=thief.begin)
    assert len(thief.pulls) == 10
    assert played.faults
    assert any(ruling["ruling"] == "spill" for ruling in played.truth)
    assert played.decisions
    assert played.wrong == 0
    assert slowest_news(thief.pulls, played) <= WITHIN_S
