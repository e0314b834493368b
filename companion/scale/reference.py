"""What the trays of a tipped scale weighed when they hung still with all their cards.

It never says that cards are lost; it says what came and went since.
"""

import math
from collections.abc import Sequence
from statistics import fmean

from companion.scale.motion import Flat
from companion.scale.play import patience_s
from companion.scale.trays import HAND_CARDS, TrayCards
from companion.scale.weighing import HANGING, MISFIT, Weighed, weigh
from companion.units import Tray

MARGIN = 7.0
"""Odds of 30 to 1 for what is said, beyond what each card asks for in parsimony."""
DOUBT = 3.0
"""Odds of 5 to 1: enough where a hand was seen, and where the table is asked."""
STRAY_SHARE = 0.01
"""What a beam that hangs still may give way, and half of what a card takes from both trays."""
GENTLE_SHARE = -0.06
"""Before 20 degrees little slides, and a beam that a hand leans and lets back turns for a second,
with a fiftieth of g in it."""
RENEWED_S = 0.3
"""Half a swing of the beam: what hangs still is looked at anew once it can have turned."""


class Reference:
    """The weights of trays that hang still, kept as long as their beam stays there."""

    def __init__(self) -> None:
        self._flats: dict[Tray, Flat] = {}
        self.share: float | None = None
        """What the beam took of both weights; None if it has not hung still."""

    def take(self, trays: list[TrayCards], flats: list[Flat], since: Weighed | None) -> None:
        """From here on single cards are seen against what the trays weigh now."""
        oldest_s = min((flat.until_s for flat in self._flats.values()), default=-math.inf)
        elsewhere = since is not None and since.misfit > MISFIT
        if elsewhere or flats[0].until_s - oldest_s > RENEWED_S:
            self._flats = {tray.tray: flat for tray, flat in zip(trays, flats, strict=True)}
            self.share = fmean(tray.share(flat) for tray, flat in zip(trays, flats, strict=True))

    def forget(self) -> None:
        """The beam moved on, or a card came that was counted otherwise."""
        self._flats, self.share = {}, None

    def since(self, trays: Sequence[TrayCards], flats: Sequence[Flat]) -> Weighed | None:
        """What changed since, on a beam that hangs as it hung; None if nothing hung still."""
        known = [self._flats.get(tray.tray) for tray in trays]
        before = [flat for flat in known if flat is not None]
        if len(before) < len(trays):
            return None
        seen = tuple(
            tray.seen_since(old, new) for tray, old, new in zip(trays, before, flats, strict=True)
        )
        return weigh(seen, tilt=HANGING)

    def stays(self, share: float) -> bool:
        """True if the beam hangs as it hung."""
        return self.share is not None and abs(share - self.share) < 2 * HANGING.spread

    def leaves_edge(self, share: float) -> bool:
        """True if the beam moves on from where it hung at its edge, far from its stop."""
        if self.share is None or self.share < GENTLE_SHARE:
            return False
        return self.share - share > STRAY_SHARE

    def weights_g(self, trays: list[TrayCards]) -> dict[Tray, float]:
        """What they showed with all their cards, grams."""
        return {tray.tray: self._flats[tray.tray].level_g for tray in trays}

    def gained(self, trays: list[TrayCards]) -> tuple[TrayCards, int, float] | None:
        """A tray into which cards were put since, how many, and how heavy in grams."""
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if not trays or len(flats) < len(trays):
            return None
        since = self.since(trays, flats)
        if since is None or since.misfit > MISFIT:
            return None
        for tray, flat, change, left_g in zip(
            trays, flats, since.changes, since.left_over_g, strict=True
        ):
            if change > 0 and sum(map(abs, since.changes)) == change:
                rested_s = flat.until_s - tray.cell.rest_since_s
                odds = DOUBT if self._pressed(tray, trays) else MARGIN
                if rested_s < patience_s(tray, change, left_g) or since.margin < odds:
                    return None
                self._flats = {tray.tray: flat for tray, flat in zip(trays, flats, strict=True)}
                return tray, change, change * tray.card_g + left_g
        return None

    def _pressed(self, tray: TrayCards, trays: list[TrayCards]) -> bool:
        """True if a hand was at this tray alone since."""
        return all(
            (each.pushed_since_g(self._flats[each.tray]) > HAND_CARDS * each.card_g)
            is (each is tray)
            for each in trays
        )
