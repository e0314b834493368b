"""Our own card art: colour, shape and letter say the same thing three times.

It never copies the look of any printed card.
"""

import math

from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.geometry import Point, turned
from companion.display.scene import Box
from companion.display.theme import CARD_INKS, SHAPES, Ink, Shape, Weight
from companion.games.cards import Card, Colour, Kind

_LETTER_LOWERED = {Shape.HEART: -0.06, Shape.STAR: 0.03, Shape.LEAF: 0.0, Shape.DROP: 0.14}
"""By how much of its height a shape's visual middle lies below the middle of its box."""


def outline(shape: Shape, box: Box) -> list[Point]:
    """The points of a shape that fills the box."""
    steps = 48
    turn = [2 * math.pi * step / steps for step in range(steps)]
    match shape:
        case Shape.HEART:
            unit = [
                (
                    math.sin(a) ** 3,
                    -(
                        13 * math.cos(a)
                        - 5 * math.cos(2 * a)
                        - 2 * math.cos(3 * a)
                        - math.cos(4 * a)
                    )
                    / 16,
                )
                for a in turn
            ]
        case Shape.STAR:
            unit = [
                (r * math.sin(math.pi * k / 5), -r * math.cos(math.pi * k / 5))
                for k in range(10)
                for r in [1.0 if k % 2 == 0 else 0.52]
            ]
        case Shape.LEAF:
            arc = [math.pi / 2 * step / 16 for step in range(17)]
            unit = [(-1 + 2 * math.sin(a), -1 + 2 * (1 - math.cos(a))) for a in arc]
            unit += [(1 - 2 * math.sin(a), 1 - 2 * (1 - math.cos(a))) for a in arc]
        case Shape.DROP:
            unit = [(0.78 * math.sin(a) * math.sin(a / 2) ** 1.3, -math.cos(a)) for a in turn]
    xs, ys = [x for x, _ in unit], [y for _, y in unit]
    first_x, first_y = min(xs), min(ys)
    wide, high = max(xs) - first_x, max(ys) - first_y
    k = min(box.w / wide, box.h / high)
    left, up = box.cx - wide * k / 2, box.cy - high * k / 2
    return [(left + (x - first_x) * k, up + (y - first_y) * k) for x, y in unit]


def paint_shape(canvas: Canvas, colour: Colour, box: Box, ink: Ink, letter_ink: Ink | None) -> None:
    """A colour's shape, with its letter inside if there is an ink for it."""
    canvas.polygon(outline(SHAPES[colour], box), ink)
    if letter_ink is not None:
        letter = box.moved(0, box.h * _LETTER_LOWERED[SHAPES[colour]])
        canvas.words(colour.value, letter, box.h * 0.56, letter_ink, Weight.BLACK)


def paint_face(canvas: Canvas, card: Card, colour: Colour | None, faded: bool) -> None:
    """A card filling the canvas, upright or lying."""
    box = canvas.box
    short = min(box.w, box.h)
    radius, rim = short * 0.13, short * 0.045
    ink = face_ink(card, colour)
    ground = ink.towards(theme.PAPER, 0.72) if faded else ink
    pen = theme.SOFT_INK if faded else theme.on(ground)
    named = card.is_wild and colour is not None
    canvas.rounded(box, radius, theme.INK if named else theme.PLATE)
    canvas.rounded(box.inset(rim), radius - rim, ground)
    shown = card.colour or colour
    middle = box.inset(rim * 1.6)
    if card.colour is not None:
        mark, middle = _with_mark(middle, short)
        paint_shape(canvas, card.colour, mark, pen, ground)
    _paint_symbol(canvas, card, middle, pen, ground, shown)


def _with_mark(inner: Box, short: float) -> tuple[Box, Box]:
    """Where the mark of a coloured card lies, and what is left for its symbol."""
    side = short * 0.34
    if lies(inner):
        side = short * 0.38
        mark, middle = inner.left_part(side, short * 0.04)
        return mark.middle(side, side).moved(short * 0.02), middle
    mark = Box(inner.x + short * 0.02, inner.y + short * 0.02, side, side)
    return mark, Box(inner.x, inner.y + inner.h * 0.24, inner.w, inner.h * 0.76)


