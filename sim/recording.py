"""Writes a simulated evening as a recorded table: the folder that `tippo replay` reads.

It never mixes the truth into the other files: `truth.jsonl` is the only one that knows.
"""

import gzip
import json
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from companion.errors import BadInput, Refused
from companion.events import Sample
from sim.calibrating import calibrate
from sim.party import Party, Plan

LONGEST_S = 6 * 3600.0
"""Even the longest evening ends."""

SLICE_S = 2.0
"""How much time passes between two looks at what has been measured."""


def record(
    plan: Plan,
    folder: Path,
    *,
    minutes: float | None = None,
    compress: bool = False,
    progress: Callable[[float], None] | None = None,
) -> float:
    """Plays the plan's evening and writes it; answers with its length in seconds.

    `minutes` breaks it off. `progress` is told the simulated seconds now and then.

    Raises:
        Refused: the folder holds something already.
        BadInput: the folder cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} exists and is not empty: name another folder")
    party = Party(plan)
    until = LONGEST_S if minutes is None else minutes * 60.0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as files:
            samples = _open_samples(folder, files, compress=compress)
            samples.write(header(plan))
            taps: list[dict[str, Any]] = []
            while not party.finished and party.now_s < until:
                party.advance(min(until, party.now_s + SLICE_S))
                samples.writelines(csv_lines(party.readings(), deck=plan.deck))
                taps += party.taps()
                if progress is not None:
                    progress(party.now_s)
        (folder / "table.toml").write_text(table_toml(party), encoding="utf-8")
        _write_lines(folder / "taps.jsonl", taps)
        _write_lines(folder / "truth.jsonl", party.truth())
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror}") from error
    return party.now_s


def _open_samples(folder: Path, files: ExitStack, *, compress: bool) -> TextIO:
    if not compress:
        return files.enter_context((folder / "samples.csv").open("w", encoding="utf-8", newline=""))
    raw = files.enter_context((folder / "samples.csv.gz").open("wb"))
    # No name and no time of writing in the header: the same seed gives the same bytes.
    packed = files.enter_context(gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
    return files.enter_context(TextIOWrapper(packed, encoding="utf-8", newline=""))


def header(plan: Plan) -> str:
    """The first line of `samples.csv`."""
    return "t,left,right,tilt,deck\n" if plan.deck else "t,left,right,tilt\n"


def csv_lines(rows: Iterable[Sample], *, deck: bool) -> Iterable[str]:
    """The rows of `samples.csv`; a cell without a new reading stays empty."""
    for row in rows:
        left = "" if row.left is None else row.left
        right = "" if row.right is None else row.right
        tilt = 1 if row.tilt else 0
        if deck:
            pile = "" if row.deck is None else row.deck
            yield f"{row.mono_s:.4f},{left},{right},{tilt},{pile}\n"
        else:
            yield f"{row.mono_s:.4f},{left},{right},{tilt}\n"


def table_toml(party: Party) -> str:
    """The text of `table.toml`: who plays what, the first deal, and the scale's calibration."""
    plan, deal = party.plan, party.deal
    lines = [
        'game = "tippo"',
        f"players = {json.dumps(list(plan.players))}",
        f"dealer = {json.dumps(plan.players[0])}",
        f'mode = "{plan.mode}"',
        f"# simulated: seed {plan.seed}, {plan.sps} samples a second",
        "",
        "[options]",
        *(f"{name} = {json.dumps(value)}" for name, value in plan.options.items()),
        "",
        "[deal]",
        f'left = "{deal.left}"',
        f'right = "{deal.right}"',
        "",
        "[calibration]",
        *_toml("calibration", calibrate(party.world)),
    ]
    return "\n".join(lines) + "\n"


def _toml(name: str, table: dict[str, Any]) -> list[str]:
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if isinstance(value, dict):
            lines += ["", f"[{name}.{key}]", *_toml(f"{name}.{key}", value)]
    return lines


def _write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False, separators=(", ", ": ")) + "\n")
