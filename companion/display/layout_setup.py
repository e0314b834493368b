"""Where the parts of setting up lie: the game, the people, the house rules, the turned-up cards.

It never decides what may be chosen.
"""

from companion.display import theme
from companion.display.bodies import DealBody, HouseRulesBody, RosterBody, TypingBody, WelcomeBody
from companion.display.choice import Tone
from companion.display.glyph import Glyph
from companion.display.scene import (
    Align,
    Box,
    Face,
    Key,
    Picture,
    Plate,
    Sheet,
    TileFace,
    Words,
)
from companion.display.theme import Weight


def welcome(sheet: Sheet, body: WelcomeBody, area: Box) -> None:
    """Which game? And the one that was interrupted."""
    keys = area
    if body.resume is not None:
        keys, resume = area.bottom_part(84, 14)
        key = Key(body.resume.label, body.resume.tone, body.resume.note, size=28)
        sheet.put(resume, key, body.resume.touch)
    columns = 1 if area.upright else 2
    rows = -(-len(body.games) // columns)
    keys = keys.middle(keys.w, min(keys.h, rows * 150.0))
    for box, choice in zip(keys.grid(columns, rows, 14), body.games, strict=False):
        sheet.put(box, Key(choice.label, choice.tone, choice.note, size=38), choice.touch)


def roster(sheet: Sheet, body: RosterBody, area: Box) -> None:
    """The players in seat order; ten fit."""
    many = len(body.players) + (body.add is not None)
    columns = 2 if many <= 6 or area.upright else 3
    rows = max(-(-many // columns), 3)
    deep = min(area.h, rows * 110.0)
    cells = Box(area.x, area.y, area.w, deep).grid(columns, rows, 10)
    for k, (box, player) in enumerate(zip(cells, body.players, strict=False)):
        sheet.put(box, Key("", player.tone), player.touch)
        number, name = box.inset(10, 6).left_part(40, 10)
        disc = number.middle(36, 36)
        sheet.put(disc, Plate(theme.PLUM, 18))
        sheet.put(disc, Words(str(k + 1), 20, theme.WHITE, Weight.BLACK))
        if player.note:
            upper, lower = name.middle(name.w, min(name.h, 62)).rows([1.4, 1], 0)
            sheet.put(upper, Words(player.label, 28, weight=Weight.BLACK, align=Align.LEFT))
            sheet.put(lower, Words(player.note, 18, theme.PLUM, align=Align.LEFT))
        else:
            words = Words(player.label, 30, weight=Weight.BLACK, align=Align.LEFT, lines=2)
            sheet.put(name, words)
    if body.add is not None and len(body.players) < len(cells):
        box = cells[len(body.players)]
        sheet.put(box, Key(body.add.label, Tone.NEXT, size=26), body.add.touch)


def typing(sheet: Sheet, body: TypingBody, area: Box) -> None:
    """A keyboard with large keys."""
    field, rest = area.top_part(66, 8)
    if body.suggestions:
        if area.upright:
            names, rest = rest.top_part(56, 8)
        else:
            field, names = field.left_part(field.w * 0.42, 10)
        for box, name in zip(names.columns([1] * 3, 8), body.suggestions, strict=False):
            sheet.put(box, Key(name.label, Tone.NEXT, size=24), name.touch)
    sheet.put(field, Plate(theme.PLATE, edge=theme.PLUM, edge_width=3))
    shown = body.text or body.prompt
    ink = theme.INK if body.text else theme.SOFT_INK
    sheet.put(field.inset(16, 4), Words(shown, 36, ink, Weight.BLACK, Align.LEFT))
    rows = body.narrow if area.upright else body.rows
    rest = Box(rest.x, rest.y, rest.w, min(rest.h, len(rows) * 76.0))
    for row, keys in zip(rest.rows([1] * len(rows), 8), rows, strict=True):
        shares = [2.0 if len(key.label) > 2 else 1.0 for key in keys]
        for box, key in zip(row.columns(shares, 6), keys, strict=True):
            glyph = Glyph.ERASE if key.label == "erase" else None
            label = "" if glyph else key.label
            sheet.put(box, Key(label, key.tone, glyph=glyph, size=30), key.touch)


def house_rules(sheet: Sheet, body: HouseRulesBody, area: Box) -> None:
    """Each rule in a sentence with its value to tap."""
    cells = Box(area.x, area.y, area.w, min(area.h, 480.0)).rows([1] * 4, 8)
    for box, rule in zip(cells, body.rules, strict=False):
        sheet.put(box, Plate(theme.PLATE, edge=theme.PLUM if rule.changed else theme.LINE))
        words, value = box.inset(14, 0).right_part(150 if area.upright else 210, 12)
        badge, text = words.left_part(44 if area.upright else 58, 12)
        sheet.put(badge, Words(rule.rule, 20, theme.SOFT_INK, Weight.BLACK))
        sheet.put(text, Words(rule.text, 23, align=Align.LEFT, lines=4 if area.upright else 2))
        ink = theme.PLUM if rule.changed else theme.INK
        if rule.choice.touch is None:
            sheet.put(value, Words(rule.choice.label, 24, ink, Weight.BLACK, lines=2))
            continue
        tone = Tone.NEXT if rule.changed else Tone.PLAIN
        place = value.moved(8).inset(0, (box.h - max(56.0, box.h - 12)) / 2)
        sheet.put(place, Key(rule.choice.label, tone, size=24), rule.choice.touch)


def deal(sheet: Sheet, body: DealBody, area: Box) -> None:
    """A slot for each turned-up card; an empty one asks for its card."""
    text, slots = area.top_part(62, 8)
    sheet.put(text, Words(body.text, 26, lines=2))
    slots = slots.middle(slots.w, min(slots.h, 440.0))
    boxes = slots.columns([1] * len(body.slots), 18)
    if area.upright and len(body.slots) > 2:
        boxes = slots.grid(2, 2, 18)
    for box, slot in zip(boxes, body.slots, strict=True):
        edge = theme.PLUM if slot.card is None and not slot.tile else theme.LINE
        sheet.put(box, Plate(theme.PLATE, 18, edge, 3), slot.touch)
        head, rest = box.inset(12, 10).top_part(34, 4)
        sheet.put(head, Words(slot.label, 25, weight=Weight.BLACK))
        rest, note = rest.bottom_part(30, 4)
        sheet.put(note, Words(slot.note, 20, theme.SOFT_INK))
        tall = min(rest.h, rest.w / 0.7)
        card = rest.middle(tall * 0.7, tall)
        if slot.tile:
            sheet.put(card.middle(card.h * 0.72, card.h * 0.84), TileFace(slot.tile))
        elif slot.card is not None:
            sheet.put(card, Face(slot.card, slot.colour))
        else:
            sheet.put(card, Plate(theme.PALE_PLUM, 12, theme.PLUM))
            sheet.put(card.middle(44, 44), Picture(Glyph.QUESTION, theme.PLUM))
