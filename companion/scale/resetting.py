"""After a spill: how many cards lie in each tray whenever the scale rests, until play goes on.

It never says what should lie there; it knows only when the reset of the rules is complete.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from companion.events import Level, Placed, Sensed
from companion.scale.balance import Balance
from companion.scale.beam import Beam
from companion.scale.motion import Flat
from companion.scale.play import put_down
from companion.scale.trays import LEANING_CARDS, TrayCards
from companion.scale.weighing import LEVEL, RIGHTED, TIPPED
from companion.units import MonoSeconds, Tray

LEVEL_REST_S = 1.0
RESET_CARDS = 2
"""The top two cards of each pile go back into their trays; T27."""
SETTLED_FOR_S = 4.0
LEANING_REST_S = 2.0
EMPTY_REST_S = 1.5
"""Longer than half a swing: what rubs in a beam's bearing changes sides with the swing, and takes a
gram or two from one tray and gives it to the other for up to a second meanwhile."""
BESIDE_REST_S = 0.5
"""And the other tray for a while: who has emptied it is still at it."""
BELOW_CARDS, MOST_BELOW_CARDS = 0.15, 1.5
"""So far below its zero drift takes an empty tray between two spills; no hand holds one still."""
BETWEEN_CARDS_S = 3.0
"""Who puts cards back takes one to two seconds for each."""
BEYOND_CARDS = 3
"""Who puts one card too many on a pile notices by the third."""
STILL_TIPPED = 9.0
"""Odds of 90 to 1 that the beam still leans on its stop, where no switch can tell."""


class _Counted(NamedTuple):
    """What a rest of one tray was found to mean."""

    tray: TrayCards
    flat: Flat
    change: int
    left_over_g: float


class Resetting:
    """Watches the trays from a spill on."""

    def __init__(self, balance: Balance, beam: Beam, lost: Mapping[Tray, int]) -> None:
        self._balance = balance
        self._beam = beam
        self._target = tuple(min(RESET_CARDS, count) for count in balance.counts())
        self._most = tuple(
            max(asked, tray.cards - lost[tray.tray])
            for asked, tray in zip(self._target, balance.trays, strict=True)
        )
        """What a tray holds at the most until play goes on."""
        self._filled: set[Tray] = set()
        """Trays into which hands have put cards since the scale stood again."""
        self._beyond = 0
        """How many cards have come one by one beyond that."""
        self._stood = False
        """True once the trays were counted on the righted scale."""
        self._unseen = False
        """A cell was blind meanwhile: play may long have gone on."""
        self._written: tuple[int, int] | None = None
        self._written_s = 0.0
        self._rested_from_s = math.inf
        """Since when both trays have rested with what was written."""
        self._tilt = RIGHTED
        self.over = False

    def step(self, now_s: float, host_s: float) -> list[Sensed]:
        balance = self._balance
        trays = balance.sighted()
        self._unseen = self._unseen or len(trays) < len(balance.trays)
        if self._beam.tilted:
            return []
        if self._beam.switch_works:
            for tray in trays:
                self._look_for_empty(tray)
        flats = [flat for tray in trays if (flat := tray.rest()) is not None]
        if len(flats) < len(balance.trays):
            return []
        if any(tray.cell.moving for tray in trays):
            counted = self._count(trays, flats)
            if counted is None:
                return []
            played = self._played_on(counted, host_s)
            if self._stood:
                self._filled |= {one.tray.tray for one in counted if one.change > 0}
            self._stood = True
            for one in counted:
                left_s = one.tray.cell.left_base_s(math.inf)
                one.tray.accept(one.flat, one.change, one.left_over_g, left_s)
                one.tray.forget_parts()
            if played is not None:
                self.over = True
                return [played]
        since_s = max(self._beam.since_s, *(tray.cell.rest_since_s for tray in trays))
        counts = balance.counts()
        if now_s - since_s < LEVEL_REST_S:
            return []
        self._rested_from_s = since_s
        if counts == self._written:
            if self._nearly(counts) and now_s - self._written_s > SETTLED_FOR_S:
                self.over = True
            return []
        self.over = counts == self._target or self._went_on(counts)
        self._written, self._written_s = counts, now_s
        for tray, flat in zip(trays, flats, strict=True):
            if not tray.cards:  # whatever its cell seemed to drift before the spill
                balance.standing.emptied(tray, flat)
        return [
            Level(
                began_s=MonoSeconds(min(since_s, host_s)), decided_s=MonoSeconds(host_s),
                reasons=(f"both trays have rested for {now_s - since_s:.1f} s",),
                left=counts[0], right=counts[1],
            )
        ]  # fmt: skip

    def _look_for_empty(self, tray: TrayCards) -> None:
        """A tray that weighs less than the empty one is the empty one, and its cell has drifted."""
        other = self._balance.other(tray)
        flat, beside = tray.rest(), other.rest()
        if flat is None or beside is None or other.by_hand(beside, 0.0):
            return  # a hand on the other tray leans the beam
        since_s = max(tray.cell.rest_since_s, self._beam.since_s)
        beside_s = max(since_s, other.cell.rest_since_s)
        if flat.until_s - since_s < EMPTY_REST_S or flat.until_s - beside_s < BESIDE_REST_S:
            return
        below = -self._balance.standing.loaded_g(tray, flat) / tray.card_g
        if not BELOW_CARDS < below < MOST_BELOW_CARDS:
            return
        if tray.cell.moving or tray.cards:
            tray.accept(flat, -tray.cards, 0.0, flat.since_s)
        self._balance.standing.emptied(tray, flat)

    def _count(self, trays: list[TrayCards], flats: list[Flat]) -> list[_Counted] | None:
        """Both trays anew if what they weigh can be explained."""
        level = self._balance.weighed(trays, flats, tilt=self._tilt, from_level=True)
        few = [tray.few(flat) for tray, flat in zip(trays, flats, strict=True)]
        if None in few and not self._beam.switch_works:
            tipped = self._balance.weighed(trays, flats, tilt=TIPPED, from_level=True)
            if level.cost > tipped.cost + STILL_TIPPED:
                return None
        if any(
            left is None and abs(left_over_g) > LEANING_CARDS * tray.card_g
            for tray, left_over_g, left in zip(trays, level.left_over_g, few, strict=True)
        ):
            rested_s = min(
                flat.until_s - tray.cell.rest_since_s
                for tray, flat in zip(trays, flats, strict=True)
            )
            if rested_s < LEANING_REST_S:
                return None
        self._tilt = LEVEL
        return [
            _Counted(tray, flat, *(stepped if left is None else (left - tray.cards, 0.0)))
            for tray, flat, left, stepped in zip(
                trays,
                flats,
                few,
                zip(level.changes, level.left_over_g, strict=True),
                strict=True,
            )
        ]

    def _played_on(self, counted: list[_Counted], host_s: float) -> Placed | None:
        """A card beyond what was asked for, on what had long stood as if set up, is a play."""
        if self._written is None or self._written != self._balance.counts():
            return None
        changed = [one for one in counted if one.change]
        if not self._nearly(self._written) or [one.change for one in changed] != [1]:
            return None
        (one,) = changed
        began_s = one.tray.first_touch_s(1, one.left_over_g)
        asked = self._target[self._balance.trays.index(one.tray)]
        if one.tray.cards < asked or began_s - self._rested_from_s < BETWEEN_CARDS_S:
            return None
        return put_down(
            one.tray,
            began_s,
            host_s,
            "one card more on a scale that had stood as if it was set up",
            grams=one.tray.card_g + one.left_over_g,
            sure=abs(one.left_over_g) <= LEANING_CARDS * one.tray.card_g,
        )

    def _went_on(self, counts: tuple[int, int]) -> bool:
        """True if more cards lie there than any reset asks for: people have long played on."""
        beyond = max(count - most for count, most in zip(counts, self._most, strict=True))
        before = self._written
        came = before is not None and sum(counts) == sum(before) + 1
        self._beyond = self._beyond + 1 if beyond > 0 and came else 0
        return self._beyond >= BEYOND_CARDS or (self._unseen and beyond > 1)

    def _nearly(self, counts: tuple[int, int]) -> bool:
        """True if a scale that is left alone with these counts must have been set up.

        One card more or less than the rules ask for is a pile that was counted wrongly before
        the spill, and more where hands have put them in is a table's own way of setting it up; to
        wait for another count would be to wait for ever.
        """
        return all(
            count >= 1 and (abs(count - asked) <= 1 or (tray in self._filled and count > asked))
            for tray, count, asked in zip(Tray, counts, self._target, strict=True)
        )
