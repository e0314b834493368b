"""What is missing from the trays while the scale is tipped, and since when.

It never ends a tip: it answers what the weights say now.
"""

import math
from collections.abc import Sequence
from statistics import fmean, pstdev

from msgspec.structs import replace

from companion.scale.balance import Balance
from companion.scale.fall import Fall
from companion.scale.hanging import (
    STILL_CARDS,
    SWING_S,
    WHOLE_MISFIT,
    Span,
    by_hand,
    doubted_there,
    explained,
    handled,
    spans,
)
from companion.scale.leaving import SHOWN_PERIODS, Course, first_left_s, left_edge_s
from companion.scale.loss import Loss, described, loss_of
from companion.scale.missing import TRAY_SIGMA_G, Beam, Missing
from companion.scale.motion import Flat
from companion.scale.reference import DOUBT, GENTLE_SHARE, MARGIN, STRAY_SHARE, Gain, Reference
from companion.scale.signal import LOOK_S
from companion.scale.stopping import hit
from companion.scale.sweeping import parted, sink_alike, springs, sweep, weighs_more
from companion.scale.trays import TrayCards
from companion.scale.weighing import MISFIT, Weighed
from companion.units import Tray

FALL_S = 0.15
FALL_PERIODS = 4.0
"""So long after the switch has closed the fall itself and its way through the filters last."""
TURNING = 0.25
"""What a beam that keeps accelerating must move, as a part of how far apart the trays are: arms of
20 cm, from rest, past 15 degrees, in half a swing."""
FEW_CARDS = 2
"""So few are believed above 20 degrees only once both trays rest."""
TIPPED_SHARE = -0.02
"""What a beam on its stop takes at least, from a lean of 12 degrees to one of 17."""
CALM_CARDS = 0.25
"""A swing that moves a tray by less hides no card over its half."""
HELD_CARDS = 0.25
"""A hand's weight wanders by more in a quarter of a swing, a tray that lost a card holds."""
MANY_CARDS, SWING_LESS_S = 4, 0.05
"""A swing that weighs so much, one that has come to its stop, lasts less by so much a card."""
HAND_S = 0.6
"""Hands that leave a tray so long apart are two (docs/protocol.md); one may be back sooner."""
STOPPED_S = 0.2
"""From the switch's angle a beam needs so long to its stop, where the first cards leave."""
RESTED_S = 1.0
"""A tray that hangs on its beam swings for less, and then weighs what it weighs on a level one."""
SANK_SHARE = 0.1
"""A beam is on its stop when it is first looked at: more than it gives way are cards."""


