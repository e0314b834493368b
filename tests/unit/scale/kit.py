"""Short traces from plain functions of time, over idle noise like that of a real cell.

The idle noise follows what was measured on ten minutes of a public recording of a 1 kg bar cell
(1,540 counts a gram, 11.6 readings a second): 40 counts rms, each reading sharing about half of
its noise with the one before (the chip's filter), a random walk of 0.022 g in 10 s and 0.06 g in
60 s, and a slow trend of up to 0.15 g in five minutes. See docs/judge.md.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from companion.events import Sample, Sensed
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.units import Counts, MonoSeconds

COUNTS_PER_GRAM = 1540.0
CARD_G = 1.8
RATES = {10: 11.6, 80: 88.0}
NOISE_COUNTS = {10: 40.0, 80: 100.0}
WALK_G = 0.007
"""Random walk in a second: 0.022 g in 10 s, 0.055 g in 60 s."""
TREND_G_PER_S = 0.0004
Signal = Callable[[float], float]


def calibration(**more: object) -> Calibration:
    cell = {"counts_per_gram": COUNTS_PER_GRAM, "tray_g": 28.0}
    table = {"card_g": CARD_G, "left": {"zero": 83_211, **cell}, "right": {"zero": -40_122, **cell}}
    return Calibration.from_toml({**table, **more})


def still(_: float) -> float:
    return 0.0


def step(at: float, grams: float, rise: float = 0.05) -> Signal:
    """A load that comes within `rise` seconds and stays."""
    return lambda t: grams * min(max((t - at) / rise, 0.0), 1.0)


def press(at: float, seconds: float, grams: float) -> Signal:
    """A hand that presses and goes."""
    return lambda t: grams if at <= t < at + seconds else 0.0


def ramp(begin: float, end: float, grams_per_s: float) -> Signal:
    return lambda t: grams_per_s * (min(max(t, begin), end) - begin)


def together(*signals: Signal) -> Signal:
    return lambda t: sum(signal(t) for signal in signals)


@dataclass
class Idle:
    """Noise and drift of one cell at rest; `drift` multiplies what wanders."""

    seed: int
    sps: int = 10
    drift: float = 1.0
    rng: random.Random = field(init=False)
    _walk_g: float = 0.0
    _before: float = 0.0

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seed}/{self.sps}")
        self.trend = self.rng.uniform(-TREND_G_PER_S, TREND_G_PER_S)

    def counts(self, seconds: float) -> float:
        """The next reading's deviation, `seconds` after the one before."""
        self._walk_g += self.rng.gauss(0, WALK_G) * seconds**0.5 + self.trend * seconds
        fresh = self.rng.gauss(0, NOISE_COUNTS[self.sps])
        noise, self._before = 0.71 * (fresh + self._before), fresh
        return self.drift * self._walk_g * COUNTS_PER_GRAM + noise


def rows(
    left: Signal,
    right: Signal,
    seconds: float,
    *,
    sps: int = 80,
    seed: int = 0,
    drift: float = 1.0,
    tilt: Callable[[float], bool] = lambda _: False,
    scale: Calibration | None = None,
) -> list[Sample]:
    """The rows of a trace: each reading weighs the last four periods, as a chip's filter does."""
    scale = scale or calibration()
    period = 1 / RATES[sps]
    cells = (
        (left, scale.left, Idle(2 * seed, sps, drift)),
        (right, scale.right, Idle(2 * seed + 1, sps, drift)),
    )
    made: list[Sample] = []
    for i in range(1, int(seconds / period)):
        t = i * period
        counts = []
        for signal, cell, idle in cells:
            grams = sum(signal(t - period * (k + 0.5)) for k in range(4)) / 4
            counts.append(
                Counts(round(cell.zero + grams * cell.counts_per_gram + idle.counts(period)))
            )
        made.append(Sample(mono_s=MonoSeconds(t), left=counts[0], right=counts[1], tilt=tilt(t)))
    return made


def judged(samples: list[Sample], scale: Calibration | None = None) -> list[Sensed]:
    """Everything that the judge decides on these rows."""
    judge = Judge(scale or calibration())
    return [event for sample in samples for event in judge.feed(sample)]


def names(events: list[Sensed]) -> list[str]:
    return [type(event).__name__.lower() for event in events]


TRAY_G = 28.0
ARM_M, GRAVITY = 0.15, 9.81


def eased(*keys: tuple[float, float]) -> Signal:
    """Through (seconds, value), standing still at each, as a beam does between its stops."""

    def value(t: float) -> float:
        before = keys[0]
        for after in keys:
            if t < after[0]:
                if after is keys[0]:
                    return after[1]
                x = (t - before[0]) / (after[0] - before[0])
                return before[1] + (after[1] - before[1]) * x * x * (3 - 2 * x)
            before = after
        return keys[-1][1]

    return value


def tilted(load: Signal, degrees: Signal) -> Signal:
    """A load on a tilted beam: tray and cards press with the cosine of its angle."""
    return lambda t: (TRAY_G + load(t)) * math.cos(math.radians(degrees(t))) - TRAY_G


def swung(load: Signal, degrees: Signal, sense: int) -> Signal:
    """A tray on a beam that turns so: what turns faster and faster leaves a tray behind."""
    h = 0.012

    def signal(t: float) -> float:
        faster = math.radians(degrees(t + h) - 2 * degrees(t) + degrees(t - h)) / h**2
        pressed = math.cos(math.radians(degrees(t))) + sense * ARM_M * faster / GRAVITY
        return (TRAY_G + load(t)) * pressed - TRAY_G

    return signal


def past(degrees: Signal, switch: float = 15.0) -> Callable[[float], bool]:
    """The tilt switch."""
    return lambda t: abs(degrees(t)) > switch


def cards(count: int, *changes: Signal) -> Signal:
    """So many cards in a tray, and what comes and goes."""
    return together(lambda _: count * CARD_G, *changes)


def over(at: float, back: float, degrees: float = 30.0) -> Signal:
    """A beam that falls to its stop in a third of a second and is righted at `back`."""
    return eased((at, 0.0), (at + 0.35, degrees), (back, degrees), (back + 0.6, 0.0))


BOTH_RATES = pytest.mark.parametrize("sps", [10, 80])
