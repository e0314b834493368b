"""What a run and a set are, and in words why some tiles are neither.

This module never compares two boards: it looks at one meld by itself.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import TypeAlias

from companion.games.cards import WILD, Card, Colour
from companion.games.rummy_up.tiles import HIGHEST, LOWEST, Tile

Meld: TypeAlias = tuple[Tile, ...]

SHORTEST = 3


def written(meld: Meld) -> str:
    """The meld as people read it in a sentence."""
    return " ".join(map(str, meld))


def is_set(meld: Meld) -> bool:
    """Whether the tiles have one number; a legal meld that has not is a run."""
    return len({tile.number for tile in meld}) == 1


def flaw(meld: Meld) -> tuple[str, str] | None:
    """What is wrong with a meld, as a sentence and its rule number, or None (R18, R20)."""
    if len(meld) < SHORTEST:
        name = written(meld) or "An empty meld"
        return f"{name} is too short: a meld has at least three tiles", "R20"
    if is_set(meld):
        return _flaw_of_set(meld)
    if len({tile.colour for tile in meld}) == 1:
        return _flaw_of_run(meld)
    return (
        f"{written(meld)} is neither a run of one colour nor a set of one number",
        "R20",
    )


def _flaw_of_set(meld: Meld) -> tuple[str, str] | None:
    colours = [tile.colour for tile in meld]
    doubled = next((tile for tile in meld if colours.count(tile.colour) > 1), None)
    if doubled is not None:
        return f"{written(meld)} has {doubled.real.spoken} twice: a set has each colour once", "R20"
    if sum(tile.wild for tile in meld) > 1:
        return f"{written(meld)} has two wilds: a set may hold one", "R18"
    return None


def _flaw_of_run(meld: Meld) -> tuple[str, str] | None:
    for before, after in pairwise(meld):
        if (before.number, after.number) == (HIGHEST, LOWEST):
            return f"{written(meld)} goes on from 12 to 1: a run does not wrap", "R20"
        if after.number != before.number + 1:
            return (
                f"{written(meld)} is no run: {after.real.spoken} does not follow "
                f"{before.real.spoken}",
                "R20",
            )
        if before.wild and after.wild:
            return f"{written(meld)} has two wilds side by side", "R18"
    return None


def formable(there: Counter[Card], longest_with_wild: int = HIGHEST) -> Iterator[Meld]:
    """Every legal meld that tiles which are `there` could form, as if each lay there twice.

    Runs with a wild are left out beyond a length, since there are very many of them.
    """
    yield from _sets(there)
    for colour in Colour:
        for first in range(LOWEST, HIGHEST - SHORTEST + 2):
            yield from _runs((), Tile(colour, first), there, longest_with_wild)


def _sets(there: Counter[Card]) -> Iterator[Meld]:
    """Every set, with a wild or without."""
    wild = there[WILD] > 0
    for number in range(LOWEST, HIGHEST + 1):
        tiles = [Tile(colour, number) for colour in Colour]
        lacking = {tile for tile in tiles if not there[tile.face]}
        if len(tiles) - len(lacking) + wild < SHORTEST:
            continue
        for size in range(SHORTEST, len(tiles) + 1):
            for real in combinations(tiles, size):
                missing = lacking.intersection(real)
                if not missing:
                    yield real
                for index, tile in enumerate(real):
                    if wild and missing <= {tile}:
                        stands_for = Tile(tile.colour, number, wild=True)
                        yield (*real[:index], stands_for, *real[index + 1 :])


def _runs(
    run: Meld, following: Tile, there: Counter[Card], longest_with_wild: int
) -> Iterator[Meld]:
    """The runs that go on from `run` with `following`, as itself or as a wild."""
    wilds = sum(tile.wild for tile in run)
    ways: list[Tile] = [following] if there[following.face] else []
    if wilds < there[WILD] and not (run and run[-1].wild):
        ways.append(Tile(following.colour, following.number, wild=True))
    for tile in ways:
        longer = (*run, tile)
        if (wilds or tile.wild) and len(longer) > longest_with_wild:
            continue
        if len(longer) >= SHORTEST:
            yield longer
        if tile.number < HIGHEST:
            after = Tile(tile.colour, tile.number + 1)
            yield from _runs(longer, after, there, longest_with_wild)
