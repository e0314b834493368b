"""Judges a whole trace and writes each event as a line of JSON, as soon as it is decided.

It never decides anything itself.
"""

from pathlib import Path
from typing import BinaryIO

import msgspec

from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.scale.trace import read_trace


def judge_trace(path: Path, calibration: Calibration, out: BinaryIO) -> None:
    """Raises BadInput at the first row that breaks the format; lines already written stand."""
    judge, encode = Judge(calibration), msgspec.json.Encoder().encode
    for sample in read_trace(path, with_deck=calibration.deck is not None):
        for event in judge.feed(sample):
            out.write(encode(event) + b"\n")
            out.flush()
