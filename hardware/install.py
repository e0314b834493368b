"""Puts the firmware on a Pico with mpremote, and says what is on it.

It never touches a board that was not named or is not the only one, and never guesses that it
worked: the board must say its new version.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import serial

from companion.clock import Clock
from companion.errors import BoardError, Refused
from hardware.firmware import firmware_folder, firmware_version
from hardware.pico.port import BY_ID, find_port, open_port, picos
from hardware.pico.stream import PicoStream
from hardware.pico.wire import PROTOCOL, Banner, command_line

BOOT_DRIVES = {
    Path("/dev/disk/by-label/RPI-RP2"): "Pico",
    Path("/dev/disk/by-label/RP2350"): "Pico 2",
}

ANSWER_WITHIN_S = 3.0
COMES_BACK_WITHIN_S = 15.0
COPY_WITHIN_S = 60.0
"""Copying takes some five seconds; a device that is no Pico may keep mpremote waiting for ever."""

MICROPYTHON_FIRST = (
    "put MicroPython on it first: hold its BOOTSEL button while you plug it in, download the "
    "UF2 file for your Pico from micropython.org/download, and copy it to the drive that appears"
)

Run = Callable[[Sequence[str]], None]
"""Runs a command line to its end; raises Refused with what it said if it fails."""


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """What is on one port; ``banner`` is None where no firmware of ours answers."""

    port: Path
    banner: Banner | None
    trouble: str = ""

    @property
    def sentence(self) -> str:
        """For people."""
        if self.banner is not None:
            banner = self.banner
            cells = ", ".join(banner.cells)
            return (
                f"{self.port}: Pico {banner.board_id} runs firmware {banner.firmware} "
                f"(protocol {banner.protocol}; cells {cells})."
            )
        said = self.trouble or "no firmware of the companion answers: run 'tippo firmware install'"
        return f"{self.port}: {said}"


def status(clock: Clock, *, by_id: Path = BY_ID, port: str | None = None) -> list[BoardStatus]:
    """What every Pico says of itself, or the one on ``port``.

    Raises:
        BoardError: none is plugged in.
    """
    ports = [find_port(port, by_id)] if port is not None else picos(by_id)
    if not ports:
        raise BoardError(_nothing_there())
    found = []
    for path in ports:
        try:
            found.append(BoardStatus(path, _ask(path, clock, ANSWER_WITHIN_S)))
        except BoardError as error:
            found.append(BoardStatus(path, None, str(error)))
    return found


def install(
    clock: Clock,
    *,
    port: str | None = None,
    by_id: Path = BY_ID,
    run: Run | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Banner:
    """Puts this companion's firmware on the Pico and waits until it answers; `say` is called once
    the Pico is found.

    Raises:
        BoardError: there is no Pico, or several and none was named.
        Refused: mpremote is missing or failed, or the board does not answer afterwards.
    """
    if run is None:
        if find_spec("mpremote") is None:
            raise Refused("mpremote is not installed: run pip install 'tippo-companion[pico]'")
        run = run_command
    if port is None and not picos(by_id):
        raise BoardError(_nothing_there())
    path = find_port(port, by_id)
    running = _ask(path, clock, ANSWER_WITHIN_S)
    say(f"Copying the firmware to the Pico on {path} ...")
    if running is not None:
        _make_room(path, clock)
    folder = firmware_folder()
    run(copy_command(path, folder))
    return _await_version(path, clock, firmware_version(folder))


def copy_command(port: Path, folder: Path) -> list[str]:
    """mpremote's command line that copies the firmware and restarts the board."""
    modules = [str(file) for file in sorted((folder / "tippo").glob("*.py"))]
    # `resume`: no soft reset on connecting, which would start what is on the board.
    mpremote = [sys.executable, "-m", "mpremote", "connect", str(port), "resume"]
    # main.py goes first and comes last: a copy that breaks off leaves a board that starts nothing.
    make_room = (
        "import os\nif 'main.py' in os.listdir(): os.remove('main.py')\n"
        "if 'tippo' not in os.listdir(): os.mkdir('tippo')"
    )
    copy = ["fs", "cp", *modules, ":tippo/", "+", "fs", "cp", str(folder / "main.py"), ":main.py"]
    return [*mpremote, "exec", make_room, "+", *copy, "+", "reset"]


