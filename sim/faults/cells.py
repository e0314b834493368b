"""Adversity of the load cells: noise, drift, creep, heat, a wrong calibration, odd clocks.

It changes what a cell is like before the table begins; nothing here touches a single reading.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from companion.units import Tray
from sim.cells import CellNature
from sim.faults.adversity import Adversity, Change, Table
from sim.faults.incidents import Ramps
from sim.setup import Setup


def _cells(alter: Callable[[CellNature, Random], None]) -> Change:
    def change(setup: Setup, rng: Random) -> Setup:
        cells = {tray: replace(nature) for tray, nature in setup.cells.items()}
        for nature in cells.values():
            alter(nature, rng)
        return replace(setup, cells=cells)

    return change


def _noisy(nature: CellNature, rng: Random) -> None:
    nature.noise_counts *= rng.uniform(2.0, 5.0)


def _creeping(nature: CellNature, rng: Random) -> None:
    nature.creep, nature.creep_s = rng.uniform(0.03, 0.08), rng.uniform(200.0, 500.0)


def _warm(nature: CellNature, rng: Random) -> None:
    nature.ripple_g, nature.ripple_s = rng.uniform(0.5, 3.0), rng.uniform(200.0, 900.0)


def _misjudged(nature: CellNature, rng: Random) -> None:
    nature.gain_error = rng.choice((-1.0, 1.0)) * rng.uniform(0.01, 0.05)


def _one_upside_down(setup: Setup, rng: Random) -> Setup:
    tray = rng.choice(list(Tray))
    nature = setup.cells[tray]
    turned = replace(nature, counts_per_gram=-nature.counts_per_gram)
    return replace(setup, cells={**setup.cells, tray: turned})


def _unequal_rates(setup: Setup, rng: Random) -> Setup:
    slow, fast = (10.2, 11.6) if setup.cells[Tray.LEFT].rate < 40.0 else (82.0, 94.0)
    trays = rng.sample(list(Tray), 2)
    rates = dict(zip(trays, (slow, fast), strict=True))
    cells = {tray: replace(nature, rate=rates[tray]) for tray, nature in setup.cells.items()}
    return replace(setup, cells=cells)


def _drifting(table: Table, rng: Random) -> None:
    table.incidents.append(Ramps(table.world, table.witness, rng))


CELLS = (
    Adversity("noise", "cells", "The cells have two to five times their noise.", _cells(_noisy)),
    Adversity("drift", "cells", "A cell drifts, up to 0.2 g a second.", install=_drifting),
    Adversity("creep", "cells", "A loaded cell creeps by grams over minutes.", _cells(_creeping)),
    Adversity("temperature", "cells", "The temperature moves the zero.", _cells(_warm)),
    Adversity(
        "cross_talk",
        "cells",
        "Each cell feels some of the other tray's load through the base.",
        lambda setup, rng: replace(setup, cross_talk=rng.uniform(0.01, 0.06)),
    ),
    Adversity("gain_error", "cells", "The calibration is off by 1-5 %.", _cells(_misjudged)),
    Adversity("upside_down", "cells", "A cell is mounted upside down.", _one_upside_down),
    Adversity("unequal_rates", "cells", "The chips' rates are far apart.", _unequal_rates),
    Adversity(
        "common_clock",
        "cells",
        "Both chips convert at the same moments.",
        lambda setup, rng: replace(setup, common_clock=True),  # noqa: ARG005 - nothing to choose
    ),
)
