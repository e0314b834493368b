"""Both trays and the switch together: what the whole scale shows now.

It never decides what happened; it answers questions about weights.
"""

import math
from collections.abc import Sequence

from companion.scale.calibration import Calibration
from companion.scale.motion import Flat
from companion.scale.standing import Standing
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
        self.standing = Standing(self.trays)
        self.switch = TiltSwitch()
        self.switch_fitted = calibration.tilt_switch
        self.found_tilted = False
        """The cards were first counted beside a closed switch, which has not opened yet."""
        self.tray_g_said = bool(calibration.left.tray_g and calibration.right.tray_g)

    def other(self, tray: TrayCards) -> TrayCards:
        return self.right if tray is self.left else self.left

    def sighted(self) -> list[TrayCards]:
        """The trays that can be judged by weight."""
        return [tray for tray in self.trays if tray.sighted]

    def count_first(self) -> None:
        """Counts the cards at a tray's first rest; of a scale that was found tipped once more as
        soon as it is righted, because a tilted beam hides some of their weight."""
        first = not any(tray.known for tray in self.trays)
        for tray in self.trays:
            if not tray.known and (flat := tray.rest()) is not None:
                tray.begin(flat)
                self.found_tilted |= first and self.switch_fitted and self.switch.closed
        if self.found_tilted and not self.switch.closed:
            self.found_tilted = False
            if not self.resting():
                for tray in self.trays:
                    tray.known = False

    def quiet(self) -> bool:
        """True if both trays rest, seen and known: then nothing can have happened."""
        return (
            not (self.left.cell.moving or self.right.cell.moving)
            and self.left.sighted
            and self.right.sighted
        )

    def resting(self) -> bool:
        return all(not tray.cell.moving for tray in self.trays if tray.sighted)

    @staticmethod
    def weighed(
        trays: Sequence[TrayCards], flats: Sequence[Flat], *, tilt: Tilt, from_level: bool
    ) -> Weighed:
        """What explains what `trays` show at `flats`: see `weigh`."""
        seen = tuple(
            tray.seen(flat, from_level=from_level) for tray, flat in zip(trays, flats, strict=True)
        )
        return weigh(seen, tilt=tilt)

    def look_beside(self) -> None:
        """Keeps the base of a resting tray as it was when the other one began to move."""
        left, right = self.trays
        for tray, other in ((left, right), (right, left)):
            moves = other.cell.moving and not other.cell.health.blind
            tray.cell.noise.beside_g = math.inf if moves else other.cell.sigma_g
            if tray.cell.moving:
                tray.beside = tray.was_beside = None
            elif other.cell.moving:
                if tray.beside is None:
                    tray.beside, tray.was_beside = tray.cell.base, None
            elif tray.beside is not None:
                tray.beside, tray.was_beside = None, tray.beside

    def counts(self) -> tuple[int, int]:
        return self.left.cards, self.right.cards
