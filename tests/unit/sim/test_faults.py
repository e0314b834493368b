"""Adversities: each does what its sentence says, seeded, and is noted in the truth."""

import itertools
import statistics
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from companion.errors import BadInput
from companion.events import Sample, Sensor
from companion.units import COUNTS_MAX, COUNTS_MIN, Tray
from sim.calibrating import calibrate
from sim.faults import CATALOGUE, Table, named
from sim.faults.damage import outlier, rest_ones, signed
from sim.habits import Habits
from sim.hands import Placing, Touch
from sim.happenings import Happening, What
from sim.party import NAMES, Party, Plan
from sim.setup import Setup
from sim.witness import Line, Witness
from sim.world import World

SOFT = Placing(lay_s=0.2, push_g=0.0, push_from_s=0.0, push_s=0.0, braced=0.0)


class Bench:
    """A scale with one adversity and nobody at it."""

    def __init__(self, name: str, *, seed: int = 1, sps: int = 80, cards: int = 3) -> None:
        adversity = named(name)
        setup = Setup.from_seed(seed, sps)
        if adversity.change is not None:
            setup = adversity.change(setup, Random(seed))
        self.world = World(seed, setup)
        self.witness = Witness()
        self.table = Table(self.world, self.witness, Habits(Random(seed)), [])
        if adversity.install is not None:
            adversity.install(self.table, Random(seed))
        self.world.lay_out({tray: [f"{tray}{number}" for number in range(cards)] for tray in Tray})
        self.seen: list[Happening] = []

    def run(self, until_s: float) -> list[Sample]:
        """Everything that reaches the host up to `until_s`."""
        world, incidents = self.world, self.table.incidents
        while world.now_s < until_s:
            due = min((incident.due_s for incident in incidents), default=until_s)
            world.tick(min(until_s, due))
            for happening in world.happenings():
                self.seen.append(happening)
                for incident in incidents:
                    incident.saw(happening)
            for incident in incidents:
                if world.now_s >= incident.due_s:
                    incident.act()
        return world.readings()

    def overload(self, tray: Tray) -> list[Happening]:
        """Puts cards in one tray until it tips, then waits to see what becomes of it."""
        for number in range(30):
            self.world.put(tray, [f"more{number}"], SOFT, at_s=self.world.now_s)
            self.run(self.world.now_s + 1.5)
            if any(item.what is What.TIPPED for item in self.seen):
                break
        self.run(self.world.now_s + 12.0)
        return self.seen

    @property
    def notes(self) -> list[Line]:
        return [line for line in self.witness.lines if line["truth"] == "adversity"]


def values(rows: list[Sample], sensor: str = "left") -> list[tuple[float, int]]:
    return [(row.mono_s, getattr(row, sensor)) for row in rows if getattr(row, sensor) is not None]


@cache
def calm_rows(sps: int) -> list[Sample]:
    world = World(1, Setup.from_seed(1, sps))
    world.lay_out({tray: ["a", "b", "c"] for tray in Tray})
    world.advance(200.0)
    return world.readings()


def damaged(name: str, sps: int = 10, until_s: float = 200.0) -> tuple[Bench, list[Sample]]:
    bench = Bench(name, sps=sps)
    return bench, bench.run(until_s)


def spell(bench: Bench) -> tuple[str, float, float]:
    note = bench.notes[0]
    return note["sensor"], note["t"], note["until"]


def test_all_adversities_have_a_name_of_their_own_and_a_sentence() -> None:
    assert len(CATALOGUE) >= 55
    for name, adversity in CATALOGUE.items():
        assert adversity.name == name
        assert adversity.sentence.endswith(".")
        assert adversity.change is not None or adversity.install is not None


def test_an_unknown_fault_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="'earthquake'"):
        named("earthquake")


# --- chips and wires ---


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


# --- cells ---


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


# --- hands ---


