"""A cell under the draw pile is read beside the two of the trays, on both boards."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from companion.events import Sample, Sensor, SensorFault
from hardware.pico.board import PicoScale
from sim.hx711 import ChipFault
from tests.contract.benches import PinBench, PtyBench, noisy, pin_bench, pty_bench, read

DECK = 150_333

BOARDS: dict[str, Callable[[], AbstractContextManager[PinBench | PtyBench]]] = {
    "pins": lambda: pin_bench(deck=noisy(7, DECK)),
    "pty": lambda: pty_bench(deck=noisy(7, DECK)),
}


@pytest.mark.parametrize("board", list(BOARDS))
def test_all_three_are_read_at_their_rates_and_none_for_another(board: str) -> None:
    with BOARDS[board]() as bench:
        bench.scale.open()
        read(bench, 2.0)
        samples = [r for r in read(bench, 3.0) if isinstance(r, Sample)]
    deck = [sample.deck for sample in samples if sample.deck is not None]
    assert len(deck) == pytest.approx(3.0 * 10.4, abs=3)
    assert all(abs(counts - DECK) < 200 for counts in deck)
    assert all(abs(s.left - 83_211) < 600 for s in samples if s.left is not None)
    assert all(abs(s.right + 40_122) < 200 for s in samples if s.right is not None)


@pytest.mark.parametrize("board", list(BOARDS))
def test_its_cable_is_missed_like_any_other(board: str) -> None:
    with BOARDS[board]() as bench:
        bench.scale.open()
        read(bench, 2.0)
        bench.deck.set_fault(ChipFault.UNPLUGGED, bench.time.mono())
        faults = [r for r in read(bench, 2.0) if isinstance(r, SensorFault)]
        assert {fault.sensor for fault in faults} == {Sensor.DECK}
        bench.deck.set_fault(None, bench.time.mono())
        assert any(isinstance(r, Sample) and r.deck is not None for r in read(bench, 2.0))


def test_a_pico_says_that_it_has_one() -> None:
    with pty_bench(deck=noisy(7, DECK)) as bench:
        bench.scale.open()
        assert isinstance(bench.scale, PicoScale)
        banner = bench.scale.stream.banner
    assert banner is not None
    assert banner.cells == (Sensor.LEFT, Sensor.RIGHT, Sensor.DECK)
