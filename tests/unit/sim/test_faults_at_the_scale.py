"""Adversities of hands, scale and people: each does what its sentence says, and is noted."""

import itertools
import statistics
from collections.abc import Callable, Sequence
from random import Random

import pytest

from companion.events import Sample
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.outcomes import Declined, Outcome
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Mode, decode_tap_fields
from companion.units import MonoSeconds, Tray
from companion.watching import Watching
from sim.calibrating import calibrate
from sim.faults import CATALOGUE
from sim.habits import Habits
from sim.hands import Placing, Touch
from sim.happenings import Happening, What
from sim.party import NAMES, Party, Plan
from sim.witness import Line
from tests.unit.sim.faults_bench import SOFT, Bench, values


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
        ("wrong_card",),
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


def test_a_card_that_does_not_go_is_refused_and_comes_back_and_play_goes_on() -> None:
    party = evening(("wrong_card",), 0.0, seed=4)
    table = Table(Mode.FULL)
    watching = Watching(table, Judge(Calibration.from_toml(calibrate(party.world))))
    watching.begin_with_start_cards(MonoSeconds(0.0))
    outcomes: list[Outcome] = []
    said = [decode_tap_fields(fields) for fields in party.opening]
    while party.now_s < 150.0:
        for row in party.readings():
            while said and said[0].at_s < row.mono_s:
                outcomes += heard(watching.tap(said.pop(0)))
            outcomes += heard(watching.read(row))
        party.advance(party.now_s + 0.5)
        said += [decode_tap_fields(fields) for fields in party.taps()]
    wrong = [line for line in party.truth() if line.get("act") == "wrong"]
    declined = [outcome for outcome in outcomes if isinstance(outcome, Declined)]
    assert len(declined) == len(wrong) > 1
    assert table.state is not None
    assert party.people.state.turn == table.state.turn


def heard(steps: Sequence[Step]) -> list[Outcome]:
    return [outcome for step in steps for outcome in step.outcomes]


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
