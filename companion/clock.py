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
