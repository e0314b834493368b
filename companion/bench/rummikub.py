"""The package rummikub-solver as an independent judge of Rummy Up without wilds.

Its rules are set to ours: numbers to 12, no wilds in play, no first meld of 30 points. It knows
no loose tiles and no limit of four.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from companion.games.cards import WILD, Card, Colour
from companion.games.rummy_up.board import Board
from companion.games.rummy_up.melds import Meld, formable
from companion.games.rummy_up.tiles import COPIES, FACES, HIGHEST, WILDS


class Peer:
    """The rule set of rummikub-solver, asked with our tiles.

    Raises:
        ImportError: the package is not installed (extra `peers`).
    """

    def __init__(self) -> None:
        self._package: Any = import_module("rummikub_solver")
        self._rules = self._package.RuleSet(
            numbers=HIGHEST, jokers=WILDS, min_len=3, min_initial_value=1
        )

    def lays_all(self, tiles: Iterable[Card]) -> bool:
        """Whether all these tiles can lie in melds at once."""
        found = self._rules.arrange_table(self._state(tiles, ()))
        _let_go_of_threads()
        return found is not None

    def most(self, table: Iterable[Card], rack: Iterable[Card]) -> int:
        """How many tiles of the rack can be played at most, without a limit."""
        found = self._rules.solve(self._state(table, rack), self._package.SolverMode.TILE_COUNT)
        _let_go_of_threads()
        return len(found.tiles) if found else 0

    def _state(self, table: Iterable[Card], rack: Iterable[Card]) -> Any:
        state = self._rules.new_game()
        state.add_table(*map(_number, table))
        state.add_rack(*map(_number, rack))
        return state


def _let_go_of_threads() -> None:
    """HiGHS has one set of threads for a whole process: as many as its first user asked for.

    The peer asks for all processors; our search, which asks for one, would be refused after it.
    """
    import highspy

    highspy.Highs.resetGlobalScheduler(True)


def _number(face: Card) -> int:
    """The peer counts tiles from 1, colour by colour."""
    assert face.colour is not None
    assert face.number is not None
    return list(Colour).index(face.colour) * HIGHEST + face.number


PLAIN = tuple(face for face in FACES if face != WILD)


@cache
def melds(wilds: int) -> tuple[Meld, ...]:
    """Every meld of up to six tiles and so many wilds."""
    tiles = Counter({**dict.fromkeys(PLAIN, COPIES), WILD: wilds})
    return tuple(meld for meld in formable(tiles, longest_with_wild=6) if len(meld) <= 6)


def random_table(random: Random, tiles: int, wilds: int = 0) -> tuple[Board, list[Card]]:
    """A board of about so many tiles, wilds among them, and the rest of the set, shuffled."""
    left = [face for face in FACES for _ in range(wilds if face == WILD else COPIES)]
    board: list[Meld] = []
    for meld in random.choices(melds(min(wilds, 1)), k=40 * tiles):
        faces = [tile.face for tile in meld]
        if len(faces) + sum(map(len, board)) <= tiles and all(map(left.__contains__, faces)):
            for face in faces:
                left.remove(face)
            board.append(meld)
    random.shuffle(left)
    return Board(tuple(board)), left
