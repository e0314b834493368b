"""The cards in one tray: how many, what one weighs, and what a rest after a motion says of it.

It never decides that the scale tipped, and never looks at the other tray.
"""

import math

import msgspec

from companion.events import Sensor
from companion.scale.calibration import TYPICAL_TRAY_G, CellCalibration
from companion.scale.motion import Base, Flat
from companion.scale.signal import BLOCK_S, Cell
from companion.scale.weighing import Seen
from companion.scale.whole import CLOSE_CARDS, UNSURE_DRIFT_G_PER_S, Whole
from companion.units import Tray

HALF_CARD = 0.5
TOUCH_CARDS = 0.5
"""A push or pull beyond half a card is no drift."""
UNEVEN_CARDS = 0.04
"""Cards of one deck differ by some per cent of a card's weight."""
FEW_CARDS = 4
"""So few cards weigh too little to hide how far the empty tray has drifted."""
WHOLE_CARDS = 0.4
"""Closer than this to whole cards, a weight is that of whole cards."""
HANDFUL, MOST_CARDS = 3, 6
"""What a hand puts down or takes at once: one card, now and then stuck ones. Nobody plays more than
the most at once; a hand weighs as much."""
LEANING_CARDS = 0.25
"""A remainder beyond this is no noise: a card that leans, a hand that still holds."""
HAND_CARDS = 1.5
CALM_CARDS = 0.15
FINISHED_S = 0.3
LATE_CARDS = 0.2
LEARNED_STEPS = 20
TRUSTED_STEPS = 3
"""The calibration's weight of a card counts like so many placings."""
BESIDE_G = 0.02
"""What a cell wanders in a second beside its noise; measured."""
QUICK_S = 0.12
QUICK_READINGS = 3


class Fresh(msgspec.Struct, frozen=True):
    """A step that was just counted, while the last of it may still be in the filter."""

    at_s: float
    level_g: float
    change: int
    step_g: float
    before: Base | None
    """Where it rested before, if that was whole cards and the step is one."""


class Empty(msgspec.Struct, frozen=True):
    """The empty tray on a level beam: its drift since it was calibrated, and how that goes on."""

    level_g: float
    at_s: float
    drift_g_per_s: float

    def at(self, moment_s: float) -> float:
        return self.level_g + self.drift_g_per_s * (moment_s - self.at_s)


