"""Draws a trace with its truth (above) and a judge's events (below) to a PNG, to be looked at.

It never decides anything; matplotlib is imported by whoever asks for a drawing.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

from tests.tables.odd.trace import Trace

matplotlib.use("Agg")
from matplotlib import pyplot as plt


def draw(trace: Trace, events: Sequence[Mapping[str, Any]], folder: Path) -> Path:
    """Writes FOLDER/KIND-SPS-SEED.png and returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(2, 1, figsize=(22, 9), sharex=True, constrained_layout=True)
    for axis, tray in zip(axes, ("left", "right"), strict=True):
        cell = trace.calibration[tray]
        values = [(row.t - trace.origin, getattr(row, tray)) for row in trace.rows]
        points = [
            (t, (v - cell["zero"]) / cell["counts_per_gram"]) for t, v in values if v is not None
        ]
        axis.plot(*zip(*points, strict=True), ".-", lw=0.5, ms=2, color="black")
        held = sorted(grams for _, grams in points)
        low, high = held[len(held) // 50], held[-len(held) // 50]
        axis.set_ylim(low - 6, high + 8)
        axis.set_ylabel(f"{tray} g")
        switch = [(row.t - trace.origin, row.tilt) for row in trace.rows]
        axis.fill_between(
            [t for t, _ in switch], 0, [s for _, s in switch], step="post", alpha=0.2,
            color="red", transform=axis.get_xaxis_transform(),
        )  # fmt: skip
        axis.grid(visible=True, alpha=0.3)
        for t, text in truth_marks(trace, tray):
            axis.axvline(t, color="green", lw=0.8)
            axis.text(t, 0.99, text, rotation=90, va="top", fontsize=7, color="green",
                      transform=axis.get_xaxis_transform())  # fmt: skip
        for event in events:
            if event.get("tray", event.get("sensor", tray)) in (tray, "tilt", "deck"):
                t = event["decided"] - trace.origin
                axis.axvline(t, color="blue", lw=0.6, ls=":")
                axis.text(t, 0.01, event["event"], rotation=90, va="bottom", fontsize=7,
                          color="blue", transform=axis.get_xaxis_transform())  # fmt: skip
    axes[0].set_title(f"{trace.kind} at {trace.sps} SPS, seed {trace.seed}")
    place = folder / f"{trace.kind}-{trace.sps}-{trace.seed}.png"
    figure.savefig(place, dpi=55)
    plt.close(figure)
    return place


def truth_marks(trace: Trace, tray: str) -> Iterator[tuple[float, str]]:
    truth = trace.truth
    for placing in truth.placings:
        if placing.tray == tray:
            yield placing.contact, f"+{placing.count}"
            yield placing.off, "off"
    for removal in truth.removals:
        if removal.tray == tray:
            yield removal.end, f"-{removal.count}"
    for tipping in truth.tippings:
        yield tipping.begin, f"tip {tipping.side}"
        yield tipping.back, f"back ({tipping.ends})"
        for moment in tipping.lost.get(tray, []):
            yield moment, "lost"
    for rest in truth.rests:
        yield rest.begin, f"rest {rest.left} {rest.right}"
    for pull in truth.pulls:
        yield pull.at, f"drawn {pull.count}"
    for failing in truth.failings:
        yield failing.earliest, f"{failing.sensor} {'/'.join(failing.kinds)}"
        if failing.healed is not None and failing.healed < 1e6:
            yield failing.healed, "healed"
