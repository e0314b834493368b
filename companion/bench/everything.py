"""Every measurement there is, by name, in the order in which the report shows them.

It never measures anything itself.
"""

from collections.abc import Sequence
from importlib import import_module

from rich.console import Console

from companion.bench.report import Report
from companion.errors import BadInput

AREAS = (
    "referee",
    "rummy_up",
    "judge",
    "judge_table",
    "tables",
    "simulator",
    "display",
    "hardware",
    "cables",
    "play",
)

SAMPLED = frozenset({"judge_table", "tables"})
"""Areas that take a sample of their tables unless all are asked for."""


def run(areas: Sequence[str], *, quick: bool, every_table: bool, console: Console) -> Report:
    """Measures the areas named, or all of them, and prints the report.

    `quick` takes seconds an area; `every_table` watches the judge at all 2,000 tables, and replays
    all 200 tables of ordinary play.

    Raises:
        BadInput: there is no such area.
    """
    unknown = [name for name in areas if name not in AREAS]
    if unknown:
        raise BadInput(f"there is no measurement {unknown[0]!r}: {', '.join(AREAS)}")
    report = Report()
    for name in areas or AREAS:
        console.print(f"measuring: {name} ...", style="dim")
        extent = {"every_table": every_table} if name in SAMPLED else {}
        import_module(f"companion.bench.{name}").measure(report, quick=quick, **extent)
    report.print_to(console)
    return report
