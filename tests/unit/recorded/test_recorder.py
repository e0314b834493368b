"""A recording is kept line by line, and never stands in the way of the game."""

import errno
import os
from pathlib import Path

import pytest

from companion.events import FaultKind, Sample, Sensor, SensorFault
from companion.games.commands import Deal, Draw, Start
from companion.recorded.recorder import Recorder
from companion.recorded.replay import replay
from companion.table.taps import Mode, Said, Tap
from companion.units import Counts, MonoSeconds

TOLD: tuple[Said, ...] = (Start(game="classic", players=("Ann", "Ben")), Deal(top="R5"), Draw())


def tell(recorder: Recorder, *told: Said) -> None:
    for second, said in enumerate(told):
        recorder.tap(Tap(MonoSeconds(second), said), Mode.FULL)


def test_what_was_told_is_on_the_disk_before_the_recording_ends(tmp_path: Path) -> None:
    """A pulled plug costs one line at most."""
    recorder = Recorder(tmp_path / "table", None)
    tell(recorder, *TOLD)
    ruled = [line["ruling"] for line in replay(tmp_path / "table")]
    assert ruled == ["dealt", "dealt", "turn", "drawn"]
    recorder.close()


def test_a_fault_that_the_board_reports_has_a_row_without_a_reading(tmp_path: Path) -> None:
    """Nothing stands in for what was lost; that time has passed without it is known."""
    folder = tmp_path / "table"
    recorder = Recorder(folder, None)
    recorder.reading(Sample(mono_s=MonoSeconds(1.0), left=Counts(5), right=Counts(7), tilt=True))
    lost = SensorFault(
        mono_s=MonoSeconds(2.5), sensor=Sensor.LEFT, kind=FaultKind.SILENT, detail="no answer"
    )
    recorder.reading(lost)
    recorder.close()
    rows = (folder / "samples.csv").read_text(encoding="utf-8").splitlines()
    assert rows == ["t,left,right,tilt", "1.0,5,7,1", "2.5,,,1"]


@pytest.mark.parametrize("full", ["samples.csv", "taps.jsonl", "table.toml"])
def test_a_full_disk_ends_the_recording_and_not_the_game(tmp_path: Path, full: str) -> None:
    """Every file in turn is one that takes nothing; why is said in one sentence."""
    folder = tmp_path / "table"
    folder.mkdir()
    recorder = Recorder(folder, None)
    (folder / full).unlink(missing_ok=True)
    (folder / full).symlink_to("/dev/full")
    if full != "table.toml":
        recorder.close()
        recorder._samples = recorder._open("samples.csv")
        recorder._taps = recorder._open("taps.jsonl")
    for second in range(3):
        recorder.reading(Sample(mono_s=MonoSeconds(second)))
        tell(recorder, *TOLD)
    assert recorder.broken == f"the recording in {folder} broke off: {os.strerror(errno.ENOSPC)}"
    recorder.close()
