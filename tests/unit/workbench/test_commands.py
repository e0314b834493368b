"""`tippo calibrate`, `tippo doctor` and `tippo firmware` as people meet them."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import tippo
from companion.ending import AskedToEnd
from companion.errors import BoardError, CalibrationError, Refused, TippoError
from companion.scale.calibrate import Step
from companion.scale.saved import load_calibration
from companion.workbench.bench import press_a_key
from hardware.probe import Board, board_of
from sim.hx711 import ChipFault
from tests.contract.benches import PtyBench, pty_bench


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and files of this test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return tmp_path


def run(*arguments: str, keys: str = "") -> Result:
    return CliRunner().invoke(tippo, arguments, input=keys)


def refusal(*arguments: str) -> TippoError:
    error = run(*arguments).exception
    assert isinstance(error, TippoError)
    return error


# --- on the simulator --------------------------------------------------------------------------


def test_calibrating_the_simulator_says_that_it_is_simulated(home: Path) -> None:
    result = run("calibrate", "--board", "sim")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("SIMULATED")
    saved = load_calibration(home / "data" / "tippo" / "calibration-sim.toml")
    assert saved.board == "sim"
    assert not (home / "data" / "tippo" / "calibration.toml").exists()


def test_a_scale_without_a_switch_is_calibrated_as_such(home: Path) -> None:
    result = run("calibrate", "--board", "sim", "--cards", "10", "--no-tilt-switch")
    assert result.exit_code == 0, result.output
    text = (home / "data" / "tippo" / "calibration-sim.toml").read_text()
    assert tomllib.loads(text)["calibration"]["tilt_switch"] is False


def test_the_doctor_examines_the_simulator_and_is_honest_about_it() -> None:
    result = run("doctor", "--board", "sim")
    assert result.output.startswith("SIMULATED: the scale below is simulated")
    assert "left cell" in result.output
    assert "pressing the right tray" in result.output
    assert "the tilt switch changed" in " ".join(result.output.split())
    assert result.exit_code == 1, "no display and no touch in a test, but no FAIL"


def test_the_doctor_speaks_json() -> None:
    run("calibrate", "--board", "sim")
    result = run("doctor", "--board", "sim", "--json")
    told = json.loads(result.stdout)
    assert told["simulated"] is True
    assert told["worst"] == "WARN"
    assert {finding["topic"] for finding in told["findings"]} >= {
        "calibration", "board", "left cell", "right cell", "tilt switch", "pressing the left tray",
        "tipping the scale",
        "display", "touch", "journal", "disk", "clock",
    }  # fmt: skip
    noise = [f["measured"].get("noise_g") for f in told["findings"] if f["topic"] == "left cell"]
    assert any(noise)


def test_without_a_board_named_it_asks_which() -> None:
    for command in ("doctor", "calibrate"):
        assert "which board is on the table? Say --board" in str(refusal(command))


# --- on a virtual Pico -------------------------------------------------------------------------


@pytest.fixture
def pico(monkeypatch: pytest.MonkeyPatch) -> Iterator[PtyBench]:
    """`--board pico` opens the one on the pseudo-terminal, in virtual time."""
    with pty_bench() as bench:

        def open_board(*_: Any) -> Board:
            bench.scale.open()
            return board_of(bench.scale)

        monkeypatch.setattr("hardware.probe.open_board", open_board)
        monkeypatch.setattr("companion.workbench.bench.SystemClock", lambda: bench.time)
        monkeypatch.setattr("hardware.facts.picos", lambda _: [bench.pico.link])
        yield bench


def test_the_doctor_examines_a_pico(pico: PtyBench) -> None:
    told = json.loads(run("doctor", "--board", "pico", "--json").stdout)
    says = {finding["topic"]: finding["says"] for finding in told["findings"]}
    assert says["firmware"].startswith("firmware 1.0.0, protocol 1, board e66141")
    assert says["line"].endswith("none damaged")
    assert says["port"] == str(pico.pico.link)
    assert told["simulated"] is False


def test_the_doctor_tells_a_silent_cell_from_a_healthy_one(pico: PtyBench) -> None:
    pico.right.set_fault(ChipFault.UNPLUGGED, 0.0)
    result = run("doctor", "--board", "pico", "--json")
    cells = {
        (finding["topic"], finding["grade"]) for finding in json.loads(result.stdout)["findings"]
    }
    assert ("right cell", "FAIL") in cells
    assert ("left cell", "FAIL") not in cells
    assert result.exit_code == 2


@pytest.mark.usefixtures("pico")
def test_a_calibration_that_is_refused_five_times_saves_nothing(home: Path) -> None:
    error = refusal("calibrate", "--board", "pico")
    assert isinstance(error, CalibrationError)
    assert str(error).startswith("not calibrated, nothing was saved: the tilt switch has not")
    assert not list((home / "data").rglob("calibration*"))


@pytest.mark.parametrize("end", [KeyboardInterrupt, EOFError], ids=["^C", "^D"])
def test_ctrl_c_where_a_key_is_waited_for_is_no_key(
    end: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def getchar() -> str:
        raise end

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.getchar", getchar)
    with pytest.raises(AskedToEnd):
        press_a_key(Step.EMPTY)


def test_a_board_that_cannot_be_opened_is_a_fail_with_its_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def open_board(*_: Any) -> Board:
        raise BoardError("the port /dev/ttyACM0 is in use by ModemManager (712): end it")

    monkeypatch.setattr("hardware.probe.open_board", open_board)
    result = run("doctor", "--board", "pico", "--json")
    (board,) = [f for f in json.loads(result.stdout)["findings"] if f["topic"] == "board"]
    assert board["grade"] == "FAIL"
    assert board["advice"] == "end it"
    assert result.exit_code == 2


@pytest.mark.usefixtures("pico")
def test_a_calibration_for_another_board_is_a_fail(home: Path) -> None:
    run("calibrate", "--board", "sim")
    folder = home / "data" / "tippo"
    (folder / "calibration-sim.toml").rename(folder / "calibration.toml")
    told = json.loads(run("doctor", "--board", "pico", "--json").stdout)
    found = [f for f in told["findings"] if f["topic"] == "calibration" and f["grade"] == "FAIL"]
    assert "but 'pico e6614104031f2b37' is on the table" in found[0]["says"]
    assert found[0]["advice"] == "run `tippo calibrate`"


@pytest.mark.usefixtures("pico")
def test_play_says_at_its_start_that_a_calibration_is_missing_or_anothers(home: Path) -> None:
    missing = refusal("play", "--board", "pico", "--headless")
    assert "not been calibrated yet: run `tippo calibrate`" in str(missing)
    run("calibrate", "--board", "sim")
    folder = home / "data" / "tippo"
    (folder / "calibration-sim.toml").rename(folder / "calibration.toml")
    assert "is for the board 'sim'" in str(refusal("play", "--board", "pico", "--headless"))
    (folder / "calibration.toml").write_text("garbage = ")
    assert "is damaged" in str(refusal("play", "--board", "pico", "--headless"))


# --- the firmware ------------------------------------------------------------------------------


def test_without_a_pico_it_says_how_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.install.picos", lambda _: [])
    for command in ("status", "install"):
        error = refusal("firmware", command)
        assert isinstance(error, Refused)
        assert "hold its BOOTSEL button while you plug it in" in str(error)
