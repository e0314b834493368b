"""After a spill: how many cards lie in each tray whenever the scale rests, until play goes on.

It never says what should lie there; it knows only when the reset of the rules is complete.
"""

from companion.events import Level, Sensed
from companion.scale.balance import Balance
from companion.scale.beam import Beam
from companion.scale.motion import Flat
from companion.scale.trays import LEANING_CARDS, TrayCards
from companion.scale.weighing import LEVEL, RIGHTED, TIPPED
from companion.units import MonoSeconds

LEVEL_REST_S = 1.0
RESET_CARDS = 2
"""The top two cards of each pile go back into their trays; T27."""
SETTLED_FOR_S = 4.0
LEANING_REST_S = 2.0
STILL_TIPPED = 9.0
"""Odds of 90 to 1 that the beam still leans on its stop, where no switch can tell."""


class Resetting:
    """Watches the trays from a spill on."""

    def __init__(self, balance: Balance, beam: Beam) -> None:
        self._balance = balance
        self._beam = beam
        self._target = tuple(min(RESET_CARDS, count) for count in balance.counts())
        self._written: tuple[int, int] | None = None
        self._written_s = 0.0
        self._tilt = RIGHTED
        self.over = False

    def step(self, now_s: float, host_s: float) -> list[Sensed]:
        balance = self._balance
        trays = balance.sighted()
        if self._beam.tilted or len(trays) < len(balance.trays):
            return []
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if len(flats) < len(trays):
            return []
        if any(tray.cell.moving for tray in trays) and not self._count(trays, flats):
            return []
        since_s = max(tray.cell.rest_since_s for tray in trays)
        counts = balance.counts()
        if now_s - since_s < LEVEL_REST_S:
            return []
        if counts == self._written:
            if self._nearly(counts) and now_s - self._written_s > SETTLED_FOR_S:
                self.over = True
            return []
        self._written, self._written_s = counts, now_s
        self.over = counts == self._target
        return [
            Level(
                began_s=MonoSeconds(min(since_s, host_s)), decided_s=MonoSeconds(host_s),
                reasons=(f"both trays have rested for {now_s - since_s:.1f} s",),
                left=counts[0], right=counts[1],
            )
        ]  # fmt: skip

    def _count(self, trays: list[TrayCards], flats: list[Flat]) -> bool:
        """Counts both trays anew if what they weigh can be explained; True if it was."""
        level = self._balance.weighed(trays, flats, tilt=self._tilt, from_level=True)
        few = [tray.few(flat) for tray, flat in zip(trays, flats, strict=True)]
        if None in few and not self._beam.switch_works:
            tipped = self._balance.weighed(trays, flats, tilt=TIPPED, from_level=True)
            if level.cost > tipped.cost + STILL_TIPPED:
                return False
        if any(
            left is None and abs(left_over_g) > LEANING_CARDS * tray.card_g
            for tray, left_over_g, left in zip(trays, level.left_over_g, few, strict=True)
        ):
            rested_s = min(
                flat.until_s - tray.cell.rest_since_s
                for tray, flat in zip(trays, flats, strict=True)
            )
            if rested_s < LEANING_REST_S:
                return False
        for tray, flat, left, stepped in zip(
            trays, flats, few, zip(level.changes, level.left_over_g, strict=True), strict=True
        ):
            change, left_over_g = stepped if left is None else (left - tray.cards, 0.0)
            tray.accept(flat, change, left_over_g)
        self._tilt = LEVEL
        return True

    def _nearly(self, counts: tuple[int, int]) -> bool:
        """True if a scale that is left alone with these counts must have been set up.

        One card more or less than the rules ask for is a pile that was counted wrongly before
        the spill; to wait for another count would be to wait for ever.
        """
        return all(
            count >= 1 and abs(count - asked) <= 1
            for count, asked in zip(counts, self._target, strict=True)
        )
