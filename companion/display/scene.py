"""A Screen laid out: parts in boxes, and what a tap in each box means.

It never paints and knows no pixels: boxes are in the theme's units, the painter scales them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from companion.display import theme
from companion.display.calibration import BenchPicture
from companion.display.choice import Tone, Touch
from companion.display.glyph import Glyph
from companion.display.theme import Ink, Weight
from companion.games.cards import Card, Colour


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def cx(self) -> float:
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        return self.y + self.h / 2

    @property
    def upright(self) -> bool:
        """True for the area of an upright display: what else stands side by side is stacked."""
        return self.w < theme.NARROW

    @property
    def tall(self) -> bool:
        return self.h > self.w

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, dx: float, dy: float | None = None) -> "Box":
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def moved(self, dx: float = 0.0, dy: float = 0.0) -> "Box":
        return Box(self.x + dx, self.y + dy, self.w, self.h)

    def columns(self, shares: Sequence[float], gap: float = theme.GAP) -> list["Box"]:
        """Side by side, as wide as their shares."""
        free = self.w - gap * (len(shares) - 1)
        total = sum(shares)
        boxes: list[Box] = []
        x = self.x
        for share in shares:
            width = free * share / total
            boxes.append(Box(x, self.y, width, self.h))
            x += width + gap
        return boxes

    def rows(self, shares: Sequence[float], gap: float = theme.GAP) -> list["Box"]:
        """One below the other, as high as their shares."""
        turned = Box(self.y, self.x, self.h, self.w).columns(shares, gap)
        return [Box(box.y, box.x, box.h, box.w) for box in turned]

    def grid(self, columns: int, rows: int, gap: float = theme.GAP) -> list["Box"]:
        """Row by row, all of one size."""
        return [
            cell for row in self.rows([1] * rows, gap) for cell in row.columns([1] * columns, gap)
        ]

    def top_part(self, height: float, gap: float = theme.GAP) -> tuple["Box", "Box"]:
        """A strip of this height, and what is left below it."""
        below = self.h - height - gap
        return (
            Box(self.x, self.y, self.w, height),
            Box(self.x, self.y + height + gap, self.w, below),
        )

    def bottom_part(self, height: float, gap: float = theme.GAP) -> tuple["Box", "Box"]:
        """What is left above, and a strip of this height."""
        above = self.h - height - gap
        return Box(self.x, self.y, self.w, above), Box(self.x, self.bottom - height, self.w, height)

    def left_part(self, width: float, gap: float = theme.GAP) -> tuple["Box", "Box"]:
        rest = self.w - width - gap
        return (
            Box(self.x, self.y, width, self.h),
            Box(self.x + width + gap, self.y, rest, self.h),
        )

    def right_part(self, width: float, gap: float = theme.GAP) -> tuple["Box", "Box"]:
        rest = self.w - width - gap
        return Box(self.x, self.y, rest, self.h), Box(self.right - width, self.y, width, self.h)

    def middle(self, width: float, height: float) -> "Box":
        """A box of this size about the same centre."""
        return Box(self.cx - width / 2, self.cy - height / 2, width, height)


class Align(StrEnum):
    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Plate:
    """A rounded area."""

    fill: Ink
    radius: float = theme.RADIUS
    edge: Ink | None = None
    edge_width: float = 2.0


@dataclass(frozen=True, slots=True)
class Words:
    """Text that is set as large as `size` allows it to fit, and never leaves its box."""

    text: str
    size: float
    ink: Ink = theme.INK
    weight: Weight = Weight.BOLD
    align: Align = Align.CENTRE
    lines: int = 1
    stress: str = ""
    """A name with which the words begin, set in another ink."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card. `colour` is the one chosen for a wild; `faded` one that may not be played."""

    card: Card
    colour: Colour | None = None
    faded: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A colour's shape with its letter."""

    colour: Colour
    plain: bool = False
    """On paper, in the colour; else white for a card's face."""


@dataclass(frozen=True, slots=True)
class Key:
    """A button."""

    label: str
    tone: Tone = Tone.PLAIN
    note: str = ""
    glyph: Glyph | None = None
    size: float = 26.0


@dataclass(frozen=True, slots=True)
class Picture:
    """One of the little drawings."""

    glyph: Glyph
    ink: Ink = theme.INK


@dataclass(frozen=True, slots=True)
class Sign:
    """OPEN or STOP, large."""

    is_open: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A seat of the ring."""

    name: str
    cards: int | None
    score: int
    mood: Tone
    tag: str = ""


@dataclass(frozen=True, slots=True)
class RingLine:
    """The line on which the seats sit, with arrow heads in the direction of play between them."""

    direction: int
    seats: int
    chip: tuple[float, float]
    """Width and height of a seat."""


@dataclass(frozen=True, slots=True)
class Beam:
    """The balance without its cards; a positive lean has the right tray down (degrees)."""

    lean: float


@dataclass(frozen=True, slots=True)
class Stack:
    """The cards below a top card, seen as edges."""

    cards: int


@dataclass(frozen=True, slots=True)
class TileFace:
    """A tile of Rummy Up, in its text form."""

    text: str


@dataclass(frozen=True, slots=True)
class Tumble:
    """Cards in mid-air."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Scores over the rounds, one line a player, with the target line."""

    names: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]
    target: int


Part: TypeAlias = (
    Plate
    | Words
    | Face
    | Mark
    | Key
    | Picture
    | Sign
    | Chip
    | RingLine
    | Beam
    | Stack
    | TileFace
    | Tumble
    | Chart
    | BenchPicture
)


@dataclass(frozen=True, slots=True)
class Item:
    """A part in its place (None: a place to tap only); `touch` is what a tap on it means."""

    box: Box
    part: Part | None
    touch: Touch | None = None


@dataclass(slots=True)
class Sheet:
    """Where a layout puts its items, back to front; it becomes a Scene when it is full."""

    area: Box
    items: list[Item] = field(default_factory=list)

    def put(self, box: Box, part: Part | None, touch: Touch | None = None) -> None:
        self.items.append(Item(box, part, touch))


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole screen, in units: painted back to front, tapped front to back."""

    width: float
    height: float
    paper: Ink
    items: tuple[Item, ...]

    def item_at(self, x: float, y: float) -> Item | None:
        """The frontmost item there that can be tapped, if any."""
        for item in reversed(self.items):
            if item.touch is not None and item.box.holds(x, y):
                return item
        return None
