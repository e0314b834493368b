"""The tiles of UNO Rummy Up and how they are written on the board.

This module never judges a meld: it knows single tiles and how many there are of each.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Literal, TypeAlias

import msgspec

from companion.games.cards import WILD, Card, Colour, Kind

Effect: TypeAlias = Literal["draw_two", "draw_four", "skip", "reverse"]

LOWEST, HIGHEST = 1, 12
COPIES = 2
WILDS = 4

FACES: tuple[Card, ...] = (
    *(
        Card(Kind.NUMBER, colour, number)
        for colour, number in product(Colour, range(LOWEST, HIGHEST + 1))
    ),
    WILD,
)
"""Every different tile of the set (R1)."""

TILES = COPIES * (len(FACES) - 1) + WILDS
"""How many tiles the set holds: 100 (R1)."""

_EFFECT_OF_NUMBER: dict[int, Effect] = {2: "draw_two", 5: "skip", 7: "reverse"}


class Tile(msgspec.Struct, frozen=True, order=True, gc=False):
    """A tile that lies in a meld: a number tile, or a wild that stands for one.

    The text form is that of the number tile, with `W=` before it for a wild; it round-trips
    through `parse_laid`.
    """

    colour: Colour
    number: int
    wild: bool = False

    def __str__(self) -> str:
        return f"{'W=' if self.wild else ''}{self.colour}{self.number}"

    __repr__ = __str__

    @property
    def face(self) -> Card:
        """The tile as it lies on a rack."""
        return WILD if self.wild else _BY_PLACE[self.colour, self.number]

    @property
    def real(self) -> "Tile":
        """The number tile that belongs here."""
        return Tile(self.colour, self.number)

    @property
    def spoken(self) -> str:
        tile = f"the {self.colour.word} {self.number}"
        return f"the wild that stands for {tile}" if self.wild else tile


class BareWild:
    """A wild in a meld that does not say what it stands for."""

    face = WILD
    spoken = "the wild"

    def __str__(self) -> str:
        return "W"

    __repr__ = __str__


BARE_WILD = BareWild()


def parse_laid(text: str) -> Tile | BareWild:
    """A tile in a meld: `R1`-`B12`, or `W=R1`-`W=B12`; a bare `W` is told apart, not refused.

    Raises:
        ValueError: the set holds no such tile.
    """
    try:
        return _LAID[text]
    except KeyError:
        raise ValueError(f"{text!r} is no tile") from None


def parse_meld(texts: Iterable[str]) -> tuple[Tile | BareWild, ...]:
    """The tiles of a meld.

    Raises:
        ValueError: the set holds no such tile.
    """
    try:
        return tuple(map(_LAID.__getitem__, texts))
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is no tile") from None


def as_itself(face: Card) -> Tile:
    """A number tile of a rack as it lies in a meld."""
    return _AS_ITSELF[face]


def spoken(face: Card) -> str:
    """The tile in words: "the blue 4", "the wild"."""
    return "the wild" if face == WILD else face.spoken


def copies(face: Card) -> int:
    """How many of this tile the set holds (R1)."""
    return WILDS if face == WILD else COPIES


def effect(face: Card) -> Effect | None:
    """What the tile does when it is played from a rack (R1); a wild has only its own (R13)."""
    return "draw_four" if face == WILD else _EFFECT_OF_NUMBER.get(face.number or 0)


def points(face: Card) -> int:
    """What the tile counts on a loser's rack (R28)."""
    if face == WILD:
        return 50
    return 20 if effect(face) else face.number or 0


def one_too_many(faces: Iterable[Card]) -> Card | None:
    """A tile that is there more often than the set holds it, if there is one."""
    counts = Counter(faces)
    return next((face for face, count in counts.items() if count > copies(face)), None)


_AS_ITSELF: Mapping[Card, Tile] = {
    face: Tile(face.colour, face.number)
    for face in FACES
    if face.colour is not None and face.number is not None
}
_BY_PLACE = {(face.colour, face.number): face for face in FACES}
_LAID: Mapping[str, Tile | BareWild] = {
    **{
        str(tile): tile
        for colour, number in product(Colour, range(LOWEST, HIGHEST + 1))
        for tile in (Tile(colour, number), Tile(colour, number, wild=True))
    },
    "W": BARE_WILD,
}
