"""Asked to end, by Ctrl-C, by the system or by a terminal that is closed, every command frees what
it holds, says so in one sentence and leaves nothing half done."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from companion.cli import main
from companion.ending import SIGNALS, leaving_when_asked
from companion.ports import Lamp
from companion.scale.calibration import Calibration, CellCalibration
from companion.scale.saved import SavedCalibration, load_calibration, save_calibration
from companion.units import Tray
from hardware.probe import Board, board_of
from sim.pins import VirtualTime
from tests.contract.benches import PinBench, PtyBench, pin_bench, pty_bench

STOPPED = "tippo: stopped, as asked"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and files of this test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("COLUMNS", "400")
    return tmp_path


@pytest.fixture
def pico(monkeypatch: pytest.MonkeyPatch) -> Iterator[PtyBench]:
    with pty_bench() as bench:
        monkeypatch.setattr("hardware.facts.picos", lambda _: [bench.pico.link])
        _on_the_table(monkeypatch, bench)
        yield bench


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[PinBench]:
    with pin_bench() as bench:
        _on_the_table(monkeypatch, bench)
        yield bench


def _on_the_table(monkeypatch: pytest.MonkeyPatch, bench: PinBench | PtyBench) -> None:
    """Both boards are opened in virtual time."""

    def open_board(*_: Any) -> Board:
        bench.scale.open()
        bench.scale.lamps.show(Tray.LEFT, Lamp.STOP)
        return board_of(bench.scale)

    monkeypatch.setattr("hardware.probe.open_board", open_board)
    monkeypatch.setattr("companion.workbench.bench.SystemClock", lambda: bench.time)
    monkeypatch.setattr("companion.sitting.machine_clock", lambda: bench.time)


def asked_after(time: VirtualTime, seconds: float, *numbers: int) -> None:
    """The signals come at that time, one after the other without a pause."""
    calls = iter([seconds])

    def step() -> float:
        for wait_s in calls:
            return wait_s
        for number in numbers:
            signal.raise_signal(number)
        return 3600.0

    time.tasks().start("asks", step)


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str]:
    """The exit code, and what was said on standard error."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code, capsys.readouterr().err


def is_free(bench: PtyBench) -> bool:
    """Somebody else can have the port for themselves, and no lamp was left alight."""
    bench.time.sleep(0.5)
    serial.Serial(str(bench.pico.link), exclusive=True).close()
    return bench.pico.lamps == dict.fromkeys(("left", "right"), (False, False))


def calibrated(home: Path, board: str) -> Path:
    cell = CellCalibration(zero=0, counts_per_gram=2000)
    path = home / "data" / "tippo" / "calibration.toml"
    calibration = Calibration(card_g=1.75, left=cell, right=cell)
    save_calibration(path, SavedCalibration(calibration, board, False, "one evening"))
    return path


COMMANDS = [("doctor", "--press"), ("calibrate",)]
MOMENTS = [(0.01, signal.SIGTERM), (13.0, signal.SIGHUP), *((1.0, number) for number in SIGNALS)]
"""While the board is opened, while it is listened to, and much later."""


