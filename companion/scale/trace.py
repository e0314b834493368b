"""Reads a sensor trace, row by row, as the samples it stands for.

It never judges a reading: a number that an HX711 can send is passed on as it is.
"""

import gzip
import io
import math
import re
import zlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

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
_TILT_AT_THE_END = {"0\n": False, "1\n": True, "0\r\n": False, "1\r\n": True}
# What a row of plain numbers is made of. `int` and `float` take more than the format does
# (blanks, underscores, other scripts' digits), so rows with anything else are read with care.
_FOREIGN = re.compile(r"[^0-9,.\-\n]")
_BATCH_CHARS = 1 << 16

# What `Counts(int(text))` does, without a call of its own in each row.
_to_counts = cast("Callable[[str], Counts]", int)
_to_seconds = cast("Callable[[str], MonoSeconds]", float)


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
    plain_row = _plain_row_with_deck if with_deck else _plain_row
    number, last_s = 1, MonoSeconds(-math.inf)
    while batch := lines.readlines(_BATCH_CHARS):
        plain = _is_plain(batch)
        for line in batch:
            if line[-1] != "\n":
                return number
            number += 1
            try:
                sample = plain_row(line) if plain else _careful_row(line, with_deck, number)
            except (ValueError, KeyError):
                sample = _careful_row(line, with_deck, number)
            if sample.mono_s < last_s:
                raise BadInput(f"t goes back from {last_s} to {sample.mono_s}", line=number)
            last_s = sample.mono_s
            yield sample
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


def _is_plain(batch: list[str]) -> bool:
    return not _FOREIGN.search("".join(batch).replace("\r\n", "\n"))


def _plain_row(line: str) -> Sample:
    """A row of plain numbers; ValueError or KeyError for what must be looked at with care."""
    t, left_text, right_text, tilt = line.split(",")
    left = right = None
    if left_text and not COUNTS_MIN <= (left := _to_counts(left_text)) <= COUNTS_MAX:
        raise ValueError
    if right_text and not COUNTS_MIN <= (right := _to_counts(right_text)) <= COUNTS_MAX:
        raise ValueError
    mono_s = _to_seconds(t)
    if not -math.inf < mono_s < math.inf:
        raise ValueError
    return Sample(mono_s=mono_s, left=left, right=right, tilt=_TILT_AT_THE_END[tilt])


def _plain_row_with_deck(line: str) -> Sample:
    """As `_plain_row`, with the deck's reading as the last field."""
    row, _, deck_text = line.rpartition(",")
    sample = _plain_row(row + "\n")
    if not deck_text.strip():
        return sample
    deck = Counts(int(deck_text))
    if not COUNTS_MIN <= deck <= COUNTS_MAX:
        raise ValueError
    return msgspec.structs.replace(sample, deck=deck)


def _careful_row(line: str, with_deck: bool, number: int) -> Sample:
    """Any row; raises BadInput that says which field breaks the format and how."""
    fields = line[:-1].removesuffix("\r").split(",")
    if len(fields) != 4 + with_deck:
        raise BadInput(f"{len(fields)} fields where the header has {4 + with_deck}", line=number)
    t, left, right, tilt = fields[:4]
    if not _SECONDS.fullmatch(t) or not math.isfinite(float(t)):
        raise BadInput(f"t must be a decimal number of seconds, not {t[:40]!r}", line=number)
    if tilt not in ("0", "1"):
        raise BadInput(f"tilt must be 0 or 1, not {tilt[:40]!r}", line=number)
    return Sample(
        mono_s=MonoSeconds(float(t)),
        left=_counts("left", left, number),
        right=_counts("right", right, number),
        tilt=tilt == "1",
        deck=_counts("deck", fields[4], number) if with_deck else None,
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
