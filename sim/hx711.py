"""The HX711 as a chip: two lines, SCK in and DOUT out, conversions that go on by themselves.

It never knows who reads it or why; time comes with every call, and faults are asked for by name.

Source: Avia Semiconductor, HX711 data sheet (serial interface, timing T1-T4, reset and
power-down). Where the sheet is silent the model does what is worst for the host; each such
place says so.
"""

from collections.abc import Callable
from enum import IntEnum, StrEnum

from companion.units import COUNTS_MAX, COUNTS_MIN

POWER_DOWN_S = 60e-6
"""SCK high for longer than this switches the chip off (data sheet, "Reset and Power-Down")."""

SETTLING_CONVERSIONS = 4
"""Output settling: 400 ms at 10 SPS, 50 ms at 80 (data sheet, "Output settling time")."""

WARM_UP_COUNTS = (1300, 900, 600, 300)
"""Errors of the first conversions after power-up, as seen on a 1 kg cell at 10 SPS."""

WORD_BITS = 24

Signal = Callable[[float], int]
"""Counts at channel A, gain 128, at a moment in seconds; beyond 24 bits it saturates."""


class Gain(IntEnum):
    """What the next conversion measures, by the number of pulses that end a word."""

    A128 = 25
    B32 = 26
    A64 = 27


class ChipFault(StrEnum):
    """What a wire or a chip can do; it lasts until it is taken away."""

    UNPLUGGED = "unplugged"
    """The cable is out: DOUT floats, the chip has no power and starts afresh when it returns."""
    NO_CLOCK = "no_clock"
    """The SCK wire is broken: the chip never sees a pulse and stays ready."""
    DOUT_LOW = "dout_low"
    """DOUT is shorted to ground: always ready, every bit 0."""
    SATURATED_HIGH = "saturated_high"
    SATURATED_LOW = "saturated_low"
    FROZEN = "frozen"
    """Every conversion repeats the one before."""
    ASLEEP = "asleep"
    """Powered, but it converts no more: DOUT stays high."""


