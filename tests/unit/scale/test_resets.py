"""From a spill until play goes on: what is counted when, and that it always ends."""

from bisect import bisect
from itertools import accumulate

import msgspec
import pytest

from companion.events import Level, Placed, Removed, Sample, Spill, Tip
from companion.units import Tray
from tests.unit.scale.kit import (
    BOTH_RATES,
    CARD_G,
    calibration,
    cards,
    judged,
    over,
    past,
    press,
    ramp,
    rows,
    step,
    tilted,
    together,
)


@BOTH_RATES
@pytest.mark.parametrize("switch", ["none", "stuck open", "stuck closed"])
@pytest.mark.parametrize("degrees", [22.0, 27.0, 35.0])
def test_without_a_switch_nothing_is_counted_on_the_stop_and_soon_when_it_stands(
    sps: int, switch: str, degrees: float
) -> None:
    """What lies on the stop weighs like fewer cards on a level scale; hands right it gently."""
    angle = over(16, 24, degrees)
    hands = press(23.9, 0.7, 6.0)
    scale = calibration(tilt_switch=switch != "none")
    samples = rows(
        tilted(cards(7, step(16.5, -5 * CARD_G), hands), angle),
        tilted(cards(6, step(16.55, -3 * CARD_G), hands), angle),
        29, sps=sps, tilt=lambda _: switch == "stuck closed",
    )  # fmt: skip
    events = judged(samples, scale)
    assert [type(event) for event in events if isinstance(event, Spill)] == [Spill]
    levels = [event for event in events if isinstance(event, Level)]
    assert [(level.left, level.right) for level in levels] == [(2, 3)]
    assert levels[0].began_s > 24
    assert levels[0].decided_s < 27


@BOTH_RATES
@pytest.mark.parametrize("zero_g", [-1.3, -0.9])
def test_a_tray_lighter_than_the_empty_one_is_the_empty_one(sps: int, zero_g: float) -> None:
    """The left cell was shocked by the fall; two cards in each tray are two, and play goes on."""
    angle = over(4, 8)
    back = [step(12 + 1.5 * i, CARD_G) for i in range(2)]
    shocked = step(4.3, zero_g)
    loaded = tilted(cards(5, step(4.4, -4 * CARD_G), step(9.5, -CARD_G), *back), angle)
    samples = rows(
        together(loaded, shocked),
        tilted(cards(4, step(10, -4 * CARD_G, 0.3), *back, step(19, CARD_G)), angle),
        23, sps=sps, tilt=past(angle),
    )  # fmt: skip
    events = judged(samples)
    levels = [(event.left, event.right) for event in events if isinstance(event, Level)]
    assert levels[-1] == (2, 2)
    placed = [event for event in events if isinstance(event, Placed)]
    assert [(event.tray, event.count) for event in placed] == [(Tray.RIGHT, 1)]


@BOTH_RATES
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("taken_g", [0.6, 1.1, 1.6])
@pytest.mark.parametrize("halves_s", [[0.9, 0.7, 0.9, 0.5], [0.6, 0.8, 0.6, 0.9]])
def test_a_beam_that_swings_slowly_takes_from_one_tray_what_it_gives_to_the_other(
    halves_s: list[float], taken_g: float, side: int, sps: int
) -> None:
    """A bearing rubs against each half swing alike: for so long a tray seems to rest, lighter than
    the empty one. Two cards in each tray are two."""
    angle = over(4, 8)
    turns_s = list(accumulate(halves_s, initial=8.5))

    def swung_g(at_s: float) -> float:
        half = bisect(turns_s, at_s)
        return taken_g * side * (-1) ** half if 0 < half < len(turns_s) else 0.0

    left = cards(5, step(4.4, -5 * CARD_G), step(15, 2 * CARD_G))
    right = cards(4, step(4.5, -4 * CARD_G), step(16.5, 2 * CARD_G))
    samples = rows(
        together(tilted(left, angle), swung_g),
        together(tilted(right, angle), lambda at_s: -swung_g(at_s)),
        20, sps=sps, tilt=past(angle),
    )  # fmt: skip
    levels = [(event.left, event.right) for event in judged(samples) if isinstance(event, Level)]
    assert (0, 0) in levels
    assert levels[-1] == (2, 2)


