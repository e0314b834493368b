"""Holds the events that a judge wrote for a trace against the truth, statement by statement.

It never sees the signal, and it asks for nothing that section 3 of the protocol does not promise.
"""

import math
from collections.abc import Sequence
from typing import Any

from tests.tables.odd.held import Event, Held, Score
from tests.tables.odd.score_cards import Cards
from tests.tables.odd.score_tips import Tips
from tests.tables.odd.trace import Trace
from tests.tables.odd.truth import Failing

FIELDS: dict[str, dict[str, Any]] = {
    "placed": {"tray": str, "count": int, "grams": float, "sure": bool},
    "removed": {"tray": str, "count": int, "grams": float},
    "tip": {"side": (str, type(None))},
    "wobble": {},
    "spill": {"trays": (list, tuple), "lost": dict},
    "level": {"left": int, "right": int},
    "drawn": {"count": int},
    "fault": {"sensor": str, "kind": str},
    "recovered": {"sensor": str, "kind": str},
}


def score(trace: Trace, events: Sequence[Event]) -> Score:
    """What is wrong with `events`, which are as `tippo judge` prints them."""
    found = Score()
    if Form(trace, events, found).right():
        Cards(trace, events, found).run()
        Tips(trace, events, found).run()
        Faults(trace, events, found).run()
    return found


class Form(Held):
    """The fields of every event, and the order of the lines."""

    def right(self) -> bool:
        last = -math.inf
        moments = {round(row.t, 5) for row in self.trace.rows}
        for event in self.events:
            name, t = event.get("event"), event.get("t")
            if name not in FIELDS or not isinstance(t, float) or "decided" not in event:
                self.score.error("format", str(name), 0.0, f"{event}")
                return False
            for key, kind in FIELDS[name].items():
                if not isinstance(event.get(key), kind) and not (
                    kind is float and isinstance(event.get(key), int)
                ):
                    self.score.error("format", name, t, f"{key} is {event.get(key)!r}")
                    return False
            decided = event["decided"]
            if decided < last - 1e-9:
                self.score.error("format", name, t, "decided before an earlier line")
            if t > decided + 1e-6:
                self.score.error("format", name, t, f"began after it was decided ({decided:.3f})")
            said = decided + self.trace.origin
            if not moments & {round(said - 5e-6, 5), round(said, 5), round(said + 5e-6, 5)}:
                self.score.error("format", name, t, f"{decided:.5f} is no row's time")
            last = decided
        return True


class Faults(Held):
    """`fault` and `recovered`."""

    def run(self) -> None:
        faults, recovered = self.of("fault"), self.of("recovered")
        for failing in self.truth.failings:
            mine = [e for e in faults if self._belongs(failing, e)]
            faults = [e for e in faults if e not in mine]
            again = [e for e in recovered if self._belongs(failing, e)]
            recovered = [e for e in recovered if e not in again]
            if not mine:
                if not failing.optional:
                    self.score.error("missed", "fault", failing.earliest, f"{failing.sensor}")
                for event in again:
                    self.score.error("invented", "recovered", event["t"], self.about(event))
                continue
            self._fault(failing, mine, again)
        for event in (*faults, *recovered):
            self.score.error("invented", event["event"], event["t"], self.about(event))

    @staticmethod
    def _belongs(failing: Failing, event: dict[str, Any]) -> bool:
        until = math.inf if failing.healed is None else failing.healed + failing.recovery + 2
        return bool(
            event["sensor"] == failing.sensor and failing.earliest - 1.5 < event["decided"] < until
        )

    def _fault(
        self, failing: Failing, mine: list[dict[str, Any]], again: list[dict[str, Any]]
    ) -> None:
        score, first = self.score, mine[0]
        score.latencies["fault"].append(first["decided"] - failing.latest + 1.0)
        if first["kind"] not in failing.kinds:
            score.error("fault", "fault", first["t"], f"{first['kind']} for {failing.kinds}")
        if len(mine) > 1:
            score.error("fault", "fault", mine[1]["t"], f"again: {self.about(mine[1])}")
        if first["decided"] < failing.earliest:
            score.error("early", "fault", failing.earliest, f"decided {first['decided']:.3f}")
        if first["decided"] > failing.latest:
            score.error("late", "fault", failing.latest, f"decided {first['decided']:.3f}")
        if failing.healed is None or failing.healed + failing.recovery > self.end:
            return
        if len(again) != len(mine) or [e["kind"] for e in again] != [e["kind"] for e in mine]:
            score.error("fault", "recovered", failing.healed, f"{len(again)} for {len(mine)}")
        elif again[-1]["decided"] > failing.healed + failing.recovery:
            score.error("late", "recovered", failing.healed, f"{again[-1]['decided']:.3f}")
        elif again[-1]["decided"] < failing.healed:
            score.error("early", "recovered", failing.healed, f"{again[-1]['decided']:.3f}")
