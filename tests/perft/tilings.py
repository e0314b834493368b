"""Every way to split tiles into groups of three or more, with every meaning of the wilds.

Plain combinatorics, used by both sides of the Rummy Up perft; it knows no rule but that a group
of fewer than three is not worth trying.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

Table = tuple[tuple[str, ...], ...]


def place(tile: str) -> tuple[int, str]:
    """Tiles of a group are written by number, then colour, wilds as what they stand for."""
    name = tile.removeprefix("W=")
    return int(name[1:]), name[:1]


def tables(tiles: Sequence[str], meanings: Sequence[str]) -> frozenset[Table]:
    """Every table of exactly these tiles, its groups in one order."""
    return _tables(tuple(sorted(tiles)), tuple(meanings))


@cache
def _tables(tiles: tuple[str, ...], meanings: tuple[str, ...]) -> frozenset[Table]:
    wilds = tiles.count("W")
    real = [tile for tile in tiles if tile != "W"]
    found: set[Table] = set()
    for meant in product(meanings, repeat=wilds):
        named = [*real, *(f"W={name}" for name in meant)]
        for groups in _partitions(tuple(range(len(named)))):
            written = (
                tuple(sorted((named[index] for index in group), key=place)) for group in groups
            )
            found.add(tuple(sorted(written)))
    return frozenset(found)


def subsets(tiles: Sequence[str]) -> set[tuple[str, ...]]:
    """Every choice of some of the tiles, equal ones counted once."""
    return {
        tuple(sorted(choice))
        for size in range(len(tiles) + 1)
        for choice in combinations(tiles, size)
    }


def _partitions(items: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not items:
        yield ()
        return
    first, rest = items[0], items[1:]
    for size in range(2, len(rest) + 1):
        for others in combinations(rest, size):
            left = tuple(item for item in rest if item not in others)
            for groups in _partitions(left):
                yield ((first, *others), *groups)
