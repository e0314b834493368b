"""Virtual machines under the whole command `tippo play`: a Pi's header, a Pico on its port.

Only clock, threads, header and port are virtual; everything that runs on them is what runs at a
table. No machine knows what is played on it.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.bench.rounds import chips_of, feed, plugged_in
from companion.scale.calibration import Calibration
from companion.scale.saved import SavedCalibration, save_calibration
from hardware.wiring import Wiring
from sim.board import SimulatedTable
from sim.pin_factory import PI_3B
from sim.pins import PinBank, VirtualTime, installed


@dataclass(frozen=True)
class Machine:
    """What people would write of it in the settings, and by what its calibration knows it."""

    identity: str
    settings: str = ""


@contextmanager
def header(time: VirtualTime, table: SimulatedTable, _folder: Path) -> Iterator[Machine]:
    """A Pi: gpiozero and the hx711 package find its `RPi.GPIO` by themselves."""
    bank, wiring = PinBank(time), Wiring()
    chips = chips_of(table, time)
    for chip, pins in zip(chips, wiring.cells().values(), strict=True):
        bank.connect(chip, dout=pins.dout, sck=pins.sck)
    assert wiring.tilt is not None
    tilt = wiring.tilt
    feed(time, table, chips, lambda tilted: bank.drive(tilt, False if tilted else None))
    with installed(bank), pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_3B)
        yield Machine("gpio")


@contextmanager
def port(time: VirtualTime, table: SimulatedTable, folder: Path) -> Iterator[Machine]:
    """A computer with a Pico, which is named in the settings."""
    with plugged_in(time, table, chips_of(table, time), folder) as pico:
        yield Machine(f"pico {pico.board_id}", f'[pico]\nport = "{pico.link}"\n')


MACHINES: dict[
    str, Callable[[VirtualTime, SimulatedTable, Path], AbstractContextManager[Machine]]
] = {"gpio": header, "pico": port}


@contextmanager
def set_up(
    board: str, time: VirtualTime, table: SimulatedTable, folder: Path
) -> Iterator[tuple[str, ...]]:
    """A calibrated machine of which these people are known; the options of `tippo play` there."""
    with (
        MACHINES[board](time, table, folder) as machine,
        pytest.MonkeyPatch.context() as patch,
    ):
        known = Calibration.from_toml(table.calibration)
        saved = SavedCalibration(known, machine.identity, False, "one evening")
        save_calibration(folder / "calibration.toml", saved)
        settings = folder / "settings.toml"
        settings.write_text(
            f'{machine.settings}[files]\njournal = "journal.sqlite"\n'
            f'calibration = "calibration.toml"\n'
            f"[table]\nplayers = {list(table.party.plan.players)}\n"
        )
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        patch.setattr("companion.sitting.machine_clock", lambda: time)
        patch.setattr("hardware.tasks.Threads", time.tasks)
        yield ("--board", board, "--settings", str(settings))
