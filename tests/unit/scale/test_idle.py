"""At rest nothing happens: not in noise, not in drift; and what a card weighs is seen in both."""

import csv
import os
import random
from itertools import pairwise
from pathlib import Path

import pytest

from companion.events import Placed, Sample
from companion.scale.judge import Judge
from companion.units import Counts, MonoSeconds
from tests.unit.scale.kit import (
    CARD_G,
    Idle,
    calibration,
    judged,
    ramp,
    rows,
    step,
    still,
    together,
)


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("drift", [1.0, 10.0])
def test_an_idle_scale_is_silent(sps: int, drift: float) -> None:
    """Minutes of noise and drift, also ten times the drift of a good cell, are no event."""
    seconds = 300.0 if sps == 10 else 30.0
    assert judged(rows(still, still, seconds, sps=sps, drift=drift)) == []


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("slope", [0.3, -0.3])
def test_a_ramp_is_no_card(sps: int, slope: float) -> None:
    """0.3 g a second for twenty seconds is a warming cell."""
    assert judged(rows(ramp(5, 25, slope), still, 35, sps=sps)) == []


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("drift", [1.0, 10.0])
def test_every_card_is_counted_over_noise_and_drift(sps: int, drift: float) -> None:
    """Steps of 1.5-1.9 g are one card each, whatever the cell does meanwhile."""
    rng = random.Random(sps)
    moments = [5.0 + 3.0 * i for i in range(12)]
    cards = together(*(step(at, rng.uniform(1.5, 1.9)) for at in moments))
    events = judged(rows(cards, still, 45, sps=sps, drift=drift))
    assert [(type(e), e.count) for e in events if isinstance(e, Placed)] == [(Placed, 1)] * 12
    assert len(events) == 12
    for event, at in zip(events, moments, strict=True):
        assert abs(event.began_s - at) < 0.25
        assert event.decided_s - at < 1.2


def test_the_idle_noise_is_like_a_real_cells() -> None:
    """The generator keeps the measured figures: rms, shared noise, drift over ten seconds."""
    idle = Idle(1)
    values = [idle.counts(1 / 11.6) for _ in range(7000)]
    steps = [b - a for a, b in pairwise(values)]
    # Measured: 29.5 counts.
    assert 26 < (sum(v * v for v in steps) / len(steps)) ** 0.5 / 2**0.5 < 33
    means = [sum(values[i : i + 5]) / 5 for i in range(0, 6900, 5)]
    ten = [b - a for a, b in zip(means, means[23:], strict=False)]
    # Measured: 0.031 g.
    assert 0.02 < (sum(v * v for v in ten) / len(ten)) ** 0.5 / 1540 < 0.05


def _recorded(path: Path) -> list[tuple[float, int]]:
    with path.open(encoding="utf-8") as lines:
        return [(float(t), int(counts)) for t, counts in list(csv.reader(lines))[1:]]


@pytest.mark.skipif("TIPPO_RECORDINGS" not in os.environ, reason="no folder of recordings is named")
@pytest.mark.parametrize("loaded", [False, True])
def test_a_real_recording_at_rest_is_silent_and_shows_every_step(loaded: bool) -> None:
    """`TIPPO_RECORDINGS` names a folder with `raw_steadystate.csv` (seconds, counts)."""
    readings = _recorded(Path(os.environ["TIPPO_RECORDINGS"]) / "raw_steadystate.csv")
    zero = readings[0][1]
    cell = {"zero": zero, "counts_per_gram": 1540.0}
    scale = calibration(left=cell, right=cell)
    rng, added, cards, samples = random.Random(1), 0.0, 0, []
    for i, (t, counts) in enumerate(readings):
        if loaded and i % 60 == 59:
            added, cards = added + rng.uniform(1.5, 1.9) * 1540, cards + 1
        left, right = Counts(round(counts + added)), Counts(counts)
        samples.append(Sample(mono_s=MonoSeconds(t), left=left, right=right, tilt=False))
    events = judged(samples, scale)
    assert len(events) == cards
    assert all(isinstance(event, Placed) and event.count == 1 for event in events)


def test_cards_that_lie_there_from_the_beginning_are_no_event() -> None:
    """They are counted from the absolute weight at the first rest."""
    judge = Judge(calibration())
    for sample in rows(lambda _: 5 * CARD_G, lambda _: 2 * CARD_G, 5):
        assert judge.feed(sample) == []
    assert (judge.live.left.cards, judge.live.right.cards) == (5, 2)
    assert judge.live.resting
