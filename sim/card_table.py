"""A table without a scale at which some or all are simulated: Classic, Battle, Rummy Up.

They see what the companion has accepted and only tap; the table never reads a clock but the one it
is given, and never referees.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET

from companion.clock import Clock, VirtualClock
from companion.errors import BadInput
from companion.games import commands
from companion.games.cards import Card
from companion.games.commands import Command, Start
from companion.games.decode import decode_command
from companion.games.game import Game, Past
from companion.games.referee import Accepted, Phase, Refusal
from companion.units import MonoSeconds, Tray
from sim.card_people import CardPeople
from sim.party import Tap
from sim.rummy_people import RummyPeople
from sim.uno_people import BattlePeople, ClassicPeople

THINKS_S = (0.8, 3.0)
"""How long people take between two taps."""
READS_S = 10.0
"""How long they wait for a person before they deal again."""


@dataclass(frozen=True, slots=True)
class CardPlan:
    """Everything that is decided about such a table before it begins."""

    game: str
    seed: int
    players: tuple[str, ...]
    people: tuple[str, ...] | None = None
    """Who of them is simulated; None: everybody."""
    rounds: int | None = None
    """After so many rounds they get up; None: when somebody has won."""
    options: dict[str, str | int] = field(default_factory=dict)

    @property
    def simulated(self) -> tuple[str, ...]:
        return self.players if self.people is None else self.people


class CardTable:
    """The people as the application's company; time is the clock's.

    Who holds what, and what the simulated people do next, follows from the plan and from what has
    been accepted, and from nothing else. So a game goes on as it would have, whenever the
    companion was switched off, and what is taken back is as if it had not been.
    """

    def __init__(self, plan: CardPlan, clock: Clock) -> None:
        """Raises BadInput for options or a number of players that the game does not know."""
        self.plan = plan
        self._clock = clock
        self._people = _people(plan)
        begun = _begin(plan)
        self._start = begun.start
        self._game: Game | None = None
        """The game as they saw it last."""
        self._away = False
        """Persons play another game, at which these people do not sit."""
        self._depth = 0
        """How many commands of it have been accepted."""
        self._tries = 0
        """How often they have tapped since the last that was accepted."""
        self._looking = False
        """They have seen what is shown now, and may tap once."""
        self._due_s = clock.mono()
        self._shown_hand: tuple[Tap, ...] = ()

    @property
    def opening(self) -> tuple[Tap, ...]:
        return ({"t": 0.0, **msgspec.to_builtins(self._start)},)

    @property
    def finished(self) -> bool:
        """The people have got up."""
        if self._game is None:
            return False
        state, rounds = self._game.state, self.plan.rounds
        return state.phase is Phase.GAME_OVER or (rounds is not None and state.round > rounds)

    @property
    def simulated(self) -> Sequence[str]:
        return () if self._away else self.plan.simulated

    def look(self, game: Game) -> None:
        """They see the game that is shown, and move their cards as it says."""
        self._looking = True
        self._away = not self._is_theirs(game)
        if self._away:
            self._game = None
            return
        if self._game is not None and game.past is self._game.past:
            return
        known = None if self._game is None else self._game.past
        news = _since(game, known)
        if news is None:
            news = _since(game, None) or []
            self._depth = 0
        for past in news:
            self._follow(game, past)
        self._game, self._tries = game, 0
        self._due_s = MonoSeconds(self._clock.mono() + self._thinks_s(game.state))

    def taps(self) -> Sequence[Tap]:
        """What somebody taps now, if it is time: at most one after each look, so that nobody taps
        while nothing is shown: in a pause, or when the journal cannot be written."""
        shown, self._shown_hand = self._shown_hand, ()
        now, looking, self._looking = self._clock.mono(), self._looking, False
        if self._game is None or not looking or self.finished or now < self._due_s:
            return shown
        self._people.random = self._dice(f"does {self._tries}")
        command = self._people.next_command(self._game.state)
        if command is None:
            # It is for a person to act; nobody thinks better of it until they have.
            self._due_s = MonoSeconds(inf)
            return shown
        self._tries += 1
        self._due_s = MonoSeconds(now + THINKS_S[1])
        return (*shown, {"t": now, **msgspec.to_builtins(command)})

    # --- a person among them --------------------------------------------------------------------

    def hand_of(self, player: str) -> Sequence[Card]:
        """What a person who is not simulated holds."""
        if self._game is None or player in self.plan.simulated:
            return ()
        return tuple(self._people.hands.get(player, ()))

    def show_hand(self, to: str) -> None:
        """A person has challenged a Wild Draw Four: whoever laid it shows their hand."""
        guilty = None if self._game is None else self._people.guilt(self._game.state)
        if guilty is not None:
            challenge = commands.Challenge(guilty=guilty, by=to)
            self._shown_hand = ({"t": self._clock.mono(), **msgspec.to_builtins(challenge)},)

    # --- what only a scale would need -----------------------------------------------------------

    def holding(self) -> dict[str, Any] | None:
        """Who holds what follows from the plan and the game."""
        return None

    def take_up(self, game: Game, holding: dict[str, Any]) -> None:
        """They look at the game, and know what they hold."""

    def put(self, tray: Tray, *, card: Card | None = None, by: str | None = None) -> None:
        """There is no tray."""

    def take(self, tray: Tray) -> None:
        """There is no tray."""

    def set_upright(self) -> None:
        """There is no scale."""

    def _thinks_s(self, state: Any) -> float:
        """How long nothing happens now; a person is given time to read the scores."""
        if (
            state.phase is Phase.SETUP
            and state.round > 1
            and self.plan.simulated != self.plan.players
        ):
            return READS_S
        return self._dice("thinks").uniform(*THINKS_S)

    # --- following ------------------------------------------------------------------------------

    def _is_theirs(self, game: Game) -> bool:
        """Persons may begin another game, at which the simulated people do not sit."""
        there = set(game.start.players)
        return game.rules.game == self.plan.game and there.issuperset(self.plan.simulated)

    def _follow(self, game: Game, past: Past) -> None:
        answer = game.rules.apply(past.state, past.command)
        assert not isinstance(answer, Refusal), answer
        self._people.random = self._dice("cards")
        self._depth += 1
        self._people.saw(past.command, past.state, answer)

    def _dice(self, what: str) -> Random:
        """Chance that depends on the plan and on how far the game has come."""
        return Random(f"{self.plan.seed}/{self.plan.game}/{self._depth}/{what}")  # noqa: S311 - a simulation


def evening(plan: CardPlan) -> Iterator[tuple[Command, Accepted[Any]]]:
    """An evening among themselves, refereed at once: each command, and what came of it.

    Raises:
        BadInput: as `CardTable`.
    """
    clock = VirtualClock()
    table, game = CardTable(plan, clock), _begin(plan)
    table.look(game)
    while not table.finished:
        clock.sleep(THINKS_S[1])
        for tap in table.taps():
            command = decode_command({key: value for key, value in tap.items() if key != "t"})
            answer = game.apply(command)
            assert not isinstance(answer, Refusal), (tap, answer)
            game, accepted = answer
            yield command, accepted
        table.look(game)


def _since(game: Game, known: Past | None) -> list[Past] | None:
    """What has been accepted after `known`, in order; None if that was taken back."""
    news: list[Past] = []
    past = game.past
    while past is not known:
        if past is None:
            return None
        news.append(past)
        past = past.before
    return news[::-1]


def _people(plan: CardPlan) -> CardPeople:
    random = Random(plan.seed)  # noqa: S311 - a simulation
    match plan.game:
        case "classic":
            return ClassicPeople(random, plan.simulated)
        case "battle":
            return BattlePeople(random, plan.simulated)
        case _:
            return RummyPeople(random, plan.simulated)


def _begin(plan: CardPlan) -> Game:
    options = dict(plan.options) if plan.options else UNSET
    game = Game.begin(Start(game=plan.game, players=plan.players, options=options))
    if isinstance(game, Refusal):
        raise BadInput(game.message)
    return game
