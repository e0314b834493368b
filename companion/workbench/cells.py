"""Judges what a cell said while somebody listened: rate, gaps, damage, noise, drift, range.

It never reads a board itself; what it judges was gathered before.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from companion.events import FaultKind, Reading, Sample, Sensor, SensorFault
from companion.scale.calibration import Calibration, DeckCalibration
from companion.units import COUNTS_MAX, COUNTS_MIN
from companion.workbench.findings import Finding, Grade, fail, ok, warn

SLOW_HZ = (9.0, 13.0)
FAST_HZ = (75.0, 98.0)
"""What real HX711 do with their jumper at 10 and at 80: 10.2-11.6 and 82-94 a second."""

CARD_TO_NOISE_FAIL, CARD_TO_NOISE_WARN = 10.0, 20.0
DRIFT_WARN_G, DRIFT_FAIL_G = 1.0, 6.0
"""Grams a minute: a good cell does 0.2, a bad one 0.1 g a second."""

DAMAGED_WARN, DAMAGED_FAIL = 0.02, 0.10
"""Of all words; on a busy Pi 1-5 % are stretched."""

OFFSET_WARN, OFFSET_FAIL = 0.5, 0.9
STUCK_VALUES = 3


@dataclass(frozen=True, slots=True)
class CellLog:
    """What one cell said while somebody listened."""

    sensor: Sensor
    seconds: float
    times: tuple[float, ...]
    values: tuple[int, ...]
    faults: Counter[FaultKind]

    @classmethod
    def of(cls, readings: Sequence[Reading], sensor: Sensor, seconds: float) -> "CellLog":
        """The board's own times are taken where there are any: they know of no stall."""
        rows = [
            (r.mono_s if r.device_s is None else r.device_s, value)
            for r in readings
            if isinstance(r, Sample) and (value := getattr(r, sensor.value)) is not None
        ]
        faults = Counter(
            r.kind for r in readings if isinstance(r, SensorFault) and r.sensor is sensor
        )
        return cls(
            sensor, seconds, tuple(t for t, _ in rows), tuple(value for _, value in rows), faults
        )

    @property
    def topic(self) -> str:
        return f"{self.sensor} cell"


def cell_findings(log: CellLog, calibration: Calibration | None) -> list[Finding]:
    """Everything about one cell, in the order in which to repair it."""
    if not log.values:
        return [_silent(log)]
    findings = [_rate(log), _gaps(log), _damage(log), _saturation(log), _variety(log)]
    cell = None if calibration is None else _cell(calibration, log.sensor)
    card_g = None if calibration is None else calibration.card_g
    if len(log.values) >= 15:
        findings += [_noise(log, cell, card_g), _drift(log, cell), _offset(log)]
    return findings


def _cell(calibration: Calibration, sensor: Sensor) -> DeckCalibration | None:
    return {
        Sensor.LEFT: calibration.left,
        Sensor.RIGHT: calibration.right,
        Sensor.DECK: calibration.deck,
    }.get(sensor)


def _silent(log: CellLog) -> Finding:
    if log.faults[FaultKind.SATURATED]:
        return _saturation(log)
    if log.faults[FaultKind.DESYNC]:
        return fail(
            log.topic,
            "no word can be trusted: the chip does not follow its clock line",
            "look at the SCK and DOUT wires of this chip; each chip needs a clock line of its own",
        )
    return fail(
        log.topic,
        "it gives no readings",
        "look at its plug and the HX711's four wires (VCC 3.3 V, GND, DT, SCK)",
    )


def _rate(log: CellLog) -> Finding:
    span = log.times[-1] - log.times[0]
    rate = (len(log.times) - 1) / span if span > 0 else 0.0
    says = f"{rate:.1f} readings a second"
    measured = {"rate_hz": rate}
    for low, high, name in ((*SLOW_HZ, "10"), (*FAST_HZ, "80")):
        if low <= rate <= high:
            return Finding(log.topic, Grade.OK, f"{says} (a {name} SPS board)", "", measured)
    if rate > FAST_HZ[1]:
        return fail(
            log.topic,
            f"{says}: more than a chip can make",
            "DOUT is loose or is not pulled up: look at its wire",
            **measured,
        )
    return warn(
        log.topic,
        f"{says}: neither 10 nor 80",
        "readings get lost: end other programs, use a shorter cable, look at the supply",
        **measured,
    )


def _gaps(log: CellLog) -> Finding:
    longest = max((b - a for a, b in pairwise(log.times)), default=log.seconds)
    usual = median([b - a for a, b in pairwise(log.times)] or [log.seconds])
    says = f"longest gap {longest * 1000:.0f} ms"
    if longest >= 1.0:
        return fail(
            log.topic,
            says,
            "a cable or the supply lets go: move the cable and look again",
            longest_gap_s=longest,
        )
    if longest > 4.0 * usual + 0.02:
        return warn(
            log.topic,
            says,
            "now and then the chip begins afresh: look at the supply, use short cables",
            longest_gap_s=longest,
        )
    return ok(log.topic, says, longest_gap_s=longest)


