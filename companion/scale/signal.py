"""One load cell's readings as grams: what is valid, what rests, what moves and how it moved.

It never counts cards: what a change of weight means is decided where both trays are seen.
"""

import math
from bisect import bisect_left
from collections import deque
from typing import NamedTuple

from companion.events import Sensor
from companion.scale.cadence import Cadence
from companion.scale.calibration import DeckCalibration
from companion.scale.faults import NOISY_AFTER_S, NOISY_RMS_G, CellHealth

SETTLING_CONVERSIONS = 4
"""What an HX711 needs after power-up; measured: the first three are off by up to 0.6 g."""
ABSURD_G = 1500.0
"""No hand presses harder on a 1 kg cell; a word beyond it is damaged."""
ONES = 0x3FF
"""A clock stretched in mid-word leaves ones to the end; one true word in 1,024 looks like it."""
DAMAGE_G = 5.0
TRAIL_S = 4.0
BLOCK_S = 0.4
FLAT_S = 0.25
LONG_FLAT_S = 1.0
STEADY_G_PER_S = 0.6
"""Drift of bad cells is 0.2 g/s and ramps reach 0.3; a card laid down slowly is faster."""
DRIFT_GAIN = 0.03
"""A drift is learned over some fifteen seconds: a beam that leans for five is not one."""
FIRST_SIGMA_G = 0.05
FIRST_WANDER_G = 0.02
FORETOLD_S = 4.0
"""A drift is foretold this far; measured, cells wander rather than run for longer."""
REMEMBERED_BASES = 3
STEPPED_G = 0.05
LOOK_S = 0.036
JUMP_S = 0.2
JUMP_GAP_S = 0.4
"""A card that a held tray takes up slowly comes in a second; a ramp of 0.3 g/s stays below."""
FILTER_CONVERSIONS = 4
"""Over so many conversions a chip spreads a step."""


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
        return self.level_g + self.drift_g_per_s * min(max(moment_s - self.at_s, 0.0), FORETOLD_S)


