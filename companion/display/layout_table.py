"""Where the parts of the running game lie: seats around the balance or the pile, and the pad.

It never decides who is on turn or what is legal.
"""

import math

from companion.display import theme
from companion.display.bodies import (
    Balance,
    BoardBody,
    PadBody,
    PileBody,
    Seat,
    TableBody,
    TilePicture,
    TrayPicture,
)
from companion.display.choice import Choice, Tone
from companion.display.geometry import (
    CARD_SHAPE,
    LEAN_MOST,
    beam_ends,
    card_in,
    ring_angles,
    ring_point,
    stack_height,
)
from companion.display.scene import (
    Align,
    Beam,
    Box,
    Chip,
    Face,
    Key,
    Mark,
    Plate,
    RingLine,
    Sheet,
    Sign,
    Stack,
    TileFace,
    Words,
)
from companion.display.theme import CARD_INKS, Weight
from companion.games.cards import WILD, Colour

CARD_MOST = 122.0
TRAY = 114.0
BALANCE_MOST = 330.0
COLOUR_WORD_BROAD = 3.4
"""A mark and "yellow" beside it are so many times as broad as the mark is high."""

PAD_GAP, PAD_COLUMNS_UPRIGHT = 6.0, 6
PAD_KEY_MOST = 150.0
"""A wider key is no easier to hit or to read."""
PAD_KEY_TALL, PAD_KEY_BROAD = 1.5, 1.3
"""How much taller than wide, and wider than tall, a key may be and still look like a card."""


def table(sheet: Sheet, body: TableBody, area: Box) -> None:
    """Seats around the live balance; on an upright display above it."""
    if not area.upright:
        balance(sheet, body.balance, ring(sheet, body.seats, body.direction, area))
        return
    seats, scale = area.top_part(ring_height(len(body.seats)), 10)
    ring(sheet, body.seats, body.direction, seats)
    balance(sheet, body.balance, scale.middle(scale.w, min(scale.h, BALANCE_MOST)))


def pile(sheet: Sheet, body: PileBody, area: Box) -> None:
    """Seats around one discard pile."""
    centre = ring(sheet, body.seats, body.direction, area)
    if centre.tall:
        centre = centre.middle(centre.w, min(centre.h, 380.0))
        before, card = centre.top_part(36, 8)
        card, after = card.bottom_part(100, 12)
    else:
        before, card, after = centre.columns([1, 1.1, 1], 12)
    if body.top is not None:
        sheet.put(card_in(card), Face(body.top, body.colour), body.touch)
    count = "1 card" if body.cards == 1 else f"{body.cards} cards"
    sheet.put(before.middle(before.w, min(before.h, 60)), Words(count, 20, theme.SOFT_INK))
    if body.total:
        upper, lower = after.middle(after.w, min(after.h, 110)).rows([2, 1], 0)
        sheet.put(upper, Words(f"+{body.total}", 64, theme.CRIMSON, Weight.BLACK))
        sheet.put(lower, Words("battle", 22, theme.CRIMSON, Weight.BLACK))
    elif body.colour is not None:
        colour_word(sheet, body.colour, after.middle(after.w, 44))


def chip_size(seats: int, area: Box) -> tuple[float, float]:
    """Fewer people, larger seats; three stand side by side on an upright display."""
    if area.upright:
        return (146.0, 62.0) if seats <= 6 else (138.0, 58.0)
    return (160.0, 62.0) if seats <= 6 else (150.0, 56.0)


def ring_height(seats: int) -> float:
    """How high a ring is that stands above the balance."""
    return 212.0 if seats <= 4 else 276.0 if seats <= 8 else 316.0


def ring(sheet: Sheet, seats: tuple[Seat, ...], direction: int, area: Box) -> Box:
    """Puts the seats in order to the left (clockwise from the foot); returns the free middle."""
    wide, high = chip_size(len(seats), area)
    track = area.inset(wide / 2, high / 2)
    sheet.put(track, RingLine(direction, len(seats), (wide, high)))
    for seat, angle in zip(seats, ring_angles(len(seats), track, (wide, high)), strict=True):
        x, y = ring_point(track, angle)
        box = Box(x - wide / 2, y - high / 2, wide, high)
        sheet.put(box, chip(seat))
    return area.inset(wide + 12, high + 8)


def chip(seat: Seat) -> Chip:
    """How a seat looks: who is on turn, next, or can be caught."""
    if seat.on_turn:
        mood = Tone.MAIN
    elif seat.catchable:
        mood = Tone.WARN
    elif seat.next_up:
        mood = Tone.NEXT
    else:
        mood = Tone.PLAIN
    tag = ""
    if seat.catchable:
        tag = "no UNO yet!"
    elif seat.said_uno:
        tag = "UNO!"
    elif seat.next_up:
        tag = f"next · {seat.score}"
    return Chip(seat.name, seat.cards, seat.score, mood, tag)


