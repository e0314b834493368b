"""Finds a legal play for a Rummy Up rack on a board, or says for certain that there is none.

It never applies a play and never sees another player's rack.

The question is an integer program after Den Hertog and Hulshof, "Solving Rummikub Problems by
Integer Linear Programming" (The Computer Journal 49(6), 2006): one variable for each meld that
could lie on the board, one equation for each tile. HiGHS solves it: a search of our own over
runs and sets would be exact for plain tiles, but the places of moved wilds (R16) tie melds far
apart together, which a linear row says in one line and a sweep over the numbers cannot. It is a
small wheel for 64-bit Pis too; on a 32-bit one there is none, and the search says so.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Any

import msgspec

from companion.errors import Refused
from companion.games.cards import WILD, Card
from companion.games.rummy_up.board import Board, change
from companion.games.rummy_up.judge import LIMIT, flaw_of_board
from companion.games.rummy_up.melds import Meld, formable, written
from companion.games.rummy_up.tiles import COPIES, FACES, HIGHEST, Tile
from companion.games.rummy_up.wilds import Vacated

UNSPLIT = 5
"""The longest run that cannot be split in two; longer ones matter where no wild or R16 does."""

INFINITE = float("inf")

# What makes one play better than another, in this order: more tiles from the rack, more old
# melds left as they are, fewer melds.
_RACK_TILE, _OLD_MELD, _ANY_MELD = 400.0, 8.0, -1.0


@dataclass(frozen=True, slots=True)
class Found:
    """A legal arrangement: the whole new board, and the tiles that the rack gives to it."""

    melds: tuple[Meld, ...]
    rack: tuple[Card, ...]

    @property
    def table(self) -> tuple[tuple[str, ...], ...]:
        """The arrangement as the field of a `meld` command."""
        return tuple(tuple(map(str, meld)) for meld in self.melds)


def find_play(board: Board, rack: Iterable[Card], *, limit: int = LIMIT) -> Found | None:
    """A legal play, or None if nothing at all can be played.

    It is the play of most tiles among those that move the fewest wilds. After a draw the only
    tile that may be played is the drawn one (R5): it is then the whole `rack`.

    Raises:
        Refused: the package that searches is not installed on this machine.
    """
    problem = _Problem(board, Counter(rack), limit)
    chosen = problem.solve()
    if chosen is None:
        return None
    melds = _in_order(board.melds, chosen)
    changed = change(board, melds)
    legal = flaw_of_board(board.melds, melds, changed)
    assert isinstance(legal, tuple), f"the search and the judge disagree: {legal}"
    return Found(legal, changed.rack_tiles)


def told(found: Found | None) -> str:
    """What was found, for people: the tiles to play, and the board as it lies then."""
    if found is None:
        return "Nothing can be played: draw."
    board = "\n".join(f"  {written(meld)}" for meld in found.melds)
    return f"Play {' '.join(map(str, found.rack))}, so that the board is\n{board}"


def told_as_json(found: Found | None) -> str:
    """The same for programs: `rack`, and `table` as in a `meld` command; `null` for nothing."""
    if found is None:
        return "null"
    fields = {"rack": [str(tile) for tile in found.rack], "table": found.table}
    return msgspec.json.encode(fields).decode()


def _in_order(old: Sequence[Meld], melds: Iterable[Meld]) -> tuple[Meld, ...]:
    """Melds that stayed as they were keep their places, changed ones follow."""
    left = Counter(melds)
    stayed = [meld for meld in old if left[meld] > 0 and not left.subtract((meld,))]
    return (*stayed, *left.elements())


_SEARCH: Mapping[str, Any] = MappingProxyType(
    {
        "output_flag": False,
        "threads": 1,
        # Presolving such programs takes ten times as long as solving them (`tippo bench`).
        "presolve": "off",
        # The best may be missed by 3 %, less than one of up to 30 rack tiles is worth.
        "mip_rel_gap": 0.03,
    }
)
"""How the package searches."""


@dataclass(slots=True)
class _Program:
    """A mixed integer program, column by column and row by row."""

    costs: list[float] = field(default_factory=list)
    uppers: list[float] = field(default_factory=list)
    row_lowers: list[float] = field(default_factory=list)
    row_uppers: list[float] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    indices: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def column(self, upper: float, cost: float = 0.0) -> int:
        """An integer from 0 to `upper`; its index."""
        self.costs.append(cost)
        self.uppers.append(upper)
        return len(self.costs) - 1

    def row(self, lower: float, terms: Iterable[tuple[int, float]], upper: float) -> None:
        for index, value in terms:
            self.indices.append(index)
            self.values.append(value)
        self.starts.append(len(self.indices))
        self.row_lowers.append(lower)
        self.row_uppers.append(upper)

    def maximum(self) -> list[int] | None:
        """The values of the best solution's columns, or None if there is no solution.

        Raises:
            Refused: the package that searches is not installed on this machine.
        """
        try:
            import highspy
        except ImportError as error:
            raise Refused(
                "What can be played cannot be searched here: the package highspy is missing; "
                "`pip install highspy` brings it where it is to be had."
            ) from error
        program = highspy.HighsLp()
        program.sense_ = highspy.ObjSense.kMaximize
        program.num_col_ = len(self.costs)
        program.num_row_ = len(self.row_lowers)
        program.col_cost_ = self.costs
        program.col_lower_ = [0.0] * len(self.costs)
        program.col_upper_ = self.uppers
        program.integrality_ = [highspy.HighsVarType.kInteger] * len(self.costs)
        program.row_lower_ = self.row_lowers
        program.row_upper_ = self.row_uppers
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = self.starts
        program.a_matrix_.index_ = self.indices
        program.a_matrix_.value_ = self.values
        # `highspy.Highs` prints a banner when it is made, which would break a stream on
        # standard output; the class that it wraps does not.
        highs = highspy._Highs()  # type: ignore[attr-defined]  # missing in the package's stubs
        for name, value in _SEARCH.items():
            highs.setOptionValue(name, value)
        highs.passModel(program)
        highs.run()
        if highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            return None
        assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return [round(value) for value in highs.getSolution().col_value]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A meld that could lie on the new board, with what its wilds mean."""

    meld: Meld
    wilds: tuple[Tile, ...]
    fills: tuple[tuple[int, Tile], ...]
    """Places that a wild may have left (R16), each with a tile that takes it."""

    def makes_a_difference(self, moved: tuple[int, ...]) -> bool:
        """Whether two shorter runs could not do as well."""
        short = len(self.meld) <= UNSPLIT or not self.wilds
        return short or any(index in moved for index, _ in self.fills)


