"""Where the parts of a round's special moments lie: spill, reset, Tilt, counting, scores.

It never decides who pays or what a hand is worth.
"""

import math

from companion.display import layout_table, theme
from companion.display.bodies import (
    CountBody,
    ResetBody,
    ResetTray,
    ScoreRow,
    ScoresBody,
    SettleBody,
    SpillBody,
    TiltBody,
    WinnerBody,
)
from companion.display.choice import Choice, Tone
from companion.display.geometry import CARD_SHAPE, beam_ends, card_in
from companion.display.glyph import Glyph
from companion.display.scene import (
    Align,
    Beam,
    Box,
    Chart,
    Face,
    Key,
    Picture,
    Plate,
    Sheet,
    Stack,
    Tumble,
    Words,
)
from companion.display.theme import Weight

SPILLING = 250.0
"""How high the picture of a spill is, with the cards in mid-air."""
SCORE_ROW_LEAST, SCORE_ROW_MOST, SCORE_GAP = 36.0, 52.0, 4.0
"""Rows of scores and what is between them; a lower row is hard to read across a table."""


def spill(sheet: Sheet, body: SpillBody, area: Box) -> None:
    """Who pays, as large as the screen allows, and why."""
    if area.upright:
        picture, words = area.top_part(SPILLING, 10)
        words = words.middle(words.w, min(words.h, 300))
    else:
        picture, words = area.left_part(area.w * 0.36, 16)
    picture = picture.middle(min(picture.w, 300.0), SPILLING)
    beam = picture.bottom_part(210, 0)[1].inset(48, 0)
    sheet.put(beam, Beam(body.lean))
    left, right = beam_ends(beam, body.lean)
    for x, y in (left, right):
        sheet.put(Box(x - 44, y - 40, 88, 44), Stack(0))
    sheet.put(Box(picture.cx - 60, picture.y, beam.w / 2 + 88, 150), Tumble())
    upper, lower = words.rows([1.55, 1], 8)
    if body.payer is None:
        sheet.put(upper, Words("Nobody pays", 64, theme.INK, Weight.BLACK, lines=2))
    else:
        name, debt = upper.rows([1, 1], 0)
        sheet.put(name, Words(body.payer, 72, theme.CRIMSON, Weight.BLACK))
        sheet.put(debt, Words(f"draws {body.count} cards", 54, theme.INK, Weight.BLACK))
    sheet.put(lower, Words(body.text, 26, theme.INK, lines=4))


def reset(sheet: Sheet, body: ResetBody, area: Box) -> None:
    """The cards that go back in each tray, side by side, and how many lie there now."""
    text, trays = area.bottom_part(area.h - 40, 6)
    sheet.put(text, Words(body.text, 28, lines=2))
    for box, tray in zip(trays.columns([1, 1], 14), (body.left, body.right), strict=True):
        _reset_tray(sheet, tray, box)


def _reset_tray(sheet: Sheet, tray: ResetTray, box: Box) -> None:
    ready = tray.counted == len(tray.cards)
    sheet.put(box, Plate(theme.PLATE, 18, theme.PLUM if ready else theme.LINE, 3), tray.touch)
    head, rest = box.inset(14, 10).top_part(34, 6)
    sheet.put(head, Words(f"{tray.tray.value.upper()} TRAY", 26, weight=Weight.BLACK))
    middle, foot = rest.bottom_part(40, 2)
    if not tray.cards:
        sheet.put(middle, Words("stays empty", 28, theme.SOFT_INK))
    places = middle.rows([1, 1], 10) if middle.tall else _side_by_side(middle, len(tray.cards))
    for place, card, text in zip(places, tray.cards, ("on top", "under it"), strict=False):
        face, label = place.bottom_part(24, 4)
        sheet.put(card_in(face), Face(card))
        sheet.put(label, Words(text, 20, theme.SOFT_INK))
    if tray.counted is None:
        return
    if ready:
        mark, words = foot.middle(172, foot.h).left_part(34, 8)
        sheet.put(mark, Picture(Glyph.TICK, theme.PLUM))
        sheet.put(words, Words("all there", 32, theme.PLUM, Weight.BLACK, Align.LEFT))
    else:
        missing = len(tray.cards) - tray.counted
        text = f"put {missing} in" if missing > 0 else f"take {-missing} out"
        sheet.put(foot, Words(text, 34, theme.CRIMSON, Weight.BLACK))


