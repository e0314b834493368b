"""Where questions, lists and explanations lie.

It never words a question.
"""

import math

from companion.display import theme
from companion.display.bodies import ChoicesBody, ColourBody, ListBody, RefusedBody, WhyBody
from companion.display.choice import Choice
from companion.display.geometry import CARD_SHAPE
from companion.display.scene import Align, Box, Face, Key, Mark, Plate, Sheet, Words
from companion.display.theme import CARD_INKS, Weight

STACKED_MOST = 4
"""So many answers stand one below the other on an upright display."""


def choices(sheet: Sheet, body: ChoicesBody, area: Box) -> None:
    """One question and a few large answers."""
    keys = area
    if body.text:
        text, keys = area.top_part(min(110.0, area.h * 0.34), 12)
        sheet.put(text, Words(body.text, 28, lines=3))
    columns = body.columns
    if area.upright:
        columns = 1 if len(body.choices) <= STACKED_MOST else 2
    rows = math.ceil(len(body.choices) / columns)
    keys = keys.middle(keys.w, min(keys.h, rows * 150.0))
    for box, choice in zip(keys.grid(columns, rows, 14), body.choices, strict=False):
        if choice.card is not None:
            sheet.put(box, Key("", choice.tone), choice.touch)
            sheet.put(box.middle(box.h * 0.62, box.h - 16), Face(choice.card))
        else:
            sheet.put(box, Key(choice.label, choice.tone, choice.note, size=34), choice.touch)


def colours(sheet: Sheet, body: ColourBody, area: Box) -> None:
    """Four large fields, each with its colour, shape, letter and name."""
    keys = area
    if body.card is not None:
        if area.upright:
            card, keys = area.top_part(200, 20)
        else:
            card, keys = area.left_part(area.h * 0.5, 20)
        tall = min(card.h * 0.8, card.w * 1.4)
        sheet.put(card.middle(tall / 1.4, tall), Face(body.card))
    keys = keys.middle(keys.w, min(keys.h, 380.0))
    for box, choice in zip(keys.grid(2, 2, 14), body.choices, strict=True):
        if choice.colour is None:
            continue
        ink = CARD_INKS[choice.colour]
        sheet.put(box, Plate(ink, 20), choice.touch)
        side = min(box.h * 0.62, box.w * 0.4)
        mark, word = box.middle(min(220, box.w - 24), side).left_part(side, 16)
        pen = theme.on(ink)
        sheet.put(mark, Mark(choice.colour))
        sheet.put(word, Words(choice.label, 44, pen, Weight.BLACK, Align.LEFT))


def rows(sheet: Sheet, body: ListBody, area: Box) -> None:
    """Rows to choose from, each large enough for a finger."""
    if not body.rows:
        sheet.put(area, Words(body.empty, 28, theme.SOFT_INK, lines=3))
        return
    # More rows would be too low for a finger: another column is begun.
    most = int((area.h + theme.GAP) // (theme.TOUCH + theme.GAP))
    fewest = max(1, body.columns // 2) if area.upright else body.columns
    columns = max(fewest, math.ceil(len(body.rows) / most))
    deep = math.ceil(len(body.rows) / columns)
    high = min(74.0, (area.h - 8 * (deep - 1)) / deep)
    grid = Box(area.x, area.y, area.w, high * deep + 8 * (deep - 1))
    for box, choice in zip(grid.grid(columns, deep, 8), body.rows, strict=False):
        _row(sheet, choice, box)


NOTE_BESIDE = 300.0
"""In a row narrower than this the note stands below the label."""


def _row(sheet: Sheet, choice: Choice, box: Box) -> None:
    if choice.card is None:
        key = Key(choice.label, choice.tone, choice.note, choice.glyph, size=26)
        sheet.put(box, key, choice.touch)
        return
    sheet.put(box, Key("", choice.tone), choice.touch)
    face, words = box.inset(10, 6).left_part((box.h - 12) * 1.36, 14)
    sheet.put(face, Face(choice.card, choice.colour))
    beside = words.w > NOTE_BESIDE
    words, note = words.right_part(words.w * 0.34, 8) if beside else words.rows([1.4, 1], 0)
    side = Align.RIGHT if beside else Align.LEFT
    sheet.put(words, Words(choice.label, 25, weight=Weight.BLACK, align=Align.LEFT, lines=2))
    sheet.put(note, Words(choice.note, 19, theme.SOFT_INK, align=side, lines=2))


def why(sheet: Sheet, body: WhyBody, area: Box) -> None:
    """The claim, then each rule with its number, then what the scale saw."""
    lines = 3 if area.upright else 2
    claim, rest = area.top_part(29.0 * lines, 8)
    sheet.put(claim, Words(body.claim, 27, weight=Weight.BLACK, lines=lines))
    shown = body.reasons[:6]
    weights = [1.0 + len(reason.text) / 90 for reason in shown]
    if not shown:
        return
    need = sum(min(92.0, 46 * weight) for weight in weights)
    rest = Box(rest.x, rest.y, rest.w, min(rest.h, need + 8 * len(shown)))
    for box, reason in zip(rest.rows(weights, 8), shown, strict=True):
        sheet.put(box, Plate(theme.PLATE, 12, theme.LINE))
        badge, words = box.inset(8, 5).left_part(74, 12)
        tag = badge.middle(74, min(badge.h, 38))
        sheet.put(tag, Plate(theme.PLUM if reason.rule else theme.SOFT_INK, 10))
        label = reason.rule or "scale"
        sheet.put(tag.inset(6, 2), Words(label, 22, theme.WHITE, Weight.BLACK))
        sheet.put(words, Words(reason.text, 22, align=Align.LEFT, lines=4))


def refused(sheet: Sheet, body: RefusedBody, area: Box) -> None:
    """What was refused and what to do: the card large, one sentence beside it."""
    words = area
    if body.card is not None:
        tall = min(area.h - 20, 230.0)
        if area.upright:
            card, words = area.top_part(tall + 20, 10)
        else:
            card, words = area.left_part(tall * CARD_SHAPE + 30, 24)
        sheet.put(card.middle(tall * CARD_SHAPE, tall), Face(body.card))
    text, rule = words.bottom_part(46, 8) if body.rule else (words, words)
    sheet.put(text, Words(body.text, 36, weight=Weight.BLACK, lines=5))
    if body.rule:
        badge = rule.middle(150, 40)
        sheet.put(badge, Plate(theme.PALE_PLUM, 12))
        sheet.put(badge.inset(8, 2), Words(f"rule {body.rule}", 22, theme.PLUM, Weight.BLACK))
