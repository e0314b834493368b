"""A card that tips the scale while a cable is out is still whoever put it there: who pays goes by
it."""

import math
from functools import cache

import msgspec
import pytest

from companion.clock import VirtualClock
from companion.events import Fault, Placed, Removed, Sample, Sensed, Spill, Tip, Wobble
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.units import Tray
from sim.board import SimulatedTable
from sim.party import Plan
from tests.unit.scale import kit
from tests.unit.scale.kit import CARD_G, Signal, eased, past, rows, step, tilted, together

EVERY_S = 2.5
"""From one card to the next."""

OUT_BEFORE_S, OUT_S = 0.5, 3.5
"""Cells go out so long before the card that tips the scale, for so long: longer than a silence
takes to be noticed."""


@cache
def cards_until_it_tips(sps: int, seed: int) -> int:
    """How many cards on the right side, one after another, this scale does not bear."""
    return sum(isinstance(event, Placed) for event in judged(frozenset(), sps, seed, last=99))


def judged(blind: frozenset[Tray], sps: int, seed: int, *, last: int) -> list[Sensed]:
    """What is judged while cards are put in the right tray until the scale tips; cells are out
    when the `last` one comes."""
    clock = VirtualClock()
    table = SimulatedTable(Plan(seed=seed, people=(), sps=sps), clock)
    table.scale.open()
    judge = Judge(Calibration.from_toml(table.calibration))
    events: list[Sensed] = []
    put, tipped_s, out_s = 0, float("inf"), EVERY_S * last - OUT_BEFORE_S
    while clock.mono() < tipped_s + 5.0:
        clock.sleep(0.02)
        if table.picture.tipped:
            tipped_s = min(tipped_s, clock.mono())
        elif tipped_s == float("inf") and clock.mono() >= EVERY_S * (put + 1):
            put += 1
            table.put(Tray.RIGHT)
        for row in table.scale.poll():
            assert isinstance(row, Sample)
            out = blind if out_s <= row.mono_s < out_s + OUT_S else frozenset[Tray]()
            events += judge.feed(
                msgspec.structs.replace(
                    row,
                    left=None if Tray.LEFT in out else row.left,
                    right=None if Tray.RIGHT in out else row.right,
                )
            )
    return events


@pytest.mark.parametrize(("sps", "seed"), [(10, 0), (80, 2)])
@pytest.mark.parametrize(
    "blind",
    [frozenset(), frozenset({Tray.LEFT}), frozenset({Tray.RIGHT}), frozenset(Tray)],
    ids=["all seen", "the other out", "its own out", "both out"],
)
def test_the_card_comes_before_the_tip_although_its_cable_was_out(
    blind: frozenset[Tray], sps: int, seed: int
) -> None:
    last = cards_until_it_tips(sps, seed)
    events = judged(blind, sps, seed, last=last)
    tip = next(event for event in events if isinstance(event, Tip))
    before = [event for event in events[: events.index(tip)] if isinstance(event, Placed)]
    assert [placed.tray for placed in before] == [Tray.RIGHT] * last
    assert EVERY_S * last - 0.2 <= before[-1].began_s <= tip.began_s
    if Tray.RIGHT in blind:
        assert not before[-1].sure, "nobody saw it: the table asks, unless it has been named"
    assert any(isinstance(event, Spill | Wobble) for event in events)


def beside_four(load: Signal, angle: Signal, seconds: float, sps: int) -> list[Sample]:
    """The rows of a scale with this load in its left tray and four cards in the right one."""
    four = tilted(lambda _: 4 * CARD_G, angle)
    return rows(tilted(load, angle), four, seconds, sps=sps, tilt=past(angle))


def without(seen: list[Sample], from_s: float, until_s: float, *cells: str) -> list[Sample]:
    """The same rows, but that these cells say nothing for a while."""
    return [
        msgspec.structs.replace(row, **dict.fromkeys(cells))
        if from_s <= row.mono_s < until_s
        else row
        for row in seen
    ]


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("tips_after_s", [0.9, 1.2])
def test_a_card_that_was_just_counted_has_tipped_the_scale_although_the_cables_are_out(
    sps: int, tips_after_s: float
) -> None:
    """A scale takes its time to tip, and no next player is so quick."""
    angle = eased((3 + tips_after_s, 0.0), (3.35 + tips_after_s, 30.0), (7, 30.0), (7.6, 0.0))
    load = together(lambda _: 6 * CARD_G, step(3, CARD_G))
    seen = beside_four(load, angle, 12, sps)
    out = without(seen, 2.8 + tips_after_s, 6, "left", "right")
    events = kit.judged(out)
    assert [type(event) for event in events if isinstance(event, Placed | Tip)] == [Placed, Tip]