class _Problem:
    """The programs of one board and one rack: one for each choice of the wilds that move."""

    def __init__(self, board: Board, rack: Counter[Card], limit: int) -> None:
        self.board, self.rack, self.limit = board, rack, limit
        self.on_table = board.faces
        self.loose = Counter(board.loose)
        self.places = [Vacated.by(tile, meld) for meld in board.melds for tile in meld if tile.wild]

    def solve(self) -> list[Meld] | None:
        """The melds of the best legal board, or None."""
        melds = self._solve_with((), self._candidates(UNSPLIT))
        if melds is not None or not self.places:
            return melds
        candidates = self._candidates(HIGHEST)
        filled = {index for candidate in candidates for index, _ in candidate.fills}
        for size in range(1, len(filled) + 1):
            for moved in combinations(sorted(filled), size):
                melds = self._solve_with(moved, candidates)
                if melds is not None:
                    return melds
        return None

    def _candidates(self, longest_with_wild: int) -> list[_Candidate]:
        """The melds that could lie on the new board."""
        there = self.on_table + self.loose + self.rack
        melds = dict.fromkeys((*self.board.melds, *formable(there, longest_with_wild)))
        return [self._candidate(meld) for meld in melds]

    def _candidate(self, meld: Meld) -> _Candidate:
        return _Candidate(
            meld,
            tuple(tile for tile in meld if tile.wild),
            tuple(
                (index, tile)
                for index, place in enumerate(self.places)
                for tile in place.filled_by(meld, self.board.melds)
            ),
        )

    def _solve_with(
        self, moved: tuple[int, ...], possible: Sequence[_Candidate]
    ) -> list[Meld] | None:
        """The best board on which just these wilds may have moved, and all others stay `W=x`."""
        staying = Counter(
            place.wild for index, place in enumerate(self.places) if index not in moved
        )
        free = len(moved) + self.loose[WILD] + self.rack[WILD]
        old = set(self.board.melds)
        candidates = [
            candidate
            for candidate in possible
            if sum(not staying[tile] for tile in candidate.wilds) <= free
            and (candidate.meld in old or candidate.makes_a_difference(moved))
        ]
        if not candidates:
            return None
        program = _Program()
        for candidate in candidates:
            stays = candidate.meld in old
            program.column(COPIES, _ANY_MELD + (_OLD_MELD if stays else 0.0))
        self._tile_rows(program, candidates)
        for wild, count in staying.items():
            holding = [(i, 1.0) for i, other in enumerate(candidates) if wild in other.wilds]
            program.row(count, holding, INFINITE)
        _place_rows(program, candidates, moved)
        values = program.maximum()
        if values is None:
            return None
        return [
            candidate.meld
            for candidate, count in zip(candidates, values, strict=False)
            for _ in range(count)
        ]

    def _tile_rows(self, program: _Program, candidates: Sequence[_Candidate]) -> None:
        """Each tile of the melds stays, loose tiles go first, the rack gives 1 to `limit`."""
        uses: dict[Card, list[tuple[int, float]]] = {face: [] for face in FACES}
        for column, candidate in enumerate(candidates):
            for face, count in Counter(tile.face for tile in candidate.meld).items():
                uses[face].append((column, count))
        given: list[tuple[int, float]] = []
        for face, terms in uses.items():
            loose, rack = self.loose[face], min(self.rack[face], self.limit)
            if rack:
                given.append((program.column(rack, _RACK_TILE), 1.0))
                terms.append((given[-1][0], -1.0))
            if loose:
                terms.append((program.column(loose), -1.0))
            if loose and rack:
                used_up = program.column(1)
                program.row(0.0, ((used_up, rack), (given[-1][0], -1.0)), rack)
                program.row(0.0, ((terms[-1][0], 1.0), (used_up, -loose)), loose)
            program.row(self.on_table[face], terms, self.on_table[face])
        program.row(1.0, given, self.limit)


def _place_rows(
    program: _Program, candidates: Sequence[_Candidate], moved: tuple[int, ...]
) -> None:
    """Each place that a wild has left is taken by a tile of its own (R16).

    By Hall's theorem there is one for each exactly when every group of places has at least as
    many tiles that take one of them.
    """
    for size in range(1, len(moved) + 1):
        for group in combinations(moved, size):
            filling = [
                (column, float(len({tile for index, tile in other.fills if index in group})))
                for column, other in enumerate(candidates)
            ]
            program.row(size, [term for term in filling if term[1]], INFINITE)
