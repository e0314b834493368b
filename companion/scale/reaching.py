"""A hand that puts a card into the tray that goes down, while the beam still falls freely.

It never says how many cards lie there; what it saw may have been a hand alone.
"""

import math
from statistics import fmean
from typing import NamedTuple

from companion.scale.balance import Balance
from companion.scale.fall import PULSE_SHARE
from companion.scale.motion import FILTER_CONVERSIONS, GAP_PERIODS, gap_at, reading_at, undamaged
from companion.scale.reference import GENTLE_SHARE
from companion.scale.signal import LOOK_S, Cell
from companion.scale.together import Touch
from companion.scale.trays import TrayCards
from companion.units import Tray

QUIET_S, QUIET_READINGS, SLOW_QUIET_READINGS = 0.09, 3, 2
"""A slow cell's filter has already taken the mean of the whole time between two readings."""
QUIET_SHARE = 0.012
"""A beam just past its edge turns so slowly that no tray's weight changes by more in that time; a
hand trembles by some per cent of its force."""
RESTED_S = 0.15
"""Half as long again as the beam is asked to turn slowly: what a median takes from both ends."""
SLOW_SHARE = 0.06
"""So little of g lies between the trays while a beam begins to fall and is not slowed down."""
PUSH_CARDS = 0.3
LOWEST_SIGMAS = 5
"""The lowest of fifty noisy readings of both trays lies half of it low, the highest as high."""
ALIKE = 0.3
"""A falling beam presses one tray more and the other less, and both less for its angle. Where both
together press more by so much of what parts them, something was added to one of them."""
STILL = 0.15
"""What a beam gives to the other tray it takes from this one: if this one weighs what it weighed,
a hand is at the other."""
STOPPED, FALL_S = 0.5, 1.2
"""A beam is at its stop when half of what parted the trays is gone, or after so long: from the
switch's angle the slowest one needs a second."""
GRAVITY_M_S2, FALLING_M_S = 9.81, 0.05
"""How far the trays are apart, as a share of g, adds up to their speed. From the switch's angle to
a stop 15 degrees below it a tray on arms of 15 cm goes down by 4 cm, mostly in half a second."""
STOP_CONVERSIONS = FILTER_CONVERSIONS + 1
"""What the stop does to one cell may show in the other one's readings a conversion later."""
SLOWED_PART = 0.5
"""A stop takes from one tray what it adds to the other; a hand only adds. Half of it is left to
trays and cells that ring."""
BEFORE_S = 0.5
"""A beam that creeps past its switch has turned so slowly before it too."""
BEAT_PERIODS = 1.1
"""More than one reading in twenty is seldom damaged; a chip that starts again leaves a hole."""
SAME_PERIODS = 0.3
"""The times of a resting cell's readings are shared out evenly, and stray by less."""


class _Moment(NamedTuple):
    at_s: float
    down: float
    up: float
    """What the tray that goes down and the other one weigh, as shares of all that they hold."""

    @property
    def common(self) -> float:
        """What the beam's angle takes from both, 0 or below, unless a hand presses."""
        return (self.down + self.up) / 2

    @property
    def apart(self) -> float:
        """How the beam gathers speed, as a share of g."""
        return (self.up - self.down) / 2

    @property
    def slowed(self) -> bool:
        """True if the beam is stopped: it lifts the tray that rises, which no hand at the other
        one does."""
        return self.apart < -PULSE_SHARE and self.up < SLOWED_PART * self.apart