def balance(sheet: Sheet, shown: Balance, area: Box, *, signs: bool = True) -> None:
    """The beam with a tray at each end: the top card on it, OPEN or STOP beside it."""
    beam = area.middle(min(area.w, 600.0, area.h * 3.0) - TRAY, area.h)
    sheet.put(beam, Beam(shown.lean))
    highest = beam_ends(beam, LEAN_MOST)[0][1] - area.y
    deepest = max(stack_height(tray.cards) for tray in (shown.left, shown.right))
    high = min(CARD_MOST, area.h * 0.56, highest - 6 - deepest)
    for picture, (x, y), side in zip(
        (shown.left, shown.right), beam_ends(beam, shown.lean), (1, -1), strict=True
    ):
        base = Box(x - TRAY / 2, y - 42, TRAY, 46)
        sheet.put(base, Stack(picture.cards))
        raised = stack_height(picture.cards)
        wide = high * CARD_SHAPE
        card = Box(x - wide / 2, y - 6 - raised - high, wide, high)
        if picture.top is not None:
            colour = picture.colour if picture.top.is_wild else None
            sheet.put(card, Face(picture.top, colour))
        if signs:
            wide = min(128.0, (beam.w - TRAY) / 2 - 6, area.h * 0.54)
            left = base.right + 3 if side > 0 else base.x - 3 - wide
            _sign(sheet, picture, Box(left, area.y + 2, wide, wide))
    for half, picture in zip(area.columns([1, 1]), (shown.left, shown.right), strict=True):
        if picture.touch is not None:
            sheet.put(half, None, picture.touch)


def _sign(sheet: Sheet, picture: TrayPicture, box: Box) -> None:
    if not picture.is_open or picture.colour is None:
        sheet.put(box, Sign(picture.is_open))
        return
    upper, lower = box.rows([1.5, 1], 4)
    sheet.put(upper, Sign(is_open=True))
    colour_word(sheet, picture.colour, lower.middle(lower.w, min(lower.h, 34.0)))


def colour_word(sheet: Sheet, colour: Colour, box: Box) -> None:
    """The colour in force: its shape and its name."""
    gap = 6.0
    high = min(box.h, (box.w - gap) / COLOUR_WORD_BROAD)
    mark, word = box.middle(min(box.w, high * 3.6), high).left_part(high, gap)
    sheet.put(mark, Mark(colour, plain=True))
    sheet.put(word, Words(colour.word, high * 0.8, theme.INK, Weight.BLACK, Align.LEFT))


def pad(sheet: Sheet, body: PadBody, area: Box) -> None:
    """The keys of the cards, and where one colour is shown at a time the way to the others."""
    keys = area
    if body.tabs:
        tabs, keys = area.top_part(72, 14) if area.upright else area.left_part(84, 14)
        shares = [1.0] * len(body.tabs)
        spare = tabs.h / len(shares) - theme.TOUCH
        places = (
            tabs.columns(shares, 8)
            if area.upright
            else tabs.rows(shares, min(max(2.0, spare), 8.0))
        )
        for box, tab in zip(places, body.tabs, strict=True):
            _tab(sheet, tab, box)
    elif body.top is not None:
        side, keys = area.top_part(110, 14) if area.upright else area.left_part(150, 16)
        _lying(sheet, body, side)
    for key, cell in zip(body.keys, _cells(body, keys), strict=False):
        key_of_card(sheet, key, cell)


def _cells(body: PadBody, area: Box) -> list[Box]:
    """A place for each key, as large as they all can be.

    What is a row of a group on a lying display is a column on an upright one.
    """
    if body.grouped:
        rows = math.ceil(len(body.keys) / body.columns)
        if not area.upright:
            return area.grid(body.columns, rows, PAD_GAP)
        across = area.grid(rows, body.columns, 4)
        return [across[k * rows + row] for row in range(rows) for k in range(body.columns)]
    most = min(body.columns, PAD_COLUMNS_UPRIGHT) if area.upright else body.columns
    tries = [_pad_grid(len(body.keys), columns, area) for columns in range(1, most + 1)]
    columns, rows, wide, high = max(tries, key=lambda grid: min(grid[2], grid[3] * CARD_SHAPE))
    place = area.middle(columns * (wide + PAD_GAP) - PAD_GAP, rows * (high + PAD_GAP) - PAD_GAP)
    if area.upright:
        place = place.moved(0, area.y - place.y)
    return place.grid(columns, rows, PAD_GAP)


def _pad_grid(keys: int, columns: int, area: Box) -> tuple[int, int, float, float]:
    """So many columns of keys: columns, rows, and a key's width and height."""
    rows = max(1, math.ceil(keys / columns))
    wide = min(PAD_KEY_MOST, (area.w + PAD_GAP) / columns - PAD_GAP)
    high = min(wide * PAD_KEY_TALL, (area.h + PAD_GAP) / rows - PAD_GAP)
    return columns, rows, min(wide, high * PAD_KEY_BROAD), high


