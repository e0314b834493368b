"""Benches for the port suites: each backend with a scale on it, and a way to let time pass.

No bench knows what is tested on it.
"""

import os
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.clock import Clock, SystemClock, VirtualClock
from companion.events import Reading
from companion.ports import Scale
from companion.workbench.bench import gather
from hardware.firmware import firmware_folder
from hardware.gpio.board import GpioScale
from hardware.gpio.library import PinLibrary
from hardware.pico.board import PicoScale
from hardware.probe import open_board
from hardware.wiring import BoardConfig, CellPins, Wiring
from sim.board import SimulatedTable
from sim.hx711 import Hx711, Signal
from sim.party import Plan
from sim.pico import VirtualPico
from sim.pin_factory import VirtualFactory
from sim.pins import PinBank, VirtualTime, installed

LINK = "usb-MicroPython_Board_in_FS_mode_e6614104031f2b37-if00"


@dataclass(frozen=True)
class Bench:
    """A scale that is not open yet."""

    name: str
    scale: Scale
    time: Clock
    simulated: bool
    tip: Callable[[bool], None] | None = None
    """Closes or opens the tilt switch, where a test may."""

    def run(self, seconds: float) -> None:
        self.time.sleep(seconds)


def noisy(seed: int, level: int, rms: float = 30.0) -> Signal:
    """A cell at rest."""
    rng = random.Random(seed)
    return lambda _: level + round(rng.gauss(0.0, rms))


def chips_of(
    left: Signal | None, right: Signal | None, deck: Signal | None, rates_hz: tuple[float, float]
) -> list[Hx711]:
    """Those of both trays, and one under the draw pile where it has a signal."""
    chips = [
        Hx711(left or noisy(1, 83_211, 95.0), rate_hz=rates_hz[0]),
        Hx711(right or noisy(2, -40_122), rate_hz=rates_hz[1]),
    ]
    return [*chips, Hx711(deck, rate_hz=10.4)] if deck else chips


DECK_PINS = CellPins(dout=25, sck=8)
"""As in the builder's book."""


class Chips:
    """Where a bench's chips are found by name."""

    chips: list[Hx711]

    @property
    def left(self) -> Hx711:
        return self.chips[0]

    @property
    def right(self) -> Hx711:
        return self.chips[1]

    @property
    def deck(self) -> Hx711:
        return self.chips[2]


@dataclass
class PinBench(Chips):
    """The chips, a switch and everything else of the builder's book on virtual pins."""

    time: VirtualTime
    bank: PinBank
    chips: list[Hx711]
    scale: GpioScale

    def tip(self, closed: bool) -> None:
        self.bank.drive(17, not closed)


@contextmanager
def pin_bench(
    *,
    left: Signal | None = None,
    right: Signal | None = None,
    deck: Signal | None = None,
    rates_hz: tuple[float, float] = (88.0, 10.6),
    config: BoardConfig | None = None,
) -> Iterator[PinBench]:
    """The scale by the GPIO adapter on virtual pins in virtual time; not open yet."""
    time = VirtualTime()
    bank = PinBank(time)
    config = config or BoardConfig(wiring=Wiring(deck=DECK_PINS if deck else None))
    chips = chips_of(left, right, deck, rates_hz)
    for chip, pins in zip(chips, config.wiring.cells().values(), strict=True):
        bank.connect(chip, dout=pins.dout, sck=pins.sck)
    library = PinLibrary("virtual pins", "1", lambda: VirtualFactory(bank), simulated=True)
    with installed(bank):
        scale = GpioScale(config, library=library, clock=time, tasks=time.tasks())
        try:
            yield PinBench(time, bank, chips, scale)
        finally:
            scale.close()


@dataclass
class PtyBench(Chips):
    """The chips on a virtual Pico on a pseudo-terminal."""

    time: VirtualTime
    chips: list[Hx711]
    pico: VirtualPico
    scale: PicoScale
    closed: list[bool | None]

    def tip(self, closed: bool | None) -> None:
        self.closed[0] = closed


@contextmanager
def pty_bench(
    *,
    left: Signal | None = None,
    right: Signal | None = None,
    deck: Signal | None = None,
    rates_hz: tuple[float, float] = (88.0, 10.6),
    config: BoardConfig | None = None,
) -> Iterator[PtyBench]:
    """The scale by the Pico adapter on a pseudo-terminal in virtual time; not open yet."""
    time = VirtualTime()
    chips = chips_of(left, right, deck, rates_hz)
    closed: list[bool | None] = [False]
    rng = random.Random(3)
    with tempfile.TemporaryDirectory(prefix="tippo-by-id-") as folder:
        pico = VirtualPico(
            dict(zip(("left", "right", "deck"), chips, strict=False)),
            firmware=firmware_folder(),
            link=Path(folder) / LINK,
            time=time,
            contact=lambda: closed[0],
            random_byte=lambda: rng.randrange(256),
        )
        scale = PicoScale(
            config or BoardConfig(), clock=time, tasks=time.tasks(), by_id=Path(folder)
        )
        try:
            yield PtyBench(time, chips, pico, scale, closed)
        finally:
            scale.close()
            pico.unplug()


def read(bench: Bench | PinBench | PtyBench, seconds: float) -> list[Reading]:
    """Everything that the scale delivers meanwhile, in the bench's own time."""
    return gather(bench.scale, bench.time, seconds)


@contextmanager
def sim_backend() -> Iterator[Bench]:
    clock = VirtualClock()
    table = SimulatedTable(Plan(seed=3, people=()), clock)
    yield Bench("sim", table.scale, clock, simulated=True)


@contextmanager
def pins_backend() -> Iterator[Bench]:
    with pin_bench() as bench:
        yield Bench("pins", bench.scale, bench.time, simulated=True, tip=bench.tip)


@contextmanager
def pty_backend() -> Iterator[Bench]:
    with pty_bench() as bench:
        yield Bench("pty", bench.scale, bench.time, simulated=False, tip=bench.tip)


@contextmanager
def rig_backend() -> Iterator[Bench]:
    """The real board named by RIG_BOARD (gpio or pico); it was opened once to find it."""
    clock = SystemClock()
    board = open_board(os.environ.get("RIG_BOARD", "gpio"), BoardConfig(), clock)
    board.scale.close()
    try:
        yield Bench("rig", board.scale, clock, simulated=False)
    finally:
        board.scale.close()


BACKENDS = {"sim": sim_backend, "pins": pins_backend, "pty": pty_backend, "rig": rig_backend}
