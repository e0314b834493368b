"""The judge's table: the judge and three hobby scripts at the same simulated tables.

The truth is only ever compared with; nothing of it reaches a judge.
"""

import json
import os
import statistics
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

from rich.progress import track

from companion.bench.judge_tally import Tally, tallied
from companion.bench.judge_truth import TrueAct, read_truth
from companion.bench.report import Report
from companion.events import Sample, Sensed
from companion.recorded.files import read_samples, read_table
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from sim.baselines import BASELINES
from sim.faults import CATALOGUE
from sim.party import NAMES, Party, Plan
from sim.recording import table_toml

OURS = "judge"
WORST = 10
QUICK_TABLES, SAMPLED_TABLES, ALL_TABLES = 6, 60, 2_000
QUICK_S, FULL_S = 120.0, 240.0
"""How long each table is watched."""


class Judging(Protocol):
    def feed(self, sample: Sample) -> Sequence[Sensed]: ...


@dataclass(frozen=True, slots=True)
class Watched:
    """One table, and how each judge did at it."""

    seed: int
    sps: int
    tallies: Mapping[str, Tally]


def judges(calibration: Calibration) -> dict[str, Judging]:
    """The judge and the hobby scripts, each new."""
    return {OURS: Judge(calibration), **{n: make(calibration) for n, make in BASELINES.items()}}


def watch(seed: int, sps: int, seconds: float) -> Watched:
    """Plays `seconds` of a simulated table and lets every judge watch it."""
    plan = Plan(seed=seed, players=NAMES[: 2 + seed % 5], sps=sps, faults=adversities(seed))
    party = Party(plan)
    while not party.finished and party.now_s < seconds:
        party.advance(party.now_s + 2.0)
    calibration = Calibration.from_toml(tomllib.loads(table_toml(party))["calibration"])
    tallies = compared(party.readings(), calibration, party.truth(), party.taps())
    return Watched(seed, sps, tallies)


def adversities(seed: int) -> tuple[str, ...]:
    """Up to three adversities for this table, so that all of them have their turn.

    Trays that are swapped are for the calibration to find, and a card that does not go is for the
    referee: no judge could.
    """
    names = [name for name in CATALOGUE if name not in ("swapped", "wrong_card")]
    rng = Random(f"adversity/{seed}")  # noqa: S311 - a simulation, nothing secret
    first = names[seed % len(names)]
    others = [name for name in names if name != first]
    return (first, *rng.sample(others, rng.choice((0, 0, 1, 2))))


def watch_folder(folder: Path) -> Mapping[str, Tally]:
    """Lets every judge watch a recorded table that has a `truth.jsonl` beside it.

    Raises:
        BadInput: the folder is no recorded table.
    """
    recorded = read_table(folder)
    calibration = recorded.calibration
    assert calibration is not None, "a simulated table always has a scale"
    samples = list(read_samples(folder, with_deck=calibration.deck is not None))
    truth, taps = (_objects(folder / name) for name in ("truth.jsonl", "taps.jsonl"))
    return compared(samples, calibration, truth, taps)


def _objects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def compared(
    samples: Sequence[Sample],
    calibration: Calibration,
    truth: Iterable[Mapping[str, Any]],
    taps: Iterable[Mapping[str, Any]],
) -> dict[str, Tally]:
    """The tally of every judge over the same samples."""
    happened = read_truth(truth, samples[-1].mono_s if samples else 0.0)
    tapped = _tapped(happened.acts, taps)
    tallies = {}
    for name, judge in judges(calibration).items():
        begin = time.process_time()
        events = [event for sample in samples for event in judge.feed(sample)]
        spent = time.process_time() - begin
        tally = tallied(happened, events, tapped if name == "baseline-switch" else ())
        tally.rows, tally.seconds = len(samples), spent
        tallies[name] = tally
    return tallies


def _tapped(acts: Sequence[TrueAct], taps: Iterable[Mapping[str, Any]]) -> list[TrueAct]:
    """The acts at the times at which people tapped them."""
    named = [float(tap["t"]) for tap in taps if tap.get("do") == "card"]
    played = [act for act in acts if not act.drawn]
    tapped = [TrueAct(at, act.player, drawn=False) for at, act in zip(named, played, strict=False)]
    return sorted([a for a in acts if a.drawn] + tapped, key=lambda act: act.at_s)


