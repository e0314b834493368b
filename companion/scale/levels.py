"""One weighing of a calibration: the level of a cell at rest, or why there is none.

It never knows what lies in a tray.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import fmean, median

from companion.events import FaultKind, Reading, Sample, Sensor, SensorFault
from companion.units import COUNTS_MAX, COUNTS_MIN, Tray

WEIGHING_S = 3.0
"""How many seconds of readings a weighing wants."""

LEAST_READINGS = 15
"""Half of what a chip at 10 a second gives in a weighing."""

REST_COUNTS = 500
"""A quarter of a gram on a 1 kg cell; a cell at rest drifts a tenth of a gram in ten seconds."""


class Trouble(StrEnum):
    """Why a weighing was not accepted."""

    NO_READINGS = "no_readings"
    SATURATED = "saturated"
    NOT_AT_REST = "not_at_rest"
    NO_TILT = "no_tilt"
    NO_DIFFERENCE = "no_difference"
    LOAD_TOO_SMALL = "load_too_small"
    SWAPPED = "swapped"
    WRONG_SIGN = "wrong_sign"
    NOISY = "noisy"
    NOT_EMPTIED = "not_emptied"
    VERIFICATION = "verification"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A weighing that was not accepted; it may be repeated."""

    trouble: Trouble
    sentence: str
    """What is wrong and what to do, for people."""


@dataclass(frozen=True, slots=True)
class Level:
    """One cell at rest: its level, and the noise of a single reading (rms, counts)."""

    counts: float
    noise: float


Levels = dict[Tray, Level]


def weigh_both(readings: Sequence[Reading], *, steady_tilt: bool = True) -> Levels | Refusal:
    """The levels of both cells at rest, or why there are none."""
    if steady_tilt:
        tilts = {r.tilt for r in readings if isinstance(r, Sample) and r.tilt is not None}
        if len(tilts) > 1:
            return Refusal(
                Trouble.NOT_AT_REST,
                "the scale tilted while it was weighed: let it stand still and try again",
            )
    levels: Levels = {}
    for tray in Tray:
        level = weigh_one(readings, Sensor(tray.value))
        if isinstance(level, Refusal):
            return level
        levels[tray] = level
    return levels


def weigh_one(readings: Sequence[Reading], cell: Sensor) -> Level | Refusal:
    """The level of one cell at rest, or why there is none."""
    values = values_of(readings, cell)
    ended = any(
        isinstance(r, SensorFault) and r.sensor is cell and r.kind is FaultKind.SATURATED
        for r in readings
    )
    if ended or any(value in (COUNTS_MIN, COUNTS_MAX) for value in values):
        return Refusal(
            Trouble.SATURATED,
            f"the {cell} cell is at an end of its range: take the load off, and look at its four "
            "wires (red E+, black E-, white A-, green A+)",
        )
    if len(values) < LEAST_READINGS:
        return Refusal(
            Trouble.NO_READINGS,
            f"the {cell} cell gives {'no' if not values else 'hardly any'} readings: look at its "
            "cables, then run `tippo doctor`",
        )
    return _at_rest(values, cell)


def _at_rest(values: Sequence[int], cell: Sensor) -> Level | Refusal:
    """Source of the noise: half the mean squared step between neighbours, blind to drift."""
    steps = [b - a for a, b in pairwise(values)]
    noise = math.sqrt(fmean(step * step for step in steps) / 2.0)
    third = len(values) // 3
    parts = [median(values[start : start + third]) for start in (0, third, len(values) - third)]
    moved = max(parts) - min(parts)
    if moved > max(REST_COUNTS, 4.0 * noise):
        return Refusal(
            Trouble.NOT_AT_REST,
            f"the {cell} cell is not at rest, it moved by {moved:.0f} counts: wait until nothing "
            "swings, keep hands off and try again",
        )
    return Level(median(values), noise)


def values_of(readings: Sequence[Reading], cell: Sensor) -> list[int]:
    """What one cell read."""
    return [
        value
        for reading in readings
        if isinstance(reading, Sample) and (value := getattr(reading, cell.value)) is not None
    ]
