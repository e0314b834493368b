"""Whether the beam is tilted: the switch if it can be believed, the cells if it cannot.

It never says what a tilt did to the cards.
"""

import math
from statistics import fmean
from typing import NamedTuple

from companion.scale import missing
from companion.scale.balance import Balance
from companion.scale.hanging import explained, wholes
from companion.scale.motion import Flat
from companion.scale.signal import LOOK_S
from companion.scale.stopping import HIT_SHARE, SMEARED_HIT_SHARE, hit, last_above_s, lies_on
from companion.scale.trays import HALF_CARD, HANDFUL, TrayCards
from companion.scale.weighing import (
    BOTH_AT_ONCE,
    LEANED,
    LEVEL,
    MISFIT,
    RETURNED,
    RIGHTED,
    TIPPED,
)

FRESH_S = 1.0
"""A closing and the motion that caused it lie this close together, bounce and filters included."""
WITHOUT_SWITCH_SHARE = -0.06
"""cos 20 degrees: what a beam past any switch's angle takes from both weights."""
DESPITE_SWITCH_SHARE = -0.10
"""cos 26 degrees: a working switch would have closed long before."""
SINKS_SHARE = -0.02
"""cos 11 degrees: neither a card that comes nor the lean of a standing beam takes it from both."""
SLID_CARDS = 0.6
"""More than half a card; no creeping beam takes so much of one tray within the time of a motion."""
LIGHTER = 0.5
"""A beam that is tilted makes one tray at least half as much lighter, whatever was put in."""
LEVEL_SHARE = -0.03
"""cos 14 degrees: a beam that takes less is before the angle of a switch."""
SWITCH_SHARE = -0.034
"""cos 15 degrees."""
BELIEVABLE_MISFIT = 9.0
"""Three standard deviations, squared: what fits worse is no explanation."""
SURELY = 9.0
"""Odds of 90 to 1."""
CALM_CARDS = 0.15
HELD_S = 0.2
"""A knock on the table has rung out by then; a beam that is past 20 degrees has not come back."""
FALLEN_S = 1.0
"""The slowest fall from the switch's angle to the stop lasts so long: whoever pushed before that
has tipped the scale, and rights nothing."""
HAND_G = 10.0
"""More than any card adds, and what no beam shows that has come to its stop."""
RIGHTED_MISFIT = 9.0
RISEN_SHARE = 0.03
"""Nothing but a beam that comes back changes both trays by so much after it lay on its stop."""
TOPPLES_S = 0.2
"""From a hand's first touch, or a knock, a beam needs so long to the angle of a switch."""
LAIN_S = 0.5
"""Half a swing is shorter: a turning point is no rest on the stop."""
SETTLES_PERIODS = 8.0
"""A chip's filter takes four conversions, and a rest is four readings of a slow cell."""
DUMPED_REST_S = 0.3
"""For so long more cards than a hand takes out at once have been gone."""
THROWN_S = 0.3
"""Trays that hang level hold their cards: what a stop throws out has left by half a swing later."""
STUCK_S, STUCK_REST_S = 10.0, 0.5
"""A switch that is closed for so long while the level scale has rested for so long is stuck."""


class _Lying(NamedTuple):
    """What both trays weighed as the beam lay on its stop, and since when they have."""

    left: Flat
    right: Flat


