"""A recorded table: the folder with `table.toml`, `samples.csv` and `taps.jsonl` (a public format).

It reads and checks the files; what they amount to is for `companion.recorded.replay`.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from companion.errors import BadInput
from companion.events import Sample
from companion.games.commands import ColourText, Deal, Start, TrayText
from companion.scale.calibration import Calibration
from companion.scale.trace import read_trace
from companion.table.taps import Tap, decode_tap
from companion.toml_file import in_place, read_toml


class _Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    left: str | UnsetType = UNSET
    right: str | UnsetType = UNSET
    top: str | UnsetType = UNSET
    table: tuple[str, ...] | UnsetType = UNSET
    colour: ColourText | UnsetType = UNSET
    colours: dict[TrayText, ColourText] | UnsetType = UNSET


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    game: str
    players: tuple[str, ...]
    dealer: str | UnsetType = UNSET
    mode: Literal["full", "quick"] = "full"
    options: dict[str, str | int] = {}
    deal: _Deal | UnsetType = UNSET
    calibration: dict[str, Any] | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class RecordedTable:
    """What `table.toml` says. Without a calibration there are no samples: no scale was used."""

    start: Start
    mode: Literal["full", "quick"]
    deal: Deal | None
    calibration: Calibration | None


def read_table(folder: Path) -> RecordedTable:
    """The `table.toml` of a recorded table.

    Raises:
        BadInput: missing, no TOML, or a key that is missing, unknown or ill-typed, by name.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is no recorded table: there is no such folder")
    path = folder / "table.toml"
    try:
        table = msgspec.convert(read_toml(path, str(path)), _Table)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: {_sentence(error)}") from None
    return RecordedTable(
        start=Start(
            game=table.game,
            players=table.players,
            dealer=table.dealer,
            options=table.options or UNSET,
        ),
        mode=table.mode,
        deal=None if table.deal is UNSET else Deal(**msgspec.structs.asdict(table.deal)),
        calibration=_calibration(table, path),
    )


def _calibration(table: _Table, path: Path) -> Calibration | None:
    if isinstance(table.calibration, dict):
        return Calibration.from_toml(table.calibration, f"{path}, [calibration]")
    if table.game == "tippo":
        raise BadInput(f"{path}: a table of Tippo needs [calibration]")
    return None


def _sentence(error: msgspec.ValidationError) -> str:
    complaint, key = in_place(error)
    return f"{key}: {complaint}" if key else complaint


def read_samples(folder: Path, *, with_deck: bool) -> Iterator[Sample]:
    """The rows of `samples.csv` or `samples.csv.gz`.

    Raises:
        BadInput: neither is there, or a row breaks the format; with the line's number.
    """
    path = folder / "samples.csv"
    if not path.exists():
        path = folder / "samples.csv.gz"
    if not path.exists():
        raise BadInput(f"{folder} has neither samples.csv nor samples.csv.gz")
    try:
        yield from read_trace(path, with_deck=with_deck)
    except BadInput as error:
        raise BadInput(f"{path.name}: {error}") from None


def read_taps(folder: Path) -> list[Tap]:
    """The taps in the order of their times; none if nobody tapped anything.

    Raises:
        BadInput: a damaged tap, with its line number.
    """
    path = folder / "taps.jsonl"
    taps: list[Tap] = []
    try:
        lines = path.read_bytes().split(b"\n") if path.exists() else []
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            taps.append(decode_tap(line.decode("utf-8")))
        except UnicodeDecodeError:
            raise BadInput(f"{path.name}: line {number}: this is no UTF-8 text") from None
        except BadInput as error:
            raise BadInput(f"{path.name}: line {number}: {error}") from None
    return sorted(taps, key=lambda tap: tap.at_s)


def table_toml(
    start: Start, mode: str, deal: Deal | None, calibration: Mapping[str, Any] | None
) -> str:
    """The text of a `table.toml`; `read_table` reads it back."""
    found: dict[str, Any] = {"game": start.game, "players": list(start.players)}
    if start.dealer is not UNSET:
        found["dealer"] = start.dealer
    found["mode"] = mode
    found["options"] = dict(start.options) if isinstance(start.options, dict) else {}
    if deal is not None:
        fields = msgspec.to_builtins(deal)
        del fields["do"]
        found["deal"] = fields
    if calibration is not None:
        found["calibration"] = dict(calibration)
    return "\n".join(_toml_lines("", found)) + "\n"


def _toml_lines(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if not isinstance(value, Mapping) and value is not None:
            yield f"{key} = {_toml_value(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            path = f"{name}.{key}" if name else key
            yield from ("", f"[{path}]", *_toml_lines(path, value))


def _toml_value(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a calibration is finite")
    # JSON's strings, numbers, booleans and lists of them are TOML's.
    return json.dumps(value, ensure_ascii=False)
