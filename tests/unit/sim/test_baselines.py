"""The hobby scripts are honest: at a calm table each does what its idea allows."""

from collections.abc import Iterator

import pytest

from companion.events import Placed, Removed, Sample, Sensed, Spill, Tip, Wobble
from companion.scale.calibration import Calibration
from companion.units import Counts, MonoSeconds, Tray
from sim.baselines import BASELINES, Baseline, SwitchAlone, SwitchAndThreshold, Threshold

CALIBRATION = Calibration.from_toml(
    {
        "card_g": 1.8,
        "left": {"zero": 1000, "counts_per_gram": 1000.0},
        "right": {"zero": -500, "counts_per_gram": -1000.0},
    }
)


def table(*scenes: tuple[float, int, int, bool]) -> Iterator[Sample]:
    """Scenes of so many seconds with cards left and right and the switch closed or open."""
    t = 0.0
    for seconds, left, right, tilt in scenes:
        for _ in range(round(seconds * 80)):
            yield Sample(
                mono_s=MonoSeconds(t),
                left=Counts(1000 + 1800 * left),
                right=Counts(-500 - 1800 * right),
                tilt=tilt,
            )
            t += 1 / 80


def judged(baseline: Baseline, *scenes: tuple[float, int, int, bool]) -> list[Sensed]:
    return [event for sample in table(*scenes) for event in baseline.feed(sample)]


@pytest.mark.parametrize("name", ["baseline-threshold", "baseline-both"])
def test_cells_count_cards_put_in_and_taken_out(name: str) -> None:
    """A calm step of one card is one card, in the right tray, either way."""
    events = judged(
        BASELINES[name](CALIBRATION), (3, 2, 2, False), (3, 2, 3, False), (3, 1, 3, False)
    )
    assert [(type(e), e.tray, e.count) for e in events if isinstance(e, Placed | Removed)] == [
        (Placed, Tray.RIGHT, 1),
        (Removed, Tray.LEFT, 1),
    ]


def test_the_switch_alone_calls_a_long_tip_a_spill_and_a_short_one_a_wobble() -> None:
    """That is all that a switch can know."""
    events = judged(
        SwitchAlone(CALIBRATION), (1, 2, 2, False), (0.3, 2, 2, True), (1, 2, 2, False),
        (2, 0, 0, True), (1, 0, 0, False),
    )  # fmt: skip
    assert [type(event) for event in events] == [Tip, Wobble, Tip, Spill]


@pytest.mark.parametrize("make", [Threshold, SwitchAndThreshold])
def test_cells_notice_a_calm_spill(make: type[Threshold] | type[SwitchAndThreshold]) -> None:
    """Five cards gone at once are a spill of the tray that lost them."""
    events = judged(make(CALIBRATION), (3, 6, 2, False), (3, 1, 2, True), (3, 1, 2, False))
    spills = [event for event in events if isinstance(event, Spill)]
    assert len(spills) == 1
    assert spills[0].trays == (Tray.LEFT,)


@pytest.mark.parametrize("name", list(BASELINES))
def test_nothing_happens_at_rest(name: str) -> None:
    """No event without a change."""
    assert judged(BASELINES[name](CALIBRATION), (20, 3, 4, False)) == []
