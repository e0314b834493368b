"""Cards and their text form, which is also their repr and round-trips.

This module never says which cards a game's deck holds.
"""

import re
from enum import StrEnum

import msgspec


class Colour(StrEnum):
    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"

    # An Enum's own hash is written in Python; cards are hashed everywhere.
    __hash__ = str.__hash__

    @property
    def word(self) -> str:
        return self.name.lower()


class Kind(StrEnum):
    """What a card is, apart from its colour and number; the value is its text form's symbol."""

    NUMBER = "number"
    STOP = "!"
    DRAW_TWO = "+2"
    REVERSE = "rev"
    SKIP = "skip"
    WILD = "W"
    WILD_DRAW_FOUR = "W+4"
    TILT = "Tilt"
    UNKNOWN = "?"

    __hash__ = str.__hash__


STOP = Kind.STOP
"""By a name of its own, for it is asked for most, and before Python 3.12 looking up the members of
an Enum is slow."""
WILDS = frozenset({Kind.WILD, Kind.WILD_DRAW_FOUR, Kind.TILT})
FITS_ANYWHERE = WILDS | {Kind.UNKNOWN}
"""What is not judged for match: wilds, and a card that nobody has named."""
ACTIONS = frozenset({Kind.DRAW_TWO, Kind.REVERSE, Kind.SKIP})

_COLOURED = re.compile(r"([RYGB])(?:(\d|1[0-2])(!?)|(\+2|rev|skip))", re.ASCII)


class Card(msgspec.Struct, frozen=True, gc=False):
    """A card, or a Rummy Up tile, as printed. Wilds and `?` have no colour."""

    kind: Kind
    colour: Colour | None = None
    number: int | None = None

    def __str__(self) -> str:
        if self.number is not None:
            return f"{self.colour}{self.number}{self.kind if self.is_stop else ''}"
        return f"{self.colour or ''}{self.kind}"

    __repr__ = __str__

    @property
    def is_wild(self) -> bool:
        return self.kind in WILDS

    @property
    def is_action(self) -> bool:
        return self.kind in ACTIONS

    @property
    def is_stop(self) -> bool:
        return self.kind is STOP

    @property
    def spoken(self) -> str:
        """The card in words for people: "the red 3 Stop card"."""
        colour = self.colour.word if self.colour else ""
        match self.kind:
            case Kind.NUMBER:
                return f"the {colour} {self.number}"
            case Kind.STOP:
                return f"the {colour} {self.number} Stop card"
            case Kind.DRAW_TWO:
                return f"the {colour} Draw Two"
            case Kind.REVERSE:
                return f"the {colour} Reverse"
            case Kind.SKIP:
                return f"the {colour} Skip"
            case Kind.WILD:
                return "the Wild"
            case Kind.WILD_DRAW_FOUR:
                return "the Wild Draw Four"
            case Kind.TILT:
                return "the Tilt card"
            case Kind.UNKNOWN:
                return "the unnamed card"


UNKNOWN = Card(Kind.UNKNOWN)
WILD = Card(Kind.WILD)
WILD_DRAW_FOUR = Card(Kind.WILD_DRAW_FOUR)
TILT = Card(Kind.TILT)

_COLOURLESS = {str(card): card for card in (UNKNOWN, WILD, WILD_DRAW_FOUR, TILT)}


def parse(text: str) -> Card:
    """The card of a text form; `parse(str(card)) == card`.

    Numbers 0-12 are read (Rummy Up has tiles to 12); whether a deck holds the card is the
    game's affair.

    Raises:
        ValueError: the text is no card's text form.
    """
    if text in _COLOURLESS:
        return _COLOURLESS[text]
    found = _COLOURED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no card")
    colour = Colour(found[1])
    if found[4]:
        return Card(Kind(found[4]), colour)
    return Card(Kind.STOP if found[3] else Kind.NUMBER, colour, int(found[2]))
