"""From the moment the beam leaves level until it is known whether cards were lost.

It never says who pays: that is the table's.
"""

from dataclasses import dataclass

from companion.events import Placed, Sensed, Spill, Tip, Wobble
from companion.scale.balance import Balance
from companion.scale.play import resolve
from companion.scale.signal import Flat
from companion.scale.trays import TrayCards
from companion.units import Grams, MonoSeconds, Tray

ECHO_SHARE = 0.3
"""A push on one tray shows on the other with less than this: arms and base are stiff."""
MOVED_WITHIN_S = 1.0
BACK_REST_S = 0.2
MARGIN = 8.0
"""Odds of 55 to 1 against the best explanation without a loss."""


@dataclass(slots=True)
class OpenTip:
    began_s: float
    cards: dict[Tray, int]
    suspicion: int = 0
    suspected_s: float = 0.0


class Tipping:
    """One tip at a time: opened, watched, ended by `wobble` or `spill`."""

    def __init__(self, balance: Balance) -> None:
        self._balance = balance
        self.open: OpenTip | None = None

    def opens(self, now_s: float, host_s: float) -> list[Sensed]:
        """Begins a tip if the beam has left level."""
        balance = self._balance
        if not balance.tilted or not self._moved(balance.switch.closed_at_s):
            return []
        began_s = min(balance.switch.closed_at_s, host_s)
        events = [
            event for tray in balance.sighted() for event in self._put_down(tray, began_s, host_s)
        ]
        side = balance.heavier()
        self.open = OpenTip(began_s, {tray.tray: tray.cards for tray in balance.trays})
        reasons = (f"the tilt switch has been closed since {began_s:.3f} s",)
        events.append(
            Tip(
                began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s), reasons=reasons,
                side=side,
            )
        )  # fmt: skip
        return events

    def _moved(self, closed_s: float) -> bool:
        sighted = self._balance.sighted()
        if not sighted:
            return True
        return any(
            tray.cell.moving or tray.cell.rest_since_s > closed_s - MOVED_WITHIN_S
            for tray in sighted
        )

    def _put_down(self, tray: TrayCards, began_s: float, host_s: float) -> list[Sensed]:
        """A card that tips the scale while it is put down is placed first."""
        contact = tray.contact()
        if contact is None or not contact.up or contact.began_s > began_s:
            return []
        other = self._balance.right if tray is self._balance.left else self._balance.left
        if other.sighted and other.cell.moving:
            echo_g = max(other.cell.push_g, -other.cell.pull_g)
            if echo_g > ECHO_SHARE * contact.push_g + 0.5 * tray.card_g:
                return []
        tray.expect(1)
        reasons = (f"{tray.tray} was pushed with up to {contact.push_g:.1f} g as the scale tipped",)
        return [
            Placed(
                began_s=MonoSeconds(min(contact.began_s, host_s)), decided_s=MonoSeconds(host_s),
                reasons=reasons, tray=tray.tray, count=1, grams=Grams(tray.card_g), sure=False,
            )
        ]  # fmt: skip

    # --- until it is decided ---------------------------------------------------------------

    def step(self, now_s: float, host_s: float) -> list[Sensed]:
        """Looks for a loss, then for the way back."""
        assert self.open is not None
        trays, flats = self._quick()
        if trays:
            weighed = self._balance.weighed(trays, flats, tipped=self._balance.tilted)
            lost = sum(weighed.changes) < 0 and weighed.margin > MARGIN
            if lost and len(trays) == len(self._balance.sighted()):
                self.open.suspicion += 1
                if self.open.suspicion == 1:
                    self.open.suspected_s = min(flat.since_s for flat in flats)
                if self.open.suspicion >= 2:
                    return self._spill(trays, weighed.changes, host_s)
            else:
                self.open.suspicion = 0
        if not self._balance.tilted:
            return self._came_back(now_s, host_s)
        return []

    def _quick(self) -> tuple[list[TrayCards], list[Flat]]:
        trays, flats = [], []
        for tray in self._balance.sighted():
            flat = tray.quick()
            if flat is not None:
                trays.append(tray)
                flats.append(flat)
        return trays, flats

    def _spill(
        self, trays: list[TrayCards], changes: tuple[int, ...], host_s: float
    ) -> list[Sensed]:
        assert self.open is not None
        lost = {Tray.LEFT: 0, Tray.RIGHT: 0}
        for tray, change in zip(trays, changes, strict=True):
            lost[tray.tray] = max(0, -change)
        began_s = min(max(self.open.suspected_s, self.open.began_s), host_s)
        self.open = None
        return [
            Spill(
                began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s),
                reasons=(f"{sum(lost.values())} cards' weight is gone",),
                trays=tuple(tray for tray in Tray if lost[tray]), lost=lost,
            )
        ]  # fmt: skip

    def _came_back(self, now_s: float, host_s: float) -> list[Sensed]:
        assert self.open is not None
        trays = self._balance.sighted()
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if len(flats) < len(trays):
            return []
        opened_s = self._balance.switch.opened_at_s
        if now_s - opened_s < BACK_REST_S or any(flat.since_s < opened_s for flat in flats):
            if trays and now_s - opened_s < 1.0:
                return []
        weighed = self._balance.weighed(trays, flats, tipped=False)
        if sum(weighed.changes) < 0:
            self.open.suspected_s = self.open.began_s
            return self._spill(trays, weighed.changes, host_s)
        events: list[Sensed] = []
        for tray, flat, change, left_over_g in zip(
            trays, flats, weighed.changes, weighed.left_over_g, strict=True
        ):
            if tray.cell.moving:
                events += resolve(tray, flat, change, left_over_g, host_s)
        self.open = None
        events.append(
            Wobble(
                began_s=MonoSeconds(min(opened_s, host_s)), decided_s=MonoSeconds(host_s),
                reasons=("the scale is level again with all its cards",),
            )
        )  # fmt: skip
        return events