def measure(
    report: Report,
    *,
    quick: bool,
    every_table: bool = False,
    tables: int | None = None,
    seconds: float | None = None,
) -> None:
    """Adds the judge's table to the report: 6 tables (`quick`), 60, or all 2,000.

    `tables` says how many instead, half of them at each rate, `seconds` for how long each is
    watched. More than a sample runs on every core, with a progress bar.
    """
    if tables is None:
        tables = QUICK_TABLES if quick else ALL_TABLES if every_table else SAMPLED_TABLES
    if seconds is None:
        seconds = QUICK_S if quick else FULL_S
    wanted = [(seed, sps) for seed in range(1, 1 + tables // 2) for sps in (80, 10)]
    watched = list(_watch_all(wanted, seconds, quick=quick))
    for sps in (80, 10):
        at_rate = [table.tallies for table in watched if table.sps == sps]
        add_rows(report, f"judge at {sps} SPS", at_rate, sps)
    for line in worst(watched):
        report.note(line)


def _watch_all(
    wanted: Sequence[tuple[int, int]], seconds: float, *, quick: bool
) -> Iterator[Watched]:
    if quick:
        for seed, sps in wanted:
            yield watch(seed, sps, seconds)
        return
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        seeds, rates = zip(*wanted, strict=True)
        done = workers.map(watch, seeds, rates, [seconds] * len(wanted))
        yield from track(done, "Watching tables", total=len(wanted))


def worst(watched: Iterable[Watched]) -> list[str]:
    """A line for each of the ten tables that went worst for our judge, with its seed."""
    bad = [table for table in watched if table.tallies[OURS].severity]
    bad.sort(key=lambda table: -table.tallies[OURS].severity)
    lines = []
    for table in bad[:WORST]:
        tally = table.tallies[OURS]
        lines.append(
            f"seed {table.seed} at {table.sps} SPS ({', '.join(adversities(table.seed))}): "
            f"{tally.wrong_payers} wrong payers, "
            f"{tally.spills_missed} + {tally.spills_invented} spills missed + invented, "
            f"{tally.placed_missed} + {tally.placed_invented} + {tally.placed_miscounted} cards "
            f"missed + invented + miscounted, {tally.questions} questions"
        )
    return lines


def total(tallies: Iterable[Tally]) -> Tally:
    """Everything added up."""
    result = Tally()
    for tally in tallies:
        result = result + tally
    return result


ROWS: tuple[tuple[str, str, str, str], ...] = (
    ("cards placed: missed", "placed_missed", "placings", ""),
    ("cards placed: invented", "placed_invented", "placings", ""),
    ("cards placed: wrong count", "placed_miscounted", "placings", "placed"),
    ("cards removed: missed", "removed_missed", "removals", ""),
    ("cards removed: invented", "removed_invented", "removals", ""),
    ("cards removed: wrong count", "removed_miscounted", "removals", ""),
    ("spills: missed", "spills_missed", "spills", "spills"),
    ("spills: invented", "spills_invented", "spills", "spills"),
    ("spills beside a broken sensor: missed", "blind_spills_missed", "blind_spills", ""),
    ("wobbles called spills", "wobbles_called_spills", "wobbles", ""),
    ("wrong payers", "wrong_payers", "spills", "payers"),
)
AIMS = {
    80: {"placed": "1 in 5,000", "spills": "none", "payers": "1 in 1,000"},
    10: {"placed": "1 in 1,000", "spills": "1 in 500", "payers": "1 in 200"},
}
DELAYS = {
    80: {"spill_after_s": (0.15, 0.4), "placed_after_s": (0.45, None)},
    10: {"spill_after_s": (0.5, 1.0), "placed_after_s": (0.9, None)},
}


def add_rows(report: Report, area: str, tables: Sequence[Mapping[str, Tally]], sps: int) -> None:
    """One figure a line of the judge's table, with each hobby script's beside it."""
    sums = {name: total(table[name] for table in tables) for name in tables[0]}
    ours = sums[OURS]
    for name, key, of, aim in ROWS:
        report.figure(
            area,
            name,
            getattr(ours, key),
            f"of {getattr(ours, of):,}",
            aim=AIMS[sps].get(aim, ""),
            peer=_beside({judge: f"{getattr(tally, key):,}" for judge, tally in sums.items()}),
        )
    plays = max(1, ours.placings)
    report.figure(area, "questions", 100 * ours.questions / plays, "in 100 plays", aim="2")
    if ours.faults:
        share = 100 * ours.faults_in_time / ours.faults
        report.figure(area, "faults noticed within a second", share, f"% of {ours.faults}")
    report.figure(area, "faults invented", ours.faults_invented, "", aim="0")
    _add_delays(report, area, sums, sps)
    report.figure(
        area, "rows judged", ours.rows / max(1e-9, ours.seconds), "a second", aim="100,000"
    )


def _add_delays(report: Report, area: str, sums: Mapping[str, Tally], sps: int) -> None:
    for name, key in (
        ("first card leaving to verdict", "spill_after_s"),
        ("letting go to placed", "placed_after_s"),
    ):
        for what, share, limit in zip(
            ("median", "99 %"), (0.5, 0.99), DELAYS[sps][key], strict=True
        ):
            report.figure(
                area,
                f"{name}, {what}",
                1000 * quantile(getattr(sums[OURS], key), share),
                "ms",
                aim="" if limit is None else f"{1000 * limit:.0f}",
                peer=_beside(
                    {
                        judge: f"{1000 * quantile(getattr(tally, key), share):,.0f}"
                        for judge, tally in sums.items()
                    }
                ),
            )


def _beside(texts: Mapping[str, str]) -> str:
    """The hobby scripts' figures, each with its name."""
    return ", ".join(
        f"{name.removeprefix('baseline-')} {text}" for name, text in texts.items() if name != OURS
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of them lie; 0 when there are none."""
    if len(values) < 2:
        return values[0] if values else 0.0
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]
