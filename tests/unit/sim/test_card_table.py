"""Simulated people without a scale: they play whole games legally, and not perfectly."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion.clock import PacedClock
from companion.errors import BadInput
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Refusal
from sim.card_table import CardPlan, CardTable
from sim.party import NAMES


def evening(plan: CardPlan) -> Iterator[dict[str, Any]]:
    """What is tapped in a whole evening, without its times."""
    clock = PacedClock(0)
    table = CardTable(plan, clock)
    yield from ({**tap} for tap in table.opening)
    while not table.finished:
        yield from table.taps()
        clock.sleep(1.0)


def played(plan: CardPlan) -> tuple[Any, Counter[str]]:
    """The last state of an evening that a referee of its own has judged, and its rulings."""
    taps = evening(plan)
    begun = Game.begin(decode_command(_without_time(next(taps))))  # type: ignore[arg-type]  # it is a start
    assert isinstance(begun, Game)
    game, rulings = begun, Counter[str]()
    for tap in taps:
        answer = game.apply(decode_command(_without_time(tap)))
        assert not isinstance(answer, Refusal), (tap, answer)
        game, accepted = answer
        rulings.update(type(ruling).__name__ for ruling in accepted.rulings)
    return game.state, rulings


def _without_time(tap: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in tap.items() if key != "t"}


PLANS = [
    CardPlan("classic", 1, NAMES[:4], options={"target": 250}),
    CardPlan("classic", 2, NAMES[:2], options={"scoring": "running", "target": 250}),
    CardPlan("classic", 3, NAMES, options={"misplay_penalty": 2, "false_call_penalty": 2}),
    CardPlan("battle", 1, NAMES[:4]),
    CardPlan("battle", 2, NAMES[:2], options={"finish_penalty": "plus_only"}),
    CardPlan("battle", 3, NAMES, options={"steal_turn": "original"}),
    CardPlan("rummy_up", 1, NAMES[:4], options={"target": 60}),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.game} {len(plan.players)}")
def test_a_whole_game_ends_with_a_winner_and_nothing_is_refused(plan: CardPlan) -> None:
    state, rulings = played(plan)
    assert state.phase == "game_over"
    assert rulings["GameOver"] >= 1
    assert rulings["RoundOver"] == state.round


def test_they_get_up_after_the_rounds_that_were_agreed() -> None:
    state, _ = played(CardPlan("classic", 4, NAMES[:3], rounds=1))
    assert (state.phase, state.round) == ("setup", 2)


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("classic", {"Uno", "UnoSafe", "UnoCaught", "Penalty", "ColourChosen", "ChooseColour"}),
        ("battle", {"Uno", "UnoSafe", "UnoCaught", "Steal", "StealUndone", "Battle"}),
    ],
)
def test_they_forget_call_late_catch_challenge_steal_and_defend(
    game: str, wanted: set[str]
) -> None:
    seen = Counter[str]()
    commands: set[str] = set()
    for seed in range(8):
        plan = CardPlan(game, seed, NAMES[:4], rounds=2)
        seen += played(plan)[1]
        commands |= {f"{tap['do']} {tap.get('guilty', '')}".strip() for tap in evening(plan)}
    assert wanted <= set(seen)
    if game == "classic":
        assert {"challenge True", "challenge False", "accept", "colour", "pass"} <= commands
    else:
        assert {"defend", "colour", "draw", "pass"} <= commands


def test_the_same_plan_gives_the_same_evening() -> None:
    plan = CardPlan("battle", 7, NAMES[:3], rounds=1)
    assert list(evening(plan)) == list(evening(plan))


def test_options_that_the_game_does_not_know_are_refused() -> None:
    with pytest.raises(BadInput, match="settle_seconds"):
        CardTable(CardPlan("classic", 1, NAMES[:2], options={"settle_seconds": 5}), PacedClock(0))
