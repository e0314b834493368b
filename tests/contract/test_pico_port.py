"""The Pico's port at its worst: every bad line is counted, none stops the reader or becomes a
sample, and a lost port is got back."""

import os
import pty
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from companion.errors import BoardError
from companion.events import FaultKind, Reading, Sample, Sensor, SensorFault
from companion.ports import Lamp, Sound
from companion.units import MonoSeconds, Tray
from hardware.pico.board import PicoScale
from hardware.pico.port import open_port
from hardware.pico.stream import PicoStream
from hardware.pico.wire import LineFault
from hardware.wiring import BoardConfig
from sim.pico import PortFault
from sim.pins import VirtualTime
from tests.contract.benches import LINK, PtyBench, pty_bench, read


@pytest.fixture
def bench() -> Iterator[PtyBench]:
    with pty_bench() as bench:
        bench.scale.open()
        bench.time.sleep(1.5)
        bench.scale.poll()
        yield bench


def false_samples(readings: list[Reading]) -> list[Sample]:
    """What no cell of the bench can have measured."""
    return [
        r
        for r in readings
        if isinstance(r, Sample)
        and (
            (r.left is not None and abs(r.left - 83_211) > 600)
            or (r.right is not None and abs(r.right + 40_122) > 300)
        )
    ]


COUNTED = {
    PortFault.GARBAGE: LineFault.FOREIGN,
    PortFault.FLIPPED_BIT: LineFault.DAMAGED,
    PortFault.OVERLONG: LineFault.OVERLONG,
    PortFault.BOOT_BANNER: LineFault.FOREIGN,
    PortFault.AT_ECHO: LineFault.FOREIGN,
}


@pytest.mark.parametrize("fault", list(PortFault))
def test_a_bad_line_is_counted_and_the_next_is_read(bench: PtyBench, fault: PortFault) -> None:
    bench.pico.damage_next(*[fault] * 20)
    readings = read(bench, 1.0)
    counters = bench.scale.stream.counters
    if fault is PortFault.MISSING:
        assert counters.missing == 20
    elif fault is PortFault.REPEATED:
        assert counters.repeated == 20
    elif fault is PortFault.HALF_LINE:
        assert counters.missing >= 19, "the next line is salvaged, the half one shows as a gap"
    else:
        assert counters.faults[COUNTED[fault]] >= 20
    assert len(readings) > 60
    assert false_samples(readings) == []


def test_a_burst_after_a_stall_keeps_the_times_of_the_board(bench: PtyBench) -> None:
    bench.pico.stall()
    assert read(bench, 3.0) == []
    bench.pico.burst()
    times = [r.device_s for r in read(bench, 0.2) if isinstance(r, Sample) and r.left is not None]
    steps = [b - a for a, b in pairwise(times) if a and b]
    assert len(steps) > 200
    assert max(steps) < 0.02


@pytest.mark.parametrize("seconds", [-400.0, -3.0, 900.0])
def test_a_clock_that_jumps_is_counted_and_time_goes_on(bench: PtyBench, seconds: float) -> None:
    before = [r.device_s for r in read(bench, 0.5) if r.device_s is not None][-1]
    bench.pico.jump_clock(seconds)
    readings = read(bench, 1.0)
    after = [r.device_s for r in readings if r.device_s is not None][-1]
    assert bench.scale.stream.counters.clock_jumps == 1
    assert after - before == pytest.approx(1.0, abs=0.3)


def test_a_clock_that_wraps_is_no_jump(bench: PtyBench) -> None:
    bench.pico.jump_clock(15.0)  # as far as a stall may be ahead: to just before the wrap
    for _ in range(75):
        bench.pico.jump_clock(15.0)
        read(bench, 0.05)
    assert bench.scale.stream.counters.clock_jumps == 0


def test_a_board_that_begins_afresh_is_read_on(bench: PtyBench) -> None:
    bench.pico.restart()
    readings = read(bench, 2.0)
    assert bench.scale.stream.counters.restarts == 1
    assert len(readings) > 80
    assert false_samples(readings) == []


def test_a_board_that_hangs_is_named_lost_and_read_when_it_is_back(bench: PtyBench) -> None:
    bench.pico.hang()
    lost = [r for r in read(bench, 6.0) if isinstance(r, SensorFault)]
    assert {r.kind for r in lost} == {FaultKind.SILENT}
    bench.pico.restart()
    assert any(isinstance(r, Sample) for r in read(bench, 2.0))


def test_the_port_may_go_and_come_back_under_a_new_name_a_hundred_times(bench: PtyBench) -> None:
    rng = random.Random(11)
    for number in range(1, 101):
        bench.pico.unplug()
        away_s = rng.choice([0.05, 0.3, 1.0])
        lost = [r for r in read(bench, away_s) if isinstance(r, SensorFault)]
        assert {r.sensor for r in lost} == {Sensor.LEFT, Sensor.RIGHT}
        bench.pico.plug_in()
        back: list[Reading] = []
        for _ in range(20):
            back += read(bench, 0.1)
            if any(isinstance(r, Sample) and r.left is not None for r in back):
                break
        else:
            pytest.fail("no reading within 2 s")
        assert false_samples(back) == []
        assert bench.scale.losses == number


