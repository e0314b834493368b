"""Cards and their text form."""

from itertools import product

import pytest

from companion.games.cards import Card, Colour, Kind, parse

EVERY_CARD = [
    *(Card(Kind.NUMBER, colour, number) for colour, number in product(Colour, range(13))),
    *(Card(Kind.STOP, colour, number) for colour, number in product(Colour, range(1, 6))),
    *(
        Card(kind, colour)
        for kind, colour in product((Kind.DRAW_TWO, Kind.REVERSE, Kind.SKIP), Colour)
    ),
    *map(Card, (Kind.WILD, Kind.WILD_DRAW_FOUR, Kind.TILT, Kind.UNKNOWN)),
]


@pytest.mark.parametrize("card", EVERY_CARD, ids=str)
def test_every_card_survives_being_written_and_read_back(card: Card) -> None:
    assert parse(str(card)) == card
    assert repr(card) == str(card)


@pytest.mark.parametrize("text", ["", "zzz", "R", "R13", "r7", "R7 ", "W!", "Tilt!", "R+4", "R٣"])
def test_text_that_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        parse(text)