def _damage(log: CellLog) -> Finding:
    bad = sum(log.faults.values())
    share = bad / (bad + len(log.values))
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(log.faults.items()))
    if bad == 0:
        return ok(log.topic, "no damaged words", damaged_share=0.0)
    says = f"{share:.0%} damaged words ({kinds})"
    if share >= DAMAGED_FAIL:
        return fail(
            log.topic,
            says,
            "look at DOUT, SCK and ground; keep them away from mains and display cables",
            damaged_share=share,
        )
    grade = Grade.WARN if share >= DAMAGED_WARN else Grade.OK
    advice = "allow the real-time class (see the builder's book) or use a Pico"
    return Finding(
        log.topic, grade, says, advice if grade is Grade.WARN else "", {"damaged_share": share}
    )


def _saturation(log: CellLog) -> Finding:
    ends = sum(value in (COUNTS_MIN, COUNTS_MAX) for value in log.values)
    ends += log.faults[FaultKind.SATURATED]
    if ends:
        return fail(
            log.topic,
            f"{ends} readings at an end of the range",
            "take the load off; look at the cell's wires: red E+, black E-, white A-, green A+, "
            "and E- to GND on green boards",
            saturated=ends,
        )
    return ok(log.topic, "never at an end of its range", saturated=0)


def _variety(log: CellLog) -> Finding:
    distinct = len(set(log.values))
    says = f"{distinct} different values in {len(log.values)} readings"
    if len(log.values) >= 12 and distinct <= STUCK_VALUES:
        return fail(
            log.topic,
            f"{says}: a real cell is never so still",
            "the cell is not connected, or DOUT is stuck: look at A+ and A- and at DOUT",
            distinct=distinct,
        )
    return ok(log.topic, says, distinct=distinct)


def noise_of(values: Sequence[int]) -> float:
    """The rms of a single reading, from the steps between neighbours: blind to drift."""
    return math.sqrt(fmean((b - a) ** 2 for a, b in pairwise(values)) / 2.0)


def _noise(log: CellLog, cell: DeckCalibration | None, card_g: float | None) -> Finding:
    noise = noise_of(log.values)
    if cell is None or card_g is None:
        return ok(log.topic, f"noise {noise:.0f} counts", noise_counts=noise)
    grams = noise / abs(cell.counts_per_gram)
    ratio = card_g / grams if grams > 0 else float("inf")
    says = f"noise {noise:.0f} counts = {grams:.3f} g; one card is {ratio:.0f} times that"
    measured = {"noise_counts": noise, "noise_g": grams, "card_to_noise": ratio}
    if ratio < CARD_TO_NOISE_FAIL:
        return fail(
            log.topic,
            says,
            "too noisy for cards: look at ground and supply, or use a cell for less weight",
            **measured,
        )
    if ratio < CARD_TO_NOISE_WARN:
        return warn(
            log.topic,
            says,
            "set the HX711's jumper to 10 SPS, use shorter cell wires, keep fans away",
            **measured,
        )
    return ok(log.topic, says, **measured)


def _drift(log: CellLog, cell: DeckCalibration | None) -> Finding:
    third = len(log.values) // 3
    change = median(log.values[-third:]) - median(log.values[:third])
    minutes = (log.times[-1] - log.times[0]) * (2 / 3) / 60.0
    per_minute = change / minutes if minutes > 0 else 0.0
    if cell is None:
        return ok(log.topic, f"drift {per_minute:+.0f} counts a minute", drift_counts=per_minute)
    grams = per_minute / cell.counts_per_gram
    says = f"drift {grams:+.2f} g a minute"
    if abs(grams) >= DRIFT_FAIL_G:
        return fail(
            log.topic,
            says,
            "something moves or leans on the tray, or the cell is overloaded or wet: leave the "
            "scale alone and look again; if it stays, change the cell",
            drift_g_per_min=grams,
        )
    if abs(grams) >= DRIFT_WARN_G:
        return warn(
            log.topic,
            says,
            "let it warm up for ten minutes, away from sun and draught",
            drift_g_per_min=grams,
        )
    return ok(log.topic, says, drift_g_per_min=grams)


def _offset(log: CellLog) -> Finding:
    share = median(log.values) / COUNTS_MAX
    says = f"offset {share:+.1%} of full scale"
    if abs(share) >= OFFSET_FAIL:
        return fail(
            log.topic,
            says,
            "hardly any range is left: the cell is overloaded, bent, or one of its wires is off",
            offset=share,
        )
    if abs(share) >= OFFSET_WARN:
        return warn(
            log.topic, says, "the cell carries too much: is something on the tray?", offset=share
        )
    return ok(log.topic, says, offset=share)
