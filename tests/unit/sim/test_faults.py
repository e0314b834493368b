"""Adversities of chips, wires and cells: each does what its sentence says, seeded, and is noted."""

import itertools
import statistics
from random import Random

import pytest

from companion.errors import BadInput
from companion.events import Sensor
from companion.units import COUNTS_MAX, COUNTS_MIN, Tray
from sim.calibrating import calibrate
from sim.faults import CATALOGUE, named
from sim.faults.damage import outlier, rest_ones, signed
from sim.happenings import What
from sim.setup import Setup
from sim.world import World
from tests.unit.sim.faults_bench import SOFT, Bench, calm_rows, damaged, spell, values


def test_all_adversities_have_a_name_of_their_own_and_a_sentence() -> None:
    assert len(CATALOGUE) >= 55
    for name, adversity in CATALOGUE.items():
        assert adversity.name == name
        assert adversity.sentence.endswith(".")
        assert adversity.change is not None or adversity.install is not None


def test_an_unknown_fault_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="'earthquake'"):
        named("earthquake")


def test_a_word_whose_rest_reads_as_ones_ends_in_ones() -> None:
    rng = Random(1)
    for _ in range(200):
        value = rng.randint(COUNTS_MIN, COUNTS_MAX)
        word = rest_ones(rng, value)
        assert COUNTS_MIN <= word <= COUNTS_MAX
        assert word & 0xFFF == 0xFFF
        assert COUNTS_MIN <= outlier(rng, value) <= COUNTS_MAX
    assert signed(0xFFFFFF) == -1


@pytest.mark.parametrize(("name", "least"), [("spikes", 0.005), ("outliers", 0.002)])
def test_a_few_words_in_a_hundred_are_damaged_and_the_others_untouched(
    name: str, least: float
) -> None:
    bench, rows = damaged(name)
    healthy = dict(values(calm_rows(10)))
    given = dict(values(rows))
    different = [at for at, value in given.items() if healthy[at] != value]
    assert least < len(different) / len(given) < 0.03
    noted = [line for line in bench.notes if line["sensor"] == "left"]
    assert len(different) <= len(noted) <= len(different) + 3


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("constant_zero", {0}),
        ("all_ones", {COUNTS_MAX}),
        ("saturation", {COUNTS_MIN, COUNTS_MAX}),
        ("constant", None),
    ],
)
def test_a_chip_repeats_one_value_for_its_spell_and_recovers(
    name: str, shown: set[int] | None
) -> None:
    bench, rows = damaged(name)
    sensor, begin_s, end_s = spell(bench)
    within = {value for at, value in values(rows, sensor) if begin_s + 0.01 < at < end_s}
    assert len(within) == 1
    assert shown is None or within <= shown
    after = {value for at, value in values(rows, sensor) if end_s < at < end_s + 1.0}
    assert len(after) > 5


def test_a_silent_cell_gives_nothing_for_its_spell() -> None:
    bench, rows = damaged("silence")
    sensor, begin_s, end_s = spell(bench)
    other = "right" if sensor == "left" else "left"
    inner = (begin_s + 0.01, min(end_s, 200.0) - 0.01)
    assert not [at for at, _ in values(rows, sensor) if inner[0] < at < inner[1]]
    assert [at for at, _ in values(rows, other) if inner[0] < at < inner[1]]


@pytest.mark.parametrize("sps", [10, 80])
def test_an_unplugged_chip_is_always_ready(sps: int) -> None:
    bench, rows = damaged("always_ready", sps)
    sensor, begin_s, end_s = spell(bench)
    within = [value for at, value in values(rows, sensor) if begin_s < at < end_s]
    assert 110.0 < len(within) / (end_s - begin_s) < 180.0
    assert within.count(0) > len(within) / 2


def test_a_restart_leaves_a_hole_four_wrong_readings_and_the_old_zero() -> None:
    bench, rows = damaged("restart", 10)
    sensor, begin_s, end_s = spell(bench)
    assert 0.3 < end_s - begin_s < 0.5
    given = values(rows, sensor)
    assert not [at for at, _ in given if begin_s + 0.001 < at < end_s]
    before = statistics.median(value for at, value in given if begin_s - 3.0 < at < begin_s)
    after = [abs(value - before) for at, value in given if end_s < at < end_s + 1.5]
    noise = bench.world.chips[Sensor(sensor)].nature.noise_counts
    assert after[0] > 4.0 * noise
    assert after[0] > after[2]
    assert max(after[4:]) < 5.0 * noise


def test_a_switch_that_sticks_shows_closed_on_a_level_scale() -> None:
    bench, rows = damaged("switch_closed")
    sensor, begin_s, end_s = spell(bench)
    assert sensor == "tilt"
    assert all(row.tilt for row in rows if begin_s + 0.01 < row.mono_s < min(end_s, 199.0))
    assert not any(row.tilt for row in rows if row.mono_s < begin_s)


def test_a_switch_that_sticks_open_misses_a_tip() -> None:
    bench = Bench("switch_open")
    bench.run(bench.table.world.wiring.faults[Sensor.TILT][0].spells.begin_s)  # type: ignore[attr-defined]  # the only fault there
    bench.overload(Tray.LEFT)
    assert any(item.what is What.TIPPED for item in bench.seen)


