"""The companion's end of the wire format: lines become messages, commands become lines.

It never touches a port, and shares test vectors with the firmware but no code. The format is
described in hardware/wire.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias
from zlib import crc32

from companion.events import Sensor
from companion.units import COUNTS_MAX, COUNTS_MIN, Counts

PROTOCOL = 1
LONGEST_LINE = 120
CLOCK_WRAP_US = 1 << 30
SEQUENCE_WRAP = 1 << 16

CELLS = (Sensor.LEFT, Sensor.RIGHT, Sensor.DECK)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every line of the board begins with."""

    sequence: int
    board_us: int


@dataclass(frozen=True, slots=True)
class Banner:
    stamp: Stamp
    protocol: int
    firmware: str
    board_id: str
    cells: tuple[Sensor, ...]
    tilt_fitted: bool
    began: str


@dataclass(frozen=True, slots=True)
class CellReading:
    stamp: Stamp
    cell: Sensor
    counts: Counts
    contact: bool | None
    """Whether the tilt switch is closed; None where none is fitted."""


@dataclass(frozen=True, slots=True)
class CellFault:
    stamp: Stamp
    cell: Sensor
    kind: str


@dataclass(frozen=True, slots=True)
class TiltChange:
    stamp: Stamp
    contact: bool | None


@dataclass(frozen=True, slots=True)
class CellRate:
    cell: Sensor
    rate_hz: float
    good: int
    bad: int
    restarts: int


@dataclass(frozen=True, slots=True)
class Rates:
    stamp: Stamp
    cells: tuple[CellRate, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    stamp: Stamp
    number: int
    word: str


Message: TypeAlias = Banner | CellReading | CellFault | TiltChange | Rates | Answer


class LineFault(StrEnum):
    """Why a line is no message; each is counted, none stops the reader."""

    FOREIGN = "no line of the firmware's"
    DAMAGED = "cut short or with a wrong checksum"
    MALFORMED = "with a right checksum and a content that is not in hardware/wire.md"
    OVERLONG = "over 120 bytes long"


def command_line(number: int, command: str, *arguments: str) -> bytes:
    """The line that carries a command to the board."""
    body = ",".join(("C", str(number), command, *arguments)).encode("ascii")
    return b"$%s*%08x\n" % (body, crc32(body))


def parse_line(line: bytes) -> Message | LineFault:
    """The message in a line without its newline, or why there is none."""
    # A line that a pulled plug cut is followed by the next without a newline between them.
    start = line.rfind(b"$")
    line = line.rstrip()
    if start < 0:
        return LineFault.FOREIGN
    body, star, digits = line[start + 1 :].partition(b"*")
    if not star or len(digits) != 8 or digits.lower() != b"%08x" % crc32(body):
        return LineFault.DAMAGED
    try:
        return _message(body.decode("ascii").split(","))
    except (ValueError, IndexError, KeyError):
        return LineFault.MALFORMED


def _message(fields: list[str]) -> Message:
    kind, rest = fields[0], fields[3:]
    stamp = Stamp(_within(fields[1], 0, SEQUENCE_WRAP), _within(fields[2], 0, CLOCK_WRAP_US))
    match kind, rest:
        case "B", [protocol, firmware, board_id, cells, tilt, began]:
            fitted = tuple(_cell(name) for name in cells.split("+"))
            return Banner(
                stamp, _number(protocol), firmware, board_id, fitted, _CONTACTS[tilt] is True, began
            )
        case "R", [cell, counts, contact]:
            value = _within(counts, COUNTS_MIN, COUNTS_MAX + 1)
            return CellReading(stamp, _cell(cell), Counts(value), _CONTACTS[contact])
        case "F", [cell, fault]:
            return CellFault(stamp, _cell(cell), fault)
        case "T", [contact]:
            return TiltChange(stamp, _CONTACTS[contact])
        case "H", [*cells]:
            return Rates(stamp, tuple(_rate(cell) for cell in cells))
        case "A", [number, word]:
            return Answer(stamp, _number(number), word)
    raise ValueError(kind)


_CONTACTS = {"0": False, "1": True, "-": None}


def _cell(name: str) -> Sensor:
    cell = Sensor(name)
    if cell not in CELLS:
        raise ValueError(name)
    return cell


def _rate(text: str) -> CellRate:
    cell, centihertz, good, bad, restarts = text.split(":")
    return CellRate(
        _cell(cell), _number(centihertz) / 100, _number(good), _number(bad), _number(restarts)
    )


def _number(text: str) -> int:
    if not text.removeprefix("-").isdecimal() or not text.isascii():
        raise ValueError(text)
    return int(text)


def _within(text: str, low: int, below: int) -> int:
    number = _number(text)
    if not low <= number < below:
        raise ValueError(text)
    return number


@dataclass(slots=True)
class LineCutter:
    """Cuts what arrives into lines; of one that is too long only the fact is kept."""

    _part: bytes = b""
    _overlong: bool = field(default=False)

    def feed(self, data: bytes) -> Iterator[bytes | LineFault]:
        """The lines that ``data`` completes, without their newlines."""
        *complete, self._part = (self._part + data).split(b"\n")
        for line in complete:
            if self._overlong or len(line) > LONGEST_LINE + 1:
                self._overlong = False
                yield LineFault.OVERLONG
            else:
                yield line
        if len(self._part) > LONGEST_LINE + 1:
            self._part = b""
            self._overlong = True

    def reset(self) -> None:
        """Forgets a half line: the port was opened anew."""
        self._part = b""
        self._overlong = False
