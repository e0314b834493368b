"""The scale as physics: it rests, swings, tips and dumps, and no card is ever lost from sight."""

import itertools
import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import Sensor
from companion.units import Tray
from sim.beam import GRAVITY, Beam, BeamShape
from sim.hands import Bump, Placing, Touch
from sim.happenings import Happening, What
from sim.setup import Setup
from sim.world import World

SOFT = Placing(lay_s=0.2, push_g=0.0, push_from_s=0.0, push_s=0.0, braced=0.0)


def scale(seed: int = 1, left: int = 1, right: int = 1, sps: int = 80) -> World:
    world = World(seed, Setup.from_seed(seed, sps))
    world.lay_out(
        {
            Tray.LEFT: [f"L{number}" for number in range(left)],
            Tray.RIGHT: [f"R{number}" for number in range(right)],
        }
    )
    return world


def overload(world: World, tray: Tray) -> list[Happening]:
    """Puts cards in one tray until it has tipped and all has fallen that will fall."""
    happened: list[Happening] = []
    for number in range(40):
        world.put(tray, [f"more{number}"], SOFT, at_s=world.now_s)
        world.advance(world.now_s + 2.0)
        happened += world.happenings()
        if any(item.what is What.FELL for item in happened):
            break
    world.advance(world.now_s + 8.0)
    return happened + world.happenings()


def test_a_level_scale_stays_level() -> None:
    world = scale()
    begin = world.beam.angle
    world.advance(3600.0)
    assert world.beam.angle == begin
    assert abs(begin) < 0.02
    assert world.happenings() == []
    assert world.quiet


@settings(max_examples=30, deadline=None)
@given(angle=st.floats(-0.1, 0.1), speed=st.floats(-0.4, 0.4), load=st.floats(-0.006, 0.006))
def test_energy_only_decays_once_nobody_touches_it(angle: float, speed: float, load: float) -> None:
    beam = Beam(BeamShape(weakening=0.0, disk_g=0.0))
    beam.angle, beam.speed = angle, speed
    energy = beam.energy(load, 0.0)
    for _ in range(4000):
        moving = beam.step(0.0005, load, 0.0, 0.0)
        after = beam.energy(load, 0.0)
        # A step of half a millisecond is not exact to the last digit.
        assert after <= energy + 2e-6
        energy = after
        if not moving:
            return


def test_it_swings_at_a_few_hertz_and_comes_to_rest() -> None:
    world = scale()
    world.touch(Touch(Tray.LEFT, 0.0, 0.15, peak_g=15.0))
    world.advance(8.0)
    assert world.quiet
    assert world.level


@pytest.mark.parametrize("part", [0.5, 0.85])
def test_a_scale_that_leans_but_stands_has_only_wobbled(part: float) -> None:
    """It comes to rest far over, near the angle of its switch: its tip is over."""
    setup = Setup.from_seed(1, 80)
    world = World(1, replace(setup, shape=replace(setup.shape, stiction=1.0)))
    world.beam.angle = 1.1 * setup.switch.angle
    world.advance(0.5)
    assert world.tipped
    world.beam.angle = part * setup.switch.angle
    world.touch(Touch(Tray.LEFT, 0.5, 0.6))
    world.advance(12.0)
    assert world.happenings()[-1].what is What.CALM


@pytest.mark.parametrize("sps", [10, 80])
def test_each_cell_feels_the_cards_that_lie_on_it(sps: int) -> None:
    world = scale(left=2, right=2, sps=sps)
    world.put(Tray.LEFT, ["new"], SOFT, at_s=2.0)
    world.advance(10.0)
    rows = world.readings()
    nature = world.setup.cells[Tray.LEFT]
    before = [row.left for row in rows if row.left is not None and row.mono_s < 2.0]
    after = [row.left for row in rows if row.left is not None and row.mono_s > 8.0]
    step = (sum(after) / len(after) - sum(before) / len(before)) / nature.counts_per_gram
    assert step == pytest.approx(world.setup.cardboard.grams, abs=0.15)


@pytest.mark.parametrize("seed", range(4))
def test_too_many_cards_in_one_tray_tip_it_and_are_dumped_one_after_another(seed: int) -> None:
    world = scale(seed)
    happened = overload(world, Tray.LEFT)
    fell = [item for item in happened if item.what is What.FELL]
    tipped = next(item for item in happened if item.what is What.TIPPED)
    assert tipped.tray is Tray.LEFT
    assert len(fell) >= 5
    assert tipped.at_s < fell[0].at_s
    assert len({item.at_s for item in fell}) > len(fell) / 3
    assert all(item.tray is Tray.LEFT for item in fell)