def styles(name: str) -> list[Placing]:
    habits = Habits(Random(4), {name})
    return [
        placing for placing, style in (habits.placing(1.0) for _ in range(200)) if style == name
    ]


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("press", lambda p: 20.0 <= p.push_g <= 400.0 and 0.1 <= p.push_s <= 1.5),
        ("soft", lambda p: p.push_g == 0.0 and p.lay_s >= 0.5),
        ("drop", lambda p: p.drop_m >= 0.05),
        ("half_in", lambda p: p.home_later_s is not None and p.leaning < 0.9),
        ("hold", lambda p: p.steadied >= 2.0),
        ("clumsy", lambda p: p.push_g >= 25.0 and p.braced <= 0.5),
    ],
)
def test_a_habit_shows_in_how_cards_are_put_down(
    name: str, holds: Callable[[Placing], bool]
) -> None:
    placings = styles(name)
    assert len(placings) > 60
    assert all(holds(placing) for placing in placings)


def test_a_press_is_felt_by_the_cell_and_comes_back() -> None:
    bench = Bench("press")
    world = bench.world
    world.put(Tray.LEFT, ["card"], styles("press")[0], at_s=2.0)
    rows = bench.run(8.0)
    gain = world.setup.cells[Tray.LEFT].counts_per_gram
    before = statistics.mean(value for at, value in values(rows) if at < 2.0)
    peak = max(value for _, value in values(rows)) - before
    after = statistics.mean(value for at, value in values(rows) if at > 6.0) - before
    assert peak / gain > 10.0
    assert after / gain == pytest.approx(world.setup.cardboard.grams, abs=0.2)


def test_a_card_half_in_weighs_less_until_it_is_pushed_home() -> None:
    bench = Bench("half_in", sps=80)
    world = bench.world
    placing = styles("half_in")[0]
    end = world.put(Tray.LEFT, ["card"], placing, at_s=2.0)
    assert placing.home_later_s is not None
    bench.run(end + placing.home_later_s - 0.05)
    leaning = world.trays[Tray.LEFT].grams
    bench.run(end + placing.home_later_s + 2.0)
    home = world.trays[Tray.LEFT].grams
    assert home - leaning == pytest.approx(
        (1.0 - placing.leaning) * world.setup.cardboard.grams, rel=0.05
    )


# --- the scale ---


def test_a_caught_beam_does_not_fall() -> None:
    caught = 0
    for seed in (1, 2, 3, 4):
        bench = Bench("caught", seed=seed)
        bench.world.touch(Touch(Tray.LEFT, 1.0, 1.25, peak_g=60.0))
        bench.run(6.0)
        what = [item.what for item in bench.seen]
        assert what[0] is What.TIPPED
        if bench.notes and What.FELL not in what:
            caught += what[-1] is What.CALM
    assert caught >= 2


def test_a_beam_that_hangs_at_the_edge_waits_before_it_dumps() -> None:
    happened = Bench("hangs_at_edge", seed=3).overload(Tray.LEFT)
    tipped = next(item.at_s for item in happened if item.what is What.TIPPED)
    fell = [item.at_s for item in happened if item.what is What.FELL]
    assert not fell or fell[0] - tipped > 0.5


def test_a_jerk_to_the_other_side_dumps_both_trays() -> None:
    bench = Bench("dumps_both", seed=4, cards=4)
    happened = bench.overload(Tray.LEFT)
    assert {item.tray for item in happened if item.what is What.FELL} == set(Tray)


@pytest.mark.parametrize("name", ["one_card", "righted"])
def test_a_scale_that_is_righted_in_the_middle_keeps_cards(name: str) -> None:
    kept = 0
    for seed in (1, 2, 3):
        bench = Bench(name, seed=seed)
        bench.overload(Tray.RIGHT)
        kept += bool(bench.world.names(Tray.RIGHT))
    assert kept >= 2


def test_cards_slide_off_one_by_one_over_seconds() -> None:
    happened = Bench("one_by_one", seed=2).overload(Tray.LEFT)
    fell = [item.at_s for item in happened if item.what is What.FELL]
    assert fell[-1] - fell[0] > 1.0


def test_some_cards_cling_to_a_tray_that_keeps_them_hanging() -> None:
    hanging = 0
    for seed in (1, 2, 3):
        bench = Bench("keeps_hanging", seed=seed, cards=8)
        bench.overload(Tray.LEFT)
        hanging += len(bench.world.names(Tray.LEFT))
    assert 1 <= hanging <= 12


