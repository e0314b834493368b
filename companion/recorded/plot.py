"""Draws a recorded table as a PNG: grams in both trays, the switch, what was sensed and true.

It never judges: the events are those of the replay. Matplotlib is needed only here (extra `plot`).
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import BadInput, Refused
from companion.events import Sample
from companion.recorded.files import read_samples, read_table
from companion.recorded.replay import replay
from companion.scale.calibration import Calibration
from companion.units import Tray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STRIP_S = 60.0
"""How much time one strip of the drawing shows."""
MOST_STRIPS = 40
"""A longer table gets longer strips, so that the picture can still be opened."""
STRIP_INCHES = (16.0, 3.2)
DOTS_PER_INCH = 75
MARGIN_G = 6.0
SILENT_S = 0.5
"""A longer pause between two readings is left open in the curve."""
WORD_SHARE = 0.009
"""What a word that stands upright takes of a strip's width: the next one begins beside it."""
SHOWN = 0.98
"""The share of the readings that must fit in; the rest is hands that press on a tray."""
COLOURS = {Tray.LEFT: "#1f4e9c", Tray.RIGHT: "#c8500a"}
SWITCH, SENSED, TRUE, RULED = "#d03030", "#303030", "#2a7a2a", "#8030a0"


@dataclass(frozen=True, slots=True)
class Mark:
    """A word at a moment."""

    at_s: float
    text: str
    colour: str


@dataclass(slots=True)
class Drawn:
    """Everything to draw of one table."""

    curves: dict[Tray, tuple[list[float], list[float]]]
    switch: tuple[list[float], list[bool]]
    marks: list[Mark] = field(default_factory=list)
    begin_s: float = 0.0
    end_s: float = 0.0


def plot(folder: Path, picture: Path) -> Path:
    """Draws the recorded table in `folder` to `picture` (PNG) and returns its path.

    Raises:
        BadInput: a file of the recorded table breaks its format, or it has no samples.
        Refused: matplotlib is not installed.
    """
    recorded = read_table(folder)
    if recorded.calibration is None:
        raise BadInput(f"{folder} was recorded without a scale: there is nothing to draw")
    samples = list(read_samples(folder, with_deck=recorded.calibration.deck is not None))
    if not samples:
        raise BadInput(f"{folder} has no samples: there is nothing to draw")
    drawn = _drawn(samples, recorded.calibration)
    drawn.marks = [*_sensed_and_ruled(folder), *_truth(folder)]
    _paint(drawn, picture, folder.name)
    return picture


def _drawn(samples: Sequence[Sample], calibration: Calibration) -> Drawn:
    curves: dict[Tray, tuple[list[float], list[float]]] = {tray: ([], []) for tray in Tray}
    for sample in samples:
        for tray, counts in ((Tray.LEFT, sample.left), (Tray.RIGHT, sample.right)):
            if counts is None:
                continue
            times, grams = curves[tray]
            if times and sample.mono_s - times[-1] > SILENT_S:
                times.append(sample.mono_s)
                grams.append(math.nan)
            times.append(sample.mono_s)
            grams.append(calibration.tray(tray).grams(counts))
    switch = ([float(row.mono_s) for row in samples], [bool(row.tilt) for row in samples])
    return Drawn(curves, switch, begin_s=samples[0].mono_s, end_s=samples[-1].mono_s)


def _sensed_and_ruled(folder: Path) -> Iterator[Mark]:
    for line in replay(folder):
        at = float(line["t"])
        if line.get("sensed"):
            yield Mark(float(line["decided"]), _words(line, line["event"]), SENSED)
        elif line.get("ruling") == "spill":
            yield Mark(at, f"{line['by'] or 'nobody'} pays", RULED)


def _truth(folder: Path) -> Iterator[Mark]:
    """What really happened, where a simulator wrote it down."""
    path = folder / "truth.jsonl"
    if not path.exists():
        return
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            line = json.loads(text)
            if line["truth"] not in ("act", "scores"):
                yield Mark(float(line["t"]), _words(line, line["truth"]), TRUE)
        except (ValueError, KeyError, TypeError):
            raise BadInput(f"{path} is no truth of a simulator", line=number) from None


