"""Whatever stands in a TOML file, every reader of one refuses it in one sentence with its name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.config import load_settings
from companion.errors import BadInput, CalibrationError
from companion.recorded.files import read_table
from companion.scale.calibration import Calibration
from companion.scale.saved import load_calibration

READERS: dict[str, Callable[[Path], object]] = {
    "table.toml": lambda path: read_table(path.parent),
    "settings.toml": load_settings,
    "calibration.toml": Calibration.load,
    "saved.toml": load_calibration,
}

HOSTILE = {
    "no TOML": b"card_g 1.8",
    "no text": bytes(range(256)),
    "half a table": b"[deal",
    "a number too long to convert": b"zero = " + b"9" * 5000,
    "lists too deep": b"zero = " + b"[" * 5000,
    "tables too deep": b"zero = " + b"{a = " * 5000,
    "a byte of zero": b"card_g = 1.8\0",
    "a lone surrogate": rb'game = "\uD800"',
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_by_name(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises((BadInput, CalibrationError)) as refused:
        READERS[name](path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", READERS)
def test_a_folder_in_its_place_is_refused_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises((BadInput, CalibrationError), match=r"cannot.* read"):
        READERS[name](tmp_path / name)
