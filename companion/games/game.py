"""A game as a value: its state, and every state before it, so that undo is going back.

It knows no rules; it hands every command but `start` and `undo` on to the game's referee.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Optional

import msgspec

from companion.errors import BadInput
from companion.games.commands import Command, Start, Undo
from companion.games.referee import Accepted, Code, Referee, Refusal, refusal
from companion.games.registry import referee
from companion.games.rulings import Turn


class Past(msgspec.Struct, frozen=True, eq=False):
    """The state before a command, and what was before that; later games share it.

    The collector watches it, for only then is a chain of any length taken apart without recursion.
    """

    state: Any
    command: Command
    before: Optional["Past"]


class Game(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A running game; `apply` gives the next one and leaves this one as it is."""

    rules: Referee[Any]
    start: Start
    state: Any
    past: Past | None = None

    @classmethod
    def begin(cls, command: Start) -> "Game | Refusal":
        """The game of a `start`, in its first `setup`; `force` is the asker's affair."""
        try:
            rules = referee(command.game)
        except BadInput as error:
            return refusal(Code.BAD_INPUT, str(error))
        begun = rules.start(command)
        return begun if isinstance(begun, Refusal) else cls(rules, command, begun.state)

    def apply(self, command: Command) -> "tuple[Game, Accepted[Any]] | Refusal":
        """The game after `command` with its rulings, or why the command changes nothing."""
        if isinstance(command, Undo):
            return self._undo()
        if isinstance(command, Start):
            return refusal(Code.GAME_RUNNING, "A game is running: `force` must be true to end it")
        answer = self.rules.apply(self.state, command)
        if isinstance(answer, Refusal):
            return answer
        past = Past(self.state, command, self.past)
        return Game(self.rules, self.start, answer.state, past), answer

    def _undo(self) -> "tuple[Game, Accepted[Any]] | Refusal":
        past = self.past
        if past is None:
            return refusal(Code.NOTHING_TO_UNDO, "Nothing has been done yet that could be undone")
        game = Game(self.rules, self.start, past.state, past.before)
        return game, Accepted(past.state, (Turn(player=past.state.turn),))

    @property
    def commands(self) -> tuple[Command, ...]:
        """The accepted commands that still count, in order, without the `start`."""
        return tuple(self._backwards())[::-1]

    def latest(self, most: int) -> tuple[Command, ...]:
        """The last `most` of them, oldest first."""
        return tuple(islice(self._backwards(), most))[::-1]

    def _backwards(self) -> Iterator[Command]:
        past = self.past
        while past is not None:
            yield past.command
            past = past.before
