"""What holds in every game of Classic and of Battle, whatever the table does."""

from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.battle.state import BattleState
from companion.games.classic import ClassicState
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.one_pile import OnePileState
from companion.games.referee import Accepted, Phase, Refusal
from companion.games.rulebook import RULES
from companion.games.rulings import ORDER, Ruling, Scored, Turn
from tests.unit.games.one_pile_walk import command, start

IN_A_ROUND = (Phase.PLAY, Phase.DRAWN)
games = pytest.mark.parametrize("game_name", ["classic", "battle"])


def begin(random: Random, game: str) -> Game:
    begun = Game.begin(decode_command(start(random, game)))  # type: ignore[arg-type]  # it is a start
    assert isinstance(begun, Game)
    return begun


def shown(state: OnePileState) -> bytes:
    return msgspec.json.encode(state.as_json())


def check(state: OnePileState) -> None:
    """What must be true of every state."""
    assert set(state.hands) == set(state.players) <= set(state.scores)
    assert state.dealer in state.players
    assert state.last_actor in (None, *state.players)
    assert min(state.draw_pile, *state.hands.values()) >= 0
    assert state.set_aside == 0
    if state.phase is Phase.SETUP:
        assert (state.draw_pile, sum(state.hands.values()), state.pile) == (108, 0, None)
    elif state.pile is not None:
        assert state.draw_pile + sum(state.hands.values()) + state.pile.cards == 108
    if state.phase in IN_A_ROUND:
        assert (state.turn is None) == (state.needs == "turn")
        assert state.turn in (None, *state.at_play)
        out = [name for name in state.at_play if state.hands[name] == 0]
        assert not out or (state.needs == "challenge" and len(out) == 1)
    else:
        assert state.turn is None
    if state.uno_open is not None:
        assert state.hands[state.uno_open] == 1
    if isinstance(state, ClassicState) and state.phase in IN_A_ROUND:
        assert (state.needs == "challenge") == (state.accused is not None)
        assert state.accused in (None, *state.players)
    if isinstance(state, BattleState):
        assert state.battle == 0 or state.phase in IN_A_ROUND
        assert set(state.at_play) <= set(state.players)


def check_rulings(before: OnePileState, accepted: Accepted[Any]) -> None:
    """They come in their order, cite rules that there are, and scores add up."""
    order = [ORDER.index(type(ruling)) for ruling in accepted.rulings]
    assert order == sorted(order)
    assert all(ruling.rule is None or ruling.rule in RULES for ruling in accepted.rulings)
    if any(isinstance(ruling, Turn) for ruling in accepted.rulings):
        assert accepted.rulings[-1] == Turn(player=accepted.state.turn)
    for ruling in accepted.rulings:
        if isinstance(ruling, Scored):
            assert ruling.total == before.scores[ruling.player] + ruling.points
            assert accepted.state.scores[ruling.player] == ruling.total


def leave_and_undo(game: Game, player: str) -> None:
    """Whoever leaves now leaves a sound game behind, and can be called back."""
    before = shown(game.state)
    left = game.apply(decode_command({"do": "leave", "player": player}))
    assert not isinstance(left, Refusal)
    check(left[0].state)
    assert player not in left[0].state.hands
    undone = left[0].apply(decode_command({"do": "undo"}))
    assert not isinstance(undone, Refusal)
    assert shown(undone[0].state) == before


@games
@pytest.mark.parametrize("seed", range(25))
def test_whatever_the_table_does_every_state_is_sound(game_name: str, seed: int) -> None:
    """108 cards are always somewhere, there is one turn or one obligation, a refusal changes
    nothing, undo restores the state to the byte, and anybody may leave at any time."""
    random = Random(f"{game_name} {seed}")
    game = begin(random, game_name)
    for _ in range(250):
        before = shown(game.state)
        answer = game.apply(decode_command(command(random, game.state)))
        assert shown(game.state) == before
        if isinstance(answer, Refusal):
            assert answer.message.endswith(".")
            assert answer.rule is None or answer.rule in RULES
            continue
        after, accepted = answer
        check(after.state)
        if len(after.commands) > len(game.commands):
            check_rulings(game.state, accepted)
            undone = after.apply(decode_command({"do": "undo"}))
            assert not isinstance(undone, Refusal)
            assert shown(undone[0].state) == before
            assert undone[1].rulings == (Turn(player=game.state.turn),)
        game = after
        if game.state.phase is not Phase.GAME_OVER and random.random() < 0.2:
            leave_and_undo(game, random.choice(game.state.players))


@games
@pytest.mark.parametrize("seed", range(5))
def test_the_same_commands_give_the_same_rulings(game_name: str, seed: int) -> None:
    random = Random(seed)
    first = game = begin(random, game_name)
    made: list[tuple[Ruling, ...]] = []
    for _ in range(200):
        answer = game.apply(decode_command(command(random, game.state)))
        if not isinstance(answer, Refusal):
            game, accepted = answer
            if len(game.commands) <= len(made):
                del made[len(game.commands) :]
            else:
                made.append(accepted.rulings)
    again = first
    for past, rulings in zip(game.commands, made, strict=True):
        answer = again.apply(past)
        assert not isinstance(answer, Refusal)
        again = answer[0]
        assert answer[1].rulings == rulings
    assert shown(again.state) == shown(game.state)
