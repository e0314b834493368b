"""The scale as it is to look for a weighing: props, cards, a coin, and what a hand is to do.

It never decides what is to be done.
"""

import math
from collections.abc import Sequence

from companion.display import theme
from companion.display.calibration import BenchPicture, Laid, Motion
from companion.display.canvas import Canvas, Point
from companion.display.geometry import turned
from companion.display.scene import Box
from companion.display.theme import Ink, Weight
from companion.units import Tray

WOOD = theme.INK.towards(theme.PAPER, 0.12)
PROP = theme.Ink(196, 150, 92)
COIN = theme.Ink(214, 170, 60)
TRAY = (0.36, 0.075)
"""A tray's width and height, as parts of the picture's width."""


def paint_bench(canvas: Canvas, picture: BenchPicture) -> None:
    """Fills the canvas's box with the picture, at the foot of it."""
    area = canvas.box
    side = min(area.w, area.h * 1.5)
    box = Box(area.cx - side / 2, area.cy - side * 0.3, side, side * 0.62)
    floor = box.bottom - side * 0.03
    pivot = (box.cx, floor - side * 0.17)
    arm = side * 0.31
    ends = _ends(pivot, arm, picture.lean)
    if picture.propped:
        for end in ends:
            inwards = end[0] + (pivot[0] - end[0]) * 0.42
            _prop(canvas, Box(inwards - side * 0.035, pivot[1], side * 0.07, floor - pivot[1]))
    _stand(canvas, pivot, ends, floor, side)
    for tray, end in zip(Tray, ends, strict=True):
        load = picture.load if picture.load is not None and picture.load.tray is tray else None
        _tray(canvas, end, side, picture.lean, load)
    if picture.deck:
        # Beside the scale, where the draw pile lies.
        _cards(canvas, Box(box.cx - side * 0.08, floor - side * 0.05, side * 0.16, side * 0.05))
        canvas.words(
            str(picture.deck),
            Box(box.cx - side * 0.1, floor - side * 0.14, side * 0.2, side * 0.08),
            side * 0.07,
            theme.PLUM,
            Weight.BLACK,
        )
    canvas.rounded(Box(box.x, floor, side, side * 0.016), side * 0.008, theme.LINE)
    _motion(canvas, picture, pivot, ends, side)


def _ends(pivot: Point, arm: float, lean: float) -> tuple[Point, Point]:
    turn = math.radians(lean)
    dx, dy = math.cos(turn) * arm, math.sin(turn) * arm
    return (pivot[0] - dx, pivot[1] - dy), (pivot[0] + dx, pivot[1] + dy)


def _stand(
    canvas: Canvas, pivot: Point, ends: tuple[Point, Point], floor: float, side: float
) -> None:
    half = side * 0.055
    canvas.polygon([pivot, (pivot[0] + half, floor), (pivot[0] - half, floor)], WOOD)
    canvas.stroke(ends, side * 0.018, WOOD)
    canvas.disc(*pivot, side * 0.024, WOOD)
    canvas.disc(*pivot, side * 0.011, theme.PLATE)


def _prop(canvas: Canvas, box: Box) -> None:
    """A block of wood under an arm."""
    canvas.rounded(box, 4, PROP.towards(theme.INK, 0.35))
    canvas.rounded(box.inset(2), 3, PROP)


