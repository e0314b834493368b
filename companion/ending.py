"""Being asked to end: by Ctrl-C, by the system, by a terminal that is closed.

It never frees anything itself: whoever holds a device frees it on the way out.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class AskedToEnd(BaseException):
    """Raised wherever the program is; no failure, so that nothing takes it for one."""

    def __init__(self, number: int, besides: str = "") -> None:
        """`besides` is what people should know of how things stand now."""
        self.number = number
        self.exit_code = 128 + number
        """As a shell says it of a program that a signal has ended."""
        super().__init__(f"stopped, as asked{f': {besides}' if besides else ''}")


@contextmanager
def heeding(heed: Callable[[int], None]) -> Iterator[None]:
    """While inside, each of these signals calls `heed`, but for those that the companion was
    started to ignore (by `nohup`)."""

    def heard(number: int, _frame: FrameType | None) -> None:
        heed(number)

    heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, heard) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def leaving_when_asked() -> Iterator[None]:
    """While inside, the first of these signals raises AskedToEnd; those after it do nothing: they
    would break off the freeing of devices."""
    leaving = False

    def leave(number: int) -> None:
        nonlocal leaving
        if not leaving:
            leaving = True
            raise AskedToEnd(number)

    with heeding(leave):
        yield
