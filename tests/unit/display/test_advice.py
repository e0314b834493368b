"""A learning game of Rummy Up: somebody shows a rack, and the display says what can be played."""

import threading

from companion.display.asking import Advisor, Answer, Question, answer
from companion.display.bodies import BoardBody, PadBody, RackBody
from companion.display.desk import Desk
from companion.display.screen import Screen
from companion.display.view import view
from companion.display.wishes import Arrange, AskForPlay, Gesture, Open, Page, ShowRack
from companion.games import commands
from companion.games.cards import parse
from companion.games.rummy_up.board import Board
from tests.unit.display.eyes import Eyes
from tests.unit.display.test_tiles import playing
from tests.unit.display.walks import Walk


def tapped(one: Walk, screen: Screen, *labels: str) -> Screen:
    """The screen after tapping what bears these labels, or these tiles of the pad."""
    for label in labels:
        body = screen.body
        pad = body.above if isinstance(body, RackBody) else body
        keys = (*screen.actions, *((*pad.tabs, *pad.keys) if isinstance(pad, PadBody) else ()))
        touch = next(key.touch for key in keys if label in (key.label, key.tile))
        one.looking = one.looking.after(touch)  # type: ignore[arg-type]  # it changes the view
        if isinstance(touch, AskForPlay):
            one.looking = one.looking.advised(answer(touch.question))
        screen = view(one.table, one.looking, one.around)
    return screen


def shown(one: Walk) -> Screen:
    return view(one.table, one.looking, one.around)


def texts(screen: Screen) -> list[list[str]]:
    assert isinstance(screen.body, BoardBody)
    return [[tile.text for tile in meld.tiles] for meld in screen.body.melds]


def test_the_tiles_of_a_rack_are_tapped_and_what_can_be_played_is_shown_on_the_board() -> None:
    one = playing("R7 R8 R9 R10")
    found = tapped(one, shown(one), "HELP ME", "R11", "R1", "WHAT CAN I PLAY?")
    assert found.headline.endswith("you can play 1 tile")
    assert texts(found) == [["R7", "R8", "R9", "R10", "R11"]]
    assert isinstance(found.body, BoardBody)
    fresh = [tile.text for meld in found.body.melds for tile in meld.tiles if tile.fresh]
    assert fresh == ["R11"]
    (take,) = found.actions
    assert isinstance(take.touch, Arrange)
    assert take.touch.draft.melds == (("R7", "R8", "R9", "R10", "R11"),)


def test_tiles_that_move_on_the_board_stand_out() -> None:
    """A set is made with the end of a run."""
    one = playing("R1 R2 R3 R4", "G8 G9 G10 W=G11")
    found = tapped(one, shown(one), "HELP ME", "green", "G4", "blue", "B4", "WHAT CAN I PLAY?")
    assert found.headline.endswith("you can play 2 tiles")
    assert isinstance(found.body, BoardBody)
    tiles = [tile for meld in found.body.melds for tile in meld.tiles]
    assert [tile.text for tile in tiles if tile.chosen] == ["R4"]
    assert {tile.text for tile in tiles if tile.fresh} == {"G4", "B4"}


def test_a_tapped_tile_can_be_taken_off_again_and_none_is_there_too_often() -> None:
    one = playing("R7 R8 R9")
    screen = tapped(one, shown(one), "HELP ME", "R7")
    assert isinstance(screen.body, RackBody)
    assert isinstance(screen.body.above, PadBody)
    seven = next(key for key in screen.body.above.keys if key.tile == "R7")
    assert seven.touch is None
    assert screen.body.rack[0].touch == ShowRack(())


def test_where_nothing_can_be_played_drawing_is_offered() -> None:
    one = playing("R7 R8 R9")
    nothing = tapped(one, shown(one), "HELP ME", "R1", "R4", "WHAT CAN I PLAY?")
    assert nothing.headline.endswith("none of these can be played: draw")
    assert [action.touch for action in nothing.actions] == [commands.Draw()]


def test_after_a_draw_only_the_drawn_tile_is_asked_for() -> None:
    """R5"""
    one = playing("R7 R8 R9")
    one.say(commands.Draw())
    asked = tapped(one, shown(one), "HELP ME")
    assert asked.headline.endswith("which tile did you draw?")
    assert tapped(one, asked, "R10").headline.endswith("you can play 1 tile")
    one.looking = one.looking.after(Open(Page.RACK))
    assert tapped(one, shown(one), "R1").actions[0].touch == commands.Pass()


def test_the_rack_is_known_to_the_question_only() -> None:
    """It is forgotten with the turn, and nothing of it reaches the table or its journal."""
    one = playing("R7 R8 R9")
    before = one.table.entries
    tapped(one, shown(one), "HELP ME", "R10", "WHAT CAN I PLAY?")
    assert one.table.entries == before
    one.say(commands.Draw())
    one.say(commands.Pass())
    assert (one.looking.rack, one.looking.question, one.looking.answer) == ((), None, None)
    assert one.looking.page is Page.TABLE


def test_an_answer_to_an_older_question_is_not_shown() -> None:
    one = playing("R7 R8 R9")
    old = Question(Board(), (parse("R1"),), 4)
    one.looking = one.looking.after(AskForPlay(Question(Board(), (parse("R2"),), 4)))
    one.looking = one.looking.advised(Answer(old, None))
    assert shown(one).headline.endswith("let me think ...")
    assert one.looking.after(Gesture.CLOSE).page is Page.TABLE


def test_a_machine_without_the_solver_says_so() -> None:
    one = playing("R7 R8 R9")
    question = Question(Board(), (parse("R2"),), 4)
    one.looking = one.looking.after(AskForPlay(question))
    one.looking = one.looking.advised(Answer(question, None, "highspy is missing."))
    assert shown(one).headline == "I cannot search here"


def test_the_display_goes_on_while_the_search_takes_its_time() -> None:
    one, eyes, go_on = playing("R7 R8 R9"), Eyes(), threading.Event()

    def slowly(question: Question) -> Answer:
        assert go_on.wait(10.0)
        return answer(question)

    desk = Desk(eyes, advisor=Advisor(slowly))
    desk.looking = one.looking
    state = one.table.state
    eyes.queue = [AskForPlay(Question(state.board, (parse("R10"),), 4))]  # type: ignore[union-attr]  # Rummy Up
    assert desk.said() == []
    for _ in range(5):
        assert desk.show(one.table, one.around).headline.endswith("let me think ...")
    go_on.set()
    for _ in range(500):
        headline = desk.show(one.table, one.around).headline
        if not headline.endswith("..."):
            break
        threading.Event().wait(0.02)
    assert headline.endswith("you can play 1 tile")
