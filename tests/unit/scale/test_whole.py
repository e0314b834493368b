"""A card that is pushed home, told from a tray that has only swung."""

from hypothesis import given
from hypothesis import strategies as st

from companion.scale.motion import Base, Flat
from companion.scale.whole import Whole

CARD_G = 1.8
SHORT = st.floats(-0.4, 0.4).filter(lambda cards: abs(cards) > 0.3)
WAITED_S = st.floats(0.5, 6.0)


def came(short_cards: float, waited_s: float, at_cards: float) -> int | None:
    """What has come where whole cards lie `short_cards` above the base, and it rests there."""
    whole = Whole(short_cards * CARD_G, 0.0, 20.0, CARD_G, part_came=False)
    flat = Flat(at_cards * CARD_G, waited_s - 0.3, waited_s, 20, 0.03)
    return whole.came(Base(0.0, 0.0, 0.0), flat)


@given(SHORT, WAITED_S, st.integers(0, 3), st.floats(-0.45, 0.45))
def test_a_tray_that_rests_nearer_to_where_it_was_has_nothing_pushed_home(
    short_cards: float, waited_s: float, cards: int, part: float
) -> None:
    """The longer ago a part of a card came, the less is known of it; what swings comes back."""
    at_cards = cards + part * abs(short_cards)
    assert came(short_cards, waited_s, at_cards) is None


@given(SHORT, st.integers(0, 2))
def test_what_makes_whole_cards_of_a_part_is_pushed_home(short_cards: float, cards: int) -> None:
    """Soon after it came, and on its own or with the next ones."""
    assert came(short_cards, 0.5, cards + short_cards) == cards
