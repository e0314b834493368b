"""A whole round of four people comes to the same rulings whatever way the readings take, and
cables that come and go spoil none of them. `make bench` pulls a hundred cables."""

from functools import cache
from pathlib import Path

import pytest

from companion.bench.cables import WITHIN_S, CableThief, slowest_news
from companion.bench.rounds import PlayedRound, play_round

SEED = 8
"""A short round with a spill."""


@cache
def round_on(board: str, folder: Path) -> PlayedRound:
    return play_round(board, folder / f"{board}.sqlite", seed=SEED, sps=10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rounds")


@pytest.mark.parametrize("board", ["pins", "pty"])
def test_a_round_on_a_board_is_ruled_as_on_the_simulator(board: str, folder: Path) -> None:
    simulated, played = round_on("sim", folder), round_on(board, folder)
    assert any(ruling["ruling"] == "spill" for ruling in simulated.rulings)
    assert len(simulated.decisions) > 40
    assert played.decisions == simulated.decisions
    assert played.wrong == 0
    assert played.scores == simulated.scores
    # One honest word in a thousand ends in ten ones, and is not trusted while the load moves.
    assert len(played.faults) <= 2


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
