"""Tells the system's watchdog that the companion is alive: whoever sleeps by this clock turns.

It never restarts anything itself: systemd does, when nothing has been told for too long.
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress

from companion.clock import Clock, SystemClock
from companion.units import MonoSeconds, WallUtc

BEAT_S = 2.0
"""A tenth of what the service allows (`WatchdogSec`)."""


class WatchedClock:
    """The machine's clock in a service. The one loop sleeps by it thirty times a second; the first
    time it says that the service is ready.

    The protocol is that of sd_notify(3): a datagram to the socket that systemd names.
    """

    def __init__(self, address: str, machine: Clock | None = None) -> None:
        self._machine = machine or SystemClock()
        # An address that begins with @ is an abstract one.
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._told_s = float("-inf")

    def mono(self) -> MonoSeconds:
        return self._machine.mono()

    def wall(self) -> WallUtc:
        return self._machine.wall()

    def sleep(self, seconds: float) -> None:
        now_s = self._machine.mono()
        if now_s - self._told_s >= BEAT_S:
            first = self._told_s == float("-inf")
            self._told_s = now_s
            self._tell(b"READY=1\nWATCHDOG=1" if first else b"WATCHDOG=1")
        self._machine.sleep(seconds)

    def _tell(self, message: bytes) -> None:
        # If nobody listens any more, there is nobody to be told.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(message, self._address)


def machine_clock(environment: Mapping[str, str] | None = None) -> Clock:
    """The machine's clock; watched where systemd has started the companion and asks for it."""
    address = (os.environ if environment is None else environment).get("NOTIFY_SOCKET", "")
    return WatchedClock(address) if address.startswith(("/", "@")) else SystemClock()
