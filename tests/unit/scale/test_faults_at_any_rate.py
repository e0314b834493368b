"""Cells of any rate fail in any way: each fault is named once, and costs no card."""

import math
import pickle
import random
from collections.abc import Callable

import pytest

from companion.events import Fault, FaultKind, Placed, Recovered, Removed, Sample, Sensed, Sensor
from companion.scale.cadence import Cadence
from companion.scale.judge import Judge
from companion.units import COUNTS_MAX, COUNTS_MIN, Counts, MonoSeconds
from tests.unit.scale.kit import (
    CARD_G,
    COUNTS_PER_GRAM,
    Idle,
    Signal,
    calibration,
    judged,
    names,
    step,
    still,
    together,
)

RATES = (7.0, 10.0, 12.0, 80.0, 93.0)
BEGIN_S, END_S, SECONDS = 8.0, 15.0, 23.0
LEFT_ZERO, RIGHT_ZERO = calibration().left.zero, calibration().right.zero
Words = list[tuple[float, int]]
Spoil = Callable[[Words], Words]


def words(
    load: Signal, rate: float, *, seed: int, zero: float = LEFT_ZERO, quiet: float = 1.0
) -> Words:
    """What one cell says in `SECONDS`: each word weighs the last four periods."""
    sps = 80 if rate > 30 else 10
    idle, period = Idle(seed, sps), 1 / rate
    made: Words = []
    for i in range(1, int(SECONDS / period)):
        t = i * period + 0.0003 * idle.rng.uniform(-1, 1)
        grams = sum(load(t - period * (k + 0.5)) for k in range(4)) / 4
        made.append((t, round(zero + grams * COUNTS_PER_GRAM + quiet * idle.counts(period))))
    return made


def beside(load: Signal, rate: float, *, seed: int) -> Words:
    """What the right cell says meanwhile; nothing ever ails it."""
    return words(load, rate, seed=seed, zero=RIGHT_ZERO)


def apart(left: Words, right: Words) -> list[Sample]:
    """A row for each word; the cells have clocks of their own, so that rows never coincide."""
    samples = [Sample(mono_s=MonoSeconds(t), left=Counts(w), tilt=False) for t, w in left]
    samples += [Sample(mono_s=MonoSeconds(t), right=Counts(w), tilt=False) for t, w in right]
    return sorted(samples, key=lambda sample: sample.mono_s)


def _during(change: Callable[[float, int], int | None], end: float = END_S) -> Spoil:
    def spoil(said: Words) -> Words:
        made: Words = []
        for t, word in said:
            new = change(t, word) if BEGIN_S <= t < end else word
            if new is not None:
                made.append((t, new))
        return made

    return spoil


def _always_ready(said: Words) -> Words:
    """A hundred and fifty readings a second: zeros, ones and rubbish."""
    rng = random.Random(1)
    rubbish = [
        (BEGIN_S + i / 150, rng.choice((0, -1, rng.randrange(-(2**23), 2**23))))
        for i in range(int(150 * (END_S - BEGIN_S)))
    ]
    return sorted([(t, w) for t, w in said if not BEGIN_S <= t < END_S] + rubbish)


def _more_often(times: float) -> Callable[[float], Spoil]:
    """So many times the cell's own readings, all of them plausible."""

    def at_rate(rate: float) -> Spoil:
        def spoil(said: Words) -> Words:
            rng, many = random.Random(2), int(times * rate * (END_S - BEGIN_S))
            level = [w for t, w in said if BEGIN_S - 1 < t < BEGIN_S]
            more = [
                (BEGIN_S + i / (times * rate), rng.choice(level) + rng.randrange(-9, 9))
                for i in range(many)
            ]
            return sorted([(t, w) for t, w in said if not BEGIN_S <= t < END_S] + more)

        return spoil

    return at_rate


def _ending_in_ones(share: float) -> Spoil:
    rng = random.Random(3)
    return _during(
        lambda _t, w: w | (1 << rng.randrange(17, 22)) - 1 if rng.random() < share else w
    )


def _noise(grams: float, end: float = END_S) -> Spoil:
    rng = random.Random(4)
    return _during(lambda _t, w: w + round(rng.gauss(0, grams * COUNTS_PER_GRAM)), end)


def _changes(events: list[Sensed]) -> dict[str, int]:
    """Cards more or less on each tray, all events together."""
    total = {"left": 0, "right": 0}
    for event in events:
        if isinstance(event, Placed | Removed):
            total[event.tray] += event.count if isinstance(event, Placed) else -event.count
    return total


def _faults(events: list[Sensed]) -> list[tuple[str, str]]:
    return [(names([e])[0], e.kind) for e in events if isinstance(e, Fault | Recovered)]


