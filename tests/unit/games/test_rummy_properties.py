"""What holds in every game of Rummy Up, whatever the table does."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import commands
from companion.games.cards import Card
from companion.games.commands import Command, Start
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.rulebook import RULES
from companion.games.rulings import ORDER, GameOver, Scored, Turn
from companion.games.rummy_up.melds import flaw
from companion.games.rummy_up.referee import RummyState
from companion.games.stream import Stream
from sim.rummy_people import RummyPeople

seeds = st.integers(0, 2**32)
NAMES = ("Ann", "Bob", "Cid", "Dee")
HOUSE_RULES: tuple[dict[str, str | int], ...] = (
    {},
    {"reverse_2p": "none", "next_dealer": "winner", "target": 50},
    {"misplay_penalty": 2, "false_call_penalty": 2},
    {"uno_penalty": 30, "misplay_penalty": 1},
)


class Evening:
    """A game and the people who play it, with what they held before each command."""

    def __init__(self, seed: int, **options: str | int) -> None:
        self.random = Random(seed)
        players = NAMES[: self.random.choice((2, 3, 4))]
        options = options or self.random.choice(HOUSE_RULES)
        begun = Game.begin(Start(game="rummy_up", players=players, options=options))
        assert isinstance(begun, Game)
        self.game = begun
        self.people = RummyPeople(self.random, NAMES)
        self.before: list[tuple[dict[str, list[Card]], list[Card]]] = []

    @property
    def state(self) -> RummyState:
        state = self.game.state
        assert isinstance(state, RummyState)
        return state

    def give(self, command: Command) -> tuple[Any, ...] | None:
        """The rulings of a command; None if it was refused."""
        before, people, past = self.state, self.people, self.game.past
        held = {name: list(rack) for name, rack in people.hands.items()}, list(people.pile)
        answer = self.game.apply(command)
        if isinstance(answer, Refusal):
            assert answer.message.endswith(".")
            assert answer.rule is None or answer.rule in RULES
            return None
        self.game, accepted = answer
        if past is not None and self.game.past is past.before:
            people.hands, people.pile = self.before.pop()
        else:
            self.before.append(held)
            people.saw(command, before, accepted)
        return accepted.rulings

    def ordinary(self) -> Command:
        """What the people do next; at the end of a game nothing is left but to undo."""
        return self.people.next_command(self.state) or commands.Undo()

    def anything(self) -> Command:
        """What a table might also tap."""
        pick, state = self.random.choice, self.state
        player = pick(NAMES)
        on_turn = self.people.hands.get(state.turn or "", [])
        rack = [str(face) for face in on_turn[: self.random.randrange(1, 6)]]
        table = [[str(tile) for tile in meld] for meld in state.board.melds]
        self.random.shuffle(table)
        odd = pick(([rack], [*table, rack], table[1:], table, [*table, rack[:3], rack[3:]]))
        return pick(
            (
                commands.Undo(),
                commands.Uno(player=player),
                commands.Catch(player=player, by=pick(NAMES)),
                commands.Draw(),
                commands.Pass(),
                commands.Join(player=player),
                commands.Correct(turn=player),
                commands.Correct(direction=pick((1, -1))),
                commands.Meld(table=tuple(map(tuple, odd))),
                commands.Leave(player=player) if pick((True, False, False)) else commands.Undo(),
            )
        )


def shown(state: RummyState) -> bytes:
    return msgspec.json.encode(state.as_json())


def check(state: RummyState, people: RummyPeople) -> None:
    """What must be true of every state."""
    on_board = state.board.faces.total() + len(state.board.loose)
    assert on_board + state.draw_pile + sum(state.hands.values()) == 100
    assert min(state.draw_pile, *state.hands.values()) >= 0
    assert not any(flaw(meld) for meld in state.board.melds)
    assert set(state.hands) == set(state.players) <= set(state.scores)
    assert state.dealer in state.players
    if state.phase in (Phase.PLAY, Phase.DRAWN):
        assert state.turn in state.players
        assert dict(state.hands) == dict(people.held)
        assert state.draw_pile == len(people.pile)
    else:
        assert state.turn is None
    assert state.last_actor in (None, *state.players)
    assert state.passes <= len(state.players)
    if state.uno_open is not None:
        assert state.hands[state.uno_open] == 1


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_whatever_the_table_does_every_state_is_sound(seed: int) -> None:
    """100 tiles are always somewhere, every meld is legal, exactly one has the turn."""
    evening = Evening(seed)
    for _ in range(120):
        odd = evening.random.random() < 0.3
        before = shown(evening.state)
        given_rulings = evening.give(evening.anything() if odd else evening.ordinary())
        if given_rulings is None:
            assert shown(evening.state) == before
            continue
        check(evening.state, evening.people)
        order = [ORDER.index(type(ruling)) for ruling in given_rulings]
        assert order == sorted(order)
        assert all(ruling.rule is None or ruling.rule in RULES for ruling in given_rulings)
        if any(isinstance(ruling, Turn) for ruling in given_rulings):
            assert given_rulings[-1] == Turn(player=evening.state.turn)


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_undo_restores_the_state_to_the_byte(seed: int) -> None:
    evening = Evening(seed)
    states = [shown(evening.state)]
    for _ in range(60):
        odd = evening.random.random() < 0.2
        command = evening.anything() if odd else evening.ordinary()
        if not isinstance(command, commands.Undo) and evening.give(command) is not None:
            states.append(shown(evening.state))
    while len(states) > 1:
        states.pop()
        assert evening.give(commands.Undo()) is not None
        assert shown(evening.state) == states[-1]
    assert evening.give(commands.Undo()) is None


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_the_same_commands_give_the_same_rulings(seed: int) -> None:
    evening = Evening(seed)
    made: list[Any] = []
    for _ in range(80):
        before = len(evening.game.commands)
        given_rulings = evening.give(evening.ordinary())
        if len(evening.game.commands) > before:
            made.append(given_rulings)
        elif given_rulings is not None:
            made.pop()
    again = Game.begin(evening.game.start)
    assert isinstance(again, Game)
    for command, wanted in zip(evening.game.commands, made, strict=True):
        answer = again.apply(command)
        assert not isinstance(answer, Refusal)
        again, accepted = answer
        assert accepted.rulings == wanted
    assert shown(again.state) == shown(evening.state)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_ends_with_a_winner_and_scores_that_add_up(seed: int) -> None:
    evening = Evening(seed, target=40)
    points = dict.fromkeys(evening.state.players, 0)
    while evening.state.phase is not Phase.GAME_OVER:
        given_rulings = evening.give(evening.ordinary())
        assert given_rulings is not None
        for ruling in given_rulings:
            if isinstance(ruling, Scored):
                points[ruling.player] += ruling.points
                assert ruling.total == points[ruling.player]
            if isinstance(ruling, GameOver):
                assert ruling.winner is not None
                assert points[ruling.winner] >= 40
        evening.before.clear()
    assert evening.state.scores == points


def damaged(random: Random, line: bytes) -> bytes:
    """The line with something cut out, doubled, swapped or overwritten."""
    start, end = sorted(random.randrange(len(line) + 1) for _ in range(2))
    match random.randrange(6):
        case 0:
            return line[:start]
        case 1:
            return line[:start] + line[end:]
        case 2:
            return line[:end] + line[start:]
        case 3:
            return line[:start] + random.randbytes(random.randrange(1, 8)) + line[start:]
        case 4:
            words = line.split(b'"')
            random.shuffle(words)
            return b'"'.join(words)
        case _:
            return line.replace(
                random.choice((b"R", b"5", b"W=", b"[", b'"', b"Ann")),
                random.choice((b"G", b"12", b"", b"]", b"null", b"Bob")),
                random.randrange(1, 3),
            )


def test_twenty_thousand_damaged_lines_are_each_answered_and_harm_nothing() -> None:
    random = Random(20_000)
    evening = Evening(5, target=10_000)
    stream = Stream()
    encode = msgspec.json.encode
    assert stream.answer(encode(evening.game.start)) is not None
    state: Any = None
    lines = 0
    while lines < 20_000:
        command = evening.ordinary()
        whole = encode(command)
        for _ in range(100):
            line = damaged(random, whole).replace(b"\n", b" ")
            answer = stream.answer(line)
            lines += 1
            if answer is None:
                assert line.startswith(b"#") or not line.strip()
                continue
            told = json.loads(answer[0])
            assert told["ok"] is answer[1]
            if not told["ok"]:
                assert told["error"]["message"].endswith(".")
                assert state in (None, told["state"])
            else:
                assert stream.answer(b'{"do": "undo"}') is not None
        answer = stream.answer(whole)
        assert answer is not None
        told = json.loads(answer[0])
        assert told["ok"], told["error"]
        state = told["state"]
        assert evening.give(command) is not None
        assert state == json.loads(shown(evening.state))
