"""A trace's events as they are held against its truth, the limits, and the errors that are found.

It never looks for an error itself.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.tables.odd.trace import Trace

Event = Mapping[str, Any]
APART_S = 0.6
"""Hands that leave one tray this far apart make separate events."""

ANEW_S = 6.0
"""What a fault hid may be told as begun this much before or after it really happened."""
UNSEEN_S = 1.5
"""Without a working switch a tip takes this much longer to be seen."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is allowed at a rate, in seconds."""

    placed_t: float
    placed_late: float
    placed_early: float
    removed_t: float
    tip_t: float
    tip_late: float
    spill_t: float
    spill_late: float
    wobble_late: float
    level_late: float
    delay: float
    """How late the cell shows what happens."""


LIMITS = {
    80: Limits(0.25, 1.0, 0.05, 0.5, 0.15, 0.4, 0.35, 0.8, 1.5, 0.9, 0.1),
    10: Limits(0.45, 1.7, 0.1, 0.8, 0.15, 0.6, 0.5, 1.4, 2.2, 1.4, 0.45),
}


@dataclass(frozen=True, slots=True)
class Error:
    what: str
    """missed, invented, count, split, time, early, late, sure, order, verdict, lost, ..."""
    about: str
    t: float
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.what:9} {self.about:10} at {self.t:8.3f} s  {self.detail}"


@dataclass(slots=True)
class Score:
    errors: list[Error] = field(default_factory=list)
    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By event: seconds from the hand's leaving (or the first card's) to the decision."""
    doubts: int = 0
    """Cards reported, not as sure, where no hand was: a beam just going over at 10 SPS."""
    unsure: int = 0
    """Placings reported as not sure."""

    def error(self, what: str, about: str, t: float, detail: str = "") -> None:
        self.errors.append(Error(what, about, t, detail))


class Held:
    """The events of one trace, with the truth's clock, and what is wrong with them."""

    def __init__(self, trace: Trace, events: Sequence[Event], score: Score) -> None:
        self.trace, self.truth = trace, trace.truth
        self.limits = LIMITS[10 if trace.kind == "two_rates" else trace.sps]
        self.score = score
        self.events = [self._shifted(event) for event in events]
        self.end = trace.rows[-1].t - trace.origin

    def _shifted(self, event: Event) -> dict[str, Any]:
        shifted = dict(event)
        for key in ("t", "decided"):
            if isinstance(event.get(key), int | float):
                shifted[key] = event[key] - self.trace.origin
        return shifted

    def of(self, *names: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] in names]

    @staticmethod
    def about(event: Mapping[str, Any]) -> str:
        return " ".join(f"{k}={event[k]}" for k in event if k not in ("event", "t", "reasons"))
