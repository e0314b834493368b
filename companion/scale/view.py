"""What the display may show of the scale at this moment.

It never decides anything: counts here are the judge's, weights are the cells'.
"""

from dataclasses import dataclass

from companion.events import FaultKind, Sensor
from companion.units import Grams, Tray


@dataclass(frozen=True, slots=True)
class TrayView:
    """One tray: `grams` is its net weight now, None while its cell cannot be believed."""

    grams: Grams | None
    cards: int | None
    """None before the first rest."""
    resting: bool


@dataclass(frozen=True, slots=True)
class ScaleView:
    """Both trays, the beam, and what is broken."""

    left: TrayView
    right: TrayView
    tilted: bool
    """The tilt switch, debounced; without one, what the cells show."""
    tipping: bool
    """True from a `tip` to its `wobble` or `spill`."""
    faults: tuple[tuple[Sensor, FaultKind], ...]

    @property
    def resting(self) -> bool:
        return self.left.resting and self.right.resting and not self.tilted

    def tray(self, tray: Tray) -> TrayView:
        return self.left if tray is Tray.LEFT else self.right