@BOTH_RATES
@pytest.mark.parametrize("g_per_s", [-0.09, 0.09])
def test_a_tray_that_was_counted_empty_is_the_empty_one_whatever_its_cell_had_drifted_before(
    g_per_s: float, sps: int
) -> None:
    """A drift that ended with the fall is not carried on while hands set the scale up again."""
    angle = over(9, 14)
    left = cards(5, step(9.4, -3 * CARD_G), step(15.5, -2 * CARD_G), step(18.5, 2 * CARD_G))
    right = cards(4, step(16, -4 * CARD_G), step(20, 2 * CARD_G))
    samples = rows(
        together(tilted(left, angle), ramp(1, 9, g_per_s)), tilted(right, angle), 23,
        sps=sps, tilt=past(angle),
    )  # fmt: skip
    levels = [(event.left, event.right) for event in judged(samples) if isinstance(event, Level)]
    assert (0, 0) in levels
    assert levels[-1] == (2, 2)


@BOTH_RATES
def test_play_that_went_on_while_a_cell_was_silent_ends_the_reset(sps: int) -> None:
    """The right cell says nothing from the spill until five cards have been played."""
    angle = over(4, 8)
    played = [step(12 + 2 * i, CARD_G) for i in range(5)]
    samples = [
        msgspec.structs.replace(row, right=None) if 3 <= row.mono_s < 24 else row
        for row in rows(
            tilted(cards(6, step(4.4, -5 * CARD_G), step(10, CARD_G), *played), angle),
            tilted(cards(2, step(27, CARD_G)), angle), 32, sps=sps, tilt=past(angle),
        )
    ]  # fmt: skip
    events = judged(samples)
    assert [type(event) for event in events if isinstance(event, Spill)] == [Spill]
    placed = [event for event in events if isinstance(event, Placed) and event.began_s > 25]
    assert [(event.tray, event.count) for event in placed] == [(Tray.RIGHT, 1)]


@BOTH_RATES
def test_cards_one_by_one_beyond_what_was_asked_for_end_the_reset(sps: int) -> None:
    """A cell lost a card's weight in the reset: whatever it counts, the fourth play is heard."""
    angle = over(4, 8)
    back = [step(11 + 1.2 * i, CARD_G) for i in range(2)]
    played = [step(15 + 2.2 * i, CARD_G) for i in range(6)]
    lost = step(10.2, 3 * CARD_G, 0.1)
    samples: list[Sample] = rows(
        tilted(cards(5, step(4.4, -5 * CARD_G), *back, lost, *played), angle),
        tilted(cards(4, step(9, -2 * CARD_G)), angle), 31, sps=sps, tilt=past(angle),
    )  # fmt: skip
    placed = [event for event in judged(samples) if isinstance(event, Placed)]
    assert placed
    assert all(event.count == 1 and event.tray is Tray.LEFT for event in placed)


@BOTH_RATES
@pytest.mark.parametrize(("left", "right"), [(4, 4), (2, 5), (4, 2)])
def test_a_scale_that_hands_have_set_up_with_more_cards_is_set_up(
    left: int, right: int, sps: int
) -> None:
    """Left alone for some seconds it is how this table goes on: the next card is a play, and tips
    it if it does."""
    angle = over(4, 8)
    falls = over(26, 31)
    back = {
        side: [step(11 + 0.8 * i, CARD_G) for i in range(count)]
        for side, count in ((Tray.LEFT, left), (Tray.RIGHT, right))
    }
    played = step(23.5, CARD_G)
    samples = rows(
        tilted(cards(5, step(4.4, -5 * CARD_G), *back[Tray.LEFT], played), together(angle, falls)),
        tilted(cards(4, step(9.5, -4 * CARD_G), *back[Tray.RIGHT], step(26.5, -2 * CARD_G)),
               together(angle, falls)),
        29, sps=sps, tilt=past(together(angle, falls)),
    )  # fmt: skip
    events = judged(samples)
    levels = [(event.left, event.right) for event in events if isinstance(event, Level)]
    assert levels[-1] == (left, right)
    after = [event for event in events if event.began_s > 20]
    assert [type(event) for event in after] == [Placed, Tip, Spill]


@BOTH_RATES
def test_a_tray_that_nobody_has_touched_since_the_spill_is_not_set_up(sps: int) -> None:
    """Two cards lie in the tray that was dumped, and people wait before they clear the other."""
    angle = over(4, 8)
    back = [step(11 + 1.2 * i, CARD_G) for i in range(2)]
    samples = rows(
        tilted(cards(5, step(4.4, -5 * CARD_G), *back), angle),
        tilted(cards(9, step(20, -7 * CARD_G)), angle), 25, sps=sps, tilt=past(angle),
    )  # fmt: skip
    events = judged(samples)
    assert not [event for event in events if isinstance(event, Placed | Removed)]
    levels = [(event.left, event.right) for event in events if isinstance(event, Level)]
    assert levels[-2:] == [(2, 9), (2, 2)]
