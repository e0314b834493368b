"""The board that a Pico is: its port is kept open, and got back whenever it is lost.

It never looks at what was read, and nothing that a port delivers stops it.
"""

import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import serial

from companion.clock import Clock
from companion.errors import BoardError
from companion.events import FaultKind, Reading, Sensor, SensorFault
from companion.ports import Button, Lamp, Sound
from companion.units import MonoSeconds, Tray
from hardware.pico.port import BY_ID, find_port, open_port
from hardware.pico.stream import PicoStream
from hardware.pico.wire import PROTOCOL, Banner, command_line
from hardware.tasks import Tasks
from hardware.wiring import BoardConfig

POLL_S = 0.004
ANSWER_WITHIN_S = 4.0
HELLO_EVERY_S = 0.5
DEAD_S = 2.5
"""The firmware sends a line every second: two missed are a board that hangs."""

BACK_OFF_S = (0.1, 0.2, 0.4, 0.8)
"""Between attempts to open a lost port; the last is repeated, so that it is back within 2 s."""

READ_BYTES = 4096


class PicoScale:
    """The port Scale; also the lamps, the sounder and the (absent) buttons of the board."""

    def __init__(
        self, config: BoardConfig, *, clock: Clock, tasks: Tasks, by_id: Path = BY_ID
    ) -> None:
        self.stream = PicoStream(
            rests_closed=config.tilt_rests_closed, tilt_fitted=config.tilt_fitted
        )
        self.losses = 0
        self._config = config
        self._clock = clock
        self._tasks = tasks
        self._by_id = by_id
        self._path: Path | None = None
        self._port: serial.Serial | None = None
        self._lock = threading.Lock()
        self._readings: deque[Reading] = deque()
        self._commands: deque[tuple[str, ...]] = deque()
        self._command_number = 0
        self._failures = 0
        self._retry_s = 0.0
        self._heard_s: float = clock.mono()
        self._hello_s = float("-inf")
        self._lamps: dict[Tray, Lamp] = {}

    # --- the port Scale --------------------------------------------------------------------

    @property
    def description(self) -> str:
        banner = self.stream.banner
        name = self._path.resolve().name if self._path is not None else "no port"
        return f"Pico {banner.board_id} on {name}" if banner is not None else f"Pico on {name}"

    @property
    def simulated(self) -> bool:
        return False

    @property
    def identity(self) -> str:
        """The board's own number, whatever port it is on."""
        banner = self.stream.banner
        return "pico" if banner is None else f"pico {banner.board_id}"

    @property
    def path(self) -> Path | None:
        """The port under the name that stays."""
        return self._path

    def open(self) -> None:
        """Raises BoardError if there is no such port, or no firmware of ours that answers."""
        self._path = find_port(self._config.port, self._by_id)
        try:
            self._port = open_port(self._path)
            self.stream.reopened()
            self.stream.banner = None
            self._await_banner()
        except BaseException:  # Ctrl-C, too
            self.close()
            raise
        self._tasks.start("Pico", self.step)

    def poll(self) -> Sequence[Reading]:
        with self._lock:
            taken = tuple(self._readings)
            self._readings.clear()
        return taken

    def close(self) -> None:
        for tray in self._lamps:
            self._lamps[tray] = Lamp.OFF
        self._tasks.stop()
        with suppress(OSError):  # its cable has gone with the lamps
            self._show_lamps()
            self._send_commands()
        self._close_port()

    # --- lamps and sound -------------------------------------------------------------------

    @property
    def lamps(self) -> "PicoScale":
        return self

    @property
    def sounder(self) -> "PicoScale":
        return self

    @property
    def buttons(self) -> "NoButtons":
        return NoButtons()

    def show(self, tray: Tray, lamp: Lamp) -> None:
        self._lamps[tray] = lamp
        self._commands.append(("lamp", tray, lamp))

    def play(self, sound: Sound) -> None:
        self._commands.append(("sound", sound))

    # --- step by step ----------------------------------------------------------------------

    def step(self) -> float:
        """Reads what has arrived, or tries to get the port back."""
        now = self._clock.mono()
        if self._port is None:
            if now >= self._retry_s:
                self._reopen(now)
            return POLL_S
        try:
            self._read(now)
            self._send_commands()
        except (serial.SerialException, OSError) as error:
            self._lost(now, f"the port has gone ({error})")
        else:
            self._look_alive(now)
        return POLL_S

    def _read(self, now: MonoSeconds) -> None:
        if self._port is None:
            return
        data = self._port.read(READ_BYTES)
        if not data:
            return
        before = self.stream.counters.lines
        readings = self.stream.feed(data, now)
        if self.stream.counters.lines > before:
            self._heard_s = now
            self._failures = 0
        with self._lock:
            self._readings.extend(readings)

    def _look_alive(self, now: MonoSeconds) -> None:
        silent_s = now - self._heard_s
        if silent_s > 2 * DEAD_S:
            self._lost(now, "the board answers no more")
        elif silent_s > DEAD_S and now - self._hello_s > HELLO_EVERY_S:
            self._hello_s = now
            self._commands.append(("hello",))

    def _lost(self, now: MonoSeconds, why: str) -> None:
        """Closes at once: an open port would make the board come back under another name."""
        self._close_port()
        self.losses += 1
        self._retry_s = now + BACK_OFF_S[0]
        banner = self.stream.banner
        cells = (Sensor.LEFT, Sensor.RIGHT) if banner is None else banner.cells
        with self._lock:
            for cell in cells:
                self._readings.append(
                    SensorFault(mono_s=now, sensor=cell, kind=FaultKind.SILENT, detail=why)
                )

    def _reopen(self, now: MonoSeconds) -> None:
        self._retry_s = now + BACK_OFF_S[min(self._failures, len(BACK_OFF_S) - 1)]
        self._failures += 1
        if self._path is None:
            return
        try:
            self._port = open_port(self._path)
        except BoardError:
            return
        self.stream.reopened()
        self._heard_s = now
        self._commands.clear()
        self._commands.append(("hello",))
        self._show_lamps()

    def _show_lamps(self) -> None:
        for tray, lamp in self._lamps.items():
            self._commands.append(("lamp", tray, lamp))

    def _send_commands(self) -> None:
        while self._commands and self._port is not None:
            self._command_number += 1
            line = command_line(self._command_number, *self._commands.popleft())
            try:
                self._port.write(line)
            except serial.SerialTimeoutException:
                return  # the board does not listen; `_look_alive` sees to that

    def _close_port(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def _await_banner(self) -> None:
        """The banner of a firmware that we understand, within a few seconds."""
        end_s = self._clock.mono() + ANSWER_WITHIN_S
        while self._clock.mono() < end_s:
            now = self._clock.mono()
            if now - self._hello_s >= HELLO_EVERY_S:
                self._hello_s = now
                self._commands.append(("hello",))
            try:
                self._send_commands()
                self._read(now)
            except (serial.SerialException, OSError) as error:
                raise BoardError(
                    f"the port {self._path} was lost while opening ({error})"
                ) from error
            if self.stream.banner is not None:
                self._check(self.stream.banner)
                return
            self._clock.sleep(0.02)
        raise BoardError(
            f"the board on {self._path} does not answer as the companion's firmware: "
            "run 'tippo firmware status', then 'tippo firmware install'"
        )

    @staticmethod
    def _check(banner: Banner) -> None:
        if banner.protocol != PROTOCOL:
            raise BoardError(
                f"the firmware {banner.firmware} on the Pico speaks protocol {banner.protocol}, "
                f"this companion {PROTOCOL}: run 'tippo firmware install'"
            )


class NoButtons:
    """The port Buttons of a board without any."""

    def poll(self) -> Sequence[Button]:
        return ()