class _Record:
    """What a tray has shown since the beam began to turn slowly, however its base is kept since.

    A creeping beam takes a resting cell's base along for a while.
    """

    def __init__(self, tray: TrayCards, begin_s: float, *, untouched: bool) -> None:
        self._tray = tray
        self._heard_s = begin_s
        self._rows = _rested(tray.cell, begin_s) if untouched else []
        self._whole_g = tray.whole_g(begin_s, 0.0) if tray.sighted else 0.0

    def shares(self) -> list[tuple[float, float]]:
        """How much less it weighed at each moment than on a level beam, as a share of it, without
        single damaged words."""
        tray, rows = self._tray, self._rows
        cell = tray.cell
        if not tray.sighted:
            return []
        news = cell.readings_since(self._heard_s + SAME_PERIODS * cell.cadence.period_s)
        if news and not (cell.cadence.fast and len(news) > 1 and self._lacks_some(news)):
            self._heard_s = news[-1][0]
            rows += news
        return [
            (at_s, (grams - self._whole_g) / tray.gross_g)
            for at_s, grams in (undamaged(rows) if cell.cadence.fast and len(rows) > 2 else rows)
        ]

    def _lacks_some(self, news: list[tuple[float, float]]) -> bool:
        """True if a resting cell's times are shared out over a hole: nobody knows them then."""
        (first_s, _), (last_s, _) = news[0], news[-1]
        beat_s = (last_s - first_s) / (len(news) - 1)
        cell = self._tray.cell
        return not cell.moving and beat_s > BEAT_PERIODS * cell.cadence.period_s


def _rested(cell: Cell, begin_s: float) -> list[tuple[float, float]]:
    """What a fast cell weighed at rest from then on, before it began to move; a slow one's last
    readings at rest may hold some of what came."""
    if not cell.moving or cell.base is None or not cell.cadence.fast:
        return []
    period_s = cell.cadence.period_s
    times = [cell.onset_s - period_s * i for i in range(round(RESTED_S / period_s), 0, -1)]
    return [(at_s, cell.base.at(at_s)) for at_s in times if at_s > begin_s]


