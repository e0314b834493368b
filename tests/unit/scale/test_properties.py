"""What holds whatever the readings say: causality, order, and one end for every tip."""

import random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.events import Sample, Spill, Tip, Wobble
from companion.scale.balance import Balance
from companion.scale.judge import Judge
from companion.scale.leaving import MOST_LOOKS, Course
from companion.scale.signal import LOOK_S
from companion.units import Counts, MonoSeconds, Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    calibration,
    cards,
    eased,
    judged,
    over,
    past,
    press,
    rows,
    step,
    tilted,
    together,
)

WORDS = st.none() | st.integers(-(2**23), 2**23 - 1) | st.integers(80_000, 90_000)
ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.001, 0.0125, 0.1, 3.0]), WORDS, WORDS, st.booleans()),
    max_size=150,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(made=ROWS, fitted=st.booleans())
def test_any_readings_are_judged_in_order(
    made: list[tuple[float, int | None, int | None, bool]], *, fitted: bool
) -> None:
    """No reading breaks the judge; nothing is decided before it began or in the past, and no tray
    holds less than nothing."""
    judge, now, last = Judge(calibration(tilt_switch=fitted)), 0.0, 0.0
    tipping = False
    for dt, left, right, tilt in made:
        now += dt
        sample = Sample(
            mono_s=MonoSeconds(now),
            left=None if left is None else Counts(left),
            right=None if right is None else Counts(right),
            tilt=tilt,
        )
        for event in judge.feed(sample):
            assert event.began_s <= event.decided_s
            assert last <= event.decided_s == now
            last = event.decided_s
            assert event.reasons
            if isinstance(event, Tip):
                assert not tipping
                tipping = True
            elif isinstance(event, Wobble | Spill):
                assert tipping
                tipping = False
        assert all((judge.live.tray(tray).cards or 0) >= 0 for tray in Tray)


GAPS = st.lists(
    st.tuples(
        st.floats(1.0, 8.0),
        st.sampled_from([0.15, 0.35, 0.45, 0.7, 1.5]),
        st.sampled_from([(), ("left",), ("right",), ("left", "right")]),
    ),
    max_size=3,
)
"""From when, for how long, and which cells say nothing; none of them: there is no row at all."""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    gaps=GAPS,
    sps=st.sampled_from([10, 80]),
    stop=st.floats(15.0, 50.0),
    lost=st.tuples(st.integers(0, 5), st.integers(0, 4)),
    fell_s=st.floats(3.2, 5.0),
    righted_s=st.floats(5.0, 9.0),
)
def test_a_tip_is_judged_whatever_the_cells_leave_out(
    gaps: list[tuple[float, float, tuple[str, ...]]],
    sps: int,
    stop: float,
    lost: tuple[int, int],
    fell_s: float,
    righted_s: float,
) -> None:
    """No reading that is missing breaks the judge, and a tip has one end at most."""
    angle = eased((3, 0.0), (3.5, stop), (righted_s, stop), (righted_s + 0.5, 0.0))
    left, right = (
        cards(held, *(step(fell_s + 0.06 * i, -CARD_G) for i in range(gone)))
        for held, gone in zip((8, 5), lost, strict=True)
    )
    samples = rows(tilted(left, angle), tilted(right, angle), 14, sps=sps, tilt=past(angle))
    for begin_s, seconds, cells in gaps:
        samples = [
            replace(row, **dict.fromkeys(cells)) if gone else row
            for row in samples
            if not (gone := begin_s <= row.mono_s < begin_s + seconds) or cells
        ]
    told = [type(event) for event in judged(samples) if isinstance(event, Tip | Wobble | Spill)]
    assert all(event is Tip for event in told[::2])
    assert all(event is not Tip for event in told[1::2])


@BOTH_RATES
@pytest.mark.parametrize("cell", ["left", "right"])
def test_a_cell_that_is_heard_again_at_any_moment_of_a_fall_breaks_nothing(
    sps: int, cell: str
) -> None:
    """While its chip settles it is known again that it lives, and not yet what it weighs."""
    angle = over(3, 4.6)
    falls = [step(3.4 + 0.05 * i, -CARD_G) for i in range(3)]
    samples = rows(
        tilted(cards(6, *falls), angle), tilted(cards(4), angle), 7, sps=sps, tilt=past(angle)
    )
    heard_again = [row.mono_s for row in samples if 2.7 < row.mono_s < 3.6]
    for heard_s in heard_again[:: sps // 10]:
        silent = {row for row in samples if heard_s - 1.4 < row.mono_s < heard_s}
        events = judged([replace(row, **{cell: None}) if row in silent else row for row in samples])
        assert sum(isinstance(event, Tip) for event in events) == 1


def test_deciding_never_looks_ahead() -> None:
    """Whatever comes later, the events decided so far are the same."""
    rng = random.Random(4)
    plays = [step(3 + 1.7 * i, CARD_G) for i in range(8)]
    hands = [press(3 + 1.7 * i, rng.uniform(0.1, 0.8), rng.uniform(20, 400)) for i in range(8)]
    samples = rows(together(*plays, *hands), plays[3], 18)
    whole = judged(samples)
    for cut in range(200, len(samples), 217):
        now = samples[cut - 1].mono_s
        assert judged(samples[:cut]) == [event for event in whole if event.decided_s <= now]


def test_the_same_readings_give_the_same_events() -> None:
    """To the byte."""
    samples = rows(step(3, CARD_G), step(5, CARD_G), 8)
    assert msgspec.json.encode(judged(samples)) == msgspec.json.encode(judged(samples))


def test_memory_does_not_grow_with_the_trace() -> None:
    """Three minutes of play hold no more than what a table needs at any moment."""
    judge = Judge(calibration())
    sizes = []
    for half_minute in range(6):
        for sample in rows(
            together(*(step(5 + 6 * i, CARD_G) for i in range(3))), step(8, CARD_G), 30, sps=10
        ):
            moved = replace(sample, mono_s=MonoSeconds(sample.mono_s + 30 * half_minute))
            judge.feed(moved)
        sizes.append(_held(judge))
    assert max(sizes) < 5_000


def test_a_scale_that_is_shaken_for_hours_while_it_is_tipped_fills_no_memory() -> None:
    """What it weighed long ago dates no loss."""
    course, trays = Course(), Balance(calibration()).trays
    for look in range(5 * MOST_LOOKS):
        share = -0.1 - 0.05 * (look % 2)
        course.take(look * LOOK_S, trays, (share, share), held=True)
    assert _held(course) < 10 * MOST_LOOKS


def _held(thing: object, seen: set[int] | None = None) -> int:
    """How many objects it holds on to."""
    seen = set() if seen is None else seen
    if id(thing) in seen or isinstance(thing, int | float | str | bool | type(None)):
        return 0
    seen.add(id(thing))
    parts: list[object] = []
    if isinstance(thing, dict):
        parts = list(thing.values())
    elif isinstance(thing, list | tuple | set | frozenset):
        parts = list(thing)
    parts += list(getattr(thing, "__dict__", {}).values())
    for name in getattr(type(thing), "__slots__", ()):
        parts.append(getattr(thing, name, None))
    size = len(parts)
    return size + sum(_held(part, seen) for part in parts)
