"""A card that was not seen, seen late, or invented: the next act sets the table right again."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from random import Random
from typing import TypeAlias

import msgspec
import pytest

from companion.events import Placed
from companion.games.rulings import Played, Spill
from companion.table.inputs import Heard, Input, decode_input, time_of
from companion.table.table import Table
from companion.table.taps import Mode
from companion.units import MonoSeconds, Tray
from tests.golden.keep_evenings import Kept, evenings

LATE_S = (1.0, 2.0, 4.0, 8.0)
AFTER_S = (1.2, 3.0)
"""So long after a card a hand touches a tray and is taken for another."""
DIFFERENT = 2
"""The card itself may be told otherwise (its tray was not seen), and the one put down with it."""

FULL = [evening for evening in evenings() if evening.mode == "full"][::3]


def dropped(inputs: list[Input], at: int, rng: Random) -> list[Input]:
    """The scale has not felt this card."""
    del rng
    return inputs[:at] + inputs[at + 1 :]


def delayed(inputs: list[Input], at: int, rng: Random) -> list[Input]:
    """The judge was in doubt about this card for seconds."""
    placed = _placed(inputs[at])
    decided_s = MonoSeconds(placed.decided_s + rng.choice(LATE_S))
    late = Heard(msgspec.structs.replace(placed, decided_s=decided_s))
    return _with(inputs[:at] + inputs[at + 1 :], late)


def invented(inputs: list[Input], at: int, rng: Random) -> list[Input]:
    """A hand that touched a tray after this card is taken for a card."""
    placed = _placed(inputs[at])
    later_s = rng.uniform(*AFTER_S)
    hand = msgspec.structs.replace(
        placed,
        began_s=MonoSeconds(placed.began_s + later_s),
        decided_s=MonoSeconds(placed.decided_s + later_s),
        tray=rng.choice(list(Tray)),
        sure=rng.random() < 0.5,
    )
    return _with(inputs, Heard(hand))


Spoil: TypeAlias = Callable[[list[Input], int, Random], list[Input]]


def _placed(given: Input) -> Placed:
    assert isinstance(given, Heard)
    assert isinstance(given.event, Placed)
    return given.event


def _with(inputs: list[Input], heard: Heard) -> list[Input]:
    at_s = heard.event.decided_s
    place = next((k for k, given in enumerate(inputs) if time_of(given) > at_s), len(inputs))
    return [*inputs[:place], heard, *inputs[place:]]


def standing(evening: Kept, inputs: list[Input]) -> tuple[list[str], list[str | None]]:
    """What stands in the end: each play, and who pays for each spill."""
    table = Table(Mode(evening.mode))
    for given in inputs:
        table.feed(given)
    rulings = [ruling for entry in table.entries for ruling in entry.rulings]
    plays = [f"{r.player} {r.card} {r.tray}" for r in rulings if isinstance(r, Played)]
    return plays, [ruling.by for ruling in rulings if isinstance(ruling, Spill)]


def different(ours: Sequence[str], true: Sequence[str]) -> int:
    """How many plays are missing, too many or told otherwise."""
    pieces = SequenceMatcher(None, ours, true, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in pieces if tag != "equal")


def spoiled(evening: Kept, spoil: Spoil, count: int) -> Iterator[tuple[float, list[Input]]]:
    """The evening `count` times, each time with another card spoiled; with that card's time."""
    inputs = [decode_input(line) for line in evening.inputs]
    cards = [
        k
        for k, given in enumerate(inputs)
        if isinstance(given, Heard) and isinstance(given.event, Placed)
    ]
    rng = Random(f"{evening.seed}/{spoil.__name__}")
    for card in rng.sample(cards, count):
        yield _placed(inputs[card]).began_s, spoil(inputs, card, rng)


@pytest.mark.parametrize("spoil", [dropped, delayed, invented])
@pytest.mark.parametrize("evening", FULL, ids=lambda evening: f"seed {evening.seed}")
def test_one_card_wrongly_sensed_costs_no_later_payer(evening: Kept, spoil: Spoil) -> None:
    """Every spill's payer and, but for that card, every play are as in the truth."""
    for at_s, inputs in spoiled(evening, spoil, 2):
        plays, payers = standing(evening, inputs)
        assert tuple(payers) == evening.payers, at_s
        assert different(plays, evening.plays) <= DIFFERENT, at_s