def test_a_touchy_scale_tips_with_fewer_cards() -> None:
    def cards(name: str) -> int:
        happened = Bench(name, seed=1).overload(Tray.LEFT)
        return sum(item.what is What.CONTACT for item in happened)

    assert cards("tips_at_once") + 2 <= cards("noise")


def test_a_scale_that_creeps_leans_further_while_nobody_touches_it() -> None:
    def creep(name: str) -> float:
        bench = Bench(name, seed=2)
        for number in range(7):
            bench.world.put(Tray.LEFT, [f"x{number}"], SOFT, at_s=1.0 + 0.5 * number)
        bench.run(6.5)
        before = bench.world.beam.angle
        bench.run(15.0)
        return bench.world.beam.angle / before - 1.0

    assert creep("creeps") > creep("noise") + 0.05


def test_bumps_rock_the_scale_and_shoves_may_spill_it() -> None:
    bumped = Bench("bumped", cards=4)
    bumped.run(120.0)
    assert len(bumped.notes) >= 2
    assert not any(item.what is What.FELL for item in bumped.seen)
    assert any(item.what is What.TIPPED for seed in (1, 2, 3) for item in _shoved(seed))


def _shoved(seed: int) -> list[Happening]:
    bench = Bench("shoved", seed=seed, cards=4)
    bench.run(90.0)
    return bench.seen


def test_a_scale_that_is_carried_loses_no_card() -> None:
    bench = Bench("carried", cards=4)
    rows = bench.run(70.0)
    note = bench.notes[0]
    assert note["name"] == "carried"
    assert not any(item.what is What.FELL for item in bench.seen)
    moved = [value for at, value in values(rows) if note["t"] < at < note["until"]]
    still = [value for at, value in values(rows) if at < note["t"]]
    assert statistics.pstdev(moved) > 3.0 * statistics.pstdev(still)


def test_the_disk_slides_off_at_a_slight_lean() -> None:
    bench = Bench("loses_disk", cards=1)
    for number in range(5):
        bench.world.put(Tray.RIGHT, [f"x{number}"], SOFT, at_s=bench.world.now_s)
        bench.run(bench.world.now_s + 2.0)
    assert any(item.what is What.DISK_LOST for item in bench.seen)
    assert bench.world.beam.disk_m is None


# --- at a table ---


def evening(faults: tuple[str, ...], seconds: float, seed: int = 5) -> Party:
    party = Party(Plan(seed=seed, players=NAMES[:4], sps=10, rounds=1, faults=faults))
    party.advance(seconds)
    return party


def noted(party: Party) -> set[str]:
    return {line["name"] for line in party.truth() if line["truth"] == "adversity"}


@pytest.mark.parametrize(
    "names",
    [
        ("adjust", "steady", "look_under"),
        ("take_back", "two_stuck"),
        ("press", "soft", "drop", "half_in", "hold", "clumsy"),
    ],
)
def test_habits_are_noted_where_they_happen(names: tuple[str, ...]) -> None:
    assert noted(evening(names, 150.0)) == set(names)


def test_a_card_that_is_taken_back_is_undone_in_the_truth() -> None:
    party = evening(("take_back",), 100.0)
    lines = party.truth()
    undone = [line for line in lines if line.get("do") == "undo"]
    taken = [line for line in lines if line["truth"] == "removed" and line["act"] == "back"]
    assert len(undone) == len(taken) > 0


def test_people_in_haste_play_half_a_second_apart() -> None:
    def gaps(faults: tuple[str, ...]) -> float:
        acts: list[float] = [
            line["t"]
            for line in evening(faults, 60.0).truth()
            if line["truth"] == "placed" and line["act"] == "play"
        ]
        return statistics.median(two - one for one, two in itertools.pairwise(acts))

    assert gaps(("quick_plays",)) < 3.0 < gaps(())


def test_somebody_acts_in_the_middle_of_a_tip() -> None:
    names = ("draw_mid_tip", "play_mid_tip", "play_at_spill")
    assert noted(evening(names, 250.0)) & {*names, "drop_mid_tip"}


def test_everything_at_once_is_still_the_same_table_for_the_same_seed() -> None:
    def table() -> tuple[list[Sample], list[Line]]:
        party = evening(tuple(CATALOGUE), 40.0)
        return list(party.readings()), party.truth()

    assert table() == table()
