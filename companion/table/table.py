"""The table: sensed events, taps and the passing of time in, rulings and what is awaited out.

It is deterministic and takes the time as an argument: it never reads a clock, and the same inputs
always give the same table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.events import FaultKind, Sensed, Sensor
from companion.games.commands import Command, Start
from companion.games.game import Game
from companion.games.referee import State
from companion.games.rulings import Penalty, Ruling
from companion.games.rulings import Spill as SpillRuling
from companion.table.acts import CardDown, Spilled, Told
from companion.table.awaited import Awaited
from companion.table.drawing import owe
from companion.table.hearing import hear, take_counts
from companion.table.inputs import Counted, Heard, Input, Passed, time_of
from companion.table.obeying import obey
from companion.table.outcomes import Outcome, Question
from companion.table.situation import Situation
from companion.table.taps import Mode, Tap
from companion.table.timeline import Entry
from companion.table.trays import Stray
from companion.table.waiting import pass_time, what_is_awaited
from companion.units import MonoSeconds, Tray


@dataclass(frozen=True, slots=True)
class Deed:
    """An accepted act, as the table tells it: what was done, when, and what came of it."""

    number: int
    at_s: MonoSeconds
    command: Command
    rulings: tuple[Ruling, ...]
    named: bool
    """False for a card that waits for its name."""


@dataclass(frozen=True, slots=True)
class SpillVerdict:
    """The last spill: who pays and why."""

    number: int
    at_s: MonoSeconds
    payer: str | None
    count: int
    trays: tuple[Tray, ...]
    lost: Mapping[Tray, int]
    rulings: tuple[Ruling, ...]
    last_act: Deed | None
    """What the payer did last before the first card fell."""
    reasons: tuple[str, ...]
    """What the scale saw."""


class Table:
    """One table, from game to game."""

    def __init__(self, mode: Mode = Mode.FULL) -> None:
        self._situation = Situation(mode)

    # --- what moves it ----------------------------------------------------------------------

    def sensed(self, event: Sensed) -> list[Outcome]:
        """Something happened on the scale."""
        return self.feed(Heard(event))

    def tap(self, tap: Tap) -> list[Outcome]:
        """Somebody told the companion something."""
        return self.feed(tap)

    def step(self, now: MonoSeconds, still_s: float = 0.0) -> list[Outcome]:
        """Time has passed; both cells have rested within 0.3 g for `still_s` seconds."""
        return self.feed(Passed(now, still_s))

    def counted(self, now: MonoSeconds, left: int, right: int) -> list[Outcome]:
        """The judge counts so many cards at rest; said where no event says it."""
        return self.feed(Counted(now, left, right))

    def feed(self, given: Input) -> list[Outcome]:
        """Any of the above. A `Passed` without an outcome leaves the table as it was."""
        self._situation.now = max(self._situation.now, time_of(given))
        outcomes = self._take(given)
        owe(self._situation, outcomes)
        return outcomes

    def _take(self, given: Input) -> list[Outcome]:
        match given:
            case Heard():
                return hear(self._situation, given.event)
            case Tap():
                return obey(self._situation, given)
            case Passed():
                return pass_time(self._situation, given.still_s)
            case Counted():
                return take_counts(self._situation, given.left, given.right)

    # --- what it shows ----------------------------------------------------------------------

    @property
    def now(self) -> MonoSeconds:
        """The time of the newest input."""
        return self._situation.now

    @property
    def mode(self) -> Mode:
        return self._situation.mode

    @property
    def start(self) -> Start | None:
        """How the running game was begun: players, dealer, house rules."""
        return self._situation.start

    @property
    def prelude(self) -> tuple[Input, ...]:
        """Inputs that bring a new table to where this one stood when the game began."""
        return self._situation.prelude

    @property
    def game(self) -> Game | None:
        return None if self._situation.live is None else self._situation.live.timeline.game

    @property
    def state(self) -> State | None:
        """The referee's state; a card without a name counts as `?` in it."""
        return self._situation.state

    @property
    def has_scale(self) -> bool:
        """True while the game is played on the scale."""
        return self._situation.has_scale

    @property
    def in_play(self) -> bool:
        """True while cards come down on the scale and can spill."""
        return self._situation.has_scale and self._situation.in_play

    @property
    def awaited(self) -> tuple[Awaited, ...]:
        """Everything that the table waits for, most pressing first; never empty."""
        return what_is_awaited(self._situation)

    @property
    def faults(self) -> Mapping[Sensor, FaultKind]:
        """Sensors that cannot be trusted now."""
        return dict(self._situation.faults)

    @property
    def paused(self) -> bool:
        """True while the table rests."""
        return self._situation.paused

    @property
    def tipping(self) -> bool:
        """True from a tip to its wobble or spill."""
        return self._situation.tipping

    @property
    def counts(self) -> Mapping[Tray, int]:
        """Cards that the scale counts in each tray."""
        return dict(self._situation.trays.counts)

    @property
    def strays(self) -> Sequence[Stray]:
        """Cards in the trays that are no part of the game."""
        return tuple(self._situation.trays.strays)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions, newest last."""
        return self._situation.questions.open

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """Everything accepted since the game began, in the order in which it counts."""
        return tuple(_deed(entry) for entry in self.entries)

    @property
    def entries(self) -> Sequence[Entry]:
        """The same with the game as it stood after each."""
        live = self._situation.live
        return () if live is None else live.timeline.entries

    @property
    def last_spill(self) -> SpillVerdict | None:
        """The newest spill of the game, with its evidence."""
        for position in range(len(self.entries) - 1, -1, -1):
            if isinstance(self.entries[position].act, Spilled):
                return _verdict(self.entries, position)
        return None

    @property
    def spills(self) -> tuple[SpillVerdict, ...]:
        """All spills of the game, oldest first."""
        entries = self.entries
        return tuple(
            _verdict(entries, position)
            for position, entry in enumerate(entries)
            if isinstance(entry.act, Spilled)
        )


def _deed(entry: Entry) -> Deed:
    return Deed(entry.number, entry.act.at_s, entry.command, entry.rulings, not entry.withheld)


def _verdict(entries: Sequence[Entry], position: int) -> SpillVerdict:
    entry = entries[position]
    spill = entry.act
    assert isinstance(spill, Spilled)
    payer = next((r.by for r in entry.rulings if isinstance(r, SpillRuling)), None)
    count = sum(r.count for r in entry.rulings if isinstance(r, Penalty) and r.reason == "spill")
    last = next(
        (
            _deed(before)
            for before in reversed(entries[:position])
            if isinstance(before.act, CardDown | Told)
            and before.act.at_s <= spill.at_s
            and before.game.state.last_actor == payer
        ),
        None,
    )
    return SpillVerdict(
        entry.number,
        spill.at_s,
        payer,
        count,
        spill.trays,
        dict(spill.lost),
        entry.rulings,
        last,
        spill.reasons,
    )
