"""A whole round of simulated people, played on a board: the same table, the same hands and taps.

The simulated scale's own conversions end in the chip models on the board's pins, so that what
differs is only the way from a conversion to the companion.
"""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path
from typing import Any

import msgspec

from companion.app import App
from companion.connected import Devices
from companion.display.looking import Looking
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import AppWish
from companion.evening import tick_of
from companion.events import Reading, Sample, Sensor
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.journal.history import History
from companion.journal.journal import Board, Journal
from companion.ports import Scale
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.outcomes import Outcome
from companion.table.table import Table
from companion.table.taps import Mode, Said, decode_tap_fields
from companion.watching import Watching
from hardware.firmware import firmware_folder
from hardware.gpio.board import GpioScale
from hardware.gpio.library import PinLibrary
from hardware.pico.board import PicoScale
from hardware.wiring import BoardConfig, Wiring
from sim.board import SimulatedTable
from sim.hx711 import FollowingHx711
from sim.party import NAMES, Plan
from sim.pico import VirtualPico
from sim.pin_factory import VirtualFactory
from sim.pins import PinBank, VirtualTime, installed

LINK = "usb-MicroPython_Board_in_FS_mode_e6614104031f2b37-if00"

FEED_S = {80: 0.004, 10: 0.010}
"""How finely the table's conversions are handed to the chips, by their rate."""


STANDINGS = ("reset", "turn", "tray")
"""Rulings that only repeat where things stand."""

CALLS = ("uno", "uno_safe")
"""A call counts alike before its card and after it; who was not safe pays, and that is compared."""


@dataclass
class PlayedRound:
    """What the journal says of it."""

    rulings: list[dict[str, Any]]
    scores: dict[str, int]
    faults: list[Reading]
    truth: list[dict[str, Any]]
    """The rulings of a referee that was told what really happened."""
    alerts: "list[Alert]"
    """When the display said that cells were lost, and when that they were back."""
    ended_s: float

    @property
    def wrong(self) -> int:
        """Decisions that a referee who knew all would not have made, and those that are missing.

        Which trays spilled is an estimate when it is said, and does not count.
        """
        ruled, true = ([_told(ruling) for ruling in each] for each in (self.decisions, self.truth))
        return sum(line[0] in "-+" for line in ndiff(true, ruled))

    @property
    def decisions(self) -> list[dict[str, Any]]:
        """What was decided: where things stand is told anew when a card gets its name later, and
        how much later is a matter of milliseconds; so is whether a call came before its card."""
        return _decisions(self.rulings)


def _told(ruling: dict[str, Any]) -> str:
    left_out = {"trays"} if ruling["ruling"] == "spill" else set()
    fields = {key: value for key, value in ruling.items() if value is not None}
    return json.dumps({key: fields[key] for key in fields.keys() - left_out}, sort_keys=True)


def true_rulings(table: SimulatedTable) -> list[dict[str, Any]]:
    """What is ruled on the acts as they really were."""
    game = Game.begin(table.party.start)
    assert isinstance(game, Game)
    rulings: list[dict[str, Any]] = []
    for line in table.party.truth():
        if line["truth"] == "act":
            fields = {key: value for key, value in line.items() if key not in ("t", "truth")}
            outcome = game.apply(decode_command(fields))
            assert not isinstance(outcome, Refusal), (line, outcome)
            game, accepted = outcome
            rulings += msgspec.to_builtins(accepted.rulings)
    return _decisions(rulings)