@pytest.mark.parametrize("seed", range(4))
def test_every_card_is_in_a_tray_or_has_fallen_or_was_taken(seed: int) -> None:
    world = scale(seed, left=3, right=3)
    known = {f"L{number}" for number in range(3)} | {f"R{number}" for number in range(3)}
    taken = world.take(Tray.RIGHT, 2, at_s=0.5)
    world.advance(2.0)
    world.put(Tray.LEFT, taken, SOFT, at_s=2.5)
    world.advance(4.0)
    lying = {*world.names(Tray.LEFT), *world.names(Tray.RIGHT)}
    assert lying == known
    happened = overload(world, Tray.LEFT)
    put = {name for item in happened if item.what is What.CONTACT for name in item.cards}
    fell = [name for item in happened if item.what is What.FELL for name in item.cards]
    lying = {*world.names(Tray.LEFT), *world.names(Tray.RIGHT)}
    assert len(fell) == len(set(fell))
    assert lying.isdisjoint(fell)
    assert lying | set(fell) == known | put


def test_a_hand_sets_it_upright_and_it_stays() -> None:
    world = scale(3)
    overloaded = overload(world, Tray.RIGHT)
    assert any(item.what is What.TIPPED for item in overloaded)
    hold = world.grasp()
    world.advance(world.now_s + 1.5)
    for tray in Tray:
        world.take(tray, len(world.names(tray)), at_s=world.now_s)
    world.advance(world.now_s + 1.0)
    world.let_go(hold)
    world.advance(world.now_s + 5.0)
    assert not world.tipped
    assert world.beam.disk_m == 0.0
    assert [item.what for item in world.happenings()][-1] is What.CALM


def test_a_tray_that_hangs_askew_weighs_less_by_the_cosine() -> None:
    world = scale(2, left=4, right=4)
    shape = world.setup.shape
    level = world.trays[Tray.LEFT].grams
    world.beam.angle = 0.3
    world.beam.acceleration = 0.0
    felt = world.forces()[Tray.LEFT]
    assert felt == pytest.approx((shape.tray_g + level) * math.cos(0.3) - shape.tray_g)


def test_a_tray_that_speeds_downwards_weighs_less_and_the_other_more() -> None:
    world = scale(2, left=4, right=4)
    world.beam.acceleration = 2.0
    shape = world.setup.shape
    right, left = world.forces()[Tray.RIGHT], world.forces()[Tray.LEFT]
    lost = (shape.tray_g + world.trays[Tray.RIGHT].grams) * shape.arm_m * 2.0 / GRAVITY
    assert world.trays[Tray.RIGHT].grams - right == pytest.approx(lost, abs=0.02)
    assert left > world.trays[Tray.LEFT].grams


def test_a_bump_shakes_both_cells_and_rings_out() -> None:
    world = scale(4, left=3, right=3)
    world.bump(Bump(1.0, vertical=3.0, turning=0.0, hertz=4.0, decay_s=0.3))
    world.advance(6.0)
    rows = world.readings()
    for tray in Tray:
        nature = world.setup.cells[tray]
        values = [(row.mono_s, getattr(row, tray.value)) for row in rows]
        grams = [(at, value / nature.counts_per_gram) for at, value in values if value is not None]
        rest = sum(gram for at, gram in grams if at < 1.0) / len([1 for at, _ in grams if at < 1.0])
        assert max(abs(gram - rest) for at, gram in grams if 1.0 < at < 2.0) > 2.0
        assert max(abs(gram - rest) for at, gram in grams if at > 5.0) < 0.6


def test_the_switch_bounces_but_shows_where_the_beam_is_in_the_end() -> None:
    edges = 0
    for seed in range(2):
        world = scale(seed)
        overload(world, Tray.LEFT)
        rows = world.readings()
        assert rows[-1].tilt is True
        edges += sum(1 for one, two in itertools.pairwise(rows) if one.tilt != two.tilt)
    assert edges > 2


def test_edges_of_the_switch_never_overtake_each_other() -> None:
    world = scale(1)
    for number in range(200):
        edges = [(number * 0.1 + 1e-5 * step, 1 - step % 2) for step in range(6)]
        world.wiring.carry(Sensor.TILT, edges, number * 0.1 + 0.05)
    rows = world.wiring.arrived(100.0)
    assert [row.tilt for row in rows] == [True, False] * 600


def test_rows_come_in_order_with_something_new_in_each() -> None:
    world = scale(8)
    for number in range(5):
        world.put(Tray.RIGHT, [f"c{number}"], Placing.ordinary(Random(number)), at_s=world.now_s)
        world.advance(world.now_s + 2.0)
    rows = world.readings()
    assert all(one.mono_s <= two.mono_s for one, two in itertools.pairwise(rows))
    tilt = False
    for row in rows:
        assert row.left is not None or row.right is not None or row.tilt is not tilt
        tilt = bool(row.tilt)


def test_looking_often_or_seldom_gives_the_same_readings() -> None:
    often, seldom = scale(5), scale(5)
    for world in (often, seldom):
        world.put(Tray.LEFT, ["card"], Placing.ordinary(Random(2)), at_s=1.0)
    rows = []
    for step in range(1, 401):
        often.advance(step * 0.01)
        rows += often.readings()
    seldom.advance(4.0)
    assert [row.left for row in rows if row.left] == [
        row.left for row in seldom.readings() if row.left
    ]
