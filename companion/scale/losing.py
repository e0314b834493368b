"""What is missing from the trays while the scale is tipped, and since when.

It never ends a tip: it answers what the weights say now.
"""

import math
from dataclasses import dataclass

from companion.scale.balance import Balance
from companion.scale.fall import Fall
from companion.scale.motion import Flat
from companion.scale.signal import LOOK_S
from companion.scale.trays import HALF_CARD, TrayCards
from companion.scale.weighing import HANGING, STEEPEST_SHARE, Weighed, weigh
from companion.units import Tray

SWING_S = 0.3
"""Half a swing of the beam at 1.7 Hz: for so long it can pretend that a card has gone."""
SWING_LESS_S = 0.05
SWING_LEAST_S = 0.15
FALL_S = 0.15
FALL_PERIODS = 5.0
"""So long after the switch has closed the fall itself and its way through the filters last."""
MARGIN = 9.0
"""Odds of 90 to 1 against "no card was lost"."""
MISFIT = 12.0
TIPPED_SHARE = -0.02
"""What a beam on its stop takes at least, from a lean of 12 degrees to one of 17."""
STILL_CARDS = 0.08
HAND_S = 0.6
REFERENCE_S = 0.3
SMOOTH_S = 0.05
FILTER_PERIODS = 2.0
"""An HX711 shows half of a step after two conversions."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The cards whose weight is missing."""

    lost: dict[Tray, int]
    edges_g: dict[Tray, float]
    """The reading of each tray half a card below all its cards."""
    reasons: tuple[str, ...]

    @property
    def cards(self) -> int:
        return sum(self.lost.values())


