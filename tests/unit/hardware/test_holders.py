"""Who has a device open is told to whoever finds it taken."""

from pathlib import Path

from hardware.holders import holders


def test_who_holds_a_port_is_found_by_name_and_number(tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    process = tmp_path / "proc" / "712"
    (process / "fd").mkdir(parents=True)
    (process / "fd" / "4").symlink_to(device)
    (process / "comm").write_text("ModemManager\n")
    (tmp_path / "proc" / "self").mkdir()
    assert holders(device, tmp_path / "proc") == ["ModemManager (712)"]
