"""A beam that leaves level: what tipped it, whether cards were lost, and what lies there after."""

import pytest

from companion.events import Level, Placed, Sample, Sensed, Spill, Tip, Wobble
from companion.scale.judge import Judge
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    Signal,
    calibration,
    cards,
    eased,
    judged,
    names,
    over,
    past,
    press,
    ramp,
    rows,
    step,
    still,
    swung,
    tilted,
    together,
)


def scene(
    left: Signal, right: Signal, angle: Signal, seconds: float, sps: int, *, switch: bool = True
) -> list[Sample]:
    closed = past(angle) if switch else (lambda _: False)
    return rows(tilted(left, angle), tilted(right, angle), seconds, sps=sps, tilt=closed)


@BOTH_RATES
def test_a_beam_that_comes_back_with_all_its_cards_wobbled(sps: int) -> None:
    """One tip, one wobble, and nobody pays."""
    events = judged(scene(cards(5), cards(4), over(4, 6), 10, sps))
    assert names(events) == ["tip", "wobble"]
    assert abs(events[0].began_s - 4.17) < 0.15


@BOTH_RATES
def test_cards_that_slide_out_are_a_spill(sps: int) -> None:
    """Decided while it still lies on its stop, with the moment at which the first card left."""
    falling = [step(5.0 + 0.15 * i, -CARD_G) for i in range(5)]
    events = judged(scene(cards(6, *falling), cards(3), over(4, 9), 14, sps))
    spill = next(event for event in events if isinstance(event, Spill))
    assert names(events)[:2] == ["tip", "spill"]
    assert spill.trays == (Tray.LEFT,)
    assert abs(spill.began_s - 5.0) < 0.35
    assert spill.decided_s < 6.3
    assert [(e.left, e.right) for e in events if isinstance(e, Level)] == [(1, 3)]


@BOTH_RATES
@pytest.mark.parametrize("tray", [Tray.LEFT, Tray.RIGHT])
def test_a_single_card_lost_from_a_hanging_scale_is_a_spill(sps: int, tray: Tray) -> None:
    """The beam hangs as it hung, one tray is lighter."""
    lost = {tray: step(6.0, -CARD_G)}
    left, right = (cards(5, lost.get(each, still)) for each in Tray)
    events = judged(scene(left, right, over(4, 9), 14, sps))
    spill = next(event for event in events if isinstance(event, Spill))
    assert spill.lost == {tray: 1, tray.other: 0}
    assert abs(spill.began_s - 6.0) < 0.35


@BOTH_RATES
def test_a_card_that_tips_the_scale_is_placed_before_the_tip(sps: int) -> None:
    """Whoever placed it pays; and it is among the cards that are lost."""
    put = together(step(4, CARD_G), press(4, 0.45, 60))
    emptied = step(5.6, -7 * CARD_G)
    events = judged(scene(cards(6, put, emptied), cards(3), over(4.4, 9), 14, sps))
    assert names(events)[:3] == ["placed", "tip", "spill"]
    placed, tip, spill = events[:3]
    assert isinstance(placed, Placed)
    assert isinstance(tip, Tip)
    assert isinstance(spill, Spill)
    assert (placed.tray, placed.count) == (Tray.LEFT, 1)
    assert abs(placed.began_s - 4) < 0.3
    assert tip.side is Tray.LEFT
    assert spill.lost[Tray.LEFT] >= 4, "an estimate, of seven"


@BOTH_RATES
def test_a_knock_on_the_table_places_nothing(sps: int) -> None:
    """Both trays swing at once, then the beam falls."""
    swing = together(press(4.0, 0.08, 6), press(4.1, 0.08, -6))
    back = together(press(4.0, 0.08, -6), press(4.1, 0.08, 6))
    events = judged(scene(cards(5, swing), cards(5, back), over(4.25, 6.5), 10, sps))
    assert names(events) == ["tip", "wobble"]


def _reset(sps: int) -> list[Sensed]:
    """Spilled, righted, two cards put back in each tray one by one, and played on."""
    left = cards(5, step(5, -5 * CARD_G), step(10, CARD_G), step(12, CARD_G), step(18, CARD_G))
    right = cards(3, step(11, -CARD_G))
    return judged(scene(left, right, over(4, 7), 21, sps))


@BOTH_RATES
def test_after_a_spill_the_trays_are_counted_until_play_goes_on(sps: int) -> None:
    """Cards moved by hand are no plays until two lie in each tray again; the next one is."""
    events = _reset(sps)
    levels = [(e.left, e.right) for e in events if isinstance(e, Level)]
    assert levels[0] == (0, 3)
    assert levels[-1] == (2, 2)
    assert names(events)[-1] == "placed"
    assert names(events).count("placed") == 1


@BOTH_RATES
def test_a_spill_is_seen_without_a_switch(sps: int) -> None:
    """The cells alone show the tilt and the loss."""
    scale = calibration(tilt_switch=False)
    left, right = cards(6, step(5.5, -4 * CARD_G)), cards(4)
    samples = scene(left, right, over(4, 9), 14, sps, switch=False)
    events = judged(samples, scale)
    assert names(events)[:2] == ["tip", "spill"]


@BOTH_RATES
def test_a_switch_that_closes_on_a_level_scale_is_no_tip_but_stuck(sps: int) -> None:
    """After ten seconds; and it recovers when it opens."""
    samples = rows(cards(3), cards(3), 24, sps=sps, tilt=lambda t: 5 < t < 20)
    events = judged(samples)
    assert names(events) == ["fault", "recovered"]
    assert 15 <= events[0].decided_s < 16.5


