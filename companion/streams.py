"""The standard streams of the command, made fit for whatever they were started with.

It never writes to them.
"""

import os
import sys
from io import TextIOWrapper
from typing import TextIO


def secure() -> None:
    """Puts nothing in the place of a closed standard stream, and lets every character through."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, _nothing())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def let_go_of_output() -> None:
    """What is still to be written cannot be: Python must not try it once more as it ends."""
    sys.stdout = _nothing()


def _nothing() -> TextIO:
    # Open until Python ends, as the stream is for which it stands.
    return open(os.devnull, "r+", encoding="utf-8")