@pytest.mark.parametrize(("seconds", "number"), MOMENTS)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_whoever_listens_to_a_pico_gives_its_port_back(
    seconds: float,
    command: tuple[str, ...],
    number: int,
    pico: PtyBench,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked_after(pico.time, seconds, number)
    code, said = ended(capsys, *command, "--board", "pico")
    assert code == 128 + number
    besides = ": nothing was saved" if command == ("calibrate",) and seconds > 0.1 else ""
    assert said == f"{STOPPED}{besides}.\n"
    assert is_free(pico)
    assert not list(home.rglob("calibration*"))


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_whoever_listens_to_the_header_releases_its_pins(
    command: tuple[str, ...], number: int, pins: PinBench, capsys: pytest.CaptureFixture[str]
) -> None:
    asked_after(pins.time, 0.5, number)
    code, said = ended(capsys, *command, "--board", "gpio")
    assert (code, said.startswith(STOPPED)) == (128 + number, True)
    assert [pin for pin in range(28) if pins.bank.is_set_up(pin)] == []


@pytest.mark.parametrize("number", SIGNALS)
def test_pins_that_are_just_being_set_up_are_released(
    number: int, pins: PinBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up = pins.bank.make_output

    def asked_meanwhile(pin: int, level: bool | None = None) -> None:
        set_up(pin, level)
        signal.raise_signal(number)

    monkeypatch.setattr(pins.bank, "make_output", asked_meanwhile)
    code, _ = ended(capsys, "doctor", "--board", "gpio")
    assert code == 128 + number
    assert [pin for pin in range(28) if pins.bank.is_set_up(pin)] == []


@pytest.mark.parametrize("number", SIGNALS)
def test_an_impatient_person_does_not_break_off_the_closing(
    number: int, pico: PtyBench, capsys: pytest.CaptureFixture[str]
) -> None:
    close = pico.scale.close

    def asked_meanwhile() -> None:
        signal.raise_signal(number)
        close()

    asked_after(pico.time, 0.5, signal.SIGINT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pico.scale, "close", asked_meanwhile)
        assert ended(capsys, "doctor", "--board", "pico") == (130, f"{STOPPED}.\n")
    assert is_free(pico)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("seconds", [0.01, 1.0], ids=["opening", "playing"])
def test_an_evening_on_a_pico_gives_its_port_back(
    seconds: float, number: int, pico: PtyBench, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once the loop turns, to be asked to end is an end like any other."""
    calibrated(home, f"pico {pico.pico.board_id}")
    asked_after(pico.time, seconds, number)
    evening = ("play", "--board", "pico", "--headless")
    if seconds > 0.1:
        main(evening)
    else:
        assert ended(capsys, *evening) == (128 + number, f"{STOPPED}.\n")
    assert is_free(pico)


def test_beside_a_real_scale_without_a_display_it_says_so_and_is_started_again(
    pico: PtyBench, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing could ever happen there, and a display may be switched on later: the system starts
    again what has been refused."""
    calibrated(home, f"pico {pico.pico.board_id}")
    monkeypatch.setattr("companion.display.window.available", lambda: False)
    code, said = ended(capsys, "play", "--board", "pico")
    assert code == 1
    assert "no display was found" in said
    assert is_free(pico)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_calibration_at_the_display_gives_its_port_back(
    number: int, pico: PtyBench, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked_after(pico.time, 1.0, number)
    code, said = ended(capsys, "play", "--board", "pico", "--display")
    assert (code, said) == (128 + number, f"{STOPPED}.\n")
    assert is_free(pico)
    assert not list(home.rglob("calibration*"))


@pytest.mark.parametrize("moment", ["os.fsync", "os.link", "pathlib.Path.replace"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_calibration_is_never_half_saved(
    after: bool,
    moment: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = calibrated(home, "sim").rename(home / "data" / "tippo" / "calibration-sim.toml")
    module, _, name = moment.rpartition(".")
    owner: Any = os if module == "os" else Path
    really: Callable[..., Any] = getattr(owner, name)

    def asked_meanwhile(*arguments: Any) -> Any:
        if after:
            really(*arguments)
        signal.raise_signal(signal.SIGTERM)
        return None if after else really(*arguments)

    monkeypatch.setattr(owner, name, asked_meanwhile)
    code, said = ended(capsys, "calibrate", "--board", "sim")
    monkeypatch.undo()
    assert (code, said) == (143, f"{STOPPED}.\n")
    saved = load_calibration(path)
    assert (saved.made == "one evening") is not (after and name == "replace")


def test_what_the_companion_was_started_to_ignore_it_ignores() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with leaving_when_asked():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


# --- from the first moment ---------------------------------------------------------------------

ASKED_WHILE_LOADING = """
import os, signal, sys
class Asks:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.{name})
sys.meta_path.insert(0, Asks())
from companion.start import main
sys.argv[1:] = ["doctor", "--board", "sim", "--no-press"]
main()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    "module",
    ["companion.cli", "click", "companion.errors", "companion.workbench.doctor", "rich.console",
     "sim.board", "pygame"],
)  # fmt: skip
def test_asked_while_it_is_still_loading_it_ends_without_a_word_too_many(
    module: str, name: str
) -> None:
    """The first tenths of a second, in which the libraries are read from a slow card."""
    ran = subprocess.run(
        [sys.executable, "-c", ASKED_WHILE_LOADING.format(module=module, name=name)],
        capture_output=True,
        text=True,
        check=False,
    )
    number = signal.Signals[name]
    assert ran.returncode in (-number, 128 + number)
    assert ran.stderr in ("", f"{STOPPED}.\n")
