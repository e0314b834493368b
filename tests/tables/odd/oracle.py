"""A judge that knows the truth: what the scorer must find no error in.

It never sees a sample's value, only the times at which rows arrive.
"""

from bisect import bisect_left
from typing import Any

from tests.tables.odd.trace import Trace


def oracle(trace: Trace) -> list[dict[str, Any]]:
    """The events of an ideal judge, each decided a little after it can be known."""
    truth, events = trace.truth, []
    card_g = trace.calibration["card_g"]

    def write(event: str, t: float, decided: float, **fields: Any) -> None:
        events.append({"event": event, "t": t, "decided": decided, **fields})

    for p in truth.placings:
        if not p.optional:
            tips = [t.begin for t in truth.tippings if t.begin >= p.contact and p.tips]
            decided = tips[0] - 0.001 if tips else p.off + 0.3
            t = min(p.off if p.anew else p.contact, decided)
            write(
                "placed", t, decided, tray=p.tray, count=p.count, grams=p.count * card_g, sure=True
            )
    for r in truth.removals:
        begin = r.end if r.anew else r.begin
        write("removed", begin, r.end + 0.3, tray=r.tray, count=r.count, grams=-r.count * card_g)
    for tip in truth.tippings:
        write("tip", tip.begin, tip.begin + 0.03, side=tip.side)
        if tip.ends == "wobble":
            write("wobble", tip.begin, tip.back + 0.3)
        elif tip.first_left is not None:
            decided = min(tip.back - 0.02, tip.first_left + 0.3)
            lost = {tray: len(tip.lost.get(tray, [])) for tray in ("left", "right")}
            write("spill", tip.first_left, decided, trays=[t for t in lost if lost[t]], lost=lost)
    last = None
    for rest in truth.rests:
        if rest.end - rest.begin > 1.1 and (rest.left, rest.right) != last:
            last = (rest.left, rest.right)
            write("level", rest.begin, rest.begin + 1.0, left=rest.left, right=rest.right)
    for pull in truth.pulls:
        write("drawn", pull.at, pull.off + 0.3, count=pull.count)
    for f in truth.failings:
        if not f.optional:
            t = (f.earliest + f.latest) / 2
            write("fault", f.earliest, t, sensor=f.sensor, kind=f.kinds[0])
            if f.healed is not None:
                write("recovered", f.healed, f.healed + 0.5, sensor=f.sensor, kind=f.kinds[0])
    return _on_rows(trace, events)


def _on_rows(trace: Trace, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each event decided at a row's time, in the order of decisions, with the trace's clock."""
    moments = [row.t for row in trace.rows]
    done = []
    for event in sorted(events, key=lambda event: event["decided"]):
        at = bisect_left(moments, event["decided"] + trace.origin)
        if at < len(moments):
            done.append(event | {"t": event["t"] + trace.origin, "decided": moments[at]})
    return done
