"""What the doctor says of libraries, rights, ports and lines; what to do about each trouble."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from companion.events import Sensor
from hardware.facts import (
    Fact,
    gpio_rights,
    modem_manager,
    pico_ports,
    reader_fact,
    stream_facts,
)
from sim.pico import PortFault
from tests.contract.benches import PtyBench, pty_bench
from tests.unit.hardware.test_library import pretend, refuse


def troubles(facts: Iterator[Fact]) -> list[Fact]:
    found = [fact for fact in facts if fact.grade != "OK"]
    for fact in found:
        assert fact.says
        assert fact.advice
        assert not fact.advice.endswith(".")
    return found


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """RPi.GPIO 0.7.1 is installed, and nothing beside it."""
    module = ModuleType("RPi.GPIO")
    module.VERSION = "0.7.1"  # type: ignore[attr-defined] # as the real one has
    pretend(monkeypatch, module)
    monkeypatch.setattr("hardware.gpio.library.version", lambda _: "1")
    monkeypatch.setattr("hardware.gpio.library._installed", lambda _: "")


@pytest.mark.usefixtures("library")
def test_a_header_that_may_be_used_is_ok_with_library_and_groups(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    facts = list(gpio_rights(tmp_path))
    assert troubles(iter(facts)) == []
    assert facts[0].says == "RPi.GPIO 0.7.1, with gpiozero"
    assert "may be used; groups " in facts[1].says


@pytest.mark.usefixtures("library")
def test_a_machine_without_a_header_is_told_to_take_a_pico(tmp_path: Path) -> None:
    (pins,) = troubles(gpio_rights(tmp_path))
    assert (pins.topic, pins.grade) == ("pins", "FAIL")
    assert "no header pins" in pins.says
    assert "--board pico" in pins.advice


@pytest.mark.usefixtures("library")
def test_pins_that_are_forbidden_name_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr("os.access", lambda *_: False)
    (pins,) = troubles(gpio_rights(tmp_path))
    assert pins.grade == "FAIL"
    assert "they may not be used; you are in the groups" in pins.says
    assert "usermod -aG gpio" in pins.advice


@pytest.mark.usefixtures("library")
def test_pins_that_another_program_holds_are_named_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr("hardware.facts.holders", lambda _: ["pigpiod (81)", f"me ({os.getpid()})"])
    (pins,) = troubles(gpio_rights(tmp_path))
    assert pins.grade == "WARN"
    assert pins.says.endswith("is held by pigpiod (81)")


def test_without_a_pin_library_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").touch()
    refuse(monkeypatch, ModuleNotFoundError("No module named 'RPi'", name="RPi"))
    (library,) = troubles(gpio_rights(tmp_path))
    assert (library.topic, library.grade) == ("pin library", "FAIL")
    assert "`pip install 'tippo-companion[gpio5]'`" in library.advice


@pytest.mark.parametrize(
    ("there", "held", "allowed", "says"),
    [
        (False, [], True, "is not there"),
        (True, ["ModemManager (7)"], True, "is in use by ModemManager (7)"),
        (True, [], False, "may not be opened"),
    ],
)
def test_a_port_that_will_not_do_is_a_fail(
    there: bool,
    held: list[str],
    allowed: bool,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port = tmp_path / "ttyACM0"
    if there:
        port.touch()
    monkeypatch.setattr("hardware.facts.holders", lambda _: held)
    monkeypatch.setattr("os.access", lambda *_: allowed)
    (fact,) = troubles(pico_ports([port]))
    assert fact.grade == "FAIL"
    assert fact.says == f"{port} {says}"


def test_without_a_pico_it_says_how_to_begin() -> None:
    (fact,) = troubles(pico_ports([]))
    assert (fact.grade, fact.says) == ("FAIL", "no Pico is plugged in")
    assert "firmware install" in fact.advice


@pytest.mark.parametrize("ruled", [False, True])
def test_modem_manager_is_a_warning_unless_it_was_told_to_stay_away(
    ruled: bool, tmp_path: Path
) -> None:
    process = tmp_path / "proc" / "712"
    process.mkdir(parents=True)
    (process / "comm").write_text("ModemManager\n")
    rule = tmp_path / "60-tippo-pico.rules"
    if ruled:
        rule.touch()
    found = troubles(modem_manager(tmp_path / "proc", rule))
    assert [fact.grade for fact in found] == ([] if ruled else ["WARN"])


def test_words_that_are_read_too_late_are_a_warning() -> None:
    assert reader_fact(Sensor.LEFT, restarts=2, late=3).grade == "OK"
    late = reader_fact(Sensor.LEFT, restarts=2, late=40)
    assert (late.grade, late.says) == ("WARN", "2 restarts, 40 words read too late")


@pytest.fixture
def bench() -> Iterator[PtyBench]:
    with pty_bench(rates_hz=(10.8, 10.6)) as bench:
        bench.scale.open()
        yield bench


def test_a_clean_line_of_our_own_firmware_is_ok(bench: PtyBench) -> None:
    bench.time.sleep(3.0)
    assert troubles(stream_facts(bench.scale)) == []


def test_another_firmware_is_a_warning(bench: PtyBench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.facts.firmware_version", lambda _: "9.9.9")
    (firmware,) = troubles(stream_facts(bench.scale))
    assert firmware.says.endswith("ours is 9.9.9")
    assert firmware.advice == "run 'tippo firmware install'"


def test_damaged_lines_and_a_lost_port_are_counted_in_a_warning(bench: PtyBench) -> None:
    for _ in range(6):
        bench.pico.damage_next(PortFault.FLIPPED_BIT)
        bench.time.sleep(0.3)
    bench.pico.unplug()
    bench.time.sleep(1.0)
    bench.pico.plug_in()
    bench.time.sleep(3.0)
    (line,) = troubles(stream_facts(bench.scale))
    assert (line.topic, line.grade) == ("line", "WARN")
    assert "1 losses of the port" in line.says
    assert "with a wrong checksum" in line.says
