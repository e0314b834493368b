"""Whether a cell's words can be believed: silence, repetition, saturation, damage, noise.

It never looks at what a weight means, only at whether it is one.
"""

import math
from collections import deque

from companion.events import Fault, FaultKind, Recovered, Sensor
from companion.scale.cadence import Cadence
from companion.units import COUNTS_MAX, COUNTS_MIN, MonoSeconds

SILENT_AFTER_S = 1.0
SILENT_AFTER_FAST_S = 0.5
STUCK_AFTER_S = 2.0
STUCK_READINGS = 12
SATURATED_READINGS = 3
DAMAGED_SHARE = 0.25
DAMAGED_WORDS = ((2.0, 7), (4.0, 11))
"""At 10 SPS a quarter of a second's words is three, which 5 % of spikes do by chance; seven within
two seconds they do not, nor eleven within four: once in 10,000 times each."""
MOST_DAMAGED = 200
"""More are not needed to be sure, and a clock that stands still must not fill the memory."""
NOISY_RMS_G = 0.3
NOISY_AFTER_S = 3.0
CALM_SHARE = 0.7
_WINDOW_S = 1.0


class CellHealth:
    """The health of one cell. `news` collects what was decided until somebody takes it."""

    __slots__ = (
        "_cadence", "_clean_since_s", "_damaged", "_end_until_s", "_ends", "_first_end_s", "_good",
        "_noisy", "_same", "_same_since_s", "_same_until_s", "active", "blind", "news", "sensor",
    )  # fmt: skip

    def __init__(self, sensor: Sensor, cadence: Cadence) -> None:
        self.sensor = sensor
        self.news: list[Fault | Recovered] = []
        self.active: FaultKind | None = None
        self._noisy = False
        """It was noisy when a worse fault came, and is until the opposite is seen."""
        self.blind = False
        """True while the cell's words mean nothing."""
        self._cadence = cadence
        self._ends = 0
        self._first_end_s = self._end_until_s = -math.inf
        self._same = 0
        self._same_since_s = self._same_until_s = -math.inf
        self._good = 0
        self._damaged: deque[float] = deque(maxlen=MOST_DAMAGED)
        self._clean_since_s = 0.0

    def silent(self, heard_s: float, now_s: float) -> None:
        """No reading since `heard_s`, which is longer than the limit."""
        if not self.blind:
            lasted = now_s - heard_s
            self._raise(FaultKind.SILENT, heard_s, now_s, f"no reading for {lasted:.2f} s")

    def word(self, now_s: float, counts: int, *, before_s: float, same: bool) -> bool:
        """Takes one word as it came; False if it must not be used as a weight.

        Words that are like what was expected are not shown to it, so `before_s` says when the
        word before it came, and `same` whether that was the same.
        """
        if self.active is FaultKind.SILENT:
            self._recover(now_s, "readings arrive again")
        if counts in (COUNTS_MIN, COUNTS_MAX):
            return self._end_of_range(now_s, before_s)
        if not same:
            self._same, self._same_since_s = 1, now_s
            if self.active is FaultKind.STUCK:
                self._recover(now_s, "the value changes again")
        elif before_s == self._same_until_s:
            self._same += 1
            self._check_stuck(now_s)
        else:
            self._same, self._same_since_s = 2, before_s
        self._same_until_s = now_s
        if self.active is FaultKind.SATURATED:
            self._good += 1
            if self._good >= SATURATED_READINGS:
                self._recover(now_s, f"{self._good} readings within the range")
        self.check_rate(now_s)
        return not self.blind

    def damaged(self, now_s: float) -> None:
        """One more word was found to be no weight."""
        self._clean_since_s = now_s
        damaged = self._damaged
        damaged.append(now_s)
        while now_s - damaged[0] >= DAMAGED_WORDS[-1][0]:
            damaged.popleft()
        if self.blind:
            return
        last_second = sum(moment > now_s - _WINDOW_S for moment in damaged)
        share = last_second * self._cadence.period_s / _WINDOW_S
        if share <= DAMAGED_SHARE:
            return
        for window_s, many in DAMAGED_WORDS:
            lately = [moment for moment in damaged if moment > now_s - window_s]
            if len(lately) >= many:
                detail = f"{share:.0%} of the words are damaged"
                self._raise(FaultKind.DESYNC, lately[0], now_s, detail)
                return

    def noise(self, now_s: float, rms_g: float, lasted_s: float) -> None:
        """The noise of the last three seconds at rest, and for how long it has been high.

        `now_s` is when the last of it was sampled, which may be long before it arrived.
        """
        reason = f"noise of {rms_g:.2f} g rms"
        heard_s = self._cadence.arrived_s
        if self.active is None and rms_g > NOISY_RMS_G and lasted_s >= NOISY_AFTER_S:
            self._noisy = True
            self._raise(FaultKind.NOISY, now_s - lasted_s, heard_s, reason)
        elif self.active is FaultKind.NOISY and rms_g < CALM_SHARE * NOISY_RMS_G:
            self._noisy = False
            self._recover(heard_s, reason)

    def _end_of_range(self, now_s: float, before_s: float) -> bool:
        if not self._ends or before_s != self._end_until_s:
            self._ends, self._first_end_s = 0, now_s
        self._ends += 1
        self._end_until_s = now_s
        self._good = 0
        if self._ends >= SATURATED_READINGS and not self.blind:
            self._raise(
                FaultKind.SATURATED, self._first_end_s, now_s, f"{self._ends} readings at the end"
            )
        return False

    def _check_stuck(self, now_s: float) -> None:
        lasted = now_s - self._same_since_s
        if self._same >= STUCK_READINGS and lasted >= STUCK_AFTER_S and not self.blind:
            detail = f"the same value for {lasted:.1f} s and {self._same} readings"
            self._raise(FaultKind.STUCK, self._same_since_s, now_s, detail)

    def check_rate(self, now_s: float) -> None:
        """Looks whether more readings come than the chip can give."""
        if self.active is FaultKind.DESYNC:
            if self._cadence.still_many():
                self._clean_since_s = now_s
            elif now_s - self._clean_since_s >= _WINDOW_S:
                self._cadence.recount()
                self._recover(now_s, "a second without damaged words")
        elif not self.blind and self._cadence.too_many():
            self._clean_since_s = now_s
            detail = "over 1.3 times the readings that the chip can give"
            self._raise(FaultKind.DESYNC, now_s - _WINDOW_S, now_s, detail)

    def _raise(self, kind: FaultKind, began_s: float, now_s: float, reason: str) -> None:
        self.active, self.blind = kind, kind is not FaultKind.NOISY
        self._good = 0
        self.news.append(
            Fault(
                began_s=MonoSeconds(began_s), decided_s=MonoSeconds(now_s), reasons=(reason,),
                sensor=self.sensor, kind=kind,
            )
        )  # fmt: skip

    def _recover(self, now_s: float, reason: str) -> None:
        kind, self.blind = self.active, False
        assert kind is not None
        self.active = FaultKind.NOISY if self._noisy else None
        self._damaged.clear()
        self.news.append(
            Recovered(
                began_s=MonoSeconds(now_s), decided_s=MonoSeconds(now_s), reasons=(reason,),
                sensor=self.sensor, kind=kind,
            )
        )  # fmt: skip
