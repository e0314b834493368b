"""What is lost and what comes back is named within two seconds, by the judge's own word."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import pytest

from companion.events import Fault, FaultKind, Recovered, Sensor
from companion.scale.calibration import Calibration, CellCalibration
from companion.scale.judge import Judge
from sim.hx711 import ChipFault, Hx711
from tests.contract.benches import PinBench, PtyBench, pin_bench, pty_bench

CALIBRATION = Calibration(
    card_g=1.75,
    left=CellCalibration(zero=83_211, counts_per_gram=2140.5),
    right=CellCalibration(zero=-40_122, counts_per_gram=2098.0),
)

WITHIN_S = 2.0


@dataclass
class Watcher:
    """Feeds the judge as the application does, and notes when it named what."""

    bench: PinBench | PtyBench
    judge: Judge = field(default_factory=lambda: Judge(CALIBRATION))
    named: list[tuple[float, Fault | Recovered]] = field(default_factory=list)
    other: list[object] = field(default_factory=list)

    def watch(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            self.bench.time.sleep(0.05)
            for reading in self.bench.scale.poll():
                for event in self.judge.feed(reading):
                    if isinstance(event, (Fault, Recovered)):
                        self.named.append((self.bench.time.mono(), event))
                    else:
                        self.other.append(event)

    def took(self, kind: type[Fault | Recovered], sensor: Sensor, since_s: float) -> float:
        """Seconds until it was named for the first time since then."""
        times = [t for t, event in self.named if t > since_s and isinstance(event, kind)
                 and event.sensor is sensor]  # fmt: skip
        assert times, f"{kind.__name__} of the {sensor} cell was never named"
        return times[0] - since_s


BOARDS: dict[str, Callable[[], AbstractContextManager[PinBench | PtyBench]]] = {
    "pins": lambda: pin_bench(rates_hz=(10.8, 10.6)),
    "pty": lambda: pty_bench(rates_hz=(10.8, 10.6)),
}


@pytest.mark.parametrize("board", list(BOARDS))
@pytest.mark.parametrize("cells", [["right"], ["left", "right"]], ids=["one cell", "both cells"])
def test_an_unplugged_cell_is_named_and_its_return_too(board: str, cells: list[str]) -> None:
    with BOARDS[board]() as bench:
        bench.scale.open()
        watcher = Watcher(bench)
        watcher.watch(4.0)
        chips: list[Hx711] = [getattr(bench, cell) for cell in cells]
        for _ in range(3):
            out_s = bench.time.mono()
            for chip in chips:
                chip.set_fault(ChipFault.UNPLUGGED, out_s)
            watcher.watch(2.6)
            back_s = bench.time.mono()
            for chip in chips:
                chip.set_fault(None, back_s)
            watcher.watch(3.0)
            for cell in cells:
                assert watcher.took(Fault, Sensor(cell), out_s) <= WITHIN_S
                assert watcher.took(Recovered, Sensor(cell), back_s) <= WITHIN_S
        kinds = {event.kind for _, event in watcher.named}
        assert kinds == {FaultKind.SILENT}
        assert watcher.other == [], "no card comes out of a cable"


def test_a_port_that_goes_and_comes_back_is_named_both_times() -> None:
    with pty_bench(rates_hz=(10.8, 10.6)) as bench:
        bench.scale.open()
        watcher = Watcher(bench)
        watcher.watch(4.0)
        for _ in range(5):
            out_s = bench.time.mono()
            bench.pico.unplug()
            watcher.watch(2.6)
            back_s = bench.time.mono()
            bench.pico.plug_in()
            watcher.watch(3.0)
            for sensor in (Sensor.LEFT, Sensor.RIGHT):
                assert watcher.took(Fault, sensor, out_s) <= WITHIN_S
                assert watcher.took(Recovered, sensor, back_s) <= WITHIN_S
        assert watcher.other == []


@pytest.mark.parametrize("board", list(BOARDS))
def test_a_frozen_chip_is_named_stuck_and_its_return_too(board: str) -> None:
    """No single word of it is wrong: only who sees them side by side can tell."""
    with BOARDS[board]() as bench:
        bench.scale.open()
        watcher = Watcher(bench)
        watcher.watch(4.0)
        frozen_s = bench.time.mono()
        bench.right.set_fault(ChipFault.FROZEN, frozen_s)
        watcher.watch(4.0)
        back_s = bench.time.mono()
        bench.right.set_fault(None, back_s)
        watcher.watch(3.0)
        assert watcher.took(Fault, Sensor.RIGHT, frozen_s) <= 3.0
        assert watcher.took(Recovered, Sensor.RIGHT, back_s) <= WITHIN_S
    assert {event.kind for _, event in watcher.named} == {FaultKind.STUCK}
    assert watcher.other == []