SPOILS: dict[str, tuple[FaultKind, Spoil]] = {
    "silence": (FaultKind.SILENT, _during(lambda _t, _w: None)),
    "nothing but 0": (FaultKind.STUCK, _during(lambda _t, _w: 0)),
    "the highest word": (FaultKind.SATURATED, _during(lambda _t, _w: COUNTS_MAX)),
    "the lowest word": (FaultKind.SATURATED, _during(lambda _t, _w: COUNTS_MIN)),
    "half damaged": (FaultKind.DESYNC, _ending_in_ones(0.6)),
    "always ready": (FaultKind.DESYNC, _always_ready),
}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(
    ("how", "change"),
    [
        ("silence", 1), ("silence", -1), ("nothing but 0", 2), ("the highest word", -2),
        ("the lowest word", 1), ("half damaged", -1), ("always ready", 1),
    ],
)  # fmt: skip
def test_what_changed_during_a_fault_is_counted_after_it(
    rate: float, how: str, change: int
) -> None:
    """One fault, one recovery, and the cards are right: before, on the other tray, and after."""
    kind, spoil = SPOILS[how]
    cards = together(lambda _: 3 * CARD_G, step(4, CARD_G), step(11, change * CARD_G))
    left = spoil(words(cards, rate, seed=1))
    right = beside(together(lambda _: 2 * CARD_G, step(12.5, CARD_G)), 1.03 * rate, seed=2)
    events = judged(apart(left, right))
    assert _faults(events) == [("fault", kind), ("recovered", kind)]
    assert _changes(events) == {"left": 1 + change, "right": 1}
    assert set(names(events)) <= {"fault", "recovered", "placed", "removed"}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("how", ["silence", "nothing but 0", "the highest word"])
def test_a_fault_in_the_middle_of_a_placing_costs_no_card(rate: float, how: str) -> None:
    """Whether the card was on its way when the cell failed, or is when it works again."""
    kind, spoil = SPOILS[how]
    cards = together(step(BEGIN_S - 0.05, CARD_G), step(END_S + 0.1, CARD_G))
    events = judged(apart(spoil(words(cards, rate, seed=3)), beside(still, rate, seed=4)))
    assert _faults(events) == [("fault", kind), ("recovered", kind)]
    assert _changes(events) == {"left": 2, "right": 0}


@pytest.mark.parametrize("rate", [10.0, 80.0])
@pytest.mark.parametrize("how", SPOILS)
def test_a_cell_that_fails_from_the_beginning_is_counted_when_it_works(
    rate: float, how: str
) -> None:
    """What it said before is no base: the cards that lie there then are no event."""
    _, spoil = SPOILS[how]
    early = [(t - BEGIN_S, w) for t, w in spoil(words(lambda _: 4 * CARD_G, rate, seed=5))]
    late = step(11, CARD_G)
    left = [(t, w + round(COUNTS_PER_GRAM * late(t))) for t, w in early if t > 0]
    samples = apart(left, [(t, w) for t, w in beside(still, rate, seed=6) if t < left[-1][0]])
    judge = Judge(calibration())
    events = [event for sample in samples for event in judge.feed(sample)]
    assert len(_faults(events)) == 2
    assert _changes(events) == {"left": 1, "right": 0}
    assert judge.live.left.cards == 5


@pytest.mark.parametrize("rate", RATES)
def test_readings_a_third_too_often_are_a_desync_and_a_quarter_are_none(rate: float) -> None:
    """1.3 times the cell's rate is the format's limit; it is one fault until it is over."""
    for times, faults in ((1.2, []), (1.45, ["fault", "recovered"])):
        said = _more_often(times)(rate)(words(still, rate, seed=7))
        events = judged(apart(said, beside(still, rate, seed=8)))
        assert names(events) == faults
        if faults:
            assert END_S < events[1].decided_s < END_S + 2.5


@pytest.mark.parametrize("rate", RATES)
def test_a_quarter_of_a_second_silence_short_of_the_limit_is_none(rate: float) -> None:
    """1 s for a slow chip, half a second for a fast one."""
    limit = 0.5 if rate > 30 else 1.0
    for lasts, faulty in ((limit - 2 / rate, False), (limit + 0.1, True)):
        hole = _during(lambda _t, _w: None, BEGIN_S + lasts)
        events = judged(
            apart(hole(words(still, rate, seed=9)), beside(still, 1.03 * rate, seed=22))
        )
        assert (names(events) == ["fault", "recovered"]) is faulty
        assert faulty or not events


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("lasts", [1.7, 2.5])
def test_a_value_that_repeats_is_stuck_after_two_seconds_and_twelve_readings(
    rate: float, lasts: float
) -> None:
    """Not before, however often it was read."""
    same = _during(lambda _t, _w: 83_240, BEGIN_S + lasts)
    events = judged(apart(same(words(still, rate, seed=10)), beside(still, 1.03 * rate, seed=22)))
    assert names(events) == (["fault", "recovered"] if lasts > 2 else [])


@pytest.mark.parametrize("rate", [10.0, 80.0])
@pytest.mark.parametrize("quiet", [0.0, 0.01, 0.05])
def test_a_quiet_cell_that_repeats_itself_is_not_stuck(rate: float, quiet: float) -> None:
    """Some of its readings are equal by chance, for less than two seconds."""
    rng = random.Random(11)
    said = [(t, w + rng.randrange(2)) for t, w in words(still, rate, seed=11, quiet=quiet)]
    assert judged(apart(said, beside(still, rate, seed=12))) == []


