"""The cell under the draw pile: how many cards were drawn from it.

It never says who drew them, and a heavier pile is no event.
"""

import math

from companion.events import Drawn, Sensed, Sensor
from companion.scale.calibration import DeckCalibration
from companion.scale.signal import Cell
from companion.units import MonoSeconds

DRAWN_REST_S = 0.2
HAND_REST_S = 2.0
LEANING_CARDS = 0.3
FEW_CARDS = 10
"""The most that one hand draws at a time, with room for two penalties at once."""


class Deck:
    """Counts the cards that leave the pile, by steps between rests."""

    def __init__(self, calibration: DeckCalibration, card_g: float) -> None:
        self.cell = Cell(Sensor.DECK, calibration, card_g)
        self._card_g = card_g

    def step(self, host_s: float) -> list[Sensed]:
        cell, flat = self.cell, self.cell.flat
        if self.cell.health.blind or not cell.moving or flat is None:
            return []
        if cell.base is None:
            cell.settle(flat)
            return []
        step_g = flat.level_g - cell.base.at(flat.until_s)
        drawn = max(0, round(-step_g / self._card_g))
        left_over_g = step_g + drawn * self._card_g
        if flat.until_s - cell.rest_since_s < self._patience_s(drawn, left_over_g):
            return []
        began_s, noise_g = min(cell.left_base_s(math.inf), host_s), cell.sigma_g
        cell.settle(flat)
        if drawn == 0:
            return []
        return [
            Drawn(
                began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s),
                reasons=(f"the pile is {-step_g:.2f} g lighter, noise {noise_g:.3f} g",),
                count=drawn,
            )
        ]  # fmt: skip

    def _patience_s(self, drawn: int, left_over_g: float) -> float:
        """How long the pile must rest to be believed: a hand that lies on it is heavy too."""
        if abs(left_over_g) > LEANING_CARDS * self._card_g or drawn > FEW_CARDS:
            return HAND_REST_S
        return DRAWN_REST_S
