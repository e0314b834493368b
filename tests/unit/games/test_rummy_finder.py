"""What can be played in Rummy Up: the search finds it, and only where there is something."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import Refused
from companion.games.cards import WILD, Card, parse
from companion.games.referee import Refusal
from companion.games.rummy_up.board import Board, change
from companion.games.rummy_up.finder import find_play
from companion.games.rummy_up.judge import flaw_of_board, read_melds
from companion.games.rummy_up.melds import Meld, formable
from companion.games.rummy_up.tiles import FACES, WILDS, Tile, copies

ALL_MELDS = tuple(formable(Counter({face: copies(face) for face in FACES})))


def board(*melds: str, loose: str = "") -> Board:
    read = read_melds([meld.split() for meld in melds])
    assert isinstance(read, tuple)
    written = (tuple(tile for tile in meld if isinstance(tile, Tile)) for meld in read)
    return Board(tuple(written), tuple(map(parse, loose.split())))


def faces(text: str) -> list[Card]:
    return list(map(parse, text.split()))


# --- an independent, slow search: every way to lay every choice of tiles ---------------------


@cache
def low_melds() -> tuple[tuple[Meld, Counter[Card]], ...]:
    """Every meld of tiles from 1 to 6, and a wild for a 7, with its tiles counted."""
    return tuple(
        (meld, Counter(tile.face for tile in meld))
        for meld in ALL_MELDS
        if all(tile.number <= 7 for tile in meld)
    )


def arrangements(
    tiles: Counter[Card], melds: Sequence[tuple[Meld, Counter[Card]]]
) -> Iterator[tuple[Meld, ...]]:
    """Every way to lay all these tiles in legal melds: the first tile is in some meld."""
    first = next((face for face in tiles.elements() if face != WILD), None)
    if first is None:
        if not tiles:
            yield ()
        return
    possible = [(meld, used) for meld, used in melds if used <= tiles]
    for meld, used in possible:
        if used[first]:
            for rest in arrangements(tiles - used, possible):
                yield (meld, *rest)


def something_fits(lying: Board, rack: list[Card], limit: int) -> bool:
    """Tries every choice of at most `limit` rack tiles with every choice of loose tiles."""
    for given_tiles in choices(Counter(rack)):
        if not 0 < given_tiles.total() <= limit:
            continue
        for loose in choices(Counter(lying.loose)):
            for melds in arrangements(lying.faces + given_tiles + loose, low_melds()):
                changed = change(lying, melds)
                legal = flaw_of_board(lying.melds, melds, changed)
                if not isinstance(legal, Refusal) and 0 < len(changed.rack_tiles) <= limit:
                    return True
    return False


def choices(tiles: Counter[Card]) -> Iterator[Counter[Card]]:
    if not tiles:
        yield Counter()
        return
    face, count = next(iter(tiles.items()))
    for rest in choices(Counter({other: n for other, n in tiles.items() if other != face})):
        for taken in range(count + 1):
            yield rest + Counter({face: taken})


def small_table(random: Random) -> tuple[Board, list[Card]]:
    """A board of two or three narrow melds with a few loose tiles, and a rack."""
    pool = Counter({face: copies(face) for face in FACES})
    melds: list[Meld] = []
    while len(melds) < random.choice((1, 2, 2, 3)):
        meld, used = random.choice(low_melds())
        if used <= pool and len(meld) <= 4 and all(tile.number <= 6 for tile in meld):
            pool -= used
            melds.append(meld)
    low = [face for face in pool.elements() if face == WILD or (face.number or 0) <= 6]
    random.shuffle(low)
    loose = random.choice((0, 0, 1, 2))
    return Board(tuple(melds), tuple(low[:loose])), low[loose : loose + random.choice((1, 1, 2))]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_a_play_is_found_exactly_where_an_exhaustive_search_finds_one(seed: int) -> None:
    lying, rack = small_table(Random(seed))
    found = find_play(lying, rack)
    assert (found is not None) == something_fits(lying, rack, limit=4)
    if found is not None:
        assert 1 <= len(found.rack) <= 4
        assert Counter(found.rack) <= Counter(rack)
        judged = read_melds(found.table)
        assert judged == found.melds
        assert found.melds == flaw_of_board(lying.melds, judged, change(lying, judged))


# --- single questions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lying", "rack", "played"),
    [
        (board(), "", None),
        (board(), "R1 R2", None),
        (board(), "R1 R2 R3", "R1 R2 R3"),
        (board(loose="R1 R2"), "R3", "R3"),
        (board(loose="R1 R2 R3"), "Y9", None),
        (board("R1 R2 R3"), "R4", "R4"),
        (board("R1 R2 R3"), "R5", None),
        # The middle of a run of six goes to a set only if both ends are long enough.
        (board("R1 R2 R3 R4 R5 R6 R7"), "Y4 G4", "Y4 G4"),
        (board("R1 R2 R3 R4 R5 R6"), "Y4 G4", None),
        # A wild may go where its place is taken by the exact tile (R16).
        (board("R4 W=R5 R6"), "R5 Y9 Y10", "R5 Y9 Y10"),
        (board("R4 W=R5 R6"), "Y9 Y10", None),
        # A play that moves no wild is preferred.
        (board("R9 W=Y9 G9"), "B9 Y1 Y2", "B9"),
        # Never more than four tiles (R6).
        (board(), "R1 R2 R3 R4 R5 R6", "R1 R2 R3 R4"),
    ],
)
def test_what_can_be_played(lying: Board, rack: str, played: str | None) -> None:
    found = find_play(lying, faces(rack))
    if played is None:
        assert found is None
    else:
        assert found is not None
        assert len(found.rack) == len(faces(played))


def test_after_a_draw_only_one_tile_is_looked_for() -> None:
    """R5: the drawn tile is the whole rack."""
    found = find_play(board("R1 R2 R3"), faces("R4"), limit=1)
    assert found is not None
    assert found.table == (("R1", "R2", "R3", "R4"),)


def test_melds_that_need_not_change_stay_where_they_are() -> None:
    found = find_play(board("G1 Y1 R1", "R4 R5 R6", "B7 B8 B9"), faces("R7"))
    assert found is not None
    assert found.table == (("G1", "Y1", "R1"), ("B7", "B8", "B9"), ("R4", "R5", "R6", "R7"))


def test_a_full_table_is_searched_and_its_play_is_legal() -> None:
    """A board of about 60 tiles with all four wilds on it."""
    random = Random(60)
    pool = Counter({face: copies(face) for face in FACES})
    melds: list[Meld] = []
    for meld in random.choices(ALL_MELDS, k=6000):
        used = Counter(tile.face for tile in meld)
        if len(meld) <= 7 and used <= pool and sum(map(len, melds)) + len(meld) <= 60:
            pool -= used
            melds.append(meld)
    lying = Board(tuple(melds))
    assert lying.faces.total() > 55
    assert lying.faces[WILD] == WILDS
    rack = random.sample(list(pool.elements()), 14)
    found = find_play(lying, rack)
    assert found is not None
    assert Counter(found.rack) <= Counter(rack)


def test_without_its_package_the_search_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(Refused, match="highspy is missing"):
        find_play(board(), faces("R1 R2 R3"))


def test_the_search_keeps_quiet_on_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    find_play(board(), faces("R1 R2 R3"))
    assert capfd.readouterr() == ("", "")
