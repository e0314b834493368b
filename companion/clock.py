"""Where time comes from: a Clock is asked at the edge and its answer handed on as an argument.

Nothing below the application's loop reads a clock by itself.
"""

import time
from datetime import UTC, datetime
from typing import Protocol

from companion.units import MonoSeconds, WallUtc


class Clock(Protocol):
    """The host's two clocks and its only way to wait."""

    def mono(self) -> MonoSeconds:
        """Seconds that never go backwards."""
        ...

    def wall(self) -> WallUtc:
        """Now, for people."""
        ...

    def sleep(self, seconds: float) -> None:
        """Waits at least ``seconds``; a virtual clock just moves on."""
        ...


class SystemClock:
    """The clock of the machine."""

    def mono(self) -> MonoSeconds:
        return MonoSeconds(time.monotonic())

    def wall(self) -> WallUtc:
        return WallUtc(datetime.now(UTC).isoformat(timespec="milliseconds"))

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))


class PacedClock:
    """A clock for simulated time: it stands still until `sleep`, and then never runs faster than
    `speed` times the machine's clock; slower if the machine cannot keep up. Speed 0: no limit."""

    def __init__(self, speed: float, *, start_s: float = 0.0, machine: Clock | None = None) -> None:
        self.speed = speed
        self._now_s = start_s
        self._machine = machine or SystemClock()
        self._woke_s = self._machine.mono()

    def mono(self) -> MonoSeconds:
        return MonoSeconds(self._now_s)

    def wall(self) -> WallUtc:
        return self._machine.wall()

    def sleep(self, seconds: float) -> None:
        self._now_s += max(0.0, seconds)
        if self.speed > 0:
            self._machine.sleep(self._woke_s + seconds / self.speed - self._machine.mono())
        self._woke_s = self._machine.mono()

    def skip_to(self, moment: MonoSeconds) -> None:
        """Moves on to ``moment`` without waiting."""
        self._now_s = max(self._now_s, moment)


class ContinuedClock:
    """The machine's clock, shifted so that a resumed game's time goes on where it was left."""

    def __init__(self, after_s: float, machine: Clock | None = None) -> None:
        self._machine = machine or SystemClock()
        self._shift_s = after_s - self._machine.mono()

    def mono(self) -> MonoSeconds:
        return MonoSeconds(self._machine.mono() + self._shift_s)

    def wall(self) -> WallUtc:
        return self._machine.wall()

    def sleep(self, seconds: float) -> None:
        self._machine.sleep(seconds)


class VirtualClock:
    """A clock that moves only when told to, and never backwards."""

    def __init__(self, start_s: float = 0.0, epoch: datetime | None = None) -> None:
        self._now_s = start_s
        self._epoch = epoch or datetime(2000, 1, 1, tzinfo=UTC)

    def mono(self) -> MonoSeconds:
        return MonoSeconds(self._now_s)

    def wall(self) -> WallUtc:
        moment = self._epoch.timestamp() + self._now_s
        return WallUtc(datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds"))

    def sleep(self, seconds: float) -> None:
        self._now_s += max(0.0, seconds)

    def advance_to(self, moment: MonoSeconds) -> None:
        """Moves on to ``moment``; a moment that has passed changes nothing."""
        self._now_s = max(self._now_s, moment)