@pytest.mark.parametrize("lost", [0, 1, 5], ids="{} cards lost".format)
@pytest.mark.parametrize("sps", [10, 80])
def test_a_cell_that_falls_silent_in_a_tip_is_heard_before_it_is_said_what_the_tip_has_cost(
    lost: int, sps: int
) -> None:
    """Its own tray loses the cards, and the beam comes back before the cell does."""
    angle = eased((3, 0.0), (3.4, 30.0), (6, 30.0), (6.6, 0.0))
    load = together(lambda _: 8 * CARD_G, step(4.2, -lost * CARD_G))
    events = kit.judged(without(beside_four(load, angle, 14, sps), 4, 8.5, "left"))
    ends = [event for event in events if isinstance(event, Spill | Wobble)]
    assert [type(end) for end in ends] == [Spill if lost else Wobble]
    assert not [event for event in events if isinstance(event, Removed)]
    for end in ends:
        assert isinstance(end, Wobble) or end.lost == {Tray.LEFT: lost, Tray.RIGHT: 0}


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("silent_s", [(3.8, 4.15), (4.0, 4.4), (4.0, 5.5), (3.5, 4.5)])
def test_both_cells_that_fall_silent_in_a_tip_tell_of_its_spill_when_they_are_heard_again(
    silent_s: tuple[float, float], sps: int
) -> None:
    """A line that is held up is silent for both at once, whatever falls meanwhile."""
    angle = eased((3, 0.0), (3.4, 30.0), (9, 30.0))
    load = together(lambda _: 8 * CARD_G, step(4.2, -5 * CARD_G))
    seen = beside_four(load, angle, 8.5, sps)
    heard = [row for row in seen if not silent_s[0] <= row.mono_s < silent_s[1]]
    (spill,) = [event for event in kit.judged(heard) if isinstance(event, Spill)]
    assert spill.lost[Tray.LEFT] == pytest.approx(5, abs=1)


@pytest.mark.parametrize("sps", [10, 80])
def test_a_cell_that_stays_silent_after_a_tip_is_not_waited_for_for_ever(sps: int) -> None:
    angle = eased((3, 0.0), (3.4, 30.0), (6, 30.0), (6.6, 0.0))
    out = without(beside_four(lambda _: 8 * CARD_G, angle, 14, sps), 4, math.inf, "left")
    assert [type(event) for event in kit.judged(out)] == [Tip, Fault, Wobble]


@pytest.mark.parametrize("sps", [10, 80])
def test_one_cell_that_rests_far_too_light_tells_a_spill_that_the_table_asks_about(
    sps: int,
) -> None:
    """No stop lets a beam go so far down that its tilt alone would take as much."""
    angle = eased((3, 0.0), (3.4, 27.0), (9, 27.0))
    load = together(lambda _: 9 * CARD_G, step(3.8, -6 * CARD_G))
    out = without(beside_four(load, angle, 8.5, sps), 3, math.inf, "right")
    spill = next(event for event in kit.judged(out) if isinstance(event, Spill))
    assert not spill.sure
    assert spill.lost[Tray.LEFT]
    assert spill.began_s == pytest.approx(3.8, abs=0.65)
    assert spill.decided_s < 3.8 + 2.5


@pytest.mark.parametrize("sps", [10, 80])
def test_one_cell_on_the_stop_of_a_scale_that_keeps_its_cards_tells_no_spill(sps: int) -> None:
    angle = eased((3, 0.0), (3.4, 42.0), (7, 42.0), (7.6, 0.0))
    out = without(beside_four(lambda _: 9 * CARD_G, angle, 14, sps), 3, math.inf, "right")
    assert not [event for event in kit.judged(out) if isinstance(event, Spill)]
