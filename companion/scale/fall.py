"""How far down the beam fell: what its stop leaves open about its angle.

It never looks for lost cards; it bounds what the tilt alone can take from both weights.
"""

import math
from collections.abc import Sequence
from itertools import permutations

from companion.scale.balance import Balance
from companion.scale.hanging import STILL_CARDS, spans
from companion.scale.reference import GENTLE_SHARE
from companion.scale.trays import TrayCards
from companion.scale.weighing import STEEPEST_SHARE

WINDOW_S = 0.05
PULSE_SHARE = 0.12
"""An eighth of g between the trays: the beam gathers speed, is stopped, or springs back."""
REBOUND_PART = 0.8
"""What springs back from a stop is slower than what fell on it."""
GIVE = 1.06
"""A stop gives way, and a beam comes to rest a little deeper than the filter saw it turn."""
SURPLUS_SHARE = 0.01
RISE_SHARE = 0.01
"""A third of a gram: many times what ten readings are unsure of."""
PUSHED_SHARE = 0.8
"""Eight tenths of g: no stop is hit so hard for a look's length, but hands press so."""
TILTED_SHARE = -0.034
"""cos 15 degrees."""
STILL_S, LEFT_CARDS = 0.15, 2.0
"""A beam that gathers speed may give a tray what its angle takes from it, to a tenth of a card over
ten degrees of a fall, which past 20 degrees last for less. What rubs in its bearing may hold a beam
that has lost one card."""


class Fall:
    """Follows the pulses of a falling beam; once it sprang back from its stop, the stop is known.

    It is, too, where a tray holds still while cards leave the other one. The trays press in
    opposite sense with the beam's acceleration and alike with its angle's cosine. A beam that was
    slowed down, presses more again and then accelerates the other way has turned.
    """

    def __init__(self, balance: Balance) -> None:
        self._balance = balance
        self._sense = 0
        self._swept = self._swept_before = 0.0
        """What each pulse adds up to: how much the beam's speed changed by it."""
        self._looked_s = math.inf
        self._deepest = self._highest = 0.0
        self._stop = 0.0
        """The deepest turn since nothing spoke against a stop, as a share; 0 if there was none."""
        self._lay = 0.0
        """Where it lay while cards left, as a share; 0 if that was not seen."""

    @property
    def low(self) -> float:
        """The most that the tilt alone can have taken from both weights, as a share, below 0."""
        stop = self._lay or self._stop
        if not stop:
            return STEEPEST_SHARE
        angle = math.acos(1 + max(stop, STEEPEST_SHARE))
        return max(math.cos(min(GIVE * angle, math.pi / 3)) - 1 - SURPLUS_SHARE, STEEPEST_SHARE)

    def look(self, now_s: float) -> None:
        """Takes what both trays show now."""
        trays = self._balance.sighted()
        if len(trays) < 2 or not all(tray.cell.cadence.fast for tray in trays):
            return
        shares = []
        for tray in trays:
            flat = tray.cell.quick(WINDOW_S) if tray.cell.moving else tray.quick()
            if flat is None:
                return
            shares.append(tray.share(flat))
        self._look_at_rest(trays)
        apart, common = (shares[0] - shares[1]) / 2, (shares[0] + shares[1]) / 2
        lasted_s = max(0.0, now_s - self._looked_s)
        self._looked_s = now_s
        if max(shares) > PUSHED_SHARE or common > 0:
            self._sense, self._swept = 0, 0.0  # a hand, or a beam that is not down
            self._stop = self._lay = 0.0
            return
        if abs(apart) > PULSE_SHARE and (apart > 0) != (self._sense > 0):
            self._begin(1 if apart > 0 else -1)
        if common < self._deepest:
            self._deepest = self._highest = common
        self._highest = max(self._highest, common)
        if abs(apart) > PULSE_SHARE:
            self._swept += abs(apart) * lasted_s
            if self._swept > REBOUND_PART * self._swept_before:
                self._stop = 0.0

    def _look_at_rest(self, trays: Sequence[TrayCards]) -> None:
        """A beam that moves neither way while cards leave one tray lies on its stop: there the
        other tray, with all its cards, shows how far down that is."""
        seen = spans(trays, -math.inf, STILL_S)
        for (tray, span), (other, beside) in permutations(zip(trays, seen, strict=False), 2):
            still = max(span.parts_g) - min(span.parts_g) < STILL_CARDS * tray.card_g
            left_g = beside.parts_g[0] - beside.parts_g[-1]
            share = tray.share(span.flat)
            if still and left_g > LEFT_CARDS * other.card_g and share < GENTLE_SHARE:
                self._lay = max(self._lay or share, share)

    def _begin(self, sense: int) -> None:
        """A pulse of the other sense begins; in the one before the beam may have turned."""
        turned = self._highest > self._deepest + RISE_SHARE
        if self._sense and turned and self._deepest < TILTED_SHARE:
            self._stop = min(self._stop, self._deepest)
        self._sense, self._swept_before, self._swept = sense, self._swept, 0.0
        self._deepest = self._highest = 0.0
