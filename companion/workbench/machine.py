"""Looks at the machine for `tippo doctor`: display, touch, disk, clock, power.

It never looks at a board, and changes nothing.
"""

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.workbench.findings import Finding, fail, ok, warn

ROOM_FAIL, ROOM_WARN = 50e6, 500e6
"""Bytes; an evening's journal is one or two million."""

BUILT = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that says less has never been set."""

UNDERVOLTAGE_NOW, THROTTLED_NOW = 1 << 0, 1 << 2
UNDERVOLTAGE_EVER, THROTTLED_EVER = 1 << 16, 1 << 18
"""Bits of `vcgencmd get_throttled` (Raspberry Pi documentation)."""


def machine_findings(journal: Path, *, root: Path = Path("/")) -> list[Finding]:
    """Everything about the machine."""
    return [
        display_finding(),
        touch_finding(root),
        *journal_findings(journal),
        clock_finding(root, datetime.now(UTC)),
        *power_findings(),
    ]


PLUG_IN = (
    "plug in a display or start from the desktop; without one the game is told in the terminal"
)


def display_finding() -> Finding:
    """The driver that a window would really get."""
    from companion.display.window import available, begin_video

    if not available() and not os.environ.get("SDL_VIDEODRIVER"):
        return warn("display", "there is none here", PLUG_IN)
    import pygame  # after the window, which keeps its greeting from people

    try:
        begin_video()
        driver = pygame.display.get_driver()
        sizes = pygame.display.get_desktop_sizes() if driver not in ("dummy", "offscreen") else []
    except pygame.error as error:
        return warn("display", f"no window can be opened ({error})", PLUG_IN)
    finally:
        pygame.display.quit()
    if not sizes:
        return warn("display", f"driver {driver}: nobody sees anything", "unset SDL_VIDEODRIVER")
    width, height = sizes[0]
    return ok("display", f"driver {driver}, {width}x{height}", width=width, height=height)


def touch_finding(root: Path) -> Finding:
    """Touch devices as the kernel names them."""
    listing = root / "proc/bus/input/devices"
    try:
        text = listing.read_text(errors="replace")
    except OSError:
        text = ""
    names = [
        line.partition('Name="')[2].rstrip('"')
        for line in text.splitlines()
        if line.startswith("N:") and "touch" in line.lower()
    ]
    if names:
        return ok("touch", ", ".join(names))
    return warn("touch", "no touch device is known", "look at its USB cable; a mouse works as well")


def journal_findings(journal: Path) -> Iterator[Finding]:
    """Whether the journal can be written, and for how long."""
    folder = journal.parent
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
        if journal.exists() and not os.access(journal, os.W_OK):
            raise PermissionError("it is not yours")
    except OSError as error:
        yield fail(
            "journal",
            f"{journal} cannot be written ({error.strerror or error})",
            f"give yourself the folder: sudo chown -R $USER {folder}",
        )
        return
    yield ok("journal", f"{journal} can be written")
    free = shutil.disk_usage(folder).free
    says = f"{free / 1e9:.1f} GB free"
    if free < ROOM_FAIL:
        yield fail("disk", says, "make room: no ruling can be kept", free_bytes=free)
    elif free < ROOM_WARN:
        yield warn("disk", says, "make room soon", free_bytes=free)
    else:
        yield ok("disk", says, free_bytes=free)


def clock_finding(root: Path, now: datetime) -> Finding:
    """A Pi has no clock of its own: without the network it wakes up in the past."""
    says = f"it is {now:%Y-%m-%d %H:%M} UTC"
    if now < BUILT:
        return fail(
            "clock",
            f"{says}: it was never set",
            "connect to the network once or set it: sudo date -s 'YYYY-MM-DD HH:MM'",
        )
    synchronised = (root / "run/systemd/timesync/synchronized").exists()
    return ok("clock", says + (", set by the network" if synchronised else ""))


def power_findings(command: str = "vcgencmd") -> Iterator[Finding]:
    """Undervoltage and throttling, where the Pi's own tool says so."""
    tool = shutil.which(command)
    if tool is None:
        return
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        said = subprocess.run(  # noqa: S603 - the Pi's own tool, with a fixed argument
            [tool, "get_throttled"], capture_output=True, text=True, timeout=5, check=True
        ).stdout
        yield power_finding(int(said.strip().partition("=")[2], 16))


def power_finding(bits: int) -> Finding:
    advice = "use the official supply and a short, thick cable"
    if bits & (UNDERVOLTAGE_NOW | THROTTLED_NOW):
        return fail("power", f"too little voltage or too hot right now ({bits:#x})", advice)
    if bits & (UNDERVOLTAGE_EVER | THROTTLED_EVER):
        return warn("power", f"too little voltage or too hot since the start ({bits:#x})", advice)
    return ok("power", "enough, and cool")


def realtime_finding() -> Finding:
    """Whether a reader may run before every ordinary program; matters on the header only."""
    allowed: list[bool] = []

    def ask() -> None:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except OSError:
            allowed.append(False)
        else:
            allowed.append(True)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    if allowed == [True]:
        return ok("real-time class", "readers run before other programs")
    return warn(
        "real-time class",
        "readers share the processor with everybody: words get stretched",
        "allow it: echo '@gpio - rtprio 20' | sudo tee /etc/security/limits.d/tippo.conf, then "
        "log in anew",
    )