@pytest.mark.parametrize("rate", [10.0, 12.0, 80.0])
def test_a_noisy_cell_that_falls_silent_too_is_noisy_afterwards(rate: float) -> None:
    """Two faults at once: each is named, each is over once, and no card comes of either."""
    silent = (17.0, 19.0)
    said = _noise(0.7, 99)(words(lambda _: 3 * CARD_G, rate, seed=13))
    left = [(t, w) for t, w in said if not silent[0] <= t < silent[1]]
    events = judged(apart(left, beside(still, rate, seed=14)))
    assert _faults(events) == [
        ("fault", FaultKind.NOISY),
        ("fault", FaultKind.SILENT),
        ("recovered", FaultKind.SILENT),
    ]
    assert _changes(events) == {"left": 0, "right": 0}


@pytest.mark.parametrize("rate", [12.0, 80.0])
@pytest.mark.parametrize("every_s", [0.001, 0.01, 0.016, 0.02, 0.03])
def test_a_line_that_brings_its_readings_in_twos_and_threes_is_no_fault(
    rate: float, every_s: float
) -> None:
    """A serial line that is asked every few milliseconds hides the beat, and cards are counted."""
    at = (4.0, 8.0, 12.0, 16.0, 20.0)
    cards = together(*(step(t, CARD_G) for t in at))
    samples = []
    for sample in apart(words(cards, rate, seed=15), beside(still, 1.02 * rate, seed=16)):
        asked = MonoSeconds(math.ceil(sample.mono_s / every_s) * every_s)
        samples.append(Sample(mono_s=asked, left=sample.left, right=sample.right, tilt=sample.tilt))
    events = judged(samples)
    assert names(events) == ["placed"] * len(at)
    for event, t in zip(events, at, strict=True):
        assert abs(event.began_s - t) < 0.25


@pytest.mark.parametrize("rate", [10.0, 80.0, 93.0])
@pytest.mark.parametrize("held_s", [0.5, 2.0])
def test_a_trace_may_begin_with_a_burst(rate: float, held_s: float) -> None:
    """The first readings were held up: their times tell nothing about the cell's rate."""
    cards = together(lambda _: 2 * CARD_G, step(6, CARD_G), step(12, CARD_G))
    samples = []
    for sample in apart(words(cards, rate, seed=17), beside(still, rate, seed=18)):
        late = held_s + 0.03 * sample.mono_s
        at = MonoSeconds(late if sample.mono_s < held_s else max(sample.mono_s, 1.03 * held_s))
        samples.append(Sample(mono_s=at, left=sample.left, right=sample.right, tilt=False))
    events = judged(samples)
    assert names(events) == ["placed", "placed"]
    assert [event.decided_s - t < 1.5 for event, t in zip(events, (6, 12), strict=True)] == [
        True, True,
    ]  # fmt: skip


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("heard", "of"), [(2, 3), (3, 4), (2, 4), (3, 5), (4, 5)])
def test_a_cell_that_is_heard_badly_at_first_is_not_held_for_a_slower_one(
    rate: float, heard: int, of: int
) -> None:
    """A plug that has a loose contact for half a minute loses words, later none."""
    cadence = Cadence()
    for i in range(round(60 * rate)):
        now_s = i / rate
        if i > 10 and now_s < 30.0 and i % of >= heard:
            continue
        cadence.take(now_s)
        cadence.counted(1, now_s)
    assert not cadence.too_many()
    assert cadence.period_s == pytest.approx(1 / rate, rel=0.11)


def test_a_deck_fails_alone() -> None:
    """What was drawn meanwhile is said after it; the trays play on."""
    deck = {"zero": 0, "counts_per_gram": COUNTS_PER_GRAM}
    scale = calibration(deck=deck)
    pile = together(lambda _: 40 * CARD_G, step(10, -CARD_G), step(19, -2 * CARD_G))
    samples = apart(words(step(11, CARD_G), 80.0, seed=19), beside(still, 82.0, seed=20))
    silent = SPOILS["silence"][1]
    samples += [
        Sample(mono_s=MonoSeconds(t), deck=Counts(w), tilt=False)
        for t, w in silent(words(pile, 81.0, seed=21, zero=0))
    ]
    events = judged(sorted(samples, key=lambda sample: sample.mono_s), scale)
    assert names(events) == ["fault", "placed", "recovered", "drawn", "drawn"]
    assert events[0].sensor is Sensor.DECK  # type: ignore[union-attr]  # a fault, as named above
    assert [e.count for e in events if names([e]) == ["drawn"]] == [1, 2]  # type: ignore[union-attr]  # likewise


def test_a_clock_that_stands_still_fills_no_memory() -> None:
    """However many words bear the same time, what is kept of them is bounded."""
    rng, judge = random.Random(23), Judge(calibration())
    held = []
    for number in range(12_000):
        word = Counts(rng.choice((0, 40_000, rng.randrange(-(2**23), 2**23))))
        judge.feed(Sample(mono_s=MonoSeconds(5.0), left=word, tilt=bool(number % 2)))
        if number in (5_999, 11_999):
            held.append(len(pickle.dumps(judge)))
    assert held[1] < held[0] + 30_000