def _decisions(rulings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [ruling for ruling in rulings if ruling["ruling"] not in STANDINGS + CALLS]


class Watched:
    """A scale whose faults are kept as they pass by."""

    def __init__(self, scale: Scale) -> None:
        self._scale = scale
        self.faults: list[Reading] = []

    @property
    def description(self) -> str:
        return self._scale.description

    @property
    def simulated(self) -> bool:
        return self._scale.simulated

    def open(self) -> None:
        self._scale.open()

    def close(self) -> None:
        self._scale.close()

    def poll(self) -> Sequence[Reading]:
        readings = self._scale.poll()
        self.faults += [r for r in readings if not isinstance(r, Sample)]
        return readings


@dataclass
class Wired:
    """A board with the table's chips on it."""

    scale: Scale
    left: FollowingHx711
    right: FollowingHx711
    pico: VirtualPico | None = None


def feed(
    time: VirtualTime,
    table: SimulatedTable,
    chips: tuple[FollowingHx711, FollowingHx711],
    tip: Callable[[bool], None],
) -> None:
    """Hands everything that the table's own chips convert to the models, as time passes."""

    def step() -> float:
        for row in table.scale.poll():
            if not isinstance(row, Sample):
                continue
            if row.tilt is not None:
                tip(row.tilt)
            for chip, counts in zip(chips, (row.left, row.right), strict=True):
                if counts is not None:
                    chip.convert(counts, time.mono())
        return FEED_S[table.party.plan.sps]

    table.scale.open()
    time.tasks().start("table", step)


def chips_of(table: SimulatedTable, time: VirtualTime) -> tuple[FollowingHx711, FollowingHx711]:
    rate_hz = float(table.party.plan.sps) * 1.05
    now_s = time.mono()
    return (
        FollowingHx711(rate_hz=rate_hz, powered_at_s=now_s),
        FollowingHx711(rate_hz=rate_hz, powered_at_s=now_s),
    )


@contextmanager
def on_pins(time: VirtualTime, table: SimulatedTable) -> Iterator[Wired]:
    bank = PinBank(time)
    wiring = Wiring(draw_button=None, uno_button=None, left_lamp=None, right_lamp=None, buzzer=None)
    config = BoardConfig(wiring=wiring)
    chips = chips_of(table, time)
    for chip, pins in zip(chips, wiring.cells().values(), strict=True):
        bank.connect(chip, dout=pins.dout, sck=pins.sck)
    feed(time, table, chips, lambda tilted: bank.drive(wiring.tilt or 17, not tilted))
    bank.drive(wiring.tilt or 17, True)
    library = PinLibrary("virtual pins", "1", lambda: VirtualFactory(bank), simulated=True)
    with installed(bank):
        scale = GpioScale(config, library=library, clock=time, tasks=time.tasks())
        scale.open()
        yield Wired(scale, *chips)


@contextmanager
def plugged_in(
    time: VirtualTime,
    table: SimulatedTable,
    chips: tuple[FollowingHx711, FollowingHx711],
    folder: Path,
) -> Iterator[VirtualPico]:
    """A Pico with the table's chips on it; its port's link is in the folder."""
    closed = [False]
    feed(time, table, chips, lambda tilted: closed.__setitem__(0, tilted))
    pico = VirtualPico(
        dict(zip(("left", "right"), chips, strict=True)),
        firmware=firmware_folder(),
        link=folder / LINK,
        time=time,
        contact=lambda: closed[0],
        step_s=FEED_S[table.party.plan.sps],
    )
    try:
        yield pico
    finally:
        pico.unplug()


@contextmanager
def on_a_pico(time: VirtualTime, table: SimulatedTable) -> Iterator[Wired]:
    chips = chips_of(table, time)
    with (
        tempfile.TemporaryDirectory(prefix="tippo-by-id-") as folder,
        plugged_in(time, table, chips, Path(folder)) as pico,
    ):
        scale = PicoScale(BoardConfig(), clock=time, tasks=time.tasks(), by_id=Path(folder))
        scale.open()
        yield Wired(scale, *chips, pico)


@contextmanager
def on_the_simulator(time: VirtualTime, table: SimulatedTable) -> Iterator[Wired]:
    """The scale as the simulator itself delivers it; the chips are there but not read."""
    table.scale.open()
    yield Wired(table.scale, *chips_of(table, time))


BOARDS = {"sim": on_the_simulator, "pins": on_pins, "pty": on_a_pico}


@dataclass(frozen=True)
class Alert:
    """The cells that the display has called lost since `at_s`; none: all is well again."""

    at_s: float
    lost: frozenset[Sensor]


HOLD_STILL_S = 0.5
LONGEST_S = 1800.0
"""Three times what a long round takes."""


class Onlooker:
    """Stands for display and people: notes what the display says of lost cells, and holds the
    people's hands still meanwhile, as people do who are asked to look at a plug."""

    def __init__(self, table: SimulatedTable, time: VirtualTime) -> None:
        self.alerts: list[Alert] = [Alert(0.0, frozenset())]
        self._people = table.party.people
        self._table = table
        self._time = time

    @property
    def closed(self) -> bool:
        """A sensor that never comes back would keep people waiting for ever."""
        return self._time.mono() > LONGEST_S

    def hear(self, outcomes: Sequence[Outcome], table: Table) -> None:
        """What the table answers is read in the journal."""

    def show(self, table: Table, around: Surroundings) -> None:
        lost = frozenset(table.faults)
        if lost != self.alerts[-1].lost:
            alert = view(table, Looking(), around).alert
            assert bool(lost) == bool(alert), alert
            self.alerts.append(Alert(self._time.mono(), lost))
        if lost:
            still_s = self._table.party.now_s + HOLD_STILL_S
            self._people.wake_s = max(self._people.wake_s, still_s)

    def said(self) -> Sequence[Said | AppWish]:
        return ()


def play_round(
    board: str,
    journal: Path,
    *,
    seed: int,
    sps: int = 80,
    trouble: Callable[[VirtualTime, Wired, SimulatedTable], None] | None = None,
) -> PlayedRound:
    """One round of four people; ``trouble`` may start steps that make some."""
    time = VirtualTime()
    table = SimulatedTable(Plan(seed=seed, players=NAMES[:4], sps=sps, rounds=1), time)
    onlooker = Onlooker(table, time)
    with BOARDS[board](time, table) as wired, Journal.open(journal) as open_journal:
        watched = Watched(wired.scale)
        if trouble is not None:
            trouble(time, wired, table)
        app = App(
            time,
            Watching(Table(Mode.FULL), Judge(Calibration.from_toml(table.calibration))),
            Devices(scale=watched, company=table, board=Board(board, simulated=True)),
            onlooker,
            journal=open_journal,
            tick_s=tick_of(time),
            leaves_with_company=True,
        )
        app.tell(tuple(decode_tap_fields(fields) for fields in table.opening))
        app.run()
        app.close()
    with History(journal) as history:
        game = history.game(1)
    return PlayedRound(
        [ruling for act in game.acts for ruling in act.rulings],
        dict(game.game.scores),
        watched.faults,
        true_rulings(table),
        onlooker.alerts,
        time.mono(),
    )
