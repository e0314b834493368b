"""The decks of the UNO games and what their cards are worth when hands are counted.

This module never follows a single card: how many copies have been seen is not checked.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from companion.games.cards import TILT, UNKNOWN, WILD, WILD_DRAW_FOUR, Card, Colour, Kind

STOP_NUMBERS = range(1, 6)


def _coloured(colour: Colour, *, stops: bool) -> Iterator[Card]:
    yield Card(Kind.NUMBER, colour, 0)
    for number in range(1, 10):
        second = Kind.STOP if stops and number in STOP_NUMBERS else Kind.NUMBER
        yield Card(Kind.NUMBER, colour, number)
        yield Card(second, colour, number)
    for kind in (Kind.DRAW_TWO, Kind.REVERSE, Kind.SKIP):
        yield from (Card(kind, colour), Card(kind, colour))


@cache
def classic_deck() -> tuple[Card, ...]:
    """The 108 cards of Classic and Battle (C1, H1)."""
    cards = [card for colour in Colour for card in _coloured(colour, stops=False)]
    return (*cards, *(WILD,) * 4, *(WILD_DRAW_FOUR,) * 4)


@cache
def tippo_deck() -> tuple[Card, ...]:
    """The 112 cards of Tippo (T1): of the numbers 1-5 one copy of each colour is a Stop card."""
    cards = [card for colour in Colour for card in _coloured(colour, stops=True)]
    return (*cards, *(WILD,) * 4, *(WILD_DRAW_FOUR,) * 4, *(TILT,) * 4)


def by_text(deck: Iterable[Card]) -> Mapping[str, Card]:
    """Every text that a referee with this deck reads as a card, `?` included."""
    return {str(card): card for card in (*deck, UNKNOWN)}


def points(card: Card) -> int:
    """What a card left in a hand counts (T50): face value, 20 for an action, 50 for a wild."""
    if card.is_wild:
        return 50
    if card.is_action:
        return 20
    return card.number or 0
