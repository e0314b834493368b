"""The cards in one tray: how many, what one weighs, and what a rest after a motion says of it.

It never decides that the scale tipped, and never looks at the other tray.
"""

import math
from dataclasses import dataclass

from companion.events import Sensor
from companion.scale.calibration import TYPICAL_TRAY_G, CellCalibration
from companion.scale.signal import Cell, Flat
from companion.scale.weighing import Seen
from companion.units import Tray

TOUCH_CARDS = 0.5
"""A push or pull beyond half a card is no drift."""
UNSURE_DRIFT_G_PER_S = 0.05
"""How well the drift of a frozen base is known: measured, 0.02-0.03 g in a second or two."""
QUICK_S = 0.08
LEANING_CARDS = 0.25
"""A remainder beyond this is no noise: a card that leans, a hand that still holds."""


@dataclass(frozen=True, slots=True)
class Contact:
    """What touched a tray since it last rested."""

    began_s: float
    up: bool
    push_g: float
    pull_g: float


class TrayCards:
    """One tray's cards, counted by steps from its first rest on."""

    def __init__(self, tray: Tray, calibration: CellCalibration, card_g: float) -> None:
        self.tray = tray
        self.cell = Cell(Sensor(tray.value), calibration, card_g)
        self.card_g = card_g
        self._nominal_card_g = card_g
        self.tray_g = TYPICAL_TRAY_G if calibration.tray_g is None else calibration.tray_g
        self.cards = 0
        self.known = False
        self.leaning_g = 0.0
        """Weight that the count does not explain: part of a card that leans, below or above 0."""
        self._leaning_since_s = -math.inf

    @property
    def gross_g(self) -> float:
        return self.tray_g + self.cards * self.card_g

    @property
    def sighted(self) -> bool:
        """True if this tray can be judged by its weight."""
        return self.known and not self.cell.health.blind

    def rest(self) -> Flat | None:
        """Where the weight holds still now, or None."""
        if self.cell.health.blind:
            return None
        cell = self.cell
        if cell.moving:
            return cell.flat
        if cell.base is None:
            return None
        now_s = cell.cadence.sampled_s
        return Flat(cell.base.at(now_s), cell.rest_since_s, now_s, 20, cell.sigma_g)

    def seen(self, flat: Flat) -> Seen:
        """What this tray shows now against its frozen base."""
        cell = self.cell
        assert cell.base is not None
        gap_s = max(0.0, flat.until_s - cell.base.at_s) if cell.moving else 0.0
        noise_g = max(cell.sigma_g, flat.sigma_g) * math.sqrt(1 / max(1, flat.readings) + 0.1)
        sigma_g = math.hypot(noise_g, 0.04 * self.card_g, UNSURE_DRIFT_G_PER_S * gap_s)
        return Seen(
            before_g=cell.base.at(flat.until_s) - self.leaning_g,
            now_g=flat.level_g,
            gross_g=self.gross_g,
            cards=self.cards,
            card_g=self.card_g,
            sigma_g=sigma_g,
            touched=self.touched,
            still=not cell.moving,
        )

    @property
    def touched(self) -> bool:
        limit = TOUCH_CARDS * self.card_g
        return self.cell.moving and (self.cell.push_g > limit or self.cell.pull_g < -limit)

    def contact(self) -> Contact | None:
        """What pushes or pulls at this tray and is not resolved yet."""
        cell = self.cell
        if not cell.moving or cell.base is None or not self.touched:
            return None
        return Contact(cell.onset_s, cell.onset_up is not False, cell.push_g, cell.pull_g)

    def quick(self) -> Flat | None:
        """What it weighs now, if that holds still at all: in a falling scale nothing rests long."""
        if self.cell.moving:
            return self.cell.flat or self.cell.quick(QUICK_S)
        return self.rest()

    def first_touch_s(self, change: int) -> float:
        """When a card that is counted only now was first touched: it may have leaned for long."""
        if self.leaning_g * change > 0:
            return self._leaning_since_s
        return self.cell.onset_s

    def begin(self, flat: Flat) -> None:
        """Counts the cards that lie there at the first rest, from the absolute weight."""
        self.cards = max(0, round(flat.level_g / self.card_g))
        self.known = True
        self.cell.settle(flat.level_g)

    def accept(self, flat: Flat, change: int, left_over_g: float) -> None:
        """Takes a rest as explained: `change` cards more, and what no count explains."""
        if change in (1, -1) and abs(left_over_g) < 0.15 * self.card_g and not self.leaning_g:
            step_g = self.card_g + change * left_over_g
            self.card_g += 0.1 * (step_g - self.card_g)
            low, high = 0.85 * self._nominal_card_g, 1.15 * self._nominal_card_g
            self.card_g = min(max(self.card_g, low), high)
        self.cards += change
        leans = abs(left_over_g) > LEANING_CARDS * self.card_g
        if leans and not self.leaning_g:
            self._leaning_since_s = self.cell.onset_s
        self.leaning_g = left_over_g if leans else 0.0
        if self.cell.moving:
            self.cell.settle(flat.level_g)

    def expect(self, change: int) -> None:
        """Counts cards that are in the tray although it has not come to rest with them."""
        self.cards += change
        base = self.cell.base
        assert base is not None
        self.cell.base = base._replace(level_g=base.level_g + change * self.card_g)
