"""Whatever is missing, busy, forbidden or wrong: every command that wants the scale says so in one
sentence, with what to do, and never with a traceback."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from zlib import crc32

import pytest
import serial

from companion.cli import main
from companion.scale.calibration import Calibration, CellCalibration
from companion.scale.saved import SavedCalibration, save_calibration
from tests.unit.hardware.test_library import pretend, refuse

PLAYING = (("play", "--headless"), ("record", "REC", "--headless"))
CALIBRATING = (("calibrate",),)
DOCTOR = (("doctor", "--no-press"),)
FIRMWARE = (("firmware", "status"), ("firmware", "install"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nothing has been set up; a Pico has little time to answer."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setattr("hardware.pico.board.ANSWER_WITHIN_S", 0.3)
    monkeypatch.setattr("hardware.install.ANSWER_WITHIN_S", 0.3)
    monkeypatch.setattr("hardware.install.COPY_WITHIN_S", 3.0)
    for room in ("hardware.pico.port", "hardware.install", "hardware.facts"):
        monkeypatch.setattr(f"{room}.picos", lambda *_: [])
    return tmp_path


def said(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and everything that was said."""
    try:
        main(list(arguments))
    except SystemExit as ended:
        code = ended.code
    else:
        code = 0
    told = capsys.readouterr()
    assert "Traceback" not in told.out + told.err
    if told.err:
        assert told.err.startswith("tippo: ")
        assert told.err.count("\n") == 1, "one sentence"
    assert isinstance(code, int)
    return code, told.out + told.err


def calibrated(home: Path, board: str = "pico e6614104031f2b37") -> None:
    cell = CellCalibration(zero=0, counts_per_gram=2000)
    calibration = Calibration(card_g=1.75, left=cell, right=cell)
    path = home / "data" / "tippo" / "calibration.toml"
    save_calibration(path, SavedCalibration(calibration, board, False, "one evening"))


def settings(home: Path, text: str) -> None:
    path = home / "config" / "tippo" / "settings.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# --- what can be on a port ---------------------------------------------------------------------


@contextmanager
def a_port(answer: Callable[[bytes], bytes]) -> Iterator[Path]:
    """A pseudo-terminal with something on it that answers whatever it is told."""
    master, slave = os.openpty()

    def serve() -> None:
        try:
            while heard := os.read(master, 1024):
                os.write(master, answer(heard))
        except OSError:  # closed
            return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield Path(os.ttyname(slave))
    finally:
        os.close(slave)
        os.close(master)
        thread.join(timeout=5.0)


def line(body: str) -> bytes:
    return b"$%s*%08x\n" % (body.encode(), crc32(body.encode()))


def a_modem(_: bytes) -> bytes:
    return b"\r\nERROR\r\n"


def an_old_firmware(_: bytes) -> bytes:
    return line("B,0,1250,7,0.3.1,e6614104031f2b37,left+right,1,power")


def a_micropython(_: bytes) -> bytes:
    return b">>> "


