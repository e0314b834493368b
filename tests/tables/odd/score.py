"""Holds the events that a judge wrote for a trace against the truth, statement by statement.

It never sees the signal, and it asks for nothing that section 3 of the protocol does not promise.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.tables.odd.trace import Trace
from tests.tables.odd.truth import Failing, Placing, Removal, Rest, Tipping

Event = Mapping[str, Any]
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


class Scorer:
    """Scores one trace; `events` are as `tippo judge` prints them."""

    def __init__(self, trace: Trace, events: Sequence[Event]) -> None:
        self.trace, self.truth = trace, trace.truth
        self.limits = LIMITS[10 if trace.kind == "two_rates" else trace.sps]
        self.score = Score()
        self.events = [self._shifted(event) for event in events]
        self.end = trace.rows[-1].t - trace.origin

    def run(self) -> Score:
        if self._format():
            self._placed()
            self._removed()
            self._tips()
            self._levels()
            self._drawn()
            self._faults()
        return self.score

    def _shifted(self, event: Event) -> dict[str, Any]:
        shifted = dict(event)
        for key in ("t", "decided"):
            if isinstance(event.get(key), int | float):
                shifted[key] = event[key] - self.trace.origin
        return shifted

    def of(self, *names: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] in names]

    # --- every event ------------------------------------------------------------------

    def _format(self) -> bool:
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

    # --- cards ------------------------------------------------------------------------

    def _placed(self) -> None:
        events = self.of("placed")
        for tray in ("left", "right"):
            wanted = sorted((p for p in self.truth.placings if p.tray == tray), key=lambda p: p.off)
            groups: list[list[Placing]] = []
            for placing in wanted:
                if groups and placing.off - groups[-1][-1].off < APART_S:
                    groups[-1].append(placing)
                else:
                    groups.append([placing])
            found: dict[int, list[dict[str, Any]]] = defaultdict(list)
            for event in (e for e in events if e["tray"] == tray):
                near = [
                    (self._distance(event, group), i)
                    for i, group in enumerate(groups)
                    if self._distance(event, group) < (ANEW_S if group[-1].anew else 1.0)
                ]
                if near:
                    found[min(near)[1]].append(event)
                elif self._doubtful(event):
                    self.score.doubts += 1
                else:
                    self.score.error("invented", "placed", event["t"], self._about(event))
            for i, group in enumerate(groups):
                self._group(group, found[i])

    def _distance(self, event: Mapping[str, Any], group: list[Placing]) -> float:
        begin, end = group[0].contact, group[-1].off
        return max(begin - float(event["t"]), float(event["t"]) - end, 0.0)

    def _doubtful(self, event: Mapping[str, Any]) -> bool:
        """At 10 SPS nobody can tell the jolt of a beam that goes over from a hand's."""
        return (
            not event["sure"]
            and self.trace.sps == 10
            and any(-0.4 < event["t"] - t.begin < 0.1 for t in self.truth.tippings)
        )

    @staticmethod
    def _about(event: Mapping[str, Any]) -> str:
        return " ".join(f"{k}={event[k]}" for k in event if k not in ("event", "t", "reasons"))

    def _group(self, group: list[Placing], found: list[dict[str, Any]]) -> None:
        first, last, score = group[0], group[-1], self.score
        total = sum(p.count for p in group)
        if all(p.optional for p in group):
            for event in found:
                if event["sure"]:
                    score.error("sure", "placed", event["t"], "a shove was called a card")
            return
        if not found:
            if last.off + last.slack + self.limits.placed_late < self.end:
                score.error("missed", "placed", first.contact, f"{first.tray}, {total}")
            return
        counted = sum(event["count"] for event in found)
        if counted != total and not (last.tips and counted in (1, total)):
            score.error("count", "placed", first.contact, f"{counted} for {total} in {first.tray}")
        if len(found) > len(group):
            score.error("split", "placed", first.contact, f"{len(found)} events in {first.tray}")
        score.unsure += sum(not event["sure"] for event in found)
        for event in found:
            off_g = abs(event["grams"] - event["count"] * self.trace.calibration["card_g"])
            if off_g > 1.2 * event["count"] and not last.tips:
                score.error("grams", "placed", event["t"], f"{event['grams']:.2f} g")
        self._group_times(group, found)

    def _group_times(self, group: list[Placing], found: list[dict[str, Any]]) -> None:
        first, last, score, limits = group[0], group[-1], self.score, self.limits
        event, final = found[0], found[-1]
        if not first.anew and abs(event["t"] - first.contact) > limits.placed_t + 0.5 * first.slack:
            score.error("time", "placed", first.contact, f"said {event['t']:.3f}")
        if last.tips:
            self._before_its_tip(last, final)
            return
        if last.sure and not final["sure"]:
            score.error("sure", "placed", last.contact, "clear, but not sure")
        off = first.leans_from if first.leans_from is not None else first.off
        if not first.anew and event["decided"] < off - limits.placed_early:
            score.error("early", "placed", off, f"decided {event['decided']:.3f}, hand on")
        delay = final["decided"] - last.off
        score.latencies["placed"].append(delay)
        late = limits.placed_late + last.slack + (3.0 if last.anew else 0.0)
        if delay > late:
            score.error("late", "placed", last.off, f"decided {final['decided']:.3f}")

    def _before_its_tip(self, placing: Placing, event: dict[str, Any]) -> None:
        tip = next((t for t in self.truth.tippings if t.begin >= placing.contact), None)
        if tip is None:
            return
        mine = self.events.index(event)
        tips = [
            i
            for i, e in enumerate(self.events)
            if e["event"] == "tip" and e["t"] >= placing.contact
        ]
        if tips and mine > tips[0]:
            self.score.error("order", "placed", placing.contact, "after the tip it caused")

    def _removed(self) -> None:
        events = self.of("removed")
        for removal in self.truth.removals:
            low, high = removal.begin - 1.0, removal.end + 1.0
            if removal.anew:
                low, high = low - ANEW_S, high + ANEW_S
            found = [e for e in events if e["tray"] == removal.tray and low <= e["t"] <= high]
            events = [e for e in events if e not in found]
            counted = sum(e["count"] for e in found)
            if not found:
                self.score.error("missed", "removed", removal.begin, removal.tray)
                continue
            if counted != removal.count:
                self.score.error(
                    "count", "removed", removal.begin, f"{counted} for {removal.count}"
                )
            if len(found) > 1:
                self.score.error("split", "removed", removal.begin)
            self._removal_times(removal, found[-1])
        for event in events:
            self.score.error("invented", "removed", event["t"], self._about(event))

    def _removal_times(self, removal: Removal, event: dict[str, Any]) -> None:
        limits, begin, end, anew = self.limits, removal.begin, removal.end, removal.anew
        if not anew and not begin - limits.removed_t < event["t"] < end + limits.removed_t:
            self.score.error("time", "removed", begin, f"said {event['t']:.3f}")
        if event["decided"] > end + limits.placed_late + removal.slack + (3.0 if anew else 0.0):
            self.score.error("late", "removed", end, f"decided {event['decided']:.3f}")

    # --- tips -------------------------------------------------------------------------

    def _tips(self) -> None:
        self._tips_alternate()
        tips = self.of("tip")
        verdicts = self.of("wobble", "spill")
        for tipping in self.truth.tippings:
            tolerance = (self.limits.tip_t if tipping.seen else 0.6) + tipping.slack
            tip = next((e for e in tips if abs(e["t"] - tipping.begin) <= tolerance), None)
            if tip is None:
                near = next((e for e in tips if -1 < e["t"] - tipping.begin < 2), None)
                what = "missed" if near is None else "time"
                if near is not None or not tipping.optional:
                    said = f"said {near['t']:.3f}" if near else ""
                    self.score.error(what, "tip", tipping.begin, said)
                tip = near
            if tip is None:
                continue
            tips.remove(tip)
            self._tip(tipping, tip)
            after = self.events.index(tip)
            verdict = next((v for v in verdicts if self.events.index(v) > after), None)
            if verdict is not None:
                verdicts.remove(verdict)
            self._verdict(tipping, verdict)
        for tip in tips:
            if any(a <= tip["t"] <= b for a, b in self.truth.tip_windows):
                verdict = next((v for v in verdicts if v["t"] >= tip["t"] - 0.5), None)
                if verdict is None:
                    continue
                verdicts.remove(verdict)
                if verdict["event"] == "wobble":
                    continue
                self.score.error("invented", "spill", verdict["t"])
                continue
            self.score.error("invented", "tip", tip["t"])
        for verdict in verdicts:
            self.score.error("invented", verdict["event"], verdict["t"])

    def _tips_alternate(self) -> None:
        is_open = False
        for event in self.of("tip", "wobble", "spill"):
            if (event["event"] == "tip") == is_open:
                self.score.error("order", event["event"], event["t"], "one tip, one end")
            is_open = event["event"] == "tip"

    def _tip(self, tipping: Tipping, tip: dict[str, Any]) -> None:
        if tip["side"] not in (None, tipping.side) and not tipping.side_unknown:
            self.score.error("side", "tip", tipping.begin, f"{tip['side']} for {tipping.side}")
        late = self.limits.tip_late + self._patience(tipping)
        if tip["decided"] - tipping.begin > late:
            self.score.error("late", "tip", tipping.begin, f"decided {tip['decided']:.3f}")

    def _verdict(self, tipping: Tipping, verdict: dict[str, Any] | None) -> None:
        score, limits = self.score, self.limits
        if verdict is None:
            if tipping.back + 2.5 < self.end and tipping.ends != "open":
                score.error("missed", tipping.ends, tipping.begin, "no verdict")
            return
        if tipping.ends != "either" and verdict["event"] != tipping.ends:
            score.error("verdict", tipping.ends, tipping.begin, f"called {verdict['event']}")
            return
        decided = verdict["decided"]
        if verdict["event"] == "wobble":
            score.latencies["wobble"].append(decided - tipping.back)
            if decided - tipping.back > limits.wobble_late + tipping.slack:
                score.error("late", "wobble", tipping.back, f"decided {decided:.3f}")
            return
        first = tipping.first_left
        assert first is not None
        score.latencies["spill"].append(decided - first)
        patience = self._patience(tipping)
        if decided > min(first + limits.spill_late + patience, tipping.back + tipping.slack):
            score.error(
                "late", "spill", first, f"decided {decided:.3f}, hand at {tipping.back:.3f}"
            )
        if decided < first:
            score.error("early", "spill", first, f"decided {decided:.3f}")
        moments = [moment for tray in tipping.lost.values() for moment in tray]
        begun = moments if self.trace.sps == 10 else [first]
        if min(abs(verdict["t"] - m) for m in begun) > limits.spill_t + tipping.slack:
            score.error("time", "spill", first, f"said {verdict['t']:.3f}")
        self._lost(tipping, verdict)

    @staticmethod
    def _patience(tipping: Tipping) -> float:
        return tipping.slack + (0.0 if tipping.seen else UNSEEN_S)

    def _lost(self, tipping: Tipping, verdict: dict[str, Any]) -> None:
        lost, trays = verdict["lost"], list(verdict["trays"])
        truly = {tray: len(moments) for tray, moments in tipping.lost.items()}
        if not trays or any(tray not in truly for tray in trays):
            self.score.error("lost", "spill", verdict["t"], f"trays {trays} for {truly}")
        if (
            set(lost) != {"left", "right"}
            or any(lost[t] < 1 for t in trays)
            or sum(lost.values()) < 1
        ):
            self.score.error("lost", "spill", verdict["t"], f"{lost} and {trays} do not agree")
            return
        for tray in ("left", "right"):
            moments = tipping.lost.get(tray, []) if self.trace.sps == 80 else []
            known = sum(moment < verdict["decided"] - 0.35 for moment in moments)
            final = truly.get(tray, 0)
            slack = max(2, round(0.5 * final))
            if not known - slack <= lost[tray] <= final + slack:
                self.score.error("lost", "spill", verdict["t"], f"{lost} for {truly}")

    # --- after a spill ------------------------------------------------------------------

    def _levels(self) -> None:
        events = self.of("level")
        last: tuple[int, int] | None = None
        for rest in self.truth.rests:
            mine = [
                e
                for e in events
                if rest.begin + 0.6 <= e["decided"] <= rest.end + 0.1 + self.limits.delay
            ]
            events = [e for e in events if e not in mine]
            last = self._rest(rest, mine, last)
        for event in events:
            if any(f.earliest < event["decided"] < (f.healed or 0) for f in self.truth.failings):
                continue
            self.score.error("level", "level", event["t"], f"not at rest: {self._about(event)}")

    def _rest(
        self, rest: Rest, mine: list[dict[str, Any]], last: tuple[int, int] | None
    ) -> tuple[int, int] | None:
        counts = (rest.left, rest.right)
        for event in mine:
            if (event["left"], event["right"]) != counts:
                self.score.error("level", "level", event["t"], f"{self._about(event)} for {counts}")
        if len(mine) > 1:
            self.score.error("level", "level", rest.begin, "written again")
        due = rest.begin + 1.0 + self.limits.level_late + rest.slack
        if not mine and counts != last and due < min(rest.end, self.end):
            self.score.error("missed", "level", rest.begin, f"{counts}")
        if mine and mine[0]["decided"] > due:
            self.score.error("late", "level", rest.begin, f"decided {mine[0]['decided']:.3f}")
        return counts if mine else last

    # --- the deck -----------------------------------------------------------------------

    def _drawn(self) -> None:
        events = self.of("drawn")
        for pull in self.truth.pulls:
            found = [e for e in events if pull.at - 0.6 <= e["t"] <= pull.off + 0.6]
            events = [e for e in events if e not in found]
            counted = sum(e["count"] for e in found)
            if counted != pull.count or len(found) != 1:
                what = "missed" if not found else "count"
                self.score.error(what, "drawn", pull.at, f"{counted} for {pull.count}")
            elif found[0]["decided"] > pull.off + self.limits.placed_late:
                self.score.error("late", "drawn", pull.off, f"decided {found[0]['decided']:.3f}")
        for event in events:
            self.score.error("invented", "drawn", event["t"], self._about(event))

    # --- faults -------------------------------------------------------------------------

    def _faults(self) -> None:
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
                    self.score.error("invented", "recovered", event["t"], self._about(event))
                continue
            self._fault(failing, mine, again)
        for event in (*faults, *recovered):
            self.score.error("invented", event["event"], event["t"], self._about(event))

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
            score.error("fault", "fault", mine[1]["t"], f"again: {self._about(mine[1])}")
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


def score(trace: Trace, events: Sequence[Event]) -> Score:
    return Scorer(trace, events).run()
