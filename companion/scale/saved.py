"""The file in which a calibration is kept: small, checksummed, replaced in one go.

It never measures anything, and never gives out a calibration that was damaged or is another
board's.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from companion.errors import BadInput, CalibrationError
from companion.scale.calibrate import Learned
from companion.scale.calibration import Calibration, DeckCalibration
from companion.toml_file import parse_toml

AGAIN = "run `tippo calibrate`"

HEADER = """\
# What counts, grams and cards are on this scale. Written by `tippo calibrate`; a value that is
# changed by hand makes the checksum wrong, and the companion asks to calibrate again.
"""


@dataclass(frozen=True, slots=True)
class SavedCalibration:
    """A calibration with the board that it is for; ``made`` is a moment for people."""

    calibration: Calibration
    board: str
    tilt_rests_closed: bool
    made: str

    @classmethod
    def of(cls, learned: Learned, board: str, made: str) -> "SavedCalibration":
        """What a calibration found out, for this board."""
        return cls(learned.calibration, board, learned.tilt_rests_closed, made)

    def check_board(self, board: str) -> None:
        """Raises CalibrationError if this is not the board on the table."""
        if self.board != board:
            raise CalibrationError(
                f"the calibration is for the board {self.board!r}, but {board!r} is on the "
                f"table: {AGAIN}"
            )


def save_calibration(path: Path, saved: SavedCalibration) -> None:
    """Writes the file anew: a temporary file, synced, renamed; the one before is kept beside it.

    Raises:
        CalibrationError: the file cannot be written.
    """
    body = _body(saved)
    text = f'{HEADER}checksum = "{crc32(body.encode()):08x}"\n{body}'
    temporary = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            previous = path.with_name(path.name + ".previous")
            previous.unlink(missing_ok=True)
            os.link(path, previous)
        temporary.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise CalibrationError(
            f"the calibration {path} cannot be written ({error.strerror}): free some space or "
            "change its folder's rights"
        ) from error


def load_calibration(path: Path) -> SavedCalibration:
    """The calibration in a file.

    Raises:
        CalibrationError: it is missing or damaged, with how to repair it.
    """
    try:
        # A letter that was damaged makes the checksum wrong, whatever is read in its place.
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise CalibrationError(f"this scale has not been calibrated yet: {AGAIN}") from None
    except OSError as error:
        raise CalibrationError(
            f"the calibration {path} cannot be read ({error.strerror}): change its rights, or "
            f"{AGAIN}"
        ) from None
    return _parse(text, path)


def _parse(text: str, path: Path) -> SavedCalibration:
    damaged = f"the calibration {path} is damaged: {AGAIN}"
    previous = path.with_name(path.name + ".previous")
    if previous.exists():
        damaged += f", or go back to the one before: mv {previous} {path}"
    try:
        table = parse_toml(text, f"the calibration {path}")
    except BadInput:
        raise CalibrationError(damaged) from None
    _, _, after = text.partition("checksum = ")
    body = after.partition("\n")[2]
    if table.pop("checksum", None) != f"{crc32(body.encode()):08x}":
        raise CalibrationError(damaged)
    try:
        return SavedCalibration(
            Calibration.from_toml(table["calibration"]),
            str(table["board"]),
            bool(table["tilt_rests_closed"]),
            str(table["made"]),
        )
    except (KeyError, BadInput) as error:
        raise CalibrationError(damaged) from error


def _body(saved: SavedCalibration) -> str:
    found = saved.calibration
    lines = [
        f"board = {_text(saved.board)}",
        f"made = {_text(saved.made)}",
        f"tilt_rests_closed = {_text(saved.tilt_rests_closed)}",
        "",
        "[calibration]",
        f"card_g = {found.card_g!r}",
        f"tilt_switch = {_text(found.tilt_switch)}",
    ]
    cells: dict[str, DeckCalibration | None] = {
        "left": found.left,
        "right": found.right,
        "deck": found.deck,
    }
    for name, cell in cells.items():
        if cell is not None:
            fields = {field: getattr(cell, field) for field in cell.__struct_fields__}
            lines += ["", f"[calibration.{name}]"]
            lines += [f"{key} = {value!r}" for key, value in fields.items() if value is not None]
    return "\n".join(lines) + "\n"


def _text(value: Any) -> str:
    """A TOML string or boolean."""
    if isinstance(value, bool):
        return "true" if value else "false"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
