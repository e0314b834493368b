"""The little drawings on buttons: lines and areas in a square, from 0 to 1 across and down.

It never uses a glyph of a typeface but the question mark: those look different on every machine.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from companion.display.canvas import Canvas
from companion.display.geometry import Point
from companion.display.glyph import Glyph
from companion.display.scene import Box
from companion.display.theme import Ink

Stroke: TypeAlias = tuple[Point, ...]

THICK = 0.13


def _arc(x: float, y: float, radius: float, began: float, turns: float) -> Stroke:
    """Part of a circle; angles in half turns, clockwise from the right."""
    angles = [math.pi * (began + turns * step / 24) for step in range(25)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


LINES: Mapping[Glyph, tuple[Stroke, ...]] = MappingProxyType(
    {
        Glyph.MENU: tuple(((0.14, y), (0.86, y)) for y in (0.24, 0.5, 0.76)),
        Glyph.BACK: (((0.62, 0.16), (0.28, 0.5), (0.62, 0.84)),),
        Glyph.LEFT: (((0.62, 0.16), (0.28, 0.5), (0.62, 0.84)),),
        Glyph.RIGHT: (((0.38, 0.16), (0.72, 0.5), (0.38, 0.84)),),
        Glyph.TICK: (((0.14, 0.54), (0.4, 0.8), (0.88, 0.24)),),
        Glyph.CROSS: (((0.2, 0.2), (0.8, 0.8)), ((0.8, 0.2), (0.2, 0.8))),
        Glyph.PLUS: (((0.5, 0.16), (0.5, 0.84)), ((0.16, 0.5), (0.84, 0.5))),
        Glyph.MINUS: (((0.16, 0.5), (0.84, 0.5)),),
        Glyph.PAUSE: (((0.32, 0.18), (0.32, 0.82)), ((0.68, 0.18), (0.68, 0.82))),
        Glyph.UNDO: (
            _arc(0.54, 0.56, 0.32, -0.72, 1.42),
            ((0.34, 0.06), (0.28, 0.34), (0.58, 0.38)),
        ),
        Glyph.ERASE: (
            ((0.32, 0.2), (0.92, 0.2), (0.92, 0.8), (0.32, 0.8), (0.06, 0.5), (0.32, 0.2)),
            ((0.46, 0.38), (0.7, 0.62)),
            ((0.7, 0.38), (0.46, 0.62)),
        ),
        Glyph.CARD: (((0.24, 0.1), (0.76, 0.1), (0.76, 0.9), (0.24, 0.9), (0.24, 0.1)),),
        Glyph.PLUG: (
            ((0.34, 0.08), (0.34, 0.34)),
            ((0.66, 0.08), (0.66, 0.34)),
            ((0.2, 0.38), (0.8, 0.38), (0.74, 0.66), (0.26, 0.66), (0.2, 0.38)),
            ((0.5, 0.66), (0.5, 0.94)),
        ),
        Glyph.CHART: (
            ((0.2, 0.84), (0.2, 0.56)),
            ((0.5, 0.84), (0.5, 0.16)),
            ((0.8, 0.84), (0.8, 0.4)),
        ),
        Glyph.TIPPED: (
            ((0.1, 0.3), (0.9, 0.62)),
            ((0.5, 0.46), (0.7, 0.88), (0.3, 0.88), (0.5, 0.46)),
        ),
        Glyph.PENCIL: (
            ((0.14, 0.86), (0.2, 0.62), (0.7, 0.12), (0.88, 0.3), (0.38, 0.8), (0.14, 0.86)),
        ),
        Glyph.RULES: tuple(
            line for y in (0.2, 0.5, 0.8) for line in (((0.12, y),), ((0.4, y), (0.88, y)))
        ),
        Glyph.POWER: (_arc(0.5, 0.54, 0.36, -0.28, 1.56), ((0.5, 0.1), (0.5, 0.48))),
        Glyph.TURN: (
            ((0.14, 0.34), (0.8, 0.34)),
            ((0.58, 0.12), (0.84, 0.34), (0.58, 0.52)),
            ((0.86, 0.72), (0.2, 0.72)),
            ((0.42, 0.52), (0.16, 0.72), (0.42, 0.94)),
        ),
    }
)

AREAS: Mapping[Glyph, Stroke] = MappingProxyType(
    {
        Glyph.BOLT: (
            *((0.6, 0.04), (0.16, 0.58), (0.44, 0.58)),
            *((0.38, 0.96), (0.84, 0.4), (0.54, 0.4)),
        ),
        Glyph.CROWN: (
            *((0.08, 0.84), (0.04, 0.3), (0.28, 0.52), (0.5, 0.14)),
            *((0.72, 0.52), (0.96, 0.3), (0.92, 0.84)),
        ),
    }
)


def paint_glyph(canvas: Canvas, glyph: Glyph, area: Box, ink: Ink) -> None:
    """A drawing as large as the shorter side of the area allows."""
    side = min(area.w, area.h)
    box = area.middle(side, side)

    def placed(points: Stroke) -> list[Point]:
        return [(box.x + x * side, box.y + y * side) for x, y in points]

    if glyph is Glyph.QUESTION:
        canvas.words("?", box, side, ink)
    for points in LINES.get(glyph, ()):
        canvas.stroke(placed(points), side * THICK, ink)
    if glyph in AREAS:
        canvas.polygon(placed(AREAS[glyph]), ink)
