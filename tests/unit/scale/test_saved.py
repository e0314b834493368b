"""The calibration's file is whole or refused, and the one before is never lost."""

import operator
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CalibrationError
from companion.scale.calibration import Calibration, CellCalibration, DeckCalibration
from companion.scale.saved import SavedCalibration, load_calibration, save_calibration

SAVED = SavedCalibration(
    Calibration(
        card_g=1.80,
        left=CellCalibration(zero=83211, counts_per_gram=2140.5, tray_g=28.0),
        right=CellCalibration(zero=-40122, counts_per_gram=-2098.0),
        deck=DeckCalibration(zero=0, counts_per_gram=1050.0),
    ),
    board="pico e6614104031f2b37",
    tilt_rests_closed=True,
    made='2026-05-01T20:15:00+00:00 "at the table"',
)

signed = st.sampled_from((1.0, -1.0))


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "calibration.toml"
    save_calibration(path, SAVED)
    assert load_calibration(path) == SAVED


@settings(deadline=None)  # the disk is waited for
@given(
    zero=st.floats(-1e9, 1e9),
    gram=st.builds(operator.mul, signed, st.floats(0.001, 1e9)),
    card=st.floats(0.1, 1000),
)
def test_numbers_are_kept_to_the_last_bit(zero: float, gram: float, card: float) -> None:
    cell = CellCalibration(zero=zero, counts_per_gram=gram)
    saved = SavedCalibration(Calibration(card_g=card, left=cell, right=cell), "gpio", False, "now")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calibration.toml"
        save_calibration(path, saved)
        assert load_calibration(path) == saved


def test_the_one_before_is_kept_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(path, SAVED)
    before = path.read_text()
    save_calibration(path, SavedCalibration(SAVED.calibration, "gpio", False, "later"))
    assert path.with_name("calibration.toml.previous").read_text() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "calibration.toml",
        "calibration.toml.previous",
    ]


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match=r"not been calibrated yet: run `tippo calibrate`"):
        load_calibration(tmp_path / "calibration.toml")


def test_any_changed_letter_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(path, SAVED)
    text = path.read_text()
    for place in range(text.index("checksum = "), len(text)):
        changed = "8" if text[place] != "8" else "9"
        path.write_text(text[:place] + changed + text[place + 1 :])
        with pytest.raises(CalibrationError, match="is damaged: run `tippo calibrate`"):
            load_calibration(path)


@pytest.mark.parametrize("kept", [0, 1, 100, 300, 400])
def test_a_file_that_was_cut_is_noticed(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(path, SAVED)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(CalibrationError, match="is damaged"):
        load_calibration(path)


def test_where_there_is_one_before_it_is_offered(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(path, SAVED)
    save_calibration(path, SAVED)
    path.write_text("?")
    with pytest.raises(CalibrationError, match=r"go back to the one before: mv .*previous"):
        load_calibration(path)


def test_a_file_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(path, SAVED)
    before = path.read_text()
    (tmp_path / "calibration.toml.new").mkdir()
    with pytest.raises(CalibrationError, match="cannot be written"):
        save_calibration(path, SAVED)
    assert path.read_text() == before


def test_another_boards_calibration_is_refused() -> None:
    SAVED.check_board("pico e6614104031f2b37")
    with pytest.raises(CalibrationError, match=r"for the board 'pico e66.*', but 'gpio' is on"):
        SAVED.check_board("gpio")
