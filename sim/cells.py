"""A load cell and its HX711 at sample level: force in grams comes out as counts, late and noisy.

It never judges, filters or hides anything; the chip's pins, pulse by pulse, are `sim.hx711`.
"""

import math
from collections import deque
from dataclasses import dataclass
from random import Random

from companion.units import COUNTS_MAX, COUNTS_MIN

WINDOW = 4
"""Conversions that a reading looks back over."""

_ROOT_HALF = math.sqrt(0.5)
_WANDER_S = 0.05
"""How often drift and creep move on: a 0.2 g/s ramp is then smooth to 0.01 g."""


def answered(periods: float) -> float:
    """Which part of a step a reading shows `periods` conversions after it: a fourth-order sinc.

    Half after two conversions and all after four, as measured on real chips.
    """
    if periods <= 0.0:
        return 0.0
    if periods >= WINDOW:
        return 1.0
    # The kernel is symmetric: the second half is the first one seen from the end.
    near = periods if periods <= 2.0 else WINDOW - periods
    square = near * near
    rise = square * square / 24.0
    if near > 1.0:
        square = (near - 1.0) * (near - 1.0)
        rise -= square * square / 6.0
    return rise if periods <= 2.0 else 1.0 - rise


@dataclass(slots=True)
class CellNature:
    """One cell with its chip; figures as measured on 1 kg bar cells at gain 128.

    Faults change them while the table runs.
    """

    rate: float
    """Conversions a second by the chip's own clock."""
    zero: int
    counts_per_gram: float
    noise_counts: float
    """rms. Neighbouring readings share half of it: the chip's filter overlaps."""
    drift_g: float = 0.007
    """Random walk, grams a root second: 0.05 g in a minute."""
    ramp_g_s: float = 0.0
    creep: float = 0.0004
    """Which part of a load is added slowly while it lies, ..."""
    creep_s: float = 200.0
    """... and how slowly."""
    ripple_g: float = 0.0
    ripple_s: float = 600.0
    """A slow wave of temperature."""
    gain_error: float = 0.0
    """By which part of it the calibration is wrong about `counts_per_gram`."""
    jitter: float = 2e-4
    """rms of one conversion's length, as a part of it."""

    @classmethod
    def found_in_a_drawer(cls, sps: int, rng: Random) -> "CellNature":
        """A cell and a chip as they may come."""
        fast = sps == 80
        return cls(
            rate=rng.uniform(82.0, 94.0) if fast else rng.uniform(10.2, 11.6),
            zero=rng.randint(-250_000, 250_000),
            counts_per_gram=rng.uniform(1000.0, 2200.0),
            noise_counts=rng.uniform(90.0, 105.0) if fast else rng.uniform(12.0, 40.0),
            drift_g=rng.uniform(0.004, 0.012),
            creep=rng.uniform(0.0002, 0.0008),
        )


class CellWithChip:
    """Keeps the forces of the last four conversions and turns them into readings."""

    def __init__(self, nature: CellNature, rng: Random, start_s: float = 0.0) -> None:
        self.nature = nature
        self._rng = rng
        self._forces: deque[tuple[float, float]] = deque([(-math.inf, 0.0)])
        self._last_noise = rng.gauss(0.0, 1.0)
        self._walk_g = 0.0
        self._crept_g = 0.0
        self._off_g = 0.0
        self._wandered_s = start_s
        self._wander_s = start_s
        self._next_s = start_s + rng.uniform(0.1, 1.0) / nature.rate

    def bear(self, at_s: float, grams: float) -> None:
        """From `at_s` on the cell feels `grams`."""
        if self._forces[-1][1] != grams:
            self._forces.append((at_s, grams))

    def lie_at(self, grams: float) -> None:
        """The cell has felt `grams` for ever: how a trace begins with cards in the tray."""
        self._forces = deque([(-math.inf, grams)])
        self._crept_g = grams * self.nature.creep

    def convert_with(self, other: "CellWithChip") -> None:
        """Runs on the other chip's clock from now on."""
        self.nature.rate = other.nature.rate
        self.nature.jitter = other.nature.jitter = 0.0
        self._next_s = other._next_s

    def convert(self, until_s: float) -> list[tuple[float, int]]:
        """Every reading up to `until_s` that has not been given yet, with its time."""
        readings: list[tuple[float, int]] = []
        nature, uniform = self.nature, self._rng.random
        period = 1.0 / nature.rate
        # A uniform deviate of the same rms as the jitter.
        spread = period * nature.jitter * math.sqrt(12.0)
        at = self._next_s
        while at <= until_s:
            readings.append((at, self._counts(at, period)))
            at += period + spread * (uniform() - 0.5)
        self._next_s = at
        return readings

    def felt(self, at_s: float, period_s: float) -> float:
        """Grams that the chip's filter shows at `at_s`; times must not go back."""
        forces = self._forces
        begin = at_s - WINDOW * period_s
        while len(forces) > 1 and forces[1][0] <= begin:
            forces.popleft()
        if len(forces) == 1 or forces[1][0] >= at_s:
            return forces[0][1]
        shown = 0.0
        before = 0.0
        earlier, grams = begin, forces[0][1]
        for since, force in forces:
            if since >= at_s:
                break
            if since > earlier:
                part = 1.0 - answered((at_s - since) / period_s)
                shown += grams * (part - before)
                before = part
                earlier = since
            grams = force
        return shown + grams * (1.0 - before)

    def _counts(self, at_s: float, period_s: float) -> int:
        nature = self.nature
        grams = self.felt(at_s, period_s)
        if at_s >= self._wander_s:
            self._wander(at_s, grams)
        grams += self._off_g
        fresh = self._rng.gauss(0.0, 1.0)
        noise = nature.noise_counts * _ROOT_HALF * (fresh + self._last_noise)
        self._last_noise = fresh
        counts = round(nature.zero + nature.counts_per_gram * grams + noise)
        if COUNTS_MIN <= counts <= COUNTS_MAX:
            return counts
        return COUNTS_MIN if counts < 0 else COUNTS_MAX

    def _wander(self, at_s: float, grams: float) -> None:
        """Drift, creep and temperature: too slow to be asked for at every reading."""
        nature = self.nature
        passed = at_s - self._wandered_s
        self._wandered_s = at_s
        self._wander_s = at_s + _WANDER_S
        self._walk_g += nature.drift_g * math.sqrt(passed) * self._rng.gauss(0.0, 1.0)
        self._walk_g += nature.ramp_g_s * passed
        self._crept_g += (grams * nature.creep - self._crept_g) * min(1.0, passed / nature.creep_s)
        self._off_g = self._walk_g + self._crept_g
        if nature.ripple_g:
            self._off_g += nature.ripple_g * math.sin(math.tau * at_s / nature.ripple_s)
