"""What one weight did since it last rested: the trail of a motion, and where it held still.

It never decides what a motion meant, and knows no counts and no cards.
"""

import math
from bisect import bisect_left, bisect_right
from itertools import pairwise
from statistics import median

import msgspec

from companion.scale.cadence import Cadence

TRAIL_S = 4.0
"""No hand stays longer on a card; a longer trail would only cost memory."""
MOST_READINGS = 4096
"""Twice what the fastest chip says in that time; a clock may stand still."""
FLAT_S = 0.25
LONG_FLAT_S = 1.0
NOISY_FLAT_S = 2.0
KNOWN = 0.3
"""A mean is known if it strays by a third of a step, a tenth of a card."""
STEADY_G_PER_S = 0.6
"""Drift of bad cells is 0.2 g/s and ramps reach 0.3; a card laid down slowly is faster."""
FORETOLD_S = 4.0
"""A drift is foretold this far; measured, cells wander rather than run for longer."""
JUMP_S = 0.2
JUMP_GAP_S = 0.4
"""A card that a held tray takes up slowly comes in a second; a ramp of 0.3 g/s stays below."""
FILTER_CONVERSIONS = 4
"""Over so many conversions a chip spreads a step."""


def until_known(sigma_g: float, step_g: float) -> int:
    """How many readings of this noise have a mean that is known."""
    return math.ceil((sigma_g / (KNOWN * step_g)) ** 2)


def reading_at(readings: list[tuple[float, float]], at_s: float) -> float:
    """What lies between two readings, each with its time; beyond their ends the last one."""
    i = bisect_right(readings, (at_s, math.inf))
    (from_s, before), (to_s, after) = readings[max(0, i - 1)], readings[min(i, len(readings) - 1)]
    passed = 0.0 if to_s == from_s else (at_s - from_s) / (to_s - from_s)
    return before + (after - before) * passed


GAP_PERIODS = 2.5
"""Between readings further apart nothing is known of what moves."""


def gap_at(readings: list[tuple[float, float]], at_s: float) -> float:
    """How far apart the two readings around that moment are, seconds; 0 beyond their ends."""
    i = bisect_right(readings, (at_s, math.inf))
    return readings[i][0] - readings[i - 1][0] if 0 < i < len(readings) else 0.0


