"""Holds `placed`, `removed` and `drawn` against the truth.

It never looks at tips, but to know whether a card caused one.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from tests.tables.odd.held import ANEW_S, APART_S, Held
from tests.tables.odd.truth import Placing, Removal

TAKEN_BACK_S = 5.0
"""Once the scale has come to rest again it is clear that a shove was no card."""


class Cards(Held):
    def run(self) -> None:
        self._placed()
        self._removed()
        self._drawn()

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
                    self.score.error("invented", "placed", event["t"], self.about(event))
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
            if not self._takes_back(event):
                self.score.error("invented", "removed", event["t"], self.about(event))

    def _takes_back(self, event: Mapping[str, Any]) -> bool:
        """A shove that was reported as a card, not as sure, may be taken back as one."""
        return any(
            placing.optional
            and placing.tray == event["tray"]
            and placed["tray"] == event["tray"]
            and placed["count"] == event["count"]
            and placed["decided"] < event["decided"]
            and -1.0 < placed["t"] - placing.contact < 1.0
            and -1.0 < event["t"] - placing.contact < TAKEN_BACK_S
            for placing in self.truth.placings
            for placed in self.of("placed")
        )

    def _removal_times(self, removal: Removal, event: dict[str, Any]) -> None:
        limits, begin, end, anew = self.limits, removal.begin, removal.end, removal.anew
        if not anew and not begin - limits.removed_t < event["t"] < end + limits.removed_t:
            self.score.error("time", "removed", begin, f"said {event['t']:.3f}")
        if event["decided"] > end + limits.placed_late + removal.slack + (3.0 if anew else 0.0):
            self.score.error("late", "removed", end, f"decided {event['decided']:.3f}")

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
            self.score.error("invented", "drawn", event["t"], self.about(event))
