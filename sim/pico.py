"""A virtual Pico on a pseudo-terminal: the firmware's own loop and wire format, run on the host.

It never invents a line of its own but for the faults that are asked for by name.
"""

import importlib
import os
import sys
import termios
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Any

from companion.units import MonoSeconds
from sim.hx711 import Hx711
from sim.pins import VirtualTime

STEP_S = 0.002
"""The firmware's loop turns some three times as often; a reading comes every 12 ms."""

PULSE_S = 1e-6


class PortFault(StrEnum):
    """What a port can do to the next lines, or for as long as it is set."""

    GARBAGE = "garbage"
    """Random bytes between two lines."""
    HALF_LINE = "half_line"
    """A line is cut in the middle and the next follows without a newline."""
    FLIPPED_BIT = "flipped_bit"
    REPEATED = "repeated"
    MISSING = "missing"
    OVERLONG = "overlong"
    BOOT_BANNER = "boot_banner"
    """What MicroPython says when it starts."""
    AT_ECHO = "at_echo"
    """ModemManager's AT commands come back as an echo."""


def load_firmware(folder: Path) -> ModuleType:
    """The firmware's package `tippo`, from the folder that holds it."""
    known = sys.modules.get("tippo")
    if known is None:
        sys.path.insert(0, str(folder))
        try:
            known = importlib.import_module("tippo")
            importlib.import_module("tippo.loop")
        finally:
            sys.path.remove(str(folder))
    return known


class ClockedChip:
    """What the firmware's PIO program does with a chip, on the model's two lines."""

    def __init__(self, chip: Hx711, time: VirtualTime, ticks_us: Callable[[], int]) -> None:
        self._chip = chip
        self._time = time
        self._ticks_us = ticks_us
        self._stuck = False

    def take(self) -> tuple[int, int] | None:
        now_s = self._time.mono()
        if self._stuck:  # the program waits for DOUT to go high after a word
            self._stuck = self._level(now_s) is False
            return None
        if self._level(now_s):
            return None
        word = 0
        for pulse in range(25):
            at_s = now_s + pulse * 3 * PULSE_S
            self._chip.clock(True, at_s)
            word = word << 1 | int(self._level(at_s + PULSE_S))
            self._chip.clock(False, at_s + 2 * PULSE_S)
        self._time.advance_to(MonoSeconds(now_s + 75 * PULSE_S))
        self._stuck = not word & 1
        return word, self._ticks_us()

    def restart(self) -> None:
        now_s = self._time.mono()
        self._chip.clock(True, now_s)
        self._chip.clock(False, now_s + 100 * PULSE_S)
        self._time.advance_to(MonoSeconds(now_s + 100 * PULSE_S))
        self._stuck = False

    def _level(self, at_s: float) -> bool:
        level = self._chip.dout(at_s)
        return True if level is None else level  # the pin is pulled up