class Losing:
    """Watches the trays of a tipped scale."""

    def __init__(self, balance: Balance, began_s: float, unseen: Tray | None) -> None:
        self._balance = balance
        self._began_s = began_s
        self._fell_s = left_edge_s(balance.sighted(), began_s)
        self._unseen = unseen
        """The tray into which a card may have come unseen: it tipped the scale to its side."""
        self._lone = len(balance.sighted()) == 1
        """Only one tray could be judged by its weight as the tip began."""
        self._hand_s = self._looked_s = self._swept_s = -math.inf
        self._reference = Reference()
        self._gains: list[Gain] = []
        self._whole_s = -math.inf
        """When all cards were last seen to hang there."""
        self._course = Course()
        self._fall = Fall(balance)
        self._parted: float | None = None
        """How much less one tray weighed when both last hung still."""
        self._highest = -math.inf
        """What both trays have weighed at the most since the fall, as a share."""

    def look(self, now_s: float) -> Loss | None:
        """The loss, once it has lasted longer than a swing of the beam or a hand can."""
        if now_s - self._looked_s < LOOK_S:
            return None
        self._looked_s = now_s
        self._fall.look(now_s)
        trays = self._balance.sighted()
        fallen_s = self._fallen_s(trays)
        seen = spans(trays, fallen_s)
        if not seen:
            return None
        loss = self._quickly(trays, fallen_s, now_s)
        if loss is not None:
            return loss
        flats = [span.flat for span in seen]
        calm, since = self._calm(trays, flats), self._reference.since(trays, flats)
        self._follow(trays, flats)
        if calm and len(trays) > 1:
            self._parted = parted(trays, flats)
        if since is not None and since.misfit < MISFIT:
            if _grew(since):
                if len(trays) > 1 and min(since.changes) > 0:
                    self._reference.forget()  # nobody brings cards to both: the beam rose
                return None
            loss = described(trays, since, self._reference.weights_g(trays)) if calm else None
            if loss is not None:
                return loss
        missing = self._explained(trays, flats)
        sinks = sink_alike(trays, seen)
        whole = not any(missing.lost) and missing.misfit < WHOLE_MISFIT
        gentle = len(trays) > 1 and missing.share > GENTLE_SHARE
        if whole and calm and gentle and self._doubted_there(trays, flats, odds=-math.inf):
            self._whole_s = max(flat.since_s for flat in flats)
        if whole and sinks and self._reference.leaves_edge(missing.share):
            self._reference.forget()
        if any(handled(tray, span, missing.share) for tray, span in zip(trays, seen, strict=True)):
            self._hand_s = now_s
        loss = self._beyond_tilt(trays, seen, missing, now_s)
        hangs = calm and not sinks and not springs(trays, seen)
        if loss is None and missing.gain < DOUBT and hangs:
            self._reference.take(trays, flats, since)
            self._believe(trays, flats)
        return loss

    def _believe(self, trays: Sequence[TrayCards], flats: Sequence[Flat]) -> None:
        """Doubts no card that hangs there still: no hand that pushed as the scale tipped weighs so
        on a beam that lies, and what is missing later has fallen."""
        doubted = [tray for tray in trays if tray.doubted]
        if doubted and len(trays) > 1 and self._doubted_there(trays, flats, odds=MARGIN):
            for tray in doubted:
                tray.doubted = 0

    def _doubted_there(
        self, trays: Sequence[TrayCards], flats: Sequence[Flat], *, odds: float
    ) -> bool:
        beam = Beam(low=self._fall.low, tray_g_said=self._balance.tray_g_said)
        return doubted_there(trays, flats, beam, odds)

    def _explained(self, trays: Sequence[TrayCards], flats: Sequence[Flat]) -> Missing:
        share = fmean(tray.share(flat) for tray, flat in zip(trays, flats, strict=True))
        self._highest = max(self._highest, share)
        lies = self._lies(trays)
        beam = Beam(
            low=self._fall.low,
            tray_g_said=self._balance.tray_g_said,
            sank=share < self._highest - SANK_SHARE,
            hung=None if lies else self._reference.share,
            lies=lies,
        )
        return explained(trays, flats, beam, unseen=self._unseen)

    def _beyond_tilt(
        self, trays: list[TrayCards], seen: list[Span], missing: Missing, now_s: float
    ) -> Loss | None:
        """Cards whose weight no angle of the beam can have taken."""
        few = sum(missing.lost) <= FEW_CARDS
        upright = missing.share > (GENTLE_SHARE if few else TIPPED_SHARE)
        if missing.misfit > MISFIT or (upright and not self._lay_down(trays, seen, now_s)):
            return None
        apart = self._apart(trays, seen)
        gain = max(missing.gain, self._below_stop(trays, seen), apart.gain if apart else 0.0)
        lone = len(trays) == 1 and self._rested(trays, now_s)
        odds = 0.0 if self._lies(trays) else DOUBT if lone else MARGIN
        if gain < odds or not any(missing.lost):
            return None
        flats = [span.latest for span in seen]
        latest = self._explained(trays, flats)
        if latest.misfit > MISFIT or (latest.share > TIPPED_SHARE and not upright):
            return None
        if by_hand(trays, flats, latest.share):
            return None
        if any(latest.lost):
            missing = latest
        if not self._rested(trays, now_s) and springs(trays, seen):
            return None
        return self._loss(trays, seen, missing, gain, now_s)

    def swept(self, now_s: float) -> Loss | None:
        """Many cards gone from a beam on its way, which need no rest.

        Over a whole swing no beam parts its trays. A hand that lifts one does: where they have hung
        still before, what parts them more since is a hand's, for no cards leave a beam that rises.
        """
        if now_s - self._swept_s < LOOK_S:
            return None
        self._swept_s = now_s
        trays = self._balance.sighted()
        seen = sweep(trays, self._fallen_s(trays))
        if seen is None or now_s - self._hand_s < HAND_S:
            return None
        if self._parted is not None:
            more = abs(parted(trays, seen.mean) - self._parted)
            if more > max(tray.card_g / tray.gross_g for tray in trays) / 2:
                return None
        for flats in (seen.closest, seen.mean):
            missing = self._explained(trays, flats)
            if missing.misfit > MISFIT or missing.gain < MARGIN or missing.fewest < MANY_CARDS:
                return None
            if by_hand(trays, flats, missing.share) or weighs_more(trays, missing.lost):
                return None
        return loss_of(trays, seen.mean, missing, missing.gain)

    def _fallen_s(self, trays: Sequence[TrayCards]) -> float:
        """When the fall itself was over, and through the filters."""
        return self._began_s + max(
            (max(FALL_S, FALL_PERIODS * tray.cell.cadence.period_s) for tray in trays), default=0.0
        )

    def _lies(self, trays: Sequence[TrayCards]) -> bool:
        """True if the only tray that was seen all along holds still on the tipped beam: nothing
        will tell more before the scale is righted, and the table is asked."""
        return self._lone and len(trays) == 1 and self._rested(trays, self._looked_s)

    @staticmethod
    def _rested(trays: Sequence[TrayCards], now_s: float) -> bool:
        """True if both trays hold still: then they weigh what they weigh, however they hang."""
        return all(
            tray.rest() is not None and now_s - tray.cell.rest_since_s > RESTED_S for tray in trays
        )

    def _lay_down(self, trays: list[TrayCards], seen: list[Span], now_s: float) -> bool:
        """True if both trays hold still, and no hand leans the beam: for long, or since it was
        stopped."""
        if self._rested(trays, now_s):
            return True
        still = self._calm(trays, [span.flat for span in seen])
        if not still or any(tray.rest() is None for tray in trays) or now_s - self._hand_s < HAND_S:
            return False
        moving = len(trays) > 1 and all(tray.cell.moving for tray in trays)
        return moving and hit(trays, now_s, now_s - self._began_s) is not None

    def _quickly(self, trays: list[TrayCards], fallen_s: float, now_s: float) -> Loss | None:
        """Many cards gone from one tray while the other holds still: no beam does that.

        Its own motion moves both trays, and the more it would have to weigh the shorter it lasts.
        """
        if not all(tray.cell.cadence.fast for tray in trays):
            return None
        for many in range(MANY_CARDS, 1, -1):
            seen = spans(trays, fallen_s, SWING_S - SWING_LESS_S * (many - 1))
            still = [
                span.flat.sigma_g < STILL_CARDS * tray.card_g + tray.cell.sigma_g
                for tray, span in zip(trays, seen, strict=False)
            ]
            flats = [span.flat for span in seen]
            if not any(still) or _grew(self._reference.since(trays, flats)):
                continue
            apart = self._apart(trays, seen)
            if apart is None or apart.gain < MARGIN or apart.share > TIPPED_SHARE:
                continue
            kept = apart.lost[0 if still[0] else 1] == 0 or all(still)
            if kept and apart.fewest >= many:
                return self._loss(trays, seen, apart, apart.gain, now_s)
        return None

    def _loss(
        self, trays: list[TrayCards], seen: list[Span], missing: Missing, gain: float, now_s: float
    ) -> Loss | None:
        if not any(missing.lost) or not all(map(_holds, trays, seen)):
            return None
        if now_s - self._hand_s < HAND_S and any(tray.rest() is None for tray in trays):
            return None
        flats = [span.flat for span in seen]
        loss = loss_of(trays, flats, missing, gain)
        since = self._reference.since(trays, flats)
        short = since is not None and min(since.changes) < 0
        if short and self._reference.stays(missing.share) and not any(t.doubted for t in trays):
            loss.wholes_g.update(self._reference.weights_g(trays))
        return loss

    def _apart(self, trays: list[TrayCards], seen: list[Span]) -> Missing | None:
        """What explains both trays where they were closest to one cosine in half a swing.

        A swing turns within the span, and in turning both trays weigh what one cosine leaves them.
        None if they did, or if the beam moved, or if slow cells stretch a swing beyond the span.
        """
        if len(trays) < 2 or not all(tray.cell.cadence.fast for tray in trays):
            return None
        unrest_g = [
            math.hypot(tray.cell.sigma_g, pstdev(span.parts_g) / 2)
            for tray, span in zip(trays, seen, strict=True)
        ]
        rows = []
        for grams in zip(*(span.parts_g for span in seen), strict=True):
            flats = [
                replace(span.flat, level_g=each_g, sigma_g=sigma_g)
                for span, each_g, sigma_g in zip(seen, grams, unrest_g, strict=True)
            ]
            left, right = (tray.share(flat) for tray, flat in zip(trays, flats, strict=True))
            rows.append((left - right, left + right, flats))
        if min(row[0] for row in rows) < 0 < max(row[0] for row in rows):
            return None
        apart, _, flats = min(rows, key=lambda row: abs(row[0]))
        moved = abs(rows[-1][1] - rows[0][1]) / 2
        if moved > TURNING * abs(apart) + STRAY_SHARE:
            return None
        return self._explained(trays, flats)

    def _below_stop(self, trays: list[TrayCards], seen: list[Span]) -> float:
        """How badly "no card was lost" fits a tray that weighs less than on the beam's stop."""
        worst = 0.0
        for tray, span in zip(trays, seen, strict=True):
            short_g = tray.whole_g(span.flat.until_s, self._fall.low) - max(span.parts_g)
            sigma_g = math.hypot(tray.cell.sigma_g, tray.unsure_g(span.flat), TRAY_SIGMA_G / 2)
            worst = max(worst, short_g / sigma_g)
        return worst**2

    @staticmethod
    def _calm(trays: Sequence[TrayCards], flats: Sequence[Flat]) -> bool:
        return all(
            flat.sigma_g < CALM_CARDS * tray.card_g + tray.cell.sigma_g
            for tray, flat in zip(trays, flats, strict=True)
        )

    def gained(self) -> Gain | None:
        """Cards that were put into a tray since it last hung still."""
        gain = self._reference.gained(self._balance.sighted())
        if gain is not None:
            self._gains.append(gain)
        return gain

    def begin_anew(self) -> None:
        """A card was counted that came meanwhile: what hung there before is no reference."""
        self._reference.forget()

    def _follow(self, trays: Sequence[TrayCards], flats: Sequence[Flat]) -> None:
        """Remembers what both trays show, for a loss that only the righted scale tells."""
        shares = tuple(tray.share(flat) for tray, flat in zip(trays, flats, strict=True))
        shown_s = (flats[0].since_s + flats[0].until_s) / 2
        late_s = SHOWN_PERIODS * max(tray.cell.cadence.period_s for tray in trays)
        held = all(flat.sigma_g < tray.card_g for tray, flat in zip(trays, flats, strict=True))
        self._course.take(shown_s - late_s, trays, shares, held=held)

    def unnoticed_s(self, loss: Loss) -> float:
        """When the first card left if that is known only now that the scale was righted: when the
        trays got so much lighter; as the beam came to its stop if nobody saw."""
        left_s = self._course.first_left_s(self._balance.sighted(), loss.gone)
        latest_s = max(self._fell_s + STOPPED_S, self._whole_s)
        return latest_s if left_s is None else max(left_s, latest_s)

    def hung_short(self, changes: Sequence[int]) -> bool:
        """True if the trays were never seen in the tip with the cards that are missing now."""
        trays = self._balance.sighted()
        lost = {tray.tray: max(0, -change) for tray, change in zip(trays, changes, strict=True)}
        if self._whole_s > self._began_s or not any(lost.values()):
            return False
        return self._course.first_left_s(trays, lost) is None

    def first_left_s(self, loss: Loss) -> float:
        """When the first card left, as far as it is known."""
        trays = self._balance.sighted()
        since_s = max(self._whole_s, self._began_s)
        return first_left_s(trays, loss.gone, loss.wholes_g, since_s, self._gains)


def _grew(since: Weighed | None) -> bool:
    """True if a tray is heavier than it hung: a card that comes is no card that goes."""
    return since is not None and any(change > 0 for change in since.changes)


def _holds(tray: TrayCards, span: Span) -> bool:
    """True if it keeps its weight for a moment: cards go one by one, a hand's weight wanders."""
    return (
        abs(span.parts_g[-1] - span.parts_g[-2]) < HELD_CARDS * tray.card_g + 2 * tray.cell.sigma_g
    )
