"""The one discard pile of Classic and Battle.

It never says what else a card does than match.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games.cards import FITS_ANYWHERE, UNKNOWN, Card, Colour

NO_PILE: Mapping[str, Any] = {"top": None, "colour": None, "cards": 0}
"""What the referee's stream shows between rounds."""


class Pile(msgspec.Struct, frozen=True, gc=False):
    """The discard pile: its visible card, the colour in force, and how many cards it has.

    `colour` is None while the colour of a wild waits to be named, and on a `?`.
    """

    top: Card
    colour: Colour | None
    cards: int = 1

    def covered_by(self, card: Card, colour: Colour | None) -> "Pile":
        return Pile(card, card.colour or colour, self.cards + 1)

    def shows(self, card: Card, colour: Colour | None) -> "Pile":
        """The same pile after the table has corrected its visible card."""
        return Pile(card, card.colour or colour, self.cards)

    def named(self, colour: Colour) -> "Pile":
        return Pile(self.top, colour, self.cards)

    @property
    def waits_for_colour(self) -> bool:
        return self.colour is None and self.top.is_wild

    @property
    def spoken(self) -> str:
        """What lies there, in words, with the colour that was named for a wild."""
        if not self.top.is_wild or self.colour is None:
            return self.top.spoken
        return f"{self.top.spoken} (now {self.colour.word})"

    def matches(self, card: Card) -> bool:
        """Whether a card matches by colour, number or symbol; wilds and `?` always do."""
        top, kind = self.top, card.kind
        if card.colour is self.colour or kind in FITS_ANYWHERE or top == UNKNOWN:
            return True
        return kind is top.kind and card.number == top.number

    def as_json(self) -> dict[str, Any]:
        return {"top": str(self.top), "colour": self.colour, "cards": self.cards}
