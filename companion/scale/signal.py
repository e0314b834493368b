"""One load cell's readings as grams: what is valid, what rests, what moves and how it moved.

It never counts cards: what a change of weight means is decided where both trays are seen.
"""

import math
from typing import NamedTuple

from companion.events import Sensor
from companion.scale.cadence import Cadence
from companion.scale.calibration import DeckCalibration
from companion.scale.faults import NOISY_AFTER_S, CellHealth

SETTLING_CONVERSIONS = 4
"""What an HX711 needs after power-up; measured: the first three are off by up to 0.6 g."""
ABSURD_G = 1500.0
"""No hand presses harder on a 1 kg cell; a word beyond it is damaged."""
TRAIL_S = 4.0
BLOCK_S = 0.4
FLAT_S = 0.25
LONG_FLAT_S = 1.0
STEADY_G_PER_S = 0.6
"""Drift of bad cells is 0.2 g/s and ramps reach 0.3; a card laid down slowly is faster."""
FIRST_SIGMA_G = 0.05


class Flat(NamedTuple):
    """A stretch in which the weight held still."""

    level_g: float
    since_s: float
    until_s: float
    readings: int
    sigma_g: float


class Base(NamedTuple):
    """The level at rest when a motion began, and how it was drifting."""

    level_g: float
    at_s: float
    drift_g_per_s: float

    def at(self, moment_s: float) -> float:
        return self.level_g + self.drift_g_per_s * min(max(moment_s - self.at_s, 0.0), 10.0)