def _lying(sheet: Sheet, body: PadBody, side: Box) -> None:
    """The top card at the side of the pad, or above it."""
    if body.top is None:
        return
    if side.tall:
        card, word = side.bottom_part(40, 8)
    else:
        card, word = side.middle(230, side.h).columns([1, 1.6], 16)
        word = word.middle(word.w, 40)
    tall = min(card.h, card.w * 1.4)
    colour = body.colour if body.top.is_wild else None
    sheet.put(card.middle(tall / 1.4, tall), Face(body.top, colour))
    if body.colour is not None:
        colour_word(sheet, body.colour, word)


def _tab(sheet: Sheet, tab: Choice, box: Box) -> None:
    if tab.chosen:
        sheet.put(box.inset(-4), Plate(theme.PLUM, 16))
    if tab.colour is None:
        sheet.put(box, Face(WILD), tab.touch)
        return
    sheet.put(box, Plate(CARD_INKS[tab.colour], 12), tab.touch)
    sheet.put(box.middle(box.h * 0.66, box.h * 0.66), Mark(tab.colour))


def key_of_card(sheet: Sheet, key: Choice, cell: Box) -> None:
    """A card as a button."""
    if key.tile:
        sheet.put(cell, TileFace(key.tile), key.touch)
        return
    if key.card is None:
        sheet.put(cell, Key(key.label, key.tone, key.note, size=28), key.touch)
        return
    if key.chosen:
        sheet.put(cell.inset(-4), Plate(theme.PLUM, 14))
    sheet.put(cell, Face(key.card, key.colour, key.faded), key.touch)


def board(sheet: Sheet, body: BoardBody, area: Box) -> None:
    """The melds one after the other in rows, as large as they fit; loose tiles at the foot."""
    rest = seat_strip(sheet, body.seats, area)
    rest = rest.inset(4, 6)
    lengths = [len(meld.tiles) for meld in body.melds]
    lengths += [len(body.loose)] if body.loose else []
    lengths += [2] if body.new is not None else []
    wide = next((w for w in TILE_WIDTHS if _rows_high(lengths, w, rest.w) <= rest.h), TILE_LEAST)
    places = iter(_flow(lengths, wide, rest))
    for meld in body.melds:
        _meld(sheet, meld.tiles, next(places), wide, theme.LINE if meld.legal else theme.CRIMSON)
    if body.loose:
        _meld(sheet, body.loose, next(places), wide, None)
    if body.new is not None:
        sheet.put(
            next(places).inset(2), Key(body.new.label, body.new.tone, size=22), body.new.touch
        )


TILE_WIDTHS = (76.0, 66.0, 58.0, 56.0, 50.0, 44.0, 38.0, 32.0)
TILE_LEAST = 28.0
TILE_HIGH = 1.16
MELD_GAP = 14.0


def _rows_high(lengths: list[int], wide: float, room: float) -> float:
    flow = _flow(lengths, wide, Box(0, 0, room, 0))
    return max((box.bottom for box in flow), default=0.0)


def _flow(lengths: list[int], wide: float, area: Box) -> list[Box]:
    """Melds of these lengths, left to right and down."""
    boxes: list[Box] = []
    x, y, high = area.x, area.y, wide * TILE_HIGH
    for length in lengths:
        across = length * wide
        if x > area.x and x + across > area.right:
            x, y = area.x, y + high + 10
        boxes.append(Box(x, y, across, high))
        x += across + MELD_GAP
    return boxes


def _meld(
    sheet: Sheet, tiles: tuple[TilePicture, ...], box: Box, wide: float, edge: theme.Ink | None
) -> None:
    if edge is not None:
        sheet.put(box.inset(-4), Plate(theme.PLATE, 12, edge, 3))
    for k, tile in enumerate(tiles):
        cell = Box(box.x + k * wide, box.y, wide, box.h)
        if tile.chosen or tile.fresh:
            sheet.put(cell.inset(-1), Plate(theme.PLUM if tile.chosen else theme.AMBER, 10))
        sheet.put(cell.inset(3), TileFace(tile.text))
        if tile.fresh:
            _plus(sheet, cell, max(16.0, wide * 0.3))
        sheet.put(cell, None, tile.touch)


def _plus(sheet: Sheet, cell: Box, side: float) -> None:
    """The sign of a tile that has come to the board in this turn, at its upper right corner."""
    disc = Box(cell.right - side * 0.9, cell.y - side * 0.2, side, side)
    sheet.put(disc, Plate(theme.INK, side / 2))
    sheet.put(disc, Words("+", side, theme.WHITE, Weight.BLACK))


def seat_strip(sheet: Sheet, seats: tuple[Seat, ...], area: Box) -> Box:
    """The seats in a strip, in two where one is too narrow; returns what is left below."""
    rows = 1 if len(seats) * 90 <= area.w else 2
    strip, rest = area.top_part(46.0 * rows, 8)
    columns = math.ceil(len(seats) / rows)
    for seat, box in zip(seats, strip.grid(columns, rows, 5), strict=False):
        sheet.put(box, chip(seat))
    return rest
