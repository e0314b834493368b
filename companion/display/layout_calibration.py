"""Where the parts of a weighing lie: the picture, both cells' bars, what to do, how far it is.

It never decides what is asked.
"""

import math

from companion.display import theme
from companion.display.calibration import CalibrationBody, Gauge
from companion.display.glyph import Glyph
from companion.display.scene import Align, Box, Picture, Plate, Sheet, Words
from companion.display.theme import Weight

GAUGE = 40.0
LETTERS_A_LINE = 24
"""Of the text beside the picture, at its full size."""

DOT = 16.0


def calibration(sheet: Sheet, body: CalibrationBody, area: Box) -> None:
    """Picture and bars beside the words, or above them where the display stands upright."""
    if not area.upright:
        picture, words = area.left_part(area.w * 0.5, 20)
    else:
        picture, words = area.top_part(area.h * 0.5, 16)
    _bench(sheet, body, picture)
    progress, words = words.top_part(30, 10)
    _progress(sheet, body, progress)
    if body.found:
        _found(sheet, body, words)
    elif body.share is not None:
        _weighing(sheet, body.share, words)
    elif body.refused:
        why, text = words.rows([1.5, 1], 10)
        _refused(sheet, body.refused, why)
        sheet.put(text, Words(body.text, 22, theme.SOFT_INK, align=Align.LEFT, lines=5))
    else:
        lines = math.ceil(len(body.text) / LETTERS_A_LINE)
        text = words.top_part(min(words.h, 16 + 36.0 * lines))[0]
        sheet.put(text, Words(body.text, 28, align=Align.LEFT, lines=8))


def _bench(sheet: Sheet, body: CalibrationBody, area: Box) -> None:
    """The drawn scale between the bars of its two cells."""
    sheet.put(area, Plate(theme.PLATE, 18, theme.LINE))
    upper, words = area.inset(14, 12).bottom_part(26, 4)
    left, rest = upper.left_part(GAUGE, 8)
    picture, right = rest.right_part(GAUGE, 8)
    sheet.put(picture, body.picture)
    if body.touches is not None:
        for box, touch in zip(picture.columns([1, 0.9, 1], 0), body.touches, strict=True):
            sheet.put(box, None, touch)
    halves = words.columns([1, 1], 8)
    for bar, half, gauge, align in (
        (left, halves[0], body.left, Align.LEFT),
        (right, halves[1], body.right, Align.RIGHT),
    ):
        _gauge(sheet, gauge, bar)
        ink = theme.CRIMSON if gauge.fault else theme.INK
        sheet.put(half, Words(gauge.words, 20, ink, Weight.BLACK, align))


def _gauge(sheet: Sheet, gauge: Gauge, box: Box) -> None:
    """A bar from below, or from above for a cell that counts down; plum once it rests."""
    sheet.put(box, Plate(theme.SHADE, 10, theme.LINE))
    if gauge.fault:
        sheet.put(box.middle(28, 28), Picture(Glyph.PLUG, theme.CRIMSON))
        return
    inner = box.inset(5)
    high = max(3.0, inner.h * abs(gauge.share))
    top = inner.bottom - high if gauge.share >= 0 else inner.y
    ink = theme.PLUM if gauge.resting else theme.AMBER
    sheet.put(Box(inner.x, top, inner.w, high), Plate(ink, min(6.0, high / 2)))


def _progress(sheet: Sheet, body: CalibrationBody, row: Box) -> None:
    """A dot a weighing: done, now, to come."""
    x = row.x
    for number in range(body.of):
        now = number == body.done
        side = DOT + 6 if now else DOT
        dot = Box(x, row.cy - side / 2, side, side)
        fill = theme.PLUM if number < body.done else theme.PALE_PLUM if now else theme.PLATE
        sheet.put(dot, Plate(fill, side / 2, theme.PLUM if number <= body.done else theme.LINE))
        x += side + 10
    if body.done < body.of:
        words = Box(x + 6, row.y, row.right - x - 6, row.h)
        text = f"{body.done + 1} of {body.of}"
        sheet.put(words, Words(text, 20, theme.SOFT_INK, align=Align.LEFT))


def _weighing(sheet: Sheet, share: float, area: Box) -> None:
    words, bar = area.middle(area.w, 130).rows([1.6, 1], 12)
    sheet.put(words, Words("Touch nothing for four seconds.", 28, align=Align.LEFT, lines=2))
    track = bar.middle(bar.w, 34)
    sheet.put(track, Plate(theme.SHADE, 17, theme.LINE))
    inner = track.inset(4)
    wide = max(inner.h, inner.w * share)
    sheet.put(Box(inner.x, inner.y, wide, inner.h), Plate(theme.PLUM, inner.h / 2))


def _refused(sheet: Sheet, text: str, box: Box) -> None:
    sheet.put(box, Plate(theme.PALE_CRIMSON, 14, theme.CRIMSON))
    sheet.put(box.inset(14, 8), Words(text, 23, theme.INK, align=Align.LEFT, lines=7))


def _found(sheet: Sheet, body: CalibrationBody, area: Box) -> None:
    for box, line in zip(area.rows([1] * len(body.found), 8), body.found, strict=True):
        mark, words = box.left_part(30, 10)
        sheet.put(mark.middle(26, 26), Picture(Glyph.TICK, theme.PLUM))
        sheet.put(words, Words(line, 24, align=Align.LEFT, lines=2))
