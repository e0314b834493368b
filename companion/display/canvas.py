"""One picture in the making: smooth shapes and words in units, painted once and then kept.

Shapes are drawn several times too large and shrunk, since pygame draws no smooth edges itself.
It never knows what it paints.
"""

import itertools
import math
from collections.abc import Sequence
from typing import TypeAlias

import pygame

from companion.display import theme
from companion.display.scene import Align, Box
from companion.display.theme import Ink, Weight
from companion.display.typeset import ASCENT, CAP_HEIGHT, LEADING, Typesetter

Point: TypeAlias = tuple[float, float]

OVERSIZE = 3


class Canvas:
    """A transparent picture of ``width`` x ``height`` units with a margin around it."""

    def __init__(
        self, width: float, height: float, typesetter: Typesetter, margin: float = 0.0
    ) -> None:
        self.box = Box(0, 0, width, height)
        self._typesetter = typesetter
        self._scale = typesetter.scale
        self._margin = margin
        self._pixels = (
            max(1, math.ceil((width + 2 * margin) * self._scale)),
            max(1, math.ceil((height + 2 * margin) * self._scale)),
        )
        self._big: pygame.Surface | None = None
        self._layers: list[tuple[pygame.Surface, tuple[int, int]]] = []

    # --- shapes --------------------------------------------------------------------------

    def rounded(self, box: Box, radius: float, ink: Ink, edge: float = 0.0) -> None:
        """A filled rounded box, or its edge of that width inside it."""
        k = self._scale * OVERSIZE
        rect = pygame.Rect(
            round((box.x + self._margin) * k),
            round((box.y + self._margin) * k),
            round(box.w * k),
            round(box.h * k),
        )
        pygame.draw.rect(
            self._shapes,
            ink,
            rect,
            max(1, round(edge * k)) if edge else 0,
            border_radius=round(radius * k),
        )

    def polygon(self, points: Sequence[Point], ink: Ink) -> None:
        k, m = self._scale * OVERSIZE, self._margin
        pygame.draw.polygon(self._shapes, ink, [((x + m) * k, (y + m) * k) for x, y in points])

    def disc(self, x: float, y: float, radius: float, ink: Ink) -> None:
        k, m = self._scale * OVERSIZE, self._margin
        pygame.draw.circle(self._shapes, ink, ((x + m) * k, (y + m) * k), radius * k)

    def stroke(self, points: Sequence[Point], width: float, ink: Ink) -> None:
        """A line through the points with round joints and ends."""
        for start, end in itertools.pairwise(points):
            dx, dy = end[0] - start[0], end[1] - start[1]
            length = math.hypot(dx, dy) or 1.0
            nx, ny = -dy / length * width / 2, dx / length * width / 2
            self.polygon(
                [
                    (start[0] + nx, start[1] + ny),
                    (end[0] + nx, end[1] + ny),
                    (end[0] - nx, end[1] - ny),
                    (start[0] - nx, start[1] - ny),
                ],
                ink,
            )
        for x, y in points:
            self.disc(x, y, width / 2, ink)

    def layer(self) -> None:
        """What is drawn from here on lies above all words and shapes so far."""
        if self._big is not None:
            small = pygame.transform.smoothscale(self._big, self._pixels)
            self._layers.append((small, (0, 0)))
            self._big = None

    # --- words ---------------------------------------------------------------------------

    def words(
        self,
        text: str,
        box: Box,
        size: float,
        ink: Ink,
        weight: Weight = Weight.BOLD,
        align: Align = Align.CENTRE,
        lines: int = 1,
        stress: str = "",
    ) -> None:
        """Words as large as ``size`` allows them to fit the box; ``stress`` begins them in plum."""
        if not text:
            return
        self.layer()
        named = self._typesetter.shown(stress)
        setting = self._typesetter.fit(text, box.w, box.h, size, weight, lines)
        k = self._scale
        box = box.moved(self._margin, self._margin)
        y = box.cy * k - setting.height / 2
        for line in setting.lines:
            picture = self._typesetter.paint(line, setting.size, weight, ink)
            stressed, named = _stressed(line, named)
            if stressed:
                name = self._typesetter.paint(stressed, setting.size, weight, theme.PLUM)
                picture.fill((0, 0, 0, 0), name.get_rect())
                picture.blit(name, (0, 0))
            if align is Align.LEFT:
                x = box.x * k
            elif align is Align.RIGHT:
                x = box.right * k - picture.get_width()
            else:
                x = box.cx * k - picture.get_width() / 2
            baseline_less = setting.size * (ASCENT - CAP_HEIGHT)
            self._layers.append((picture, (round(x), round(y - baseline_less))))
            y += setting.size * LEADING

    def size_of(self, text: str, width: float, weight: Weight) -> float:
        """How large one line of ``text`` can be in so much room, in units."""
        at = 100
        shown = self._typesetter.shown(text)
        return width * at / max(1, self._typesetter.width(shown, at, weight))

    def done(self) -> pygame.Surface:
        """The picture, premultiplied for blending."""
        self.layer()
        picture = pygame.Surface(self._pixels, pygame.SRCALPHA)
        for layer, place in self._layers:
            picture.blit(layer, place, special_flags=pygame.BLEND_PREMULTIPLIED)
        return picture

    @property
    def _shapes(self) -> pygame.Surface:
        if self._big is None:
            wide, high = self._pixels
            self._big = pygame.Surface((wide * OVERSIZE, high * OVERSIZE), pygame.SRCALPHA)
        return self._big


def _stressed(line: str, name: str) -> tuple[str, str]:
    """How much of a line the name takes with which all words begin, and what is left of it."""
    if line.startswith(name):
        return name, ""
    begun = line if name.startswith(line) else line.removesuffix("-")
    return (line, name[len(begun) :].lstrip()) if name.startswith(begun) else ("", "")
