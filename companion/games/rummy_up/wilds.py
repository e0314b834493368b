"""Wilds that moved on the Rummy Up board, and the tiles that took their places (R16).

This module never looks at racks: where the tile in a wild's place came from does not matter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from companion.games.cards import Colour
from companion.games.rummy_up.board import common
from companion.games.rummy_up.melds import Meld, is_set
from companion.games.rummy_up.tiles import Tile


@dataclass(frozen=True, slots=True)
class Vacated:
    """A place in an old meld from which a wild has moved."""

    wild: Tile
    home: Meld
    fillers: frozenset[Tile]
    """The tiles that may take the place: the exact one, in a set one of any missing colour."""

    @classmethod
    def by(cls, wild: Tile, home: Meld) -> "Vacated":
        if not is_set(home):
            return cls(wild, home, frozenset((wild.real,)))
        taken = {companion.colour for companion in home if not companion.wild}
        missing = (Tile(colour, wild.number) for colour in Colour if colour not in taken)
        return cls(wild, home, frozenset(missing))

    def filled_by(self, meld: Meld, old: Sequence[Meld]) -> tuple[Tile, ...]:
        """The tiles of a new meld that may count as having taken this place.

        Such a tile lies beside an old companion of the wild, and has not just stayed where it
        was: a tile that lay in another meld, and still lies among more companions from there
        and no others from here, has not moved.
        """
        if self.fillers.isdisjoint(meld):
            return ()
        beside = Counter(meld) & Counter(self.home)
        if not beside:
            return ()
        return tuple(
            tile
            for tile in meld
            if tile in self.fillers
            and not any(
                beside <= Counter(other) and common(meld, other) - 1 > beside.total()
                for other in old
                if tile in other
            )
        )


def unreplaced(old: Sequence[Meld], new: Sequence[Meld]) -> Vacated | None:
    """A place that a wild has left and no tile has taken, or None.

    A wild has moved when no meld with its old `W=x` is left (protocol, fine print 33). Where
    two wilds stood for the same tile and one has moved, it is the one that was replaced.
    """
    stray: Vacated | None = None
    for places in vacated(old, Counter(tile for meld in new for tile in meld if tile.wild)):
        slots = [
            {(index, tile) for index, meld in enumerate(new) for tile in place.filled_by(meld, old)}
            for place in places
        ]
        if _each_has_its_own(slots):
            return None
        stray = stray or next(
            (place for place, taken in zip(places, slots, strict=True) if not taken), places[0]
        )
    return stray


def vacated(old: Sequence[Meld], left: Counter[Tile]) -> Iterator[tuple[Vacated, ...]]:
    """The places left empty if these wilds are `left`: one way, or more for equal wilds."""
    homes: dict[Tile, list[Meld]] = {}
    for home in old:
        for tile in home:
            if tile.wild:
                homes.setdefault(tile, []).append(home)
    ways = [
        combinations([Vacated.by(wild, home) for home in places], max(0, len(places) - left[wild]))
        for wild, places in homes.items()
    ]
    for chosen in product(*ways):
        yield tuple(place for places in chosen for place in places)


def _each_has_its_own(slots: Sequence[Iterable[tuple[int, Tile]]]) -> bool:
    return any(len(set(choice)) == len(choice) for choice in product(*slots))
