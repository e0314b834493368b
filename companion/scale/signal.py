"""One load cell's readings as grams: what is valid, what rests, what moves and how it moved.

It never counts cards: what a change of weight means is decided where both trays are seen.
"""

import math
from bisect import bisect_right
from collections import deque

from companion.events import Sensor
from companion.scale.block import level, spread_g
from companion.scale.cadence import Cadence
from companion.scale.calibration import DeckCalibration
from companion.scale.faults import SILENT_AFTER_FAST_S, SILENT_AFTER_S, CellHealth
from companion.scale.motion import STEADY_G_PER_S, Base, Flat, Trail, until_known
from companion.scale.noise import Noise
from companion.units import COUNTS_MAX, COUNTS_MIN

SETTLING_CONVERSIONS = 4
"""What an HX711 needs after power-up; measured: the first three are off by up to 0.6 g."""
ABSURD_G = 1500.0
"""No hand presses harder on a 1 kg cell; a word beyond it is damaged."""
ONES = 0x3FF
"""A clock stretched in mid-word leaves ones to the end; one true word in 1,024 looks like it."""
DAMAGE_G = 5.0
BLOCK_S = 0.4
NOISY_BLOCK_S = 1.0
LEAST_BLOCK = 6
DRIFT_GAIN = 0.03
"""A drift is learned over some fifteen seconds: a beam that leans for five is not one."""
FIRST_DRIFT_GAIN = 0.8
FIRST_SIGMA_G = 0.05
FIRST_WANDER_G = 0.02
REMEMBERED_BASES = 3
STEPPED_G = 0.05
LOOK_S = 0.036
"""A motion is looked at some thirty times a second, however fast the cell."""
AT_BASE = 0.67
"""Two thirds of a step from the base, a fifth of a card, is still at it."""
AWAY = 1.67
"""Half a card is away from it however noisy the cell is; a bump on the table makes it so."""


