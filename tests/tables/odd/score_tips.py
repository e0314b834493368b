"""Holds `tip`, `wobble`, `spill` and `level` against the truth.

It never looks at single cards.
"""

from typing import Any

from tests.tables.odd.held import UNSEEN_S, Held
from tests.tables.odd.truth import Rest, Tipping


class Tips(Held):
    def run(self) -> None:
        self._tips()
        self._levels()

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
            self.score.error("level", "level", event["t"], f"not at rest: {self.about(event)}")

    def _rest(
        self, rest: Rest, mine: list[dict[str, Any]], last: tuple[int, int] | None
    ) -> tuple[int, int] | None:
        counts = (rest.left, rest.right)
        for event in mine:
            if (event["left"], event["right"]) != counts:
                self.score.error("level", "level", event["t"], f"{self.about(event)} for {counts}")
        if len(mine) > 1:
            self.score.error("level", "level", rest.begin, "written again")
        due = rest.begin + 1.0 + self.limits.level_late + rest.slack
        if not mine and counts != last and due < min(rest.end, self.end):
            self.score.error("missed", "level", rest.begin, f"{counts}")
        if mine and mine[0]["decided"] > due:
            self.score.error("late", "level", rest.begin, f"decided {mine[0]['decided']:.3f}")
        return counts if mine else last
