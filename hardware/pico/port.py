"""Finds a Pico's serial port by a name that stays, and opens it for one program only.

It never guesses between two boards, and never keeps a port that has failed: a port that is still
open when the board comes back makes it come back under another name.
"""

import errno
import os
from pathlib import Path

import serial

from companion.errors import BoardError
from hardware.holders import in_use

BY_ID = Path("/dev/serial/by-id")

NAMES = ("MicroPython", "Raspberry_Pi_Pico", "Tippo")
"""What the links of boards with MicroPython contain."""

BAUD = 115200
"""Means nothing on USB, but every port wants one."""
WRITE_WITHIN_S = 0.05
"""A board that reads takes a line at once; for one that does not nobody waits longer."""


def picos(by_id: Path = BY_ID) -> list[Path]:
    """The links of the Picos that are plugged in, in alphabetical order."""
    if not by_id.is_dir():
        return []
    return sorted(link for link in by_id.iterdir() if any(name in link.name for name in NAMES))


def lasting_name(port: Path, by_id: Path = BY_ID) -> Path:
    """The by-id link to a port, which stays when it comes back; the port itself if it has none."""
    if by_id.is_dir() and port.exists():
        for link in sorted(by_id.iterdir()):
            if link.resolve() == port.resolve():
                return link
    return port


def find_port(wanted: str | None, by_id: Path = BY_ID) -> Path:
    """The port to open.

    Raises:
        BoardError: it is not there, or nobody said which of several is meant.
    """
    found = picos(by_id)
    listed = ", ".join(str(link) for link in found)
    if wanted is not None:
        if not os.path.lexists(wanted):
            others = f"; there is {listed}" if found else ""
            raise BoardError(f"the port {wanted} is not there: is the Pico plugged in?{others}")
        return lasting_name(Path(wanted), by_id)
    if not found:
        raise BoardError(
            "no Pico is plugged in: look at its cable (some only charge), then run "
            "'tippo firmware status'"
        )
    if len(found) > 1:
        raise BoardError(f"several Picos are plugged in: say which with --port: {listed}")
    return found[0]


def open_port(path: Path) -> serial.Serial:
    """The port, ours alone; reads never wait, and writes no longer than a board needs that reads.

    Raises:
        BoardError: it is gone, busy, or not permitted.
    """
    try:
        port = serial.Serial(
            str(path), BAUD, timeout=0, write_timeout=WRITE_WITHIN_S, exclusive=True
        )
    except (serial.SerialException, OSError) as error:
        raise BoardError(_why_not(path, error)) from error
    return port


def _why_not(path: Path, error: Exception) -> str:
    if isinstance(error, PermissionError) or "Permission denied" in str(error):
        return (
            f"the port {path} may not be opened: add yourself to the group dialout "
            "(sudo usermod -aG dialout $USER) and log in anew"
        )
    if "exclusively lock" in str(error) or "busy" in str(error):
        return f"the port {path} is {in_use(path)}"
    if _is_no_terminal(path):
        return f"{path} is no serial port: name the Pico's, as it stands in /dev/serial/by-id"
    return f"the port {path} cannot be opened ({error}): is the Pico plugged in?"


def _is_no_terminal(path: Path) -> bool:
    """A file, a folder or a device of another kind."""
    if not path.exists():
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        return error.errno in (errno.ENXIO, errno.EISDIR, errno.ENOTDIR)
    try:
        return not os.isatty(descriptor)
    finally:
        os.close(descriptor)
