"""Runs a judge over a trace and hands back its events as `tippo judge` would print them.

It never looks at the truth.
"""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from companion.events import Sample
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.units import Counts, MonoSeconds
from sim.baselines import BASELINES, Baseline
from tests.tables.odd.oracle import oracle
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
    return fed(Judge(Calibration.from_toml(trace.calibration)), trace)


def baseline(name: str) -> Judging:
    """A hobby script's judge."""

    def judging(trace: Trace) -> list[dict[str, Any]]:
        return fed(BASELINES[name](Calibration.from_toml(trace.calibration)), trace)

    return judging


def fed(judge: Baseline, trace: Trace) -> list[dict[str, Any]]:
    """Every row of the trace in its order; the events in their JSON form."""
    has_switch = bool(trace.calibration.get("tilt_switch", True))
    return [
        json.loads(msgspec.json.encode(event))
        for row in trace.rows
        for event in judge.feed(sample(row, has_switch=has_switch))
    ]


def judges() -> dict[str, Judging]:
    """Every judge that the scoreboard can run, by name."""
    return {
        "companion": companion_judge,
        "oracle": oracle,
        **{name: baseline(name) for name in BASELINES},
    }
