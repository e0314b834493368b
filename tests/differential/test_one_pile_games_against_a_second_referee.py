"""Two referees of Classic and of Battle that share no line answer the same, whatever people say."""

import json
from random import Random
from typing import Any

import pytest

from companion.games.stream import Stream
from tests.differential.one_pile_people import People
from tests.differential.second_battle import Battle
from tests.differential.second_classic import Classic
from tests.differential.second_uno_stream import SecondStream

GAMES = {"classic": Classic, "battle": Battle}
COMMANDS = 100
ONLY_FOR_PEOPLE = ("rule", "message")


def in_short(text: bytes) -> Any:
    """An answer without its sentences and rule numbers."""
    answer = json.loads(text)
    if not answer["ok"]:
        return {**answer, "error": answer["error"]["code"]}
    rulings = [
        {name: value for name, value in ruling.items() if name not in ONLY_FOR_PEOPLE}
        for ruling in answer["rulings"]
    ]
    return {**answer, "rulings": rulings}


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("game", GAMES)
def test_both_answer_the_same_and_leave_the_same_table(game: str, seed: int) -> None:
    random = Random(f"{game} {seed}")
    people, stream, second = People(random, game), Stream(), SecondStream(GAMES)
    said = [people.start()]
    for _ in range(COMMANDS):
        line = json.dumps(said[-1])
        given = stream.answer(line.encode())
        assert given is not None
        assert in_short(given[0]) == json.loads(json.dumps(second.answer(line))), said[-10:]
        table = second.table
        over = table.phase == "game_over" and random.random() < 0.5
        fits = table.fits if game == "battle" else table.matches
        said.append(people.start() if over else people.say(table.state(), fits))