class Cell:
    """Follows one cell. While it rests a reading costs a few comparisons and an append."""

    __slots__ = (
        "_bases", "_block", "_block_from_s", "_block_size", "_blocks", "_counted", "_discard",
        "_early_s", "_high", "_last_counts", "_late_s", "_looked_s", "_low", "_restarted_s",
        "_scale", "_settling", "_suspect", "_zero", "base", "block_g", "cadence", "flat", "health",
        "moving", "noise", "onset_s", "past", "rest_since_s", "sigma_g", "step_g", "stirred_s",
        "trail", "wander_g",
    )  # fmt: skip

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
        self.trail = Trail(self.cadence)
        self.past: tuple[Base, Trail] | None = None
        """Its last motion, and from where it went."""
        self._block: list[int] = []
        self._block_from_s = 0.0
        self._block_size = 5
        self._blocks = 0
        self._settling = False
        self._counted = 0
        self._low = self._high = 0.0
        self._early_s = self._late_s = 0.0
        self._discard = 0
        self._restarted_s = math.inf
        """When the chip began anew, or last showed its base since; inf once it counts again."""
        self._suspect: tuple[float, float] | None = None
        self._looked_s = -math.inf
        self._last_counts: int | None = None
        self._bases: deque[Base] = deque(maxlen=REMEMBERED_BASES)
        """The bases of the last second, oldest first."""
        self.noise = Noise(self.health)

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
        before_s, same = self.cadence.arrived_s, counts == self._last_counts
        self._last_counts = counts
        self._beat(arrived_s)
        was_blind = health.blind
        grams = (counts - self._zero) / self._scale
        now_s = self.cadence.sampled_s
        within = COUNTS_MIN < counts < COUNTS_MAX
        damaged = abs(grams) > ABSURD_G or (counts & ONES == ONES and self._away(now_s, grams))
        if damaged and within:
            health.damaged(arrived_s)
        if not health.word(arrived_s, counts, before_s=before_s, same=same):
            if not was_blind and health.blind and self.base is not None:
                self.disturb(arrived_s)
            return bool(health.news)
        if was_blind:
            self._discard = SETTLING_CONVERSIONS
            self.flat, self.rest_since_s = None, math.inf  # it was a rest before the silence
        if self._discard:
            self._discard -= 1
            if not (self.moving or self._away(now_s, grams)):
                self._restarted_s = now_s  # off by less than a card: none has come yet
            return bool(health.news)
        if damaged:
            return bool(health.news)
        if self.moving:
            self.trail.add(now_s, grams)
            if self.base is not None:
                block = max(LEAST_BLOCK, round(BLOCK_S / self.cadence.period_s))
                self.noise.hear(now_s, grams, self.base, self.step_g, block=block)
            return self._look(now_s) or bool(health.news)
        return self._compare(now_s, grams, counts) or bool(health.news)

    def hearken(self, now_s: float) -> float:
        """Notices silence; returns until when nothing can be missed."""
        cadence = self.cadence
        heard_s = cadence.arrived_s
        if heard_s == -math.inf:
            heard_s = cadence.arrived_s = now_s
        due_s = heard_s + (SILENT_AFTER_FAST_S if cadence.fast else SILENT_AFTER_S)
        if now_s < due_s:
            return due_s
        self.health.silent(heard_s, now_s)
        if not self.moving:
            self.disturb(heard_s)
        return math.inf

    def _beat(self, arrived_s: float) -> None:
        cadence = self.cadence
        if cadence.arrived_s > -math.inf:
            self.hearken(arrived_s)
        if cadence.take(arrived_s):
            self._discard = SETTLING_CONVERSIONS
            self._restarted_s = min(self._restarted_s, cadence.sampled_s)
            self._early_s = math.inf  # until they are over, each reading is looked at with care
            return
        if cadence.late:
            self._discard = 0
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
                # one word that went far away and came back
                self.health.damaged(self.cadence.arrived_s)
            self._block.append(counts)
            if len(self._block) >= self._block_size:
                return self._close_block(now_s)
            return False
        if suspect is None:
            self._suspect = (now_s, grams)
            self._early_s = math.inf  # the next reading is looked at with care
            return False
        self.disturb(min(suspect[0], self._restarted_s))
        self.trail.add(*suspect)
        self.trail.add(now_s, grams)
        return True

    @property
    def threshold_g(self) -> float:
        """What a single reading must be away from the base to be more than noise."""
        return max(self.step_g, 5 * self.sigma_g)

    # --- at rest ---------------------------------------------------------------------------

    def _close_block(self, now_s: float) -> bool:
        block, base, cadence = self._block, self.base, self.cadence
        assert base is not None
        count = len(block)
        cadence.counted(max(0, count - self._counted), cadence.arrived_s)
        self._counted = 0
        self.health.check_rate(now_s)
        if self.health.blind:
            self.disturb(self._block_from_s)
            return True
        ordered = sorted(block)
        mean = level(ordered)
        level_g = (mean - self._zero) / self._scale
        middle_s = (self._block_from_s + now_s) / 2
        foretold_g = base.at(middle_s)
        off_g = level_g - foretold_g
        noise_g = self.sigma_g / math.sqrt(count)
        since_s = middle_s - base.at_s
        steady_g = STEADY_G_PER_S * max(since_s, BLOCK_S)
        if abs(off_g) > max(steady_g, 3 * self.wander_g) + 4 * noise_g:
            self._leave_with_block(now_s)
            return True
        self._learn_noise(ordered, mean, now_s)
        if self._settling:  # what is still in the filter is no drift
            drift_gain, self._settling = 0.0, False
        else:
            self._blocks += 1
            drift_gain = max(DRIFT_GAIN, FIRST_DRIFT_GAIN / self._blocks)
        drift = base.drift_g_per_s + drift_gain * off_g / max(since_s, BLOCK_S / 2)
        if abs(drift) > STEADY_G_PER_S:
            drift = math.copysign(STEADY_G_PER_S, drift)
        # The more a block is off for its noise, the more of it is drift and is followed.
        off_g2, noise_g2 = off_g * off_g, noise_g * noise_g
        gain = min(max(off_g2 / (off_g2 + 2 * noise_g2), 0.3), 0.95)
        strayed_g = math.sqrt(off_g2 - noise_g2) if off_g2 > noise_g2 else 0.0
        self.wander_g += 0.05 * (strayed_g - self.wander_g)
        self.block_g = level_g
        self._bases.append(base)
        self._rest_at(Base(foretold_g + gain * off_g, middle_s, drift), now_s)
        return True

    def _leave_with_block(self, now_s: float) -> None:
        """The motion began with the block: its readings are the first of the trail."""
        since_s, count = self._block_from_s, len(self._block)
        weights = [(value - self._zero) / self._scale for value in self._block]
        self.disturb(since_s)
        for i, grams in enumerate(weights, 1):
            self.trail.add(since_s + (now_s - since_s) * i / count, grams)

    def _learn_noise(self, ordered: list[int], mean: float, now_s: float) -> None:
        count, sigma_before_g = len(ordered), self.sigma_g
        sigma_g = spread_g(ordered, mean, self._scale)
        # A short block is quiet by chance now and then, a long one is not.
        quieter = count > LEAST_BLOCK and sigma_g < sigma_before_g / 2
        fast = quieter or sigma_g > 2 * sigma_before_g
        self.sigma_g += (0.4 if fast else 0.1) * (sigma_g - sigma_before_g)
        self.noise.note(now_s, count, sigma_g)

    def _rest_at(self, base: Base, now_s: float) -> None:
        self.base = base
        self._block.clear()
        self._block_from_s = now_s
        period_s, scale = self.cadence.period_s, self._scale
        noisy = min(until_known(self.sigma_g, self.step_g), round(NOISY_BLOCK_S / period_s))
        self._block_size = max(LEAST_BLOCK, round(BLOCK_S / period_s), noisy)
        self._trust_beat()
        middle = self._zero + base.at(now_s + BLOCK_S / 2) * scale
        half = (self.threshold_g - abs(base.drift_g_per_s) * BLOCK_S / 2) * abs(scale)
        self._low, self._high = middle - half, middle + half

    def _trust_beat(self) -> None:
        period_s = self.cadence.period_s
        self._early_s, self._late_s = 0.3 * period_s, 1.8 * period_s
        self._restarted_s = math.inf

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
        self.noise.moves()
        self.flat = None
        self.trail.clear()

    def _base_before(self) -> Base | None:
        """The base, or an earlier one if it followed what was the beginning of a motion."""
        base = self.base
        slack_g = 4 * self.sigma_g / math.sqrt(self._block_size) + 2 * self.wander_g + STEPPED_G
        for older in reversed(self._bases):
            if base is None or abs(base.level_g - older.at(base.at_s)) <= slack_g:
                break
            base = older
        return base

    def settle(self, flat: Flat) -> None:
        """Rests at this level from now on."""
        drift = 0.0
        if self.base is not None:
            drift, self.stirred_s = self.base.drift_g_per_s, flat.since_s
            self.past = self.base, self.trail
        self.trail = Trail(self.cadence)
        self.moving = False
        self.flat = None
        self.rest_since_s = min(self.rest_since_s, flat.since_s)
        if flat.sigma_g > self.sigma_g:  # new noise: learned at once, forgotten slowly
            self.sigma_g = flat.sigma_g
            self.noise.began(flat.since_s)
        self.block_g = flat.level_g
        self._bases.clear()
        self._settling = True
        at_s = (flat.since_s + flat.until_s) / 2
        self._rest_at(Base(flat.level_g, at_s, drift), self.cadence.sampled_s)

    def _look(self, now_s: float) -> bool:
        if now_s - self._looked_s < LOOK_S:
            return False
        self._looked_s = now_s
        self.trail.shorten(now_s)
        was = self.flat
        self.flat = self.trail.flat(self.sigma_g, self.step_g, first=self.base is None)
        if self.flat is None:
            self.rest_since_s = math.inf
        elif was is None:
            self.rest_since_s = self.flat.since_s
        return True

    # --- what the motion looked like -------------------------------------------------------

    def quick(self, seconds: float) -> Flat | None:
        """The newest readings in motion, with their own spread as the noise."""
        return self.trail.quick(seconds, self.sigma_g)

    def between(self, begin_s: float, end_s: float) -> list[float]:
        """Deviations from the base in this stretch, grams, as far as they are remembered."""
        if self.base is None:
            return []
        if self._suspect is not None:
            moment_s, grams = self._suspect
            return [grams - self.base.at(moment_s)] if begin_s <= moment_s < end_s else []
        return self.trail.between(self.base, begin_s, end_s)

    def readings_between(self, begin_s: float, end_s: float) -> list[tuple[float, float]]:
        """The same of a motion alone, each with its time."""
        return [] if self.base is None else self.trail.readings_between(self.base, begin_s, end_s)

    def last_motion(self, begin_s: float, end_s: float) -> list[tuple[float, float]]:
        """The same of this motion or, at rest, of the last one."""
        if self.moving or self.past is None:
            return self.readings_between(begin_s, end_s)
        base, trail = self.past
        return trail.readings_between(base, begin_s, end_s)

    def resting_readings(self) -> list[tuple[float, float]]:
        """Deviations from the base at rest, each with its time: at most a block of them."""
        base = self.base
        if self.moving or base is None:
            return []
        return [(at_s, grams - base.at(at_s)) for at_s, grams in self._block_readings()]

    def readings_since(self, since_s: float) -> list[tuple[float, float]]:
        """What it weighed after that moment, grams, each with its time, as far as remembered."""
        rows = self._block_readings()
        if self.moving:
            rows = list(zip(self.trail.times, self.trail.grams, strict=True))
        return rows[bisect_right(rows, (since_s, math.inf)) :]

    def _block_readings(self) -> list[tuple[float, float]]:
        if not self._block:
            return []
        count = len(self._block)
        beat_s = (self.cadence.sampled_s - self._block_from_s) / count
        return [
            (self._block_from_s + beat_s * i, (value - self._zero) / self._scale)
            for i, value in enumerate(self._block, 1)
        ]

    def left_base_s(self, end_s: float, base: Base | None = None) -> float:
        """When it last left its base, or another one, for good before `end_s`."""
        base = self.base if base is None else base
        if base is None:
            return self.onset_s
        tolerance_g = max(AT_BASE * self.step_g, min(3 * self.sigma_g, AWAY * self.step_g))
        left_s = self.trail.left_base_s(base, tolerance_g, end_s)
        return self.onset_s if left_s is None else left_s

    def last_pressed_s(self, away_g: float) -> float | None:
        """When it was last pressed by so much, grams from its base; None if never."""
        return None if self.base is None else self.trail.last_above_s(self.base, away_g)

    def jump_g(self) -> float:
        """The largest change within half a second since it left its base, grams."""
        return self.trail.jump_g(self.block_g)

    def extremes(self) -> tuple[float, float]:
        """The strongest pull and push since it left its base, grams."""
        return (0.0, 0.0) if self.base is None else self.trail.extremes(self.base)

    def now_g(self) -> float | None:
        """The best guess of the weight now."""
        if self.moving:
            return self.trail.grams[-1] if self.trail.grams else None
        return self.base.at(self.cadence.sampled_s) if self.base else None