class Reaching:
    """Watches one fall, from the switch's angle to the stop: both trays only get lighter together.

    The trays press in opposite sense with the beam's acceleration, which leaves their mean alone;
    the mean is the cosine of its angle, which a fall only makes smaller.
    """

    def __init__(
        self, balance: Balance, began_s: float, side: Tray | None, *, untouched: bool
    ) -> None:
        """`untouched` if nobody is known to have put anything down as the beam left level."""
        self._tray = balance.left if side is Tray.LEFT else balance.right
        self._other = balance.other(self._tray)
        self._over = side is None
        self._looked_s, self._began_s, self._until_s = -math.inf, began_s, began_s + FALL_S
        self._seen_s = began_s - BEFORE_S if untouched else began_s
        self._mine = _Record(self._tray, self._seen_s, untouched=untouched)
        self._theirs = _Record(self._other, self._seen_s, untouched=untouched)
        self._recent: list[_Moment] = []
        self._before: _Moment | None = None
        """The least that both trays weighed while the beam turned slowly and no hand was there."""
        self._lowest: _Moment | None = None
        """The same since then, of fast cells: nothing in a fall makes it more again but a hand."""
        self._fastest = 0.0
        """How far apart the trays have been at the most."""
        self._since_s, self._force_g = math.inf, 0.0
        self._shown_s = math.inf
        """When the force was first beyond doubt."""
        self._pressed = False
        """It was so above what both weighed while the beam turned slowly."""
        self._speed_m_s = 0.0
        """How fast the tray goes down, as far as it was pressed and lifted since it was slow."""

    def look(self, now_s: float, *, tilted: bool) -> tuple[TrayCards, Touch] | None:
        """The tray and its touch, once the beam has fallen on under it.

        One that comes back, or that a hand brings back, is none of this: at rest its cards are
        counted.
        """
        self._over = self._over or not tilted
        if self._over or now_s - self._looked_s < LOOK_S:
            return None
        self._looked_s = now_s
        fast = self._tray.cell.cadence.fast
        for moment in self._news():
            if moment.at_s > self._until_s:
                self._over = True
                return None
            # A slow cell smears the stop over what a hand has pressed before it.
            stopped = moment.apart < STOPPED * self._fastest and self._fastest > PULSE_SHARE
            if stopped or (fast and moment.slowed):
                return self._end(moment)
            self._fastest = max(self._fastest, moment.apart)
            if self._lowest is not None and self._recent:
                passed_s = moment.at_s - self._recent[-1].at_s
                self._speed_m_s += GRAVITY_M_S2 * moment.apart * passed_s
            self._compare(moment)
            self._refer(moment)
            if self._fastest > PULSE_SHARE and (not fast or self._falls_on(moment)):
                return self._end(moment)
        return None

    def _falls_on(self, now: _Moment) -> bool:
        """True if the beam fell on under a force that came before its stop: one that is brought
        back makes both trays heavier, too, and two chips feel a stop at moments of their own."""
        falls = self._pressed or self._speed_m_s > FALLING_M_S
        before_s = STOP_CONVERSIONS * self._tray.cell.cadence.period_s
        return falls and self._fastest > PULSE_SHARE and now.at_s - self._shown_s > before_s

    def _end(self, now: _Moment) -> tuple[TrayCards, Touch] | None:
        self._over = True
        if not self._force_g or (self._tray.cell.cadence.fast and not self._falls_on(now)):
            return None
        return self._tray, Touch(self._since_s, self._force_g, lies=False)

    def _compare(self, now: _Moment) -> None:
        """Looks for a force that no falling beam has."""
        card_g, sigma_g = self._tray.card_g, self._tray.cell.sigma_g
        # How far each is beyond what noise alone may show.
        pressed_g = self._pressed_g(now, self._before) - 2 * sigma_g
        rises_g = self._pressed_g(now, self._lowest) - LOWEST_SIGMAS * sigma_g
        beyond_g = max(pressed_g, rises_g)
        if now.at_s <= self._began_s:
            if beyond_g > 0:
                self._before = self._lowest = None  # what pressed before the tip was looked at then
            return
        if beyond_g > 0:
            self._since_s = min(self._since_s, now.at_s)
        elif not self._force_g:
            self._since_s = math.inf
        if beyond_g > PUSH_CARDS * card_g:
            self._force_g = max(self._force_g, beyond_g)
            self._shown_s = min(self._shown_s, now.at_s)
            self._pressed = self._pressed or pressed_g > PUSH_CARDS * card_g
        if self._lowest is not None and now.common < self._lowest.common:
            self._lowest = now

    def _pressed_g(self, now: _Moment, before: _Moment | None) -> float:
        if before is None:
            return 0.0
        added = now.common - before.common
        slow = not self._tray.cell.cadence.fast
        if added < ALIKE * abs(now.apart - before.apart) or (slow and not self._begins(now)):
            return 0.0
        if abs(now.down - before.down) < STILL * (now.up - before.up):
            return 0.0
        return 2 * added * self._tray.gross_g

    def _begins(self, now: _Moment) -> bool:
        return self._fastest < SLOW_SHARE and now.up > GENTLE_SHARE

    def _refer(self, now: _Moment) -> None:
        """Takes the beam's slow beginning as what a free fall goes on from."""
        recent = self._recent
        recent.append(now)
        enough = QUIET_READINGS if self._tray.cell.cadence.fast else SLOW_QUIET_READINGS
        while len(recent) > enough and recent[1].at_s < now.at_s - QUIET_S:
            del recent[0]
        if len(recent) < enough or now.at_s - recent[0].at_s < QUIET_S:
            return
        quiet = _Moment(now.at_s, fmean(m.down for m in recent), fmean(m.up for m in recent))
        unrest = QUIET_SHARE + 3 * self._tray.cell.sigma_g / self._tray.gross_g
        falls = -QUIET_SHARE < quiet.apart < SLOW_SHARE
        if not (falls and GENTLE_SHARE < quiet.common < unrest):
            return
        shares = [moment.down for moment in recent], [moment.up for moment in recent]
        if max(max(tray) - min(tray) for tray in shares) > unrest:
            return
        if self._before is None or quiet.common < self._before.common:
            self._before = quiet
        if self._lowest is None and self._tray.cell.cadence.fast:
            self._lowest = quiet

    def _news(self) -> list[_Moment]:
        """What both trays showed at each new reading of the one that goes down."""
        mine, theirs = self._mine.shares(), self._theirs.shares()
        if not mine or not theirs:
            return []
        gap_s = GAP_PERIODS * self._other.cell.cadence.period_s
        found = [
            _Moment(at_s, down, reading_at(theirs, at_s))
            for at_s, down in mine
            if self._seen_s < at_s <= theirs[-1][0] and gap_at(theirs, at_s) < gap_s
        ]
        if found:
            self._seen_s = found[-1].at_s
        return found