def _words(line: dict[str, Any], name: str) -> str:
    """`placed left 1`, `spill left 5`, `fault right silent` ..."""
    words = [name]
    words += [str(line[key]) for key in ("tray", "side", "sensor", "kind", "name") if line.get(key)]
    if name in ("placed", "removed", "drawn"):
        words.append(str(line["count"]))
    if name == "spill":
        words += [f"{tray} {count}" for tray, count in line["lost"].items() if count]
    if name == "level":
        words.append(f"{line['left']} {line['right']}")
    if line.get("sure") is False:
        words.append("?")
    return " ".join(words)


def _paint(drawn: Drawn, picture: Path, title: str) -> None:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise Refused(
            "drawing needs matplotlib: install it with pip install 'tippo-companion[plot]'"
        ) from None
    length_s = max(STRIP_S, (drawn.end_s - drawn.begin_s) / MOST_STRIPS)
    strips = max(1, -int(-(drawn.end_s - drawn.begin_s) // length_s))
    width, height = STRIP_INCHES
    figure = Figure(figsize=(width, height * strips), layout="constrained")
    FigureCanvasAgg(figure)
    named = title.encode(errors="replace").decode()
    figure.suptitle(
        f"{named}: left tray blue, right tray orange; tilt switch red; above what was sensed "
        "(black) and who pays (violet), below what really happened (green)",
        parse_math=False,
    )
    axes = figure.subplots(strips, 1, squeeze=False)[:, 0]
    for i, axis in enumerate(axes):
        begin_s = drawn.begin_s + i * length_s
        _paint_strip(axis, drawn, begin_s, begin_s + length_s)
    axes[-1].set_xlabel("seconds")
    try:
        figure.savefig(picture, dpi=DOTS_PER_INCH, format="png")
    except OSError as error:
        raise Refused(f"{picture} cannot be written: {error.strerror}") from None


def _paint_strip(axis: "Axes", drawn: Drawn, begin_s: float, end_s: float) -> None:
    low, high = 0.0, 0.0
    for tray, (times, grams) in drawn.curves.items():
        inside = [(t, g) for t, g in zip(times, grams, strict=True) if begin_s <= t < end_s]
        if inside:
            axis.plot(
                *zip(*inside, strict=True), ".-", color=COLOURS[tray], linewidth=0.6, markersize=1.5
            )
            held = sorted(g for _, g in inside if not math.isnan(g))
            skipped = round(len(held) * (1 - SHOWN) / 2)
            low, high = min(low, held[skipped]), max(high, held[-skipped - 1])
    axis.set_xlim(begin_s, end_s)
    axis.set_ylim(low - MARGIN_G, high + MARGIN_G)
    axis.grid(visible=True, alpha=0.3)
    axis.fill_between(
        *drawn.switch,
        step="post",
        color=SWITCH,
        alpha=0.2,
        linewidth=0,
        transform=axis.get_xaxis_transform(),
    )
    axis.set_ylabel("grams")
    for below in (True, False):
        marks = [m for m in drawn.marks if (m.colour == TRUE) is below]
        _paint_marks(axis, marks, begin_s, end_s, below=below)


def _paint_marks(
    axis: "Axes", marks: Sequence[Mark], begin_s: float, end_s: float, *, below: bool
) -> None:
    """A line at each moment; its word stands left of it, or beside the last where that is taken."""
    free_s = begin_s
    for mark in sorted(marks, key=lambda mark: mark.at_s):
        if not begin_s <= mark.at_s < end_s:
            continue
        axis.axvline(mark.at_s, color=mark.colour, linewidth=0.7, linestyle=":" if below else "-")
        word_s = WORD_SHARE * (end_s - begin_s)
        free_s = max(mark.at_s, free_s + word_s)
        axis.text(
            free_s,
            0.01 if below else 0.99,
            mark.text,
            parse_math=False,
            color=mark.colour,
            fontsize=7,
            rotation=90,
            horizontalalignment="right",
            verticalalignment="bottom" if below else "top",
            transform=axis.get_xaxis_transform(),
            bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.3},
        )
