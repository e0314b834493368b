"""Drawing a recorded table: a picture is written, and what is missing is said in a sentence."""

import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import tippo
from companion.errors import BadInput, Refused
from companion.recorded.plot import plot
from sim.party import Plan
from sim.recording import record

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "evening"
    record(Plan(seed=3, sps=10), folder, minutes=0.5)
    return folder


@pytest.fixture
def table(evening: Path, tmp_path: Path) -> Path:
    """A recorded table that a test may spoil."""
    return Path(shutil.copytree(evening, tmp_path / "table"))


def test_replay_draws_a_recorded_table(table: Path) -> None:
    """`tippo replay --plot DIR` writes DIR/plot.png and says where it is."""
    done = CliRunner().invoke(tippo, ["replay", "--plot", str(table)])
    assert done.exit_code == 0, done.output
    assert done.output.strip() == str(table / "plot.png")
    assert (table / "plot.png").read_bytes().startswith(PNG)


def test_a_table_of_people_has_no_truth_and_is_drawn_all_the_same(table: Path) -> None:
    """Only a simulator writes truth.jsonl."""
    (table / "truth.jsonl").unlink()
    assert plot(table, table / "picture.png").read_bytes().startswith(PNG)


@pytest.mark.parametrize("line", [b'{"t": 3}', b"{", b"3", b'{"t": 1, "truth": "\xff"}'])
def test_a_damaged_truth_is_refused_with_its_line(table: Path, line: bytes) -> None:
    """What is no truth of a simulator is named by file and line."""
    with (table / "truth.jsonl").open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(BadInput, match=r"line \d+: .*truth\.jsonl"):
        plot(table, table / "picture.png")


def test_a_table_without_samples_has_nothing_to_draw(table: Path) -> None:
    """An empty trace is said, not drawn."""
    (table / "samples.csv").write_text("t,left,right,tilt\n", encoding="utf-8")
    with pytest.raises(BadInput, match="nothing to draw"):
        plot(table, table / "picture.png")


def test_a_picture_that_cannot_be_written_is_refused(table: Path) -> None:
    """The reason is the system's own."""
    with pytest.raises(Refused, match="cannot be written"):
        plot(table, table / "no" / "picture.png")


def test_without_matplotlib_the_way_to_get_it_is_said(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra: the sentence names the command that installs it."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(Refused, match=r"pip install 'tippo-companion\[plot\]'"):
        plot(table, table / "picture.png")
