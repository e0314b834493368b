"""Where a hand or a rack lies, below the pile or the board at which it is played.

It never decides which card of it may be played.
"""

import math

from companion.display import theme
from companion.display.bodies import (
    BoardBody,
    HandBody,
    PersonBody,
    PileBody,
    RackBody,
    Seat,
    TilePicture,
)
from companion.display.choice import Choice
from companion.display.geometry import card_in
from companion.display.layout_table import (
    BALANCE_MOST,
    balance,
    board,
    colour_word,
    key_of_card,
    pad,
    seat_strip,
)
from companion.display.scene import Box, Face, Plate, Sheet, TileFace, Words
from companion.display.theme import Weight

CARD_WIDE = 74.0
CARDS_A_ROW = 12
CARDS_A_ROW_UPRIGHT = 6
TILE_WIDE = 52.0
TILE_HIGH = 60.0
TILE_LEAST = 34.0


def hand(sheet: Sheet, body: HandBody, area: Box) -> None:
    """A person's hand below the pile on which it is played."""
    middle = _above(sheet, body.pile.seats, body.hand, area)
    _pile(sheet, body.pile, middle)


def person(sheet: Sheet, body: PersonBody, area: Box) -> None:
    """A person's hand below the trays on which it can be put."""
    middle = _above(sheet, body.seats, body.hand, area)
    balance(sheet, body.balance, middle.middle(middle.w, min(middle.h, BALANCE_MOST)))


def _above(sheet: Sheet, seats: tuple[Seat, ...], cards: tuple[Choice, ...], area: Box) -> Box:
    """Seats in a strip at the head, the hand at the foot; returns what is left between them."""
    a_row = CARDS_A_ROW_UPRIGHT if area.upright else CARDS_A_ROW
    rows = max(1, min(math.ceil(len(cards) / a_row), 4 if area.upright else 2))
    low = (88.0 if rows <= 2 else 64.0) if area.upright else 98.0 if rows == 1 else 59.0
    upper, lower = area.bottom_part(low * rows, 10)
    _cards(sheet, cards, rows, lower)
    return seat_strip(sheet, seats, upper)


def rack(sheet: Sheet, body: RackBody, area: Box) -> None:
    """The board or the pad, and below it the tiles."""
    rows = 1 if len(body.rack) * TILE_LEAST <= area.w else 2
    upper, lower = area.bottom_part(rows * TILE_HIGH + 4 * (rows - 1), 10)
    if isinstance(body.above, BoardBody):
        board(sheet, body.above, upper)
    else:
        pad(sheet, body.above, upper)
    sheet.put(lower.inset(0, -4), Plate(theme.SHADE, 12))
    if not body.rack:
        sheet.put(lower, Words(body.prompt, 22, theme.SOFT_INK))
        return
    columns = math.ceil(len(body.rack) / rows)
    wide = min(TILE_WIDE, (lower.w - 8) / columns)
    for k, tile in enumerate(body.rack):
        row, column = divmod(k, columns)
        left = lower.cx - wide * min(columns, len(body.rack)) / 2
        _tile(
            sheet, tile, Box(left + column * wide, lower.y + row * (TILE_HIGH + 4), wide, TILE_HIGH)
        )


def _tile(sheet: Sheet, tile: TilePicture, cell: Box) -> None:
    if tile.chosen:
        sheet.put(cell.inset(1, -2), Plate(theme.PLUM, 10))
    sheet.put(cell.inset(3), TileFace(tile.text))
    sheet.put(cell, None, tile.touch)


def _pile(sheet: Sheet, body: PileBody, area: Box) -> None:
    """The top card, beside it the colour in force or what a battle has come to."""
    before, card, after = area.columns([1, 1, 1], 12)
    if body.top is not None:
        sheet.put(card_in(card), Face(body.top, body.colour))
    if body.total:
        number, word = after.middle(after.w, min(after.h, 110.0)).rows([2, 1], 0)
        sheet.put(number, Words(f"+{body.total}", 60, theme.CRIMSON, Weight.BLACK))
        sheet.put(word, Words("battle", 22, theme.CRIMSON, Weight.BLACK))
    elif body.colour is not None:
        colour_word(sheet, body.colour, after.middle(after.w, 44))
    way = "to the left" if body.direction == 1 else "to the right"
    sheet.put(before.middle(before.w, 40), Words(f"play goes {way}", 20, theme.SOFT_INK))


def _cards(sheet: Sheet, cards: tuple[Choice, ...], rows: int, area: Box) -> None:
    if not cards:
        sheet.put(area, Words("no cards left", 22, theme.SOFT_INK))
        return
    columns = max(6, math.ceil(len(cards) / rows))
    gap = 6.0
    wide = min(CARD_WIDE, (area.w - gap * (columns - 1)) / columns)
    for row, strip in enumerate(area.rows([1] * rows, 4)):
        shown = cards[row * columns : (row + 1) * columns]
        x = strip.cx - (wide * len(shown) + gap * (len(shown) - 1)) / 2
        for key in shown:
            key_of_card(sheet, key, Box(x, strip.y - (8 if key.chosen else 0), wide, strip.h))
            x += wide + gap
