"""The command `tippo simulate`: what it writes, lists and refuses."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.units import Tray
from sim.faults import CATALOGUE


def run(*arguments: str) -> int:
    try:
        main(["simulate", *arguments])
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    return 0


def test_it_writes_a_table_with_the_faults_that_were_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "table"
    asked = ("--seed", "3", "--sps", "10", "--minutes", "0.2", "--fault", "press", "--gzip")
    assert run(str(out), *asked, "--fault", "spikes", "--mode", "quick", "--players", "3") == 0
    assert (out / "samples.csv.gz").exists()
    truth = (out / "truth.jsonl").read_text().splitlines()[0]
    assert '"faults": ["press", "spikes"]' in truth
    table = (out / "table.toml").read_text()
    assert "press" not in table
    assert 'mode = "quick"' in table
    assert all(f"[calibration.{tray}]" in table for tray in Tray)


def test_it_lists_every_fault_with_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--list-faults") == 0
    listed = capsys.readouterr().out
    for name, adversity in CATALOGUE.items():
        assert name in listed
        assert adversity.sentence in listed


@pytest.mark.parametrize(
    "arguments", [("--fault", "earthquake"), ("--players", "11"), ("--sps", "20"), ()]
)
def test_bad_usage_is_refused_with_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = (str(tmp_path / "table"),) if arguments else ()
    assert run(*out, *arguments) == 2


def test_a_folder_that_is_in_use_is_refused_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("x")
    assert run(str(tmp_path), "--minutes", "0.1") == 1
    assert "not empty" in capsys.readouterr().err
