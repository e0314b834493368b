"""`tippo find`: what can be played in Rummy Up with the tiles of a rack."""

import json

import pytest

from companion.games.rummy_up.melds import flaw
from companion.games.rummy_up.tiles import Tile, parse_laid
from tests.unit.app.test_play import tippo


def test_it_says_which_tiles_and_how_the_board_then_lies(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert tippo("find", "R6", "B1", "--meld", "R3 R4 R5") == 0
    assert capsys.readouterr().out == "Play R6, so that the board is\n  R3 R4 R5 R6\n"


def test_it_says_when_nothing_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert tippo("find", "B1", "--meld", "R3 R4 R5") == 0
    assert capsys.readouterr().out == "Nothing can be played: draw.\n"
    assert tippo("find", "B1", "--json") == 0
    assert capsys.readouterr().out == "null\n"


def test_its_json_is_the_table_of_a_meld_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert tippo("find", "R6,W", "--meld", "R3,R4,R5", "--loose", "B9", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found["rack"]) == ["R6", "W"]
    for meld in found["table"]:
        tiles = tuple(tile for tile in map(parse_laid, meld) if isinstance(tile, Tile))
        assert len(tiles) == len(meld)
        assert flaw(tiles) is None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["R13"], "'R13' is no tile: tiles are R1 to R12,"),
        (["R1", "--loose", "Q"], "'Q' is no tile"),
        (["R1", "--meld", "R3 R4"], "--meld 'R3 R4': R3 R4 is too short"),
        (["R1", "--meld", "R3 R4 G5"], "is neither a run of one colour nor a set of one number"),
        (["R1", "--meld", "W R4 R5"], "a wild must say which tile it stands for, as in W=R5"),
        (["R1", "--meld", "R3 R4 Z5"], "'Z5' is no tile of Rummy Up"),
        (["R1", "R1", "R1"], "There are only 2 tiles like the red 1 in the set (R1)."),
        (["R1", "--limit", "0"], "0 is not in the range"),
        ([], "Missing argument"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tippo("find", *arguments) == 2
    assert complaint in capsys.readouterr().err