class Beam:
    """The beam as the switch and both cells show it."""

    def __init__(self, balance: Balance) -> None:
        self._balance = balance
        self.tilted = False
        self.since_s = -math.inf
        """When it was tilted, or came back."""
        self.why = ""
        self.stuck = False
        """The switch says tilted while the scale is level."""
        self.dead = False
        """The switch said level while the scale was tilted."""
        self._sunk_s = math.inf
        """Since when the trays have got lighter beside a closed switch."""
        self._shown_s = math.inf
        self._level_s = math.inf
        self._looked_s = -math.inf
        self._lying: _Lying | None = None
        self._hit = False
        """Both trays have just been hit as by a stop, and no switch tells whether they were."""
        self._level_share = LEVEL_SHARE
        """A beam that takes less of both weights has come back."""

    @property
    def suspected(self) -> bool:
        """True while the cells show a tilt, but not for long enough yet."""
        return (self._shown_s < math.inf or self._hit) and not self.tilted

    @property
    def switch_works(self) -> bool:
        """True if a switch is fitted and was not caught lying."""
        return self._balance.switch_fitted and not self.stuck and not self.dead

    def step(self, now_s: float, *, blurred: bool) -> None:
        """Looks again; `blurred` while nobody knows how many cards lie in the trays."""
        switch = self._balance.switch
        by_switch = self.switch_works
        found = self._balance.found_tilted
        if by_switch and switch.closed and not self.tilted and not found:
            self._consider_switch(now_s)
        elif by_switch and not switch.closed and self.tilted and self.why == "switch":
            self.tilted, self.since_s = False, switch.opened_at_s
        if switch.closed and self.dead:
            self.dead = False
        if (self.why == "cells") if self.tilted else not blurred:
            self._consider_cells(now_s, by_switch=by_switch, blurred=blurred)

    def _consider_switch(self, now_s: float) -> None:
        switch = self._balance.switch
        if not all(tray.known for tray in self._balance.trays):
            return
        trays = self._balance.sighted()
        moved = not trays or any(self._moved(tray, switch.closed_at_s) for tray in trays)
        falls = self._sinks(trays) or any(map(_lightens, trays))
        self._sunk_s = min(self._sunk_s, now_s) if falls else math.inf
        if moved or now_s - self._sunk_s >= HELD_S:
            self.tilted, self.since_s, self.why = True, switch.closed_at_s, "switch"

    @staticmethod
    def _sinks(trays: list[TrayCards]) -> bool:
        """True if both trays get lighter together: a beam that crept past the switch falls."""
        if len(trays) < 2 or not all(tray.cell.moving for tray in trays):
            return False
        shares = [tray.share(flat) for tray in trays if (flat := tray.quick()) is not None]
        return len(shares) == len(trays) and fmean(shares) < SINKS_SHARE

    def _moved(self, tray: TrayCards, closed_s: float) -> bool:
        cell = tray.cell
        stirred = cell.moving or cell.stirred_s > closed_s - FRESH_S
        return stirred and cell.onset_s < closed_s + FRESH_S

    def _consider_cells(self, now_s: float, *, by_switch: bool, blurred: bool) -> None:
        trays = self._balance.sighted()
        if len(trays) < 2 or not any(tray.cell.moving for tray in trays):
            self._shown_s, self._hit = math.inf, False
            return
        despite = by_switch and not self._balance.switch.closed
        lies = None if self.tilted else lies_on(self._balance, despite=despite)
        if now_s - self._looked_s < LOOK_S and lies is None:
            return
        self._looked_s = now_s
        moving = all(tray.cell.moving for tray in trays)
        self._hit = moving and not by_switch and _just_hit(trays, now_s)
        if self.tilted:
            self._consider_lying(trays)
            if self.tilted and not blurred:
                self._consider_way_back(trays)
            return
        onset_s = min(tray.cell.onset_s for tray in trays if tray.cell.moving)
        if despite and self._balance.switch.opened_at_s > onset_s:
            return  # a switch that has just followed the beam is not broken
        flats = wholes(trays, -math.inf)
        limit = DESPITE_SWITCH_SHARE if despite else WITHOUT_SWITCH_SHARE
        tilt = self._shows_tilt(trays, flats, limit)
        if not (tilt or lies or self._shows_dump(trays, flats, limit)):
            self._shown_s = math.inf
            return
        self._shown_s = min(self._shown_s, now_s)
        if now_s - self._shown_s >= HELD_S:
            self.tilted, self.why, self._lying = True, "cells", None
            self._level_share = LEVEL_SHARE
            if tilt or lies is None:
                self.since_s = last_above_s(trays, SWITCH_SHARE) if tilt else onset_s + TOPPLES_S
            else:
                self._level_share, self.since_s = lies.share / 2, lies.left_s
            self.dead = despite

    def _consider_lying(self, trays: list[TrayCards]) -> None:
        """Takes the beam as righted if both trays rest otherwise than they did on its stop."""
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if len(flats) < 2:
            return
        rested_s = min(
            flat.until_s - tray.cell.rest_since_s for tray, flat in zip(trays, flats, strict=True)
        )
        if rested_s < LAIN_S:
            return
        if self._lying is None:
            self._lying = _Lying(*flats)
            return
        rises = [
            (flat.level_g - lay.level_g) / tray.tray_g
            for tray, flat, lay in zip(trays, flats, self._lying, strict=True)
        ]
        moved = all(
            tray.cell.rest_since_s > lay.until_s
            for tray, lay in zip(trays, self._lying, strict=True)
        )
        changed = max(rises) > RISEN_SHARE and min(map(abs, rises)) > RISEN_SHARE
        pressed = any(
            tray.pushed_since_g(lay) > HAND_G for tray, lay in zip(trays, self._lying, strict=True)
        )
        if moved and (changed or pressed):
            stands = self._balance.weighed(trays, flats, tilt=RIGHTED, from_level=True)
        elif max(rises) > RISEN_SHARE:  # a card more in one tray of what may stand for long
            stands = self._balance.weighed(trays, flats, tilt=LEVEL, from_level=True)
        else:
            if not pressed:
                self._lying = _Lying(*flats)  # cards still fall
            return
        if stands.misfit < RIGHTED_MISFIT:
            self.tilted, self.since_s = False, max(tray.cell.rest_since_s for tray in trays)

    def _consider_way_back(self, trays: list[TrayCards]) -> None:
        gentle = self._level_share > LEVEL_SHARE
        looks = (tray.rest() if gentle else tray.calm() for tray in trays)
        flats = [flat for flat in looks if flat is not None]
        if len(flats) < 2:
            return
        weighed = self._balance.weighed(trays, flats, tilt=TIPPED, from_level=True)
        if gentle:
            if weighed.share > self._level_share and weighed.misfit < BELIEVABLE_MISFIT:
                self.tilted, self.since_s = False, max(flat.since_s for flat in flats)
            return
        righted = self._balance.weighed(trays, flats, tilt=RIGHTED, from_level=True)
        by_hand = righted.misfit < RIGHTED_MISFIT and self._handled(trays)
        if weighed.share > LEVEL_SHARE or by_hand:
            self.tilted, self.since_s = False, max(flat.since_s for flat in flats)

    def _shows_tilt(self, trays: list[TrayCards], flats: list[Flat], limit: float) -> bool:
        """True if a tilted beam explains the weights much better than hands at a level one."""
        if len(flats) < 2:
            return False
        shown = list(zip(trays, flats, strict=True))
        if min([tray.share(flat) for tray, flat in shown]) > LIGHTER * limit:
            return False
        if any(flat.sigma_g > CALM_CARDS * tray.card_g + tray.cell.sigma_g for tray, flat in shown):
            return False
        anywhere = missing.Beam(tray_g_said=self._balance.tray_g_said)
        tilted = explained(trays, flats, anywhere)
        if tilted.share > limit or tilted.misfit > BELIEVABLE_MISFIT:
            return False
        level = explained(trays, flats, anywhere._replace(low=LEVEL_SHARE))
        return level.cost + BOTH_AT_ONCE > tilted.cost + SURELY

    def _shows_dump(self, trays: list[TrayCards], flats: list[Flat], limit: float) -> bool:
        """True if more cards are gone than a hand takes, and a fall has shaken both trays, however
        the beam hangs before `limit`.

        Trays that hang from their beam weigh the same at any angle.
        """
        if len(flats) < 2 or not all(tray.cell.moving for tray in trays):
            return False
        rested = [
            flat.until_s - tray.cell.rest_since_s > DUMPED_REST_S
            for tray, flat in zip(trays, flats, strict=True)
        ]
        unshaken = self._balance.switch_fitted and not self._balance.switch.closed
        shaken_s = [_shaken_s(tray, flat) for tray, flat in zip(trays, flats, strict=True)]
        if not any(rested) or (unshaken and min(shaken_s) == -math.inf):
            return False
        gentle = missing.Beam(low=limit, tray_g_said=self._balance.tray_g_said)
        level = explained(trays, flats, gentle)
        if sum(level.lost) <= HANDFUL or level.misfit > BELIEVABLE_MISFIT:
            return False
        late_s = max(shaken_s) + THROWN_S + trays[0].cell.cadence.period_s
        if unshaken and any(
            lost and _last_whole_s(tray) > late_s
            for tray, lost in zip(trays, level.lost, strict=True)
        ):
            return False
        return all(rests or not lost for rests, lost in zip(rested, level.lost, strict=True))

    def spilled(self, now_s: float) -> None:
        """Cards were lost: what the cells show now is no measure of the angle any more."""
        if self.why != "cells":
            return
        if self.switch_works and self._balance.switch.closed:
            self.why = "switch"
        elif len(self._balance.sighted()) < 2:
            self.tilted, self.since_s = False, now_s

    def _handled(self, trays: list[TrayCards]) -> bool:
        """True if hands were at the tilted scale: what stands afterwards was righted."""
        fallen_s = self.since_s + FALLEN_S
        return any(
            max(tray.cell.between(fallen_s, math.inf), default=0.0) > HAND_G for tray in trays
        )

    def watch_switch(self, now_s: float, *, tipping: bool) -> bool:
        """Looks for a switch that is stuck closed; True if that has changed."""
        switch = self._balance.switch
        if self.stuck:
            if switch.closed:
                return False
            self.stuck = False
            return True
        shown = self._shows_level(now_s) if tipping else self._balance.resting()
        level = switch.closed and shown
        if self._balance.found_tilted:
            level = level and self._balance.weighs_whole_cards()
        if not level:
            self._level_s = math.inf
            return False
        self._level_s = min(self._level_s, now_s)
        if now_s - self._level_s < STUCK_REST_S or now_s - switch.closed_at_s < STUCK_S:
            return False
        self.stuck = True
        if self.tilted and self.why == "switch":
            self.tilted, self.since_s = False, now_s
        return True

    def _shows_level(self, now_s: float) -> bool:
        """True if both trays hold still in a tip as on a level beam, with all their cards: what
        stuck as a card came looks like a tip."""
        if now_s - self._balance.switch.closed_at_s < STUCK_S - STUCK_REST_S:
            return False
        trays = self._balance.sighted()
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if len(flats) < len(self._balance.trays):
            return False
        stands = self._balance.weighed(trays, flats, tilt=RETURNED, from_level=True)
        unchanged = not any(stands.changes) and stands.misfit < MISFIT
        return unchanged and stands.share > -LEANED


