"""How each part of a scene looks, apart from the cards and the chart.

It never looks beyond the one part that it paints.
"""

import math
from typing import assert_never

from companion.display import theme
from companion.display.calibration import BenchPicture
from companion.display.canvas import Canvas
from companion.display.choice import Tone
from companion.display.geometry import (
    STACK_STEP,
    beam_ends,
    ring_angles,
    ring_gaps,
    ring_point,
    stack_height,
    turned,
)
from companion.display.paint_bench import paint_bench
from companion.display.paint_cards import octagon, paint_face, paint_shape, paint_tile
from companion.display.paint_chart import paint_chart
from companion.display.paint_glyphs import paint_glyph
from companion.display.scene import (
    Align,
    Beam,
    Box,
    Chart,
    Chip,
    Face,
    Key,
    Mark,
    Part,
    Picture,
    Plate,
    RingLine,
    Sign,
    Stack,
    TileFace,
    Tumble,
    Words,
)
from companion.display.theme import CARD_INKS, Ink, Weight
from companion.games.cards import Colour


def paint_part(canvas: Canvas, part: Part) -> None:
    """Paints one part to fill the canvas's box."""
    match part:
        case Plate():
            _plate(canvas, part)
        case Words():
            _words(canvas, part)
        case Face():
            paint_face(canvas, part.card, part.colour, part.faded)
        case Mark():
            _mark(canvas, part)
        case Key():
            _key(canvas, part)
        case Picture():
            paint_glyph(canvas, part.glyph, canvas.box, part.ink)
        case Sign():
            _sign(canvas, part.is_open)
        case Chip():
            _chip(canvas, part)
        case RingLine():
            _ring(canvas, part)
        case Beam():
            _beam(canvas, part.lean)
        case Stack():
            _stack(canvas, part.cards)
        case TileFace():
            paint_tile(canvas, part.text)
        case Tumble():
            _tumble(canvas)
        case Chart():
            paint_chart(canvas, part)
        case BenchPicture():
            paint_bench(canvas, part)
        case _:
            assert_never(part)


def _plate(canvas: Canvas, plate: Plate) -> None:
    box = canvas.box
    canvas.rounded(box, plate.radius, plate.edge or plate.fill)
    if plate.edge is not None:
        inner = box.inset(plate.edge_width)
        canvas.rounded(inner, max(0.0, plate.radius - plate.edge_width), plate.fill)


def _words(canvas: Canvas, part: Words) -> None:
    canvas.words(
        part.text,
        canvas.box,
        part.size,
        part.ink,
        part.weight,
        part.align,
        part.lines,
        part.stress,
    )


def _mark(canvas: Canvas, mark: Mark) -> None:
    ink = CARD_INKS[mark.colour]
    pen = theme.on(ink)
    paint_shape(canvas, mark.colour, canvas.box, *((ink, pen) if mark.plain else (pen, ink)))


KEY_INKS: dict[Tone, tuple[Ink, Ink, Ink]] = {
    Tone.MAIN: (theme.PLUM, theme.PLUM, theme.WHITE),
    Tone.PLAIN: (theme.PLATE, theme.INK, theme.INK),
    Tone.QUIET: (theme.PAPER, theme.RIM, theme.SOFT_INK),
    Tone.WARN: (theme.CRIMSON, theme.CRIMSON, theme.WHITE),
    Tone.NEXT: (theme.PALE_PLUM, theme.PLUM, theme.PLUM),
}
"""Of each tone: ground, edge, words."""


KEY_WORDS = 2.7
"""How high a label and its note stand together at most, in sizes of the label."""


def _key(canvas: Canvas, key: Key) -> None:
    fill, edge, pen = KEY_INKS[key.tone]
    box = canvas.box
    lift = 3.0 if key.tone is not Tone.QUIET else 0.0
    if lift:
        canvas.rounded(box.moved(0, lift), theme.RADIUS, edge.towards(theme.INK, 0.25))
    canvas.rounded(box, theme.RADIUS, edge)
    canvas.rounded(box.inset(2), theme.RADIUS - 2, fill)
    words = box.inset(8, 5)
    words = words.middle(words.w, min(words.h, key.size * KEY_WORDS))
    align = Align.CENTRE
    if key.glyph is not None:
        side = min(words.h * 0.72, 34.0)
        mark = words
        if key.label:
            align = Align.LEFT
            mark, words = words.inset(8, 0).left_part(side, 14)
        paint_glyph(canvas, key.glyph, mark.middle(side, side), pen)
    if key.note:
        upper, lower = words.rows([1.25, 1], 0)
        canvas.words(key.label, upper, key.size, pen, Weight.BLACK, align, lines=2)
        size = max(theme.SMALL, key.size * 0.55)
        canvas.words(key.note, lower, size, pen, align=align, lines=2)
    else:
        canvas.words(key.label, words, key.size, pen, Weight.BLACK, align, lines=2)


def _sign(canvas: Canvas, is_open: bool) -> None:
    box = canvas.box
    if is_open:
        pill = box.middle(box.w, min(box.h, box.w * 0.46))
        canvas.rounded(pill, pill.h / 2, theme.INK)
        canvas.rounded(pill.inset(3.5), pill.h / 2 - 3.5, theme.PLATE)
        canvas.words("OPEN", pill.inset(pill.h * 0.3, 2), pill.h * 0.56, theme.INK, Weight.BLACK)
        return
    eight = box.middle(min(box.w, box.h), min(box.w, box.h))
    canvas.polygon(octagon(eight), theme.CRIMSON)
    canvas.polygon(octagon(eight.inset(eight.w * 0.045)), theme.WHITE)
    canvas.polygon(octagon(eight.inset(eight.w * 0.09)), theme.CRIMSON)
    words = eight.inset(eight.w * 0.12, 2)
    canvas.words("STOP", words, eight.h * 0.34, theme.WHITE, Weight.BLACK)


