"""From the moment the beam leaves level until it is known whether cards were lost.

It never says who pays: that is the table's.
"""

import math
from dataclasses import dataclass
from statistics import fmean, pstdev

from companion.events import Placed, Sensed, Spill, Tip, Wobble
from companion.scale.balance import Balance
from companion.scale.beam import Beam
from companion.scale.contact import falling_side, pulled_first, touch, unseen_touch
from companion.scale.losing import Losing
from companion.scale.loss import Loss, described
from companion.scale.motion import Flat
from companion.scale.play import put_down, resolve, taken_out
from companion.scale.reaching import Reaching
from companion.scale.reference import MARGIN, Gain
from companion.scale.together import Touch, laid, pushed
from companion.scale.trays import HALF_CARD, HANDFUL, LEANING_CARDS, TrayCards
from companion.scale.weighing import LEANED, MISFIT, RETURNED, RETURNING, Weighed
from companion.scale.whole import CLOSE_CARDS
from companion.units import MonoSeconds, Tray

PONDER_PERIODS = 1.6
"""The cells' filters take this long to show what was there when the switch closed."""
BACK_REST_S = 0.2
BACK_SHOWN_S, BACK_READINGS = 0.3, 4
"""Half a swing of the beam, and what the filter takes: what it came back with is known by then."""
LEANING_REST_S = 2.0
RETURNING_SHARE, RETURNED_REST_S = -LEANED, 1.0
"""A beam that still takes so much of both weights is on its way back, or cards are missing: one
that comes back slowly passes the switch long before it stands."""
RECOVERS_S = 4.0
"""A cell that fell silent in the tip is waited for: a chip that hangs is started again within two
seconds of its silence, a cable is soon in again."""
ONE_EYED = "one cell says nothing: this is less sure"
BLIND = "neither cell says anything: the table must tell whether cards fell"


@dataclass(slots=True)
class OpenTip:
    """A tip that has neither come back nor spilled yet."""

    began_s: float
    losing: Losing
    reaching: Reaching
    pulled: frozenset[Tray]
    """Trays into which a hand had reached as the beam left level."""
    put_s: dict[Tray, float]
    """When a card was last said to have been put into a tray: before that it was not taken."""
    late_s: float = -math.inf
    """When a card was put into the falling tray: a beam that falls has all its cards."""


