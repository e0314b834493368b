"""What holds in every game of Tippo, whatever the table does."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.bench.referee import tippo_game
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.rulebook import RULES
from companion.games.rulings import ORDER, Turn
from companion.games.tippo.state import TippoState
from tests.unit.games.walk import command, start

seeds = st.integers(0, 2**32)
HOUSE_RULES: tuple[dict[str, Any], ...] = (
    {},
    {"stop_on_stopped": "yes", "reverse_2p": "none", "next_dealer": "winner", "target": 100},
    {"forced_draw_counts": "yes", "misplay_penalty": 2, "false_call_penalty": 2},
    {"spill_penalty": 9, "uno_penalty": 30, "misplay_penalty": 1},
)


def begin(random: Random) -> Game:
    game = Game.begin(decode_command(start(random, **random.choice(HOUSE_RULES))))  # type: ignore[arg-type]  # it is a start
    assert isinstance(game, Game)
    return game


def shown(state: TippoState) -> bytes:
    return msgspec.json.encode(state.as_json())


def cards_somewhere(state: TippoState) -> int:
    trays = state.left.cards + state.right.cards
    return state.draw_pile + state.set_aside + trays + sum(state.hands.values())


def check(state: TippoState) -> None:
    """What must be true of every state."""
    assert cards_somewhere(state) == 112
    assert min(state.draw_pile, state.set_aside, *state.hands.values()) >= 0
    assert state.left.open or state.right.open
    assert set(state.hands) == set(state.players) <= set(state.scores)
    assert state.dealer in state.players
    on_turn = state.phase in (Phase.PLAY, Phase.DRAWN, Phase.TILT)
    assert (state.turn in state.players) if on_turn else (state.turn in (None, *state.players))
    if state.phase is Phase.SPILLED:
        assert (state.turn is None) == (state.after_reset in (Phase.GOING_OUT, Phase.HANDS))
    if state.phase in (Phase.SETUP, Phase.GOING_OUT, Phase.HANDS, Phase.GAME_OVER):
        assert state.turn is None
    assert state.last_actor in (None, *state.players)
    if state.uno_open is not None:
        assert state.hands[state.uno_open] == 1
    assert ("tray_of_tilt" in state.as_json()) == (state.phase is Phase.TILT)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_whatever_the_table_does_every_state_is_sound(seed: int) -> None:
    """112 cards are always somewhere, never are both trays stopped, at most one has the turn."""
    random = Random(seed)
    game = begin(random)
    for _ in range(200):
        answer = game.apply(decode_command(command(random, game.state)))
        if isinstance(answer, Refusal):
            assert answer.message.endswith(".")
            assert answer.rule is None or answer.rule in RULES
            continue
        game, accepted = answer
        assert game.state is accepted.state
        check(game.state)
        order = [ORDER.index(type(ruling)) for ruling in accepted.rulings]
        assert order == sorted(order)
        assert all(ruling.rule is None or ruling.rule in RULES for ruling in accepted.rulings)
        if any(isinstance(ruling, Turn) for ruling in accepted.rulings):
            assert accepted.rulings[-1] == Turn(player=game.state.turn)


@settings(max_examples=12, deadline=None)
@given(seeds)
def test_undo_restores_the_state_to_the_byte_and_a_refusal_leaves_it(seed: int) -> None:
    random = Random(seed)
    game = begin(random)
    for _ in range(100):
        before = shown(game.state)
        answer = game.apply(decode_command(command(random, game.state)))
        assert shown(game.state) == before
        if isinstance(answer, Refusal):
            continue
        after, _ = answer
        if len(after.commands) > len(game.commands):
            undone = after.apply(decode_command({"do": "undo"}))
            assert not isinstance(undone, Refusal)
            assert shown(undone[0].state) == before
            assert undone[1].rulings == (Turn(player=game.state.turn),)
        game = after


@settings(max_examples=12, deadline=None)
@given(seeds)
def test_the_same_commands_give_the_same_rulings(seed: int) -> None:
    random = Random(seed)
    first = game = begin(random)
    for _ in range(150):
        answer = game.apply(decode_command(command(random, game.state)))
        game = game if isinstance(answer, Refusal) else answer[0]
    again = Game.begin(first.start)
    assert isinstance(again, Game)
    for past in game.commands:
        answer = again.apply(past)
        assert not isinstance(answer, Refusal)
        again = answer[0]
    assert shown(again.state) == shown(game.state)


def test_undo_goes_back_to_the_start_across_rounds() -> None:
    start, commands = tippo_game(Random(7), 600)
    game = Game.begin(start)
    assert isinstance(game, Game)
    states = []
    for each in commands:
        states.append(shown(game.state))
        answer = game.apply(each)
        assert not isinstance(answer, Refusal)
        game = answer[0]
    assert game.state.round > 2
    undo = decode_command({"do": "undo"})
    for state in reversed(states):
        answer = game.apply(undo)
        assert not isinstance(answer, Refusal)
        game = answer[0]
        assert shown(game.state) == state
    assert isinstance(game.apply(undo), Refusal)


@pytest.mark.parametrize("people", [2, 10])
def test_a_round_is_dealt_to_two_and_to_ten(people: int) -> None:
    names = [f"P{number}" for number in range(people)]
    game = Game.begin(decode_command({"do": "start", "game": "tippo", "players": names}))  # type: ignore[arg-type]  # it is a start
    assert isinstance(game, Game)
    dealt = game.apply(decode_command({"do": "deal", "left": "R1", "right": "B2"}))
    assert not isinstance(dealt, Refusal)
    assert dealt[0].state.draw_pile == 112 - 7 * people - 2
    check(dealt[0].state)