def undamaged(readings: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The same without single damaged words, and without the first and the last reading."""
    return [
        (readings[i][0], median(value for _, value in readings[i - 1 : i + 2]))
        for i in range(1, len(readings) - 1)
    ]


class Flat(msgspec.Struct, frozen=True):
    """A stretch in which the weight held still."""

    level_g: float
    since_s: float
    until_s: float
    readings: int
    sigma_g: float


class Base(msgspec.Struct, frozen=True):
    """The level at rest when a motion began, and how it was drifting."""

    level_g: float
    at_s: float
    drift_g_per_s: float

    def at(self, moment_s: float) -> float:
        ahead_s = moment_s - self.at_s
        if not 0.0 <= ahead_s <= FORETOLD_S:
            ahead_s = min(max(ahead_s, 0.0), FORETOLD_S)
        return self.level_g + self.drift_g_per_s * ahead_s


class Trail:
    """The readings since a motion began, at most some seconds of them."""

    __slots__ = ("_cadence", "_pull_g", "_push_g", "grams", "times")

    def __init__(self, cadence: Cadence) -> None:
        self._cadence = cadence
        self.times: list[float] = []
        self.grams: list[float] = []
        self._pull_g, self._push_g = math.inf, -math.inf
        """The least and the most that two readings in a row agree on."""

    def add(self, now_s: float, grams: float) -> None:
        if self.grams:
            self._agree(self.grams[-1], grams)
        self.times.append(now_s)
        self.grams.append(grams)
        if len(self.times) > MOST_READINGS:
            self._forget(MOST_READINGS // 2)

    def _agree(self, grams: float, after: float) -> None:
        low, high = (grams, after) if grams < after else (after, grams)
        if low > self._push_g:
            self._push_g = low
        if high < self._pull_g:
            self._pull_g = high

    def clear(self) -> None:
        self._forget(len(self.times))

    def _forget(self, readings: int) -> None:
        del self.times[:readings], self.grams[:readings]
        self._pull_g, self._push_g = math.inf, -math.inf
        for grams, after in pairwise(self.grams):
            self._agree(grams, after)

    def shorten(self, now_s: float) -> None:
        """Forgets what lies further back than anything that is asked for."""
        if len(self.times) > 16 and self.times[0] < now_s - 2 * TRAIL_S:
            self._forget(bisect_left(self.times, now_s - TRAIL_S))

    # --- where it holds still ----------------------------------------------------------------

    def flat(self, sigma_g: float, step_g: float, *, first: bool) -> Flat | None:
        """Where it holds still now; `first` asks for twice as long, as nothing is known yet."""
        return self._short_flat(sigma_g, step_g, first=first) or self._long_flat(step_g)

    def _short_flat(self, sigma_g: float, step_g: float, *, first: bool) -> Flat | None:
        period_s = self._cadence.period_s
        count = max(4, round(FLAT_S / period_s)) * (2 if first else 1)
        # A noisy cell must be heard for longer, until its mean is known.
        count = max(count, min(until_known(sigma_g, step_g), round(NOISY_FLAT_S / period_s)))
        values = self.grams[-count:]
        if len(values) < count:
            return None
        trim = count // 8
        ordered = sorted(values)
        spread = ordered[-1 - trim] - ordered[trim]
        if spread > 4.5 * sigma_g + 0.1 or spread == 0:
            return None
        half = count // 2
        drift = sum(values[half:]) / (count - half) - sum(values[:half]) / half
        allowed = 3 * sigma_g * math.sqrt(4 / count)
        if abs(drift) > allowed + STEADY_G_PER_S * half * period_s:
            return None
        kept = ordered[trim : count - trim]
        level_g = sum(kept) / len(kept)
        return Flat(level_g, self.times[-count], self.times[-1], count, sigma_g)

    def _long_flat(self, step_g: float) -> Flat | None:
        """Rest under new noise or ringing: the means hold still although the readings do not."""
        quarter = max(2, round(LONG_FLAT_S / 4 / self._cadence.period_s))
        count = 4 * quarter
        values = self.grams[-count:]
        if len(values) < count or self.times[-1] - self.times[-count] > 2 * LONG_FLAT_S:
            return None
        if min(values) == max(values):
            return None
        means = [sum(values[i * quarter : (i + 1) * quarter]) / quarter for i in range(4)]
        swing = max(means) - min(means)
        if swing > step_g:
            return None
        mean = sum(means) / 4
        sigma_g = math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
        if sigma_g >= 5 * step_g or swing > 3 * sigma_g / math.sqrt(quarter) + 0.1:
            return None
        return Flat(mean, self.times[-count], self.times[-1], count, sigma_g)

    def quick(self, seconds: float, sigma_g: float) -> Flat | None:
        """The newest readings as they are, with their own spread as the noise."""
        count = max(2, round(seconds / self._cadence.period_s))
        values = self.grams[-count:]
        if len(values) < count:
            return None
        spread = max(values) - min(values)
        unrest_g = math.hypot(sigma_g / math.sqrt(count), 0.35 * spread)
        return Flat(sum(values) / count, self.times[-count], self.times[-1], count, unrest_g)

    # --- how it moved ------------------------------------------------------------------------

    def between(self, base: Base, begin_s: float, end_s: float) -> list[float]:
        """Deviations from the base in this stretch, grams."""
        return [grams for _, grams in self.readings_between(base, begin_s, end_s)]

    def readings_between(
        self, base: Base, begin_s: float, end_s: float
    ) -> list[tuple[float, float]]:
        """The same, each with its time."""
        times, grams = self.times, self.grams
        first, last = bisect_left(times, begin_s), bisect_left(times, end_s)
        return [(times[i], grams[i] - base.at(times[i])) for i in range(first, last)]

    def left_base_s(self, base: Base, tolerance_g: float, end_s: float) -> float | None:
        """When it last left the base for good before `end_s`; None if it was not there."""
        need = 5 if self._cadence.fast else 2
        run = 0
        for i in range(bisect_left(self.times, end_s) - 1, -1, -1):
            away_g = abs(self.grams[i] - base.at(self.times[i]))
            run = run + 1 if away_g < tolerance_g else 0
            if run >= need:
                return self.times[i + run - 1]
        return None

    def last_above_s(self, base: Base, away_g: float) -> float | None:
        """When two readings in a row last weighed so much more than the base, or None."""
        above = 0
        for i in range(len(self.grams) - 1, -1, -1):
            above = above + 1 if self.grams[i] - base.at(self.times[i]) > away_g else 0
            if above == 2:
                return self.times[i]
        return None

    def jump_g(self, first_g: float) -> float:
        """The largest change of its mean from one moment to half a second later, grams."""
        width = max(2, round(JUMP_S / self._cadence.period_s))
        gap = max(FILTER_CONVERSIONS - 1, round(JUMP_GAP_S / self._cadence.period_s))
        values, largest = self.grams, 0.0
        for i in range(width, len(values) + 1, max(1, width // 4)):
            end = i - width - gap
            before = sum(values[end - width : end]) / width if end >= width else first_g
            largest = max(largest, abs(sum(values[i - width : i]) / width - before))
        return largest

    def extremes(self, base: Base) -> tuple[float, float]:
        """The strongest pull and push that two readings in a row agree on, grams."""
        if len(self.grams) < 2:
            return 0.0, 0.0
        level_g = base.at(self.times[-1])
        return min(self._pull_g - level_g, 0.0), max(self._push_g - level_g, 0.0)
