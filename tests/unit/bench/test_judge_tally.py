"""How the judge's table counts: each kind of error once, and a question is no error."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from companion.bench.judge_table import quantile, total
from companion.bench.judge_tally import Tally, tallied
from companion.bench.judge_truth import TrueAct, read_truth
from companion.events import Fault, FaultKind, Placed, Removed, Sensed, Sensor, Spill, Tip, Wobble
from companion.units import Grams, MonoSeconds, Tray


def put(t: float, by: str | None, act: str, count: int = 1) -> dict[str, Any]:
    let_go = round(t + 0.3, 3)
    tray = "left"
    return {"t": t, "truth": "placed", "tray": tray, "count": count, "by": by, "act": act,
            "let_go": let_go}  # fmt: skip


LINES: list[Mapping[str, Any]] = [
    put(5.0, "Ann", "play"),
    {"t": 9.0, "truth": "act", "do": "draw"},
    {"t": 9.4, "truth": "drawn", "player": "Ben", "count": 1},
    put(12.0, "Cleo", "play"),
    {"t": 15.0, "truth": "tip", "side": "left"},
    {"t": 15.2, "truth": "spill", "tip": 15.0, "payer": "Cleo", "last": 15.9},
    put(20.0, None, "reset", 2),
    {"t": 22.0, "truth": "act", "do": "reset"},
    {"t": 30.0, "truth": "tip", "side": "right"},
    {"t": 31.0, "truth": "wobble", "tip": 30.0},
]


def placed(t: float, decided: float, *, count: int = 1, sure: bool = True) -> Placed:
    return Placed(
        began_s=MonoSeconds(t),
        decided_s=MonoSeconds(decided),
        tray=Tray.LEFT,
        count=count,
        grams=Grams(1.8 * count),
        sure=sure,
    )


def tip(t: float) -> Tip:
    return Tip(began_s=MonoSeconds(t), decided_s=MonoSeconds(t + 0.05), side=None)


def spill(t: float, *, sure: bool = True) -> Spill:
    return Spill(
        began_s=MonoSeconds(t),
        decided_s=MonoSeconds(t + 0.2),
        trays=(Tray.LEFT,),
        lost={Tray.LEFT: 3, Tray.RIGHT: 0},
        sure=sure,
    )


def wobble(t: float) -> Wobble:
    return Wobble(began_s=MonoSeconds(t), decided_s=MonoSeconds(t + 0.5))


RIGHT: list[Sensed] = [
    placed(5.0, 5.6), placed(12.0, 12.7), tip(15.0), spill(15.2), tip(30.0), wobble(30.5),
]  # fmt: skip


def tally(events: Sequence[Sensed], taps: list[TrueAct] | None = None) -> Tally:
    return tallied(read_truth(LINES, 40.0), events, taps or [])


def test_what_is_right_is_counted_as_right() -> None:
    """No error, and the delays from letting go and from the first card's leaving."""
    right = tally(RIGHT)
    assert right.severity == 0
    assert (right.placings, right.spills, right.wobbles) == (2, 1, 1)
    assert [round(s, 3) for s in right.placed_after_s] == [0.3, 0.4]
    assert [round(s, 3) for s in right.spill_after_s] == [0.2]


def test_a_missed_card_leaves_the_spill_to_the_one_before() -> None:
    """Cleo's card was not seen, so Ben, who drew before her, would pay: a wrong payer."""
    missed = tally([event for event in RIGHT if event != RIGHT[1]])
    assert (missed.placed_missed, missed.wrong_payers) == (1, 1)


def test_an_invented_card_is_an_error_and_an_unsure_one_a_question() -> None:
    """The table asks about a card that may be none, and does not take it for a play."""
    invented = tally([*RIGHT, placed(34.0, 34.5)])
    assert (invented.placed_invented, invented.questions) == (1, 0)
    asked = tally([*RIGHT, placed(34.0, 34.5, sure=False)])
    assert (asked.placed_invented, asked.questions) == (0, 1)


def test_a_wrong_count_is_counted_unless_the_table_asks() -> None:
    """Two cards for one is a wrong count; said as unsure it is a question."""
    assert tally([placed(5.0, 5.6, count=2), *RIGHT[1:]]).placed_miscounted == 1
    unsure = tally([placed(5.0, 5.6, count=2, sure=False), *RIGHT[1:]])
    assert (unsure.placed_miscounted, unsure.questions) == (0, 1)


def test_spills_are_missed_invented_and_mistaken_for_wobbles() -> None:
    """A spill called a wobble is missed; a wobble called a spill has its own line."""
    called_wobble = [wobble(15.5) if isinstance(event, Spill) else event for event in RIGHT]
    assert tally(called_wobble).spills_missed == 1
    called_spill = [spill(30.2) if isinstance(event, Wobble) else event for event in RIGHT]
    assert tally(called_spill).wobbles_called_spills == 1
    assert tally([*RIGHT, tip(36.0), spill(36.1)]).spills_invented == 1


def test_hands_between_a_spill_and_play_are_no_cards() -> None:
    """What is put back during the reset is not expected, and not held against anybody."""
    reset = [placed(20.0, 20.8, count=2), *RIGHT]
    assert tally(reset).severity == 0