class Losing:
    """Watches the trays of a tipped scale."""

    def __init__(self, balance: Balance, began_s: float) -> None:
        self._balance = balance
        self._began_s = began_s
        self._suspected_s: float | None = None
        self._hand_s = self._looked_s = -math.inf
        self._reference: dict[Tray, Flat] = {}
        self._fall = Fall(balance, began_s)

    def look(self, now_s: float) -> Loss | None:
        """The loss, once it has lasted longer than a swing of the beam or a hand can."""
        if now_s - self._looked_s < LOOK_S:
            return None
        self._looked_s = now_s
        self._fall.look()
        trays = self._balance.sighted()
        flats = [flat for tray in trays if (flat := tray.quick()) is not None]
        if not trays or len(flats) < len(trays):
            return None
        fallen_s = self._began_s + max(
            max(FALL_S, FALL_PERIODS * tray.cell.cadence.period_s) for tray in trays
        )
        if (
            min(self._fresh_s(tray, flat) for tray, flat in zip(trays, flats, strict=True))
            < fallen_s
        ):
            return None
        loss = self._missing(trays, flats, now_s)
        if loss is None:
            self._suspected_s = None
            return None
        if self._suspected_s is None:
            self._suspected_s = min(flat.since_s for flat in flats)
        if now_s - self._hand_s < HAND_S and any(tray.rest() is None for tray in trays):
            return None
        lasting_s = max(SWING_S - SWING_LESS_S * (loss.cards - 1), SWING_LEAST_S)
        return loss if now_s - self._suspected_s >= lasting_s else None

    @staticmethod
    def _fresh_s(tray: TrayCards, flat: Flat) -> float:
        return flat.since_s if tray.cell.moving else flat.until_s

    def _missing(self, trays: list[TrayCards], flats: list[Flat], now_s: float) -> Loss | None:
        calm = [tray.calm() is not None for tray in trays]
        if len(trays) == 2 and any(calm) and not all(calm):
            still, moving = (0, 1) if calm[0] else (1, 0)
            return self._beside(trays[still], flats[still], trays[moving], now_s)
        if not all(calm):
            return None
        weighed = self._balance.weighed(trays, flats, tilt=self._fall.tilt, from_level=True)
        if any(tray.by_hand(flat, weighed.share) for tray, flat in zip(trays, flats, strict=True)):
            self._hand_s = now_s
        since = self._since_reference(trays, flats)
        if since is not None and since.misfit < MISFIT:
            if not self._still(trays, flats):
                return None
            loss = described(trays, since, self._edges(trays))
            if loss is None and not any(since.changes):
                self._refer(trays, flats)
            return loss
        edges_g = {
            tray.tray: tray.edge_g(flat.until_s, weighed.share)
            for tray, flat in zip(trays, flats, strict=True)
        }
        loss = described(trays, weighed, edges_g)
        if weighed.share > TIPPED_SHARE:
            return None  # a beam that gathers speed looks like a loss
        if loss is None and weighed.misfit < MISFIT and self._complete(trays, weighed):
            if since is not None and since.misfit > MISFIT:
                self._reference.clear()  # it hangs otherwise than it hung
            self._refer(trays, flats)
        return loss

    @staticmethod
    def _complete(trays: list[TrayCards], weighed: Weighed) -> bool:
        """Whether all cards seem to lie there: two cards more in one tray of a beam that hangs
        low look like two fewer in the other, and from then on nothing would be missing. One tray
        alone cannot tell a lost card from the beam's angle.
        """
        return len(trays) < 2 or weighed.cost_unchanged - weighed.cost < MARGIN

    def _since_reference(self, trays: list[TrayCards], flats: list[Flat]) -> Weighed | None:
        """What changed since the trays were last calm, on a beam that hangs as it hung."""
        known = [self._reference.get(tray.tray) for tray in trays]
        before = [flat for flat in known if flat is not None]
        if len(before) < len(trays):
            return None
        seen = tuple(
            tray.seen_since(old, new) for tray, old, new in zip(trays, before, flats, strict=True)
        )
        return weigh(seen, tilt=HANGING)

    def _edges(self, trays: list[TrayCards]) -> dict[Tray, float]:
        edges_g = {}
        for tray in trays:
            before = self._reference[tray.tray]
            half_g = HALF_CARD * tray.card_g * (1 + tray.share(before))
            edges_g[tray.tray] = before.level_g - half_g
        return edges_g

    @staticmethod
    def _still(trays: list[TrayCards], flats: list[Flat]) -> bool:
        return all(
            flat.sigma_g < STILL_CARDS * tray.card_g + tray.cell.sigma_g
            for tray, flat in zip(trays, flats, strict=True)
        )

    def _refer(self, trays: list[TrayCards], flats: list[Flat]) -> None:
        if not self._still(trays, flats):
            return
        oldest_s = min((flat.until_s for flat in self._reference.values()), default=-math.inf)
        if flats[0].until_s - oldest_s > REFERENCE_S:
            self._reference = {tray.tray: flat for tray, flat in zip(trays, flats, strict=True)}

    def gained(self) -> tuple[TrayCards, int, float] | None:
        """A tray into which cards were put since it was last calm, how many and how heavy."""
        trays = self._balance.sighted()
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if not trays or len(flats) < len(trays):
            return None
        since = self._since_reference(trays, flats)
        if since is None or since.misfit > MISFIT or since.margin < MARGIN:
            return None
        for tray, change, left_g in zip(trays, since.changes, since.left_over_g, strict=True):
            if change > 0 and sum(map(abs, since.changes)) == change:
                self._reference = {tray.tray: flat for tray, flat in zip(trays, flats, strict=True)}
                return tray, change, change * tray.card_g + left_g
        return None

    def _beside(self, still: TrayCards, flat: Flat, moving: TrayCards, now_s: float) -> Loss | None:
        """What the moving tray lacks at least while the other holds still.

        The beam's own motion moves both; what moves one tray alone are its cards, or a hand.
        """
        share = still.share(flat)
        if not STEEPEST_SHARE < share < TIPPED_SHARE:
            return None
        most = moving.most()
        if moving.by_hand(most, share):
            self._hand_s = now_s
        missing_g = moving.whole_g(most.until_s, share) - most.level_g
        count = min(max(0, round(missing_g / moving.card_g)), moving.cards)
        if count <= moving.doubted:
            return None
        lost = {Tray.LEFT: 0, Tray.RIGHT: 0, moving.tray: count}
        reason = f"{still.tray} holds still, {moving.tray} lacks at least {missing_g:.1f} g"
        return Loss(lost, {moving.tray: moving.edge_g(most.until_s, share)}, (reason,))

    def first_left_s(self, loss: Loss) -> float:
        """When the first card left: the last moment at which its tray still weighed all of them."""
        moments = [
            self._whole_until_s(tray, loss.edges_g[tray.tray])
            for tray in self._balance.sighted()
            if loss.lost[tray.tray]
        ]
        return max(min(moments, default=self._began_s), self._began_s)

    def _whole_until_s(self, tray: TrayCards, edge_g: float) -> float:
        cell = tray.cell
        if not cell.moving:
            return self._began_s
        times, grams = cell.trail.times, cell.trail.grams
        width = max(1, round(SMOOTH_S / cell.cadence.period_s))
        for i in range(len(grams) - width, -1, -1):
            if times[i] < self._began_s:
                break
            mean = sum(grams[i : i + width]) / width
            if mean > edge_g:
                return times[i + width - 1] - FILTER_PERIODS * cell.cadence.period_s
        return self._began_s


def described(trays: list[TrayCards], weighed: Weighed, edges_g: dict[Tray, float]) -> Loss | None:
    """The loss that an explanation speaks of, if "no card was lost" is much worse."""
    lost = {Tray.LEFT: 0, Tray.RIGHT: 0}
    for tray, change in zip(trays, weighed.changes, strict=True):
        lost[tray.tray] = max(0, -change)
    gain = weighed.cost_unchanged - weighed.cost
    surely = -sum(weighed.changes) - sum(tray.doubted for tray in trays)
    if surely <= 0 or gain < MARGIN or weighed.misfit > MISFIT:
        return None
    reasons = (
        f"{lost[Tray.LEFT]} and {lost[Tray.RIGHT]} cards' weight is gone, the beam's tilt "
        f"takes {-weighed.share:.1%}",
        f"that no card was lost fits worse by {gain:.0f}",
    )
    return Loss(lost, edges_g, reasons)
