"""What lies between the chips and the host: wires, a bus, a program that reads in time or late.

It never makes up a reading in the ordinary world; each of its faults has a name in `sim.faults`.
"""

from dataclasses import dataclass
from random import Random

from companion.events import Sensor
from sim.cells import CellNature


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

    def __init__(self, rng: Random, latency_s: float) -> None:
        self._rng = rng
        self._latency_s = latency_s
        self._under_way: list[tuple[float, Sensor, int]] = []
        self._tilt = False

    def carry(self, sensor: Sensor, readings: list[tuple[float, int]], nature: CellNature) -> None:
        """Sends a chip's readings on their way."""
        for at_s, counts in readings:
            late = self._latency_s * (0.5 + self._rng.expovariate(2.0))
            self._under_way.append((at_s + late, sensor, counts))

    def carry_switch(self, edges: list[tuple[float, bool]]) -> None:
        for at_s, closed in edges:
            self._under_way.append((at_s, Sensor.TILT, int(closed)))

    def arrived(self, now_s: float) -> list[Row]:
        """The rows that have arrived by `now_s`, in order."""
        self._under_way.sort()
        rows: list[Row] = []
        for at_s, sensor, value in self._under_way:
            if at_s > now_s:
                break
            if sensor is Sensor.TILT:
                self._tilt = bool(value)
                rows.append(Row(at_s, self._tilt))
            else:
                row = Row(at_s, self._tilt)
                setattr(row, sensor.value, value)
                rows.append(row)
        del self._under_way[: len(rows)]
        return rows
