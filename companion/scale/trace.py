"""Reads a sensor trace, row by row, as the samples it stands for.

It never judges a reading: a number that an HX711 can send is passed on as it is.
"""

import gzip
import io
import math
import re
import zlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec

from companion.errors import BadInput
from companion.events import Sample
from companion.units import COUNTS_MAX, COUNTS_MIN, Counts, MonoSeconds

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

COLUMNS = ("t", "left", "right", "tilt")
DECK_COLUMN = "deck"

_COUNTS = re.compile(r"-?[0-9]+", re.ASCII)
_SECONDS = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
# Rows of nothing else are read at once, as JSON; that would take blanks and exponents in counts,
# several rows in a line and a tilt of -0, so what holds anything else is read with care.
_FOREIGN = re.compile(r"[^0-9,.\-\n]|-0[,\n]")
_BATCH_CHARS = 1 << 14

_Count: TypeAlias = Annotated[Counts, msgspec.Meta(ge=COUNTS_MIN, le=COUNTS_MAX)]
_Row: TypeAlias = tuple[
    MonoSeconds, _Count | None, _Count | None, Literal[0, 1], _Count | None
]  # fmt: skip


def read_trace(path: Path, *, with_deck: bool) -> Iterator[Sample]:
    """The rows of a `.csv` or `.csv.gz` file; `with_deck` says what the calibration expects.

    Raises BadInput with the line number (the header is line 1) at the first row that breaks the
    format, and where a compressed file cannot be unpacked any further. A last line without a
    newline is what a pulled plug leaves and is passed over; so is a compressed file's missing end.
    """
    try:
        raw = _Unpacked(path) if path.suffix == ".gz" else path.open("rb", buffering=0)
        # What is no UTF-8 becomes characters that no field may hold, and so gets a line number.
        with io.TextIOWrapper(
            io.BufferedReader(raw), "utf-8", errors="surrogateescape", newline="\n"
        ) as lines:
            header = lines.readline()
            last = 0
            if header or not _damaged(raw):
                _check_header(header, with_deck=with_deck)
                last = yield from _rows(lines, with_deck=with_deck)
        if _damaged(raw):
            raise BadInput("the gzip file is damaged from here on, or is none", line=last + 1)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from None


def _damaged(raw: io.RawIOBase) -> bool:
    return isinstance(raw, _Unpacked) and raw.damaged


class _Unpacked(io.RawIOBase):
    """What a compressed file holds up to where a pulled plug has cut it, or it is damaged."""

    def __init__(self, path: Path) -> None:
        self.damaged = False
        self._packed = gzip.GzipFile(path)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        room = memoryview(buffer)
        try:
            data = self._packed.read1(len(room))
        except EOFError:
            return 0
        except (gzip.BadGzipFile, zlib.error):
            self.damaged = True
            return 0
        room[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._packed.close()
        super().close()


def _rows(lines: IO[str], *, with_deck: bool) -> Generator[Sample, None, int]:
    """The rows behind the header, line ends as they are; returns the number of the last line."""
    number, last_s = 1, MonoSeconds(-math.inf)
    decode = msgspec.json.Decoder(list[_Row]).decode
    while text := lines.read(_BATCH_CHARS) + lines.readline():
        whole = text[: text.rfind("\n") + 1]
        rows: Iterable[_Row]
        try:
            rows = decode(_as_json(whole, with_deck=with_deck))
        except ValueError:
            rows = _with_care(whole, with_deck=with_deck, after=number)
        for mono_s, left, right, tilt, deck in rows:
            number += 1
            if mono_s < last_s:
                raise BadInput(f"t goes back from {last_s} to {mono_s}", line=number)
            last_s = mono_s
            yield Sample(mono_s=mono_s, left=left, right=right, tilt=tilt == 1, deck=deck)
    return number


def _check_header(header: str, *, with_deck: bool) -> None:
    names = tuple(header.removesuffix("\n").removesuffix("\r").split(","))
    if names == (*COLUMNS, DECK_COLUMN):
        if not with_deck:
            raise BadInput("the column deck has no [deck] in the calibration", line=1)
    elif names != COLUMNS:
        raise BadInput(
            f"the header must be t,left,right,tilt and perhaps ,deck, not {header[:60]!r}",
            line=1,
        )
    elif with_deck:
        raise BadInput("the calibration has a [deck], the trace has no column deck", line=1)


def _as_json(text: str, *, with_deck: bool) -> str:
    """Whole lines as an array of rows; ValueError for what must be looked at with care."""
    text = text.replace("\r\n", "\n")
    if _FOREIGN.search(text):
        raise ValueError
    filled = text.replace(",,", ",null,").replace(",,", ",null,").replace(",\n", ",null\n")
    rows = filled[:-1].replace("\n", "],[" if with_deck else ",null],[")
    return f"[[{rows}]]" if with_deck else f"[[{rows},null]]"


def _with_care(text: str, *, with_deck: bool, after: int) -> Iterator[_Row]:
    """The same rows one by one; `after` is the number of the line before them."""
    for number, line in enumerate(text.split("\n")[:-1], after + 1):
        yield _careful_row(line, with_deck, number)


def _careful_row(line: str, with_deck: bool, number: int) -> _Row:
    """Any row; raises BadInput that says which field breaks the format and how."""
    fields = line.removesuffix("\r").split(",")
    if len(fields) != 4 + with_deck:
        raise BadInput(f"{len(fields)} fields where the header has {4 + with_deck}", line=number)
    t, left, right, tilt = fields[:4]
    if not _SECONDS.fullmatch(t) or not math.isfinite(float(t)):
        raise BadInput(f"t must be a decimal number of seconds, not {t[:40]!r}", line=number)
    if tilt not in ("0", "1"):
        raise BadInput(f"tilt must be 0 or 1, not {tilt[:40]!r}", line=number)
    return (
        MonoSeconds(float(t)),
        _counts("left", left, number),
        _counts("right", right, number),
        1 if tilt == "1" else 0,
        _counts("deck", fields[4], number) if with_deck else None,
    )


def _counts(column: str, text: str, number: int) -> Counts | None:
    if not text:
        return None
    # 2^23 has seven digits: no longer text needs to be converted to be refused.
    if not _COUNTS.fullmatch(text) or not COUNTS_MIN <= int(text[:20]) <= COUNTS_MAX:
        raise BadInput(
            f"{column} must be an integer from {COUNTS_MIN} to {COUNTS_MAX}, not {text[:40]!r}",
            line=number,
        )
    return Counts(int(text))
