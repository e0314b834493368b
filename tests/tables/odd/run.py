"""Runs a judge over a trace and hands back its events as `tippo judge` would print them.

It never looks at the truth.
"""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from companion.events import Sample
from companion.units import Counts, MonoSeconds
from tests.tables.odd.stage import Row
from tests.tables.odd.trace import Trace

Judging: TypeAlias = Callable[[Trace], list[dict[str, Any]]]


def sample(row: Row, *, has_switch: bool) -> Sample:
    return Sample(
        mono_s=MonoSeconds(round(row.t, 6)),
        left=None if row.left is None else Counts(row.left),
        right=None if row.right is None else Counts(row.right),
        tilt=bool(row.tilt) if has_switch else None,
        deck=None if row.deck is None else Counts(row.deck),
    )


def companion_judge(trace: Trace) -> list[dict[str, Any]]:
    """The companion's own judge, row by row."""
    from companion.scale.calibration import Calibration
    from companion.scale.judge import Judge

    judge = Judge(Calibration.from_toml(trace.calibration))
    has_switch = bool(trace.calibration.get("tilt_switch", True))
    events = []
    for row in trace.rows:
        for event in judge.feed(sample(row, has_switch=has_switch)):
            events.append(json.loads(msgspec.json.encode(event)))
    return events


def judges() -> dict[str, Judging]:
    """Every judge that the scoreboard can run, by name."""
    return {"companion": companion_judge}
