"""Both trays and the switch together: what the whole scale shows now.

It never decides what happened; it answers questions about weights.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from companion.scale.calibration import Calibration
from companion.scale.lifting import Lifting
from companion.scale.motion import Base, Flat
from companion.scale.standing import ZERO_G, Standing
from companion.scale.switch import TiltSwitch
from companion.scale.trays import UNEVEN_CARDS, TrayCards
from companion.scale.weighing import LEVEL, MISFIT, Tilt, Weighed, weigh
from companion.units import Tray

RIGHTED_REST_S = 1.0
"""A beam that comes back slowly passes the switch long before it stands, and swings there."""


class Quiet(NamedTuple):
    """Both trays as they last rested together: where, with how many cards each, and until when."""

    bases: tuple[Base, Base]
    cards: tuple[int, int]
    until_s: float


class Balance:
    """The scale's state as far as it is known."""

    def __init__(self, calibration: Calibration) -> None:
        self.left = TrayCards(Tray.LEFT, calibration.left, calibration.card_g)
        self.right = TrayCards(Tray.RIGHT, calibration.right, calibration.card_g)
        self.trays = (self.left, self.right)
        self.standing = Standing(self.trays)
        self.lifting = Lifting()
        self.switch = TiltSwitch()
        self.switch_fitted = calibration.tilt_switch
        self.found_tilted = False
        """The cards were first counted beside a closed switch, and not anew since it opened."""
        self.last_quiet: Quiet | None = None
        """None while both trays rest."""
        self.tray_g_said = bool(calibration.left.tray_g and calibration.right.tray_g)

    def other(self, tray: TrayCards) -> TrayCards:
        return self.right if tray is self.left else self.left

    def sighted(self) -> list[TrayCards]:
        """The trays that can be judged by weight."""
        return [tray for tray in self.trays if tray.sighted]

    def count_first(self) -> None:
        """Counts the cards at a tray's first rest."""
        first = not any(tray.known for tray in self.trays)
        for tray in self.trays:
            if not tray.known and (flat := tray.rest()) is not None:
                tray.begin(flat)
                self.found_tilted |= first and self.switch_fitted and self.switch.closed

    @property
    def righted(self) -> bool:
        """True while a scale that was found tipped stands again and has not been counted anew."""
        return self.found_tilted and not self.switch.closed

    def count_righted(self) -> None:
        """Counts the cards anew as soon as the righted scale rests, because a tilted beam hides
        some of their weight, from both trays. Where no more than one has changed, the beam stood
        all along below a switch that was stuck, and a card has come."""
        trays = self.sighted()
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        since_s = max([self.switch.opened_at_s, *(tray.cell.rest_since_s for tray in trays)])
        if len(flats) < len(trays) or any(
            flat.until_s - since_s < RIGHTED_REST_S for flat in flats
        ):
            return
        self.found_tilted = False
        weighed = self.weighed(trays, flats, tilt=LEVEL, from_level=False)
        if 0 in weighed.changes and weighed.misfit < MISFIT:
            return
        for tray in self.trays:
            tray.known = False
        for tray, flat in zip(trays, flats, strict=True):
            tray.begin(flat)

    def weighs_whole_cards(self) -> bool:
        """True if what rests in both trays may be whole cards on a level beam."""
        misfit = 0.0
        for tray in self.sighted():
            uneven_g2 = tray.cards * (UNEVEN_CARDS * tray.card_g) ** 2
            misfit += tray.beyond_cards_g() ** 2 / (ZERO_G**2 + uneven_g2)
        return misfit < MISFIT

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

    def look_at_quiet(self) -> None:
        """Keeps what both trays weighed, and how many cards they held, when they last rested."""
        if self.quiet():
            self.last_quiet = None
        elif self.last_quiet is None:
            left, right = self.left.cell.base, self.right.cell.base
            moved_s = [tray.cell.onset_s for tray in self.trays if tray.cell.moving]
            if left is not None and right is not None and moved_s:
                self.last_quiet = Quiet((left, right), self.counts(), min(moved_s))

    def counts(self) -> tuple[int, int]:
        return self.left.cards, self.right.cards