class Tipping:
    """One tip at a time: opened, watched, ended by `wobble` or `spill`."""

    def __init__(self, balance: Balance, beam: Beam) -> None:
        self._balance = balance
        self._beam = beam
        self.open: OpenTip | None = None

    def opens(self, host_s: float) -> list[Sensed]:
        """Begins a tip if the beam has left level."""
        if not self._beam.tilted:
            return []
        began_s, balance = min(self._beam.since_s, host_s), self._balance
        trays = balance.sighted()
        if host_s - began_s < PONDER_PERIODS * max(
            (tray.cell.cadence.period_s for tray in trays), default=0.0
        ):
            return []
        events = self._taken_out(trays, began_s, host_s)
        found = self._card_before(trays, began_s)
        hand = None if found is None else found[0].tray
        side = falling_side(balance, began_s, hand)
        if found is not None and side is not hand and found[1].push_g:
            # a card tips the scale to its own side: a touch elsewhere is a knock
            found = (found[0], found[1]._replace(lies=False)) if found[1].lies else None
            hand = None
        pulled = frozenset(tray.tray for tray in trays if pulled_first(balance, tray, began_s))
        if len(pulled) > 1:  # what a falling beam does to both
            pulled = frozenset()
        card = None if found is None else _put_down(*found, host_s)
        slowly = side if hand is None else None
        losing = Losing(balance, began_s, slowly)
        reaching = Reaching(balance, began_s, side, untouched=card is None)
        put_s: dict[Tray, float] = {} if card is None else {card.tray: card.began_s}
        self.open = OpenTip(began_s, losing, reaching, pulled, put_s)
        tip = Tip(
            began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s), side=side,
            reasons=(f"{self._beam.why} shows the beam tilted since {began_s:.3f} s",),
        )  # fmt: skip
        return [*events, tip] if card is None else [*events, card, tip]

    def _taken_out(self, trays: list[TrayCards], began_s: float, host_s: float) -> list[Sensed]:
        """What hands had taken out before the beam left level: it is not lost."""
        events: list[Sensed] = []
        for tray in trays:
            lighter = self._balance.lifting.as_it_tipped(tray, began_s)
            if lighter is not None:
                events += taken_out(tray, self._balance.other(tray), lighter, host_s)
        return events

    def _card_before(
        self, trays: list[TrayCards], began_s: float
    ) -> tuple[TrayCards, Touch] | None:
        """What somebody was putting down as the beam left level, and where, if anybody was."""
        balance = self._balance
        card = laid(balance, began_s)
        card = card or pushed(balance, began_s)
        if card is not None:
            return card
        found = [(tray, touched) for tray in trays if (touched := touch(balance, tray, began_s))]
        if found:
            # What a falling beam does to the other tray looks like a push; it comes later.
            return min(found, key=lambda one: one[1].began_s)
        return unseen_touch(balance, began_s)

    def step(self, now_s: float, host_s: float) -> list[Sensed]:
        """Looks for a loss, then for the way back."""
        assert self.open is not None
        if self._beam.tilted or now_s - self._beam.since_s < BACK_REST_S:
            return self._look_for_loss(now_s, host_s)
        if self._awaits_cell(now_s):
            return []
        return self._came_back(host_s) or self._look_along(now_s, host_s)

    def _awaits_cell(self, now_s: float) -> bool:
        """True while a cell may soon tell what the beam that came back has done to its tray."""
        assert self.open is not None
        began_s = self.open.began_s
        fell_silent = any(
            tray.known and tray.cell.health.blind and tray.cell.cadence.sampled_s > began_s
            for tray in self._balance.trays
        )
        return fell_silent and now_s - self._beam.since_s < RECOVERS_S

    def _look_for_loss(self, now_s: float, host_s: float) -> list[Sensed]:
        assert self.open is not None
        reached = self.open.reaching.look(now_s, tilted=self._beam.tilted)
        events: list[Sensed] = []
        if reached is not None:
            card = _put_down_falling(*reached, host_s)
            self.open.put_s[card.tray] = self.open.late_s = card.began_s
            self.open.losing.begin_anew()
            events.append(card)
        loss = self.open.losing.look(now_s)
        if loss is not None:
            return [*events, self._spill(loss, host_s)]
        gain = self.open.losing.gained()
        if gain is not None:
            gain.tray.expect(gain.cards, sure=True)
            if not gain.late:  # what comes after the first card left is nobody's play
                self.open.put_s[gain.tray.tray] = gain.came_s
                events.append(_put_in(gain, host_s))
        return [*events, *self._look_along(now_s, host_s)]

    def _look_along(self, now_s: float, host_s: float) -> list[Sensed]:
        """Looks for many cards that are gone from a beam on its way."""
        assert self.open is not None
        loss = self.open.losing.swept(now_s)
        return [] if loss is None else [self._spill(loss, host_s, unnoticed=True)]

    def _spill(self, loss: Loss, host_s: float, *, unnoticed: bool = False) -> Spill:
        """The verdict; `unnoticed` if the tilt hid the loss until the scale came back."""
        assert self.open is not None
        losing = self.open.losing
        left_s = losing.unnoticed_s(loss) if unnoticed else losing.first_left_s(loss)
        began_s = min(max(left_s, self.open.late_s), host_s)
        self.open = None
        sure = all(tray.sighted for tray in self._balance.trays)
        return Spill(
            began_s=MonoSeconds(began_s),
            decided_s=MonoSeconds(host_s),
            reasons=loss.reasons if sure else (*loss.reasons, ONE_EYED),
            trays=tuple(tray for tray in Tray if loss.lost[tray]),
            lost=loss.lost,
            sure=sure,
        )

    def _stands(self, trays: list[TrayCards], flats: list[Flat]) -> Weighed | None:
        """What lies on the beam that came back; None while it may still be on its way, or while
        something leans there."""
        rested_s = self._rested_s(trays, flats)
        tilt = RETURNED if rested_s > RETURNED_REST_S else RETURNING
        weighed = self._balance.weighed(trays, flats, tilt=tilt, from_level=True)
        if tilt is RETURNING and (
            weighed.share < RETURNING_SHARE or _may_be_lean(weighed) or _swings(trays, weighed)
        ):
            return None
        doubtful = weighed.misfit > MISFIT or any(
            abs(left_g) > LEANING_CARDS * tray.card_g
            for tray, left_g in zip(trays, weighed.left_over_g, strict=True)
        )
        # Nobody takes a card from one tray to the other in this moment: a beam swings so.
        exchanged = min(weighed.changes, default=0) < 0 < max(weighed.changes, default=0)
        return None if (doubtful or exchanged) and rested_s < LEANING_REST_S else weighed

    def _rested_s(self, trays: list[TrayCards], flats: list[Flat]) -> float:
        """How long all trays have rested since the beam came back; 0 if none is seen."""
        return min(
            (
                flat.until_s - max(tray.cell.rest_since_s, self._beam.since_s)
                for tray, flat in zip(trays, flats, strict=True)
            ),
            default=0.0,
        )

    def _taken_by_hand(self, trays: list[TrayCards], weighed: Weighed) -> dict[Tray, float] | None:
        """Since when hands can have taken what is missing from each tray; None if they have not
        taken all of it."""
        assert self.open is not None
        pulled = self.open.pulled if self.open.losing.hung_short(weighed.changes) else frozenset()
        taken: dict[Tray, float] = {}
        for tray, change in zip(trays, weighed.changes, strict=True):
            if change >= 0:
                continue
            put_s = self.open.put_s.get(tray.tray, -math.inf)
            if -change <= tray.doubted:  # what was said to come was a hand
                taken[tray.tray] = put_s
                continue
            taken_s = self._taken_s(tray, weighed)
            if change < -HANDFUL or (taken_s is None and tray.tray not in pulled):
                return None
            taken[tray.tray] = put_s if taken_s is None else taken_s
        return taken

    def _taken_s(self, tray: TrayCards, weighed: Weighed) -> float | None:
        """When a hand took the cards that are missing now, if the beam came back with them."""
        cell = tray.cell
        assert cell.base is not None
        came_back_s = self._beam.since_s + BACK_REST_S
        times_s, short_g = [], []
        for at_s, away_g in cell.readings_between(came_back_s, math.inf):
            times_s.append(at_s)
            short_g.append(tray.whole_g(at_s, weighed.share) - cell.base.at(at_s) - away_g)
        most_g = (tray.doubted + HALF_CARD) * tray.lying_g
        many = max(BACK_READINGS, round(BACK_SHOWN_S / cell.cadence.period_s))
        # A hand that rights the scale, or still holds it, presses otherwise from moment to moment.
        for end in range(len(short_g), many - 1, -1):
            window = short_g[end - many : end]
            whole = -HALF_CARD * tray.card_g < fmean(window) < most_g
            if whole and pstdev(window) < HALF_CARD * tray.card_g:
                return times_s[end - 1]
        return None

    def _came_back(self, host_s: float) -> list[Sensed]:
        assert self.open is not None
        trays = self._balance.sighted()
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        weighed = None if len(flats) < len(trays) else self._stands(trays, flats)
        if weighed is None:
            return []
        taken_s = self._taken_by_hand(trays, weighed)
        wholes_g = {
            tray.tray: tray.whole_g(flat.until_s, weighed.share)
            for tray, flat in zip(trays, flats, strict=True)
        }
        loss = described(trays, weighed, wholes_g) if taken_s is None else None
        if loss is not None:
            return [self._spill(loss, host_s, unnoticed=True)]
        events: list[Sensed] = []
        for tray, flat, change, left_over_g in zip(
            trays, flats, weighed.changes, weighed.left_over_g, strict=True
        ):
            if tray.cell.moving:
                other = self._balance.other(tray)
                since_s = (taken_s or self.open.put_s).get(tray.tray, -math.inf)
                events += resolve(tray, other, flat, change, left_over_g, host_s, since_s=since_s)
                tray.forget_parts()
        self.open = None
        began_s = min(self._beam.since_s, host_s)
        level = "the scale is level again with all its cards"
        reasons = ((BLIND,), (level, ONE_EYED), (level,))[len(trays)]
        events.append(
            Wobble(began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s), reasons=reasons)
        )
        return events