def _side_by_side(area: Box, cards: int) -> list[Box]:
    wide = (area.h - 28) * CARD_SHAPE + 22
    return area.middle(wide * max(1, cards), area.h).columns([1] * max(1, cards), 0)


def tilt(sheet: Sheet, body: TiltBody, area: Box) -> None:
    """The challenge: the leaning balance, whose turn it is to drop, and who follows."""
    order, middle = area.top_part(134 if area.upright else 58, 6)
    _queue(sheet, body.order, order)
    if area.upright:
        counted, middle = middle.top_part(160, 0)
    else:
        counted = middle.middle(180, middle.h).top_part(150)[0]
    scale = middle.middle(middle.w, min(middle.h, layout_table.BALANCE_MOST))
    layout_table.balance(sheet, body.balance, scale, signs=False)
    if body.drops is None:
        return
    number, label = counted.rows([2.4, 1], 0)
    sheet.put(number, Words(str(body.drops), 96, theme.PLUM, Weight.BLACK))
    dropped = "card dropped" if body.drops == 1 else "cards dropped"
    sheet.put(label, Words(dropped, 22, theme.SOFT_INK))


def _queue(sheet: Sheet, names: tuple[str, ...], row: Box) -> None:
    shown = names[:4]
    if row.upright:
        upper, lower = row.rows([1, 1], 14)
        boxes = [upper, *lower.inset(13, 0).columns([1] * (len(shown) - 1), 26)]
    else:
        boxes = row.columns([1.6] + [1.0] * (len(shown) - 1), 26)
    for k, (name, box) in enumerate(zip(shown, boxes, strict=True)):
        first = k == 0
        sheet.put(
            box,
            Plate(theme.PLUM if first else theme.PLATE, 16, theme.PLUM if first else theme.LINE),
        )
        ink = theme.WHITE if first else theme.INK
        sheet.put(box.inset(10, 4), Words(name, 30 if first else 24, ink, Weight.BLACK, lines=2))
        if not first:
            sheet.put(Box(box.x - 23, box.cy - 10, 20, 20), Picture(Glyph.RIGHT, theme.SOFT_INK))


def settle(sheet: Sheet, body: SettleBody, area: Box) -> None:
    """The last card lies: a line runs out while the scale must hold."""
    upper, bar = area.middle(area.w, min(area.h, 500.0)).bottom_part(44, 6)
    upper, text = upper.bottom_part(38, 0)
    layout_table.balance(sheet, body.balance, upper)
    sheet.put(text, Words(body.text, 32, weight=Weight.BLACK))
    track = bar.middle(bar.w * 0.8, 26)
    sheet.put(track, Plate(theme.SHADE, 13))
    done = max(26.0, round(track.w * body.share))
    sheet.put(Box(track.x, track.y, done, track.h), Plate(theme.PLUM, 13))


def count(sheet: Sheet, body: CountBody, area: Box) -> None:
    """One hand at a time: tap its cards, or type its points."""
    if area.upright:
        rows = math.ceil(len(body.others) / 3)
        people, work = area.top_part(64.0 * rows, 14)
        cells = people.grid(3, rows, 6)
    else:
        many = len(body.others) > 5
        people, work = area.left_part(300 if many else 168, 14)
        cells = people.grid(2, 5, 6) if many else people.rows([1] * max(4, len(body.others)), 6)
    for box, other in zip(cells, body.others, strict=False):
        tone = Tone.MAIN if other.chosen else Tone.PLAIN
        sheet.put(box, Key(other.label, tone, other.note, size=22), other.touch)
    top, keys = work.top_part(74, 8)
    total, cards = top.left_part(128, 10)
    sheet.put(total, Plate(theme.PLATE, 14, theme.LINE))
    number, label = total.inset(6, 4).rows([1.7, 1], 0)
    sheet.put(number, Words(str(body.points), 40, theme.INK, Weight.BLACK))
    sheet.put(label, Words("points", 17, theme.SOFT_INK))
    _hand(sheet, body, cards)
    if body.typing:
        for box, key in zip(keys.middle(380, keys.h).grid(3, 4, 8), body.keys, strict=False):
            _count_key(sheet, key, box)
        return
    columns = 5 if area.upright else 6
    rows = math.ceil(len(body.keys) / columns)
    keys = Box(keys.x, keys.y, keys.w, min(keys.h, rows * 92.0))
    for cell, key in zip(keys.grid(columns, rows, 8), body.keys, strict=False):
        _count_key(sheet, key, cell)


