"""Paints a Scene on a surface of any size; every picture is made once and then kept.

It never decides what is shown or where: a part in a box is painted as it is.
"""

from collections import OrderedDict
from dataclasses import dataclass

import pygame

from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.paint_parts import paint_part
from companion.display.scene import Box, Part, Scene
from companion.display.typeset import Typesetter

KEPT_BYTES = 20 * 1024 * 1024
"""Pictures beyond this are made anew when they are needed: a Pi has memory for other things."""

MARGIN = 10.0
"""Units around a part into which its picture may reach: shadows and outlines."""

PRESSED = theme.Ink(200, 200, 200)


@dataclass(frozen=True, slots=True)
class Picture:
    """A part as it was painted, and where in its box's picture it begins (pixels)."""

    surface: pygame.Surface
    dx: int
    dy: int

    @property
    def bytes(self) -> int:
        return self.surface.get_width() * self.surface.get_height() * 4


class Painter:
    """Paints scenes at one size in pixels; what the scene leaves free at the sides stays paper."""

    def __init__(self, size: tuple[int, int], scale: float) -> None:
        self.size = size
        self.scale = scale
        self._typesetter = Typesetter(scale)
        self._pictures: OrderedDict[tuple[Part, float, float], Picture] = OrderedDict()
        self.kept_bytes = 0

    def paint(self, scene: Scene, surface: pygame.Surface, pressed: Box | None = None) -> None:
        """Fills the surface with the scene, in its middle; what is pressed is seen darker."""
        surface.fill(scene.paper)
        left, top = origin(self.size, scene, self.scale)
        for item in scene.items:
            if item.part is None:
                continue
            picture = self._picture(item.part, item.box)
            place = (
                round(left + (item.box.x - MARGIN) * self.scale) + picture.dx,
                round(top + (item.box.y - MARGIN) * self.scale) + picture.dy,
            )
            surface.blit(picture.surface, place, special_flags=pygame.BLEND_PREMULTIPLIED)
        if pressed is not None:
            shade = pygame.Surface((pressed.w * self.scale, pressed.h * self.scale))
            shade.fill(PRESSED)
            place = (round(left + pressed.x * self.scale), round(top + pressed.y * self.scale))
            surface.blit(shade, place, special_flags=pygame.BLEND_MULT)

    def _picture(self, part: Part, box: Box) -> Picture:
        key = (part, round(box.w, 2), round(box.h, 2))
        known = self._pictures.get(key)
        if known is not None:
            self._pictures.move_to_end(key)
            return known
        canvas = Canvas(box.w, box.h, self._typesetter, MARGIN)
        paint_part(canvas, part)
        picture = _cropped(canvas.done())
        self._pictures[key] = picture
        self.kept_bytes += picture.bytes
        while self.kept_bytes > KEPT_BYTES and len(self._pictures) > 1:
            _, dropped = self._pictures.popitem(last=False)
            self.kept_bytes -= dropped.bytes
        return picture


def _cropped(whole: pygame.Surface) -> Picture:
    """Only what is painted: the rest would cost memory and time in every frame."""
    painted = whole.get_bounding_rect()
    return Picture(whole.subsurface(painted).copy(), painted.x, painted.y)


def origin(size: tuple[int, int], scene: Scene, scale: float) -> tuple[float, float]:
    """The pixel at which the scene's left upper corner lies."""
    return (size[0] - scene.width * scale) / 2, (size[1] - scene.height * scale) / 2
