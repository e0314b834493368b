"""When a cell's readings were really taken, and how many of them come in a second.

It never looks at what a reading says.
"""

from collections import deque
from statistics import median

FASTEST_PERIOD_S = 1 / 105
"""An HX711 in its fast mode gives 82-94 readings a second; what claims more is no HX711."""
SLOW_MODE_S = (1 / 14, 1 / 6)
"""The periods that a chip in its slow mode may have; what comes more seldom was lost in part."""
SLOW_PERIOD_S = 0.1
"""The nominal period of the slow mode, assumed until the real one is known."""
FAST_PERIOD_S = 0.03
HOLE_PERIODS = 3.2
"""A longer pause is a hole: a restarted chip settles for four conversions before it reports."""
MOST_OFTEN, USUAL = 1.3, 1.15
"""So many times what the chip gives are not all its own; so many it may give."""
_LEARNED_FROM = 7
"""As many intervals as there are between the readings of the first rest, which ends learning."""
_RATE_WINDOW_S = 1.0
_LONG_WINDOW_S = 4.0
_MARK_S = 0.25


class Cadence:
    """The clock of one cell, recovered from the arrival times of its readings.

    A stalled line delivers its readings late and at once: they are set back on the beat on which
    they were taken. After a real hole the beat begins anew.
    """

    __slots__ = (
        "_behind", "_counted_period_s", "_dts", "_lately", "_learned_period_s", "_marks",
        "_slow_until_s", "_sure", "_total", "arrived_s", "fast", "late", "period_s", "ready",
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
        self._slow_until_s = float("-inf")
        self._sure = False
        """The period that the first readings told was borne out by counting."""
        self._counted_period_s = 0.0
        self._learned_period_s = SLOW_PERIOD_S
        self._total = 0
        self._marks: deque[tuple[float, int]] = deque()
        """How many readings had come at these moments of the last seconds, oldest first, ..."""
        self._lately = (0.0, 0)
        """... and about a second ago."""

    def take(self, arrived_s: float) -> bool:
        """Takes the arrival of one reading; True if it is the first after a hole."""
        before_s, self.arrived_s = self.arrived_s, arrived_s
        dt = arrived_s - before_s
        if not self.ready:
            self._learn(dt)
        elif self.fast:
            self._doubt(dt, before_s)
        beat = self.sampled_s + self.period_s
        hole = HOLE_PERIODS * self.period_s < dt < float("inf")
        if hole:
            self.recount()
        if self._behind and dt < 0.5 * self.period_s and beat < arrived_s:
            self.sampled_s = beat
            self.late = True
            return False
        self._behind = hole or (dt > 1.5 * self.period_s and dt < float("inf"))
        # The first reading after a pause may be the oldest of many that were held up.
        self.sampled_s = max(beat, before_s) if self._behind else arrived_s
        self.late = self._behind
        return hole

    def counted(self, readings: int, arrived_s: float) -> None:
        """Adds readings that came up to `arrived_s`."""
        self._total += readings
        marks = self._marks
        # What comes late belongs to the time before: no window may begin amidst it.
        if self.late or (marks and arrived_s - marks[-1][0] < _MARK_S):
            return
        marks.append((arrived_s, self._total))
        while arrived_s - marks[0][0] > _LONG_WINDOW_S:
            marks.popleft()
        for mark in reversed(marks):
            self._lately = mark
            if arrived_s - mark[0] >= _RATE_WINDOW_S - _MARK_S:
                self._refine(arrived_s)
                break

    def too_many(self) -> bool:
        """True if the last seconds brought over 1.3 times the readings that they should have.

        A slow chip has so few in a second that less than half as many more need four to be seen.
        """
        return (
            self._sure
            and bool(self._marks)
            and (self._more(MOST_OFTEN, self._lately) or self._more(MOST_OFTEN, self._marks[0]))
        )

    def still_many(self) -> bool:
        """True if the last second brought more than the chip's clock may vary."""
        return bool(self._marks) and self._more(USUAL, self._lately)

    def recount(self) -> None:
        """Forgets how many readings came: too many were not the chip's own, or some were lost."""
        self._marks.clear()

    def _more(self, times: float, mark: tuple[float, int]) -> bool:
        started_s, before = mark
        span_s = self.arrived_s - started_s
        if span_s < _RATE_WINDOW_S:
            span_s = _RATE_WINDOW_S
        # One reading of grace: the window's ends fall anywhere between two readings.
        return self._total - before > times * span_s / self.period_s + 1

    def _learn(self, dt: float) -> None:
        if 0.002 < dt < 2.0:
            self._dts.append(dt)
        if len(self._dts) >= _LEARNED_FROM:
            self._learned_period_s = max(median(self._dts), FASTEST_PERIOD_S)
            self._beats_every(self._learned_period_s)
            self.ready = True
            self._dts.clear()
            self.recount()

    def _doubt(self, dt: float, before_s: float) -> None:
        """Learns anew if a chip that seemed fast is slow: the first readings came in a burst."""
        if before_s != self._slow_until_s:
            self._dts.clear()
        if dt > FAST_PERIOD_S:
            self._slow_until_s = self.arrived_s
            self._learn(dt)

    def _refine(self, arrived_s: float) -> None:
        started_s, before = self._lately
        span_s = arrived_s - started_s
        if not self.ready or span_s > 2 * _RATE_WINDOW_S or self._total == before:
            return
        period_s = max(span_s / (self._total - before), FASTEST_PERIOD_S)
        # Held against what was learned, not what it became: lost words would draw it along.
        if 0.9 < period_s / self._learned_period_s < 1.1:
            self._sure = True
            self._beats_every(self.period_s + 0.1 * (period_s - self.period_s))
        elif not self._sure and self._hid_its_beat(period_s):
            if 0.95 < period_s / max(self._counted_period_s, FASTEST_PERIOD_S) < 1.05:
                self._learned_period_s = period_s
                self._beats_every(period_s)
            self._counted_period_s = period_s
        # Crystal and RC clocks of an HX711 hold within a few per cent; anything else is a fault.

    def _hid_its_beat(self, period_s: float) -> bool:
        """True if a line can have made the first readings of such a chip look as they did.

        One that brings them in twos and threes makes their beat longer, one that brought them all
        at once made it that of a fast chip. Lost readings do neither.
        """
        learned_s, (shortest_s, longest_s) = self._learned_period_s, SLOW_MODE_S
        return period_s < learned_s or learned_s < shortest_s <= period_s <= longest_s

    def _beats_every(self, period_s: float) -> None:
        self.period_s = period_s
        self.fast = period_s < FAST_PERIOD_S
