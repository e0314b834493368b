"""Two referees of Rummy Up that share no line answer the same, whatever a table does."""

import json
from random import Random
from typing import Any

import pytest

from companion.games.stream import Stream
from tests.differential.rummy_people import NAMES, command, house_rules
from tests.differential.second_rummy_board import Board, No
from tests.differential.second_rummy_stream import SecondRummyUp

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


@pytest.mark.parametrize("seed", range(40))
def test_both_rule_the_same_in_the_same_order_and_leave_the_same_table(seed: int) -> None:
    random = Random(seed)
    first, second = Stream(), SecondRummyUp()
    numbers = random.choice((range(1, 13), range(1, 8), range(3, 8), range(1, 6), range(4, 11)))
    players = random.sample(NAMES, random.choice((2, 2, 3, 4)))
    said: list[Any] = [{"do": "start", "game": "rummy_up", "players": players}]
    said[0]["options"] = house_rules(random)
    for _ in range(60):
        line = json.dumps(said[-1])
        answer = first.answer(line.encode())
        assert answer is not None
        assert in_short(json.loads(answer[0])) == second.answer(line), said[-6:]
        assert second.table is not None
        said.append(command(random, second.table, numbers))
        if left_open(second, said[-1]):
            said[-1] = {"do": "draw"}
