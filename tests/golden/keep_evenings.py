"""Keeps simulated evenings as what their tables heard, each with its truth beside it.

    python -m tests.golden.keep_evenings 20

An evening is kept only if it was sensed well enough to be refereed as the truth is: the golden
evenings test the table, not the judge. They are compared, never written, by the tests.
"""

import gzip
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.bench.tables import Compared, compare, plans
from companion.recorded.files import read_table
from companion.recorded.replay import replayed
from companion.table.inputs import Heard, Input, encode_input
from sim.party import NAMES, Plan
from sim.recording import record

EVENINGS = Path(__file__).with_name("evenings.jsonl.gz")


class Kept(msgspec.Struct, frozen=True):
    """One evening: its inputs as the journal would keep them, and what the truth says."""

    seed: int
    mode: str
    inputs: tuple[str, ...]
    payers: tuple[str | None, ...]
    plays: tuple[str, ...]
    scores: tuple[str, ...]


def evenings() -> Iterator[Kept]:
    """Every kept evening."""
    with gzip.open(EVENINGS) as lines:
        for line in lines:
            yield msgspec.json.decode(line, type=Kept)


def keep(count: int) -> None:
    """Writes the first `count` evenings that were sensed well."""
    kept: list[Kept] = []
    for seed, people, sps, mode in plans(4 * count):
        if len(kept) == count:
            break
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "evening"
            plan = Plan(seed=seed, players=NAMES[:people], sps=sps, mode=mode, rounds=1)
            record(plan, folder)
            compared = compare(folder, seed)
            if compared.wrong_payers or compared.wrong_plays or compared.wrong_scores:
                continue
            kept.append(_kept(folder, compared))
    with gzip.GzipFile("", "wb", fileobj=EVENINGS.open("wb"), mtime=0) as out:
        for evening in kept:
            out.write(msgspec.json.encode(evening) + b"\n")


def _kept(folder: Path, compared: Compared) -> Kept:
    inputs = (encode_input(_brief(step.given)) for step in replayed(folder))
    return Kept(
        compared.seed,
        read_table(folder).mode,
        tuple(inputs),
        compared.payers[0],
        compared.plays[0],
        compared.scores[0],
    )


def _brief(given: Input) -> Input:
    """Without the judge's reasons: the table does not read them."""
    if isinstance(given, Heard):
        fields: dict[str, Any] = {"reasons": ()}
        return Heard(msgspec.structs.replace(given.event, **fields))
    return given


if __name__ == "__main__":
    keep(int(sys.argv[1]))
