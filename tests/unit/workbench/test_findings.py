"""Every FAIL and WARN of the doctor, produced and read; and what a healthy scale looks like."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from companion.events import FaultKind, Reading, Sample, Sensor
from companion.scale.calibration import Calibration, CellCalibration
from companion.units import COUNTS_MAX, Counts, MonoSeconds, Tray
from companion.workbench.cells import CellLog, cell_findings
from companion.workbench.findings import Finding, Grade, worst
from companion.workbench.touched import press_finding, tilt_findings, tip_finding

CELL = CellCalibration(zero=83_211, counts_per_gram=2140.5)
CALIBRATION = Calibration(card_g=1.75, left=CELL, right=CELL)


def log(
    *,
    rate_hz: float = 88.0,
    noise: float = 95.0,
    drift: float = 0.0,
    level: float = 83_211.0,
    gap_at: float | None = None,
    gap_s: float = 0.0,
    faults: dict[FaultKind, int] | None = None,
    values: Sequence[int] | None = None,
) -> CellLog:
    """Ten seconds of a cell; ``drift`` in counts a second."""
    rng = random.Random(9)
    times = [number / rate_hz for number in range(round(10 * rate_hz))]
    if gap_at is not None:
        times = [t for t in times if not gap_at <= t < gap_at + gap_s]
    counts = values or [round(level + drift * t + rng.gauss(0.0, noise)) for t in times]
    return CellLog(Sensor.LEFT, 10.0, tuple(times), tuple(counts), Counter(faults or {}))


def troubles(cell: CellLog, calibration: Calibration | None = CALIBRATION) -> list[Finding]:
    return [f for f in cell_findings(cell, calibration) if f.grade is not Grade.OK]


def the_one(findings: list[Finding], grade: Grade, *words: str) -> Finding:
    """The one trouble there is; it reads well and says what to do."""
    assert [finding.grade for finding in findings] == [grade]
    (finding,) = findings
    for word in words:
        assert word in f"{finding.says} {finding.advice}"
    assert finding.advice
    assert not finding.says.endswith(".")
    assert not finding.advice.endswith(".")
    return finding


@pytest.mark.parametrize(("rate_hz", "noise"), [(88.0, 95.0), (10.6, 30.0)])
def test_a_healthy_cell_is_ok_in_everything(rate_hz: float, noise: float) -> None:
    findings = cell_findings(log(rate_hz=rate_hz, noise=noise), CALIBRATION)
    assert {finding.grade for finding in findings} == {Grade.OK}
    measured = {key for finding in findings for key in finding.measured}
    assert measured >= {
        "rate_hz",
        "longest_gap_s",
        "damaged_share",
        "saturated",
        "distinct",
        "noise_counts",
        "noise_g",
        "card_to_noise",
        "drift_g_per_min",
        "offset",
    }


def test_without_a_calibration_there_are_counts_and_no_grams() -> None:
    findings = cell_findings(log(), None)
    assert {finding.grade for finding in findings} == {Grade.OK}
    assert all("noise_g" not in finding.measured for finding in findings)


def test_a_silent_cell() -> None:
    silent = CellLog(Sensor.LEFT, 10.0, (), (), Counter({FaultKind.SILENT: 3}))
    the_one(troubles(silent), Grade.FAIL, "no readings", "plug")


def test_a_chip_that_does_not_follow_its_clock() -> None:
    lost = CellLog(Sensor.LEFT, 10.0, (), (), Counter({FaultKind.DESYNC: 90}))
    the_one(troubles(lost), Grade.FAIL, "no word can be trusted", "SCK")


def test_a_cell_that_is_always_saturated() -> None:
    full = CellLog(Sensor.LEFT, 10.0, (), (), Counter({FaultKind.SATURATED: 90}))
    the_one(troubles(full), Grade.FAIL, "end of the range", "red E+, black E-")


def test_a_cell_that_is_saturated_now_and_then() -> None:
    values = list(log().values)
    values[400:405] = [COUNTS_MAX] * 5
    found = [f for f in troubles(log(values=values)) if "end of the range" in f.says]
    the_one(found, Grade.FAIL, "5 readings", "take the load off")


def test_a_rate_that_no_chip_has() -> None:
    the_one(troubles(log(rate_hz=150.0)), Grade.FAIL, "150.0", "DOUT is loose")


def test_a_rate_between_the_two() -> None:
    the_one(troubles(log(rate_hz=40.0)), Grade.WARN, "neither 10 nor 80", "end other programs")


def test_a_gap_of_a_second() -> None:
    found = [f for f in troubles(log(gap_at=4.0, gap_s=1.5)) if "gap" in f.says]
    the_one(found, Grade.FAIL, "longest gap 15", "cable")


def test_a_gap_of_a_restart() -> None:
    the_one(troubles(log(gap_at=4.0, gap_s=0.4)), Grade.WARN, "longest gap 4", "begins afresh")


def test_many_damaged_words() -> None:
    faults = {FaultKind.DESYNC: 200}
    the_one(troubles(log(faults=faults)), Grade.FAIL, "19% damaged", "200 desync", "ground")


def test_some_damaged_words() -> None:
    faults = {FaultKind.DESYNC: 30}
    the_one(troubles(log(faults=faults)), Grade.WARN, "3% damaged", "real-time")


def test_a_few_damaged_words_are_ok() -> None:
    assert troubles(log(faults={FaultKind.DESYNC: 5})) == []


def test_a_cell_that_is_too_still() -> None:
    found = [f for f in troubles(log(values=[83_211] * 880)) if "different values" in f.says]
    the_one(found, Grade.FAIL, "1 different values", "not connected")


def test_a_cell_too_noisy_for_cards() -> None:
    the_one(troubles(log(noise=600.0)), Grade.FAIL, "one card is 6 times", "too noisy for cards")


def test_a_cell_noisy_for_cards() -> None:
    the_one(troubles(log(noise=250.0)), Grade.WARN, "one card is 15 times", "10 SPS")


def test_a_cell_that_runs_away() -> None:
    the_one(troubles(log(drift=-400.0)), Grade.FAIL, "drift -11.18 g a minute", "leans")


def test_a_cell_that_drifts() -> None:
    the_one(troubles(log(drift=70.0)), Grade.WARN, "g a minute", "warm up")


def test_a_cell_with_no_range_left() -> None:
    the_one(troubles(log(level=8_000_000.0)), Grade.FAIL, "offset +95.4%", "overloaded")


def test_a_cell_with_half_its_range_left() -> None:
    the_one(troubles(log(level=-5_000_000.0)), Grade.WARN, "offset -59.6%", "on the tray")


# --- the switch --------------------------------------------------------------------------------


def row(t: float, tilt: bool | None = None, **cells: int) -> Sample:
    counts = {name: Counts(value) for name, value in cells.items()}
    return Sample(
        mono_s=MonoSeconds(t), tilt=tilt, left=counts.get("left"), right=counts.get("right")
    )


def test_a_switch_at_rest() -> None:
    (finding,) = tilt_findings([row(t, False) for t in range(10)], fitted=True)
    assert finding.grade is Grade.OK


def test_no_switch_is_fitted() -> None:
    the_one(tilt_findings([], fitted=False), Grade.WARN, "none is fitted", "by weight alone")


def test_a_switch_that_is_never_told() -> None:
    the_one(tilt_findings([row(1.0, left=5)], fitted=True), Grade.FAIL, "never told", "two wires")


def test_a_switch_that_chatters() -> None:
    readings = [row(t, t % 2 == 0) for t in range(10)]
    the_one(tilt_findings(readings, fitted=True), Grade.FAIL, "9 changes", "chatters")


def test_a_switch_of_the_other_polarity() -> None:
    readings = [row(t, True) for t in range(10)]
    the_one(tilt_findings(readings, fitted=True), Grade.FAIL, "scale stands level", "calibrate")


@pytest.mark.parametrize("closed", [False, True])
def test_before_it_is_calibrated_a_switch_may_rest_either_way(closed: bool) -> None:
    readings = [row(t, closed) for t in range(10)]
    (finding,) = tilt_findings(readings, fitted=True, learned=False)
    assert finding.grade is Grade.OK
    assert finding.says.startswith("closed" if closed else "open")


def tipped(*closed: bool) -> Finding:
    return tip_finding([row(float(t), level) for t, level in enumerate(closed)])


@pytest.mark.parametrize("rests", [False, True])
def test_a_tip_that_the_switch_tells(rests: bool) -> None:
    """Its ball rattles on the way."""
    tells = not rests
    finding = tipped(rests, rests, tells, rests, tells, tells, rests, rests)
    assert finding.grade is Grade.OK
    assert finding.says == "the tilt switch changed 4 times and came back"


def test_a_tip_that_the_switch_does_not_tell() -> None:
    the_one([tipped(False, False, False)], Grade.FAIL, "has not changed", "two wires")


def test_a_switch_that_does_not_come_back_from_a_tip() -> None:
    the_one([tipped(False, True, True)], Grade.WARN, "has not come back", "its own angle")


# --- the press ---------------------------------------------------------------------------------


def pressed(left: int, right: int) -> list[Reading]:
    """A second of rest, a second of pressure, a second of rest."""
    return [
        row(t / 80, left=83_000 + left * (80 <= t < 160), right=-40_000 + right * (80 <= t < 160))
        for t in range(240)
    ]


def test_a_press_on_its_own_cell() -> None:
    finding = press_finding(pressed(60_000, 9_000), Tray.LEFT)
    assert finding.grade is Grade.OK
    assert finding.says == "the left cell felt it"


def test_a_press_that_nobody_felt() -> None:
    the_one([press_finding(pressed(900, 300), Tray.LEFT)], Grade.FAIL, "neither cell", "its cell")


def test_a_press_that_the_other_cell_felt() -> None:
    finding = press_finding(pressed(2_000, 70_000), Tray.LEFT)
    the_one([finding], Grade.FAIL, "the right cell felt it, not the left", "swap")


def test_a_press_that_both_felt() -> None:
    finding = press_finding(pressed(60_000, 55_000), Tray.LEFT)
    the_one([finding], Grade.WARN, "both cells", "straight down")


def test_one_bad_word_is_no_press() -> None:
    readings = pressed(0, 0)
    readings[100] = row(1.25, left=500_000, right=-40_000)
    assert press_finding(readings, Tray.LEFT).grade is Grade.FAIL


def test_the_worst_of_many_is_told() -> None:
    grades = {Grade.OK: Grade.OK, Grade.WARN: Grade.WARN, Grade.FAIL: Grade.FAIL}
    so_far: list[Finding] = []
    for grade, expected in grades.items():
        so_far.insert(0, Finding("x", grade, "y"))
        assert worst(so_far) is expected
    assert worst([]) is Grade.OK
