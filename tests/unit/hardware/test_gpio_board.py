"""The header's board beyond the port of the scale: switch, buttons, lamps, buzzer, busy pins."""

import os
import random
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path

import pytest

from companion.errors import BadInput, BoardError
from companion.events import FaultKind, Reading, Sample, Sensor, SensorFault
from companion.ports import Button, Lamp, Sound
from companion.units import MonoSeconds, Tray
from hardware.gpio.switches import STEADY_S, Debounce
from hardware.wiring import BoardConfig, CellPins, Wiring
from tests.contract.benches import PinBench, pin_bench, read


def tilts(readings: list[Reading]) -> list[bool | None]:
    return [
        r.tilt for r in readings if isinstance(r, Sample) and r.left is None and r.right is None
    ]


def test_every_change_of_the_raw_switch_is_told() -> None:
    with pin_bench() as bench:
        bench.scale.open()
        read(bench, 0.5)
        for closed in (True, False, True, False, True):
            bench.tip(closed)
            bench.time.sleep(0.004)
        assert tilts(list(bench.scale.poll()))[-5:] == [True, False, True, False, True]
        assert bench.scale.tilt is not None
        assert bench.scale.tilt.debounced.edges == 0, "the debounced level waits until it holds"


def test_a_switch_that_rests_closed_rests_untilted() -> None:
    with pin_bench(config=BoardConfig(tilt_rests_closed=True)) as bench:
        bench.tip(True)
        bench.scale.open()
        bench.time.sleep(1.0)
        assert bench.scale.tilted() is False
        bench.tip(False)
        bench.time.sleep(0.1)
        assert bench.scale.tilted() is True


def test_without_a_switch_none_is_told() -> None:
    with pin_bench(config=BoardConfig(tilt_fitted=False)) as bench:
        bench.scale.open()
        assert {r.tilt for r in read(bench, 1.5) if isinstance(r, Sample)} == {None}


def test_the_debounce_is_as_slow_up_as_down() -> None:
    """Bouncing for less than it waits changes nothing, in either direction."""
    rng = random.Random(2)
    for resting in (False, True):
        debounce, now = Debounce(resting, 0.0), 0.0
        for _ in range(200):
            now += rng.uniform(0.001, STEADY_S * 0.9)
            debounce.look(not debounce.level, now)
            now += 0.001
            debounce.look(resting, now)
        assert debounce.level is resting
        debounce.look(not resting, now)
        assert debounce.look(not resting, now + STEADY_S)
        assert debounce.edges == 1


def test_a_press_is_one_press_however_it_bounces() -> None:
    with pin_bench() as bench:
        bench.scale.open()
        for _ in range(6):
            bench.bank.drive(27, False)
            bench.time.sleep(0.003)
            bench.bank.drive(27, True)
            bench.time.sleep(0.002)
        bench.bank.drive(27, False)
        bench.time.sleep(0.5)
        bench.bank.drive(27, True)
        bench.time.sleep(0.1)
        bench.bank.drive(22, False)
        bench.time.sleep(0.1)
        assert list(bench.scale.buttons.poll()) == [Button.DRAW, Button.UNO]
        assert list(bench.scale.buttons.poll()) == []


def lit(bench: PinBench) -> dict[str, bool]:
    names = {"left green": 12, "left red": 16, "right green": 20, "right red": 21}
    return {name: bench.bank.level(pin) for name, pin in names.items()}


def test_open_is_green_and_stop_is_red() -> None:
    with pin_bench() as bench:
        bench.scale.open()
        bench.scale.lamps.show(Tray.LEFT, Lamp.OPEN)
        bench.scale.lamps.show(Tray.RIGHT, Lamp.STOP)
        bench.time.sleep(0.05)
        assert lit(bench) == {
            "left green": True, "left red": False, "right green": False, "right red": True
        }  # fmt: skip
        bench.scale.close()
        assert not any(lit(bench).values())


def test_alert_flashes_twice_a_second() -> None:
    with pin_bench() as bench:
        bench.scale.open()
        bench.scale.lamps.show(Tray.LEFT, Lamp.ALERT)
        levels = []
        for _ in range(400):
            bench.time.sleep(0.01)
            levels.append(bench.bank.level(16))
        assert 14 <= sum(a is not b for a, b in pairwise(levels)) <= 17


def test_a_new_sound_cuts_off_the_old_one_and_it_falls_silent() -> None:
    with pin_bench() as bench:
        bench.scale.open()
        bench.scale.sounder.play(Sound.ROUND_OVER)
        bench.time.sleep(0.15)
        bench.scale.sounder.play(Sound.PLACED)
        bench.time.sleep(0.02)
        assert bench.bank.level(26)
        bench.time.sleep(0.1)
        heard = []
        for _ in range(100):
            bench.time.sleep(0.01)
            heard.append(bench.bank.level(26))
        assert not any(heard)


def test_a_stretched_clock_is_named_and_nothing_of_it_is_a_sample() -> None:
    """1-5 % of the words on a busy Pi; the chip then begins afresh with wrong conversions."""
    rng = random.Random(6)
    with pin_bench() as bench:
        bench.scale.open()
        read(bench, 2.0)
        bench.bank.delay = lambda: 90e-6 if rng.random() < 4e-4 else 0.0
        readings = read(bench, 8.0)
        damaged = [r for r in readings if isinstance(r, SensorFault)]
        assert len(damaged) > 5
        assert {r.kind for r in damaged} == {FaultKind.DESYNC}
        assert any("over 60 µs" in r.detail for r in damaged)
        values = [r.left for r in readings if isinstance(r, Sample) and r.left is not None]
        assert len(values) > 400
        assert all(abs(value - 83_211) < 600 for value in values)


