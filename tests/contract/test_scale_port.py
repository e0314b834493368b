"""What every backend of the port Scale promises."""

import os
import time
from collections.abc import Iterator

import pytest

from companion.events import Sample, SensorFault
from companion.units import COUNTS_MAX, COUNTS_MIN
from tests.contract.benches import BACKENDS, Bench, read

REAL = os.environ.get("RIG") == "1"
"""A real scale is tested where somebody says that there is one: RIG=1 RIG_BOARD=gpio or pico."""


@pytest.fixture(params=[name for name in BACKENDS if REAL or name != "rig"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with BACKENDS[request.param]() as bench:
        yield bench


def test_both_cells_deliver_soon_after_opening(bench: Bench) -> None:
    bench.scale.open()
    samples = [r for r in read(bench, 3.0) if isinstance(r, Sample)]
    assert any(sample.left is not None for sample in samples)
    assert any(sample.right is not None for sample in samples)


def test_each_cell_delivers_at_the_rate_of_its_chip(bench: Bench) -> None:
    bench.scale.open()
    read(bench, 3.0)
    samples = [r for r in read(bench, 4.0) if isinstance(r, Sample)]
    for cell in ("left", "right"):
        rate_hz = sum(getattr(sample, cell) is not None for sample in samples) / 4.0
        assert 9 <= rate_hz <= 13 or 75 <= rate_hz <= 100


def test_counts_are_raw_and_within_24_bits(bench: Bench) -> None:
    bench.scale.open()
    counts = [
        value
        for reading in read(bench, 3.0)
        if isinstance(reading, Sample)
        for value in (reading.left, reading.right, reading.deck)
        if value is not None
    ]
    assert all(isinstance(value, int) and COUNTS_MIN < value < COUNTS_MAX for value in counts)
    assert len(set(counts)) > len(counts) / 20, "filtered or repeated readings show as few values"


def test_times_of_arrival_never_decrease_and_never_lie_ahead(bench: Bench) -> None:
    bench.scale.open()
    times = [reading.mono_s for reading in read(bench, 3.0)]
    assert times == sorted(times)
    assert times[-1] <= bench.time.mono()


def test_a_reading_is_delivered_once(bench: Bench) -> None:
    bench.scale.open()
    bench.run(2.0)
    first = bench.scale.poll()
    again = bench.scale.poll()
    assert len(first) > 10
    assert len(again) <= 2, "what came between the two calls, at most"


def test_asking_never_waits(bench: Bench) -> None:
    bench.scale.open()
    bench.run(1.0)
    before_s, host_s = bench.time.mono(), time.monotonic()
    bench.scale.poll()
    assert bench.time.mono() - before_s < 0.02
    assert time.monotonic() - host_s < 0.5


def test_a_healthy_scale_delivers_no_fault(bench: Bench) -> None:
    bench.scale.open()
    read(bench, 1.0)
    assert [r for r in read(bench, 5.0) if isinstance(r, SensorFault)] == []


def test_the_switch_is_told_with_the_cells_and_rests_untilted(bench: Bench) -> None:
    bench.scale.open()
    tilts = [r.tilt for r in read(bench, 2.0) if isinstance(r, Sample) and r.left is not None]
    assert set(tilts) == {False}


def test_a_tilt_is_told_within_a_twentieth_of_a_second(bench: Bench) -> None:
    if bench.tip is None:
        pytest.skip("this bench has no hand at its switch")
    bench.scale.open()
    read(bench, 1.0)
    bench.tip(True)
    bench.run(0.05)
    tilts = [r.tilt for r in bench.scale.poll() if isinstance(r, Sample)]
    assert tilts[-1] is True
    bench.tip(False)
    bench.run(0.05)
    assert [r.tilt for r in bench.scale.poll() if isinstance(r, Sample)][-1] is False


def test_closed_it_delivers_nothing_and_may_be_closed_again(bench: Bench) -> None:
    bench.scale.open()
    read(bench, 1.0)
    bench.scale.close()
    bench.scale.poll()
    assert read(bench, 0.5) == []
    bench.scale.close()


def test_it_says_what_it_is_and_whether_it_is_simulated(bench: Bench) -> None:
    bench.scale.open()
    assert len(bench.scale.description) > 5
    assert bench.scale.simulated is bench.simulated
