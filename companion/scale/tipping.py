"""From the moment the beam leaves level until it is known whether cards were lost.

It never says who pays: that is the table's.
"""

from dataclasses import dataclass

from companion.events import Placed, Sensed, Spill, Tip, Wobble
from companion.scale.balance import Balance
from companion.scale.beam import Beam
from companion.scale.contact import Touch, falling_side, touch
from companion.scale.play import resolve
from companion.scale.signal import Flat
from companion.scale.trays import LEANING_CARDS, TrayCards
from companion.scale.weighing import STEEPEST_SHARE, Weighed
from companion.units import Grams, MonoSeconds, Tray

FALL_S = 0.2
"""A beam past its switch's angle takes this long to fall: until then its own speed changes both
weights by more than cards do."""
PONDER_PERIODS = 1.6
"""The cells' filters take this long to show what was there when the switch closed."""
SWING_S = 0.3
"""Half a swing of the beam at 1.7 Hz: for so long it can pretend that a card has gone."""
SWING_LESS_S = 0.05
SWING_LEAST_S = 0.15
BACK_REST_S = 0.2
MARGIN = 9.0
"""Odds of 90 to 1 against "no card was lost"."""
MISFIT = 12.0
CALM_CARDS = 0.3
LEVEL_SHARE = 0.02
HAND_S = 0.6
LEANING_REST_S = 2.0


