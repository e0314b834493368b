"""The builder's book, its drawings and the machine's files say what the code does."""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from signal import SIGTERM
from typing import Any

import pytest

from companion.cli import tippo
from companion.ending import AskedToEnd
from companion.watchdog import BEAT_S
from companion.workbench import cells, machine, touched
from companion.workbench.findings import Grade
from hardware import facts
from hardware.firmware import firmware_folder, firmware_version
from hardware.setup_files import pico_rule, service
from hardware.wiring import Wiring

HARDWARE = Path(__file__).parents[3] / "hardware"
BOOK = (HARDWARE / "README.md").read_text()


def load(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def drawer() -> Any:
    return load(HARDWARE.parent / "tools" / "draw_wiring.py")


def test_the_drawings_are_those_of_the_pins_in_force(drawer: Any) -> None:
    """If not, run `python tools/draw_wiring.py`."""
    for name, drawing in drawer.drawings().items():
        assert (HARDWARE / "drawings" / name).read_text() == drawing


def test_the_table_for_the_pi_names_every_pin_in_force(drawer: Any) -> None:
    section = BOOK.partition("## 5.")[2].partition("## 6.")[0]
    for bcm, purpose in Wiring().uses():
        pin = drawer.BCM_TO_PIN[bcm]
        row = [line for line in section.splitlines() if re.search(rf"\b{pin}\b", line)]
        assert any(re.search(rf"\b{bcm}\b", line) for line in row), purpose


def test_the_table_for_the_pico_names_every_pin_of_the_firmware(drawer: Any) -> None:
    section = BOOK.partition("## 6.")[2].partition("## 7.")[0]

    def numbers(value: object) -> list[int]:
        if isinstance(value, int):
            return [value]
        assert isinstance(value, (dict, tuple))
        parts = value.values() if isinstance(value, dict) else value
        return [number for part in parts for number in numbers(part)]

    for name, value in drawer.firmware_pins().items():
        for gp in numbers(value):
            assert f"GP{gp}" in section, name
            assert re.search(rf"\b{drawer.GP_TO_PIN[gp]}\b", section), name


def test_every_pin_of_a_drawing_is_used_once_for_one_signal(drawer: Any) -> None:
    for board in (drawer.pi_drawing(Wiring()), drawer.pico_drawing(drawer.firmware_pins())):
        signals = [
            wire.pin
            for part in (*board.left, *board.right)
            for wire in part.wires
            if board.pins[wire.pin] not in ("GND", "3.3 V", "3V3 OUT")
        ]
        assert len(signals) == len(set(signals))


def test_every_command_that_the_book_names_exists() -> None:
    for words in re.findall(r"`?tippo ((?:[a-z]+ ?)+)", BOOK):
        command: Any = tippo
        for word in words.split():
            if not hasattr(command, "commands"):
                break
            assert word in command.commands, words
            command = command.commands[word]


def test_links_and_pictures_of_the_book_are_there() -> None:
    for target in re.findall(r"\]\((?!#|http)([^)#]+)\)", BOOK):
        assert (HARDWARE / target).exists(), target


def test_the_service_runs_as_whoever_asked_and_comes_back_after_a_fall() -> None:
    unit = service("ann", Path("/home/ann/100% fun/tippo"), ("dialout", "video"))
    assert "User=ann\n" in unit
    assert "SupplementaryGroups=dialout video\n" in unit
    assert 'ExecStart="/home/ann/100%% fun/tippo" play --fullscreen\n' in unit
    assert "Restart=on-failure\n" in unit
    assert f"SuccessExitStatus={AskedToEnd(SIGTERM).exit_code}\n" in unit
    assert "@" not in unit


def test_a_companion_that_hangs_is_ended_long_after_its_last_beat() -> None:
    unit = service("ann", Path("/tippo"), ())
    assert "Type=notify\n" in unit
    allowed_s = float(re.search(r"WatchdogSec=(\d+)", unit).group(1))  # type: ignore[union-attr] # it is there
    assert allowed_s >= 5 * BEAT_S


def test_the_rule_names_the_pico_and_keeps_modem_manager_off() -> None:
    rule = [line for line in pico_rule().splitlines() if not line.startswith("#")]
    assert all("2e8a" in line and "0005" in line for line in rule)
    assert any('ENV{ID_MM_PORT_IGNORE}="1"' in line for line in rule)


def test_the_firmware_is_found_and_names_its_version() -> None:
    assert firmware_version(firmware_folder()) == "1.0.0"


def test_the_doctors_words_are_in_the_book() -> None:
    assert all(f"{grade}" in BOOK for grade in Grade)


def troubles() -> Iterator[str]:
    """The longest piece of each sentence with which the doctor warns or fails."""
    for module in (cells, touched, machine, facts):
        for call in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            graded = call.func.id in ("warn", "fail")
            words = [a.value for a in call.args if isinstance(a, ast.Constant)]
            if not graded and not {"WARN", "FAIL"} & {*words}:
                continue
            says = call.args[1 if graded else 2]
            pieces = says.values if isinstance(says, ast.JoinedStr) else [says]
            texts = [str(piece.value) for piece in pieces if isinstance(piece, ast.Constant)]
            if any(len(text) > 4 for text in texts):
                yield max(texts, key=len).strip(" :;,([")


@pytest.mark.parametrize(
    "says",
    [*troubles(), "longest gap", "damaged words", "noise", "drift", "offset", "GB free",
     "words read too late", "no pin library is installed", "has not been calibrated yet",
     "is damaged", "is for the board", "losses of the port"],
)  # fmt: skip
def test_every_trouble_of_the_doctor_has_its_entry_in_the_book(says: str) -> None:
    """In the doctor's own words, so that a maker finds it; the beginning of them is enough."""
    section = BOOK.partition("## 10.")[2].partition("## 11.")[0]
    quoted = re.findall(r'"([^"]+)"', section)
    assert any(quote in says or says in quote for quote in quoted)
