"""The pages that people open, and what helps when the table has lost the thread."""

import pytest

from companion.display.bodies import ChoicesBody, HouseRulesBody, ListBody, ResetBody
from companion.display.choice import Choice
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import Gesture, Letter, Look, Open, Page
from companion.events import Fault, FaultKind, Recovered, Sensor, Spill
from companion.games import commands
from companion.table.taps import (
    AnswerTap,
    AsItLiesTap,
    CardTap,
    ForgetTap,
    ModeTap,
    PauseTap,
    Said,
)
from companion.units import MonoSeconds, Tray
from tests.unit.display.test_view import PEOPLE, dealt, placed, seen
from tests.unit.display.walks import Walk, choices_in


def opened(one: Walk, *looks: Look) -> Screen:
    for look in looks:
        one.looking = one.looking.after(look)
    return seen(one)


def tell(one: Walk, said: Said) -> None:
    """Somebody taps it on the display."""
    one.looking = one.looking.said(said)
    one.say(said)


def labelled(screen: Screen, label: str) -> Choice:
    return next(choice for choice in choices_in(screen) if choice.label == label)


def spilled(one: Walk, *, sure: bool) -> None:
    now = MonoSeconds(one.now)
    one.sense(Spill(began_s=now, decided_s=now, trays=(Tray.LEFT,), lost={Tray.LEFT: 1}, sure=sure))


@pytest.mark.parametrize(
    ("done", "note"),
    [
        ((), "the deal"),
        ((commands.Draw(),), "drew a card"),
        ((commands.Play(card="R1", tray="left"),), "played the red 1"),
        ((commands.Correct(turn="Papa"),), "the correction"),
    ],
)
def test_the_menu_says_what_an_undo_takes_back(
    done: tuple[commands.Command, ...], note: str
) -> None:
    one = dealt()
    for command in done:
        tell(one, command)
    assert labelled(opened(one, Open(Page.MENU)), "Undo").note == note


def test_what_the_table_believes_is_shown_and_several_things_are_put_right_in_a_row() -> None:
    one = dealt()
    screen = opened(one, Open(Page.CORRECT))
    assert screen.headline == "Is this right?"
    labels = [choice.label for choice in choices_in(screen.body)]
    assert labels[:4] == ["Turn: Ben", "Direction: to the left", "Left tray", "Right tray"]
    assert labelled(screen, "Left tray").note == "the red 5"
    assert labelled(screen, "Mia").note == "7 cards"
    one.looking = one.looking.after(Open(Page.CORRECT_TURN))
    tell(one, commands.Correct(turn="Papa"))
    after = seen(one)
    assert labelled(after, "Turn: Papa")
    assert opened(one, Gesture.CLOSE).headline.startswith("Papa, play a card")


def test_a_card_that_the_scale_alone_believes_in_can_be_denied() -> None:
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    tell(one, CardTap(card="G9"))
    one.looking = one.looking.after(Gesture.SEEN)
    one.now += 60
    touches = [choice.touch for choice in choices_in(opened(one, Open(Page.CORRECT)))]
    assert AsItLiesTap() in touches


def test_a_card_that_was_named_and_is_not_coming_can_be_taken_back() -> None:
    one = dealt()
    tell(one, CardTap(card="R1"))
    screen = seen(one)
    assert screen.headline == "Ben, put down the red 1"
    assert labelled(screen, "Not that card").touch == ForgetTap()
    tell(one, ForgetTap())
    assert seen(one).headline == "Ben, play a card or draw"


def test_a_spill_in_doubt_is_asked_about_before_anybody_is_blamed() -> None:
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    tell(one, CardTap(card="R1"))
    spilled(one, sure=False)
    screen = seen(one)
    assert screen.headline == "Did cards fall out?"
    assert isinstance(screen.body, ChoicesBody)
    assert screen.body.text
    assert labelled(screen, "Yes").note == "Ben pays"
    no = labelled(screen, "No")
    assert isinstance(no.touch, AnswerTap)
    tell(one, no.touch)
    assert seen(one).headline == "Oma, play a card or draw"


def test_a_sensor_that_works_again_is_said_and_its_alert_goes_away() -> None:
    one = dealt()
    now = MonoSeconds(one.now)
    fault = Fault(began_s=now, decided_s=now, sensor=Sensor.LEFT, kind=FaultKind.SILENT)
    one.sense(fault)
    assert seen(one).alert
    one.sense(Recovered(began_s=now, decided_s=now, sensor=Sensor.LEFT, kind=FaultKind.SILENT))
    screen = seen(one)
    assert not screen.alert
    assert screen.notice == "The left cell works again."


def test_a_pause_is_ended_by_one_large_button_and_a_spill_in_it_is_set_up_again() -> None:
    """T24"""
    one = dealt()
    assert labelled(opened(one, Open(Page.MENU)), "A pause").touch == PauseTap(on=True)
    tell(one, PauseTap(on=True))
    screen = seen(one)
    assert [choice.touch for choice in choices_in(screen.body)] == [PauseTap(on=False)]
    spilled(one, sure=True)
    tell(one, PauseTap(on=False))
    one.now += 60
    assert isinstance(seen(one).body, ResetBody)


def test_the_mode_is_switched_in_the_menu() -> None:
    one = dealt()
    touches = [choice.touch for choice in choices_in(opened(one, Open(Page.MENU)))]
    assert ModeTap(mode="quick") in touches
    tell(one, ModeTap(mode="quick"))
    touches = [choice.touch for choice in choices_in(opened(one, Open(Page.MENU)))]
    assert ModeTap(mode="full") in touches


def test_the_house_rules_that_hold_can_be_read_but_not_changed() -> None:
    one = dealt()
    screen = opened(one, Open(Page.RULES))
    assert isinstance(screen.body, HouseRulesBody)
    assert all(rule.choice.touch is None for rule in screen.body.rules)
    first = screen.body.rules[0]
    again = opened(one, Gesture.TURN_PAGE).body
    assert isinstance(again, HouseRulesBody)
    assert first not in again.rules


def test_whoever_joins_says_between_whom_they_sit() -> None:
    """U20"""
    one = Walk(PEOPLE, dealt().rng)
    one.begin()
    typed = opened(one, Open(Page.JOIN), *(Letter(char) for char in "Emil"))
    done = labelled(typed, "Done").touch
    assert isinstance(done, Open)
    seats = opened(one, done)
    assert isinstance(seats.body, ListBody)
    join = labelled(seats, "To the left of Mia").touch
    assert join == commands.Join(player="Emil", seat=1)
    tell(one, join)
    assert one.table.state is not None
    assert one.table.state.players == ("Mia", "Emil", "Ben", "Oma", "Papa")
    assert view(one.table, one.looking, Surroundings(MonoSeconds(one.now))).headline
    assert one.looking.setup.typed == ""
