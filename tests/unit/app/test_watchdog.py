"""The system's watchdog hears that the companion is alive, and nothing else of it changes."""

import socket
from pathlib import Path

import pytest

from companion.clock import SystemClock, VirtualClock
from companion.watchdog import BEAT_S, WatchedClock, machine_clock


def test_the_loop_says_that_it_is_ready_then_that_it_turns(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        systemd.settimeout(1.0)
        machine = VirtualClock()
        clock = WatchedClock(address, machine)
        for _ in range(round(3 * BEAT_S * 30)):
            clock.sleep(1 / 30)
        assert clock.mono() == machine.mono() == pytest.approx(3 * BEAT_S)
        assert systemd.recv(100) == b"READY=1\nWATCHDOG=1"
        assert [systemd.recv(100) for _ in range(2)] == [b"WATCHDOG=1"] * 2
        systemd.setblocking(False)
        with pytest.raises(BlockingIOError):
            systemd.recv(100)


def test_nobody_who_listens_is_no_trouble(tmp_path: Path) -> None:
    clock = WatchedClock(str(tmp_path / "gone"), VirtualClock())
    clock.sleep(5.0)
    assert clock.mono() == 5.0


@pytest.mark.parametrize(
    ("environment", "kind"),
    [
        ({}, SystemClock),
        ({"NOTIFY_SOCKET": ""}, SystemClock),
        ({"NOTIFY_SOCKET": "vsock:2:1"}, SystemClock),
        ({"NOTIFY_SOCKET": "/run/systemd/notify"}, WatchedClock),
        ({"NOTIFY_SOCKET": "@abstract"}, WatchedClock),
    ],
)
def test_only_a_service_is_watched(environment: dict[str, str], kind: type) -> None:
    assert isinstance(machine_clock(environment), kind)
