"""The standing scale: how far each empty tray has drifted, and how far the beam leans.

It never counts cards: counts are given, and a weight that no drift explains is left alone.
"""

from typing import NamedTuple

from companion.scale.trays import HALF_CARD, TrayCards

DRIFT_G = 0.02
"""What a zero wanders in a second, rms; it grows with the root of the time. Measured: 0.20 g in a
minute."""
ZERO_G = 0.25
"""How well a calibration of some days ago knows the zero."""
LEAN_OF_A_CARD = 0.0004
"""A toy that eight cards tip leans by 13 degrees with them: its lean takes 2.6 %."""
SURE_LEAN = 0.0008
MOST_LEAN = 0.03
"""The cosine of 14 degrees: beyond it no beam stands."""
GIVES_WAY, GIVEN_WAY = 0.002, 0.0004
"""How much more share a beam's lean may take in a second under a new load, and under one that has
lain for `GIVES_WAY_S`: plastic gives."""
GIVES_WAY_S = 6.0
RUNNING_G_PER_S, UNSEEN_S = 0.05, 1.5
"""A zero that drifts faster runs on while it cannot be seen; good cells turn back and forth."""
SEEN_G = 0.03
"""The noise of a level at rest, what is still in the filter included."""
NEARLY_WHOLE = 0.3
"""A tray that is off by nearly whole cards was counted wrongly: that is no drift."""

LOOK_S = 1.0
"""What rests is looked at so often: a zero wanders by less than the noise in between."""

_ZEROS, _SUMS, _LEAN = (0, 1), (2, 3), 4


class _Looked(NamedTuple):
    """When and with which imbalance both trays were last seen at rest."""

    at_s: float
    imbalance: int
    stirred_s: float
    """When something had last come or gone, or moved."""


class Standing:
    """A Kalman filter of two zeros, the errors of what each tray's cards weighed, and the lean.

    A lean takes the same share of both weights and grows with the square of the imbalance; a zero
    drifts by itself; an error in the cards' weight goes when they go.
    """

    def __init__(self, trays: tuple[TrayCards, TrayCards]) -> None:
        self._trays = trays
        self._looked: _Looked | None = None
        self._state = [0.0] * 5
        self._spread = [[0.0] * 5 for _ in range(5)]
        for zero in _ZEROS:
            self._spread[zero][zero] = ZERO_G**2

    def follow(self, *, learning: bool) -> None:
        """Looks at both trays, which must rest; `learning` if the beam stands level and the counts
        are right as far as anybody knows."""
        left, right = self._trays
        assert left.cell.base is not None
        assert right.cell.base is not None
        now_s = max(left.cell.base.at_s, right.cell.base.at_s)
        stirred = left.stirred or right.stirred
        if self._looked is not None and now_s < self._looked.at_s + LOOK_S and not stirred:
            return
        imbalance = abs(left.cards - right.cards)
        if self._looked is not None and (not learning or now_s - self._looked.at_s > UNSEEN_S):
            self._drift_on(now_s - self._looked.at_s)
        self._pass_time(now_s, imbalance, stirred=stirred)
        stirred_s = now_s if stirred or self._looked is None else self._looked.stirred_s
        self._looked = _Looked(now_s, imbalance, stirred_s)
        if learning and not self._miscounted():
            for side in range(2):
                self._see(side)
            self._state[_LEAN] = min(max(self._state[_LEAN], -MOST_LEAN), 0.0)
        for side, tray in enumerate(self._trays):
            tray.empty_g = self._state[_ZEROS[side]]
            tray.lean_g = tray.beyond_cards_g() - tray.empty_g - self._state[_SUMS[side]]

    def finish_steps(self) -> None:
        """Lets each resting tray learn from its last step, without what the beam's lean did to it.

        What leans shows on the other tray, in which nothing came or went.
        """
        left, right = self._trays
        if left.fresh is None and right.fresh is None:
            return
        for tray, other in ((left, right), (right, left)):
            if tray.fresh is None or not tray.sighted or tray.cell.moving:
                continue
            share = other.leaned() if other.sighted and not other.cell.moving else None
            tray.finish_step(None if share is None else share * tray.gross_g)

    def _drift_on(self, passed_s: float) -> None:
        """A cell that ran away before a tip runs on while nobody can look at its zero."""
        for zero, tray in zip(_ZEROS, self._trays, strict=True):
            assert tray.cell.base is not None
            if abs(tray.cell.base.drift_g_per_s) > RUNNING_G_PER_S:
                self._state[zero] += tray.cell.base.drift_g_per_s * passed_s

    def _pass_time(self, now_s: float, imbalance: int, *, stirred: bool) -> None:
        spread = self._spread
        passed_s = 0.0 if self._looked is None else max(0.0, now_s - self._looked.at_s)
        for side, tray in enumerate(self._trays):
            zero, weight = _ZEROS[side], _SUMS[side]
            assert tray.cell.base is not None
            run_g = tray.cell.base.drift_g_per_s * passed_s
            spread[zero][zero] += DRIFT_G**2 * passed_s + run_g**2
            if tray.kept != 1.0:
                self._state[weight] *= tray.kept
                for other in range(5):
                    spread[weight][other] *= tray.kept
                    spread[other][weight] *= tray.kept
            spread[weight][weight] += tray.unsure_g2
            tray.stirred, tray.kept, tray.unsure_g2 = False, 1.0, 0.0
        if stirred or self._looked is None or imbalance != self._looked.imbalance:
            lean = LEAN_OF_A_CARD * imbalance**2
            self._state[_LEAN] = -min(lean, MOST_LEAN)
            for other in range(5):
                spread[_LEAN][other] = spread[other][_LEAN] = 0.0
            spread[_LEAN][_LEAN] = (SURE_LEAN + min(lean, MOST_LEAN)) ** 2
        else:
            new = now_s - self._looked.stirred_s < GIVES_WAY_S
            gives = GIVES_WAY if new else GIVEN_WAY
            gives *= min(1.0, LEAN_OF_A_CARD * imbalance**2 / MOST_LEAN)
            spread[_LEAN][_LEAN] += gives**2 * passed_s

    def _off_g(self, side: int) -> float:
        tray, state = self._trays[side], self._state
        known_g = state[_ZEROS[side]] + state[_SUMS[side]] + state[_LEAN] * tray.gross_g
        return tray.beyond_cards_g() - known_g

    def _miscounted(self) -> bool:
        """True if one tray is off by whole cards: no zero does that, and no beam to one tray."""
        left, right = self._trays
        apart = self._off_g(0) / left.gross_g - self._off_g(1) / right.gross_g
        cards = apart * min(left.gross_g, right.gross_g) / left.card_g
        return abs(cards) > HALF_CARD and abs(cards - round(cards)) < NEARLY_WHOLE

    def _see(self, side: int) -> None:
        tray, state, spread = self._trays[side], self._state, self._spread
        off_g = self._off_g(side)
        zero, weight, gross_g = _ZEROS[side], _SUMS[side], tray.gross_g
        column = [row[zero] + row[weight] + row[_LEAN] * gross_g for row in spread]
        seen = column[zero] + column[weight] + column[_LEAN] * gross_g
        power = SEEN_G**2 + tray.cell.sigma_g**2 / 4 + seen
        for i, covariance in enumerate(column):
            gain = covariance / power
            state[i] += gain * off_g
            spread[i] = [was - gain * other for was, other in zip(spread[i], column, strict=True)]