def lies(box: Box) -> bool:
    """True for a box in which a card is drawn lying on its side."""
    return box.w > box.h * 1.15


def face_ink(card: Card, colour: Colour | None) -> Ink:
    """The ground on which a card is drawn."""
    if card.colour is not None:
        return CARD_INKS[card.colour]
    if card.kind is Kind.UNKNOWN:
        return theme.UNNAMED
    return theme.INK if colour is None else CARD_INKS[colour]


def _paint_symbol(
    canvas: Canvas, card: Card, box: Box, pen: Ink, ground: Ink, shown: Colour | None
) -> None:
    tall = min(box.h * 0.8, box.w * 0.82)
    match card.kind:
        case Kind.NUMBER:
            _number(canvas, str(card.number), box, tall, pen)
        case Kind.STOP:
            side = min(box.h * 0.9, box.w * 0.84)
            eight = box.middle(side, side)
            canvas.polygon(octagon(eight), pen)
            canvas.polygon(octagon(eight.inset(side * 0.06)), ground)
            canvas.polygon(octagon(eight.inset(side * 0.11)), pen)
            canvas.words(str(card.number), eight, side * 0.72, ground, Weight.BLACK)
        case Kind.DRAW_TWO:
            canvas.words("+2", box.inset(2, 0), tall * 0.74, pen, Weight.BLACK)
        case Kind.REVERSE:
            _reverse(canvas, box.middle(tall * 0.9, tall * 0.9), pen)
        case Kind.SKIP:
            _skip(canvas, box.middle(tall * 0.95, tall * 0.95), pen)
        case Kind.WILD:
            _four(canvas, box, tall, shown, pen, ground)
        case Kind.WILD_DRAW_FOUR:
            upper, lower = box.columns([1, 1.1], 2) if lies(box) else box.rows([1, 1], 0)
            _four(canvas, upper, min(upper.w, upper.h) * 0.84, shown, pen, ground)
            canvas.words("+4", lower.inset(2, 0), lower.h * 0.8, pen, Weight.BLACK)
        case Kind.TILT:
            _tilt(canvas, box, tall, pen)
        case Kind.UNKNOWN:
            canvas.words("?", box, tall, pen, Weight.BLACK)


def _number(canvas: Canvas, text: str, box: Box, tall: float, pen: Ink) -> None:
    canvas.words(text, box, tall, pen, Weight.BLACK)
    if text in ("6", "9"):
        width = tall * 0.36
        bar = Box(box.cx - width / 2, box.cy + tall * 0.42, width, tall * 0.07)
        canvas.rounded(bar, bar.h / 2, pen)


def octagon(box: Box) -> list[Point]:
    cut = 1 / (2 + math.sqrt(2))
    dx, dy = box.w * cut, box.h * cut
    return [
        (box.x + dx, box.y),
        (box.right - dx, box.y),
        (box.right, box.y + dy),
        (box.right, box.bottom - dy),
        (box.right - dx, box.bottom),
        (box.x + dx, box.bottom),
        (box.x, box.bottom - dy),
        (box.x, box.y + dy),
    ]


def _arrow_head(tip: Point, angle: float, size: float) -> list[Point]:
    back = [
        (tip[0] - size * math.cos(angle + turn), tip[1] - size * math.sin(angle + turn))
        for turn in (-0.62, 0.62)
    ]
    return [tip, back[0], back[1]]


def _reverse(canvas: Canvas, box: Box, pen: Ink) -> None:
    """Two arrows that pass each other."""
    width = box.w * 0.15
    for sign in (1, -1):
        y = box.cy - sign * box.h * 0.2
        tail, tip = box.cx - sign * box.w * 0.42, box.cx + sign * box.w * 0.2
        canvas.stroke([(tail, y), (tip, y)], width, pen)
        end = (box.cx + sign * box.w * 0.5, y)
        canvas.polygon(_arrow_head(end, 0.0 if sign > 0 else math.pi, box.w * 0.42), pen)