def _lightens(tray: TrayCards) -> bool:
    """True if a card's weight has left it: beside a closed switch it slid off a beam that crept."""
    flat = tray.quick() if tray.cell.moving else None
    if flat is None:
        return False
    assert tray.cell.base is not None
    return flat.level_g - tray.cell.base.at(flat.until_s) < -SLID_CARDS * tray.card_g


def _shaken_s(tray: TrayCards, flat: Flat) -> float:
    """When a beam that came to its stop last pushed or pulled at it, beyond what is gone now;
    -inf if none did."""
    share = HIT_SHARE if tray.cell.cadence.fast else SMEARED_HIT_SHARE
    away_g = tray.share(flat) * tray.gross_g
    most_g = max(away_g, 0.0) + share * tray.gross_g
    least_g = min(away_g, 0.0) - share * tray.gross_g
    pull_g, push_g = tray.cell.extremes()
    if least_g < pull_g and push_g < most_g:
        return -math.inf
    motion = tray.cell.last_motion(-math.inf, math.inf)
    return max((at_s for at_s, g in motion if not least_g < g < most_g), default=-math.inf)


def _last_whole_s(tray: TrayCards) -> float:
    """When it last weighed what it does with all its cards, half of one apart."""
    least_g = -HALF_CARD * tray.card_g
    motion = tray.cell.last_motion(-math.inf, math.inf)
    return max((at_s for at_s, away_g in motion if away_g > least_g), default=-math.inf)


def _just_hit(trays: list[TrayCards], now_s: float) -> bool:
    """True if they may have been stopped, and have not had the time to come to rest since."""
    settles_s = LAIN_S + SETTLES_PERIODS * max(tray.cell.cadence.period_s for tray in trays)
    return hit(trays, now_s, settles_s) is not None
