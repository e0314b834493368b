"""What changed on a Rummy Up board: which tiles came from the rack, and where they lie."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, permutations, product
from random import Random
from typing import Any

import pytest

from companion.games.cards import parse
from companion.games.referee import Refusal
from companion.games.rummy_up.board import Board, change
from companion.games.rummy_up.judge import flaw_of_copies, read_melds
from companion.games.rummy_up.tiles import FACES, TILES, Tile, copies, parse_laid
from companion.games.rummy_up.wilds import unreplaced


def melds(text: str) -> tuple[tuple[Tile, ...], ...]:
    read = read_melds([meld.split() for meld in text.split("|")] if text else [])
    assert not isinstance(read, Refusal)
    return tuple(tuple(tile for tile in meld if isinstance(tile, Tile)) for meld in read)


def test_there_are_a_hundred_tiles_and_each_survives_being_written_and_read_back() -> None:
    """R1."""
    assert sum(map(copies, FACES)) == TILES == 100
    for face in FACES:
        assert parse(str(face)) == face
        for text in (str(face), f"W={face}"):
            if text == "W=W":
                continue
            assert str(parse_laid(text)) == text


@pytest.mark.parametrize("text", ["", "W=", "W=W", "r5", "R0", "R13", "R+2", "?", "W=W=R5", "R5 "])
def test_text_that_is_no_tile_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="is no tile"):
        parse_laid(text)


@pytest.mark.parametrize(
    ("old", "loose", "new", "from_rack"),
    [
        # A tile that is added to an old meld, and a new meld.
        ("R1 R2 R3", "", "R1 R2 R3 R4|G9 B9 Y9", "R4|G9 B9 Y9"),
        # Loose tiles go first; of two equal ones the first place has the loose one.
        ("", "R4", "R4 R5 R6|R4 Y4 G4", "R5 R6|R4 Y4 G4"),
        # Moved tiles are not from the rack.
        ("R1 R2 R3 R4|R5 R6 R7", "", "R1 R2 R3|R4 R5 R6 R7|Y1 Y2 Y3", "||Y1 Y2 Y3"),
        # Of two equal tiles the one among old companions is the old one, wherever it is written.
        ("R4 R5 R6", "", "R5 Y5 G5|R4 R5 R6", "R5 Y5 G5|"),
        ("R4 R5 R6", "", "R4 R5 R6|R5 Y5 G5", "|R5 Y5 G5"),
        ("R1 R2 R3 R4 R5 R6", "", "R5 G5 B5|R1 R2 R3|R4 R5 R6", "R5 G5 B5||"),
        # A wild that still stands for its tile is the old one.
        ("R4 W=R5 R6", "", "W=R8 R9 R10|R4 W=R5 R6", "W R9 R10|"),
        ("R4 W=R5 R6", "", "R4 R5 R6|Y1 Y2 W=Y3|G1 G2 W=G3", "R5|Y1 Y2|G1 G2 W"),
        # Only as many wilds that stand for a tile are old as stood for it before.
        (
            "B1 W=B2 B3 W=B4 B5",
            "",
            "B1 B2 B3 W=B4 B5 W=B6|W=B4 B5 B6",
            "B2|W B5 B6",
        ),
        ("R4 W=R5 R6", "", "W=R5 Y5 G5|R4 W=R5 R6", "W Y5 G5|"),
        # Each old meld goes on as one new meld, and what that has more is new in it.
        ("Y5 R5 G5|B5 R5 Y5", "", "Y5 R5 G5 B5|B5 R5 Y5 G5", "B5|G5"),
        ("Y5 R5 G5|B5 R5 Y5", "", "Y5 R5 G5 B5|Y5 R5 G5 W=B5", "G5|W"),
        ("Y5 R5 G5|B5 R5 Y5", "", "Y5 R5 G5 W=B5|Y5 R5 G5 B5", "W|G5"),
        ("Y5 R5 G5|W=R5 Y5 G5", "", "R5 Y5 G5 B5|R5 Y5 G5 W=B5", "B5|R5"),
    ],
)
def test_rack_tiles_count_where_they_are_new(
    old: str, loose: str, new: str, from_rack: str
) -> None:
    """R10, and in a draw between equal places the last of them."""
    board = Board(melds(old), tuple(map(parse, loose.split())))
    found = change(board, melds(new)).from_rack
    assert [sorted(map(str, faces)) for faces in found] == [
        sorted(part.split()) for part in from_rack.split("|")
    ]


def sets_of_five() -> list[tuple[str, ...]]:
    """Every set of 5s, with a wild or without."""
    sets = []
    for size in (3, 4):
        for colours in combinations("RYGB", size):
            real = [f"{colour}5" for colour in colours]
            sets += [
                tuple(real),
                *((*real[:i], f"W={real[i]}", *real[i + 1 :]) for i in range(size)),
            ]
    return sets


def tiles_of(table: tuple[tuple[str, ...], ...]) -> Counter[str]:
    return Counter(text[0] if "=" in text else text for meld in table for text in meld)


def grown(sets: list[tuple[str, ...]]) -> list[tuple[Any, Any]]:
    """Two of the sets, and two that may come of them with one to four tiles from the rack."""
    tables = [
        (table, tiles)
        for table in combinations_with_replacement(sets, 2)
        if flaw_of_copies(map(parse, (tiles := tiles_of(table)).elements())) is None
    ]
    return [
        (old, new)
        for (old, lay), (new, lie) in product(tables, repeat=2)
        if lay < lie and (lie - lay).total() <= 4
    ]


def added(old: tuple[tuple[str, ...], ...], new: tuple[tuple[str, ...], ...]) -> Counter[Any]:
    """The new melds, whatever their order, each with its tiles from the rack."""
    before, after = (melds("|".join(map(" ".join, table))) for table in (old, new))
    from_rack = change(Board(before), after).from_rack
    return Counter(
        (meld, *sorted(map(str, faces))) for meld, faces in zip(new, from_rack, strict=True)
    )


def test_the_order_of_old_and_new_melds_does_not_say_where_rack_tiles_are_new() -> None:
    """R10, protocol 31."""
    for old, new in Random(31).sample(grown(sets_of_five()), 300):
        found = added(old, new)
        for lay, lie in product(permutations(old), permutations(new)):
            assert added(lay, lie) == found, (old, new)


def test_rack_tiles_are_what_each_new_meld_has_more_than_the_old_one() -> None:
    """R10, protocol 31: the old melds go on as those new ones which differ least from them."""
    for old, new in grown([meld for meld in sets_of_five() if "W" not in tiles_of((meld,))]):
        ways = []
        for going_on in permutations(new):
            more = [Counter(meld) - Counter(home) for home, meld in zip(old, going_on, strict=True)]
            laid = Counter(
                (meld, *sorted(one.elements())) for meld, one in zip(going_on, more, strict=True)
            )
            ways.append((sum(one.total() for one in more), laid))
        least = min(total for total, _ in ways)
        assert added(old, new) in [laid for total, laid in ways if total == least], (old, new)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("R4 W=R5 R6", "R4 W=R5 R6", None),
        ("R4 W=R5 R6", "R4 R5 R6|Y1 W=Y2 Y3", None),
        ("R4 W=R5 R6", "R4 Y4 G4|R6 Y6 W=B6", "W=R5"),
        # Into a meld that another run joined: the place is taken all the same.
        ("R3 W=R4 R5|R6 R7 R8", "R3 R4 R5 R6 R7 R8|Y1 W=Y2 Y3", None),
        ("R3 W=R4 R5|R1 R2 R3", "R1 R2 R3 R4 R5|R3 Y3 W=G3", None),
        # Into which a longer run moved that brought the exact tile along.
        ("R1 R2 W=R3|R3 R4 R5 R6", "R1 R2 R3 R4 R5 R6|W=B10 B11 B12", None),
        ("R9 W=Y9 G9|Y9 Y10 Y11 Y12", "R9 G9 Y9|Y10 Y11 Y12|G1 W=G2 G3", None),
        # The run was split afterwards: the exact tile lies beside one old companion.
        ("R3 W=R4 R5 R6 R7", "R2 R3 R4|R5 R6 R7|Y1 W=Y2 Y3", None),
        # A tile that stayed in its own meld has not taken the place.
        ("R3 R4 R5 W=R6|R5 R6 R7", "R3 R4 R5|R5 R6 R7 R8|Y1 W=Y2 Y3", "W=R6"),
        ("R3 R4 R5 W=R6|R6 Y6 G6", "R3 R4 R5|R6 Y6 G6|Y1 W=Y2 Y3", "W=R6"),
        ("R3 R4 R5 W=R6|R6 Y6 G6 B6", "R3 R4 R5 R6|Y6 G6 B6|Y1 W=Y2 Y3", None),
        # With as many companions from here as from there it has taken the place.
        ("R3 W=R4 R5|R3 R4 R5", "R3 R4 R5 R6|R3 B3 G3|R5 B5 G5|Y1 W=Y2 Y3", None),
        # Sets: any missing colour, beside an old companion.
        ("R9 W=Y9 G9", "R9 G9 B9|Y1 W=Y2 Y3", None),
        ("R9 W=Y9 G9", "R9 G9 B9 W=Y9", None),
        ("R9 W=Y9 G9", "R9 W=B9 G9 Y9", None),
        ("R9 W=Y9 G9", "R9 W=B9 G9", "W=Y9"),
        ("R9 W=Y9 G9", "R9 R10 R11|G9 G10 G11|Y9 B9 W=R9", "W=Y9"),
        ("R9 W=Y9 G9 B9", "R9 G9 B9|Y1 W=Y2 Y3", "W=Y9"),
        # Two equal wilds: one that stays, one that was replaced; each needs a tile of its own.
        ("R4 W=R5 R6|W=R5 Y5 G5", "R4 W=R5 R6|B5 Y5 G5|Y1 W=Y2 Y3", None),
        ("R4 W=R5 R6|W=R5 Y5 G5", "R4 R5 R6|R5 Y5 G5|Y1 W=Y2 Y3|G1 W=G2 G3", None),
        ("R4 W=R5 R6|W=R5 R6 R7", "R4 R5 R6|R6 Y6 G6|R7 Y7 G7|Y1 W=Y2 Y3|G1 W=G2 G3", "W=R5"),
    ],
)
def test_a_wild_that_moved_leaves_its_place_to_a_tile(
    old: str, new: str, fault: str | None
) -> None:
    """R16."""
    found = unreplaced(melds(old), melds(new))
    assert (found and str(found.wild)) == fault
