"""A table of people around a simulated scale, moved through time together.

It never waits and never reads a clock: `advance` says how far, the lists say what came of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET

from companion.events import Sample
from companion.games.cards import UNKNOWN, Card
from companion.games.commands import Deal, Start
from companion.games.game import Game
from companion.games.tippo.state import TippoState
from companion.units import MonoSeconds, Tray
from sim import faults, interrupted, tidying
from sim.faults.incidents import Incident
from sim.habits import Habits
from sim.hands import Placing
from sim.interrupted import Interrupted
from sim.people import People
from sim.setup import Setup
from sim.witness import Line, Witness
from sim.world import World

Tap: TypeAlias = dict[str, Any]
"""A line of `taps.jsonl`."""

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon")


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is decided about a table before it begins."""

    seed: int
    players: tuple[str, ...] = NAMES[:4]
    people: tuple[str, ...] | None = None
    """Who of them is simulated; None: everybody."""
    sps: int = 80
    mode: str = "full"
    rounds: int | None = None
    """After so many rounds they get up; None: when somebody has won."""
    options: dict[str, str | int] = field(default_factory=dict)
    deck: bool = False
    """The draw pile lies on a cell of its own."""
    faults: tuple[str, ...] = ()
    """Names of `sim.faults` that are at work; they may be mixed."""

    @property
    def simulated(self) -> tuple[str, ...]:
        return self.players if self.people is None else self.people

    @property
    def with_persons(self) -> bool:
        """Somebody at the table is not simulated."""
        return self.simulated != self.players


class Party:
    """The people and their scale; the same plan gives the same readings, taps and truth."""

    def __init__(self, plan: Plan, taken_up: Interrupted | None = None) -> None:
        """With `taken_up` they sit down at a game that was broken off, instead of a new one."""
        self.plan = plan
        adversities = [faults.named(name) for name in plan.faults]
        setup = Setup.from_seed(plan.seed, plan.sps, deck=plan.deck)
        for adversity in adversities:
            if adversity.change is not None:
                setup = adversity.change(setup, self._stream(f"{adversity.name}/setup"))
        self.world = World(plan.seed, setup)
        self.witness = Witness()
        self.witness.note(
            0.0, "table", seed=plan.seed, sps=plan.sps, players=plan.players, faults=plan.faults
        )
        self.habits = Habits(self._stream("habits"))
        self.incidents: list[Incident] = []
        table = faults.Table(self.world, self.witness, self.habits, self.incidents)
        for adversity in adversities:
            if adversity.install is not None:
                adversity.install(table, self._stream(adversity.name))
        self.people = People(
            self.world,
            self.witness,
            start=Start(
                game="tippo",
                players=plan.players,
                options=dict(plan.options) if plan.options else UNSET,
            ),
            simulated=plan.simulated,
            mode=plan.mode,
            rounds=plan.rounds,
            habits=self.habits,
            rng=self._stream("people"),
        )
        self._person_rng = self._stream("person")
        if taken_up is None:
            tidying.sit_down(self.people)
        else:
            taken_up.sit_down_again(self.people)
        script = tidying.evening if plan.simulated else tidying.deals_of_persons
        self.people.begin(script(self.people))

    def _stream(self, name: str) -> Random:
        return Random(f"{self.plan.seed}/{name}")  # noqa: S311 - a simulation, nothing secret

    @property
    def now_s(self) -> float:
        return self.world.now_s

    @property
    def finished(self) -> bool:
        """The people have got up."""
        return self.people.finished

    @property
    def simulated(self) -> Sequence[str]:
        """Who of those at the table is simulated; nobody at a game at which they do not sit."""
        return () if self.people.away else self.plan.simulated

    @property
    def start(self) -> Start:
        return self.people.start

    @property
    def deal(self) -> Deal:
        """The first deal: the cards that lie in the trays at the beginning."""
        return self.people.first_deal

    @property
    def opening(self) -> tuple[Tap, ...]:
        """`start` and the first `deal` as taps at time 0; empty if nobody is simulated."""
        if not self.plan.simulated:
            return ()
        return tuple({"t": 0.0, **_object(command)} for command in (self.start, self.deal))

    @property
    def fallen(self) -> int:
        """Cards that lie on the table since the last spill."""
        return sum(self.people.fallen.values())

    def look(self, game: Game) -> None:
        """The people see what the display shows; it matters where they do not sit alone.

        Persons may begin another game, at which the simulated people do not sit: they rest then.
        """
        state, there = game.state, set(game.start.players)
        sit = there.issuperset(self.plan.simulated)
        self.people.away = not (sit and isinstance(state, TippoState))
        if sit and isinstance(state, TippoState):
            self.people.look(state)

    def advance(self, until_s: float) -> None:
        """Everybody and everything moves on to `until_s`."""
        world, people = self.world, self.people
        while world.now_s < until_s:
            due = min((incident.due_s for incident in self.incidents), default=until_s)
            wake_s = inf if people.away else max(world.now_s, people.wake_s)
            world.tick(min(until_s, wake_s, due))
            alarmed = False
            for happening in world.happenings():
                self.witness.saw(happening, people.who_pays)
                alarmed |= people.notice(happening)
                for incident in self.incidents:
                    incident.saw(happening)
            for incident in self.incidents:
                if world.now_s >= incident.due_s:
                    incident.act()
            if not people.away and (alarmed or world.now_s >= people.wake_s):
                people.go_on()

    def taps(self) -> list[Tap]:
        """What has been tapped since the last call."""
        return self.people.collect_taps()

    def truth(self) -> list[Line]:
        """What really happened so far, by its true times (see `sim.witness`)."""
        return sorted(self.witness.lines, key=lambda line: float(line["t"]))

    def readings(self, offset_s: float = 0.0) -> Sequence[Sample]:
        """What has reached the host since the last call, with `offset_s` added to its times."""
        rows = self.world.readings()
        if not offset_s:
            return rows
        return [
            msgspec.structs.replace(row, mono_s=MonoSeconds(row.mono_s + offset_s)) for row in rows
        ]

    def holding(self) -> dict[str, Any]:
        """Who holds which cards, and what lies where: `sim.interrupted` reads it back."""
        return interrupted.holding(self.people)

    # --- a person at the display ---------------------------------------------------------------

    def hand_of(self, player: str) -> Sequence[Card]:
        """What a person who is not simulated was dealt; nothing if nobody simulated deals."""
        if not self.simulated or player in self.plan.simulated:
            return ()
        return tuple(self.people.hands.get(player, ()))

    def put_by_person(
        self, tray: Tray, count: int, card: Card | None = None, by: str | None = None
    ) -> None:
        """A person who is not simulated puts cards in a tray: one of the hand that they were dealt
        (`card`, `by`), or cards that only that one knows."""
        cards: list[Card] = [UNKNOWN] * count
        hand = self.people.hands.get(by, []) if by is not None else []
        if by is not None and card is not None and card in hand:
            cards = [card]
            hand.remove(card)
            self.people.laid.put(by, tray, card)
        self.people.saw_put(tray, cards)
        names = tuple(str(card) for card in cards)
        self.witness.intend(tray, names, None, "play")
        self.world.put(tray, names, Placing.ordinary(self._person_rng), at_s=self.now_s)

    def take_by_person(self, tray: Tray, count: int) -> None:
        """A person takes the top cards out of a tray."""
        taken = self.world.take(tray, count, at_s=self.now_s)
        self.people.saw_taken(tray, len(taken))
        self.witness.intend(tray, taken, None, "back")


def _object(command: Start | Deal) -> Tap:
    fields: Tap = msgspec.to_builtins(command)
    return fields
