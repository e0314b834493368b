"""The scoreboard: `python -m tests.tables.odd` runs a judge over every kind of odd table."""

import argparse
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

import click

from tests.tables.odd.kinds import KINDS, make
from tests.tables.odd.run import judges
from tests.tables.odd.score import score


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


def main() -> int:
    options = arguments()
    kinds = [k for k in KINDS if not options.kind or any(k.startswith(o) for o in options.kind)]
    if options.list:
        for kind in kinds:
            click.echo(f"{kind:30} {(KINDS[kind].__doc__ or '').splitlines()[0]}")
        return 0
    judging = None if options.judge == "none" else judges()[options.judge]
    total, failed, traces, rows, spent = 0, 0, 0, 0, 0.0
    latencies: dict[tuple[str, int], list[float]] = {}
    for kind in kinds:
        for sps in options.sps or (10, 80):
            errors: Counter[str] = Counter()
            shown: list[str] = []
            for seed in range(options.seed, options.seed + options.seeds):
                trace = make(kind, sps, seed)
                if options.dump:
                    trace.dump(options.dump)
                events = []
                if judging:
                    begin = time.perf_counter()
                    try:
                        events = judging(trace)
                    except Exception as crash:  # noqa: BLE001  # a crash is one more way to fail
                        errors["crash"] += 1
                        shown.append(f"    seed {seed}: {type(crash).__name__}: {crash}")
                    spent += time.perf_counter() - begin
                if options.plot:
                    from tests.tables.odd.draw import draw

                    draw(trace, events, options.plot)
                if not judging:
                    continue
                scored = score(trace, events)
                traces, rows = traces + 1, rows + len(trace.rows)
                failed += bool(scored.errors)
                for error in scored.errors:
                    errors[f"{error.what} {error.about}"] += 1
                    shown.append(f"    seed {seed}: {error}")
                for what, values in scored.latencies.items():
                    latencies.setdefault((what, sps), []).extend(values)
                if options.events:
                    shown += [f"    seed {seed}: {_event(e, trace.origin)}" for e in events]
            total += sum(errors.values())
            text = ", ".join(f"{n} {what}" for what, n in errors.most_common())
            click.echo(f"{kind:30} {sps:2}  {text or 'ok'}")
            if options.show or options.events:
                click.echo("\n".join(shown)) if shown else None
    click.echo(f"\n{total} errors; {failed} of {traces} traces with errors", nl=False)
    click.echo(f"; {rows / spent:,.0f} rows a second" if spent else "")
    for (what, sps), values in sorted(latencies.items()):
        values.sort()
        median, last = statistics.median(values), values[int(0.99 * (len(values) - 1))]
        click.echo(
            f"  {what:8} at {sps} SPS: median {median:.3f} s, 99 % {last:.3f} s, n {len(values)}"
        )
    return 1 if total else 0


def _event(event: dict[str, object], origin: float) -> str:
    shown = {k: v for k, v in event.items() if k not in ("event", "t", "decided", "reasons")}
    t, decided = float(str(event["t"])) - origin, float(str(event["decided"])) - origin
    return f"  {t:8.3f} {decided:8.3f} {event['event']:9} {shown}"


if __name__ == "__main__":
    sys.exit(main())
