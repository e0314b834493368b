"""When a cell's readings were really taken, and how many of them come in a second.

It never looks at what a reading says.
"""

from collections import deque
from statistics import median

FASTEST_PERIOD_S = 1 / 105
"""An HX711 in its fast mode gives 82-94 readings a second; what claims more is no HX711."""
SLOW_PERIOD_S = 0.1
"""The nominal period of the slow mode, assumed until the real one is known."""
FAST_PERIOD_S = 0.03
HOLE_PERIODS = 3.2
"""A longer pause is a hole: a restarted chip settles for four conversions before it reports."""
_LEARNED_FROM = 8
_RATE_WINDOW_S = 1.0
_MARKS_A_WINDOW = 4


class Cadence:
    """The clock of one cell, recovered from the arrival times of its readings.

    A stalled line delivers its readings late and at once: they are set back on the beat on which
    they were taken. After a real hole the beat begins anew.
    """

    __slots__ = (
        "_behind", "_dts", "_marks", "_total", "arrived_s", "fast", "late", "period_s", "ready",
        "sampled_s",
    )  # fmt: skip

    def __init__(self) -> None:
        self.period_s = SLOW_PERIOD_S
        self.fast = False
        """True for a chip in its 80 SPS mode."""
        self.ready = False
        """True once the period is measured."""
        self.arrived_s = float("-inf")
        self.sampled_s = float("-inf")
        self.late = False
        """True if the last reading came out of a stall and belongs to an earlier moment."""
        self._behind = False
        self._dts: list[float] = []
        self._total = 0
        self._marks: deque[tuple[float, int]] = deque(maxlen=_MARKS_A_WINDOW + 1)

    def take(self, arrived_s: float) -> bool:
        """Takes the arrival of one reading; True if it is the first after a hole."""
        dt = arrived_s - self.arrived_s
        self.arrived_s = arrived_s
        if not self.ready:
            self._learn(dt)
        beat = self.sampled_s + self.period_s
        hole = HOLE_PERIODS * self.period_s < dt < float("inf")
        if self._behind and dt < 0.5 * self.period_s and beat < arrived_s:
            self.sampled_s = beat
            self.late = True
            return False
        self._behind = hole or (dt > 1.5 * self.period_s and dt < float("inf"))
        # The first reading after a pause may be the oldest of many that were held up.
        self.sampled_s = beat if self._behind else arrived_s
        self.late = self._behind
        return hole

    def counted(self, readings: int, arrived_s: float) -> None:
        """Adds readings that came on the beat up to `arrived_s`."""
        self._total += readings
        marks = self._marks
        if not marks or arrived_s - marks[-1][0] >= _RATE_WINDOW_S / _MARKS_A_WINDOW:
            if len(marks) > _MARKS_A_WINDOW and self.ready:
                self._refine(arrived_s)
            marks.append((arrived_s, self._total))

    def too_many(self) -> bool:
        """True if the last second brought over 1.3 times the readings that it should have."""
        if not self._marks or not self.ready:
            return False
        started_s, before = self._marks[0]
        span_s = max(self.arrived_s - started_s, _RATE_WINDOW_S)
        # Two readings of grace: the window's ends fall anywhere between two readings.
        return self._total - before > 1.3 * span_s / self.period_s + 2

    def _learn(self, dt: float) -> None:
        if 0.002 < dt < 2.0:
            self._dts.append(dt)
        if len(self._dts) >= _LEARNED_FROM:
            self._beats_every(max(median(self._dts), FASTEST_PERIOD_S))
            self.ready = True
            self._dts.clear()

    def _refine(self, arrived_s: float) -> None:
        started_s, before = self._marks[0]
        span_s = arrived_s - started_s
        if span_s > 2 * _RATE_WINDOW_S or self._total == before:
            return
        period_s = span_s / (self._total - before)
        # Crystal and RC clocks of an HX711 hold within a few per cent; anything else is a fault.
        if 0.9 < period_s / self.period_s < 1.1:
            self._beats_every(self.period_s + 0.1 * (period_s - self.period_s))

    def _beats_every(self, period_s: float) -> None:
        self.period_s = period_s
        self.fast = period_s < FAST_PERIOD_S