def test_a_board_whose_cable_has_just_gone_is_closed_like_any_other(bench: PtyBench) -> None:
    """Nobody has read from it since: the lamps that are put out find no port."""
    bench.scale.show(Tray.LEFT, Lamp.STOP)
    read(bench, 0.5)
    bench.pico.unplug()
    bench.scale.close()


def test_a_board_that_reads_nothing_holds_nobody_up() -> None:
    """What it does not take is given up, and the reader goes on."""
    master, slave = pty.openpty()
    port = open_port(Path(os.ttyname(slave)))
    try:
        with pytest.raises(serial.SerialTimeoutException):
            port.write(b"lamp left stop\n" * 2000)
    finally:
        port.close()
        os.close(master)
        os.close(slave)


def test_lamps_and_sounds_reach_the_board_and_are_told_again_to_one_that_came_back(
    bench: PtyBench,
) -> None:
    bench.scale.show(Tray.LEFT, Lamp.STOP)
    bench.scale.play(Sound.SPILL)
    read(bench, 1.0)
    assert bench.pico.lamps == {"left": (False, True), "right": (False, False)}
    assert bench.pico.beeps == 3
    bench.pico.unplug()
    read(bench, 0.5)
    bench.pico.plug_in()
    read(bench, 1.5)
    assert bench.pico.lamps["left"] == (False, True)


def test_a_million_random_and_damaged_bytes_give_no_exception_and_no_sample() -> None:
    rng = random.Random(4)
    good = [
        b"$R,%d,%d,left,83211,0*00000000\n" % (number % 65536, number * 11_000)
        for number in range(2_000)
    ]
    stream = PicoStream(rests_closed=False)
    fed = 0
    while fed < 1_000_000:
        data = bytearray(
            rng.randbytes(rng.randrange(1, 400))
            if rng.random() < 0.5
            else b"".join(rng.choices(good, k=5))
        )
        for _ in range(rng.randrange(4)):
            data[rng.randrange(len(data))] = rng.choice(b"$*,\n\r09aRF") if data else 0
        fed += len(data)
        assert stream.feed(bytes(data), MonoSeconds(fed / 1e4)) == []
    assert stream.counters.bad_lines() > 10_000


def test_true_lines_between_damaged_ones_are_all_read(bench: PtyBench) -> None:
    rng = random.Random(8)
    bench.pico.damage_next(*rng.choices([*PortFault], k=400))
    readings = read(bench, 8.0)
    assert false_samples(readings) == []
    later = read(bench, 1.0)
    assert sum(isinstance(r, Sample) and r.left is not None for r in later) > 80


# --- opening ---------------------------------------------------------------------------------


def scale_at(folder: Path, port: str | None = None) -> PicoScale:
    time = VirtualTime()
    return PicoScale(BoardConfig(port=port), clock=time, tasks=time.tasks(), by_id=folder)


def test_without_a_pico_the_sentence_says_what_to_look_at(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="no Pico is plugged in: look at its cable"):
        scale_at(tmp_path).open()


def test_with_two_picos_it_asks_which(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"usb-MicroPython_Board_{number}-if00").symlink_to("/dev/null")
    with pytest.raises(BoardError, match=r"say which with --port: .*Board_1.*Board_2"):
        scale_at(tmp_path).open()


def test_a_port_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / LINK).symlink_to("/dev/null")
    with pytest.raises(BoardError, match=r"/dev/ttyACM7 is not there.*there is .*MicroPython"):
        scale_at(tmp_path, port="/dev/ttyACM7").open()


def test_a_port_in_use_is_not_shared_and_its_holder_is_named(bench: PtyBench) -> None:
    bench.scale.close()
    other = serial.Serial(str(bench.pico.link), exclusive=True)
    with pytest.raises(BoardError, match=r"is in use by (python|pytest)\S* \(\d+\)"):
        bench.scale.open()
    other.close()


def test_a_board_without_our_firmware_is_told_from_one_that_is_absent(bench: PtyBench) -> None:
    bench.scale.close()
    bench.pico.hang()
    with pytest.raises(BoardError, match="does not answer as the companion's firmware"):
        bench.scale.open()


def test_a_firmware_of_another_protocol_is_refused(
    bench: PtyBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.scale.close()
    monkeypatch.setattr("tippo.wire.PROTOCOL", 2)
    with pytest.raises(BoardError, match=r"speaks protocol 2, this companion 1: run"):
        PicoScale(
            BoardConfig(), clock=bench.time, tasks=bench.time.tasks(), by_id=bench.pico.link.parent
        ).open()


def test_a_port_given_by_its_changing_name_is_kept_by_the_lasting_one(bench: PtyBench) -> None:
    bench.scale.close()
    scale = PicoScale(
        BoardConfig(port=str(bench.pico.link.resolve())),
        clock=bench.time,
        tasks=bench.time.tasks(),
        by_id=bench.pico.link.parent,
    )
    scale.open()
    assert scale.path == bench.pico.link
    scale.close()
