"""The little drawings on buttons.

It never uses a glyph of a typeface: those look different on every machine.
"""

import math

from companion.display.canvas import Canvas
from companion.display.scene import Box, Glyph
from companion.display.theme import Ink


def paint_glyph(canvas: Canvas, glyph: Glyph, area: Box, ink: Ink) -> None:
    """A drawing as large as the shorter side of the area allows."""
    side = min(area.w, area.h)
    box = area.middle(side, side)
    thick = side * 0.13

    def line(*points: tuple[float, float]) -> None:
        placed = [(box.x + x * side, box.y + y * side) for x, y in points]
        canvas.stroke(placed, thick, ink)

    match glyph:
        case Glyph.MENU:
            for y in (0.24, 0.5, 0.76):
                line((0.14, y), (0.86, y))
        case Glyph.BACK | Glyph.LEFT:
            line((0.62, 0.16), (0.28, 0.5), (0.62, 0.84))
        case Glyph.RIGHT:
            line((0.38, 0.16), (0.72, 0.5), (0.38, 0.84))
        case Glyph.TICK:
            line((0.14, 0.54), (0.4, 0.8), (0.88, 0.24))
        case Glyph.CROSS:
            line((0.2, 0.2), (0.8, 0.8))
            line((0.8, 0.2), (0.2, 0.8))
        case Glyph.UNDO:
            arc = [
                (0.54 + 0.32 * math.cos(a), 0.56 + 0.32 * math.sin(a))
                for a in [math.pi * (-0.72 + 1.42 * step / 20) for step in range(21)]
            ]
            line(*arc)
            line((0.34, 0.06), (0.28, 0.34), (0.58, 0.38))
        case Glyph.ERASE:
            line((0.32, 0.2), (0.92, 0.2), (0.92, 0.8), (0.32, 0.8), (0.06, 0.5), (0.32, 0.2))
            line((0.46, 0.38), (0.7, 0.62))
            line((0.7, 0.38), (0.46, 0.62))
        case Glyph.QUESTION:
            canvas.words("?", box, side, ink)
        case Glyph.CARD:
            line((0.24, 0.1), (0.76, 0.1), (0.76, 0.9), (0.24, 0.9), (0.24, 0.1))
        case Glyph.PLUG:
            line((0.34, 0.08), (0.34, 0.34))
            line((0.66, 0.08), (0.66, 0.34))
            line((0.2, 0.38), (0.8, 0.38), (0.74, 0.66), (0.26, 0.66), (0.2, 0.38))
            line((0.5, 0.66), (0.5, 0.94))
        case Glyph.CROWN:
            points = [
                (0.08, 0.84),
                (0.04, 0.3),
                (0.28, 0.52),
                (0.5, 0.14),
                (0.72, 0.52),
                (0.96, 0.3),
                (0.92, 0.84),
            ]
            canvas.polygon([(box.x + x * side, box.y + y * side) for x, y in points], ink)
