"""Turns what a Pico sends into readings: order, times and gaps, with every fault counted.

It never touches a port and never raises on anything that a port can deliver.
"""

from dataclasses import dataclass, field

from companion.events import FaultKind, Reading, Sample, SensorFault
from companion.units import COUNTS_MAX, COUNTS_MIN, DeviceSeconds, MonoSeconds
from hardware.inbox import cell_sample
from hardware.pico.wire import (
    CLOCK_WRAP_US,
    SEQUENCE_WRAP,
    Answer,
    Banner,
    CellFault,
    CellReading,
    LineCutter,
    LineFault,
    Message,
    Rates,
    Stamp,
    TiltChange,
    parse_line,
)

KINDS = {
    "silent": (FaultKind.SILENT, "the board has heard nothing from the chip for a second"),
    "saturated": (FaultKind.SATURATED, "the reading is at an end of the range"),
    "out_of_step": (FaultKind.DESYNC, "the pulse after the word did not read as 1"),
}

REORDER = 64
"""A sequence number this far back is a repeated line; further back the board began afresh."""

LONGEST_JUMP_S = 30.0
"""The board's clock may run ahead of the host's by no more: a stall delivers late, never early."""


@dataclass(slots=True)
class StreamCounters:
    """What arrived since the start; `tippo doctor` shows it."""

    lines: int = 0
    missing: int = 0
    repeated: int = 0
    clock_jumps: int = 0
    restarts: int = 0
    faults: dict[LineFault, int] = field(default_factory=dict)

    def bad_lines(self) -> int:
        return sum(self.faults.values())


class PicoStream:
    """The state of one board's stream. `rests_closed`: see `hardware.wiring.BoardConfig`."""

    def __init__(self, *, rests_closed: bool, tilt_fitted: bool = True) -> None:
        self.counters = StreamCounters()
        self.banner: Banner | None = None
        self.rates: Rates | None = None
        self._rests_closed = rests_closed
        self._tilt_fitted = tilt_fitted
        self._cutter = LineCutter()
        self._sequence: int | None = None
        self._board_us: int | None = None
        self._device_s = 0.0
        self._mono_s = MonoSeconds(0.0)

    def feed(self, data: bytes, now: MonoSeconds) -> list[Reading]:
        """The readings in what arrived at ``now``, in order."""
        readings: list[Reading] = []
        for line in self._cutter.feed(data):
            message = line if isinstance(line, LineFault) else parse_line(line)
            if isinstance(message, LineFault):
                if line != b"" and line != b"\r":
                    faults = self.counters.faults
                    faults[message] = faults.get(message, 0) + 1
                continue
            reading = self._take(message, now)
            if reading is not None:
                readings.append(reading)
        return readings

    def reopened(self) -> None:
        """The port was opened anew: a half line is lost, numbers and clock may be others."""
        self._cutter.reset()
        self._sequence = None
        self._board_us = None

    def _take(self, message: Message, now: MonoSeconds) -> Reading | None:
        self.counters.lines += 1
        if not self._in_order(message):
            return None
        device_s = self._device_time(message.stamp, now)
        match message:
            case Banner():
                self.banner = message
            case Rates():
                self.rates = message
            case TiltChange(contact=contact) if contact is not None:
                return Sample(mono_s=now, device_s=device_s, tilt=self._tilted(contact))
            case CellReading():
                return self._reading(message, now, device_s)
            case CellFault():
                kind, detail = KINDS.get(message.kind, (FaultKind.DESYNC, message.kind))
                return SensorFault(
                    mono_s=now, device_s=device_s, sensor=message.cell, kind=kind, detail=detail
                )
            case TiltChange() | Answer():
                pass
        return None

    def _reading(self, message: CellReading, now: MonoSeconds, device_s: DeviceSeconds) -> Reading:
        if message.counts in (COUNTS_MIN, COUNTS_MAX):
            kind, detail = KINDS["saturated"]
            return SensorFault(
                mono_s=now, device_s=device_s, sensor=message.cell, kind=kind, detail=detail
            )
        tilt = self._tilted(message.contact)
        return cell_sample(message.cell, message.counts, now, tilt, device_s)

    def _tilted(self, contact: bool | None) -> bool | None:
        if contact is None or not self._tilt_fitted:
            return None
        return contact is not self._rests_closed

    def _in_order(self, message: Message) -> bool:
        sequence, expected = message.stamp.sequence, self._sequence
        self._sequence = (sequence + 1) % SEQUENCE_WRAP
        if expected is None or sequence == expected:
            return True
        if isinstance(message, Banner) and sequence == 0:
            self.counters.restarts += 1
            self._board_us = None
            return True
        ahead = (sequence - expected) % SEQUENCE_WRAP
        if ahead < SEQUENCE_WRAP // 2:
            self.counters.missing += ahead
            return True
        if SEQUENCE_WRAP - ahead <= REORDER:
            self.counters.repeated += 1
            self._sequence = expected
            return False
        self.counters.restarts += 1
        self._board_us = None
        return True

    def _device_time(self, stamp: Stamp, now: MonoSeconds) -> DeviceSeconds:
        """Board seconds without wraps; they go on from the host's time when the clock jumps."""
        host_s = now - self._mono_s
        if self._board_us is None:
            step_s = host_s
        else:
            step_s = (stamp.board_us - self._board_us) % CLOCK_WRAP_US / 1e6
            # A conversion that waited on the board is a little older than the line before it.
            if step_s > CLOCK_WRAP_US / 1e6 - LONGEST_JUMP_S:
                step_s -= CLOCK_WRAP_US / 1e6
            if not -0.5 <= step_s <= host_s + LONGEST_JUMP_S:
                self.counters.clock_jumps += 1
                step_s = host_s
        self._board_us = stamp.board_us
        self._mono_s = now
        self._device_s += step_s
        return DeviceSeconds(self._device_s)
