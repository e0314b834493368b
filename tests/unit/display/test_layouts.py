"""Every screen of every game can be read and tapped on every display, lying or upright."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import combinations

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.display.bodies import Balance, BoardBody, MeldPicture, TilePicture, TrayPicture
from companion.display.frame import fit
from companion.display.geometry import LEAN_MOST, ring_angles, ring_point
from companion.display.layout import lay_out
from companion.display.layout_table import TILE_LEAST, TILE_WIDTHS, balance, chip_size, ring_height
from companion.display.paint import Painter
from companion.display.scene import (
    Box,
    Face,
    Item,
    Key,
    Plate,
    Scene,
    Sheet,
    Sign,
    TileFace,
    Tumble,
    Words,
)
from companion.display.screen import Screen
from companion.display.theme import CARD_INKS, PAPER, TOUCH, Weight
from companion.display.typeset import CAP_HEIGHT, Setting, Typesetter
from companion.display.view import view
from companion.display.wishes import Open, Page
from companion.events import Fault, FaultKind, Sensor
from companion.games import commands
from companion.games.cards import Colour, parse
from companion.table.taps import Said
from companion.units import MonoSeconds, Tray
from tests.unit.display.test_paint import contrast
from tests.unit.display.test_view import dealt, placed, seen, spilled
from tests.unit.display.walks import Walk, choices_in, walk

SIZES = [(800, 480), (1024, 600), (1280, 720), (480, 800), (720, 1280), (600, 1024), (720, 720)]
GAMES = ["tippo", "tippo", "tippo", "classic", "battle", "rummy_up"]
BALANCES = [Box(0, 0, 776, 154), Box(0, 0, 432, 186), Box(0, 0, 432, 146), Box(0, 0, 456, 330)]
"""Between seats and hand, in the ring, there below an alert, and on an upright display."""
NINE_MM = 46.0
"""Units on a 7-inch display of 800x480."""


@cache
def painter(size: tuple[int, int]) -> Painter:
    return Painter(size, fit(size).scale)


@contextmanager
def hearing_of_cut_words() -> Iterator[list[str]]:
    """All words that did not fit their box while something was painted."""
    cut: list[str] = []
    whole_fit = Typesetter.fit

    def fit_and_tell(
        self: Typesetter,
        text: str,
        width: float,
        height: float,
        size: float,
        weight: Weight,
        lines: int = 1,
    ) -> Setting:
        setting = whole_fit(self, text, width, height, size, weight, lines)
        too_high = setting.height > height * self.scale + 2
        if (too_high or not setting.whole) and "Wwww" not in text:
            cut.append(f"{text!r} in {width:.0f}x{height:.0f}")
        return setting

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Typesetter, "fit", fit_and_tell)
        yield cut


def screens_of(one: Walk, page: Page) -> Iterator[Screen]:
    """What is shown, and a page that somebody opens."""
    opened = Open(page, act=3, tray=Tray.LEFT, player=one.players[0])
    for looking in (one.looking, one.looking.after(opened)):
        yield view(one.table, looking, one.around)


def touched(scene: Scene) -> list[Item]:
    return [item for item in scene.items if item.touch is not None]


@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10**6), game=st.sampled_from(GAMES))
def test_every_moment_can_be_read_and_tapped_on_every_display(
    size: tuple[int, int], seed: int, game: str
) -> None:
    """No word is cut, no button lies on another, beside the display or is too small for a finger,
    and every choice of the screen has its button."""
    frame = fit(size)
    surface = pygame.Surface(size)
    for one in walk(seed, game, steps=14):
        for screen in screens_of(one, one.rng.choice(list(Page))):
            scene = lay_out(screen, frame)
            _assert_tappable(screen, scene)
            with hearing_of_cut_words() as cut:
                painter(size).paint(scene, surface)
            assert not cut, screen


@pytest.mark.parametrize("game", sorted(set(GAMES)))
def test_every_page_can_be_opened_at_every_moment(game: str) -> None:
    """Between rounds, before the deal and after the game, too: no page is a dead end."""
    for one in walk(3, game, steps=25):
        for page in Page:
            _, opened = screens_of(one, page)
            assert touched(lay_out(opened, fit(SIZES[0]))), opened
        assert touched(lay_out(view(one.table, one.looking, one.around), fit(SIZES[0])))


def _assert_tappable(screen: Screen, scene: Scene) -> None:
    items = touched(scene)
    reachable = [item.touch for item in items]
    for choice in choices_in(screen):
        assert choice.touch is None or choice.touch in reachable, (screen, choice)
    least = 28.0 if isinstance(screen.body, BoardBody) and len(screen.body.melds) > 8 else NINE_MM
    for item in items:
        assert min(item.box.w, item.box.h) >= least - 0.01, (screen, item)
        assert _inside(item.box, scene), (screen, item)
    for one, other in combinations(items, 2):
        assert not _overlap(one.box, other.box), (screen, one, other)
    for item in scene.items:
        if isinstance(item.part, Key):
            assert item.touch is not None, f"{item.part.label!r} looks like a button"
        if isinstance(item.part, Plate) and item.touch is not None:
            assert _stands_out(item.part), (screen, item)


def _stands_out(plate: Plate) -> bool:
    """What can be tapped has an edge or a ground that is seen (WCAG AA: 3 to 1), or is a colour,
    which shows its mark."""
    return (
        plate.fill in CARD_INKS.values()
        or max(contrast(ink, PAPER) for ink in (plate.fill, plate.edge or plate.fill)) >= 3.0
    )


def _inside(box: Box, scene: Scene) -> bool:
    return box.x >= 0 and box.y >= 0 and box.right <= scene.width and box.bottom <= scene.height


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return across > 0.5 and down > 0.5


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("area", [(776.0, 326.0), (776.0, 282.0), (829.0, 326.0), (456.0, 0.0)])
def test_no_seat_of_the_ring_lies_on_another(seats: int, area: tuple[float, float]) -> None:
    ring = Box(0, 0, area[0], area[1] or ring_height(seats))
    wide, high = chip_size(seats, ring)
    track = ring.inset(wide / 2, high / 2)
    points = [ring_point(track, angle) for angle in ring_angles(seats, track, (wide, high))]
    boxes = [Box(x - wide / 2, y - high / 2, wide, high) for x, y in points]
    assert not any(_overlap(one, other) for one, other in combinations(boxes, 2))
    for x, y in points:
        assert any(math.hypot(2 * track.cx - x - ox, y - oy) < 0.01 for ox, oy in points)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_falls_on_words_when_the_scale_has_spilled(size: tuple[int, int]) -> None:
    """Not even where a sensor has failed, too, and its alert takes its part of the display."""
    one = spilled()
    now = MonoSeconds(one.now)
    one.sense(Fault(began_s=now, decided_s=now, sensor=Sensor.LEFT, kind=FaultKind.SILENT))
    items = lay_out(seen(one), fit(size)).items
    (cards,) = [item for item in items if isinstance(item.part, Tumble)]
    words = [item for item in items if isinstance(item.part, Words)]
    assert len(words) > 3
    assert not any(_overlap(cards.box, item.box) for item in words)


@pytest.mark.parametrize("told", [(), (commands.Draw(), commands.Pass())])
def test_whose_turn_it_is_can_be_read_from_across_a_kitchen_table(told: tuple[Said, ...]) -> None:
    """Ten minutes of arc and more for its capitals, from 1.5 m, on a 7-inch display of 800x480."""
    one = dealt()
    for said in told:
        one.say(said)
    screen = seen(one)
    words = next(item for item in lay_out(screen).items if _says(item, screen.headline))
    assert isinstance(words.part, Words)
    part, box = words.part, words.box
    setting = Typesetter(1.0).fit(part.text, box.w, box.h, part.size, part.weight, part.lines)
    assert len(setting.lines) == 1
    high_mm = setting.size * CAP_HEIGHT * 86 / 480
    assert math.degrees(math.atan(high_mm / 1500)) * 60 >= 10


def _says(item: Item, text: str) -> bool:
    return isinstance(item.part, Words) and item.part.text == text


@pytest.mark.parametrize("area", BALANCES)
@pytest.mark.parametrize("cards", [1, 4, 12])
@pytest.mark.parametrize("lean", [-LEAN_MOST, 0.0, LEAN_MOST])
def test_a_balance_keeps_its_cards_to_itself_however_it_leans(
    area: Box, cards: int, lean: float
) -> None:
    sheet = Sheet(area)
    left, right = (TrayPicture(tray, parse("R5"), Colour.RED, cards, is_open=True) for tray in Tray)
    balance(sheet, Balance(left, right, lean), area)
    faces = [item.box for item in sheet.items if isinstance(item.part, Face)]
    signs = [item.box for item in sheet.items if isinstance(item.part, Sign)]
    assert all(box.y >= area.y - 0.01 and box.h >= TOUCH for box in faces)
    assert not _overlap(*signs)
    assert not any(_overlap(face, sign) for face in faces for sign in signs)


@pytest.mark.parametrize("area", [*BALANCES, Box(0, 0, 456, 130)])
@pytest.mark.parametrize("colour", list(Colour))
def test_the_colour_in_force_is_named_whole_beside_the_smallest_balance(
    colour: Colour, area: Box
) -> None:
    sheet = Sheet(area)
    left, right = (TrayPicture(tray, parse("R5"), colour, 9, is_open=True) for tray in Tray)
    balance(sheet, Balance(left, right, 0.0), area)
    with hearing_of_cut_words() as cut:
        Painter((800, 480), 1.0).paint(
            Scene(800, 480, PAPER, tuple(sheet.items)), pygame.Surface((800, 480))
        )
    assert not cut


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_few_cards_are_offered_large(size: tuple[int, int]) -> None:
    """On a stopped tray only the wilds go: their keys use the room that others leave."""
    one = dealt("R5!", "B7")
    one.sense(placed(one, Tray.LEFT))
    faces = [item for item in touched(lay_out(seen(one), fit(size))) if isinstance(item.part, Face)]
    assert len(faces) == 3
    assert min(item.box.w for item in faces) >= 2 * TOUCH


@pytest.mark.parametrize("wide", [*TILE_WIDTHS, TILE_LEAST])
def test_a_tile_shows_its_sign_or_none_but_never_a_part_of_it(wide: float) -> None:
    """R1: 2, 5 and 7 act."""
    box = Box(0, 0, wide - 6, wide)
    tiles = [Item(box.moved(wide * k), TileFace(f"R{k}")) for k in (2, 5, 7, 12)]
    with hearing_of_cut_words() as cut:
        Painter((800, 480), 1.0).paint(
            Scene(800, 480, PAPER, tuple(tiles)), pygame.Surface((800, 480))
        )
    assert not cut


def test_a_tile_from_the_rack_is_told_by_a_sign_and_not_by_colour_alone() -> None:
    tiles = tuple(TilePicture(f"R{k}", None, fresh=k == 3) for k in (1, 2, 3))
    board = BoardBody((), (MeldPicture(tiles, legal=True),), (), None)
    parts = [item.part for item in lay_out(Screen("", board)).items]
    assert sum(isinstance(part, Words) and part.text == "+" for part in parts) == 1


def test_a_finger_needs_nine_millimetres_and_gets_more() -> None:
    assert TOUCH >= NINE_MM