@dataclass(slots=True)
class OpenTip:
    """A tip that has neither come back nor spilled yet."""

    began_s: float
    whole_s: float | None = None
    """When both trays last weighed what their cards weigh."""
    suspected_s: float | None = None
    """Since when cards' weight has been missing."""
    hand_s: float = float("-inf")
    """When a hand was last seen to push or lift."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The cards whose weight is missing."""

    lost: dict[Tray, int]
    hand: bool
    """A weight above all cards, or below the empty tray, is a hand's."""
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, trays: list[TrayCards], flats: list[Flat], weighed: Weighed) -> "Loss":
        """What both trays, or the one that can be seen, show while they are calm."""
        lost, hand = {Tray.LEFT: 0, Tray.RIGHT: 0}, False
        for tray, flat, change in zip(trays, flats, weighed.changes, strict=True):
            lost[tray.tray] = max(0, -change)
            hand = hand or tray.by_hand(flat, weighed.share)
        gain = weighed.cost_unchanged - weighed.cost
        surely = -sum(weighed.changes) - sum(tray.doubted for tray in trays)
        if surely <= 0 or gain < MARGIN:
            lost = {Tray.LEFT: 0, Tray.RIGHT: 0}
        reasons = (
            f"{lost[Tray.LEFT]} and {lost[Tray.RIGHT]} cards' weight is gone, the beam's tilt "
            f"takes {-weighed.share:.1%}",
            f"that no card was lost fits worse by {gain:.0f}",
        )
        return cls(lost, hand, reasons)

    @classmethod
    def beside(cls, still: TrayCards, flat: Flat, moving: TrayCards) -> "Loss | None":
        """What the moving tray lacks at least while the other holds still.

        The beam's own motion moves both; what moves one tray alone are its cards, or a hand.
        """
        share = still.share(flat)
        if not STEEPEST_SHARE < share < LEVEL_SHARE:
            return None
        most = moving.most()
        missing_g = moving.whole_g(most.until_s, share) - most.level_g
        lost = {Tray.LEFT: 0, Tray.RIGHT: 0}
        count = min(max(0, round(missing_g / moving.card_g)), moving.cards)
        lost[moving.tray] = count if count > moving.doubted else 0
        reasons = (f"{still.tray} holds still, {moving.tray} lacks {missing_g:.1f} g at least",)
        return cls(lost, moving.by_hand(most, share), reasons)


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
        began_s = min(self._beam.since_s, host_s)
        trays = self._balance.sighted()
        if host_s - began_s < PONDER_PERIODS * max(
            (tray.cell.cadence.period_s for tray in trays), default=0.0
        ):
            return []
        events: list[Sensed] = []
        side: Tray | None = None
        for tray in trays:
            touched = touch(self._balance, tray, began_s)
            if touched is not None:
                events.append(_put_down(tray, touched, host_s))
                side = tray.tray
        side = side or falling_side(self._balance, began_s)
        self.open = OpenTip(began_s)
        reasons = (f"{self._beam.why} shows the beam tilted since {began_s:.3f} s",)
        events.append(
            Tip(
                began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s), reasons=reasons,
                side=side,
            )
        )  # fmt: skip
        return events

    def step(self, now_s: float, host_s: float) -> list[Sensed]:
        """Looks for a loss, then for the way back."""
        assert self.open is not None
        if self._beam.tilted or now_s - self._beam.since_s < BACK_REST_S:
            return self._look_for_loss(now_s, host_s)
        return self._came_back(host_s)

    def _look_for_loss(self, now_s: float, host_s: float) -> list[Sensed]:
        tip = self.open
        assert tip is not None
        trays = self._balance.sighted()
        flats = [flat for tray in trays if (flat := tray.quick()) is not None]
        if not trays or len(flats) < len(trays):
            return []
        loss = self._loss(trays, flats)
        if loss is None:
            tip.suspected_s = None
            return []
        if loss.hand:
            tip.hand_s = now_s
        lost = sum(loss.lost.values())
        if not lost:
            tip.whole_s, tip.suspected_s = flats[0].until_s, None
            return []
        if tip.suspected_s is None:
            tip.suspected_s = min(flat.since_s for flat in flats)
        if now_s - tip.hand_s < HAND_S and any(tray.rest() is None for tray in trays):
            return []
        if now_s - tip.suspected_s < max(SWING_S - SWING_LESS_S * (lost - 1), SWING_LEAST_S):
            return []
        return self._spill(loss, host_s)

    def _loss(self, trays: list[TrayCards], flats: list[Flat]) -> "Loss | None":
        """What is missing now; None while the beam's own motion hides it."""
        calm = [
            flat.sigma_g < CALM_CARDS * tray.card_g + 2 * tray.cell.sigma_g
            for tray, flat in zip(trays, flats, strict=True)
        ]
        if all(calm):
            weighed = self._balance.weighed(trays, flats, tipped=True)
            if weighed.misfit > MISFIT:
                return None
            return Loss.of(trays, flats, weighed)
        if len(trays) == 2 and any(calm):
            still, moving = (0, 1) if calm[0] else (1, 0)
            return Loss.beside(trays[still], flats[still], trays[moving])
        return None

    def _spill(self, loss: "Loss", host_s: float) -> list[Sensed]:
        assert self.open is not None
        whole_s = self.open.whole_s
        began_s = self.open.began_s + FALL_S if whole_s is None else whole_s
        self.open = None
        return [
            Spill(
                began_s=MonoSeconds(min(began_s, host_s)), decided_s=MonoSeconds(host_s),
                reasons=loss.reasons, trays=tuple(tray for tray in Tray if loss.lost[tray]),
                lost=loss.lost,
            )
        ]  # fmt: skip

    def _came_back(self, host_s: float) -> list[Sensed]:
        assert self.open is not None
        trays = self._balance.sighted()
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if len(flats) < len(trays):
            return []
        weighed = self._balance.weighed(trays, flats, tipped=False)
        rested_s = min(
            (
                flat.until_s - tray.cell.rest_since_s
                for tray, flat in zip(trays, flats, strict=True)
            ),
            default=0.0,
        )
        doubtful = any(
            abs(left_g) > LEANING_CARDS * tray.card_g
            for tray, left_g in zip(trays, weighed.left_over_g, strict=True)
        )
        if doubtful and rested_s < LEANING_REST_S:
            return []
        doubted = sum(tray.doubted for tray in trays)
        if sum(weighed.changes) + doubted < 0:
            return self._spill(Loss.of(trays, flats, weighed), host_s)
        events: list[Sensed] = []
        for tray, flat, change, left_over_g in zip(
            trays, flats, weighed.changes, weighed.left_over_g, strict=True
        ):
            if tray.cell.moving:
                events += resolve(tray, flat, change, left_over_g, host_s)
        self.open = None
        began_s = min(self._beam.since_s, host_s)
        reasons = ("the scale is level again with all its cards",)
        events.append(
            Wobble(began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s), reasons=reasons)
        )
        return events


def _put_down(tray: TrayCards, touched: Touch, host_s: float) -> Placed:
    """A card that tips the scale while it is put down is placed first."""
    tray.expect(1, sure=touched.lies)
    reason = f"{tray.tray} alone was pushed by up to {touched.push_g:.1f} g before the scale tipped"
    if touched.lies:
        reason = f"{tray.tray} alone was heavier by one card before the scale tipped"
    return Placed(
        began_s=MonoSeconds(min(touched.began_s, host_s)),
        decided_s=MonoSeconds(host_s),
        reasons=(reason,),
        tray=tray.tray,
        count=1,
        grams=Grams(round(tray.card_g, 3)),
        sure=touched.lies,
    )
