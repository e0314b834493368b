"""A bank of virtual header pins in virtual time, with an `RPi.GPIO` of the same interface on it.

It never decides what is wired to a pin: chips, switches and lamps are connected by whoever
builds the bench.
"""

import heapq
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from types import ModuleType
from typing import Any

from companion.clock import VirtualClock
from companion.units import MonoSeconds
from sim.hx711 import Hx711

Step = Callable[[], float]
"""Does what is due and says in how many seconds it wants to be called again."""


class VirtualTime(VirtualClock):
    """A virtual clock that runs what is due while it moves on, in the order of the moments.

    It also has the functions of the `time` module that the hx711 package calls.
    """

    def __init__(self, start_s: float = 0.0) -> None:
        super().__init__(start_s)
        self._due: list[tuple[float, int, VirtualTasks, Step]] = []
        self._numbers = count()
        self._inside = False

    def tasks(self) -> "VirtualTasks":
        """A group of steps that run in this time and are stopped together."""
        return VirtualTasks(self)

    def at(self, moment: float, tasks: "VirtualTasks", step: Step) -> None:
        """Calls ``step`` at ``moment``, and again whenever it asks for it."""
        heapq.heappush(self._due, (moment, next(self._numbers), tasks, step))

    def forget(self, tasks: "VirtualTasks") -> None:
        """Calls no step of the group any more."""
        self._due = [due for due in self._due if due[2] is not tasks]
        heapq.heapify(self._due)

    def sleep(self, seconds: float) -> None:
        """Moves on; a step that sleeps itself delays the others, as a busy core does."""
        end_s = self.mono() + max(0.0, seconds)
        if not self._inside:
            self._run_until(end_s)
        self.advance_to(MonoSeconds(end_s))

    def _run_until(self, end_s: float) -> None:
        self._inside = True
        try:
            while self._due and self._due[0][0] <= end_s:
                moment, _, tasks, step = heapq.heappop(self._due)
                self.advance_to(MonoSeconds(moment))
                again_s = self.mono() + max(step(), 1e-6)
                if not tasks.stopped:
                    self.at(again_s, tasks, step)
        finally:
            self._inside = False

    def perf_counter(self) -> float:
        return self.mono()

    def monotonic(self) -> float:
        return self.mono()


class VirtualTasks:
    """Runs steps in virtual time as `hardware.tasks.Threads` does in real time."""

    def __init__(self, time: VirtualTime) -> None:
        self.stopped = False
        self._time = time

    def start(self, name: str, step: Step) -> None:  # noqa: ARG002 - a thread would bear the name
        self.stopped = False
        self._time.at(self._time.mono(), self, step)

    def stop(self) -> None:
        self.stopped = True
        self._time.forget(self)


@dataclass(slots=True)
class _Line:
    output: bool = False
    level: bool = False
    pull: str = "floating"
    driven: bool | None = None
    ready: bool = False
    changed: list[Callable[[bool], None]] = field(default_factory=list)


