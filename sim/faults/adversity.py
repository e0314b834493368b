"""What an adversity is: a name, a sentence, a change of the set-up, something installed at a table.

It never acts by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from companion.events import Sensor
from sim.faults.damage import Note
from sim.faults.incidents import Incident
from sim.habits import Habits
from sim.setup import Setup
from sim.witness import Witness
from sim.world import World


@dataclass(slots=True)
class Table:
    """What an adversity may get at when a table is laid."""

    world: World
    witness: Witness
    habits: Habits
    incidents: list[Incident]

    def note(self, name: str, sensor: Sensor | None = None) -> Note:
        """Notes a spell of this adversity in the truth."""
        about = {} if sensor is None else {"sensor": sensor.value}
        return lambda begin_s, end_s: self.witness.note(
            begin_s, "adversity", name=name, until=round(end_s, 4), **about
        )


Change: TypeAlias = Callable[[Setup, Random], Setup]
Install: TypeAlias = Callable[[Table, Random], None]


@dataclass(frozen=True, slots=True)
class Adversity:
    """One named thing that can make a table hard to judge."""

    name: str
    group: str
    sentence: str
    change: Change | None = None
    install: Install | None = None