@pytest.mark.parametrize("command", [*PLAYING, *CALIBRATING, *DOCTOR])
@pytest.mark.parametrize(
    ("device", "sentence"),
    [
        (a_modem, "does not answer as the companion's firmware"),
        (a_micropython, "run 'tippo firmware status', then 'tippo firmware install'"),
        (an_old_firmware, "the firmware 0.3.1 on the Pico speaks protocol 7, this companion 1"),
    ],
)
def test_something_else_on_the_port_is_told_from_the_scale(
    command: tuple[str, ...],
    device: Callable[[bytes], bytes],
    sentence: str,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calibrated(home)
    with a_port(device) as port:
        settings(home, f'board = "pico"\n[pico]\nport = "{port}"\n')
        code, told = said(_in(home, command), capsys)
    assert code in (1, 2)
    assert sentence.replace(": ", " ") in told.replace(": ", " ").replace("\n", " ")


def _in(home: Path, command: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(home / "recording") if word == "REC" else word for word in command)


@pytest.mark.parametrize("device", [a_modem, a_micropython])
def test_firmware_status_says_what_does_not_answer(
    device: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    with a_port(device) as port:
        code, told = said(("firmware", "status", "--port", str(port)), capsys)
    assert code == 1
    assert "no firmware of the companion answers: run 'tippo firmware install'" in told


def test_firmware_cannot_be_put_on_what_is_no_pico(capsys: pytest.CaptureFixture[str]) -> None:
    with a_port(a_modem) as port:
        code, told = said(("firmware", "install", "--port", str(port)), capsys)
    assert code == 1
    assert "mpremote could not copy the firmware" in told
    assert "put MicroPython on it first" in told


WITH_PORT = (*PLAYING, *CALIBRATING, *DOCTOR, *FIRMWARE)


@pytest.mark.parametrize("command", WITH_PORT)
@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ("gone", "is not there"),
        ("busy", "is in use by"),
        ("forbidden", "may not be opened"),
        ("a file", "is no serial port"),
        ("a folder", "is no serial port"),
    ],
)
def test_a_port_that_cannot_be_opened_is_named_with_the_reason(
    command: tuple[str, ...],
    trouble: str,
    sentence: str,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calibrated(home)
    with ExitStack() as closing:
        port = _troubled(trouble, home, closing, monkeypatch)
        settings(home, f'board = "pico"\n[pico]\nport = "{port}"\n')
        if command in FIRMWARE:
            command = (*command, "--port", str(port))
        code, told = said(_in(home, command), capsys)
    assert code in (1, 2)
    assert sentence in told
    assert str(port) in told


def _troubled(
    trouble: str, home: Path, closing: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> Path:
    match trouble:
        case "busy":
            port = closing.enter_context(a_port(a_modem))
            closing.enter_context(serial.Serial(str(port), exclusive=True))
            return port
        case "forbidden":
            port = closing.enter_context(a_port(a_modem))

            def forbidden(*_: object, **__: object) -> serial.Serial:
                # What pyserial says of it; whoever runs these tests may be allowed everything.
                raise serial.SerialException(
                    13, f"could not open port {port}: [Errno 13] Permission denied: '{port}'"
                )

            monkeypatch.setattr("serial.Serial", forbidden)
            return port
        case "a file":
            (home / "file").write_text("")
            return home / "file"
        case "a folder":
            (home / "folder").mkdir()
            return home / "folder"
        case _:
            return home / "ttyACM0"


@pytest.mark.parametrize("command", [*CALIBRATING, *DOCTOR, *FIRMWARE, *PLAYING])
def test_without_a_pico_it_says_to_plug_it_in(
    command: tuple[str, ...], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibrated(home)
    board = () if command in FIRMWARE else ("--board", "pico")
    code, told = said((*_in(home, command), *board), capsys)
    assert code in (1, 2)
    assert "is plugged in" in told


@pytest.mark.parametrize("command", [*CALIBRATING, *PLAYING, ("firmware", "install")])
def test_of_two_picos_one_has_to_be_named(
    command: tuple[str, ...],
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calibrated(home)
    links = [Path("/dev/serial/by-id/one"), Path("/dev/serial/by-id/two")]
    for room in ("hardware.pico.port", "hardware.install"):
        monkeypatch.setattr(f"{room}.picos", lambda *_: links)
    board = () if command[0] == "firmware" else ("--board", "pico")
    code, told = said((*_in(home, command), *board), capsys)
    assert code == 1
    assert "several Picos are plugged in: say which with" in told
    assert "/dev/serial/by-id/one, /dev/serial/by-id/two" in told


# --- the Pi's header ---------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*PLAYING, *CALIBRATING, *DOCTOR])
@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ModuleNotFoundError("No module named 'RPi'", name="RPi"), "no pin library is installed"),
        (
            ModuleNotFoundError("No module named 'lgpio'", name="lgpio"),
            "its module lgpio is missing",
        ),
        (RuntimeError("This module can only be run on a Raspberry Pi!"), "no Raspberry Pi"),
        (RuntimeError("Cannot determine SOC peripheral base address"), "pip uninstall RPi.GPIO"),
        (PermissionError(13, "Permission denied"), "the group gpio"),
    ],
    ids=["none", "half", "no Pi", "wrong one", "forbidden"],
)
def test_pins_that_cannot_be_used_are_explained(
    command: tuple[str, ...],
    error: Exception,
    sentence: str,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calibrated(home, "gpio")
    refuse(monkeypatch, error)
    code, told = said((*_in(home, command), "--board", "gpio"), capsys)
    assert code in (1, 2)
    assert sentence in told


@pytest.mark.parametrize("command", [*PLAYING, *CALIBRATING, *DOCTOR])
def test_pins_that_somebody_else_holds_are_said(
    command: tuple[str, ...],
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What rpi-lgpio says of a pin that another program has."""
    calibrated(home, "gpio")
    module = ModuleType("RPi.GPIO")
    module.VERSION = "0.7.2"  # type: ignore[attr-defined] # what it pretends to be
    module.lgpio = ModuleType("lgpio")  # type: ignore[attr-defined] # what it stands on
    pretend(monkeypatch, module)
    monkeypatch.setattr("hardware.gpio.library.version", lambda _: "1")

    def taken() -> None:
        raise RuntimeError("'GPIO busy'")

    monkeypatch.setattr("hardware.gpio.library._lgpio_factory", taken)
    code, told = said((*_in(home, command), "--board", "gpio"), capsys)
    assert code in (1, 2)
    assert "the pins of the header cannot be used by rpi-lgpio 1" in told
    assert "GPIO busy" in told


def test_two_pin_libraries_are_said_with_the_one_that_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("RPi.GPIO")
    module.VERSION = "0.7.1"  # type: ignore[attr-defined] # as the real one has
    pretend(monkeypatch, module)
    monkeypatch.setattr("hardware.gpio.library.version", lambda _: "0.6")
    monkeypatch.setattr("hardware.probe.open_board", _no_board)
    _, told = said(("doctor", "--board", "gpio", "--no-press"), capsys)
    assert "RPi.GPIO 0.7.1, with gpiozero; rpi-lgpio is installed as well" in told
    assert "pip uninstall rpi-lgpio, then install RPi.GPIO anew" in told


def _no_board(*_: object) -> None:
    from companion.errors import BoardError

    raise BoardError("not in this test: look elsewhere")


def test_a_pin_that_has_two_purposes_is_bad_input(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calibrated(home, "gpio")
    module = ModuleType("RPi.GPIO")
    module.VERSION = "0.7.1"  # type: ignore[attr-defined] # as the real one has
    pretend(monkeypatch, module)
    monkeypatch.setattr("hardware.gpio.library.version", lambda _: "0.6")
    settings(home, "[gpio.wiring]\ntilt = 5\n")
    code, told = said(("calibrate", "--board", "gpio"), capsys)
    assert code == 2
    assert "GPIO 5 is given to both DOUT of the left cell and the tilt switch" in told


# --- calibrations ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", PLAYING)
@pytest.mark.parametrize("board", ["pico", "gpio"])
@pytest.mark.parametrize(
    ("kept", "sentence"),
    [
        (None, "this scale has not been calibrated yet: run `tippo calibrate`"),
        ("", "is damaged: run `tippo calibrate`"),
        ("card_g = ", "is damaged: run `tippo calibrate`"),
        ("\x00\xff", "is damaged: run `tippo calibrate`"),
        (b"card_g = \xff\xfe", "is damaged: run `tippo calibrate`"),
    ],
)
def test_without_a_whole_calibration_nobody_plays_on_the_scale(
    command: tuple[str, ...],
    board: str,
    kept: str | bytes | None,
    sentence: str,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if kept is not None:
        path = home / "data" / "tippo" / "calibration.toml"
        path.parent.mkdir(parents=True)
        path.write_bytes(kept if isinstance(kept, bytes) else kept.encode())
    code, told = said((*_in(home, command), "--board", board), capsys)
    assert code == 1
    assert sentence in told


def test_what_cannot_be_read_is_told_with_the_reason_apart_from_the_advice(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder stands where the calibration is looked for."""
    path = home / "data" / "tippo" / "calibration.toml"
    path.mkdir(parents=True)
    code, told = said(("doctor", "--board", "pico", "--no-press"), capsys)
    assert code == 2
    lines = [" ".join(line.split()) for line in told.splitlines()]
    says = next(k for k, line in enumerate(lines) if line.startswith("WARN calibration"))
    assert lines[says].endswith(f"{path} cannot be read (Is a directory)")
    assert lines[says + 1] == "→ change its rights, or run `tippo calibrate`"


def test_the_way_back_to_the_calibration_before_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibrated(home)
    calibrated(home)
    path = home / "data" / "tippo" / "calibration.toml"
    path.write_text("torn")
    _, told = said(("play", "--headless", "--board", "pico"), capsys)
    assert f"or go back to the one before: mv {path}.previous {path}" in told
    path.with_name("calibration.toml.previous").rename(path)
    _, told = said(("play", "--headless", "--board", "pico"), capsys)
    assert "no Pico is plugged in" in told, "the calibration is whole again"


@pytest.mark.usefixtures("home")
def test_a_game_without_the_scale_needs_none_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(("play", "--board", "none", "--headless"), capsys)
    assert (code, "people play this game by tapping the display" in told) == (2, True)


def test_a_table_without_a_scale_says_so_once_in_its_settings(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody asks which board it is, no board is looked for, and nothing can be calibrated."""
    settings(home, 'board = "none"\n')
    code, told = said(("play", "--headless"), capsys)
    assert (code, "people play this game by tapping the display" in told) == (2, True)
    code, told = said(("calibrate",), capsys)
    assert (code, "there is no scale at this table" in told) == (2, True)
    code, told = said(("doctor",), capsys)
    assert code in (0, 1)
    assert "a table without a scale" in told
    assert "journal" in told
    assert "calibration" not in told