def _skip(canvas: Canvas, box: Box, pen: Ink) -> None:
    """An arrow that leaps over a seat."""
    canvas.disc(box.cx, box.cy + box.h * 0.28, box.w * 0.13, pen)
    arc = [
        (box.cx - math.cos(a) * box.w * 0.38, box.cy + box.h * 0.2 - math.sin(a) * box.h * 0.5)
        for a in [math.pi * step / 24 for step in range(21)]
    ]
    canvas.stroke(arc, box.w * 0.13, pen)
    end = (box.cx + box.w * 0.4, box.cy + box.h * 0.36)
    canvas.polygon(_arrow_head(end, math.pi * 0.46, box.w * 0.36), pen)


def _four(
    canvas: Canvas, box: Box, tall: float, shown: Colour | None, pen: Ink, ground: Ink
) -> None:
    """The four shapes; once a colour is chosen, its shape alone."""
    area = box.middle(tall, tall)
    if shown is not None:
        paint_shape(canvas, shown, area.inset(tall * 0.04), pen, ground)
        return
    for colour, cell in zip(Colour, area.grid(2, 2, tall * 0.1), strict=True):
        paint_shape(canvas, colour, cell, CARD_INKS[colour].towards(theme.WHITE, 0.12), None)


def _tilt(canvas: Canvas, box: Box, tall: float, pen: Ink) -> None:
    """A beam that leans too far, with a card sliding off."""
    area = box.middle(tall, tall)
    canvas.polygon(
        [
            (area.cx, area.cy),
            (area.cx + tall * 0.2, area.bottom - tall * 0.08),
            (area.cx - tall * 0.2, area.bottom - tall * 0.08),
        ],
        pen,
    )
    lean = 0.42
    dx, dy = math.cos(lean) * tall * 0.48, math.sin(lean) * tall * 0.48
    canvas.stroke([(area.cx - dx, area.cy - dy), (area.cx + dx, area.cy + dy)], tall * 0.11, pen)
    slid = Box(area.cx + tall * 0.16, area.y + tall * 0.08, tall * 0.2, tall * 0.28)
    canvas.polygon(turned(slid, 29), theme.AMBER)


TILE_EFFECTS = {"2": Kind.DRAW_TWO, "5": Kind.SKIP, "7": Kind.REVERSE}
"""The numbers of Rummy Up that act (R1)."""


def paint_tile(canvas: Canvas, text: str) -> None:
    """A tile: its number in its colour above its shape; a wild is dark."""
    box = canvas.box
    short = min(box.w, box.h)
    wild = text.startswith("W")
    ground = theme.INK if wild else theme.PLATE
    canvas.rounded(box, short * 0.14, theme.INK if wild else theme.LINE)
    canvas.rounded(box.inset(1.6), short * 0.12, ground)
    stands_for = text.removeprefix("W=")
    if stands_for == "W":
        _four(canvas, box, min(box.w, box.h) * 0.76, None, theme.WHITE, ground)
        return
    colour, number = Colour(stands_for[0]), stands_for[1:]
    ink = CARD_INKS[colour]
    pen = ink.towards(theme.WHITE, 0.25) if wild else _legible(ink)
    upper, lower = box.inset(box.w * 0.06).rows([1.3, 1], 0)
    canvas.words(number, upper, upper.h * 1.1, pen, Weight.BLACK)
    acts = TILE_EFFECTS.get(number)
    mark, sign = lower.columns([1, 1.1], 2)
    legible = canvas.size_of("+2", sign.w - 4, Weight.BLACK) >= theme.LEAST
    if wild or acts is None or not legible:
        paint_shape(canvas, colour, lower.middle(lower.h, lower.h * 0.86), pen, ground)
        return
    paint_shape(canvas, colour, mark.middle(mark.h * 0.8, mark.h * 0.8), pen, ground)
    card = Card(acts)
    _paint_symbol(canvas, card, sign, theme.SOFT_INK, ground, None)


def _legible(ink: Ink) -> Ink:
    """The ink on light ground: yellow is darkened until it can be read."""
    return ink if theme.on(ink) == theme.WHITE else ink.towards(theme.INK, 0.52)
