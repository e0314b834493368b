"""How light `tippo` is: its memory while a game runs, and how soon its help is there.

It measures whole processes from outside and never imports what they run.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from companion.bench.report import Report
from companion.errors import BoardError

_TIPPO = (sys.executable, "-m", "companion.cli")


def peak_memory_mb(arguments: Sequence[str], seconds: float) -> float:
    """The largest resident set of a `tippo` process in its first `seconds`, in MB."""
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    child = subprocess.Popen(  # noqa: S603  (our own command)
        [*_TIPPO, *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        status = Path(f"/proc/{child.pid}/status").read_text(encoding="utf-8")
        child.terminate()
        child.wait()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    raise BoardError(f"tippo {' '.join(arguments)} ended before it could be measured")


def _seconds(command: Sequence[str]) -> float:
    """The best of three runs of a command."""
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  (our own)
        best = min(best, time.perf_counter() - began)
    return best


def measure(report: Report, *, quick: bool) -> None:
    """Adds the memory of `tippo play` with and without a display, and the time to its help."""
    play = ("play", "--board", "sim", "--people", "4", "--seed", "1", "--new", "--speed", "20")
    for where in ("--headless", "--display"):
        with tempfile.TemporaryDirectory() as folder:
            journal = ("--journal", f"{folder}/journal.sqlite")
            memory = peak_memory_mb((*play, where, *journal), 10.0 if quick else 60.0)
        report.figure("play", f"memory of tippo play {where}", memory, "MB", aim="under 120 MB")
    bare = _seconds((sys.executable, "-c", "pass"))
    help_s = _seconds((*_TIPPO, "--help"))
    report.figure(
        "play",
        "tippo --help",
        help_s,
        "s",
        aim="under 0.3 s",
        peer=f"Python alone {bare:.3f} s",
    )
