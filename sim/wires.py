"""What lies between the chips and the host: wires, a bus, a program that reads in time or late.

It never makes up a reading in the ordinary world; what can go wrong here is `sim.wirefaults`.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias

from companion.events import Sensor

Readings: TypeAlias = list[tuple[float, int]]
"""Conversions of one chip, or edges of the switch (1: closed), each with its time."""

Reading: TypeAlias = tuple[float, Sensor, int]
"""One of them with where it comes from and the time at which it arrives."""


class WireFault(Protocol):
    """Something that is wrong with one wire."""

    def carry(self, readings: Readings, until_s: float) -> Readings:
        """What comes out at the other end up to `until_s`. Called in the order of time; how
        often must make no difference."""
        ...


class LinkFault(Protocol):
    """Something that is wrong with the way from the board to the host."""

    def deliver(self, at_s: float, sensor: Sensor) -> list[float]:
        """When a reading that would arrive at `at_s` does: then, later, twice or never.

        Asked in the order of time.
        """
        ...


@dataclass(slots=True)
class Row:
    """One row as the host gets it."""

    at_s: float
    tilt: bool
    left: int | None = None
    right: int | None = None
    deck: int | None = None


class Wiring:
    """Takes readings at the time of their conversion, gives rows at the time of their arrival."""

    def __init__(
        self, stream: Callable[[str], Random], latency_s: float, *, common_clock: bool = False
    ) -> None:
        self.faults: dict[Sensor, list[WireFault]] = {sensor: [] for sensor in Sensor}
        self.link: list[LinkFault] = []
        self.swapped = False
        """The two cells are plugged in the wrong way round."""
        self.switch_fitted = True
        self._jitter = {
            # Chips on one clock are read together and arrive together.
            sensor: stream(f"latency of {'both' if common_clock else sensor.value}")
            for sensor in Sensor
        }
        self._latency_s = latency_s
        self._last_s = dict.fromkeys(Sensor, float("-inf"))
        self._under_way: list[Reading] = []
        self._late: list[Reading] = []
        self._tilt = False

    def carry(self, sensor: Sensor, readings: Readings, until_s: float) -> None:
        """Sends what a chip or the switch gave up to `until_s` on its way."""
        for fault in self.faults[sensor]:
            readings = fault.carry(readings, until_s)
        if self.swapped:
            swap = {Sensor.LEFT: Sensor.RIGHT, Sensor.RIGHT: Sensor.LEFT}
            sensor = swap.get(sensor, sensor)
        if sensor is Sensor.TILT and not self.switch_fitted:
            return
        jitter = self._jitter[sensor]
        for at_s, value in readings:
            # One wire never overtakes itself.
            soonest = self._last_s[sensor] + 1e-6
            self._last_s[sensor] = max(soonest, at_s + self._latency_s * (0.5 + jitter.random()))
            self._under_way.append((self._last_s[sensor], sensor, value))

    def arrived(self, now_s: float) -> list[Row]:
        """The rows that have arrived by `now_s`, in order; what arrives at once shares a row."""
        ready = _take_until(self._under_way, now_s)
        if self.link:
            for at_s, sensor, value in ready:
                times = [at_s]
                for link in self.link:
                    times = [late for time_s in times for late in link.deliver(time_s, sensor)]
                self._late += [(time_s, sensor, value) for time_s in times]
            ready = _take_until(self._late, now_s)
        rows: list[Row] = []
        for at_s, sensor, value in ready:
            if sensor is Sensor.TILT:
                if bool(value) is not self._tilt:
                    self._tilt = bool(value)
                    rows.append(Row(at_s, self._tilt))
                continue
            if rows and rows[-1].at_s == at_s and getattr(rows[-1], sensor.value) is None:
                row = rows[-1]
            else:
                row = Row(at_s, self._tilt)
                rows.append(row)
            setattr(row, sensor.value, value)
        return rows


def _take_until(waiting: list[Reading], now_s: float) -> list[Reading]:
    waiting.sort()
    count = bisect_right(waiting, now_s, key=lambda reading: reading[0])
    ready = waiting[:count]
    del waiting[:count]
    return ready
