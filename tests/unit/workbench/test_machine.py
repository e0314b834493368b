"""What the doctor says of the machine, each with what to do."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.workbench.findings import Grade
from companion.workbench.machine import (
    clock_finding,
    display_finding,
    journal_findings,
    power_finding,
    power_findings,
    realtime_finding,
    touch_finding,
)

NOW = datetime(2026, 5, 1, 20, 15, tzinfo=UTC)

INPUT_DEVICES = """\
I: Bus=0003 Vendor=046d Product=c31c Version=0110
N: Name="Logitech USB Keyboard"

I: Bus=0018 Vendor=0000 Product=0000 Version=0000
N: Name="10-0038 generic ft5x06 (79) Touchscreen"
"""


def test_a_display_of_nobody_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    finding = display_finding()
    assert finding.grade is Grade.WARN
    assert "dummy" in finding.says


def test_where_no_display_can_be_none_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a line from elsewhere, say: nothing is asked to be unset that nobody has set."""
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 5000 192.0.2.2 22")
    finding = display_finding()
    assert finding.grade is Grade.WARN
    assert finding.says == "there is none here"
    assert "plug in a display" in finding.advice


def test_no_display_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "nothing-of-this-name")
    finding = display_finding()
    assert finding.grade is Grade.WARN
    assert "no window can be opened" in finding.says
    assert "in the terminal" in finding.advice


def test_a_touch_device_is_named(tmp_path: Path) -> None:
    (tmp_path / "proc/bus/input").mkdir(parents=True)
    (tmp_path / "proc/bus/input/devices").write_text(INPUT_DEVICES)
    assert touch_finding(tmp_path).says == "10-0038 generic ft5x06 (79) Touchscreen"


def test_no_touch_device_is_a_warning(tmp_path: Path) -> None:
    assert touch_finding(tmp_path).grade is Grade.WARN


def test_a_journal_in_a_folder_yet_to_be_made_can_be_written(tmp_path: Path) -> None:
    findings = list(journal_findings(tmp_path / "not" / "yet" / "journal.sqlite"))
    assert [finding.topic for finding in findings] == ["journal", "disk"]
    assert findings[0].grade is Grade.OK


def test_a_journal_in_a_place_without_room_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    (finding,) = journal_findings(tmp_path / "journal.sqlite")
    assert finding.grade is Grade.FAIL
    assert "No space left" in finding.says


@pytest.mark.parametrize(
    ("free", "grade"), [(1e6, Grade.FAIL), (100e6, Grade.WARN), (9e9, Grade.OK)]
)
def test_room_on_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: float, grade: Grade
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("U", (), {"free": free}))
    assert list(journal_findings(tmp_path / "j.sqlite"))[1].grade is grade


def test_a_clock_that_was_never_set_fails(tmp_path: Path) -> None:
    finding = clock_finding(tmp_path, datetime(2000, 1, 1, tzinfo=UTC))
    assert finding.grade is Grade.FAIL
    assert "sudo date -s" in finding.advice


def test_a_clock_set_by_the_network_says_so(tmp_path: Path) -> None:
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    assert clock_finding(tmp_path, NOW).says == "it is 2026-05-01 20:15 UTC, set by the network"


@pytest.mark.parametrize(
    ("bits", "grade"),
    [(0x0, Grade.OK), (0x50000, Grade.WARN), (0x1, Grade.FAIL), (0x50005, Grade.FAIL)],
)
def test_power_by_the_bits_of_vcgencmd(bits: int, grade: Grade) -> None:
    assert power_finding(bits).grade is grade


def test_vcgencmd_is_asked_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "vcgencmd"
    tool.write_text("#!/bin/sh\necho throttled=0x50000\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (finding,) = power_findings()
    assert finding.grade is Grade.WARN


def test_elsewhere_nothing_is_said_of_power() -> None:
    assert list(power_findings("no-such-tool")) == []


@pytest.mark.parametrize("allowed", [True, False])
def test_whether_readers_run_first_is_tried_and_told(
    allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(*_: object) -> None:
        if not allowed:
            raise PermissionError("Operation not permitted")

    monkeypatch.setattr("os.sched_setscheduler", ask)
    finding = realtime_finding()
    assert finding.grade is (Grade.OK if allowed else Grade.WARN)
    assert ("limits.d/tippo.conf" in finding.advice) is not allowed