def _count_key(sheet: Sheet, key: Choice, box: Box) -> None:
    if key.label == "erase":
        sheet.put(box, Key("", Tone.QUIET, glyph=Glyph.ERASE), key.touch)
    else:
        layout_table.key_of_card(sheet, key, box)


def _hand(sheet: Sheet, body: CountBody, row: Box) -> None:
    held = max(body.held, len(body.cards), 7)
    wide = min(52.0, (row.w - 4 * (held - 1)) / held)
    x = row.x
    for k in range(max(body.held, len(body.cards))):
        box = Box(x, row.y, wide, row.h)
        if k < len(body.cards):
            _counted(sheet, body.cards[k], box)
        else:
            sheet.put(box.inset(1), Plate(theme.PAPER, 7, theme.LINE, 2))
        x += wide + 4


def _counted(sheet: Sheet, value: Choice, box: Box) -> None:
    if value.card is not None:
        sheet.put(box, Face(value.card))
        return
    sheet.put(box, Plate(theme.PLATE, 9, theme.INK))
    sheet.put(box.inset(3), Words(value.label, 26, weight=Weight.BLACK))


def scores(sheet: Sheet, body: ScoresBody, area: Box) -> None:
    """Who has how much, and how it came about; of many people only who has how much."""
    low, deep = (len(body.rows) * (high + SCORE_GAP) for high in (SCORE_ROW_LEAST, SCORE_ROW_MOST))
    if not area.upright and low > area.h:
        half = math.ceil(len(body.rows) / 2)
        halves = (body.rows[:half], body.rows[half:])
        for column, rows in zip(area.columns([1, 1], 16), halves, strict=True):
            most = min(area.h, half * (SCORE_ROW_MOST + SCORE_GAP))
            _score_rows(sheet, rows, Box(column.x, column.y, column.w, most * len(rows) / half))
        return
    if area.upright:
        table, chart = area.top_part(min(deep, area.h * 0.6), 12)
        chart = Box(chart.x, chart.y, chart.w, min(chart.h, 320.0))
    else:
        table, chart = area.left_part(area.w * 0.48, 16)
    _score_rows(sheet, body.rows, table)
    sheet.put(chart, Plate(theme.PLATE, 18, theme.LINE))
    sheet.put(chart.inset(12, 8), Chart(body.names, body.lines, body.target))


def _score_rows(sheet: Sheet, rows: tuple[ScoreRow, ...], area: Box) -> None:
    high = min(SCORE_ROW_MOST, (area.h - SCORE_GAP * (len(rows) - 1)) / max(len(rows), 1))
    y = area.y
    for row in rows:
        box = Box(area.x, y, area.w, high)
        y += high + SCORE_GAP
        sheet.put(box, Plate(theme.PALE_PLUM if row.leads else theme.PLATE, 12, theme.LINE))
        inner = box.inset(12, 2)
        size = min(27.0, high * 0.62)
        ink = theme.SOFT_INK if row.struck else theme.INK
        rest, total = inner.right_part(72, 6)
        name, won = rest.right_part(64, 6)
        sheet.put(name, Words(row.name, size, ink, Weight.BLACK, Align.LEFT))
        if row.struck:
            line = Box(name.x, name.cy - 1, name.w, 3)
            sheet.put(line, Plate(theme.SOFT_INK, 1.5))
        if row.won:
            sheet.put(won, Words(f"+{row.won}", size * 0.8, theme.PLUM, Weight.BLACK, Align.RIGHT))
        sheet.put(total, Words(str(row.total), size, ink, Weight.BLACK, Align.RIGHT))


def winner(sheet: Sheet, body: WinnerBody, area: Box) -> None:
    """The winner's name, crowned, above the scores."""
    banner, rest = area.top_part(104, 8)
    mark, name = banner.top_part(44, 0)
    sheet.put(mark.middle(64, 44), Picture(Glyph.CROWN, theme.AMBER.towards(theme.INK, 0.08)))
    sheet.put(name, Words(body.winner, 64, theme.PLUM, Weight.BLACK))
    scores(sheet, body.scores, rest)
