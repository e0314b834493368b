"""A Rummy Up board while somebody rearranges it: tiles are picked up, put down, and read as melds.

A value; what the referee says to the finished board is for the referee.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.games.commands import EffectText
from companion.games.rummy_up.board import Board, Change, WrittenMeld, change, common
from companion.games.rummy_up.melds import Meld, flaw, formable
from companion.games.rummy_up.tiles import Tile, parse_laid
from companion.games.rummy_up.turn import choices


@dataclass(frozen=True, slots=True)
class InMeld:
    """A tile of a meld that is picked up."""

    meld: int
    index: int


@dataclass(frozen=True, slots=True)
class OffBoard:
    """A tile that is picked up from the rack, or from the loose ones."""

    tile: str


Picked: TypeAlias = InMeld | OffBoard


@dataclass(frozen=True, slots=True)
class Draft:
    """The melds as they lie now, in their text form, and the tile in somebody's hand."""

    melds: tuple[tuple[str, ...], ...]
    picked: Picked | None = None
    effects: tuple[tuple[str, EffectText], ...] = ()
    """Chosen so far, for melds in which rack tiles bring several (R10)."""
    asking: bool = False
    """The board is finished; only effects are still to be chosen."""

    @classmethod
    def of(cls, board: Board) -> "Draft":
        """The board as it lies before the turn."""
        return cls(tuple(tuple(str(tile) for tile in meld) for meld in board.melds))

    @property
    def picked_tile(self) -> str | None:
        match self.picked:
            case InMeld():
                return self.melds[self.picked.meld][self.picked.index]
            case OffBoard():
                return self.picked.tile
            case None:
                return None

    def picking(self, picked: Picked | None) -> "Draft":
        """The same board with this tile in the hand."""
        return replace(self, picked=picked)

    def put(self, meld: int | None) -> "Draft":
        """The picked tile goes to this meld; None: it begins a new one."""
        tile = self.picked_tile
        if tile is None:
            return self
        moved = "W" if tile.startswith("W") else tile
        melds = list(self._without_picked())
        if meld is None:
            melds.append((moved,))
        else:
            melds[meld] = arranged((*melds[meld], moved))
        return Draft(tuple(tiles for tiles in melds if tiles))

    def taken_off(self) -> "Draft":
        """The picked tile goes back where it came from before the turn."""
        return Draft(tuple(tiles for tiles in self._without_picked() if tiles))

    def _without_picked(self) -> tuple[tuple[str, ...], ...]:
        if not isinstance(self.picked, InMeld):
            return self.melds
        source = self.melds[self.picked.meld]
        rest = arranged(source[: self.picked.index] + source[self.picked.index + 1 :])
        return (*self.melds[: self.picked.meld], rest, *self.melds[self.picked.meld + 1 :])

    def choosing(self, meld: int, effect: EffectText) -> "Draft":
        return replace(self, effects=(*self.effects, (str(meld), effect)))


def written(draft: Draft) -> tuple[WrittenMeld, ...]:
    """The melds for the referee's own questions."""
    return tuple(tuple(parse_laid(tile) for tile in meld) for meld in draft.melds)


def changed(board: Board, draft: Draft) -> Change:
    """What the draft takes from the rack and from the loose tiles."""
    return change(board, written(draft))


def open_choices(board: Board, draft: Draft) -> dict[int, frozenset[EffectText]]:
    """The melds whose effect is still to be chosen."""
    known = dict(draft.effects)
    offered = choices(changed(board, draft).from_rack)
    return {index: effects for index, effects in offered.items() if str(index) not in known}


def moved(board: Board, melds: Sequence[Meld]) -> tuple[frozenset[Tile], ...]:
    """For each new meld the tiles that did not lie there before.

    A meld lies where most of it lay; what two melds come from is the place of the larger part.
    """
    shared = [
        (common(meld, home), -k, -h)
        for k, meld in enumerate(melds)
        for h, home in enumerate(board.melds)
    ]
    homes: dict[int, Meld] = {}
    taken: set[int] = set()
    for count, k, h in sorted(shared, reverse=True):
        if count and -k not in homes and -h not in taken:
            homes[-k] = board.melds[-h]
            taken.add(-h)
    return tuple(frozenset(meld) - frozenset(homes.get(k, ())) for k, meld in enumerate(melds))


def is_legal(tiles: tuple[str, ...]) -> bool:
    """True for a run or a set."""
    meld = tuple(tile for tile in map(parse_laid, tiles) if isinstance(tile, Tile))
    return len(meld) == len(tiles) and flaw(meld) is None


def arranged(tiles: tuple[str, ...]) -> tuple[str, ...]:
    """The tiles as a run or a set, if they are one, wilds saying what they stand for.

    Otherwise by colour and number. Of several readings the one is taken in which most wilds
    stand for what they stood for.
    """
    there = Counter(parse_laid(tile).face for tile in tiles)
    readings = [meld for meld in formable(there) if Counter(t.face for t in meld) == there]
    if readings:
        best = max(readings, key=lambda meld: _kept(meld, tiles))
        return tuple(str(tile) for tile in best)
    return tuple(sorted(tiles, key=_place))


def _kept(meld: Meld, tiles: tuple[str, ...]) -> int:
    return sum((Counter(str(tile) for tile in meld) & Counter(tiles)).values())


def _place(tile: str) -> tuple[int, str, int]:
    laid = parse_laid(tile)
    if isinstance(laid, Tile):
        return int(laid.wild), laid.colour.value, laid.number
    return 2, "", 0
