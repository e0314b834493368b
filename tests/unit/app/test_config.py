"""The settings file: defaults that work, and every wrong key or value named in one sentence."""

from pathlib import Path

import pytest

from companion.config import Settings, load_settings, places
from companion.errors import BadInput


def test_without_a_file_everything_has_a_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_settings() == Settings()
    assert places(Settings()).settings == tmp_path / "tippo" / "settings.toml"


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        """
        board = "pico"
        [pico]
        port = "/dev/serial/by-id/usb-Tippo"
        [table]
        players = ["Ann", "Ben"]
        mode = "quick"
        options = { settle_seconds = 8 }
        [files]
        journal = "evenings.sqlite"
        [display]
        fullscreen = true
        width = 1024
        height = 600
        turn = 90
        dim_after = 60
        """
    )
    settings = load_settings(path)
    assert settings.board == "pico"
    assert settings.of_board("pico") == {"port": "/dev/serial/by-id/usb-Tippo"}
    assert settings.table.players == ("Ann", "Ben")
    assert settings.table.options == {"settle_seconds": 8}
    assert settings.display.size == (1024, 600)
    assert (settings.display.turn, settings.display.dim_after) == (90, 60)
    assert places(settings, path).journal == tmp_path / "evenings.sqlite"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('board = "sim"', "board"),
        ("colour = 1", "colour"),
        ('[table]\nmode = "slow"', "table.mode"),
        ("[table]\nplayers = [3]", "table.players"),
        ("[display]\nwidth = 800", "`width` and `height` go together"),
        ("[display]\nwidth = 80\nheight = 480", "display.width"),
        ("[display]\nwidth = 800\nheight = 99999", "display.height"),
        ("[display]\nturn = 45", "display.turn"),
        ("[display]\ndark_after = -1", "display.dark_after"),
        ("[files]\njournal = 7", "files.journal"),
        ('[files]\njournal = ""', "files.journal"),
        ('[files]\ncalibration = ""', "files.calibration"),
        ("[table", "no TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(BadInput) as raised:
        load_settings(path)
    assert complaint in str(raised.value)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no settings at"):
        load_settings(tmp_path / "settings.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="no UTF-8"):
        load_settings(tmp_path / "binary.toml")
