"""Putting the firmware on a Pico: the board must say its new version, or we say why not."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.errors import BoardError, Refused
from hardware.firmware import firmware_folder
from hardware.install import copy_command, install, run_command, status
from tests.contract.benches import PtyBench, pty_bench


@pytest.fixture
def bench() -> Iterator[PtyBench]:
    with pty_bench() as bench:
        yield bench


class Copier:
    """Takes the place of mpremote: the real one is run on an emulated Pico (tests/emulated)."""

    def __init__(self, bench: PtyBench, *, starts: bool = True) -> None:
        self.commands: list[Sequence[str]] = []
        self._bench = bench
        self._starts = starts

    def __call__(self, command: Sequence[str]) -> None:
        self.commands.append(command)
        if self._starts:
            self._bench.pico.restart()


def comes_back(bench: PtyBench) -> None:
    """After `maintain` the board leaves the bus and is back a second later, without firmware."""

    def step() -> float:
        if bench.pico.left_for == "maintain" and not bench.pico.link.exists():
            bench.pico.plug_in()
            bench.pico.hang()
        return 1.0

    bench.time.tasks().start("returns", step)


def by_id(bench: PtyBench) -> Path:
    return bench.pico.link.parent


def test_a_running_board_makes_room_is_copied_to_and_says_its_version(bench: PtyBench) -> None:
    copier = Copier(bench)
    comes_back(bench)
    banner = install(bench.time, by_id=by_id(bench), run=copier)
    assert bench.pico.left_for == "maintain"
    assert banner.firmware == "1.0.0"
    (command,) = copier.commands
    assert command[-1] == "reset"
    assert str(bench.pico.link) in command


def test_nothing_is_promised_before_the_pico_is_found(tmp_path: Path, bench: PtyBench) -> None:
    bench.pico.hang()
    told: list[str] = []
    with pytest.raises(BoardError, match="no Pico with MicroPython is plugged in"):
        install(bench.time, by_id=tmp_path, run=Copier(bench), say=told.append)
    assert told == []
    install(bench.time, by_id=by_id(bench), run=Copier(bench), say=told.append)
    assert told == [f"Copying the firmware to the Pico on {bench.pico.link} ..."]


def test_a_board_that_had_none_is_copied_to_at_once(bench: PtyBench) -> None:
    bench.pico.hang()
    copier = Copier(bench)
    install(bench.time, by_id=by_id(bench), run=copier)
    assert bench.pico.left_for is None


def test_main_is_copied_last_and_every_module_before_it() -> None:
    command = copy_command(Path("/dev/ttyACM0"), firmware_folder())
    copied = [word for word in command if word.endswith(".py") and not word.startswith(":")]
    assert copied[-1].endswith("main.py")
    assert {Path(name).stem for name in copied[:-1]} == {
        "__init__", "board", "cell", "hx711_pio", "loop", "signals", "wire",
    }  # fmt: skip


def test_a_board_that_stays_silent_afterwards_is_named(bench: PtyBench) -> None:
    bench.pico.hang()
    with pytest.raises(Refused, match=r"firmware 1\.0\.0 was copied, but the board .*not answer"):
        install(bench.time, by_id=by_id(bench), run=Copier(bench, starts=False))


def test_a_board_with_another_version_afterwards_is_named(
    bench: PtyBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.pico.hang()
    monkeypatch.setattr("tippo.wire.FIRMWARE", "0.9.0")
    with pytest.raises(Refused, match=r"says that it runs 0\.9\.0: unplug it"):
        install(bench.time, by_id=by_id(bench), run=Copier(bench))


def test_a_board_that_does_not_come_back_to_be_copied_to_is_named(bench: PtyBench) -> None:
    with pytest.raises(Refused, match="did not come back: unplug it, plug it in and try again"):
        install(bench.time, by_id=by_id(bench), run=Copier(bench))


def test_a_failing_mpremote_is_told_with_its_last_words() -> None:
    with pytest.raises(Refused, match=r"it said 'no device': if the Pico has no MicroPython yet"):
        run_command(["sh", "-c", "echo trying; echo no device >&2; exit 1"])


def test_without_mpremote_it_says_what_to_install(
    bench: PtyBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.install.find_spec", lambda _: None)
    with pytest.raises(Refused, match=r"pip install 'tippo-companion\[pico\]'"):
        install(bench.time, by_id=by_id(bench))


def test_a_pico_that_waits_as_a_drive_is_told_from_none(
    tmp_path: Path, bench: PtyBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = tmp_path / "RPI-RP2"
    drive.mkdir()
    monkeypatch.setattr("hardware.install.BOOT_DRIVES", {drive: "Pico"})
    with pytest.raises(BoardError, match="a Pico waits for MicroPython as the drive RPI-RP2"):
        status(bench.time, by_id=tmp_path / "empty")


def test_status_tells_each_board_in_a_sentence(bench: PtyBench) -> None:
    (board,) = status(bench.time, by_id=by_id(bench))
    assert board.sentence.endswith(
        "Pico e6614104031f2b37 runs firmware 1.0.0 (protocol 1; cells left, right)."
    )
    bench.pico.hang()
    (board,) = status(bench.time, by_id=by_id(bench))
    assert board.sentence.endswith("run 'tippo firmware install'")