def _may_be_lean(weighed: Weighed) -> bool:
    """True if cards seem to be missing where a beam that has not come all the way may take it."""
    missing = any(change < 0 for change in weighed.changes)
    return missing and weighed.cost_unchanged - weighed.cost < MARGIN


def _swings(trays: list[TrayCards], weighed: Weighed) -> bool:
    """True if cards seem to be gone from one tray, or to have come, and the other strays the other
    way: a swing gives one what it takes from the other, and stands still where it turns."""
    came = sum(weighed.changes)
    strays_g = [
        (weighed.share * tray.gross_g + left_g, tray.card_g)
        for tray, change, left_g in zip(trays, weighed.changes, weighed.left_over_g, strict=True)
        if not change
    ]
    return any(
        came * stray_g < 0 and abs(stray_g) > CLOSE_CARDS * card_g for stray_g, card_g in strays_g
    )


def _put_down(tray: TrayCards, touched: Touch, host_s: float) -> Placed:
    """A card that tips the scale while it is put down is placed first."""
    tray.expect(1, sure=touched.lies)
    reason = f"{tray.tray} was pushed by up to {touched.push_g:.1f} g before the scale tipped"
    if not touched.push_g:
        reason = f"the {tray.tray} cell said nothing when the scale tipped to that side"
    if touched.lies:
        reason = f"{tray.tray} alone was heavier by one card before the scale tipped"
    return put_down(tray, touched.began_s, host_s, reason, grams=tray.card_g, sure=touched.lies)


def _put_down_falling(tray: TrayCards, touched: Touch, host_s: float) -> Placed:
    """Whoever reached into the tray that fell may have put a card there."""
    tray.expect(1, sure=False)
    reason = f"{tray.tray} alone pressed {touched.push_g:.1f} g more while it went down"
    return put_down(tray, touched.began_s, host_s, reason, grams=tray.card_g, sure=False)


def _put_in(gain: Gain, host_s: float) -> Placed:
    """A card that is put in while the scale hangs tipped."""
    tray, grams = gain.tray, gain.grams
    reason = f"{tray.tray} is heavier by {grams:.2f} g, the beam hangs as before"
    return put_down(tray, gain.came_s, host_s, reason, grams=grams, sure=True, count=gain.cards)
