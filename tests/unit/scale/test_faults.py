"""Broken cells are named in time, believed in nothing, and forgiven once they work again."""

import math
import random
from collections.abc import Callable

import pytest

from companion.events import Fault, FaultKind, Placed, Recovered, Sample, Sensor, SensorFault
from companion.scale.judge import Judge
from companion.units import COUNTS_MAX, COUNTS_MIN, Counts, MonoSeconds
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    RATES,
    calibration,
    cards,
    judged,
    names,
    over,
    press,
    rows,
    step,
    still,
    swung,
    together,
)

Spoil = Callable[[int, float], int | None]


def spoiled(samples: list[Sample], begin: float, end: float, spoil: Spoil) -> list[Sample]:
    """The same rows with other words from the left cell for a while; None is no reading."""
    made = []
    for sample in samples:
        left = sample.left
        if left is not None and begin <= sample.mono_s < end:
            word = spoil(left, sample.mono_s)
            left = None if word is None else Counts(word)
        made.append(Sample(mono_s=sample.mono_s, left=left, right=sample.right, tilt=False))
    return made


@BOTH_RATES
@pytest.mark.parametrize(
    ("kind", "after_s", "spoil"),
    [
        (FaultKind.SILENT, {10: 1.0, 80: 0.5}, lambda _w, _t: None),
        (FaultKind.STUCK, {10: 2.0, 80: 2.0}, lambda _w, _t: 0),
        (FaultKind.STUCK, {10: 2.0, 80: 2.0}, lambda _w, _t: 84_000),
        (FaultKind.SATURATED, {10: 0.3, 80: 0.05}, lambda _w, _t: COUNTS_MAX),
    ],
)
def test_a_fault_is_named_in_time_and_over_when_it_is_over(
    sps: int, kind: FaultKind, after_s: dict[int, float], spoil: Spoil
) -> None:
    """Nothing is invented from it, and play goes on after it with the right counts."""
    play = together(step(3, CARD_G), step(14, CARD_G))
    events = judged(spoiled(rows(play, still, 17, sps=sps), 6, 10, spoil))
    assert names(events) == ["placed", "fault", "recovered", "placed"]
    fault, recovered = events[1], events[2]
    assert isinstance(fault, Fault)
    assert isinstance(recovered, Recovered)
    assert (fault.sensor, fault.kind, recovered.kind) == (Sensor.LEFT, kind, kind)
    assert after_s[sps] - 0.15 < fault.decided_s - 6 < after_s[sps] + 0.3
    assert recovered.decided_s - 10 < 1.0


@BOTH_RATES
def test_what_changed_during_a_fault_comes_to_light_after_it(sps: int) -> None:
    """The zero is kept; two cards more are placed once the cell is heard again."""
    samples = rows(step(8, 2 * CARD_G), still, 16, sps=sps)
    events = judged(spoiled(samples, 6, 11, lambda _w, _t: None))
    assert names(events) == ["fault", "recovered", "placed"]
    placed = events[2]
    assert isinstance(placed, Placed)
    assert placed.count == 2


@BOTH_RATES
def test_single_bad_words_and_short_holes_are_no_fault(sps: int) -> None:
    """Three words in a hundred end in ones, and once the chip restarts."""
    rng = random.Random(sps)

    def spoil(word: int, t: float) -> int | None:
        if 9.0 < t < 9.4:
            return None
        return word | 0xFFFFF if rng.random() < 0.03 else word

    samples = rows(step(6, CARD_G), still, 20, sps=sps)
    assert names(judged(spoiled(samples, 3, 20, spoil))) == ["placed"]


@BOTH_RATES
def test_half_of_the_words_damaged_is_a_desync(sps: int) -> None:
    """Named within two seconds, over when the words are whole again."""
    rng = random.Random(sps)
    samples = rows(still, still, 20, sps=sps)
    events = judged(spoiled(samples, 5, 11, lambda w, _t: w | 0xFFFFF if rng.random() < 0.5 else w))
    assert names(events) == ["fault", "recovered"]
    assert isinstance(events[0], Fault)
    assert events[0].kind is FaultKind.DESYNC
    assert events[0].decided_s < 7.2


def test_a_chip_that_seems_always_ready_is_a_desync() -> None:
    """A hundred and fifty readings a second from a cell that gives twelve."""
    calm = rows(still, still, 12, sps=10)
    rubbish = [
        Sample(mono_s=MonoSeconds(5 + i / 150), left=Counts((i * 7919) % 50_000), tilt=False)
        for i in range(600)
    ]
    samples = sorted(calm + rubbish, key=lambda sample: sample.mono_s)
    events = judged(samples)
    assert names(events)[0] == "fault"
    assert isinstance(events[0], Fault)
    assert events[0].kind is FaultKind.DESYNC
    assert events[0].decided_s < 6.5


@BOTH_RATES
def test_a_noisy_cell_is_named_after_three_seconds(sps: int) -> None:
    """0.6 g rms is no noise of a healthy cell."""
    rng = random.Random(sps)
    samples = rows(still, still, 24, sps=sps)
    events = judged(spoiled(samples, 5, 14, lambda w, _t: w + round(rng.gauss(0, 0.6 * 1540))))
    assert [type(event) for event in events] == [Fault, Recovered]
    assert isinstance(events[0], Fault)
    assert events[0].kind is FaultKind.NOISY
    assert 7.8 <= events[0].decided_s < 10.5


