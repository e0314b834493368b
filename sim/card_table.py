"""A table at which simulated people play without a scale: Classic, Battle, Rummy Up.

They sit among themselves, follow the true game and only tap; no person plays with them, and it
never reads a clock but the one it is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from companion.clock import Clock
from companion.errors import BadInput
from companion.games.cards import Card
from companion.games.commands import Command, Start
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.rulings import Ruling
from companion.units import MonoSeconds, Tray
from sim.party import Tap
from sim.rummy_people import RummyPeople
from sim.uno_people import BattlePeople, ClassicPeople

THINKS_S = (0.8, 3.0)
"""How long people take between two taps."""


class Players(Protocol):
    """Everybody at the table, with what they hold."""

    def next_command(self, state: Any) -> Command | None: ...

    def saw(self, command: Command, before: Any, made: Sequence[Ruling], /) -> None: ...


@dataclass(frozen=True, slots=True)
class CardPlan:
    """Everything that is decided about such a table before it begins."""

    game: str
    seed: int
    players: tuple[str, ...]
    rounds: int | None = None
    """After so many rounds they get up; None: when somebody has won."""
    options: dict[str, str | int] = field(default_factory=dict)


class CardTable:
    """The people as the application's company; time is the clock's."""

    def __init__(self, plan: CardPlan, clock: Clock) -> None:
        """Raises BadInput for options or a number of players that the game does not know."""
        self.plan = plan
        self._clock = clock
        self._random = Random(f"{plan.seed}/{plan.game}")  # noqa: S311 - a simulation
        self._people = _people(plan, self._random)
        self._game = _begin(plan)
        self._due_s = clock.mono()

    @property
    def opening(self) -> tuple[Tap, ...]:
        return ({"t": 0.0, **msgspec.to_builtins(self._game.start)},)

    @property
    def finished(self) -> bool:
        """The people have got up."""
        state, rounds = self._game.state, self.plan.rounds
        return state.phase is Phase.GAME_OVER or (rounds is not None and state.round > rounds)

    def taps(self) -> Sequence[Tap]:
        """What somebody taps now, if it is time: at most one a call."""
        now = self._clock.mono()
        if now < self._due_s or self.finished:
            return ()
        before = self._game.state
        command = self._people.next_command(before)
        assert command is not None
        answer = self._game.apply(command)
        assert not isinstance(answer, Refusal), answer
        self._game, accepted = answer
        self._people.saw(command, before, accepted.rulings)
        self._due_s = MonoSeconds(now + self._random.uniform(*THINKS_S))
        return ({"t": now, **msgspec.to_builtins(command)},)

    # --- what only a scale or a person would need ---------------------------------------------

    def look(self, state: Any) -> None:
        """They follow the true game, whatever is shown."""

    def hand_of(self, _player: str, /) -> Sequence[Card]:
        """Nobody but the simulated people is dealt cards."""
        return ()

    def put(self, tray: Tray, *, card: Card | None = None, by: str | None = None) -> None:
        """There is no tray."""

    def take(self, tray: Tray) -> None:
        """There is no tray."""

    def set_upright(self) -> None:
        """There is no scale."""


def _people(plan: CardPlan, random: Random) -> Players:
    match plan.game:
        case "classic":
            return ClassicPeople(random)
        case "battle":
            return BattlePeople(random)
        case _:
            return RummyPeople(random, plan.players)


def _begin(plan: CardPlan) -> Game:
    options = dict(plan.options) if plan.options else UNSET
    game = Game.begin(Start(game=plan.game, players=plan.players, options=options))
    if isinstance(game, Refusal):
        raise BadInput(game.message)
    return game
