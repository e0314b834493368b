"""Where readers put what they read and the one loop takes it from.

It never changes, drops or repeats a reading.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence

from companion.clock import Clock
from companion.events import Reading, Sample, Sensor
from companion.units import Counts, DeviceSeconds, MonoSeconds


class Inbox:
    """Readings in the order in which they came, with times that never decrease."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._readings: deque[Reading] = deque()

    def put(self, reading_at: Callable[[MonoSeconds], Reading]) -> None:
        """Adds the reading that ``reading_at`` makes of the time at which it came."""
        with self._lock:
            self._readings.append(reading_at(self._clock.mono()))

    def take(self) -> Sequence[Reading]:
        """Everything since the last call."""
        with self._lock:
            taken = tuple(self._readings)
            self._readings.clear()
        return taken


def cell_sample(
    sensor: Sensor,
    counts: Counts,
    mono_s: MonoSeconds,
    tilt: bool | None,
    device_s: DeviceSeconds | None = None,
) -> Sample:
    """A row in which one cell is new."""
    return Sample(
        mono_s=mono_s,
        tilt=tilt,
        device_s=device_s,
        left=counts if sensor is Sensor.LEFT else None,
        right=counts if sensor is Sensor.RIGHT else None,
        deck=counts if sensor is Sensor.DECK else None,
    )
