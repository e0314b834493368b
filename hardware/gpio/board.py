"""The board of a scale wired to the Pi's header: opens every pin, and closes every one.

It never chooses a pin library by itself, and never looks at what was read.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from companion.clock import Clock
from companion.errors import BoardError
from companion.events import Reading, Sensor
from companion.ports import Button
from hardware.gpio.cell import CellReader
from hardware.gpio.claim import Claim
from hardware.gpio.library import PinLibrary
from hardware.gpio.signals import GpioLamps, GpioSounder, GreenRed, NoSounder
from hardware.gpio.switches import GpioButtons, TiltSwitch
from hardware.inbox import Inbox
from hardware.tasks import Tasks
from hardware.wiring import BoardConfig


class GpioScale:
    """The port Scale; also the board's buttons, lamps and sounder, which live on its pins."""

    def __init__(
        self, config: BoardConfig, *, library: PinLibrary, clock: Clock, tasks: Tasks
    ) -> None:
        config.wiring.check()
        self.library = library
        self.tilt: TiltSwitch | None = None
        self.readers: Mapping[Sensor, CellReader] = {}
        self._config = config
        self._clock = clock
        self._tasks = tasks
        self._inbox = Inbox(clock)
        self._claim = Claim()
        self._factory: Any = None
        self._devices: list[Any] = []
        self.buttons = GpioButtons({}, clock)
        self.lamps = GpioLamps({}, clock)
        self.sounder: GpioSounder | NoSounder = NoSounder()

    @property
    def description(self) -> str:
        return f"the Pi's header by {self.library}"

    @property
    def simulated(self) -> bool:
        return self.library.simulated

    @property
    def identity(self) -> str:
        """A Pi has one header: the cells on it are known by nothing else."""
        return "gpio"

    def open(self) -> None:
        """Raises BoardError if somebody has the pins, or the library may not use them."""
        try:
            self._open_or_close()
        except (RuntimeError, OSError, ValueError) as error:  # what the pin libraries raise
            raise BoardError(
                f"the pins of the header cannot be used by {self.library} ({error}): "
                "end whoever holds them; 'tippo doctor --board gpio' says who that is"
            ) from error

    def poll(self) -> Sequence[Reading]:
        return self._inbox.take()

    def close(self) -> None:
        self._tasks.stop()
        if self._factory is not None:
            self._free_pins()
        self._claim.give_back()

    def _free_pins(self) -> None:
        self.lamps.dark()
        if isinstance(self.sounder, GpioSounder):
            self.sounder.silence()
        for device in self._devices:
            device.close()
        self._devices.clear()
        self._factory.close()
        self._factory = None
        gpio = import_module("RPi.GPIO")
        for cell in self._config.wiring.cells().values():
            gpio.cleanup(cell.sck)
            gpio.cleanup(cell.dout)

    def _open_or_close(self) -> None:
        try:
            self._open()
        except BaseException:  # Ctrl-C, too
            self.close()
            raise

    def _open(self) -> None:
        self._claim.take(self.library.device)
        self._factory = self.library.pin_factory()
        self._open_switches()
        self._open_signals()
        lines = import_module("hardware.gpio.lines")  # binds the pin library
        self.readers = {
            sensor: CellReader(
                sensor,
                lines.ChipLines(pins.dout, pins.sck, self._clock),
                self._clock,
                self._inbox,
                self.tilted,
            )
            for sensor, pins in self._config.wiring.cells().items()
        }
        for sensor, reader in self.readers.items():
            self._tasks.start(f"{sensor} cell", reader.step)

    def tilted(self) -> bool | None:
        """The raw switch now; None where none is fitted."""
        return None if self.tilt is None else self.tilt.level

    def _open_switches(self) -> None:
        wiring = self._config.wiring
        if self._config.tilt_fitted and wiring.tilt is not None:
            contact = self._device("InputDevice", wiring.tilt, pull_up=True)
            self.tilt = TiltSwitch(
                partial(_closed, contact),
                rests_closed=self._config.tilt_rests_closed,
                clock=self._clock,
                inbox=self._inbox,
            )
            self._tasks.start("tilt switch", self.tilt.step)
        pins = {Button.DRAW: wiring.draw_button, Button.UNO: wiring.uno_button}
        contacts = {
            button: self._device("InputDevice", pin, pull_up=True)
            for button, pin in pins.items()
            if pin is not None
        }
        self.buttons = GpioButtons(
            {button: partial(_closed, contact) for button, contact in contacts.items()},
            self._clock,
        )
        if contacts:
            self._tasks.start("buttons", self.buttons.step)

    def _open_signals(self) -> None:
        self.lamps = GpioLamps(
            {
                tray: GreenRed(self._device("LED", pins.green), self._device("LED", pins.red))
                for tray, pins in self._config.wiring.lamps().items()
            },
            self._clock,
        )
        self._tasks.start("lamps", self.lamps.step)
        if self._config.wiring.buzzer is not None:
            self.sounder = GpioSounder(
                self._device("Buzzer", self._config.wiring.buzzer), self._clock
            )
            self._tasks.start("buzzer", self.sounder.step)

    def _device(self, kind: str, pin: int, **options: Any) -> Any:
        device = getattr(import_module("gpiozero"), kind)(pin, pin_factory=self._factory, **options)
        self._devices.append(device)
        return device


def _closed(contact: Any) -> bool:
    """A switch between its pin and ground; gpiozero's value is 1 when it is closed."""
    return bool(contact.value)