def test_a_chattering_switch_opens_and_closes_on_a_level_scale_and_ends_open() -> None:
    bench, rows = damaged("switch_chatters")
    _, begin_s, end_s = spell(bench)
    edges = [one.mono_s for one, two in itertools.pairwise(rows) if one.tilt != two.tilt]
    assert len([at for at in edges if begin_s <= at <= end_s]) > 3
    assert not next(row for row in rows if row.mono_s > end_s + 0.1).tilt


def test_without_a_switch_the_column_stays_open_and_the_calibration_says_so() -> None:
    bench = Bench("no_switch")
    bench.overload(Tray.LEFT)
    assert not any(row.tilt for row in bench.world.readings())
    assert calibrate(bench.world)["tilt_switch"] is False


def test_swapped_plugs_show_each_tray_in_the_others_column() -> None:
    _, rows = damaged("swapped", 10, 20.0)
    _, healthy = damaged("noise", 10, 20.0)
    left = statistics.mean(value for _, value in values(rows, "left"))
    right = statistics.mean(value for _, value in values(healthy, "right"))
    assert left == pytest.approx(right, abs=200)


def test_late_samples_arrive_together_in_their_order() -> None:
    bench, rows = damaged("late_bursts")
    note = bench.notes[0]
    waiting = [row for row in rows if note["t"] + 0.01 < row.mono_s < note["until"] - 0.01]
    assert waiting == []
    burst = [row for row in rows if abs(row.mono_s - note["until"]) < 0.001]
    assert len(burst) > 10 * (note["until"] - note["t"])
    times = [row.mono_s for row in rows]
    assert times == sorted(times)


def test_duplicates_come_twice_and_gaps_not_at_all() -> None:
    _, twice = damaged("duplicates")
    _, gaps = damaged("gaps")
    whole = len(values(calm_rows(10)))
    assert 1.01 < len(values(twice)) / whole < 1.04
    assert 0.8 < len(values(gaps)) / whole < 0.999


def cell_change(name: str, seed: int = 3) -> tuple[Setup, Setup]:
    change = named(name).change
    assert change is not None
    before = Setup.from_seed(seed, 10)
    return before, change(before, Random(seed))


def test_noise_is_two_to_five_times_as_large() -> None:
    before, after = cell_change("noise")
    for tray in Tray:
        times = after.cells[tray].noise_counts / before.cells[tray].noise_counts
        assert 2.0 <= times <= 5.0


def test_a_cell_upside_down_counts_the_other_way_and_is_calibrated_so() -> None:
    before, after = cell_change("upside_down")
    turned = [tray for tray in Tray if after.cells[tray].counts_per_gram < 0.0]
    assert len(turned) == 1
    assert all(nature.counts_per_gram > 0.0 for nature in before.cells.values())
    known = calibrate(World(3, after))
    assert known[turned[0].value]["counts_per_gram"] < 0.0


def test_a_wrong_calibration_is_off_by_percents() -> None:
    _, after = cell_change("gain_error")
    known = calibrate(World(3, after))
    for tray in Tray:
        wrong = known[tray.value]["counts_per_gram"] / after.cells[tray].counts_per_gram - 1.0
        assert 0.003 < abs(wrong) < 0.06


def test_unequal_rates_are_the_slowest_and_the_fastest() -> None:
    _, after = cell_change("unequal_rates")
    assert sorted(nature.rate for nature in after.cells.values()) == [10.2, 11.6]


def test_on_a_common_clock_both_cells_share_their_rows() -> None:
    _, rows = damaged("common_clock", 10, 20.0)
    assert all(row.left is not None and row.right is not None for row in rows)


def test_cross_talk_shows_a_card_in_the_other_tray() -> None:
    bench = Bench("cross_talk", sps=10)
    quiet = bench.run(10.0)
    for number in range(4):
        bench.world.put(Tray.LEFT, [f"x{number}"], SOFT, at_s=bench.world.now_s)
        bench.run(bench.world.now_s + 3.0)
    bench.world.readings()
    later = bench.run(bench.world.now_s + 10.0)
    gain = bench.world.setup.cells[Tray.RIGHT].counts_per_gram
    rise = statistics.mean(v for _, v in values(later, "right")) - statistics.mean(
        v for _, v in values(quiet, "right")
    )
    assert rise / gain > 0.04


def test_a_loaded_cell_creeps_by_a_good_part_of_the_load() -> None:
    bench = Bench("creep", sps=10)
    for number in range(6):
        bench.world.put(Tray.LEFT, [f"x{number}"], SOFT, at_s=1.0 + number)
    gain = bench.world.setup.cells[Tray.LEFT].counts_per_gram
    at_once = statistics.mean(value for at, value in values(bench.run(14.0)) if at > 12.0)
    later = statistics.mean(value for at, value in values(bench.run(600.0)) if at > 580.0)
    assert (later - at_once) / gain > 0.2


@pytest.mark.parametrize("name", ["drift", "temperature"])
def test_a_scale_at_rest_seems_to_change_by_grams(name: str) -> None:
    bench, rows = damaged(name, 10, 200.0)
    spread = max(
        (max(v for _, v in values(rows, tray)) - min(v for _, v in values(rows, tray)))
        / bench.world.setup.cells[tray].counts_per_gram
        for tray in Tray
    )
    calm = values(calm_rows(10))
    healthy = (max(v for _, v in calm) - min(v for _, v in calm)) / (
        Setup.from_seed(1, 10).cells[Tray.LEFT].counts_per_gram
    )
    assert spread > healthy + 0.15
