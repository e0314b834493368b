"""A Rummy Up board is rearranged by picking tiles up and putting them down."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.display.bodies import BoardBody, ChoicesBody
from companion.display.screen import Screen
from companion.display.tiles import Draft, InMeld, OffBoard, arranged, changed, is_legal
from companion.display.view import view
from companion.display.wishes import Arrange
from companion.games import commands
from companion.games.rummy_up.board import Board
from companion.games.rummy_up.tiles import FACES
from tests.unit.display.walks import Walk, choices_in, touches_of

PEOPLE = ("Mia", "Ben", "Oma")


def playing(*melds: str) -> Walk:
    one = Walk(PEOPLE, Random(1), "rummy_up")
    one.begin()
    one.say(commands.Deal(table=("R7", "B3", "Y12", "W")))
    board: tuple[tuple[str, ...], ...] = ()
    for meld in melds:
        board = (*board, tuple(meld.split()))
        one.say(commands.Meld(table=board))
    return one


def drafted(one: Walk, draft: Draft) -> Screen:
    return view(one.table, one.looking.after(Arrange(draft)), one.around)


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ("R3 R1 R2", "R1 R2 R3"),
        ("R3 W R1", "R1 W=R2 R3"),
        ("G4 B4 R4", "R4 G4 B4"),
        ("G4 W R4", "R4 W=Y4 G4"),
        ("R1 G5", "G5 R1"),
        ("R10 W R11", "W=R9 R10 R11"),
    ],
)
def test_tiles_are_read_as_a_run_or_a_set_and_wilds_say_what_they_stand_for(
    tiles: str, expected: str
) -> None:
    assert " ".join(arranged(tuple(tiles.split()))) == expected


def test_a_wild_keeps_standing_for_what_it_stood_for() -> None:
    """R16"""
    assert arranged(("R10", "R11", "W=R12")) == ("R10", "R11", "W=R12")


@given(st.lists(st.sampled_from([str(face) for face in FACES]), min_size=1, max_size=9))
def test_reading_a_meld_never_loses_a_tile(tiles: list[str]) -> None:
    def bare(text: str) -> str:
        return "W" if text.startswith("W") else text

    assert sorted(map(bare, arranged(tuple(tiles)))) == sorted(tiles)


def test_a_tile_from_the_rack_joins_a_run_and_done_says_the_whole_board() -> None:
    one = playing("R7 R8 R9")
    draft = Draft.of(Board()).picking(OffBoard("R10"))
    lying = Draft((("R7", "R8", "R9"),)).picking(draft.picked).put(0)
    screen = drafted(one, lying)
    assert commands.Meld(table=(("R7", "R8", "R9", "R10"),)) in touches_of(screen)


def test_a_board_is_built_by_taps_alone() -> None:
    one = playing("R7 R8 R9")
    draft = Draft.of(_board(one))
    for tile in ("G7", "B7"):
        draft = draft.picking(OffBoard(tile))
        draft = draft.put(None if len(draft.melds) == 1 else 1)
    screen = drafted(one, draft)
    assert isinstance(screen.body, BoardBody)
    first = screen.body.melds[0].tiles[0].touch
    assert isinstance(first, Arrange)
    assert first.draft.picked == InMeld(0, 0)
    put = drafted(one, first.draft)
    assert isinstance(put.body, BoardBody)
    target = put.body.melds[1].tiles[0].touch
    assert isinstance(target, Arrange)
    assert target.draft.melds == (("R8", "R9"), ("R7", "G7", "B7"))
    assert [is_legal(meld) for meld in target.draft.melds] == [False, True]


def test_a_tile_of_the_rack_goes_back_there_but_one_of_the_board_stays() -> None:
    one = playing("R7 R8 R9")
    fresh = Draft.of(_board(one)).picking(OffBoard("R10")).put(0)
    back = [
        t
        for t in touches_of(drafted(one, fresh.picking(InMeld(0, 3))))
        if isinstance(t, Arrange) and t.draft.picked is None
    ]
    assert Draft.of(_board(one)).melds in [arrange.draft.melds for arrange in back]
    old = drafted(one, fresh.picking(InMeld(0, 0)))
    assert [a.touch for a in old.actions] == [Arrange(fresh)]


def test_where_several_effects_meet_the_player_is_asked_which_one_acts() -> None:
    """R10"""
    one = playing("G1 G2 G3")
    draft = Draft.of(_board(one))
    draft = draft.picking(OffBoard("B5")).put(None)
    draft = draft.picking(OffBoard("B6")).put(1).picking(OffBoard("B7")).put(1)
    done = drafted(one, draft).actions[-1].touch
    assert isinstance(done, Arrange)
    asked = drafted(one, done.draft)
    assert isinstance(asked.body, ChoicesBody)
    answers = {choice.label: choice.touch for choice in choices_in(asked.body)}
    table = (("G1", "G2", "G3"), ("B5", "B6", "B7"))
    assert answers == {
        "Skip": commands.Meld(table=table, effects={"1": "skip"}),
        "Reverse": commands.Meld(table=table, effects={"1": "reverse"}),
    }


def test_a_loose_tile_is_used_before_one_of_the_rack() -> None:
    """R2"""
    one = playing()
    draft = Draft.of(_board(one)).picking(OffBoard("B3")).put(None)
    assert changed(_board(one), draft).rack_tiles == ()


def _board(one: Walk) -> Board:
    state = one.table.state
    board = getattr(state, "board", None)
    assert isinstance(board, Board)
    return board