@BOTH_RATES
def test_a_chattering_switch_is_no_tip(sps: int) -> None:
    """Milliseconds of contact are bounce."""
    samples = rows(cards(3), cards(3), 12, sps=sps, tilt=lambda t: t > 4 and t % 0.5 < 0.01)
    assert judged(samples) == []


def test_with_one_cell_silent_a_verdict_is_less_sure() -> None:
    """The other cell and the switch still tell."""
    angle = over(8, 13)
    samples = [
        Sample(mono_s=s.mono_s, left=s.left, right=s.right if s.mono_s < 4 else None, tilt=s.tilt)
        for s in scene(cards(6, step(9.5, -5 * CARD_G)), cards(4), angle, 18, 80)
    ]
    events = judged(samples)
    spill = next(event for event in events if isinstance(event, Spill))
    assert not spill.sure
    assert spill.reasons


def test_with_both_cells_silent_the_table_is_asked() -> None:
    """The tip still ends, and its reasons say that nobody saw."""
    angle = over(8, 10)
    samples = [
        s if s.mono_s < 4 else Sample(mono_s=s.mono_s, tilt=s.tilt)
        for s in scene(cards(6), cards(4), angle, 14, 80)
    ]
    ends = [event for event in judged(samples) if isinstance(event, Tip | Wobble | Spill)]
    assert names(list(ends)) == ["tip", "wobble"]
    assert "the table must tell" in ends[-1].reasons[0]


def test_the_live_view_follows_a_tip() -> None:
    """The display sees the tilt, the tip and the reset."""
    judge = Judge(calibration())
    seen = set()
    for sample in scene(cards(6, step(5.5, -6 * CARD_G)), cards(3), over(4, 8), 12, 80):
        judge.feed(sample)
        view = judge.live
        seen |= {word for word in ("tilted", "tipping") if getattr(view, word)}
    assert seen == {"tilted", "tipping"}
    assert (judge.live.left.cards, judge.live.right.cards) == (0, 3)


@BOTH_RATES
@pytest.mark.parametrize("drift", [0.2, -0.2])
def test_cells_that_drifted_for_long_still_count_what_a_dump_left(sps: int, drift: float) -> None:
    """Half a minute at 0.2 g/s moves the empty tray by three cards; it is followed meanwhile."""
    wander = ramp(0, 60, drift)
    put = [step(4 + 3 * i, CARD_G) for i in range(6)]
    left = cards(3, *put, step(31, -8 * CARD_G))
    angle = over(30, 33)
    closed = past(angle)
    samples = rows(
        together(tilted(left, angle), wander), together(tilted(cards(4), angle), wander), 37,
        sps=sps, tilt=closed,
    )  # fmt: skip
    levels = [(e.left, e.right) for e in judged(samples) if isinstance(e, Level)]
    assert levels == [(1, 4)]


@BOTH_RATES
@pytest.mark.parametrize("creeps_s", [0.8, 1.3, 3.0])
@pytest.mark.parametrize("stop", [24.0, 40.0])
def test_a_beam_that_hangs_at_its_edge_and_sinks_on_to_its_stop_has_lost_no_card_by_that(
    stop: float, creeps_s: float, sps: int
) -> None:
    angle = eased((3, 9.0), (3.5, 16.0), (4.2, 17.0), (4.2 + creeps_s, stop), (9, stop), (9.6, 9.0))
    events = judged(scene(cards(13, step(2.5, CARD_G)), cards(6), angle, 14, sps))
    assert names(events) == ["placed", "tip", "wobble"]


@BOTH_RATES
def test_nothing_is_counted_while_a_scale_that_crept_over_lies_on_its_stop(sps: int) -> None:
    """It passed the switch so slowly that no cell moved: the switch still says when it is back."""
    creeps = eased((5, 10.0), (11, 15.6), (13, 16.2), (13.4, 30.0), (21, 30.0), (21.6, 0.0))
    falling = [step(14.2 + 0.05 * i, -CARD_G) for i in range(12)]
    put = step(4.8, CARD_G)
    events = judged(scene(cards(13, put, *falling), cards(6), creeps, 26, sps))
    levels = [event for event in events if isinstance(event, Level)]
    assert [type(event) for event in events if isinstance(event, Spill)] == [Spill]
    assert levels
    assert all(event.began_s > 21 for event in levels)
    assert (levels[-1].left, levels[-1].right) == (2, 6)


def bouncing(at: float, seconds: float, degrees: float, springs: float) -> Signal:
    """A beam that falls on its stop, flies once for `seconds` and lies there."""
    falls = eased((at - 0.5, 0.0), (at, degrees))

    def angle(t: float) -> float:
        flown = (t - at) / seconds
        return falls(t) - (4 * springs * flown * (1 - flown) if 0 < flown < 1 else 0.0)

    return angle


@pytest.mark.parametrize("side", list(Tray))
@pytest.mark.parametrize(("seconds", "springs"), [(0.3, 0.6), (0.4, 1.4)])
def test_a_beam_in_the_air_between_two_hits_of_its_stop_has_lost_nothing(
    seconds: float, springs: float, side: Tray
) -> None:
    """Gravity parts both trays evenly for as long as it flies, and slow cells show little else."""
    turns = bouncing(5.0, seconds, 30.0, springs)
    lower, upper = swung(cards(6), turns, -1), swung(cards(1), turns, 1)
    trays = (lower, upper) if side is Tray.LEFT else (upper, lower)
    events = judged(rows(*trays, 7.0, sps=10, tilt=past(turns)))
    assert names(events) == ["tip"]
