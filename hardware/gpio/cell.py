"""Reads one chip step by step: what is good becomes a sample, what is not a fault with a name.

It never waits, never averages, and never touches the other chip.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from companion.clock import Clock
from companion.events import FaultKind, Sensor, SensorFault
from companion.units import Counts
from hardware.gpio.word import Damage, Word
from hardware.inbox import Inbox, cell_sample

POLL_S = 0.001
"""How often DOUT is looked at: 1/12 of a conversion at 80 SPS."""

LOOK_AHEAD_S = 0.015
"""How long before a conversion DOUT is looked at again: more than a busy Pi sleeps in."""

RESTART_PULSE_S = 0.001
"""Far over the 60 µs of the data sheet, far under a conversion."""

SETTLING_WORDS = 4
"""Conversions to discard after a restart (data sheet: settling is 4 conversions)."""

ODD_WORDS = 5
"""So many in a row, each after a hole or too late, are words of another rate."""

SILENT_S = 1.0
RESTART_EVERY_S = 2.0
FORGET_RATE_S = 2.0

SLOW_LIMIT_HZ = 15.0
FAST_LIMIT_HZ = 122.0
"""1.3 times the fastest real chips: 11.6 a second at 10 SPS, 94 at 80."""
FAST_RATES_HZ = (75, 98)
"""What a chip at 80 SPS really does; a 10 SPS chip with a loose DOUT does more."""

ONES_TO_DOUBT = 10
"""A run of ones this long ends one honest word in 1024, and every word that a dead chip cut."""


class Chip(Protocol):
    """The lines of one chip (see `hardware.gpio.lines.ChipLines`)."""

    def ready(self) -> bool: ...
    def read(self) -> Word: ...
    def hold_clock(self, high: bool) -> None: ...


@dataclass(slots=True)
class CellCounters:
    """What a reader has seen since it began; `tippo doctor` shows it."""

    good: int = 0
    settling: int = 0
    late: int = 0
    """Words that were lost because the machine was late."""
    restarts: int = 0
    silences: int = 0
    damaged: dict[str, int] = field(default_factory=dict)


class CellReader:
    """The reader of one chip. Call `step` whenever it asked to be called."""

    def __init__(
        self,
        sensor: Sensor,
        chip: Chip,
        clock: Clock,
        inbox: Inbox,
        tilt: Callable[[], bool | None] = lambda: None,
    ) -> None:
        self.sensor = sensor
        self.counters = CellCounters()
        self._chip = chip
        self._clock = clock
        self._inbox = inbox
        self._tilt = tilt
        self._discard = SETTLING_WORDS
        self._holding = False
        self._silent = False
        self._restarted_s = float("-inf")
        self._heard_s: float = clock.mono()
        self._not_ready_s: float = clock.mono()
        self._word_times: deque[float] = deque(maxlen=200)
        self._odd_words = 0
        self._recent_hz = 0
        self._rate_hz: float | None = None
        self._last_good: Counts | None = None
        self._want_restart = True

    @property
    def rate_hz(self) -> float | None:
        """Conversions a second as measured; None until a second has been seen."""
        return self._rate_hz

    def step(self) -> float:
        """Reads a word if one is ready; returns the seconds until the next call."""
        try:
            return self._step()
        except (RuntimeError, OSError) as error:  # what the pin libraries raise
            if not self._silent:
                self._silent = True
                self._fault(FaultKind.SILENT, f"the pins cannot be read: {error}")
            return SILENT_S

    def _step(self) -> float:
        if self._holding:
            self._chip.hold_clock(False)
            self._holding = False
            self._discard = SETTLING_WORDS
            return POLL_S
        now = self._clock.mono()
        if self._want_restart and self._restart_is_due(now):
            return self._restart(now)
        if not self._chip.ready():
            return self._wait(now)
        return self._read(now)

    def _restart_is_due(self, now: float) -> bool:
        return now - self._restarted_s >= RESTART_EVERY_S

    def _restart(self, now: float) -> float:
        self._want_restart = False
        self._restarted_s = now
        self._word_times.clear()
        self.counters.restarts += 1
        self._chip.hold_clock(True)
        self._holding = True
        return RESTART_PULSE_S

    def _wait(self, now: float) -> float:
        self._not_ready_s = now
        waited_s = now - self._heard_s
        if self._rate_hz is not None and waited_s > 3.5 / self._rate_hz:
            self._discard = SETTLING_WORDS  # such a hole is a chip that began afresh
            self._word_times.clear()
        if waited_s >= SILENT_S:
            if not self._silent:
                self._silent = True
                self.counters.silences += 1
                self._fault(
                    FaultKind.SILENT,
                    f"the chip has not been ready for {SILENT_S:.0f} s: is its cable in?",
                )
            if self._restart_is_due(now):
                return self._restart(now)
        return POLL_S

    def _read(self, now: float) -> float:
        word = self._chip.read()
        # From when it was last seen not ready until the last bit less than a conversion may pass.
        took_s = self._clock.mono() - self._not_ready_s
        late = took_s > 0.9 / (self._rate_hz or FAST_RATES_HZ[1])
        self._heard_s = now
        self._silent = False
        if word.damage is Damage.SLOW:
            return self._lost(now, late=late)
        if word.counts is None:
            return self._damaged(word.damage or Damage.OUT_OF_STEP)
        self._measure_rate(now, late=late)
        if self._always_ready():
            self._count_damage("always ready")
            self._fault(FaultKind.DESYNC, f"{self._recent_hz} readings a second: is DOUT loose?")
        elif late:
            # The next conversion may have ended in the middle of the word: neither this word nor
            # what is left of it can be trusted.
            self._too_late()
        elif self._discard:
            self._discard -= 1
            self.counters.settling += 1
        elif self._cut_short(word.counts):
            self._count_damage("ones")
            # If the chip was cut off, the hole that follows says so.
            self._fault(FaultKind.DESYNC, f"the word {word.counts & 0xFFFFFF:06x} ends in ones")
        else:
            self._good(word.counts)
        if word.switched_off:
            self._discard = SETTLING_WORDS
        return self._nap()

    def _too_late(self) -> None:
        self.counters.late += 1
        self._discard = max(self._discard, 1)

    def _lost(self, now: float, *, late: bool) -> float:
        """A word that nobody has read, of a chip that goes on."""
        self._measure_rate(now, late=late)
        if late:
            self._too_late()
        else:
            self.counters.late += 1
            self._discard = max(0, self._discard - 1)
        return self._nap()

    def _good(self, counts: Counts) -> None:
        self._last_good = counts
        self.counters.good += 1
        self._inbox.put(lambda now: cell_sample(self.sensor, counts, now, self._tilt()))

    def _damaged(self, damage: Damage) -> float:
        self._count_damage(damage.name.lower())
        if damage is Damage.SATURATED:
            if self._discard:
                self._discard -= 1
            else:
                self._fault(FaultKind.SATURATED, str(damage))
            return self._nap()
        self._fault(FaultKind.DESYNC, str(damage))
        self._discard = SETTLING_WORDS
        if damage is Damage.OUT_OF_STEP:
            self._want_restart = True
        return max(self._nap(), 0.05)

    def _cut_short(self, counts: Counts) -> bool:
        """Whether the word looks like one whose last bits nobody drove.

        Such a word differs from the true one by less than its run of ones is worth; a word that
        is nearer to the last good one than half of that is taken for honest.
        """
        word = counts & 0xFFFFFF
        ones = ((word ^ (word + 1)).bit_length()) - 1
        if ones < ONES_TO_DOUBT:
            return False
        return self._last_good is None or abs(counts - self._last_good) > 2 ** (ones - 2)

    def _measure_rate(self, now: float, *, late: bool) -> None:
        times = self._word_times
        self._odd_words = self._odd_words + 1 if late or not times else 0
        if self._odd_words >= ODD_WORDS:
            self._odd_words = 0
            self._rate_hz = None
            times.clear()
        times.append(now)
        while now - times[0] > FORGET_RATE_S:
            times.popleft()
        self._recent_hz = sum(now - moment < 1.0 for moment in times)
        if len(times) > 8 and now - times[0] >= 1.0 and not self._always_ready():
            self._rate_hz = (len(times) - 1) / (now - times[0])

    def _always_ready(self) -> bool:
        if self._rate_hz is None or self._rate_hz > SLOW_LIMIT_HZ:
            return self._recent_hz > FAST_LIMIT_HZ
        jumper_moved = FAST_RATES_HZ[0] <= self._recent_hz <= FAST_RATES_HZ[1]
        return self._recent_hz > SLOW_LIMIT_HZ and not jumper_moved

    def _nap(self) -> float:
        """Until shortly before the next conversion, but early enough to be seen not ready."""
        if self._rate_hz is None:
            return POLL_S
        period_s = 1.0 / self._rate_hz
        return max(POLL_S, 0.5 * period_s, period_s - LOOK_AHEAD_S)

    def _count_damage(self, what: str) -> None:
        self.counters.damaged[what] = self.counters.damaged.get(what, 0) + 1

    def _fault(self, kind: FaultKind, detail: str) -> None:
        self._inbox.put(
            lambda now: SensorFault(mono_s=now, sensor=self.sensor, kind=kind, detail=detail)
        )
