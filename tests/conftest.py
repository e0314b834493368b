"""What every test may count on, however the tests were started."""

import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> None:
    """A shell starts what it puts in the background deaf to Ctrl-C, and so would be what it starts:
    tests that interrupt a game would wait for it for ever."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