class Cell:
    """Follows one cell. While it rests a reading costs a few comparisons and an append."""

    def __init__(self, sensor: Sensor, calibration: DeckCalibration, card_g: float) -> None:
        self.cadence = Cadence()
        self.health = CellHealth(sensor, self.cadence)
        self._zero = calibration.zero
        self._scale = calibration.counts_per_gram
        self.step_g = 0.3 * card_g
        """A change below this is left to drift and noise."""
        self.sigma_g = FIRST_SIGMA_G
        self.wander_g = FIRST_WANDER_G
        """How far the level strays in one block beyond what its drift foretold."""
        self.block_g = 0.0
        """The level of the last block at rest."""
        self.base: Base | None = None
        self.moving = True
        self.flat: Flat | None = None
        self.rest_since_s = math.inf
        self.onset_s = math.inf
        self.stirred_s = -math.inf
        """When it was last in motion."""
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
        self._looked_s = -math.inf
        self._last_counts: int | None = None
        self._noisy_since_s = math.inf
        self._bases: deque[Base] = deque(maxlen=REMEMBERED_BASES)
        """The bases of the last second, oldest first."""
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
        health = self.health
        same_s = self.cadence.arrived_s if counts == self._last_counts else None
        self._last_counts = counts
        self._beat(arrived_s)
        was_blind = health.blind
        grams = (counts - self._zero) / self._scale
        now_s = self.cadence.sampled_s
        damaged = abs(grams) > ABSURD_G or (counts & ONES == ONES and self._away(now_s, grams))
        if damaged:
            health.damaged(arrived_s)
        if not health.word(arrived_s, counts, same_s=same_s):
            if not was_blind and health.blind and self.base is not None:
                self.disturb(arrived_s)
            return bool(health.news)
        if was_blind:
            self._discard = SETTLING_CONVERSIONS
        if self._discard:
            self._discard -= 1
            return bool(health.news)
        if damaged:
            return bool(health.news)
        if self.moving:
            self.times.append(now_s)
            self.grams.append(grams)
            return self._look(now_s) or bool(health.news)
        return self._compare(now_s, grams, counts) or bool(health.news)

    def _beat(self, arrived_s: float) -> None:
        cadence, health = self.cadence, self.health
        silent_s = arrived_s - cadence.arrived_s
        if health.silence_limit_s() <= silent_s < math.inf:
            health.silent(cadence.arrived_s, arrived_s)
        if cadence.take(arrived_s):
            self._discard = SETTLING_CONVERSIONS
            self._early_s = math.inf  # until they are over, each reading is looked at with care
        elif cadence.late:
            self._discard = 0
        else:
            uncounted = max(0, len(self._block) - self._counted)
            cadence.counted(uncounted + 1, arrived_s)
            self._counted += uncounted + 1

    def _away(self, now_s: float, grams: float) -> bool:
        return self.base is None or abs(grams - self.base.at(now_s)) > self.threshold_g

    def _compare(self, now_s: float, grams: float, counts: int) -> bool:
        suspect, self._suspect = self._suspect, None
        if not self._away(now_s, grams):
            self._trust_beat()
            if suspect is not None and abs(suspect[1] - grams) > DAMAGE_G:
                self.health.damaged(now_s)  # one word that went far away and came back
            self._block.append(counts)
            if len(self._block) >= self._block_size:
                return self._close_block(now_s)
            return False
        if suspect is None:
            self._suspect = (now_s, grams)
            self._early_s = math.inf  # the next reading is looked at with care
            return False
        self.disturb(suspect[0])
        for moment_s, weight_g in (suspect, (now_s, grams)):
            self.times.append(moment_s)
            self.grams.append(weight_g)
        return True

    @property
    def threshold_g(self) -> float:
        """What a single reading must be away from the base to be more than noise."""
        return max(self.step_g, 5 * self.sigma_g)

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
        off_g = level_g - base.at(middle_s)
        noise_g = self.sigma_g / math.sqrt(count)
        steady_g = STEADY_G_PER_S * max(middle_s - base.at_s, BLOCK_S)
        if abs(off_g) > max(steady_g, 3 * self.wander_g) + 4 * noise_g:
            since_s = self._block_from_s
            weights = [(value - self._zero) / self._scale for value in block]
            self.disturb(since_s)
            self.times += [since_s + (now_s - since_s) * (i + 1) / count for i in range(count)]
            self.grams += weights
            return True
        sigma_g = self._block_sigma(ordered, mean)
        self.sigma_g += 0.1 * (sigma_g - self.sigma_g)
        self._note_noise(now_s, count, sigma_g)
        span_s = max(middle_s - base.at_s, 1e-3)
        drift = base.drift_g_per_s + DRIFT_GAIN * off_g / span_s
        drift = min(max(drift, -STEADY_G_PER_S), STEADY_G_PER_S)
        # The more a block is off for its noise, the more of it is drift and is followed.
        gain = min(max(off_g**2 / (off_g**2 + 2 * noise_g**2), 0.3), 0.95)
        wander = max(off_g**2 - noise_g**2, 0.0)
        self.wander_g += 0.05 * (math.sqrt(wander) - self.wander_g)
        self.block_g = level_g
        self._bases.append(base)
        self._rest_at(Base(base.at(middle_s) + gain * off_g, middle_s, drift), now_s)
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
        self._block_size = max(4, round(BLOCK_S / self.cadence.period_s))
        self._trust_beat()
        middle = base.at(now_s + BLOCK_S / 2)
        half = self.threshold_g - abs(base.drift_g_per_s) * BLOCK_S / 2
        ends = [self._zero + (middle + side * half) * self._scale for side in (-1, 1)]
        self._low, self._high = min(ends), max(ends)

    def _trust_beat(self) -> None:
        period_s = self.cadence.period_s
        self._early_s, self._late_s = 0.3 * period_s, 1.8 * period_s

    def _note_noise(self, now_s: float, count: int, sigma_g: float) -> None:
        noise = self._noise
        noise.append((now_s, count, count * sigma_g**2))
        while now_s - noise[0][0] > NOISY_AFTER_S:
            noise.pop(0)
        if sigma_g < 0.5 * NOISY_RMS_G:
            self._noisy_since_s = now_s
        power = sum(entry[2] for entry in noise) / sum(entry[1] for entry in noise)
        self.health.noise(now_s, math.sqrt(power), now_s - self._noisy_since_s)

    # --- in motion -------------------------------------------------------------------------

    def disturb(self, onset_s: float) -> None:
        """Leaves rest: from now on the base is frozen."""
        self.moving = True
        self.base = self._base_before()
        self._bases.clear()
        self.onset_s = onset_s
        self.rest_since_s = math.inf
        self._low, self._high = math.inf, -math.inf
        self._suspect = None
        self._block.clear()
        self._counted = 0
        self.flat = None
        self.times.clear()
        self.grams.clear()

    def _base_before(self) -> Base | None:
        """The base, or an earlier one if it followed what was the beginning of a motion."""
        base = self.base
        slack_g = 4 * self.sigma_g / math.sqrt(self._block_size) + 2 * self.wander_g + STEPPED_G
        for older in reversed(self._bases):
            if base is not None and abs(base.level_g - older.at(base.at_s)) > slack_g:
                base = older
        return base

    def settle(self, flat: Flat) -> None:
        """Rests at this level from now on."""
        drift = self.base.drift_g_per_s if self.base else 0.0
        if self.base is not None:
            self.stirred_s = flat.since_s
        self.moving = False
        self.flat = None
        self.rest_since_s = min(self.rest_since_s, flat.since_s)
        if flat.sigma_g > self.sigma_g:  # new noise: learned at once, forgotten slowly
            self.sigma_g = flat.sigma_g
            self._noisy_since_s = min(self._noisy_since_s, flat.since_s)
        self.times.clear()
        self.grams.clear()
        self.block_g = flat.level_g
        self._bases.clear()
        at_s = (flat.since_s + flat.until_s) / 2
        self._rest_at(Base(flat.level_g, at_s, drift), self.cadence.sampled_s)

    def _look(self, now_s: float) -> bool:
        if now_s - self._looked_s < LOOK_S:
            return False
        self._looked_s = now_s
        times = self.times
        if len(times) > 16 and times[0] < now_s - 2 * TRAIL_S:
            drop = bisect_left(times, now_s - TRAIL_S)
            del times[:drop], self.grams[:drop]
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
        trim = count // 8
        ordered = sorted(values)
        spread = ordered[-1 - trim] - ordered[trim]
        if spread > 4.5 * self.sigma_g + 0.1 or spread == 0:
            return None
        half = count // 2
        drift = sum(values[half:]) / (count - half) - sum(values[:half]) / half
        allowed = 3 * self.sigma_g * math.sqrt(4 / count)
        if abs(drift) > allowed + STEADY_G_PER_S * half * self.cadence.period_s:
            return None
        kept = ordered[trim : count - trim]
        level_g = sum(kept) / len(kept)
        return Flat(level_g, self.times[-count], self.times[-1], count, self.sigma_g)

    def _long_flat(self) -> Flat | None:
        """Rest under new noise or ringing: the means hold still although the readings do not."""
        quarter = max(2, round(LONG_FLAT_S / 4 / self.cadence.period_s))
        count = 4 * quarter
        values = self.grams[-count:]
        if len(values) < count or self.times[-1] - self.times[-count] > 2 * LONG_FLAT_S:
            return None
        means = [sum(values[i * quarter : (i + 1) * quarter]) / quarter for i in range(4)]
        swing = max(means) - min(means)
        if swing > self.step_g:
            return None
        mean = sum(means) / 4
        sigma_g = math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
        if not 0 < sigma_g < 5 * self.step_g or swing > 3 * sigma_g / math.sqrt(quarter) + 0.1:
            return None
        return Flat(mean, self.times[-count], self.times[-1], count, sigma_g)

    # --- what the motion looked like -------------------------------------------------------

    def quick(self, seconds: float) -> Flat | None:
        """The newest readings as they are, with their own spread as the noise."""
        count = max(2, round(seconds / self.cadence.period_s))
        values = self.grams[-count:]
        if len(values) < count:
            return None
        spread = max(values) - min(values)
        sigma_g = math.hypot(self.sigma_g / math.sqrt(count), 0.35 * spread)
        return Flat(sum(values) / count, self.times[-count], self.times[-1], count, sigma_g)

    def between(self, begin_s: float, end_s: float) -> list[float]:
        """Deviations from the base in this stretch, grams, as far as they are remembered."""
        if self.base is None:
            return []
        times, grams = self.times, self.grams
        if self._suspect is not None:
            times, grams = [self._suspect[0]], [self._suspect[1]]
        first, last = bisect_left(times, begin_s), bisect_left(times, end_s)
        return [grams[i] - self.base.at(times[i]) for i in range(first, last)]

    def left_base_s(self, end_s: float, offset_g: float = 0.0) -> float:
        """When it last left its base (plus an offset) for good before `end_s`."""
        assert self.base is not None
        need = 2 if not self.cadence.fast else 5
        tolerance = max(0.2 * self.step_g / 0.3, 3 * self.sigma_g)
        i, run = bisect_left(self.times, end_s) - 1, 0
        while i >= 0:
            away = abs(self.grams[i] - self.base.at(self.times[i]) - offset_g)
            run = run + 1 if away < tolerance else 0
            if run >= need:
                return self.times[i + run - 1]
            i -= 1
        return self.onset_s

    def left_level_s(self) -> float:
        """When it last came away from a level that it had held before the present one."""
        width = max(2, round(JUMP_S / self.cadence.period_s))
        largest, at_s = 0.0, self.onset_s
        for i in range(2 * width, len(self.grams) + 1):
            after = sum(self.grams[i - width : i])
            change = abs(after - sum(self.grams[i - 2 * width : i - width])) / width
            if change > largest:
                largest, at_s = change, self.times[i - width]
        return at_s

    def jump_g(self) -> float:
        """The largest change of its mean from one moment to half a second later, grams."""
        width = max(2, round(JUMP_S / self.cadence.period_s))
        gap = max(FILTER_CONVERSIONS - 1, round(JUMP_GAP_S / self.cadence.period_s))
        values, first, largest = self.grams, self.block_g, 0.0
        for i in range(width, len(values) + 1, max(1, width // 4)):
            end = i - width - gap
            before = sum(values[end - width : end]) / width if end >= width else first
            largest = max(largest, abs(sum(values[i - width : i]) / width - before))
        return largest

    def extremes(self) -> tuple[float, float]:
        """The strongest pull and push that two readings in a row agree on, grams."""
        if self.base is None or len(self.grams) < 2:
            return 0.0, 0.0
        base = self.base.at(self.times[-1])
        values, nexts = self.grams, self.grams[1:]
        push = max(map(min, values, nexts)) - base
        pull = min(map(max, values, nexts)) - base
        return min(pull, 0.0), max(push, 0.0)

    def now_g(self) -> float | None:
        """The best guess of the weight now."""
        if self.moving:
            return self.grams[-1] if self.grams else None
        return self.base.at(self.cadence.sampled_s) if self.base else None

    def recent_g(self) -> float | None:
        """The mean of the last few readings."""
        if not self.moving:
            return self.now_g()
        values = self.grams[-4:]
        return sum(values) / len(values) if values else None
