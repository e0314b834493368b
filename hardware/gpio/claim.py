"""Keeps the header for one program: `RPi.GPIO` lets any number of them drive the same pins.

It never touches a pin and never waits for whoever has the header.
"""

import fcntl
import os
from pathlib import Path

from companion.errors import BoardError
from hardware.holders import in_use


class Claim:
    """A lock on the device by which a pin library gets at the pins; the system frees it with the
    program, however that ends."""

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def take(self, device: Path | None) -> None:
        """Raises BoardError if another program of ours has it."""
        if device is None:
            return
        try:
            descriptor = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # the library says it better
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise BoardError(f"the pins of the header are {in_use(device)}") from None
        self._descriptor = descriptor

    def give_back(self) -> None:
        """May be called twice."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)
