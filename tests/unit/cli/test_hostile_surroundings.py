"""Whatever the shell gives `tippo`, it ends with 0, 1 or 2 and at most a sentence."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main

TIPPO = [sys.executable, "-m", "companion.cli"]
GAME = '{"do": "draw"}\n'
PLAY = ["play", "--board", "sim", "--people", "2", "--speed", "0", "--rounds", "1", "--headless"]


def _run(command: list[str], redirection: str = "") -> subprocess.CompletedProcess[str]:
    script = f'"$@" {redirection}'
    return subprocess.run(
        ["sh", "-c", script, "sh", *TIPPO, *command], input=GAME, capture_output=True, text=True
    )


@pytest.mark.parametrize("command", [["--help"], ["referee"], ["firmware", "rule"]])
def test_a_full_disk_under_the_output_is_said(command: list[str]) -> None:
    ended = _run(command, ">/dev/full")
    assert ended.returncode == 1
    assert ended.stderr.startswith("tippo: the output cannot be written: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_is_nothing_to_read_or_nobody_who_reads(closed: str) -> None:
    ended = _run(["referee"], closed)
    assert ended.returncode == 0
    assert ended.stderr == ""


def test_commands_that_cannot_be_read_are_bad_input_and_not_the_outputs_fault() -> None:
    """A stick that is pulled out, say; nobody's memory can be read at 0 either."""
    ended = _run(["referee", "/proc/self/mem"])
    assert ended.returncode == 2
    assert ended.stderr == f"tippo: the commands cannot be read: {os.strerror(errno.EIO)}\n"


def test_a_full_disk_under_the_journal_is_said_at_the_end(tmp_path: Path) -> None:
    """The game went on, but what could not be kept is no success."""
    command = [*TIPPO, *PLAY, "--journal", str(tmp_path / "journal.sqlite"), "--new"]
    ended = subprocess.run(
        ["sh", "-c", 'ulimit -f 128; exec "$@"', "sh", *command], capture_output=True, text=True
    )
    assert ended.returncode == 1
    assert "journal.sqlite" in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "surroundings",
    [{}, {"DISPLAY": ":77"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"XDG_RUNTIME_DIR": "run"},
     {"DISPLAY": ":77", "XDG_RUNTIME_DIR": "/nowhere"}],
    ids=str,
)  # fmt: skip
def test_no_library_complains_about_a_display_that_is_not_there(
    surroundings: dict[str, str], tmp_path: Path
) -> None:
    """The graphics libraries have words of their own for it; and none paints for nobody."""
    kept = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "COLUMNS": "200"}
    ended = subprocess.run(
        [*TIPPO, "doctor", "--board", "sim", "--no-press"],
        capture_output=True,
        text=True,
        env={**kept, **surroundings},
    )
    assert (ended.returncode, ended.stderr) == (1, "")
    line = next(line for line in ended.stdout.splitlines() if " display " in line)
    assert "no window can be opened" in line or "there is none here" in line


def _ended(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert isinstance(ended.value.code, int)
    return ended.value.code, capfd.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["replay", "{}"],
        ["judge", "{}", "--calibration", "{}"],
        ["simulate", "{}", "--minutes", "0.1"],
        ["history", "--journal", "{}"],
        ["history", "--settings", "{}"],
        ["record", "{}", *PLAY[1:], "--journal", "{}"],
    ],
)
def test_a_name_that_no_file_can_have_is_refused(
    command: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    name = str(tmp_path / ("x" * 300))
    code, said = _ended([part.format(name) for part in command], capfd)
    assert code in (1, 2)
    assert said.count("\n") == 1
    assert os.strerror(errno.ENAMETOOLONG) in said


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e400", "-1", "", "ten"])
@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "nowhere", "--minutes"],
        ["calibrate", "--board", "sim", "--coin"],
        [*PLAY, "--speed"],
    ],
)
def test_what_is_no_number_within_its_bounds_is_bad_usage(
    command: list[str], number: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, said = _ended([*command, number], capfd)
    assert code == 2
    assert command[-1] in said


@pytest.mark.parametrize(
    "names",
    [["\udcff"], ["a\nb"], ["\x1b[31m"], [""], [" "], ["Kim", "Kim"], [f"P{n}" for n in range(9)]],
)
def test_names_that_no_table_can_have_are_bad_usage(
    names: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    journal = ["--journal", str(tmp_path / "journal.sqlite"), "--new"]
    code, said = _ended([*PLAY, *journal, *(f"--with={name}" for name in names)], capfd)
    assert code == 2
    assert said.count("\n") == 1
