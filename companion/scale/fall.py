"""How far down the beam fell: what its stop leaves open about its angle.

It never looks for lost cards; it bounds what the tilt alone can take from both weights.
"""

import math

from companion.scale.balance import Balance
from companion.scale.weighing import STEEPEST_SHARE, TIPPED, Tilt

WINDOW_S = 0.06
SPEEDING_SHARE = 0.25
"""A quarter of g between the trays: the beam falls, or is stopped."""
STOPPED_SHARE = 0.12
STOPPED_LOOKS = 2
SINKING_SHARE = 0.04
REBOUND = 1.12
"""A beam springs back from its stop by up to an eighth of its angle."""
SURPLUS_SHARE = 0.01


class Fall:
    """Waits for the end of the fall; from then on `tilt` knows the stop."""

    def __init__(self, balance: Balance, began_s: float) -> None:
        self._balance = balance
        self._began_s = began_s
        self._fast = False
        self._shares: list[float] = []
        self.tilt = TIPPED
        """What the beam can have done to both weights."""

    def look(self) -> None:
        """Follows the common part of both weights, in which the beam's speed cancels out."""
        trays = self._balance.sighted()
        if self.tilt is not TIPPED or len(trays) < 2:
            return
        if not all(tray.cell.cadence.fast for tray in trays):
            return
        shares = []
        for tray in trays:
            flat = tray.cell.quick(WINDOW_S) if tray.cell.moving else tray.quick()
            if flat is None:
                return
            shares.append(tray.share(flat))
        apart, common = shares[0] - shares[1], (shares[0] + shares[1]) / 2
        if abs(apart) > SPEEDING_SHARE:
            self._fast = True
        if not self._fast or abs(apart) > STOPPED_SHARE or common > 0:
            self._shares.clear()
            return
        if self._shares and abs(common - self._shares[-1]) > SINKING_SHARE:
            self._shares.clear()
        self._shares.append(common)
        if len(self._shares) > STOPPED_LOOKS:
            angle = math.acos(1 + max(min(self._shares), STEEPEST_SHARE))
            low = math.cos(min(REBOUND * angle, math.pi / 3)) - 1 - SURPLUS_SHARE
            self.tilt = Tilt(TIPPED.spread, max(low, STEEPEST_SHARE), TIPPED.high)
