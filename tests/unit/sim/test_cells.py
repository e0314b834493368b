"""The load cell with its chip: what a step, noise and drift look like in counts."""

import math
import statistics
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.cells import CellNature, CellWithChip, answered


def quiet(rate: float = 80.0, counts_per_gram: float = 1000.0) -> CellNature:
    return CellNature(
        rate=rate,
        zero=5000,
        counts_per_gram=counts_per_gram,
        noise_counts=0.0,
        drift_g=0.0,
        creep=0.0,
        jitter=0.0,
    )


def test_a_step_shows_half_after_two_conversions_and_all_after_four() -> None:
    assert answered(2.0) == pytest.approx(0.5)
    assert answered(1.0) < 0.1
    assert answered(3.0) > 0.9
    assert answered(4.0) == 1.0


@given(st.floats(0.0, 4.0), st.floats(0.0, 4.0))
def test_the_answer_to_a_step_only_rises(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert answered(low) <= answered(high) + 1e-12


@pytest.mark.parametrize("rate", [10.5, 11.4, 83.0, 93.0])
def test_readings_follow_a_step_as_the_filter_does(rate: float) -> None:
    cell = CellWithChip(quiet(rate), Random(1))
    step_s = 3.3
    cell.bear(step_s, 100.0)
    for at_s, counts in cell.convert(6.0):
        part = answered((at_s - step_s) * rate)
        assert counts == pytest.approx(5000 + 100_000 * part, abs=1)


def test_a_short_push_between_two_readings_is_not_lost() -> None:
    cell = CellWithChip(quiet(10.0), Random(1))
    cell.bear(2.0, 500.0)
    cell.bear(2.02, 0.0)
    readings = cell.convert(4.0)
    shown = sum(counts - 5000 for _, counts in readings) / 1000.0 / 10.0
    assert shown == pytest.approx(500.0 * 0.02, rel=0.05)


@pytest.mark.parametrize("noise", [12.0, 35.0, 100.0])
def test_noise_has_the_rms_that_was_asked_for(noise: float) -> None:
    nature = quiet(80.0)
    nature.noise_counts = noise
    readings = [counts for _, counts in CellWithChip(nature, Random(3)).convert(100.0)]
    assert statistics.pstdev(readings) == pytest.approx(noise, rel=0.06)


def test_a_ramp_drifts_as_fast_as_it_says() -> None:
    nature = quiet(10.0)
    nature.ramp_g_s = 0.2
    readings = CellWithChip(nature, Random(3)).convert(50.0)
    (first_s, first), (last_s, last) = readings[0], readings[-1]
    assert (last - first) / 1000.0 / (last_s - first_s) == pytest.approx(0.2, rel=0.01)


def test_a_loaded_cell_creeps_towards_its_part_of_the_load() -> None:
    nature = quiet(10.0)
    nature.creep, nature.creep_s = 0.02, 60.0
    cell = CellWithChip(nature, Random(3))
    cell.bear(0.0, 100.0)
    readings = cell.convert(400.0)
    assert (readings[-1][1] - 5000) / 1000.0 == pytest.approx(102.0, abs=0.05)


def test_counts_stay_within_24_bits() -> None:
    cell = CellWithChip(quiet(10.0, counts_per_gram=2000.0), Random(5))
    cell.bear(0.0, 1e6)
    assert cell.convert(2.0)[-1][1] == 2**23 - 1
    cell.bear(2.0, -1e6)
    assert cell.convert(4.0)[-1][1] == -(2**23)


@pytest.mark.parametrize(("sps", "least", "most"), [(10, 10.2, 11.6), (80, 82.0, 94.0)])
def test_chips_keep_the_rates_of_real_ones_and_each_its_own(
    sps: int, least: float, most: float
) -> None:
    rng = Random(9)
    rates = {CellNature.found_in_a_drawer(sps, rng).rate for _ in range(20)}
    assert len(rates) == 20
    assert all(least <= rate <= most for rate in rates)
    nature = CellNature.found_in_a_drawer(sps, rng)
    readings = CellWithChip(nature, rng).convert(100.0)
    assert len(readings) / 100.0 == pytest.approx(nature.rate, rel=0.02)
    assert all(math.isfinite(at_s) for at_s, _ in readings)