def run_command(command: Sequence[str]) -> None:
    """Raises Refused with the last line that the command said, if it fails."""
    # The command line is made above, of our own files and a port that exists.
    try:
        ran = subprocess.run(  # noqa: S603 - see above
            command, capture_output=True, text=True, check=False, timeout=COPY_WITHIN_S
        )
    except subprocess.TimeoutExpired:
        raise Refused(
            f"mpremote could not copy the firmware within {COPY_WITHIN_S:.0f} s: is it a Pico that "
            f"is plugged in there? If it has no MicroPython yet, {MICROPYTHON_FIRST}"
        ) from None
    if ran.returncode != 0:
        said = (ran.stderr or ran.stdout).strip().splitlines() or ["nothing"]
        raise Refused(
            f"mpremote could not copy the firmware; it said {said[-1]!r}: if the Pico has no "
            f"MicroPython yet, {MICROPYTHON_FIRST}"
        )


def _ask(path: Path, clock: Clock, seconds: float) -> Banner | None:
    """The banner of the firmware on a port, if one answers in time."""
    stream = PicoStream(rests_closed=False)
    port = open_port(path)
    try:
        end_s, hello_s = clock.mono() + seconds, float("-inf")
        while stream.banner is None and clock.mono() < end_s:
            if clock.mono() - hello_s > 0.5:
                hello_s = clock.mono()
                port.write(command_line(1, "hello"))
            stream.feed(port.read(4096), clock.mono())
            clock.sleep(0.02)
    except (serial.SerialException, OSError) as error:
        raise BoardError(f"the port {path} was lost while asking ({error}): try again") from error
    finally:
        port.close()
    return stream.banner


def _make_room(path: Path, clock: Clock) -> None:
    """Asks the running firmware to leave the board alone, and waits until it is back without it."""
    port = open_port(path)
    try:
        port.write(command_line(1, "maintain"))
        clock.sleep(0.5)
    except (serial.SerialException, OSError):
        pass  # gone already: that is what was asked
    finally:
        port.close()
    _await_port(path, clock)


def _await_port(path: Path, clock: Clock) -> None:
    end_s = clock.mono() + COMES_BACK_WITHIN_S
    while clock.mono() < end_s:
        if path.exists():
            return
        clock.sleep(0.1)
    raise Refused(f"the Pico on {path} did not come back: unplug it, plug it in and try again")


def _await_version(path: Path, clock: Clock, version: str) -> Banner:
    end_s = clock.mono() + COMES_BACK_WITHIN_S
    banner: Banner | None = None
    while clock.mono() < end_s:
        try:
            banner = _ask(path, clock, ANSWER_WITHIN_S)
        except BoardError:  # it is still starting
            banner = None
        if banner is not None and (banner.firmware, banner.protocol) == (version, PROTOCOL):
            return banner
        clock.sleep(0.2)
    said = "does not answer" if banner is None else f"says that it runs {banner.firmware}"
    raise Refused(
        f"the firmware {version} was copied, but the board on {path} {said}: unplug it, plug it "
        "in and run 'tippo firmware status'"
    )


def _nothing_there() -> str:
    for drive, name in BOOT_DRIVES.items():
        if drive.exists():
            return (
                f"a {name} waits for MicroPython as the drive {drive.name}: download its UF2 file "
                "from micropython.org/download and copy it to that drive, then run this again"
            )
    return f"no Pico with MicroPython is plugged in: {MICROPYTHON_FIRST}"
