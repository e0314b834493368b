"""Adversity of chips and wires: which damage is done to which wire of a table, and how often.

How each kind of damage works is `sim.faults.damage`.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from companion.events import Sensor
from companion.units import COUNTS_MAX, COUNTS_MIN, Tray
from sim.faults import damage
from sim.faults.adversity import Adversity, Install, Table
from sim.faults.damage import Spells
from sim.setup import CELL


def _spells(
    table: Table,
    rng: Random,
    name: str,
    sensor: Sensor | None,
    gap_s: tuple[float, float],
    spell_s: tuple[float, float],
) -> Spells:
    return Spells(rng, gap_s, spell_s, table.note(name, sensor))


def _some_cell(rng: Random) -> Sensor:
    return CELL[rng.choice(list(Tray))]


def _words(name: str, chance: float, spoil: Callable[[Random, int], int]) -> Install:
    def install(table: Table, rng: Random) -> None:
        for sensor in CELL.values():
            fault = damage.DamagedWords(rng, chance, spoil, table.note(name, sensor))
            table.world.wiring.faults[sensor].append(fault)

    return install


def _value(name: str, value: Callable[[Random, int], int]) -> Install:
    def install(table: Table, rng: Random) -> None:
        sensor = _some_cell(rng)
        spells = _spells(table, rng, name, sensor, (20.0, 90.0), (2.0, 20.0))
        table.world.wiring.faults[sensor].append(damage.WrongValue(spells, value, rng))

    return install


def _silence(table: Table, rng: Random) -> None:
    sensor = _some_cell(rng)
    spells = _spells(table, rng, "silence", sensor, (20.0, 90.0), (0.4, 120.0))
    table.world.wiring.faults[sensor].append(damage.Silence(spells))


def _restart(table: Table, rng: Random) -> None:
    for sensor in CELL.values():
        nature = table.world.chips[sensor].nature
        hole_s = (0.36, 0.46) if nature.rate < 40.0 else (0.05, 0.46)
        spells = _spells(table, rng, "restart", sensor, (10.0, 60.0), hole_s)
        fault = damage.Restarts(spells, rng, nature.counts_per_gram)
        table.world.wiring.faults[sensor].append(fault)


def _always_ready(table: Table, rng: Random) -> None:
    sensor = _some_cell(rng)
    spells = _spells(table, rng, "always_ready", sensor, (20.0, 90.0), (2.0, 20.0))
    table.world.wiring.faults[sensor].append(damage.AlwaysReady(spells, rng))


def _swapped(table: Table, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    table.world.wiring.swapped = True
    table.note("swapped")(0.0, 0.0)


def _switch_stuck(name: str, shown: int) -> Install:
    def install(table: Table, rng: Random) -> None:
        spells = _spells(table, rng, name, Sensor.TILT, (20.0, 90.0), (12.0, 120.0))
        fault = damage.StuckSwitch(spells, shown)
        table.world.wiring.faults[Sensor.TILT].append(fault)

    return install


def _switch_chatters(table: Table, rng: Random) -> None:
    spells = _spells(table, rng, "switch_chatters", Sensor.TILT, (10.0, 60.0), (0.5, 20.0))
    fault = damage.ChatteringSwitch(spells, rng)
    table.world.wiring.faults[Sensor.TILT].append(fault)


def _no_switch(table: Table, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    table.world.wiring.switch_fitted = False
    table.note("no_switch")(0.0, 0.0)


def _late_bursts(table: Table, rng: Random) -> None:
    spells = _spells(table, rng, "late_bursts", None, (10.0, 60.0), (0.2, 20.0))
    table.world.wiring.link.append(damage.LateBurst(spells))


def _duplicates(table: Table, rng: Random) -> None:
    table.world.wiring.link.append(damage.Duplicates(rng, 0.02))


def _gaps(table: Table, rng: Random) -> None:
    spells = _spells(table, rng, "gaps", None, (5.0, 30.0), (0.05, 0.6))
    table.world.wiring.link.append(damage.Gaps(spells))


def _nothing(rng: Random, last: int) -> int:  # noqa: ARG001 - see WrongValue
    return 0


def _same(rng: Random, last: int) -> int:  # noqa: ARG001 - see WrongValue
    return last


def _all_ones(rng: Random, last: int) -> int:  # noqa: ARG001 - see WrongValue
    return COUNTS_MAX


def _an_end(rng: Random, last: int) -> int:  # noqa: ARG001 - see WrongValue
    return rng.choice((COUNTS_MIN, COUNTS_MAX))


_WIRES: Mapping[str, tuple[str, Install]] = MappingProxyType(
    {
        "spikes": (
            "Words whose rest reads as ones, 2^n-1.",
            _words("spikes", 0.01, damage.rest_ones),
        ),
        "outliers": (
            "Single readings from nowhere.",
            _words("outliers", 0.005, damage.outlier),
        ),
        "saturation": ("A cell sits at an end of its range.", _value("saturation", _an_end)),
        "constant_zero": ("A chip says 0 for a while.", _value("constant_zero", _nothing)),
        "constant": ("A chip repeats itself for a while.", _value("constant", _same)),
        "all_ones": ("A chip says 0x7FFFFF for a while.", _value("all_ones", _all_ones)),
        "always_ready": ("A chip is unplugged and reads 120-170 times a second.", _always_ready),
        "silence": ("A cell is silent for 0.4 s to minutes.", _silence),
        "restart": ("Chips restart, with four bad conversions.", _restart),
        "swapped": ("The trays' plugs are swapped.", _swapped),
        "switch_closed": ("The tilt switch sticks closed.", _switch_stuck("switch_closed", 1)),
        "switch_open": ("The tilt switch sticks open.", _switch_stuck("switch_open", 0)),
        "switch_chatters": ("The tilt switch chatters.", _switch_chatters),
        "no_switch": ("No tilt switch is fitted.", _no_switch),
        "late_bursts": ("Samples arrive late, in a burst.", _late_bursts),
        "duplicates": ("Samples arrive twice.", _duplicates),
        "gaps": ("Samples are lost on the way.", _gaps),
    }
)

WIRES = tuple(
    Adversity(name, "chips and wires", sentence, install=install)
    for name, (sentence, install) in _WIRES.items()
)