class PinBank:
    """Forty header pins by their BCM numbers, and what is wired to them.

    Every access takes ``call_s`` of virtual time, as a call of a pin library does, and
    now and then as much longer as ``delay`` says: another process had the core.
    """

    def __init__(
        self,
        time: VirtualTime,
        *,
        call_s: float = 1e-6,
        delay: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.time = time
        self.call_s = call_s
        self.delay = delay
        self._lines = {number: _Line() for number in range(28)}
        self._chips_by_dout: dict[int, Hx711] = {}
        self._chips_by_sck: dict[int, Hx711] = {}

    # --- the outside: what is wired to the pins --------------------------------------------

    def connect(self, chip: Hx711, *, dout: int, sck: int) -> None:
        """Wires a chip's two lines to two pins."""
        self._chips_by_dout[dout] = chip
        self._chips_by_sck[sck] = chip

    def drive(self, pin: int, level: bool | None) -> None:
        """The outside puts a level on a pin, or with None lets it float."""
        line = self._lines[pin]
        before = self.level(pin)
        line.driven = level
        self._tell(line, before, self.level(pin))

    def level(self, pin: int) -> bool:
        """What a meter at the pin shows; a floating line without a pull reads low."""
        line = self._lines[pin]
        if line.output:
            return line.level
        chip = self._chips_by_dout.get(pin)
        driven = line.driven if chip is None else chip.dout(self.time.mono())
        if driven is None:
            return line.pull == "up"
        return driven

    # --- the inside: what a program does with them ------------------------------------------

    def is_output(self, pin: int) -> bool:
        return self._lines[pin].output

    def is_set_up(self, pin: int) -> bool:
        return self._lines[pin].ready

    def pull_of(self, pin: int) -> str:
        return self._lines[pin].pull

    def make_output(self, pin: int, level: bool | None = None) -> None:
        line = self._lines[pin]
        line.output = line.ready = True
        line.pull = "floating"
        self.write(pin, line.level if level is None else level)

    def make_input(self, pin: int, pull: str = "floating") -> None:
        line = self._lines[pin]
        before = self.level(pin)
        line.output, line.ready, line.pull = False, True, pull
        self._tell(line, before, self.level(pin))

    def release(self, pin: int) -> None:
        self.make_input(pin)
        self._lines[pin].ready = False
        self._lines[pin].changed.clear()

    def write(self, pin: int, level: bool) -> None:
        line = self._lines[pin]
        before, line.level = line.level, level
        chip = self._chips_by_sck.get(pin)
        if chip is not None:
            chip.clock(level, self.time.mono())
        self._take_time()
        self._tell(line, before, level)

    def read(self, pin: int) -> bool:
        level = self.level(pin)
        self._take_time()
        return level

    def watch(self, pin: int, changed: Callable[[bool], None]) -> None:
        """Calls ``changed`` with the new level whenever the pin changes, until it is released."""
        self._lines[pin].changed.append(changed)

    def unwatch(self, pin: int) -> None:
        self._lines[pin].changed.clear()

    def _take_time(self) -> None:
        self.time.advance_to(MonoSeconds(self.time.mono() + self.call_s + self.delay()))

    @staticmethod
    def _tell(line: _Line, before: bool, after: bool) -> None:
        if before != after:
            for changed in line.changed:
                changed(after)


class VirtualRpiGpio(ModuleType):
    """The module `RPi.GPIO` on a virtual bank: the same names, values and complaints.

    As on kernels since 6.6, edge detection cannot be added.
    """

    BCM, BOARD, UNKNOWN = 11, 10, -1
    OUT, IN, SERIAL, SPI, I2C, HARD_PWM = 0, 1, 40, 41, 42, 43
    LOW, HIGH = 0, 1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33
    VERSION = "0.7.1"
    _PULLS = {PUD_OFF: "floating", PUD_DOWN: "down", PUD_UP: "up"}  # noqa: RUF012 - a constant

    def __init__(self, bank: PinBank) -> None:
        super().__init__("RPi.GPIO", "Virtual header pins.")
        self._bank = bank
        self._mode: int | None = None

    def setmode(self, mode: int) -> None:
        if mode != self.BCM:
            raise ValueError("The virtual pins are numbered by BCM only")
        self._mode = mode

    def getmode(self) -> int | None:
        return self._mode

    def setwarnings(self, wanted: bool) -> None:
        """Nothing here warns."""

    def setup(
        self,
        channel: int,
        direction: int,
        pull_up_down: int = PUD_OFF,
        initial: int = -1,
    ) -> None:
        self._check_mode()
        if direction == self.OUT:
            self._bank.make_output(channel, None if initial == -1 else bool(initial))
        else:
            self._bank.make_input(channel, self._PULLS[pull_up_down])

    def output(self, channel: int, value: int) -> None:
        self._check_mode()
        if not self._bank.is_output(channel):
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self._bank.write(channel, bool(value))

    def input(self, channel: int) -> int:
        self._check_mode()
        if not self._bank.is_set_up(channel):
            raise RuntimeError("You must setup() the GPIO channel first")
        return int(self._bank.read(channel))

    def gpio_function(self, channel: int) -> int:
        return self.OUT if self._bank.is_output(channel) else self.IN

    def cleanup(self, channel: int | None = None) -> None:
        for pin in range(28) if channel is None else (channel,):
            if self._bank.is_set_up(pin):
                self._bank.release(pin)

    def add_event_detect(self, *_: Any, **__: Any) -> None:
        raise RuntimeError("Failed to add edge detection")

    def remove_event_detect(self, channel: int) -> None:
        """There is never one to remove."""

    def _check_mode(self) -> None:
        if self._mode is None:
            raise RuntimeError(
                "Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or "
                "GPIO.setmode(GPIO.BCM)"
            )


_ON_THE_PINS = ("RPi", "RPi.GPIO", "hx711", "gpiozero.pins.rpigpio", "hardware.gpio.lines")
"""Modules that bind a pin library when they are imported."""


@contextmanager
def installed(bank: PinBank) -> Iterator[VirtualRpiGpio]:
    """While inside, `import RPi.GPIO` gives the bank, and `import hx711` runs in its time.

    The hx711 package is the unmodified one; only the `time` that it sees is the bank's.
    """
    kept = {name: sys.modules.pop(name, None) for name in _ON_THE_PINS}
    gpio = VirtualRpiGpio(bank)
    package = ModuleType("RPi")
    package.GPIO = gpio  # type: ignore[attr-defined] # a package has its modules as attributes
    sys.modules["RPi"], sys.modules["RPi.GPIO"] = package, gpio
    try:
        import_module("hx711").time = bank.time  # type: ignore[attr-defined] # it imported `time`
        yield gpio
    finally:
        for name, module in kept.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