CHIP_INKS: dict[Tone, tuple[Ink, Ink, Ink]] = {
    Tone.MAIN: (theme.PLUM, theme.PLUM, theme.WHITE),
    Tone.NEXT: (theme.PLATE, theme.PLUM, theme.INK),
    Tone.PLAIN: (theme.PLATE, theme.LINE, theme.INK),
    Tone.QUIET: (theme.PAPER, theme.LINE, theme.SOFT_INK),
    Tone.WARN: (theme.CRIMSON, theme.CRIMSON, theme.WHITE),
}


CHIP_WITH_SCORE = 50.0
"""A lower seat has no room for its score."""
CHIP_NAME_LEAST = 17.0
"""A name that would be smaller than this takes two lines."""


def _chip(canvas: Canvas, chip: Chip) -> None:
    fill, edge, pen = CHIP_INKS[chip.mood]
    box = canvas.box
    canvas.rounded(box, 12, edge)
    canvas.rounded(box.inset(2.5), 9.5, fill)
    inner = box.inset(8, 4)
    if chip.cards is not None:
        wide = min(max(box.h * 0.5, 27.0), 30.0)
        inner, hand = inner.right_part(wide, 6)
        card = hand.middle(wide, min(box.h * 0.7, 42.0))
        canvas.rounded(card, 5, pen)
        canvas.rounded(card.inset(2.2), 3, fill)
        canvas.words(str(chip.cards), card.inset(3, 2), card.h * 0.66, pen, Weight.BLACK)
    if box.h < CHIP_WITH_SCORE:
        canvas.words(chip.name, inner, 21, pen, Weight.BLACK, Align.LEFT, lines=3)
        return
    one_line = canvas.size_of(chip.name, inner.w, Weight.BLACK) >= CHIP_NAME_LEAST
    if not one_line:
        inner = inner.moved(0, -2)
    upper, lower = inner.rows([1.5, 1] if one_line else [2.4, 1], 1)
    canvas.words(chip.name, upper, 26, pen, Weight.BLACK, Align.LEFT, lines=1 if one_line else 2)
    text = chip.tag or f"{chip.score} points"
    canvas.words(text, lower, 17, pen, Weight.BOLD, Align.LEFT)


def _ring(canvas: Canvas, ring: RingLine) -> None:
    box = canvas.box
    steps = 160
    points = [ring_point(box, 2 * math.pi * step / steps) for step in range(steps + 1)]
    canvas.stroke(points, 3, theme.LINE)
    wide, high = ring.chip
    seats = [ring_point(box, angle) for angle in ring_angles(ring.seats, box, ring.chip)]
    for angle in ring_gaps(ring.seats, box, ring.chip):
        x, y = ring_point(box, angle)
        if any(abs(x - sx) < wide / 2 + 9 and abs(y - sy) < high / 2 + 9 for sx, sy in seats):
            continue
        ahead = ring_point(box, angle + 0.02 * ring.direction)
        heading = math.atan2(ahead[1] - y, ahead[0] - x)
        size = 19.0
        tip = (x + math.cos(heading) * size / 2, y + math.sin(heading) * size / 2)
        back = [
            (tip[0] - size * math.cos(heading + turn), tip[1] - size * math.sin(heading + turn))
            for turn in (-0.6, 0.6)
        ]
        canvas.polygon([tip, *back], theme.SOFT_INK)


def _beam(canvas: Canvas, lean: float) -> None:
    box = canvas.box
    left, right = beam_ends(box, lean)
    pivot = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
    foot = box.bottom
    wood = theme.INK.towards(theme.PAPER, 0.12)
    canvas.polygon(
        [(pivot[0], pivot[1] - 4), (pivot[0] + 26, foot - 5), (pivot[0] - 26, foot - 5)], wood
    )
    canvas.rounded(Box(pivot[0] - 58, foot - 8, 116, 8), 4, wood)
    canvas.stroke([left, right], 7, wood)
    canvas.disc(pivot[0], pivot[1], 9, wood)
    canvas.disc(pivot[0], pivot[1], 4.5, theme.PAPER)


def _stack(canvas: Canvas, cards: int) -> None:
    """A tray with the edges of the cards in it."""
    box = canvas.box
    wood = theme.INK.towards(theme.PAPER, 0.12)
    lip = Box(box.x, box.bottom - 9, box.w, 9)
    for k in range(round(stack_height(cards) / STACK_STEP)):
        edge = Box(box.x + 12 + (k % 2) * 3, lip.y + 2 - STACK_STEP * (k + 1), box.w - 27, 2)
        canvas.rounded(edge, 1, theme.SOFT_INK.towards(theme.PAPER, 0.2))
    canvas.rounded(lip, 4.5, wood)
    for x in (box.x, box.right - 8):
        canvas.rounded(Box(x, box.bottom - 20, 8, 20), 4, wood)


def _tumble(canvas: Canvas) -> None:
    box = canvas.box
    wide, high = box.h * 0.34, box.h * 0.46
    falls = zip(
        (0.16, 0.4, 0.6, 0.8), (0.34, 0.68, 0.3, 0.62), (-24, 38, 12, -50), Colour, strict=True
    )
    for across, down, spin, colour in falls:
        card = Box(box.x + box.w * across - wide / 2, box.y + box.h * down - high / 2, wide, high)
        canvas.polygon(turned(card, spin), theme.PLATE)
        canvas.polygon(turned(card.inset(3), spin), CARD_INKS[colour])