class TrayCards:
    """One tray's cards, counted by steps from its first rest on."""

    def __init__(self, tray: Tray, calibration: CellCalibration, card_g: float) -> None:
        self.tray = tray
        self.cell = Cell(Sensor(tray.value), calibration, card_g)
        self.card_g = card_g
        self.tray_g = calibration.tray_g or TYPICAL_TRAY_G
        self.cards = 0
        self.known = False
        self.doubted = 0
        """Cards in the count that may have been a hand alone."""
        self.leaning_g = 0.0
        """Weight that the count does not explain: part of a card that leans, below or above 0."""
        self._leaning_since_s = -math.inf
        self._whole: Whole | None = None
        """Where it would rest with whole cards alone; None if that is not known."""
        self._cards_g = 0.0
        """What the cards that lie there weighed as they came."""
        self.fresh: Fresh | None = None
        self._steps = 0
        self.empty = Empty(0.0, 0.0, 0.0)
        """What the empty tray would show on a level beam."""
        self.beside: Base | None = None
        """Its base when the other tray began to move: what it leans since then is the beam."""
        self.was_beside: Base | None = None
        """The same of the other's last motion, if it rested all the while."""
        self.lean_g = 0.0
        """What the standing beam's lean took from the base, 0 or below."""
        self.stirred = True
        """It has come to rest anew since `Standing` last looked, ..."""
        self.kept = 1.0
        """... with this part of the cards that lay there then, ..."""
        self.unsure_g2 = 0.0
        """... and cards came whose weight is known with this variance."""

    @property
    def gross_g(self) -> float:
        """Tray and cards together."""
        return self.tray_g + self._cards_g

    @property
    def lying_g(self) -> float:
        """What a card that lies there weighs: all of them, as they were measured, divided."""
        if not self.cards:
            return self.card_g
        mean_g = self._cards_g / self.cards
        return min(max(mean_g, 0.8 * self.card_g), 1.2 * self.card_g)

    @property
    def sighted(self) -> bool:
        """True if this tray can be judged by its weight."""
        return self.known and not self.cell.health.blind

    # --- what it shows -----------------------------------------------------------------------

    def rest(self) -> Flat | None:
        """Where the weight holds still now, or None."""
        cell = self.cell
        if cell.health.blind:
            return None
        if cell.moving:
            return cell.flat
        return self._at_base()

    def quick(self) -> Flat | None:
        """What it weighs now, with its unrest as the noise: in a falling scale nothing rests."""
        cell = self.cell
        if cell.moving:
            return cell.quick(max(QUICK_S, QUICK_READINGS * cell.cadence.period_s))
        return self._at_base()

    def calm(self) -> Flat | None:
        """What it weighs now if that is more than its unrest, or None."""
        flat = self.quick()
        unrest_g = CALM_CARDS * self.card_g + 2 * self.cell.sigma_g
        return flat if flat is not None and flat.sigma_g < unrest_g else None

    def _at_base(self) -> Flat | None:
        cell = self.cell
        if cell.base is None:
            return None
        now_s = cell.cadence.sampled_s
        return Flat(cell.base.at(now_s), cell.rest_since_s, now_s, 20, cell.sigma_g / 4)

    def seen(self, flat: Flat, *, from_level: bool) -> Seen:
        """What this tray shows now against its frozen base, as it stood or as if it stood level."""
        cell = self.cell
        assert cell.base is not None
        gap_s = max(0.0, flat.until_s - cell.base.at_s) if cell.moving else 0.0
        sigma_g = math.hypot(flat.sigma_g, UNEVEN_CARDS * self.card_g, UNSURE_DRIFT_G_PER_S * gap_s)
        before_g = cell.base.at(flat.until_s) - self.leaning_g
        if from_level:
            before_g = self.whole_g(flat.until_s, 0.0)
        elif self.beside is not None and not cell.moving:
            before_g = self.beside.at(flat.until_s)
            blocks = max(0.0, flat.until_s - self.beside.at_s) / BLOCK_S
            sigma_g = math.hypot(BESIDE_G, cell.sigma_g / 4, cell.wander_g * math.sqrt(blocks))
        return Seen(
            before_g=before_g,
            now_g=flat.level_g,
            gross_g=self.gross_g,
            cards=self.cards,
            card_g=self.card_g,
            lying_g=self.lying_g,
            sigma_g=sigma_g,
            touched=self.touched,
            still=not cell.moving,
        )

    def unsure_g(self, flat: Flat) -> float:
        """How well is known what it would weigh now with all its cards on a level beam, grams."""
        assert self.cell.base is not None
        gap_s = max(0.0, flat.until_s - self.cell.base.at_s) if self.cell.moving else 0.0
        return math.hypot(UNEVEN_CARDS * self.card_g, UNSURE_DRIFT_G_PER_S * gap_s)

    def whole_g(self, moment_s: float, share: float) -> float:
        """What it would weigh with all its cards on a beam that takes `share` of it."""
        assert self.cell.base is not None
        level_g = self.cell.base.at(moment_s) - self.leaning_g - self.lean_g
        return level_g + share * self.gross_g

    def share(self, flat: Flat) -> float:
        """What the beam takes from it if no card came or went."""
        return (flat.level_g - self.whole_g(flat.until_s, 0.0)) / self.gross_g

    def away_shares(self, flat: Flat) -> tuple[float, float]:
        """How far it is from its base, and was pushed at the most, as shares of all its weight."""
        base = self.cell.base
        assert base is not None
        _, push_g = self.cell.extremes()
        return (flat.level_g - base.at(flat.until_s)) / self.gross_g, push_g / self.gross_g

    def by_hand(self, flat: Flat, share: float) -> bool:
        """True if it weighs more than all its cards, or less than the empty tray."""
        slack_g = HAND_CARDS * self.card_g + 2 * flat.sigma_g
        whole_g = self.whole_g(flat.until_s, share)
        empty_g = whole_g - self._cards_g * (1 + share)
        return not empty_g - slack_g <= flat.level_g <= whole_g + slack_g

    def seen_since(self, before: Flat, now: Flat) -> Seen:
        """What changed since an earlier look, on a beam that lightens both by the same share."""
        cell = self.cell
        scale = 1 + self.share(before)
        stray_g = cell.wander_g * math.sqrt(max(now.until_s - before.until_s, 0.0) / BLOCK_S)
        sigma_g = math.hypot(now.sigma_g, before.sigma_g, UNEVEN_CARDS * self.card_g, stray_g)
        return Seen(
            before_g=before.level_g,
            now_g=now.level_g,
            gross_g=self.gross_g * scale,
            cards=self.cards,
            card_g=self.card_g * scale,
            lying_g=self.lying_g * scale,
            sigma_g=sigma_g,
            touched=True,
        )

    @property
    def touched(self) -> bool:
        """True if something pushed or pulled at it since it last rested."""
        if not self.cell.moving:
            return False
        pull_g, push_g = self.cell.extremes()
        return max(push_g, -pull_g) > TOUCH_CARDS * self.card_g

    def pressed_g(self, flat: Flat) -> float:
        """How hard a hand pressed or pulled here since the rest that `flat` shows began.

        What it was heavier by all the while is cards that came before, if it is no more than what
        people put in at once.
        """
        if not self.cell.moving:
            return 0.0
        weights = self.cell.between(flat.since_s, math.inf)
        least_g, most_g = min(weights, default=0.0), max(weights, default=0.0)
        if 0.0 < least_g < MOST_CARDS * self.card_g:
            return most_g - least_g
        return max(-least_g, most_g)

    def pushed_since_g(self, flat: Flat) -> float:
        """The strongest push here since `flat` was seen, grams beyond what it showed."""
        base = self.cell.base
        assert base is not None
        push_g = max(self.cell.between(flat.until_s, math.inf), default=0.0)
        return push_g + base.at(flat.until_s) - flat.level_g

    def strayed_g(self, flat: Flat) -> float:
        """By how much it has moved since the rest that `flat` shows began, grams."""
        values = self.cell.between(flat.since_s, math.inf) if self.cell.moving else []
        return max(values) - min(values) if values else 0.0

    def first_touch_s(self, change: int, left_over_g: float) -> float:
        """When a card that is counted only now was first touched: it may have leaned for long.

        It has not where what leaned is still there: then it came beside it.
        """
        leaning_g = self.leaning_g
        if leaning_g * change > 0 and left_over_g * leaning_g < leaning_g**2 / 2:
            return self._leaning_since_s
        return self.cell.left_base_s(math.inf)

    # --- what is decided ---------------------------------------------------------------------

    def begin(self, flat: Flat) -> None:
        """Counts the cards that lie there at the first rest, from the absolute weight."""
        cards = max(0, round(flat.level_g / self.card_g))
        self._count(cards - self.cards, cards * self.card_g - self._cards_g)
        self.known = True
        self.cell.settle(flat)

    def few(self, flat: Flat) -> int | None:
        """How many cards a nearly empty tray holds by its weight against the empty tray; None if
        that is none of few whole cards.

        After a dump this is known better than the step, which is known to some per cent only: to
        a card of twenty. `tests/tables/test_evenings.py` fails without it.
        """
        loaded_g = flat.level_g - self.empty.at(flat.until_s)
        cards = max(0, round(loaded_g / self.card_g))
        off_g = abs(loaded_g - cards * self.card_g)
        return None if cards > FEW_CARDS or off_g > WHOLE_CARDS * self.card_g else cards

    def accept(self, flat: Flat, change: int, left_over_g: float, began_s: float) -> None:
        """Takes a rest as explained: `change` cards more, and what no count explains, by a hand
        that came at `began_s`."""
        leans = abs(left_over_g) > LEANING_CARDS * self.card_g
        base, whole = self.cell.base, self._whole
        assert base is not None
        if change or whole is None or not whole.short_g(base, flat.until_s):
            self._whole = self._made_whole(flat, change)
            if change or left_over_g * self.leaning_g <= 0:
                self._leaning_since_s = began_s
        step_g = change * (self.card_g if change > 0 else self.lying_g)
        self._count(change, step_g if leans or change <= 0 else step_g + left_over_g)
        self.doubted = 0
        before = base if change > 0 and not leans and not self.leaning_g else None
        self.fresh = Fresh(flat.until_s, flat.level_g, change, step_g + left_over_g, before)
        self.leaning_g = left_over_g if leans else 0.0
        self.cell.settle(flat)

    def _made_whole(self, flat: Flat, change: int) -> Whole | None:
        """Where it would rest if exactly so many cards had come; None if cards went."""
        assert self.cell.base is not None
        came_g = change * self.card_g
        level_g = self.cell.base.at(flat.until_s) - self.leaning_g + came_g
        if change < 0 or abs(flat.level_g - level_g) > HALF_CARD * self.card_g:
            return None
        cards_g = self._cards_g + came_g
        return Whole(level_g, flat.until_s, cards_g, self.card_g, part_came=not change)

    def forget_parts(self) -> None:
        """Takes what came for no part of a card: what is put back after a spill is nobody's, and a
        beam that came back and swings gives to a tray. Neither dates the next card."""
        if self._whole is not None:
            self._whole = msgspec.structs.replace(self._whole, part_came=False)

    def push_home(self, flat: Flat) -> None:
        """Sets its base right if only what that lacks of whole cards makes whole cards of `flat`.

        A card leaned by too little to be told from an uneven one, or sank once it was counted, and
        was pushed in; or a part of one was no more than what a beam's lean gives.
        """
        base, whole = self.cell.base, self._whole
        if base is None or whole is None or not self.cell.moving:
            return
        cards = whole.came(base, flat)
        if cards is None:
            return
        short_g = whole.short_g(base, flat.until_s)
        self.leaning_g = -short_g if cards and whole.part_came else 0.0
        if not self.leaning_g:
            self.cell.base = msgspec.structs.replace(base, level_g=base.level_g + short_g)
        self._cards_g = whole.cards_g

    def _count(self, change: int, step_g: float) -> None:
        before, self.cards = self.cards, self.cards + change
        self._cards_g = self._cards_g + step_g if self.cards else 0.0
        if change < 0:
            self.kept *= self.cards / before
            self.unsure_g2 *= (self.cards / before) ** 2
        self.unsure_g2 += max(change, 0) * (UNEVEN_CARDS * self.card_g) ** 2
        self.stirred = True

    def finish_step(self, leaned_g: float | None) -> None:
        """Corrects the last step once the filter has settled, and learns a card's weight by it.

        That weight has the cell's gain error in it, which is what later counts need. `leaned_g` of
        the step is the beam's doing; None if that is not known.
        """
        fresh, base = self.fresh, self.cell.base
        if fresh is None or base is None or base.at_s - fresh.at_s < FINISHED_S:
            return
        self.fresh = None
        if fresh.before is not None and leaned_g is not None:
            late_g = base.level_g - fresh.before.at(base.at_s) - leaned_g - fresh.step_g
        else:
            drifted_g = base.drift_g_per_s * (base.at_s - fresh.at_s)
            late_g = base.level_g - fresh.level_g - drifted_g
        if abs(late_g) > LATE_CARDS * self.card_g or not fresh.change:
            return
        self._cards_g += late_g if self.cards else 0.0
        off_g = (fresh.step_g + late_g) / fresh.change - self.card_g
        if fresh.before is not None and abs(off_g) < 2 * CLOSE_CARDS * self.card_g:
            self._steps = min(self._steps + 1, LEARNED_STEPS)
            self.card_g += off_g / (self._steps + TRUSTED_STEPS)

    def leaned(self) -> float | None:
        """Which share of it the beam's lean has taken since before the other's last motion."""
        base, before = self.cell.base, self.was_beside
        if base is None or before is None:
            return None
        return (base.level_g - before.at(base.at_s)) / self.gross_g

    def beyond_cards_g(self) -> float:
        """What its base shows beside the cards that lie there: its zero, and the beam's lean."""
        base = self.cell.base
        assert base is not None
        return base.level_g - self.leaning_g - self._cards_g

    def drifted(self, flat: Flat) -> None:
        """Takes a rest at another level as the cell's own doing, or the beam's."""
        self.stirred = True
        self.cell.settle(flat)

    def expect(self, change: int, *, sure: bool) -> None:
        """Counts cards that are in the tray although it has not come to rest with them."""
        step_g = change * self.card_g
        self._count(change, step_g)
        self.doubted = 0 if sure else change
        self._whole = None
        base = self.cell.base
        assert base is not None
        self.cell.base = msgspec.structs.replace(base, level_g=base.level_g + step_g)