class Hx711:
    """One chip. Every call gives the time in seconds; it may never be less than before."""

    def __init__(self, signal: Signal, *, rate_hz: float = 10.0, powered_at_s: float = 0.0) -> None:
        self.signal = signal
        self.period_s = 1.0 / rate_hz
        self.longest_high_s = 0.0
        """The longest SCK pulse seen; a good host stays under 50 µs (data sheet, T3)."""
        self.words_read = 0
        self._fault: ChipFault | None = None
        self._powered = True
        self._word: int | None = None
        self._sck = False
        self._sck_rose_s = powered_at_s
        self._now_s = powered_at_s
        self._missed_pulses = 0
        self._doubled_pulses = 0
        self._power_up(powered_at_s)

    # --- the two lines ---------------------------------------------------------------------

    def clock(self, level: bool, now_s: float) -> None:
        """Drives SCK."""
        self.advance(now_s)
        if level == self._sck or self._fault in (ChipFault.UNPLUGGED, ChipFault.NO_CLOCK):
            return
        self._sck = level
        if level:
            self._sck_rose_s = now_s
            self._rising_edge()
        else:
            self.longest_high_s = max(self.longest_high_s, now_s - self._sck_rose_s)
            if not self._powered:
                self._power_up(now_s)

    def dout(self, now_s: float) -> bool | None:
        """The level of DOUT; None where nothing drives the line."""
        self.advance(now_s)
        if self._fault is ChipFault.UNPLUGGED:
            return None
        if self._fault is ChipFault.DOUT_LOW:
            return False
        if not self._powered or self._word is None:
            return True
        if self._pulses == 0:
            return False
        if self._pulses <= WORD_BITS:
            return bool(self._word >> (WORD_BITS - self._pulses) & 1)
        return True

    # --- what can happen to it -------------------------------------------------------------

    @property
    def fault(self) -> ChipFault | None:
        return self._fault

    def set_fault(self, fault: ChipFault | None, now_s: float) -> None:
        """Begins a fault, or ends it with None; a cable put back in is a power-up."""
        self.advance(now_s)
        back = self._fault is ChipFault.UNPLUGGED and fault is not ChipFault.UNPLUGGED
        self._fault = fault
        if back:
            self._sck = False
            self._power_up(now_s)

    def brown_out(self, now_s: float) -> None:
        """The supply dips for a moment: the chip starts afresh, at gain 128."""
        self.advance(now_s)
        self._power_up(now_s)

    def miss_pulses(self, count: int) -> None:
        """The next ``count`` pulses are too weak for the chip to see."""
        self._missed_pulses += count

    def double_pulses(self, count: int) -> None:
        """The next ``count`` pulses ring: the chip sees each twice."""
        self._doubled_pulses += count

    @property
    def gain(self) -> Gain:
        return self._gain

    @property
    def next_end_s(self) -> float:
        """When the conversion that runs now will end."""
        return self._next_s

    def ready(self, now_s: float) -> bool:
        """Whether a conversion waits to be read, whatever the wires say."""
        self.advance(now_s)
        return self._powered and self._word is not None and self._pulses == 0

    # --- inside ----------------------------------------------------------------------------

    def advance(self, now_s: float) -> None:
        """Lets time pass: conversions end, and a clock line left high switches the chip off."""
        if now_s < self._now_s:
            raise ValueError(f"the chip's time goes back from {self._now_s} s to {now_s} s")
        self._now_s = now_s
        off_s = self._sck_rose_s + POWER_DOWN_S
        if self._powered and self._sck and now_s > off_s:
            self._convert_until(off_s)
            self._powered = False
            self._word = None
        elif self._powered:
            self._convert_until(now_s)

    def _power_up(self, now_s: float) -> None:
        self._powered = True
        self._gain = Gain.A128
        self._next_gain = Gain.A128
        self._word = None
        self._counts = 0
        self._pulses = 0
        self._settle(now_s)

    def _settle(self, now_s: float) -> None:
        """The first conversion comes when the filter has settled; the next ones warm up."""
        self._warming = 0
        self._next_s = now_s + SETTLING_CONVERSIONS * self.period_s

    def _convert_until(self, now_s: float) -> None:
        if self._fault in (ChipFault.UNPLUGGED, ChipFault.ASLEEP):
            self._next_s = max(self._next_s, now_s + self.period_s)
            return
        while self._next_s <= now_s:
            if self._next_gain is not self._gain:
                self._gain = self._next_gain
                self._settle(self._next_s)
                continue
            # Nobody sees the conversions that a later one has overwritten: only the last is made.
            skipped = int((now_s - self._next_s) / self.period_s)
            self._warming += skipped
            ended_s = self._next_s + skipped * self.period_s
            self._next_s = ended_s + self.period_s
            self._load(ended_s)

    def _load(self, ended_s: float) -> None:
        """A new word replaces the old one and begins with its first bit.

        The sheet does not say what happens in the middle of a word; here the rest of the pulses
        get the first bits of the new one, so that the host reads a word torn in two.
        """
        if self._fault is not ChipFault.FROZEN:
            self._counts = self._convert(ended_s)
        self._warming += 1
        self._word = self._counts & (1 << WORD_BITS) - 1
        self._pulses = 0

    def _convert(self, ended_s: float) -> int:
        if self._fault is ChipFault.SATURATED_HIGH:
            return COUNTS_MAX
        if self._fault is ChipFault.SATURATED_LOW:
            return COUNTS_MIN
        counts = self.signal(ended_s)
        if self._warming < len(WARM_UP_COUNTS):
            counts += WARM_UP_COUNTS[self._warming]
        if self._gain is Gain.A64:
            counts //= 2
        elif self._gain is Gain.B32:
            counts = 0  # nothing is wired to channel B
        return min(max(counts, COUNTS_MIN), COUNTS_MAX)

    def _rising_edge(self) -> None:
        if self._missed_pulses:
            self._missed_pulses -= 1
            return
        edges = 1
        if self._doubled_pulses:
            self._doubled_pulses -= 1
            edges = 2
        # The sheet does not say what pulses before the end of a conversion do; here nothing.
        if not self._powered or self._word is None:
            return
        for _ in range(edges):
            self._pulses += 1
            if self._pulses == WORD_BITS:
                self.words_read += 1
            elif self._pulses > WORD_BITS:
                self._next_gain = Gain(min(self._pulses, Gain.A64))


class FollowingHx711(Hx711):
    """A chip whose conversions end when they are told: those of a simulated table's own cells."""

    def __init__(self, *, rate_hz: float, powered_at_s: float = 0.0) -> None:
        self._settled_s = powered_at_s
        super().__init__(lambda _: 0, rate_hz=rate_hz, powered_at_s=powered_at_s)

    def convert(self, counts: int, now_s: float) -> None:
        """A conversion ends now with these counts; lost while the chip is off or settles."""
        self.advance(now_s)
        off = self._fault in (ChipFault.UNPLUGGED, ChipFault.ASLEEP)
        if off or not self._powered or now_s < self._settled_s:
            return
        self.signal = lambda _: counts
        self._load(now_s)

    def _settle(self, now_s: float) -> None:
        super()._settle(now_s)
        self._settled_s = self._next_s
        self._next_s = float("inf")

    def _convert_until(self, now_s: float) -> None:
        """Nothing ends by itself."""
