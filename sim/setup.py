"""Everything that is given about a simulated scale before anybody touches it.

It never changes once time has begun, but for what a fault does to a cell.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from companion.events import Sensor
from companion.units import Tray
from sim.beam import BeamShape
from sim.cells import CellNature
from sim.switch import SwitchNature
from sim.trays import Cardboard

CELL: Mapping[Tray, Sensor] = {Tray.LEFT: Sensor.LEFT, Tray.RIGHT: Sensor.RIGHT}

SIDE: Mapping[Tray, int] = {Tray.LEFT: -1, Tray.RIGHT: 1}
"""The sign of the angle at which this tray is down."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that is given about a scale before anybody touches it."""

    shape: BeamShape
    cells: Mapping[Tray, CellNature]
    switch: SwitchNature
    deck: CellNature | None
    cardboard: Cardboard
    cross_talk: float = 0.0
    """Which part of one tray's load the other cell feels through the base."""
    common_clock: bool = False
    """Both chips convert at the same moments."""
    latency_s: float = 0.0004
    """Mean time from a conversion to its arrival at the host."""

    @classmethod
    def from_seed(cls, seed: int | str, sps: int, *, deck: bool = False) -> "Setup":
        """A scale as somebody may have built it."""
        rng = Random(f"{seed}/setup")  # noqa: S311 - a simulation, nothing secret
        return cls(
            shape=BeamShape.built_by_hand(rng),
            cells={tray: CellNature.found_in_a_drawer(sps, rng) for tray in Tray},
            switch=SwitchNature(angle=rng.uniform(0.165, 0.2)),
            deck=CellNature.found_in_a_drawer(sps, rng) if deck else None,
            cardboard=Cardboard(grams=rng.uniform(1.72, 1.82)),
        )
