"""A tap means what lies under the finger, at every size of the display."""

import math

import pygame
import pytest

from companion.display.frame import fit
from companion.display.layout import lay_out
from companion.display.paint import origin
from companion.display.scene import Box, Item, Key, Plate, Scene
from companion.display.theme import INK, PAPER
from companion.display.touch import BOUNCE_S, place_of, press
from companion.display.view import view
from tests.unit.display.walks import walk

SIZES = [(800, 480), (1024, 600), (1280, 720), (1920, 480), (480, 800), (720, 720)]


@pytest.mark.parametrize("size", SIZES)
def test_every_button_yields_its_tap_at_every_size(size: tuple[int, int]) -> None:
    frame = fit(size)
    scale = frame.scale
    for seed in range(4):
        for one in walk(seed, steps=25):
            scene = lay_out(view(one.table, one.looking, one.around), frame)
            left, top = origin(size, scene, scale)
            for item in scene.items:
                if item.touch is None:
                    continue
                place = (left + item.box.cx * scale, top + item.box.cy * scale)
                assert 0 <= place[0] < size[0]
                assert 0 <= place[1] < size[1]
                pressed = press(scene, place, size, 10.0, None)
                assert pressed is not None
                assert pressed.touch == item.touch


def scene_with(touch: str) -> Scene:
    return Scene(800, 480, PAPER, (Item(Box(100, 100, 200, 80), Plate(INK), touch),))


def test_a_double_tap_never_hits_the_button_that_has_come_under_the_finger() -> None:
    first = press(scene_with("draw"), (150, 120), (800, 480), 10.0, None)
    assert first is not None
    again = press(scene_with("pass"), (155, 124), (800, 480), 10.2, first)
    assert again is None
    later = press(scene_with("pass"), (155, 124), (800, 480), 10.0 + BOUNCE_S, first)
    assert later is not None


def with_key(label: str, touch: str) -> Scene:
    return Scene(800, 480, PAPER, (Item(Box(100, 100, 200, 80), Key(label), touch),))


@pytest.mark.parametrize(
    ("before", "meant"),
    [
        (with_key("What goes back?", "seen"), False),
        (with_key("All is back", "another reset"), True),
        (with_key("What goes back?", "reset"), True),
        (Scene(800, 480, PAPER, ()), True),
    ],
)
def test_a_finger_on_its_way_does_not_mean_a_button_that_nobody_has_seen(
    before: Scene, meant: bool
) -> None:
    """What was there before a glimpse counts: another button, the same one by touch or by label, or
    nothing, to which no finger was on its way."""
    now = with_key("All is back", "reset")
    pressed = press(now, (150, 120), (800, 480), 10.0, None, [before])
    assert (pressed is not None) == meant


def test_the_same_key_can_be_tapped_as_fast_as_one_likes() -> None:
    first = press(scene_with("e"), (150, 120), (800, 480), 10.0, None)
    again = press(scene_with("e"), (150, 120), (800, 480), 10.05, first)
    assert again is not None


def test_a_tap_beside_everything_means_nothing() -> None:
    assert press(scene_with("draw"), (5, 5), (800, 480), 10.0, None) is None


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("panel", [(800, 480), (720, 1280)])
def test_a_touch_turns_with_the_picture(panel: tuple[int, int], turn: int) -> None:
    """The pixel under the finger is the one that was painted there."""
    size = panel if turn in (0, 180) else (panel[1], panel[0])
    picture = pygame.Surface(size)
    spot = (size[0] // 4, size[1] // 8)
    picture.fill((255, 255, 255), pygame.Rect(spot[0] - 2, spot[1] - 2, 5, 5))
    turned = pygame.transform.rotate(picture, -turn)
    assert turned.get_size() == panel
    lit = _lit(turned)
    finger = pygame.event.Event(pygame.FINGERDOWN, x=lit[0] / panel[0], y=lit[1] / panel[1])
    place = place_of(finger, panel, turn)
    assert place is not None
    assert math.dist(place, spot) < 4


def _lit(surface: pygame.Surface) -> tuple[float, float]:
    mask = pygame.mask.from_threshold(surface, (255, 255, 255), (1, 1, 1, 255))
    return mask.centroid()


def test_a_finger_is_heard_once_although_it_is_reported_as_a_mouse_too() -> None:
    finger = pygame.event.Event(pygame.FINGERDOWN, x=0.5, y=0.25)
    double = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(400, 120), button=1, touch=True)
    mouse = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(400, 120), button=1, touch=False)
    wheel = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(400, 120), button=4, touch=False)
    assert place_of(finger, (800, 480)) == (400.0, 120.0)
    assert place_of(double, (800, 480)) is None
    assert place_of(mouse, (800, 480)) == (400.0, 120.0)
    assert place_of(wheel, (800, 480)) is None
