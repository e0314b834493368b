"""Rummy Up without wilds, beside the package rummikub-solver (extra `peers`)."""

from random import Random

import pytest

from companion.bench.rummikub import PLAIN, Peer, melds, random_table
from companion.games.rummy_up.board import Board
from companion.games.rummy_up.finder import find_play
from companion.games.rummy_up.judge import LIMIT


@pytest.fixture(scope="module")
def peer() -> Peer:
    pytest.importorskip("rummikub_solver", reason="it is installed with the extra `peers`")
    return Peer()


def test_the_same_tiles_can_all_lie_in_melds(peer: Peer) -> None:
    """Boards: some random tiles more or less, so that about half of them can be laid."""
    random = Random(1)
    laid = 0
    for _ in range(40):
        board, left = random_table(random, random.randrange(3, 25))
        tiles = [*board.faces.elements(), *left[: random.randrange(2)]]
        found = find_play(Board(), tiles, limit=len(tiles))
        ours = found is not None and len(found.rack) == len(tiles)
        assert ours == peer.lays_all(tiles), tiles
        laid += ours
    assert 5 < laid < 35


@pytest.mark.parametrize("on_board", [0, 20, 60])
def test_something_can_be_played_where_the_peer_plays_something(peer: Peer, on_board: int) -> None:
    random = Random(on_board)
    for _ in range(12):
        board, left = random_table(random, on_board)
        rack = left[: random.randrange(1, 15)]
        theirs = peer.most(board.faces.elements(), rack)
        found = find_play(board, rack)
        ours = len(found.rack) if found else 0
        assert (ours > 0) == (theirs > 0)
        assert ours == theirs or (0 < ours <= LIMIT < theirs)
        unlimited = find_play(board, rack, limit=len(rack))
        assert (len(unlimited.rack) if unlimited else 0) == theirs


def test_every_meld_of_ours_is_one_of_the_peers(peer: Peer) -> None:
    assert len(PLAIN) == 48
    for meld in melds(0)[::20]:
        assert peer.lays_all([tile.face for tile in meld])
        assert not peer.lays_all([tile.face for tile in meld[:2]])