@BOTH_RATES
def test_readings_that_arrive_late_in_a_burst_are_no_desync(sps: int) -> None:
    """The line stalls for less than a silence; a card that came meanwhile is placed."""
    late = []
    for sample in rows(step(6.1, CARD_G), still, 10, sps=sps):
        held = 6.0 <= sample.mono_s < 6.4
        at = MonoSeconds(6.4 + (sample.mono_s - 6) / 100) if held else sample.mono_s
        late.append(Sample(mono_s=at, left=sample.left, right=sample.right, tilt=False))
    assert names(judged(sorted(late, key=lambda sample: sample.mono_s))) == ["placed"]


@BOTH_RATES
@pytest.mark.parametrize(
    ("kind", "spoil"),
    [
        (FaultKind.SILENT, lambda _w, _t: None),
        (FaultKind.STUCK, lambda _w, _t: 0),
        (FaultKind.SATURATED, lambda _w, _t: COUNTS_MAX),
        (FaultKind.SATURATED, lambda _w, _t: COUNTS_MIN),
        (FaultKind.DESYNC, lambda w, _t: w | 0x3FFFFF),
    ],
)
def test_a_cell_that_never_worked_is_named_from_the_first_row_on(
    sps: int, kind: FaultKind, spoil: Spoil
) -> None:
    """A cable that was never plugged in: its fault began with the trace, not before all time."""
    samples = spoiled(rows(still, still, 6, sps=sps), 0, 6, spoil)
    fault = judged(samples)[0]
    assert isinstance(fault, Fault)
    assert (fault.sensor, fault.kind) == (Sensor.LEFT, kind)
    assert samples[0].mono_s <= fault.began_s <= fault.decided_s < 3.5


@BOTH_RATES
@pytest.mark.parametrize("stall_s", [0.3, 2.0])
def test_whatever_arrives_in_bursts_is_decided_when_it_arrives(sps: int, stall_s: float) -> None:
    """Noise and damage are known at the row that shows them, not when that was sampled."""
    rng = random.Random(sps)
    samples = spoiled(
        rows(still, still, 30, sps=sps), 5, 14, lambda w, _t: w + round(rng.gauss(0, 0.6 * 1540))
    )
    samples = spoiled(samples, 18, 24, lambda w, _t: w | 0xFFFF if rng.random() < 0.6 else w)
    judge, kinds, last_s = Judge(calibration()), set(), 0.0
    for sample in samples:
        stall, at_s = sample.mono_s // stall_s, sample.mono_s
        if stall % 3 == 2 or stall_s * stall > 18:
            at_s = MonoSeconds((stall + 1) * stall_s)
        row = Sample(mono_s=at_s, left=sample.left, right=sample.right, tilt=False)
        for event in judge.feed(row):
            assert last_s <= event.decided_s == row.mono_s
            assert event.began_s <= event.decided_s
            last_s = event.decided_s
            if isinstance(event, Fault):
                kinds.add(event.kind)
    assert FaultKind.NOISY in kinds


def test_a_board_may_report_its_own_loss() -> None:
    """It takes the place of the readings that it cannot give."""
    judge = Judge(calibration())
    for sample in rows(still, still, 4):
        judge.feed(sample)
    events = judge.feed(
        SensorFault(
            mono_s=MonoSeconds(4.0), sensor=Sensor.RIGHT, kind=FaultKind.SILENT, detail="unplugged"
        )
    )
    assert names(events) == ["fault"]
    assert judge.live.faults == ((Sensor.RIGHT, FaultKind.SILENT),)
    assert judge.live.right.grams is None


def test_a_board_that_is_lost_before_its_first_reading_is_silent_from_then_on() -> None:
    """Not since ever: no moment in which it spoke is known."""
    lost_s = MonoSeconds(4.0)
    lost = SensorFault(mono_s=lost_s, sensor=Sensor.RIGHT, kind=FaultKind.SILENT, detail="no port")
    (event,) = Judge(calibration()).feed(lost)
    assert (event.began_s, event.decided_s) == (lost_s, lost_s)


@pytest.mark.parametrize("rms_g", [0.45, 0.9, 1.5])
@BOTH_RATES
@pytest.mark.parametrize("seed", range(4))
def test_noise_that_never_rests_is_named_as_soon(sps: int, rms_g: float, seed: int) -> None:
    """However strong, three seconds of it and the block that it began in are enough; no card."""
    rng = random.Random(seed)
    noise: Spoil = lambda w, _t: w + round(rng.gauss(0, rms_g * 1540))  # noqa: E731 - a spoil
    events = judged(spoiled(rows(still, still, 14, sps=sps, seed=seed), 5, 14, noise))
    assert [type(event) for event in events] == [Fault]
    assert events[0].decided_s < 9.2


