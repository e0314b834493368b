"""Whoever hears the rulings alone knows whose turn it is, which way, with what at stake."""

import json
from random import Random
from typing import Any

import pytest

from companion.games.stream import Stream
from tests.differential.one_pile_people import People
from tests.differential.second_uno_table import ON_TURN

SILENT = ("undo", "start")
TAKES_BACK = ("correct", "defend", *SILENT)
"""Commands whose rulings do not tell all that has changed: the table knows what it takes back."""


def heard(state: dict[str, Any], rulings: list[dict[str, Any]]) -> dict[str, Any]:
    """The table after the rulings, as somebody takes it down who sees no state."""
    known = {**state, "hands": dict(state["hands"]), "scores": dict(state["scores"])}
    hands = known["hands"]
    for said in sorted(rulings, key=lambda one: bool(one["ruling"] != "dealt")):
        player, count = said.get("player"), said.get("count", 0)
        match said["ruling"]:
            case "dealt":
                hands[player] = count
            case "drawn" | "draw" | "penalty":
                hands[player] += count
            case "played":
                hands[player] = max(0, hands[player] - 1)
            case "joined":
                hands[player] = known["scores"][player] = 0
            case "left":
                del hands[player]
            case "scored":
                known["scores"][player] = said["total"]
            case "turn":
                known["turn"] = player
            case "round_over" | "game_over" | "tie_break":
                known["turn"] = None
            case "direction":
                known["direction"] = said["direction"]
            case "battle":
                known["battle"] = said["total"]
    return known


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("game", ["classic", "battle"])
def test_the_rulings_alone_tell_what_has_changed(game: str, seed: int) -> None:
    random = Random(f"heard {game} {seed}")
    people, stream = People(random, game), Stream()
    said, before = people.start(), None
    for _ in range(150):
        given = stream.answer(json.dumps(said).encode())
        assert given is not None
        answer = json.loads(given[0])
        state = answer["state"]
        if answer["ok"] and said["do"] not in SILENT:
            assert before is not None
            known = heard(before, answer["rulings"])
            told = {"turn", "scores", "battle"} & set(state)
            if said["do"] not in TAKES_BACK and state["phase"] in ON_TURN:
                told |= {"hands", "direction"}
            assert {name: known[name] for name in told} == {name: state[name] for name in told}
        before = state
        over = state["phase"] == "game_over"
        said = people.start() if over else people.say(state, lambda card: card[0] == "R")
