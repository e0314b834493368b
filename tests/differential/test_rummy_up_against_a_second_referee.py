"""Two referees of Rummy Up that share no line answer the same, whatever a table does."""

import json
from random import Random
from typing import Any

import pytest

from companion.games.stream import Stream
from tests.differential.rummy_people import NAMES, command, house_rules
from tests.differential.second_rummy_board import Board, No
from tests.differential.second_rummy_stream import SecondRummyUp
from tests.differential.second_rummy_up import Table

MATTERS_OF_WORDING = ("n", "rule", "message")


def in_short(answer: Any) -> Any:
    """An answer without its sentences, rule numbers and count."""
    if isinstance(answer, dict):
        return {
            name: in_short(value)
            for name, value in answer.items()
            if name not in MATTERS_OF_WORDING
        }
    return list(map(in_short, answer)) if isinstance(answer, list) else answer


def left_open(second: SecondRummyUp, said: Any) -> bool:
    """Whether the rules do not say which of equal tiles came from the rack, and it matters."""
    table = second.table
    if table is None or not isinstance(said, dict) or said.get("do") != "meld":
        return False
    try:
        return Board(table.table, table.loose, said["table"]).is_open()
    except (No, KeyError, TypeError):
        return False


class Both:
    """Two referees that are told the same."""

    def __init__(self) -> None:
        self.first, self.second = Stream(), SecondRummyUp()
        self.said: list[Any] = []

    def tell(self, said: Any) -> Table:
        """The table after a command; both must have given the same answer to it."""
        self.said.append(said)
        line = json.dumps(said)
        answer = self.first.answer(line.encode())
        assert answer is not None
        assert in_short(json.loads(answer[0])) == self.second.answer(line), self.said[-6:]
        assert self.second.table is not None
        return self.second.table

    def go_on(self, random: Random, table: Table, numbers: range) -> Table:
        said = command(random, table, numbers)
        return self.tell({"do": "draw"} if left_open(self.second, said) else said)


@pytest.mark.parametrize("seed", range(30))
def test_both_rule_the_same_in_the_same_order_and_leave_the_same_table(seed: int) -> None:
    random, both = Random(seed), Both()
    numbers = random.choice((range(1, 13), range(1, 8), range(3, 8), range(1, 6), range(4, 11)))
    players = random.sample(NAMES, random.choice((2, 2, 3, 4)))
    begin = {"do": "start", "game": "rummy_up", "players": players}
    table = both.tell({**begin, "options": house_rules(random)})
    for _ in range(60):
        table = both.go_on(random, table, numbers)


@pytest.mark.parametrize("seed", range(10))
def test_both_rule_the_same_while_the_pool_runs_out(seed: int) -> None:
    """R25, U22."""
    random, both = Random(seed), Both()
    both.tell({"do": "start", "game": "rummy_up", "players": NAMES, "options": house_rules(random)})
    table = both.tell({"do": "deal", "table": ["R4", "G5", "W", "B6"]})
    while table.draw_pile > random.randrange(6):
        both.tell({"do": "draw"})
        table = both.tell({"do": "pass"})
    for _ in range(40):
        if table.phase in ("play", "drawn") and random.random() < 0.3:
            table = both.tell({"do": "pass"})
        table = both.go_on(random, table, range(3, 8))
