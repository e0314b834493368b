"""The board of a Rummy Up table, and what changed from one board to the next.

This module never says whether a change is allowed: see `judge`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.cards import WILD, Card
from companion.games.rummy_up.melds import Meld
from companion.games.rummy_up.tiles import BareWild, Tile, as_itself

WrittenMeld: TypeAlias = tuple[Tile | BareWild, ...]
"""A meld as a player gave it: a wild in it may not say yet what it stands for."""


@dataclass(frozen=True, slots=True)
class Board:
    """The melds, and the face-up tiles that nobody has used yet (R2)."""

    melds: tuple[Meld, ...] = ()
    loose: tuple[Card, ...] = ()

    @property
    def faces(self) -> Counter[Card]:
        """How often each tile lies in a meld."""
        return Counter(tile.face for meld in self.melds for tile in meld)

    def count(self, face: Card) -> int:
        """How often this one tile lies in a meld."""
        if face == WILD:
            return sum(tile.wild for meld in self.melds for tile in meld)
        tile = as_itself(face)
        return sum(meld.count(tile) for meld in self.melds)


@dataclass(frozen=True, slots=True)
class Change:
    """What a new set of melds does to a board (protocol, fine print 31)."""

    broken: tuple[Meld, ...]
    """The old melds that do not lie there just so any more."""
    touched: tuple[int, ...]
    """The new melds, by their index, that did not lie there just so before."""
    added: tuple[Card, ...]
    """Tiles that lie in melds and did not: from the rack, or loose before."""
    missing: tuple[Card, ...]
    """Tiles that lay in a meld and lie in none now."""
    rack_tiles: tuple[Card, ...]
    """Those of the added that came from the rack."""
    from_rack: tuple[tuple[Card, ...], ...]
    """For each new meld, the tiles in it that came from the rack."""
    loose: tuple[Card, ...]
    """The face-up tiles that are still unused."""


def change(board: Board, melds: Sequence[WrittenMeld]) -> Change:
    """What came from the rack, what is missing and what stays loose under the new `melds`."""
    broken, touched = _touched(board.melds, melds)
    new = [tile.face for index in touched for tile in melds[index]]
    added, missing = _without(new, [tile.face for meld in broken for tile in meld])
    from_rack, loose = _without(added, board.loose)
    return Change(
        broken=broken,
        touched=touched,
        added=tuple(added),
        missing=tuple(missing),
        rack_tiles=tuple(from_rack),
        from_rack=_places(broken, touched, melds, Counter(from_rack)),
        loose=tuple(loose),
    )


def _touched(
    old: Sequence[Meld], new: Sequence[WrittenMeld]
) -> tuple[tuple[Meld, ...], tuple[int, ...]]:
    """The old melds that lie no longer, and the new ones, by index, that did not: the others
    have nothing to do with the turn, and are most of a board."""
    broken: list[WrittenMeld] = list(old)
    touched: list[int] = []
    for index, meld in enumerate(new):
        if meld in broken:
            broken.remove(meld)
        else:
            touched.append(index)
    return tuple(broken), tuple(touched)  # type: ignore[arg-type]  # of the old melds


def _without(faces: Iterable[Card], others: Iterable[Card]) -> tuple[list[Card], list[Card]]:
    """What is left of the `faces`, and of the `others`, once equal ones have been paired."""
    rest, unpaired = [], list(others)
    for face in faces:
        if face in unpaired:
            unpaired.remove(face)
        else:
            rest.append(face)
    return rest, unpaired


def common(meld: Iterable[Tile | BareWild], other: Iterable[Tile | BareWild]) -> int:
    """How many tiles two melds have in common; a wild is the same only where it stands for it."""
    return (Counter(meld) & Counter(other)).total()


def _likeness(meld: WrittenMeld, other: WrittenMeld) -> int:
    """Twice the tiles that two melds have in common; a wild that stands for another counts once."""
    faces, others = Counter(tile.face for tile in meld), Counter(tile.face for tile in other)
    return common(meld, other) + (faces & others).total()


def _places(
    old: Sequence[Meld], touched: Sequence[int], new: Sequence[WrittenMeld], rack: Counter[Card]
) -> tuple[tuple[Card, ...], ...]:
    """Where each tile from the rack lies: a copy that lies beside its old companions is old."""
    from_rack: list[list[Card]] = [[] for _ in new]
    goes_on: Mapping[int, int] | None = None
    for face, count in rack.items():
        places = [(index, tile) for index in touched for tile in new[index] if tile.face == face]
        kept: Collection[int] = ()
        if len(places) > count:
            goes_on = _goes_on(old, touched, new) if goes_on is None else goes_on
            kept = _kept(face, places, old, new, goes_on)
        others = [index for place, (index, _) in enumerate(places) if place not in kept]
        for index in others[len(others) - count :]:
            from_rack[index].append(face)
    return tuple(map(tuple, from_rack))


def _goes_on(
    old: Sequence[Meld], touched: Sequence[int], new: Sequence[WrittenMeld]
) -> Mapping[int, int]:
    """The new meld, by its index, as which each old one goes on, one for one (protocol, 31).

    It is the one that is most like it; of several the shortest, then the one that is least like
    other old melds.
    """
    likeness = {
        (home, index): alike
        for home, meld in enumerate(old)
        for index in touched
        if (alike := _likeness(meld, new[index]))
    }
    of_home, of_new = Counter[int](), Counter[int]()
    for (home, index), alike in likeness.items():
        of_home[home] += alike
        of_new[index] += alike

    def rank(pair: tuple[int, int]) -> tuple[int, ...]:
        home, index = pair
        lengths = len(old[home]) + len(new[index])
        return (-likeness[pair], lengths, of_home[home] + of_new[index], *pair)

    goes_on: dict[int, int] = {}
    for home, index in sorted(likeness, key=rank):
        if home not in goes_on and index not in goes_on.values():
            goes_on[home] = index
    return goes_on


def _kept(
    face: Card,
    places: Sequence[tuple[int, Tile | BareWild]],
    old: Sequence[Meld],
    new: Sequence[WrittenMeld],
    goes_on: Mapping[int, int],
) -> Collection[int]:
    """Which of the `places` of a face hold the copies that lay in an old meld.

    Each old copy is the one that lies among most tiles of its old meld, of several the one where
    that meld goes on; but a wild that still stands for the same tile has not moved (protocol,
    fine print 33).
    """
    lay = [(home, tile) for home, meld in enumerate(old) for tile in meld if tile.face == face]
    claims = [
        (tile == lying, common(old[home], new[index]), goes_on.get(home) == index, -copy, -place)
        for copy, (home, tile) in enumerate(lay)
        for place, (index, lying) in enumerate(places)
    ]
    kept: dict[int, int] = {}
    for *_, copy, place in sorted(claims, reverse=True):
        if -copy not in kept.values() and -place not in kept:
            kept[-place] = -copy
    return kept