def test_a_scale_that_tips_again_within_a_second_has_tipped_twice() -> None:
    """The wobble before it does not take the verdict of the spill that follows at once."""
    again: list[Mapping[str, Any]] = [
        {"t": 31.4, "truth": "tip", "side": "right"},
        {"t": 31.6, "truth": "spill", "tip": 31.4, "payer": "Cleo", "last": 32.0},
    ]
    truth = read_truth([*LINES, *again], 40.0)
    said = tallied(truth, [*RIGHT, tip(31.4), spill(31.6)])
    assert said.severity == 0
    assert (said.spills, said.wobbles) == (2, 1)


def test_a_tip_before_play_goes_on_is_nobodys() -> None:
    """While people put cards back a scale may tip as it likes."""
    again: list[Mapping[str, Any]] = [
        {"t": 18.0, "truth": "tip", "side": "left"},
        {"t": 18.2, "truth": "spill", "tip": 18.0, "payer": None, "last": 18.4},
    ]
    said = tallied(read_truth([*LINES, *again], 40.0), RIGHT)
    assert (said.severity, said.spills) == (0, 1)


def test_a_removed_card_that_nobody_took_is_invented() -> None:
    """Removed is held against hands that took cards and cards that slid off."""
    gone = Removed(
        began_s=MonoSeconds(34.0),
        decided_s=MonoSeconds(34.6),
        tray=Tray.LEFT,
        count=1,
        grams=Grams(-1.8),
    )
    assert tally([*RIGHT, gone]).removed_invented == 1


def test_who_sees_no_card_goes_by_the_taps() -> None:
    """Without cells the act counts from its tap: one that comes after the spill makes Ben pay."""
    late = [TrueAct(9.0, "Ben", drawn=True), TrueAct(16.0, "Cleo", drawn=False)]
    assert tally(RIGHT[2:], late).wrong_payers == 1


def test_tallies_add_up() -> None:
    """The sum of tables has the sum of their numbers and all their delays."""
    both = total([tally(RIGHT), tally(RIGHT)])
    assert (both.tables, both.placings, len(both.placed_after_s)) == (2, 4, 4)
    assert quantile([1.0, 2.0, 3.0], 0.5) == 2.0
    assert quantile([], 0.99) == 0.0


def silent(until: float) -> Mapping[str, Any]:
    return {"t": 11.0, "truth": "adversity", "name": "silence", "sensor": "left", "until": until}


def fault(decided: float, kind: FaultKind = FaultKind.SILENT) -> Fault:
    return Fault(
        began_s=MonoSeconds(11.0),
        decided_s=MonoSeconds(decided),
        sensor=Sensor.LEFT,
        kind=kind,
    )


def test_a_fault_is_noticed_in_time_and_by_its_name() -> None:
    """Within a second of when it can be known; late, or of another kind, it is not."""
    truth = read_truth([*LINES, silent(20.0)], 40.0)
    assert truth.faults[0].must_be_told
    for events, in_time in (
        ([fault(12.1)], 1),
        ([fault(14.0)], 0),
        ([fault(12.1, FaultKind.STUCK)], 0),
        ([], 0),
    ):
        told = tallied(truth, events)
        assert (told.faults, told.faults_in_time) == (1, in_time)
    assert tallied(read_truth(LINES, 40.0), [fault(12.1)]).faults_invented == 1


def test_what_a_blind_sensor_cannot_show_is_not_asked_for() -> None:
    """Cleo's card and the spill beside the silent cell stand apart; Ann's card still counts."""
    blind = tallied(read_truth([*LINES, silent(20.0)], 40.0), RIGHT[:1])
    assert (blind.placings, blind.placed_missed) == (1, 0)
    assert (blind.spills, blind.blind_spills, blind.blind_spills_missed) == (0, 1, 1)


def test_a_short_hole_is_no_fault() -> None:
    """Half a second of silence need not be told."""
    assert not read_truth([*LINES, silent(11.5)], 40.0).faults[0].must_be_told


@pytest.mark.parametrize(("length_s", "invented"), [(0.4, 1), (0.55, 0)])
def test_half_a_second_of_lost_samples_is_a_silence(length_s: float, invented: int) -> None:
    """Who says so has invented nothing; a shorter gap is no reason to."""
    gap = {"t": 34.0, "truth": "adversity", "name": "gaps", "until": 34.0 + length_s}
    truth = read_truth([*LINES, gap], 40.0)
    assert tallied(truth, [*RIGHT, fault(34.5)]).faults_invented == invented


def test_what_falls_as_the_trace_ends_is_held_against_nobody() -> None:
    """It has not been decided yet, or just has."""
    last: list[Mapping[str, Any]] = [
        {"t": 37.0, "truth": "tip", "side": "left"},
        {"t": 37.5, "truth": "spill", "tip": 37.0, "payer": "Cleo", "last": 38.0},
    ]
    truth = read_truth([*LINES, *last], 40.0)
    for events in (RIGHT, [*RIGHT, tip(37.0)], [*RIGHT, tip(37.0), spill(37.6)]):
        said = tallied(truth, events)
        assert (said.severity, said.spills) == (0, 1)
