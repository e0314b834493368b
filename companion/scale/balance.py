"""Both trays and the switch together: what the whole scale shows now.

It never decides what happened; it answers questions about weights.
"""

from collections.abc import Sequence

from companion.scale.calibration import Calibration
from companion.scale.signal import Flat
from companion.scale.switch import TiltSwitch
from companion.scale.trays import TrayCards
from companion.scale.weighing import Tilt, Weighed, weigh
from companion.units import Tray


class Balance:
    """The scale's state as far as it is known."""

    def __init__(self, calibration: Calibration) -> None:
        self.left = TrayCards(Tray.LEFT, calibration.left, calibration.card_g)
        self.right = TrayCards(Tray.RIGHT, calibration.right, calibration.card_g)
        self.trays = (self.left, self.right)
        self.switch = TiltSwitch()
        self.switch_fitted = calibration.tilt_switch

    def other(self, tray: TrayCards) -> TrayCards:
        return self.right if tray is self.left else self.left

    def sighted(self) -> list[TrayCards]:
        """The trays that can be judged by weight."""
        return [tray for tray in self.trays if tray.sighted]

    def resting(self) -> bool:
        return all(not tray.cell.moving for tray in self.trays if tray.sighted)

    def weigh(
        self, trays: Sequence[TrayCards], flats: Sequence[Flat], *, tilt: Tilt
    ) -> dict[TrayCards, tuple[int, float]]:
        """For each tray the change of count and what is left over, grams."""
        weighed = self.weighed(trays, flats, tilt=tilt)
        return dict(zip(trays, zip(weighed.changes, weighed.left_over_g, strict=True), strict=True))

    @staticmethod
    def weighed(trays: Sequence[TrayCards], flats: Sequence[Flat], *, tilt: Tilt) -> Weighed:
        seen = tuple(tray.seen(flat) for tray, flat in zip(trays, flats, strict=True))
        return weigh(seen, tilt=tilt)

    def counts(self) -> tuple[int, int]:
        return self.left.cards, self.right.cards