def _tray(canvas: Canvas, end: Point, side: float, lean: float, load: Laid | None) -> None:
    wide, high = side * TRAY[0], side * TRAY[1]
    cell = Box(end[0] - wide * 0.16, end[1] - high * 0.55, wide * 0.32, high * 0.5)
    canvas.polygon(turned(cell, lean), theme.SOFT_INK)
    lift = high * 0.55
    turn = math.radians(lean)
    foot = (end[0] + lift * math.sin(turn), end[1] - lift * math.cos(turn))
    plate = Box(foot[0] - wide / 2, foot[1] - high * 0.26, wide, high * 0.26)
    canvas.polygon(turned(plate, lean), WOOD)
    for sign in (-1, 1):
        edge = (wide / 2 - 3) * sign
        x = foot[0] + edge * math.cos(turn)
        y = foot[1] + edge * math.sin(turn)
        tip = (x + high * math.sin(turn), y - high * math.cos(turn))
        canvas.stroke([(x, y - 2), tip], 6, WOOD)
    if load is None:
        return
    top = plate.y
    if load.coin_g is not None:
        radius = side * 0.05
        canvas.disc(end[0], top - radius, radius, COIN.towards(theme.INK, 0.35))
        canvas.disc(end[0], top - radius, radius - 3, COIN)
        label = f"{load.coin_g:g} g"
    else:
        _cards(canvas, Box(end[0] - wide * 0.32, top - side * 0.06, wide * 0.64, side * 0.06))
        radius = side * 0.03
        label = str(load.cards)
    words = Box(end[0] - wide / 2, top - 2 * radius - side * 0.1, wide, side * 0.09)
    canvas.words(label, words, side * 0.08, theme.PLUM, Weight.BLACK)


def _cards(canvas: Canvas, box: Box) -> None:
    """A pile of cards from the side."""
    edges = 6
    for k in range(edges):
        y = box.bottom - (k + 1) * box.h / edges
        shift = (k % 2) * 4 - 2
        card = Box(box.x + shift, y, box.w, box.h / edges)
        canvas.rounded(card, 2, theme.PLUM)
        canvas.rounded(card.inset(1.2, 1.0), 1, theme.PALE_PLUM)


def _motion(
    canvas: Canvas,
    picture: BenchPicture,
    pivot: Point,
    ends: tuple[Point, Point],
    side: float,
) -> None:
    ink = theme.CRIMSON
    match picture.motion, picture.load:
        case Motion.TIP, _:
            for end, turn, until in zip(ends, (200, -20), (232, 24), strict=True):
                radius = math.hypot(end[0] - pivot[0], end[1] - pivot[1]) + side * 0.13
                _arrow(canvas, _arc(pivot, radius, turn, until), side, ink)
        case Motion.LAY, Laid(tray=tray):
            x, y = ends[0] if tray is Tray.LEFT else ends[1]
            _arrow(canvas, [(x, y - side * 0.42), (x, y - side * 0.27)], side, ink)
        case Motion.MOVE, Laid(tray=tray):
            begin, end = ends if tray is Tray.RIGHT else ends[::-1]
            top, over = pivot[1] - side * 0.17, pivot[1] - side * 0.36
            _arrow(canvas, _bow((begin[0], top), (end[0], over), side * 0.2), side, ink)
        case _:
            pass


def _arc(centre: Point, radius: float, begin: float, until: float) -> list[Point]:
    """Points of a circle; degrees clockwise from the right."""
    return [
        (
            centre[0] + radius * math.cos(math.radians(begin + (until - begin) * k / 16)),
            centre[1] + radius * math.sin(math.radians(begin + (until - begin) * k / 16)),
        )
        for k in range(17)
    ]


def _bow(begin: Point, end: Point, rise: float) -> list[Point]:
    """Points of a bow that rises between two points."""
    return [
        (
            begin[0] + (end[0] - begin[0]) * k / 16,
            begin[1] + (end[1] - begin[1]) * k / 16 - rise * math.sin(math.pi * k / 16),
        )
        for k in range(17)
    ]


def _arrow(canvas: Canvas, points: Sequence[Point], side: float, ink: Ink) -> None:
    """A line along the points with a head at its end."""
    width, head = side * 0.018, side * 0.06
    (x0, y0), (x1, y1) = points[-2], points[-1]
    heading = math.atan2(y1 - y0, x1 - x0)
    canvas.stroke(points, width, ink)
    tip = (x1 + math.cos(heading) * head * 0.8, y1 + math.sin(heading) * head * 0.8)
    back = [
        (tip[0] - head * math.cos(heading + turn), tip[1] - head * math.sin(heading + turn))
        for turn in (-0.5, 0.5)
    ]
    canvas.polygon([tip, *back], ink)
