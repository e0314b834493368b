"""How fast the judge is, and that its memory does not grow: rows of an evening, read and judged.

It never says whether a verdict is right: that is the judge's table.
"""

import random
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from companion.bench.report import Report
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.scale.trace import read_trace

AREA = "the judge's speed"
COUNTS_PER_GRAM = 1540.0
CARD_G = 1.8
EVERY_S = 9.0
"""A card somewhere every nine seconds: a table that does not dawdle."""
PRESS_S = 0.4
PRESS_G = 60.0
RATES = {10: (10.7, 11.3), 80: (86.0, 89.5)}
NOISE_COUNTS = {10: 40.0, 80: 100.0}


def measure(report: Report, *, quick: bool) -> None:
    """Adds rows a second at both rates, and what an hour of readings leaves in memory."""
    for sps in RATES:
        seconds = (60.0 if quick else 3600.0) * (80 / sps if quick else 1.0)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "samples.csv"
            rows = _write(path, sps, seconds)
            spent = _judge(path)
            report.figure(AREA, f"rows at {sps} SPS", rows / spent, "rows/s", aim="100,000")
            if sps == 80:
                report.figure(
                    AREA, "times real time", seconds / spent, "x", aim="1,000", peer="at 80 SPS"
                )
                early, late = _held(path, rows)
                report.figure(AREA, "held after the first tenth", early / 1024, "KiB")
                report.figure(AREA, "held at the end", late / 1024, "KiB", aim="no more")


def _calibration() -> Calibration:
    cell = {"zero": 0, "counts_per_gram": COUNTS_PER_GRAM, "tray_g": 28.0}
    return Calibration.from_toml({"card_g": CARD_G, "left": cell, "right": cell})


def _write(path: Path, sps: int, seconds: float) -> int:
    """A trace of one row a reading, each cell on its own clock; returns its rows."""
    rows = sorted(_readings(sps, seconds))
    with path.open("w", encoding="utf-8") as trace:
        trace.write("t,left,right,tilt\n")
        for t, cell, counts in rows:
            trace.write(f"{t:.4f},{counts},,0\n" if cell == 0 else f"{t:.4f},,{counts},0\n")
    return len(rows)


def _readings(sps: int, seconds: float) -> Iterator[tuple[float, int, int]]:
    for cell, rate in enumerate(RATES[sps]):
        rng = random.Random(f"{sps}/{cell}")  # noqa: S311 - noise, nothing secret
        t = 0.0
        while (t := t + 1 / rate) < seconds:
            played, since_s = divmod(t + EVERY_S * cell, 2 * EVERY_S)
            # After twenty cards they are taken out again, one by one.
            cards = abs((played + 20) % 40 - 20)
            pressed = PRESS_G if since_s < PRESS_S else 0.0
            grams = CARD_G * cards + pressed
            yield t, cell, round(COUNTS_PER_GRAM * grams + rng.gauss(0, NOISE_COUNTS[sps]))


def _judge(path: Path) -> float:
    judge = Judge(_calibration())
    begin = time.process_time()
    for sample in read_trace(path, with_deck=False):
        judge.feed(sample)
    return time.process_time() - begin


def _held(path: Path, rows: int) -> tuple[int, int]:
    """Bytes that the judge holds after a tenth of the rows and after all of them."""
    held = []
    tracemalloc.start()
    judge, before = Judge(_calibration()), tracemalloc.get_traced_memory()[0]
    for number, sample in enumerate(read_trace(path, with_deck=False), 1):
        judge.feed(sample)
        if number in (rows // 10, rows):
            held.append(tracemalloc.get_traced_memory()[0] - before)
    tracemalloc.stop()
    return held[0], held[1]