class Cell:
    """Follows one cell. While it rests a reading costs two comparisons and an append."""

    def __init__(self, sensor: Sensor, calibration: DeckCalibration, card_g: float) -> None:
        self.cadence = Cadence()
        self.health = CellHealth(sensor, self.cadence)
        self._zero = calibration.zero
        self._scale = calibration.counts_per_gram
        self._step_g = 0.3 * card_g
        self.sigma_g = FIRST_SIGMA_G
        self.base: Base | None = None
        self.moving = True
        self.flat: Flat | None = None
        self.push_g = 0.0
        self.pull_g = 0.0
        self.onset_s = -math.inf
        self.onset_up: bool | None = None
        self.times: list[float] = []
        self.grams: list[float] = []
        self._block: list[int] = []
        self._block_from_s = 0.0
        self._block_size = 5
        self._counted = 0
        self._low = self._high = 0.0
        self._early_s = self._late_s = 0.0
        self._discard = 0
        self._suspect: tuple[float, float] | None = None
        self._since_look = 0
        self._last_counts: int | None = None
        self.rest_since_s = math.inf
        self._noise: list[tuple[float, int, float]] = []

    # --- one reading -----------------------------------------------------------------------

    def take(self, arrived_s: float, counts: int) -> bool:
        """Takes a reading; True if there is something new to look at."""
        dt = arrived_s - self.cadence.arrived_s
        if (
            self._low < counts < self._high
            and self._early_s < dt < self._late_s
            and counts != self._last_counts
        ):
            cadence = self.cadence
            cadence.arrived_s = cadence.sampled_s = arrived_s
            self._last_counts = counts
            block = self._block
            block.append(counts)
            if len(block) >= self._block_size:
                return self._close_block(arrived_s)
            return False
        return self._take_with_care(arrived_s, counts)

    def _take_with_care(self, arrived_s: float, counts: int) -> bool:
        cadence, health = self.cadence, self.health
        if cadence.arrived_s > -math.inf:
            if arrived_s - cadence.arrived_s >= health.silence_limit_s():
                health.silent(cadence.arrived_s, arrived_s)
        if cadence.take(arrived_s):
            self._discard = SETTLING_CONVERSIONS
        elif cadence.late:
            self._discard = 0
        else:
            cadence.counted(1, arrived_s)
            self._counted += 1
        self._last_counts = counts
        was_blind = health.blind
        if not health.word(arrived_s, counts):
            if not was_blind and health.blind and self.base is not None:
                self.disturb(arrived_s)
            return bool(health.news)
        if was_blind:
            self._discard = SETTLING_CONVERSIONS
        if self._discard:
            self._discard -= 1
            return bool(health.news)
        grams = (counts - self._zero) / self._scale
        if abs(grams) > ABSURD_G:
            health.damaged(arrived_s)
            return bool(health.news)
        now_s = cadence.sampled_s
        if self.moving:
            self._follow(now_s, grams)
            return self._look() or bool(health.news)
        return self._compare(now_s, grams, counts) or bool(health.news)

    def _compare(self, now_s: float, grams: float, counts: int) -> bool:
        assert self.base is not None
        away = abs(grams - self.base.at(now_s)) > self._threshold_g
        suspect, self._suspect = self._suspect, None
        if not away:
            if suspect is not None:
                self.health.damaged(now_s)  # a single word that went away and came back
            self._block.append(counts)
            if len(self._block) >= self._block_size:
                return self._close_block(now_s)
            return False
        if suspect is None:
            self._suspect = (now_s, grams)
            return False
        self.disturb(suspect[0] - self.cadence.period_s)
        self._follow(*suspect)
        self._follow(now_s, grams)
        return True

    @property
    def _threshold_g(self) -> float:
        return max(self._step_g, 5 * self.sigma_g)

    # --- at rest ---------------------------------------------------------------------------

    def _close_block(self, now_s: float) -> bool:
        block, base = self._block, self.base
        assert base is not None
        count = len(block)
        self.cadence.counted(max(0, count - self._counted), self.cadence.arrived_s)
        self._counted = 0
        ordered = sorted(block)
        trim = max(1, count // 8) if count > 3 else 0
        kept = ordered[trim : count - trim]
        mean = sum(kept) / len(kept)
        level_g = (mean - self._zero) / self._scale
        middle_s = (self._block_from_s + now_s) / 2
        sigma_g = self._block_sigma(ordered, mean)
        off_g = level_g - base.at(middle_s)
        doubt_g = 4 * self.sigma_g / math.sqrt(count)
        if abs(off_g) > max(self._step_g, doubt_g):
            self.disturb(self._block_from_s)
            for i, value in enumerate(block):
                at_s = self._block_from_s + (now_s - self._block_from_s) * (i + 1) / count
                self._follow(at_s, (value - self._zero) / self._scale)
            return True
        self.sigma_g += 0.1 * (sigma_g - self.sigma_g)
        self._note_noise(now_s, count, sigma_g)
        span_s = max(middle_s - base.at_s, 1e-3)
        drift = base.drift_g_per_s + 0.08 * off_g / span_s
        limit = STEADY_G_PER_S
        self._rest_at(
            Base(base.at(middle_s) + 0.5 * off_g, middle_s, min(max(drift, -limit), limit)), now_s
        )
        return True

    def _block_sigma(self, ordered: list[int], mean: float) -> float:
        count = len(ordered)
        if count < 4:
            return self.sigma_g
        inner = ordered[1:-1] if count < 12 else ordered[count // 8 : count - count // 8]
        spread = sum((value - mean) ** 2 for value in inner) / len(inner)
        # What trimming the ends of a normal distribution takes from its spread.
        return math.sqrt(spread) / abs(self._scale) * (2.2 if count < 12 else 1.6)

    def _rest_at(self, base: Base, now_s: float) -> None:
        self.base = base
        self._block.clear()
        self._block_from_s = now_s
        period_s = self.cadence.period_s
        self._block_size = max(4, round(BLOCK_S / period_s))
        self._early_s, self._late_s = 0.3 * period_s, 1.8 * period_s
        middle = base.at(now_s + BLOCK_S / 2)
        half = self._threshold_g - abs(base.drift_g_per_s) * BLOCK_S / 2
        ends = [self._zero + (middle + side * half) * self._scale for side in (-1, 1)]
        self._low, self._high = min(ends), max(ends)

    def _note_noise(self, now_s: float, count: int, sigma_g: float) -> None:
        noise = self._noise
        noise.append((now_s, count, count * sigma_g**2))
        while now_s - noise[0][0] > NOISY_AFTER_S:
            noise.pop(0)
        if noise[-1][0] - noise[0][0] > NOISY_AFTER_S - 2 * BLOCK_S:
            power = sum(entry[2] for entry in noise) / sum(entry[1] for entry in noise)
            self.health.noise(now_s, math.sqrt(power))

    # --- in motion -------------------------------------------------------------------------

    def disturb(self, onset_s: float) -> None:
        """Leaves rest: from now on the base is frozen."""
        self.moving = True
        self.onset_s = onset_s
        self.onset_up = None
        self.rest_since_s = math.inf
        self._low, self._high = math.inf, -math.inf
        self._block.clear()
        self._suspect = None
        self.forget_motion()

    def forget_motion(self) -> None:
        """Starts the record of pushes and pulls anew."""
        self.times.clear()
        self.grams.clear()
        self.flat = None
        self.push_g = self.pull_g = 0.0

    def settle(self, level_g: float) -> None:
        """Rests at this level from now on."""
        now_s = self.cadence.sampled_s
        drift = self.base.drift_g_per_s if self.base else 0.0
        self.moving = False
        self.rest_since_s = self.flat.since_s if self.flat else now_s
        at_s = (self.flat.since_s + self.flat.until_s) / 2 if self.flat else now_s
        if self.flat:
            self.sigma_g = max(self.sigma_g, 0.5 * self.flat.sigma_g)
        self.forget_motion()
        self._rest_at(Base(level_g, at_s, drift), now_s)

    def _follow(self, now_s: float, grams: float) -> None:
        if self.grams and self.base is not None:
            before = self.base.at(now_s)
            away, previous = grams - before, self.grams[-1] - before
            self.push_g = max(self.push_g, min(away, previous))
            self.pull_g = min(self.pull_g, max(away, previous))
            if self.onset_up is None and min(abs(away), abs(previous)) > self._step_g:
                self.onset_up = away > 0
        self.times.append(now_s)
        self.grams.append(grams)
        if len(self.times) > 16 and self.times[0] < now_s - 2 * TRAIL_S:
            keep = sum(moment > now_s - TRAIL_S for moment in self.times)
            del self.times[:-keep], self.grams[:-keep]

    def _look(self) -> bool:
        self._since_look += 1
        if self.cadence.fast and self._since_look < 3:
            return False
        self._since_look = 0
        was = self.flat
        self.flat = self._short_flat() or self._long_flat()
        if self.flat is None:
            self.rest_since_s = math.inf
        elif was is None:
            self.rest_since_s = self.flat.since_s
        return True

    def _short_flat(self) -> Flat | None:
        count = max(4, round(FLAT_S / self.cadence.period_s))
        if self.base is None:
            count *= 2
        values = self.grams[-count:]
        if len(values) < count:
            return None
        ordered = sorted(values)
        trim = count // 8
        spread = ordered[-1 - trim] - ordered[trim]
        half = count // 2
        drift = sum(values[half:]) / (count - half) - sum(values[:half]) / half
        allowed = 3 * self.sigma_g * math.sqrt(4 / count)
        allowed += STEADY_G_PER_S * half * self.cadence.period_s
        if spread > 4.5 * self.sigma_g + 0.1 or abs(drift) > allowed or spread == 0:
            return None
        kept = ordered[trim : count - trim]
        return Flat(sum(kept) / len(kept), self.times[-count], self.times[-1], count, self.sigma_g)

    def _long_flat(self) -> Flat | None:
        """Rest under noise or ringing that is new: the means hold still although readings do not."""
        count = 4 * max(2, round(LONG_FLAT_S / 4 / self.cadence.period_s))
        values = self.grams[-count:]
        if len(values) < count or self.times[-1] - self.times[-count] > 2 * LONG_FLAT_S:
            return None
        quarter = count // 4
        means = [sum(values[i * quarter : (i + 1) * quarter]) / quarter for i in range(4)]
        mean = sum(means) / 4
        sigma_g = math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
        if sigma_g > 1.5 * self._step_g / 0.3 or sigma_g == 0:
            return None
        if max(means) - min(means) > 3 * sigma_g / math.sqrt(quarter) + 0.1:
            return None
        if max(means) - min(means) > self._step_g:
            return None
        return Flat(mean, self.times[-count], self.times[-1], count, sigma_g)

    def quick(self, seconds: float) -> Flat | None:
        """The mean of the newest readings if they lie close together, however short that was."""
        count = max(2, round(seconds / self.cadence.period_s))
        values = self.grams[-count:]
        if len(values) < count or max(values) - min(values) > 4 * self.sigma_g + self._step_g:
            return None
        return Flat(sum(values) / count, self.times[-count], self.times[-1], count, self.sigma_g)

    def recent_g(self) -> float | None:
        """The mean of the last few readings."""
        if not self.moving:
            return self.now_g()
        values = self.grams[-4:]
        return sum(values) / len(values) if values else None

    def now_g(self) -> float | None:
        """The best guess of the weight now."""
        if self.moving:
            return self.grams[-1] if self.grams else None
        return self.base.at(self.cadence.sampled_s) if self.base else None
