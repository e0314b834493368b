"""A keyboard types where the display shows keys to type with, and is heard nowhere else."""

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.display import theme
from companion.display.choice import Tone
from companion.display.keyboard import keyed
from companion.display.layout import lay_out
from companion.display.looking import LONGEST_NAME, Looking
from companion.display.scene import Box, Key, Scene, Sheet
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import ChooseGame, Digit, EditPlayer, Letter, Look, Open, Page
from companion.table.table import Table
from companion.units import MonoSeconds
from tests.unit.display.walks import walk


def text(letter: str) -> pygame.event.Event:
    return pygame.event.Event(pygame.TEXTINPUT, text=letter)


def key(code: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code)


def scene_of(looking: Looking) -> Scene:
    return lay_out(view(Table(), looking, Surroundings(MonoSeconds(0.0))))


def asked_for_a_name() -> Looking:
    return Looking().after(ChooseGame("tippo")).after(EditPlayer(0))


def typing(looking: Looking, *events: pygame.event.Event) -> Looking:
    for event in events:
        touch = keyed(event, scene_of(looking))
        if isinstance(touch, Look):
            looking = looking.after(touch)
    return looking


@pytest.mark.parametrize("name", ["Mia", "zoë", "Anne-Marie", "O'Neil", "Jan K", "Łucja", "Ελένη"])
def test_a_name_is_typed_letter_by_letter_and_entered_with_return(name: str) -> None:
    looking = typing(asked_for_a_name(), *map(text, name), key(pygame.K_RETURN))
    assert looking.setup.players == (name,)


def test_backspace_erases_and_a_name_grows_no_longer_than_it_may() -> None:
    looking = typing(asked_for_a_name(), *map(text, "Mio"), key(pygame.K_BACKSPACE), text("a"))
    assert looking.setup.typed == "Mia"
    assert len(typing(looking, *map(text, "a" * 40)).setup.typed) == LONGEST_NAME


@pytest.mark.parametrize("event", [text("7"), text("\t"), text("ab"), key(pygame.K_F1)])
def test_what_is_no_letter_is_not_typed(event: pygame.event.Event) -> None:
    assert keyed(event, scene_of(asked_for_a_name())) is None


@pytest.mark.parametrize("event", [text("a"), key(pygame.K_RETURN), key(pygame.K_BACKSPACE)])
def test_no_key_is_heard_where_nothing_can_be_typed(event: pygame.event.Event) -> None:
    """A sleeve on the keyboard plays no card."""
    assert keyed(event, scene_of(Looking())) is None


def test_return_says_nothing_as_long_as_nothing_is_typed() -> None:
    assert keyed(key(pygame.K_RETURN), scene_of(asked_for_a_name())) is None


def test_points_are_typed_by_their_digits() -> None:
    sheet = Sheet(Box(0, 0, 800, 480))
    for digit in "0123456789":
        sheet.put(Box(int(digit) * 80, 0, 80, 80), Key(digit, Tone.PLAIN), Digit(digit))
    scene = Scene(800, 480, theme.PAPER, tuple(sheet.items))
    assert [keyed(text(char), scene) for char in "4a2"] == [Digit("4"), None, Digit("2")]


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    game=st.sampled_from(["tippo", "classic", "battle", "rummy_up"]),
    page=st.sampled_from([Page.TABLE, Page.SETUP, Page.CORRECT_HANDS, Page.JOIN]),
)
def test_whatever_a_screen_shows_a_key_is_typed_there_or_means_nothing(
    seed: int, game: str, page: Page
) -> None:
    for one in walk(seed, game, steps=60):
        looking = one.looking.after(Open(page))
        scene = lay_out(view(one.table, looking, one.around))
        offered = [item.touch for item in scene.items]
        for event in (text("a"), text("1"), key(pygame.K_BACKSPACE), key(pygame.K_RETURN)):
            touch = keyed(event, scene)
            assert touch is None or isinstance(touch, Letter) or touch in offered
