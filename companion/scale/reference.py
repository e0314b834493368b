"""What the trays of a tipped scale weighed when they hung still with all their cards.

It never says that cards are lost; it says what came and went since.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from companion.scale.motion import Base, Flat
from companion.scale.play import TURNS_S, patience_s
from companion.scale.trays import HALF_CARD, HAND_CARDS, TrayCards
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


class Gain(NamedTuple):
    """Cards that were put into a tray of a scale that hangs tipped."""

    tray: TrayCards
    cards: int
    grams: float
    came_s: float
    """The first contact."""
    lies_s: float
    """Since when it has rested with them."""
    late: bool
    """True if cards had left the other tray before."""


class Reference:
    """The weights of trays that hang still, kept as long as their beam stays there."""

    def __init__(self) -> None:
        self._flats: dict[Tray, Flat] = {}
        self.share: float | None = None
        """What the beam took of both weights; None if it has not hung still."""

    def take(self, trays: list[TrayCards], flats: list[Flat], since: Weighed | None) -> None:
        """From here on single cards are seen against what the trays weigh now."""
        known = self._flats.values()
        oldest_s = min((flat.until_s for flat in known), default=-math.inf)
        elsewhere = since is not None and since.misfit > MISFIT
        stiller = _unrest_g(flats) < _unrest_g(known)
        if elsewhere or stiller or flats[0].until_s - oldest_s > RENEWED_S:
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

    def gained(self, trays: list[TrayCards]) -> Gain | None:
        """Cards that were put into a tray since, whatever has left the other one meanwhile."""
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if not trays or len(flats) < len(trays):
            return None
        since = self.since(trays, flats)
        if since is None or since.misfit > MISFIT or sum(n > 0 for n in since.changes) != 1:
            return None
        rested_s = [
            flat.until_s - tray.cell.rest_since_s for tray, flat in zip(trays, flats, strict=True)
        ]
        i = since.changes.index(max(since.changes))
        tray, flat, cards, left_g = trays[i], flats[i], since.changes[i], since.left_over_g[i]
        alone = sum(map(abs, since.changes)) == cards
        in_turn = self._in_turn(trays)
        seen = in_turn or (alone and self._pressed(tray, trays))
        # A beam that turns takes from one tray and gives to the other.
        turns = not (alone or in_turn) and min(rested_s) < TURNS_S
        patience = patience_s(tray, cards, left_g)
        if turns or rested_s[i] < patience or since.margin < (DOUBT if seen else MARGIN):
            return None
        came_s = self._left_s(tray)
        late = not alone and min(map(self._left_s, trays)) < came_s
        for each, now in zip(trays, flats, strict=True):
            if alone or each is tray:
                self._flats[each.tray] = now
        grams = cards * tray.card_g + left_g
        return Gain(tray, cards, grams, came_s, tray.cell.rest_since_s, late)

    def _hung(self, tray: TrayCards) -> Base:
        flat = self._flats[tray.tray]
        return Base(flat.level_g, flat.until_s, 0.0)

    def _left_s(self, tray: TrayCards) -> float:
        """When this tray last weighed what it did as it hung still."""
        return tray.cell.left_base_s(math.inf, self._hung(tray))

    def _in_turn(self, trays: list[TrayCards]) -> bool:
        """True if one tray had changed by half a card before the other one changed at all: a beam
        moves both at once."""
        if len(trays) < 2:
            return False
        first, other = sorted(trays, key=self._left_s)
        half_g = HALF_CARD * first.card_g
        half_s = first.cell.trail.left_base_s(self._hung(first), half_g, math.inf)
        return half_s is not None and half_s < self._left_s(other)

    def _pressed(self, tray: TrayCards, trays: list[TrayCards]) -> bool:
        """True if a hand was at this tray alone since."""
        return all(
            (each.pushed_since_g(self._flats[each.tray]) > HAND_CARDS * each.card_g)
            is (each is tray)
            for each in trays
        )


def _unrest_g(flats: Iterable[Flat]) -> float:
    return math.hypot(*(flat.sigma_g for flat in flats))
