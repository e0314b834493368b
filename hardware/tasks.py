"""Runs the steps of readers and signals side by side, each on a thread of its own.

It never knows what a step does; a step says itself when it wants to be called again.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

Step = Callable[[], float]
"""Does what is due, without waiting for anything, and returns the seconds until the next call."""

READER_PRIORITY = 10
"""Above every ordinary program: a reader that loses the core in mid-pulse loses the reading."""


class Tasks(Protocol):
    """What runs steps: threads here, virtual time in the simulator."""

    def start(self, name: str, step: Step) -> None: ...

    def stop(self) -> None:
        """No step runs any more when it returns."""
        ...


class Threads:
    """One thread a step, in the real-time class where the system allows it."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, name: str, step: Step) -> None:
        thread = threading.Thread(target=self._run, args=(step,), name=f"tippo {name}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        self._threads.clear()
        self._stopping = threading.Event()

    def _run(self, step: Step) -> None:
        stopping = self._stopping
        with suppress(OSError):  # not permitted: `tippo doctor` says how to permit it
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(READER_PRIORITY))
        # A wait gives up the interpreter, so that a step begins with a fresh slice of it:
        # no other thread can take it away in the middle of a word.
        while not stopping.wait(step()):
            pass
