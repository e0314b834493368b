"""Which name is which card's, by their times alone."""

import math
from dataclasses import replace

import pytest

from companion.table.pairing import Contact, Pairing, Row, Upset, cost, others
from companion.units import MonoSeconds

IN_ORDER = Pairing()


def at(seconds: float) -> MonoSeconds:
    return MonoSeconds(seconds)


def row(cards: list[float], names: list[float], *upsets: Upset) -> Row:
    return Row(tuple(Contact(at(seconds)) for seconds in cards), tuple(map(at, names)), upsets)


FALL = Upset(at(20.0), at(21.0), at(30.0), explained=False)
TIPPED = Upset(at(20.0), at(21.0), at(30.0), explained=True)


@pytest.mark.parametrize(
    "in_step",
    [
        row([1.0, 6.0, 11.0], [2.0, 5.5, 12.0]),
        row([1.0, 6.0], [2.0]),
        row([1.0], [2.0, 5.5]),
        row([1.0, 2.0], [3.5, 4.5]),
        row([1.5, 3.5], [1.0, 1.1]),
        row([10.0, 33.0], [11.0, 18.0], FALL),
        row([19.5], [21.5], TIPPED),
    ],
    ids=[
        "named soon before or after",
        "not named yet",
        "named already",
        "two, then their names",
        "two names, then their cards",
        "a name that waits across a reset",
        "the card that tipped it",
    ],
)
def test_first_in_first_out_where_the_times_allow_it(in_step: Row) -> None:
    """No other pairing of such a row is plainly better."""
    assert all(
        cost(in_step, other) >= cost(in_step, IN_ORDER) for other in others(in_step, IN_ORDER)
    )


@pytest.mark.parametrize(
    ("out_of_step", "better"),
    [
        (row([10.0, 17.0], [2.0, 11.0, 18.0]), Pairing(unseen=frozenset({0}))),
        (row([1.0, 10.0, 17.0], [11.0, 18.0]), Pairing(hands=frozenset({0}))),
        (row([10.0], [11.0, 20.8], FALL), Pairing(unseen=frozenset({1}))),
        (row([10.0, 33.0], [11.0, 21.5, 34.0], FALL), Pairing(unseen=frozenset({1}))),
    ],
    ids=["a card unseen", "a hand", "named in the fall", "named in the fall, and the next one too"],
)
def test_one_that_is_out_of_step_is_found(out_of_step: Row, better: Pairing) -> None:
    best = min(others(out_of_step, IN_ORDER), key=lambda other: cost(out_of_step, other))
    assert best == better
    assert cost(out_of_step, best) < cost(out_of_step, IN_ORDER)


def test_a_card_that_lay_there_without_a_name_is_named_first() -> None:
    """A name said in the fall is not that of an unseen card while another waits for its own."""
    waiting = row([10.0, 33.0], [21.5, 34.0], FALL)
    assert cost(waiting, IN_ORDER) < cost(waiting, Pairing(unseen=frozenset({0})))


def test_what_has_been_told_is_not_taken_back_for_a_little() -> None:
    """A card that is taken to lie there unseen costs less than a new guess."""
    anew = row([10.0], [2.0, 11.0])
    told = replace(anew, guessed=frozenset({0}))
    unseen = Pairing(unseen=frozenset({0}))
    assert cost(told, unseen) < cost(anew, unseen)


def test_a_quick_table_leaves_ordinary_cards_without_a_name() -> None:
    """Nothing is odd about a card without a name, and none is taken for a hand for that."""
    quick = replace(row([1.0, 10.0], []), every_card=False)
    assert math.isclose(cost(quick, IN_ORDER), 0.0)
    assert not any(other.hands for other in others(quick, IN_ORDER))
