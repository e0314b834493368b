"""At tables that nobody has picked the engine comes to what the enumeration by hand counts, too."""

from random import Random
from typing import Any

import pytest

from companion.games.decks import classic_deck, tippo_deck
from tests.perft import one_pile_by_hand, tippo_by_hand, uno_by_hand
from tests.perft.perft import Case, counts

BY_HAND: dict[str, Any] = {
    "classic": one_pile_by_hand.CLASSIC,
    "battle": one_pile_by_hand.BATTLE,
    "tippo": tippo_by_hand,
}
NAMES = ("Ann", "Bob", "Cid", "Dan")
DEPTH = 3


def random_table(random: Random, game: str) -> dict[str, Any]:
    """Small hands of two colours and wilds, so that much fits."""
    deck = [str(card) for card in (tippo_deck() if game == "tippo" else classic_deck())]
    deck = [card for card in deck if card[0] in "RBWT"]
    random.shuffle(deck)
    names = NAMES[: random.choice((2, 3, 3, 4))]
    hands = {name: [deck.pop() for _ in range(random.choice((1, 2, 2, 3)))] for name in names}
    first, second = [card for card in deck if card[1:2].isdigit()][:2]
    turned_up = {"left": first, "right": second} if game == "tippo" else {"top": first}
    return {"hands": hands, "next": deck, "colours": ["B", "R"], **turned_up}


@pytest.mark.parametrize("game", BY_HAND)
def test_engine_and_enumeration_agree_at_random_tables(game: str) -> None:
    rules = BY_HAND[game]
    for seed in range(10):
        table = random_table(Random(f"{game} {seed}"), game)
        first = rules.first_state(table)
        case = Case(game, f"random {seed}", "", table, ((0, 0),) * DEPTH)
        assert counts(case) == [
            uno_by_hand.count(first, rules.commands, table["colours"], depth, rules.HIDDEN)
            for depth in range(1, DEPTH + 1)
        ], table