@BOTH_RATES
def test_a_beam_that_swings_for_long_is_no_noise(sps: int) -> None:
    """It moves both cells, and a broken one moves alone."""

    def swing(t: float) -> float:
        return 0.0 if t < 3 else 2.5 * math.exp(-(t - 3) / 6) * math.sin(2 * math.pi * 1.9 * t)

    assert judged(rows(swing, lambda t: -swing(t), 20, sps=sps)) == []


@BOTH_RATES
def test_a_hand_that_trembles_is_no_noise(sps: int) -> None:
    """It presses with more than its tremor, twice."""

    def hand(t: float) -> float:
        return 25 + math.sin(2 * math.pi * 9.3 * t) if 3 <= t < 9 and t % 3 < 2.7 else 0.0

    assert judged(rows(hand, still, 14, sps=sps)) == []


def test_both_cells_may_be_noisy() -> None:
    """A bad supply spoils both: that is named once no beam would swing any more."""
    rng = random.Random(1)
    spoilt = [
        Sample(
            mono_s=sample.mono_s,
            left=Counts((sample.left or 0) + round(rng.gauss(0, 800) if sample.mono_s > 4 else 0)),
            right=Counts(
                (sample.right or 0) + round(rng.gauss(0, 800) if sample.mono_s > 4 else 0)
            ),
            tilt=False,
        )
        for sample in rows(still, still, 24)
    ]
    events = judged(spoilt)
    assert {e.sensor for e in events if isinstance(e, Fault)} == {Sensor.LEFT, Sensor.RIGHT}
    assert all(isinstance(e, Fault) and e.kind is FaultKind.NOISY for e in events)


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("gap_s", [0.35, 0.45, 0.55])
@pytest.mark.parametrize("into_s", [0.0, 0.15, 0.3])
def test_a_card_that_comes_in_a_gap_is_dated_to_the_first_reading_after_it(
    into_s: float, gap_s: float, sps: int
) -> None:
    """So long a gap may be a chip's restart: its first four conversions weigh nothing, but they
    are not what the card has waited for."""
    gap_from_s = 5.0
    load = together(step(gap_from_s + into_s, CARD_G), press(gap_from_s + into_s, 0.4, 20))
    seen = spoiled(rows(load, still, 9, sps=sps), gap_from_s, gap_from_s + gap_s, lambda *_: None)
    events = [event for event in judged(seen) if not isinstance(event, Fault | Recovered)]
    (placed,) = events
    assert isinstance(placed, Placed)
    assert gap_from_s - 0.1 <= placed.began_s <= gap_from_s + gap_s + 2 / RATES[sps]


@pytest.mark.parametrize("gap_s", [0.4, 0.45])
@pytest.mark.parametrize(("sps", "first_s"), [(10, 2.0), (80, 2.0), (80, 4.6)])
def test_a_card_that_comes_after_a_gap_is_not_dated_into_it(
    sps: int, first_s: float, gap_s: float
) -> None:
    """Whatever a chip's first conversions are off by, they show that nothing has come yet; and
    where the tray still swings with the card before, the next one came behind the gap."""
    gap_from_s = 5.2
    came_s = gap_from_s + gap_s + (0.04 if sps == 80 else 0.3)
    times_s = (first_s, came_s)
    hands = [hand for at_s in times_s for hand in (step(at_s, CARD_G), press(at_s, 0.2, 15))]
    load = together(*hands, step(0.5, 2 * CARD_G))
    seen = spoiled(rows(load, still, 8, sps=sps), gap_from_s, gap_from_s + gap_s, lambda *_: None)
    placed = [event for event in judged(seen) if isinstance(event, Placed)]
    assert [event.count for event in placed[-2:]] == [1, 1]
    assert abs(placed[-1].began_s - came_s) < (0.3 if sps == 80 else 0.4)


@BOTH_RATES
@pytest.mark.parametrize("after_s", [0.1, 0.4, 0.8])
def test_a_switch_that_sticks_as_a_card_comes_is_stuck_and_tips_nothing(
    sps: int, after_s: float
) -> None:
    """It looks like a tip until the scale has stood level beside it for ten seconds; people who
    play on meanwhile, and the spill that comes then, are judged as ever."""
    stuck_s, falls_s = 3.0 + after_s, 24.0
    put = together(step(3.0, CARD_G), press(3.0, 0.15, 6), step(6.0, CARD_G), press(6.0, 0.15, 6))
    turns = over(falls_s, 40.0)
    gone = step(falls_s + 0.5, -9 * CARD_G, rise=0.4)
    left, right = swung(cards(8, put, gone), turns, -1), swung(cards(6), turns, 1)
    events = judged(rows(left, right, 30, sps=sps, tilt=lambda t: t > stuck_s))
    kinds = [type(event).__name__ for event in events]
    assert kinds[:1] == ["Placed"]
    assert kinds.count("Placed") == 2
    assert kinds[-4:] == ["Fault", "Wobble", "Tip", "Spill"]
    (fault,) = (event for event in events if isinstance(event, Fault))
    assert (fault.sensor, fault.kind) == (Sensor.TILT, FaultKind.STUCK)
    assert stuck_s + 10.0 <= fault.decided_s <= stuck_s + 12.0