@pytest.mark.parametrize("at", [1, 2, 3, 12, 23, 24])
@pytest.mark.parametrize("high", [True, False], ids=["high", "low"])
def test_a_slow_pulse_costs_one_word_where_the_chip_can_be_seen_to_go_on(
    at: int, high: bool
) -> None:
    """Held up while SCK is high the chip is switched off; while it is low, only the host is late.

    The signal's last bit is its last low one, so that up to it a low bit follows every pulse.
    """
    with pin_bench(left=lambda _: 83_210, rates_hz=(88.0, 10.6)) as bench:
        bench.scale.open()
        read(bench, 2.0)
        write, pulses = bench.bank.write, count(1)

        def held_up(pin: int, level: bool) -> None:
            write(pin, level)
            if pin == 6 and level is high and next(pulses) == at + (not high):
                bench.time.advance_to(MonoSeconds(bench.time.mono() + 90e-6))

        bench.bank.write = held_up  # type: ignore[method-assign] # a busy core
        readings = read(bench, 0.5)
        values = [r.left for r in readings if isinstance(r, Sample) and r.left is not None]
        faults = [r for r in readings if isinstance(r, SensorFault)]
    assert set(values) == {83_210}
    whole = round(0.5 * 88)
    # The first pulse cannot be told from a chip that is not ready any more.
    if high or at == 1:
        assert len(faults) == 1
        assert len(values) <= whole - 8, "it settles, and four conversions are discarded"
    else:
        assert faults == []
        assert len(values) >= whole - 2


def test_a_chip_that_is_always_ready_is_a_named_fault_and_no_sample() -> None:
    """A loose DOUT picks up noise: more readings a second than a chip can make."""
    rng = random.Random(9)
    with pin_bench(
        left=lambda _: rng.randrange(-400_000, 400_000), rates_hz=(150.0, 10.6)
    ) as bench:
        bench.scale.open()
        read(bench, 3.0)
        readings = read(bench, 3.0)
        faults = [r for r in readings if isinstance(r, SensorFault)]
        assert {(r.sensor, r.kind) for r in faults} == {(Sensor.LEFT, FaultKind.DESYNC)}
        assert any("is DOUT loose?" in r.detail for r in faults)
        assert not any(isinstance(r, Sample) and r.left is not None for r in readings)


def test_a_reader_that_was_held_up_gives_no_torn_word() -> None:
    """Another process had the core for longer than a conversion lasts."""
    rng = random.Random(6)
    with pin_bench() as bench:
        bench.scale.open()
        read(bench, 2.0)
        bench.bank.delay = lambda: rng.uniform(0.01, 0.05) if rng.random() < 1e-3 else 0.0
        values = [r.left for r in read(bench, 8.0) if isinstance(r, Sample) and r.left is not None]
        assert len(values) > 40
        assert all(abs(value - 83_211) < 600 for value in values)


def test_a_pin_that_somebody_holds_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pin_bench() as bench:
        monkeypatch.setattr(
            bench.bank, "make_input", lambda *_: (_ for _ in ()).throw(OSError("GPIO busy"))
        )
        with pytest.raises(BoardError, match=r"by virtual pins 1 \(GPIO busy\): end .*who"):
            bench.scale.open()
        monkeypatch.undo()


def test_a_second_program_does_not_get_the_pins_of_the_first(tmp_path: Path) -> None:
    """`RPi.GPIO` would give them to it, and set them free at its end."""
    device = tmp_path / "gpiomem"
    device.touch()
    with pin_bench() as first, pin_bench() as second:
        for bench in (first, second):
            bench.scale.library = replace(bench.scale.library, device=device)
        first.scale.open()
        with pytest.raises(BoardError, match=rf"in use by .*\({os.getpid()}\): end it and try"):
            second.scale.open()
        first.scale.close()
        second.scale.open()


def test_a_device_that_is_not_there_is_left_to_the_library(tmp_path: Path) -> None:
    with pin_bench() as bench:
        bench.scale.library = replace(bench.scale.library, device=tmp_path / "gpiomem")
        bench.scale.open()
        assert any(isinstance(r, Sample) for r in read(bench, 1.0))


def test_pins_that_stop_answering_are_a_named_silence() -> None:
    with pin_bench() as bench:
        bench.scale.open()
        read(bench, 1.5)
        good = bench.bank.read

        def broken(pin: int) -> bool:
            if pin == 5:
                raise OSError("the header has gone")
            return good(pin)

        bench.bank.read = broken  # type: ignore[method-assign] # the pin itself breaks
        seen = [r for r in read(bench, 3.0) if isinstance(r, SensorFault)]
        assert [r.kind for r in seen] == [FaultKind.SILENT]
        assert "the header has gone" in seen[0].detail
        bench.bank.read = good  # type: ignore[method-assign] # and is mended
        back = read(bench, 2.0)
        assert any(isinstance(r, Sample) and r.left is not None for r in back)


@pytest.mark.parametrize(
    ("wiring", "sentence"),
    [
        (Wiring(left=CellPins(dout=40, sck=6)), "GPIO 40 for DOUT of the left cell is no pin"),
        (Wiring(tilt=24), "GPIO 24 is given to both SCK of the right cell and the tilt switch"),
    ],
)
def test_a_wiring_that_cannot_be_is_refused_by_pin(wiring: Wiring, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        wiring.check()