class VirtualPico:
    """A board with its chips; `link` is where its port is found, as under /dev/serial/by-id."""

    def __init__(
        self,
        chips: Mapping[str, Hx711],
        *,
        firmware: Path,
        link: Path,
        time: VirtualTime,
        contact: Callable[[], bool | None] = lambda: False,
        random_byte: Callable[[], int] = lambda: 0xA5,
        step_s: float = STEP_S,
    ) -> None:
        load_firmware(firmware)
        self.board_id = "e6614104031f2b37"
        self.began = "power"
        self.lamps: dict[str, tuple[bool, bool]] = {}
        self.beeps = 0
        self.left_for: str | None = None
        """"bootloader" or "maintain" once the host has asked for it."""
        self.chips: dict[str, ClockedChip] = {
            name: ClockedChip(chip, time, self.ticks_us) for name, chip in chips.items()
        }
        self.link = link
        self._time = time
        self._contact = contact
        self._random_byte = random_byte
        self._step_s = step_s
        self._clock_offset_us = 0
        self._faults: list[PortFault] = []
        self._stalled: bytearray | None = None
        self._sounding = False
        self._hung = False
        self._master: int | None = None
        self._slave: int | None = None
        self._loop: Any = None
        self.plug_in()
        time.tasks().start("virtual Pico", self._step)

    # --- what can happen to it -------------------------------------------------------------

    def plug_in(self) -> None:
        """The cable goes in: a port under a new name, the firmware starts."""
        self._master, self._slave = os.openpty()
        attributes = termios.tcgetattr(self._slave)
        attributes[1] &= ~termios.OPOST
        attributes[3] &= ~(termios.ECHO | termios.ICANON)
        termios.tcsetattr(self._slave, termios.TCSANOW, attributes)
        os.set_blocking(self._master, False)
        self.link.parent.mkdir(parents=True, exist_ok=True)
        self.link.symlink_to(os.ttyname(self._slave))
        self.restart("power")

    def unplug(self) -> None:
        """The cable goes out in the middle of whatever was being said."""
        self.link.unlink(missing_ok=True)
        for end in (self._master, self._slave):
            if end is not None:
                os.close(end)
        self._master = self._slave = None
        self._loop = None

    def restart(self, began: str = "watchdog") -> None:
        """The firmware begins afresh: its numbers at 0, a new banner."""
        self.began = began
        self._hung = False
        self._stalled = None
        self._loop = sys.modules["tippo.loop"].Loop(self)

    def hang(self) -> None:
        """The firmware stops; on a real board the watchdog would bite after 8 s."""
        self._hung = True

    def stall(self) -> None:
        """Nothing comes through until `burst`; the board goes on."""
        self._stalled = bytearray()

    def burst(self) -> None:
        """All that a stall has held back comes at once."""
        held, self._stalled = self._stalled, None
        if held:
            self._send(bytes(held))

    def jump_clock(self, seconds: float) -> None:
        """The board's clock jumps, back or forth."""
        self._clock_offset_us += int(seconds * 1e6)

    def damage_next(self, *faults: PortFault) -> None:
        """Each of the next lines gets one of the faults, in order."""
        self._faults.extend(faults)

    # --- what the firmware's loop asks of a board -------------------------------------------

    def ticks_us(self) -> int:
        wrap: int = sys.modules["tippo.wire"].CLOCK_WRAP_US
        return (int(self._time.mono() * 1e6) + self._clock_offset_us) % wrap

    def contact(self) -> int | None:
        closed = self._contact()
        return None if closed is None else int(closed)

    def light(self, tray: str, green: int, red: int) -> None:
        self.lamps[tray] = (bool(green), bool(red))

    def sound(self, on: int) -> None:
        self.beeps += int(bool(on) and not self._sounding)
        self._sounding = bool(on)

    def write(self, text: str) -> None:
        line = text.encode()
        if self._faults:
            line = self._damaged(line, self._faults.pop(0))
        if self._stalled is not None:
            self._stalled += line
        else:
            self._send(line)

    def bootloader(self) -> None:
        self.left_for = "bootloader"
        self.unplug()

    def maintain(self) -> None:
        self.left_for = "maintain"
        self.unplug()

    # --- inside ----------------------------------------------------------------------------

    def _step(self) -> float:
        if self._loop is None or self._hung:
            return self._step_s
        data = self._receive()
        if data:
            self._loop.receive(data)
        if self._loop is not None:
            self._loop.step()
        return self._step_s

    def _receive(self) -> bytes:
        if self._master is None:
            return b""
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            return b""

    def _send(self, data: bytes) -> None:
        """As a USB port does, drops what does not fit while nobody listens."""
        while data and self._master is not None:
            try:
                data = data[os.write(self._master, data) :]
            except BlockingIOError:
                return

    def _damaged(self, line: bytes, fault: PortFault) -> bytes:
        middle = len(line) // 2
        match fault:
            case PortFault.GARBAGE:
                return bytes(self._random_byte() for _ in range(40)) + b"\n" + line
            case PortFault.HALF_LINE:
                return line[:middle]
            case PortFault.FLIPPED_BIT:
                return line[:middle] + bytes([line[middle] ^ 1]) + line[middle + 1 :]
            case PortFault.REPEATED:
                return line + line
            case PortFault.MISSING:
                return b""
            case PortFault.OVERLONG:
                return b"$" + b"R" * 500 + b"\n" + line
            case PortFault.BOOT_BANNER:
                said = (
                    b"MPY: soft reboot\r\nMicroPython v1.26.1 on 2025-09-11; Raspberry Pi Pico\r\n"
                )
                return said + b">>> " + line
            case PortFault.AT_ECHO:
                return b"AT+GCAP\r\n" + line
