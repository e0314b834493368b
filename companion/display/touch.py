"""From pygame's events to what a tap means on the scene that was shown.

It never changes a scene and never acts on a tap.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pygame

from companion.display.choice import Touch
from companion.display.frame import fit
from companion.display.paint import origin
from companion.display.scene import Box, Item, Key, Scene

BOUNCE_S = 0.5
"""A finger that comes down twice within this time meant one tap."""
BOUNCE_UNITS = 40.0

GLIMPSE_S = 0.35
"""A finger that comes down so soon after the screen has changed by itself meant what was there."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A tap: its meaning, where the touched part lies, and when it came."""

    touch: Touch
    box: Box
    x: float
    y: float
    at_s: float


def place_of(
    event: pygame.event.Event, panel: tuple[int, int], turn: int = 0
) -> tuple[float, float] | None:
    """The pixel of the picture at which a finger or the mouse came down; None for other events.

    ``panel`` is the display as it is built (pixels), on which the picture is turned by ``turn``
    degrees clockwise. SDL also reports a finger as a mouse; those doubles are left out.
    """
    if event.type == pygame.FINGERDOWN:
        return _turned_back((event.x * panel[0], event.y * panel[1]), panel, turn)
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and not event.touch:
        return _turned_back((float(event.pos[0]), float(event.pos[1])), panel, turn)
    return None


def _turned_back(
    place: tuple[float, float], panel: tuple[int, int], turn: int
) -> tuple[float, float]:
    x, y = place
    match turn:
        case 90:
            return y, panel[0] - x
        case 180:
            return panel[0] - x, panel[1] - y
        case 270:
            return panel[1] - y, x
        case _:
            return x, y


def press(
    scene: Scene,
    place: tuple[float, float],
    size: tuple[int, int],
    at_s: float,
    last: Pressed | None,
    gone: Iterable[Scene] = (),
) -> Pressed | None:
    """The tap at a pixel of a display of ``size``; None where there is nothing to tap.

    A second tap in the same place right after the first means what the first one meant: where
    something else has come under the finger meanwhile, it is no tap. So a double tap on DRAW
    never becomes a PASS. Nor is it one where ``gone``, the scenes that nobody has sent away and
    that were still seen a glimpse ago, had another button.
    """
    scale = fit(size).scale
    left, top = origin(size, scene, scale)
    x, y = (place[0] - left) / scale, (place[1] - top) / scale
    item = scene.item_at(x, y)
    if item is None or item.touch is None:
        return None
    if any(_is_another(scene.item_at(x, y), item) for scene in gone):
        return None
    if (
        last is not None
        and at_s - last.at_s < BOUNCE_S
        and abs(x - last.x) < BOUNCE_UNITS
        and abs(y - last.y) < BOUNCE_UNITS
        and item.touch != last.touch
    ):
        return None
    return Pressed(item.touch, item.box, x, y, at_s)


def _is_another(before: Item | None, now: Item) -> bool:
    """True if a finger that was on its way to ``before`` did not mean ``now``."""
    if before is None or before.touch == now.touch:
        return False
    was, is_now = before.part, now.part
    return not (isinstance(was, Key) and isinstance(is_now, Key) and was.label == is_now.label)
