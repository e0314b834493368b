"""The scoreboard: `python -m tests.tables.odd` runs a judge over every kind of odd table."""

import argparse
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from tests.tables.odd.draw import draw
from tests.tables.odd.kinds import KINDS, make
from tests.tables.odd.run import Judging, judges
from tests.tables.odd.score import score
from tests.tables.odd.trace import Trace


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.tables.odd", description=__doc__)
    parser.add_argument("--sps", type=int, choices=(10, 80), action="append")
    parser.add_argument("--kind", action="append", help="a name or the beginning of one")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds of each kind")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--judge", default="companion", help="companion, baseline-switch, ...")
    parser.add_argument("--show", action="store_true", help="list each error")
    parser.add_argument("--events", action="store_true", help="list each event too")
    parser.add_argument("--dump", type=Path, help="write the traces to this folder")
    parser.add_argument("--plot", type=Path, help="draw the traces into this folder")
    parser.add_argument("--list", action="store_true", help="list the kinds")
    return parser.parse_args()


@dataclass(slots=True)
class Board:
    """What has been scored so far."""

    judging: Judging | None
    options: argparse.Namespace
    errors: int = 0
    traces: int = 0
    failed: int = 0
    rows: int = 0
    spent_s: float = 0.0
    latencies: dict[tuple[str, int], list[float]] = field(default_factory=dict)

    def run(self, kind: str, sps: int) -> None:
        """Every seed of one kind at one rate: a line, and on request what was wrong."""
        errors: Counter[str] = Counter()
        shown: list[str] = []
        for seed in range(self.options.seed, self.options.seed + self.options.seeds):
            trace = make(kind, sps, seed)
            if self.options.dump:
                trace.dump(self.options.dump)
            try:
                events = self._events(trace)
            except Exception as crash:  # noqa: BLE001  # a judge that crashes errs at this kind
                events = []
                errors["crash"] += 1
                shown.append(f"    seed {seed}: {type(crash).__name__}: {crash}")
            if self.options.plot:
                draw(trace, events, self.options.plot)
            if self.judging is None:
                continue
            scored = score(trace, events)
            self.traces, self.rows = self.traces + 1, self.rows + len(trace.rows)
            self.failed += bool(scored.errors)
            errors.update(f"{error.what} {error.about}" for error in scored.errors)
            shown += [f"    seed {seed}: {error}" for error in scored.errors]
            for what, values in scored.latencies.items():
                self.latencies.setdefault((what, sps), []).extend(values)
            if self.options.events:
                shown += [f"    seed {seed}: {_event(e, trace.origin)}" for e in events]
        self.errors += errors.total()
        text = ", ".join(f"{n} {what}" for what, n in errors.most_common())
        click.echo(f"{kind:30} {sps:2}  {text or 'ok'}")
        if self.options.show or self.options.events:
            for line in shown:
                click.echo(line)

    def _events(self, trace: Trace) -> list[dict[str, Any]]:
        if self.judging is None:
            return []
        begin = time.process_time()
        events = self.judging(trace)
        self.spent_s += time.process_time() - begin
        return events

    def sum_up(self) -> None:
        speed = f"; {self.rows / self.spent_s:,.0f} rows a second" if self.spent_s else ""
        click.echo(
            f"\n{self.errors} errors; {self.failed} of {self.traces} traces with errors{speed}"
        )
        for (what, sps), values in sorted(self.latencies.items()):
            values.sort()
            median, last = statistics.median(values), values[int(0.99 * (len(values) - 1))]
            delay = f"median {median:.3f} s, 99 % {last:.3f} s"
            click.echo(f"  {what:8} at {sps} SPS: {delay}, n {len(values)}")


def main() -> int:
    options = arguments()
    kinds = [k for k in KINDS if not options.kind or any(k.startswith(o) for o in options.kind)]
    if options.list:
        for kind in kinds:
            click.echo(f"{kind:30} {(KINDS[kind].__doc__ or '').splitlines()[0]}")
        return 0
    board = Board(None if options.judge == "none" else judges()[options.judge], options)
    for kind in kinds:
        for sps in options.sps or (10, 80):
            board.run(kind, sps)
    board.sum_up()
    return 1 if board.errors else 0


def _event(event: dict[str, object], origin: float) -> str:
    shown = {k: v for k, v in event.items() if k not in ("event", "t", "decided", "reasons")}
    t, decided = float(str(event["t"])) - origin, float(str(event["decided"])) - origin
    return f"  {t:8.3f} {decided:8.3f} {event['event']:9} {shown}"


if __name__ == "__main__":
    sys.exit(main())
