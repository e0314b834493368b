"""What reading a scale costs: processor time, and the longest gap between readings.

It never needs a real board: the chips are models, and their cost is in the figures. It waits in
real time: what a thread of the machine's scheduler costs and when it is woken is what is measured.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from zlib import crc32

from companion.bench.report import Report
from companion.clock import SystemClock
from companion.events import Reading, Sample
from companion.units import MonoSeconds
from hardware.gpio.board import GpioScale
from hardware.gpio.cell import CellCounters
from hardware.gpio.library import PinLibrary
from hardware.pico.stream import PicoStream
from hardware.tasks import Step, Threads
from hardware.wiring import BoardConfig
from sim.hx711 import Hx711
from sim.pin_factory import VirtualFactory
from sim.pins import PinBank, VirtualTime, installed

AREA = "hardware"
RATE_HZ = 88.0


class RealTime(VirtualTime):
    """The bank's time is the machine's; nothing moves it."""

    def mono(self) -> MonoSeconds:
        return MonoSeconds(time.monotonic())

    def advance_to(self, moment: MonoSeconds) -> None:
        """It goes on by itself."""


class MeasuredThreads(Threads):
    """Threads that count the processor time of each step."""

    def __init__(self) -> None:
        super().__init__()
        self.busy_s: dict[str, float] = {}
        self._lock = threading.Lock()

    def start(self, name: str, step: Step) -> None:
        def measured() -> float:
            before = time.thread_time()
            again_s = step()
            with self._lock:
                self.busy_s[name] = self.busy_s.get(name, 0.0) + time.thread_time() - before
            return again_s

        super().start(name, measured)


def measure(report: Report, *, quick: bool) -> None:
    """Adds every figure of this area."""
    _header(report, 3.0 if quick else 20.0)
    _lines(report, 20_000 if quick else 200_000)
    _noise(report, 200_000 if quick else 2_000_000)


def _header(report: Report, seconds: float) -> None:
    """Two chips at 80 SPS on virtual pins, read in real time on real threads."""
    machine = RealTime()
    bank = PinBank(machine)
    config = BoardConfig()
    rng = Random(1)  # noqa: S311 - noise of a cell, nothing secret
    for pins in config.wiring.cells().values():
        chip = Hx711(
            lambda _: 80_000 + rng.randrange(200), rate_hz=RATE_HZ, powered_at_s=machine.mono()
        )
        bank.connect(chip, dout=pins.dout, sck=pins.sck)
    tasks = MeasuredThreads()
    library = PinLibrary("virtual pins", "1", lambda: VirtualFactory(bank), simulated=True)
    with installed(bank):
        scale = GpioScale(config, library=library, clock=SystemClock(), tasks=tasks)
        scale.open()
        time.sleep(1.5)  # the chips settle
        scale.poll()
        before = dict(tasks.busy_s)
        began_s = time.monotonic()
        readings = _listen(scale.poll, seconds)
        took_s = time.monotonic() - began_s
        busy = {name: spent - before.get(name, 0.0) for name, spent in tasks.busy_s.items()}
        scale.close()
    _tell_times(report, busy, took_s)
    _tell_gaps(report, readings, [reader.counters for reader in scale.readers.values()])


def _tell_times(report: Report, busy: Mapping[str, float], took_s: float) -> None:
    """What each thread has spent."""
    cells = sum(spent for name, spent in busy.items() if name.endswith("cell"))
    report.figure(
        AREA,
        "both readers at 2 x 80 SPS, chip models included",
        100 * cells / took_s,
        "% of a core",
    )
    report.figure(
        AREA, "all of the header's threads", 100 * sum(busy.values()) / took_s, "% of a core"
    )


def _tell_gaps(
    report: Report, readings: Sequence[Reading], counters: Sequence[CellCounters]
) -> None:
    """How long one cell said nothing, and how many words nobody could read in time."""
    times = [r.mono_s for r in readings if isinstance(r, Sample) and r.left is not None]
    gaps_s = sorted(b - a for a, b in pairwise(times)) or [float("inf")]
    usual_s = gaps_s[len(gaps_s) * 99 // 100 - 1]
    aim = "12 without a load"
    report.figure(AREA, "99 of 100 gaps between a cell's readings", 1000 * usual_s, "ms", aim=aim)
    report.figure(AREA, "longest gap between a cell's readings", 1000 * gaps_s[-1], "ms", aim=aim)
    lost = sum(each.late + sum(each.damaged.values()) for each in counters)
    words = lost + sum(each.good for each in counters)
    share = lost / words if words else 1.0
    report.figure(AREA, "words lost to a busy machine", 100 * share, "%", aim="0 without a load")
    report.note(
        f"{AREA}: the load was {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. A pulse that "
        "another program stretches while the clock is high switches its chip off: it begins afresh "
        "and settles. The chips' models add their own work to every pulse."
    )


def _listen(poll: Callable[[], Sequence[Reading]], seconds: float) -> list[Reading]:
    readings: list[Reading] = []
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        time.sleep(0.03)
        readings += poll()
    return readings


def _lines(report: Report, count: int) -> None:
    """How fast the Pico's lines are read; 170 a second come."""
    lines = []
    for number in range(1_000):
        body = b"R,%d,%d,left,%d,0" % (number, number * 6_000, 83_000 + number % 97)
        lines.append(b"$%s*%08x\n" % (body, crc32(body)))
    data = b"".join(lines)
    stream = PicoStream(rests_closed=False)
    began_s = time.perf_counter()
    for _ in range(count // 1_000):
        stream.feed(data, MonoSeconds(0.0))
        stream.reopened()
    rate = count / (time.perf_counter() - began_s)
    report.figure(AREA, "lines of the Pico read", rate, "a second", aim="170 come")


def _noise(report: Report, count: int) -> None:
    """Random bytes: no sample may come of them."""
    rng = Random(2)  # noqa: S311 - damage of a cable, nothing secret
    stream = PicoStream(rests_closed=False)
    samples = 0
    began_s = time.perf_counter()
    for start in range(0, count, 1_000):
        samples += len(stream.feed(rng.randbytes(1_000), MonoSeconds(start / 1e4)))
    rate = count / (time.perf_counter() - began_s)
    report.figure(AREA, f"samples out of {count:,} random bytes", samples, "", aim="0")
    report.figure(AREA, "random bytes passed over", rate / 1e6, "million a second")
