"""Counts what a referee accepts: distinct command sequences to a depth, and distinct end states.

As in chess programs: the counts in the `.json` files beside this module were made by a slow
enumeration that shares nothing with the engine (`<game>_by_hand.py`, or `one_pile_by_hand.py` for
Classic and Battle), and the engine must come to the same. A game joins in with an entry in
`PEOPLE`: who says what may be tried in a state, of which the referee then accepts what is legal.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import msgspec

from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Code, Refusal
from tests.perft import rummy_up_people, uno_people

HERE = Path(__file__).parent
Shown: TypeAlias = Mapping[str, Any]
"""A command, or a state as the referee's stream shows it."""


class People(Protocol):
    """Those at the table: frozen, with what they hold and what they might try."""

    def tries(self, state: Shown) -> Iterator[dict[str, Any]]:
        """Every command that could be legal in the state, each once, and some that are not."""
        ...

    def tries_then(self, refused: Shown, code: Code) -> Iterator[dict[str, Any]]:
        """What they try instead of a command that was refused because it lacks something."""
        ...

    def after(self, command: Shown, before: Shown, after: Shown) -> "People":
        """The people after an accepted command."""
        ...


@dataclass(frozen=True)
class Case:
    game: str
    name: str
    about: str
    table: Mapping[str, Any]
    """What the game's people and its enumeration need: who holds what, what is drawn next."""
    counts: tuple[tuple[int, int], ...]
    """For depth 1, 2, ...: sequences and distinct end states."""


PEOPLE: Mapping[str, Callable[[Shown], tuple[list[dict[str, Any]], People]]] = {
    "rummy_up": rummy_up_people.seat,
    **{game: partial(uno_people.seat, game) for game in ("classic", "battle", "tippo")},
}
"""For each game: the commands that set the table of a case, and the people who sit there."""


def cases() -> list[Case]:
    return [
        Case(
            file.stem,
            case["name"],
            case["about"],
            case["table"],
            tuple((sequences, ends) for sequences, ends in case["counts"]),
        )
        for file in sorted(HERE.glob("*.json"))
        for case in json.loads(file.read_text(encoding="utf-8"))
    ]


def counts(case: Case) -> list[tuple[int, int]]:
    """For each depth of the case: sequences of so many accepted commands, and their end states."""
    setting, people = PEOPLE[case.game](case.table)
    game = Game.begin(decode_command(setting[0]))  # type: ignore[arg-type]  # it is a start
    assert isinstance(game, Game)
    for command in setting[1:]:
        answer = game.apply(decode_command(command))
        assert not isinstance(answer, Refusal), answer
        game, _ = answer
    sequences = [0] * len(case.counts)
    ends: list[set[bytes]] = [set() for _ in case.counts]
    _walk(game, people, sequences, ends)
    return [(number, len(states)) for number, states in zip(sequences, ends, strict=True)]


def _walk(
    game: Game, people: People, sequences: list[int], ends: list[set[bytes]], depth: int = 0
) -> None:
    if depth == len(sequences):
        return
    before = game.state.as_json()
    tries = list(people.tries(before))
    while tries:
        command = tries.pop()
        answer = game.apply(decode_command(command))
        if isinstance(answer, Refusal):
            tries += people.tries_then(command, answer.code)
            continue
        later = answer[0]
        shown = later.state.as_json()
        sequences[depth] += 1
        ends[depth].add(msgspec.json.encode(shown))
        _walk(later, people.after(command, before, shown), sequences, ends, depth + 1)
