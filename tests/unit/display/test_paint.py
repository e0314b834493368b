"""What is painted can be read: words stay in their boxes, colours can be told apart."""

import math

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.choice import Tone
from companion.display.frame import fit
from companion.display.paint import KEPT_BYTES, Painter
from companion.display.paint_cards import outline
from companion.display.paint_chart import PENS
from companion.display.paint_parts import KEY_INKS
from companion.display.scene import Box, Chip, Face, Item, Scene, Words
from companion.display.theme import CARD_INKS, SHAPES, Ink, Weight
from companion.display.typeset import Typesetter
from companion.games.cards import Card, Colour, Kind, parse
from companion.games.decks import tippo_deck

SIZES = [(800, 480), (1024, 600), (1280, 720)]


@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=25, deadline=None)
@given(
    text=st.text(max_size=60),
    wide=st.floats(20, 700),
    high=st.floats(14, 120),
    lines=st.integers(1, 4),
)
def test_words_never_leave_their_box(
    size: tuple[int, int], text: str, wide: float, high: float, lines: int
) -> None:
    typesetter = Typesetter(fit(size).scale)
    text = text.replace("\0", "")
    setting = typesetter.fit(text, wide, high, 40.0, Weight.BLACK, lines)
    assert len(setting.lines) <= lines
    room = wide * typesetter.scale
    for line in setting.lines:
        assert typesetter.width(line, setting.size, Weight.BLACK) <= room or line == "…"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Łukasz Ærø", "Łukasz Ærø"),
        ("Мария", "Мария"),
        ("Ελένη", "Ελένη"),
        ("小明", "XiaoMing"),
        ("שרה", "srh"),
        ("Mia 😀", "Mia "),
        ("😀", "grinning"),
        ("Zoe\u0308", "Zoë"),
    ],
)
def test_a_name_is_shown_in_its_letters_or_else_in_latin_ones(name: str, shown: str) -> None:
    """No name is a row of empty boxes."""
    assert Typesetter(1.0).shown(name) == shown


@settings(max_examples=60, deadline=None)
@given(text=st.text(min_size=1, max_size=16).filter(str.strip))
def test_whatever_a_name_is_made_of_something_is_painted(text: str) -> None:
    picture = Typesetter(1.0).paint(text, 24, Weight.BOLD, theme.INK)
    assert picture.get_bounding_rect().width > 0


def test_a_long_word_is_broken_rather_than_set_too_small_to_read() -> None:
    setting = Typesetter(1.0).fit("Maximiliantheodo", 80, 40, 24, Weight.BLACK, lines=2)
    assert setting.whole
    assert len(setting.lines) == 2
    assert setting.lines[0].endswith("-")
    assert setting.size >= 13


def test_every_card_of_the_deck_looks_different() -> None:
    painter = Painter((800, 480), 1.0)
    seen: dict[bytes, Card] = {}
    for card in set(tippo_deck()) | {parse("?")}:
        surface = pygame.Surface((84, 108))
        box = Box(2, 2, 80, 104)
        painter.size = (84, 108)
        painter.paint(Scene(84, 108, theme.PAPER, (Item(box, Face(card)),)), surface)
        pixels = pygame.image.tobytes(surface, "RGB")
        assert pixels not in seen, (card, seen.get(pixels))
        seen[pixels] = card


# --- colour blindness -----------------------------------------------------------------------

DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
TRITANOPIA = (
    (1.255528, -0.076749, -0.178779),
    (-0.078411, 0.930809, 0.147602),
    (0.004733, 0.691367, 0.303900),
)
"""Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB."""

TELLABLE = 12.0
"""A distance in CIELAB that is seen at a glance on large areas (2.3 is just noticeable)."""


