"""A whole round of simulated people, played on a board: the same table, the same hands and taps.

The simulated scale's own conversions end in the chip models on the board's pins, so that what
differs is only the way from a conversion to the companion.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from companion.app import Devices
from companion.evening import Evening, spend
from companion.events import Reading, Sample
from companion.journal.history import History
from companion.journal.journal import Board, Journal
from companion.ports import Scale
from companion.table.taps import Mode, decode_tap_fields
from hardware.firmware import firmware_folder
from hardware.gpio.board import GpioScale
from hardware.gpio.library import PinLibrary
from hardware.pico.board import PicoScale
from hardware.wiring import BoardConfig, Wiring
from sim.board import SimulatedTable
from sim.hx711 import ChipFault, FollowingHx711
from sim.party import NAMES, Plan
from sim.pico import VirtualPico
from sim.pin_factory import VirtualFactory
from sim.pins import PinBank, VirtualTime, installed

LINK = "usb-MicroPython_Board_in_FS_mode_e6614104031f2b37-if00"

FEED_S = {80: 0.004, 10: 0.010}
"""How finely the table's conversions are handed to the chips, by their rate."""


STANDINGS = ("reset", "turn", "tray")


@dataclass
class PlayedRound:
    """What the journal says of it."""

    rulings: list[dict[str, Any]]
    scores: dict[str, int]
    faults: list[Reading]

    @property
    def decisions(self) -> list[dict[str, Any]]:
        """The rulings without those that only repeat where things stand: they are told anew when
        a card gets its name later, and how much later is a matter of milliseconds."""
        return [ruling for ruling in self.rulings if ruling["ruling"] not in STANDINGS]


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
def on_a_pico(time: VirtualTime, table: SimulatedTable) -> Iterator[Wired]:
    chips = chips_of(table, time)
    closed = [False]
    feed(time, table, chips, lambda tilted: closed.__setitem__(0, tilted))
    with tempfile.TemporaryDirectory(prefix="tippo-by-id-") as folder:
        pico = VirtualPico(
            dict(zip(("left", "right"), chips, strict=True)),
            firmware=firmware_folder(),
            link=Path(folder) / LINK,
            time=time,
            contact=lambda: closed[0],
            step_s=FEED_S[table.party.plan.sps],
        )
        scale = PicoScale(BoardConfig(), clock=time, tasks=time.tasks(), by_id=Path(folder))
        scale.open()
        yield Wired(scale, *chips, pico)
        pico.unplug()


@contextmanager
def on_the_simulator(time: VirtualTime, table: SimulatedTable) -> Iterator[Wired]:
    """The scale as the simulator itself delivers it; the chips are there but not read."""
    table.scale.open()
    yield Wired(table.scale, *chips_of(table, time))


BOARDS = {"sim": on_the_simulator, "pins": on_pins, "pty": on_a_pico}


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
    with BOARDS[board](time, table) as wired:
        watched = Watched(wired.scale)
        if trouble is not None:
            trouble(time, wired, table)
        devices = Devices(scale=watched, company=table, board=Board(board, simulated=True))
        evening = Evening(
            mode=Mode.FULL,
            opening=tuple(decode_tap_fields(fields) for fields in table.opening),
            headless=True,
            calibration=table.calibration,
        )
        with Journal.open(journal) as open_journal:
            spend(evening, time, devices, open_journal, Console(quiet=True))
    with History(journal) as history:
        game = history.game(1)
    return PlayedRound(
        [ruling for act in game.acts for ruling in act.rulings],
        dict(game.game.scores),
        watched.faults,
    )


class CableThief:
    """Pulls one cable after another out and puts it back in."""

    def __init__(self, times: int, *, every_s: float, seed: int = 7) -> None:
        self.pulled = 0
        self._times = times
        self._every_s = every_s
        self._rng = Random(seed)  # noqa: S311 - a clumsy foot, nothing secret
        self._out: list[FollowingHx711] = []
        self._port_out = False

    def begin(self, time: VirtualTime, wired: Wired, _: SimulatedTable) -> None:
        self._time, self._wired = time, wired
        time.tasks().start("cable thief", self._step)

    def _step(self) -> float:
        if self._out or self._port_out:
            self._put_back()
            return self._rng.uniform(0.5, 1.5) * self._every_s
        if self.pulled >= self._times:
            return 3600.0
        self.pulled += 1
        self._pull()
        return self._rng.uniform(0.3, 2.0)

    def _pull(self) -> None:
        left, right, pico = self._wired.left, self._wired.right, self._wired.pico
        choices = [[left], [right], [left, right]] + ([[]] if pico is not None else [])
        self._out = self._rng.choice(choices)
        for chip in self._out:
            chip.set_fault(ChipFault.UNPLUGGED, self._time.mono())
        if not self._out and pico is not None:
            self._port_out = True
            pico.unplug()

    def _put_back(self) -> None:
        for chip in self._out:
            chip.set_fault(None, self._time.mono())
        if self._port_out and self._wired.pico is not None:
            self._wired.pico.plug_in()
        self._out, self._port_out = [], False
