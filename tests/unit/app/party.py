"""A live evening for the loop's tests: simulated people, virtual time, a front that listens."""

from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app import App
from companion.clock import Clock, VirtualClock
from companion.connected import Devices
from companion.display.surroundings import Surroundings
from companion.display.wishes import AppWish
from companion.journal.journal import Board, Journal
from companion.recorded.recorder import Recorder
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.outcomes import Outcome
from companion.table.table import Table
from companion.table.taps import Mode, Said, decode_tap_fields
from companion.watching import Watching
from sim.board import SimulatedTable
from sim.party import NAMES, Plan

TICK_S = 0.25


class Listener:
    """A front that remembers what was told and says what it is given."""

    def __init__(self) -> None:
        self.heard: list[Outcome] = []
        self.shown: list[Surroundings] = []
        self.to_say: list[Said | AppWish] = []
        self.closed = False
        self.on_hearing: Callable[[Sequence[Outcome]], None] = lambda _: None

    def hear(self, outcomes: Sequence[Outcome], table: Table) -> None:  # noqa: ARG002 - a Front
        self.on_hearing(outcomes)
        self.heard += outcomes

    def show(self, table: Table, around: Surroundings) -> object:  # noqa: ARG002 - a Front
        self.shown.append(around)
        return None

    def said(self) -> Sequence[Said | AppWish]:
        said, self.to_say = self.to_say, []
        return said


class Evening:
    """Three people at a simulated scale with an app as their referee."""

    def __init__(
        self,
        path: Path,
        *,
        seed: int = 205,
        mode: Mode = Mode.FULL,
        recording: Path | None = None,
        clock: Clock | None = None,
        news: str = "",
    ) -> None:
        self.clock: Clock = clock or VirtualClock()
        self.plan = Plan(seed=seed, players=NAMES[:3], sps=10, mode=mode.value, rounds=1)
        self.people = SimulatedTable(self.plan, self.clock)
        self.people.scale.open()
        self.front = Listener()
        self.journal = Journal.open(path)
        calibration = self.people.calibration
        self.app = App(
            self.clock,
            Watching(Table(mode), Judge(Calibration.from_toml(calibration))),
            Devices(
                scale=self.people.scale,
                company=self.people,
                board=Board("test", simulated=True),
            ),
            self.front,
            journal=self.journal,
            recorder=None if recording is None else Recorder(recording, calibration),
            tick_s=TICK_S,
            news=news,
        )

    def begin(self) -> None:
        """The game and its first deal are told."""
        self.app.tell([decode_tap_fields(fields) for fields in self.people.opening])

    def run(self, until_s: float) -> None:
        """Turns the loop until then."""
        while self.clock.mono() < until_s:
            self.app.step(self.clock.mono())
            self.clock.sleep(TICK_S)