def _lab(ink: tuple[float, float, float]) -> tuple[float, float, float]:
    r, g, b = ink
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (max(0.0, v) ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(value: int) -> float:
    c = value / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def _as_seen(ink: Ink, sight: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    linear = [_linear(value) for value in ink]
    r, g, b = (
        min(1.0, max(0.0, sum(k * v for k, v in zip(row, linear, strict=True)))) for row in sight
    )
    return _lab((r, g, b))


@pytest.mark.parametrize(
    "sight", [DEUTERANOPIA, PROTANOPIA, TRITANOPIA], ids=["deutan", "protan", "tritan"]
)
def test_a_colour_blind_person_can_tell_the_four_colours_apart(
    sight: tuple[tuple[float, ...], ...],
) -> None:
    seen = {colour: _as_seen(ink, sight) for colour, ink in CARD_INKS.items()}
    for one in Colour:
        for other in Colour:
            if one < other:
                assert math.dist(seen[one], seen[other]) > TELLABLE, (one, other)


def test_each_colour_has_a_shape_and_a_letter_of_its_own() -> None:
    assert len({SHAPES[colour] for colour in Colour}) == 4
    assert len({colour.value for colour in Colour}) == 4
    outlines = {tuple(outline(SHAPES[colour], Box(0, 0, 40, 40))) for colour in Colour}
    assert len(outlines) == 4


def contrast(one: Ink, other: Ink) -> float:
    """By WCAG 2.2."""

    def light(ink: Ink) -> float:
        r, g, b = (_linear(value) for value in ink)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


GROUNDS = (theme.PAPER, theme.PLATE, theme.PALE_PLUM, theme.PALE_CRIMSON, theme.SHADE)


@pytest.mark.parametrize(
    ("pen", "ground"),
    [
        *((pen, g) for pen in (theme.INK, theme.SOFT_INK, theme.PLUM) for g in GROUNDS),
        *((theme.CRIMSON, ground) for ground in GROUNDS),
        *((theme.WHITE, ground) for ground in (theme.PLUM, theme.CRIMSON, theme.SOFT_INK)),
        *((pen, theme.PLATE) for pen in PENS),
        *((theme.on(ink), ink) for ink in (*CARD_INKS.values(), theme.UNNAMED, theme.AMBER)),
    ],
)
def test_all_words_have_the_contrast_that_wcag_asks_of_small_type(pen: Ink, ground: Ink) -> None:
    """AA: 4.5 to 1."""
    assert contrast(pen, ground) >= 4.5


@pytest.mark.parametrize("tone", list(KEY_INKS))
def test_every_button_has_an_edge_that_is_seen(tone: Tone) -> None:
    """AA: 3 to 1 for what can be tapped, by its edge or by its ground."""
    fill, edge, pen = KEY_INKS[tone]
    assert max(contrast(edge, theme.PAPER), contrast(fill, theme.PAPER)) >= 3.0
    assert contrast(pen, fill) >= 4.5


# --- the painter's memory -------------------------------------------------------------------


def test_pictures_are_kept_but_never_more_than_the_memory_set_aside_for_them() -> None:
    painter = Painter((800, 480), 1.0)
    surface = pygame.Surface((800, 480))
    for number in range(200):
        part = Words(f"number {number}", 30.0)
        items = (Item(Box(0, 0, 700, 400), part),)
        painter.paint(Scene(800, 480, theme.PAPER, items), surface)
    assert painter.kept_bytes <= KEPT_BYTES


def test_painting_again_gives_the_same_picture() -> None:
    painter = Painter((800, 480), 1.0)
    chip = Chip("Mia", 7, 120, Tone.MAIN)
    scene = Scene(800, 480, theme.PAPER, (Item(Box(20, 20, 146, 58), chip),))
    pictures = []
    for _ in range(2):
        surface = pygame.Surface((800, 480))
        painter.paint(scene, surface)
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pictures[0] == pictures[1]


def test_a_wild_shows_the_colour_that_was_named() -> None:
    painter = Painter((100, 140), 1.0)
    inks = set()
    for colour in Colour:
        surface = pygame.Surface((100, 140))
        face = Face(Card(Kind.WILD), colour)
        painter.paint(Scene(100, 140, theme.PAPER, (Item(Box(0, 0, 100, 140), face),)), surface)
        inks.add(tuple(surface.get_at((50, 130)))[:3])
    assert inks == {tuple(ink) for ink in CARD_INKS.values()}


@pytest.mark.parametrize(("width", "lines"), [(600.0, 1), (300.0, 2)])
def test_a_name_is_told_apart_in_every_line_that_it_takes(width: float, lines: int) -> None:
    """In its own ink, whether it stands in one line or is broken over two."""
    canvas = Canvas(width, 80, Typesetter(1.0))
    name = "Maximiliane-Luis"
    canvas.words(f"{name}, your turn", canvas.box, 34, theme.INK, lines=2, stress=name)
    plum = pygame.mask.from_threshold(canvas.done(), theme.PLUM, (20, 20, 20, 255))
    boxes = plum.get_bounding_rects()
    assert len({box.centery > 40 for box in boxes if box.h > 12}) == lines
