"""The standing scale: how far each empty tray has drifted, and how far the beam leans.

It never counts cards: counts are given, and a weight that no drift explains is left alone.
"""

import msgspec

from companion.scale.motion import Flat
from companion.scale.trays import HALF_CARD, Empty, TrayCards

DRIFT_G = 0.02
"""What a zero wanders in a second, rms; it grows with the root of the time. Measured: 0.20 g in a
minute."""
ZERO_G = 0.25
"""How well a calibration of some days ago knows the zero."""
LEAN_OF_A_CARD = 0.0004
"""A toy that eight cards tip leans by 13 degrees with them: its lean takes 2.6 %."""
MOST_LEAN_OF_A_CARD = 0.0008
"""No toy that stands with seven cards on one side gives more."""
MOST_LEAN = 0.03
"""The cosine of 14 degrees: beyond it no beam stands."""
MOST_SQUARE = 75
"""The square of the imbalance with which a toy leans so far."""
SURE_LEAN, UNEVEN_LEAN = 0.0008, 0.3
"""How much a lean strays from what its imbalance lets expect: friction, cards off the middle."""
GIVES_WAY, GIVEN_WAY = 0.002, 0.0004
"""How much more share a beam's lean may take in a second under a new load, and under one that has
lain for `GIVES_WAY_S`: plastic gives."""
GIVES_WAY_S = 6.0
RUNNING_G_PER_S = 0.05
"""A zero that drifts faster runs on while hands hide it; good cells turn back and forth."""
LASTING_S = 10.0
"""Drift goes on for so long; a beam that creeps has fallen by then."""
SEEN_G = 0.03
"""The noise of a level at rest, what is still in the filter included."""
NEARLY_WHOLE = 0.3
"""A tray that is off by nearly whole cards was counted wrongly: that is no drift."""

LOOK_S = 1.0
"""What rests is looked at so often: a zero wanders by less than the noise in between."""

_ZEROS, _SUMS, _LEAN, _GIVING = (0, 1), (2, 3), 4, 5
_STATES = 6


class _Looked(msgspec.Struct, frozen=True):
    """When and with which imbalance both trays were last seen at rest."""

    at_s: float
    imbalance: int
    square: int
    """What the lean grows with: the square of the imbalance."""
    stirred_s: float
    """When something had last come or gone, or moved."""


class Standing:
    """A Kalman filter of two zeros, the errors of what each tray's cards weighed, and the lean.

    A lean takes the same share of both weights and grows with the square of the imbalance, by a
    factor that each toy has of its own: the sixth unknown. A zero drifts by itself; an error in the
    cards' weight goes when they go.
    """

    def __init__(self, trays: tuple[TrayCards, TrayCards]) -> None:
        self._trays = trays
        self._looked: _Looked | None = None
        self._lasting = [0.0, 0.0]
        """How fast each cell has long been drifting, grams a second."""
        self._lasted_s = 0.0
        self._state = [0.0] * _STATES
        self._spread = [[0.0] * _STATES for _ in range(_STATES)]
        for zero in _ZEROS:
            self._spread[zero][zero] = ZERO_G**2
        self._state[_GIVING] = LEAN_OF_A_CARD
        self._spread[_GIVING][_GIVING] = LEAN_OF_A_CARD**2

    def follow(self, *, learning: bool) -> None:
        """Looks at both trays, which must rest: parts what the beam's lean takes from drift.

        `learning` if the beam stands level and nobody has disturbed the counts: not after a spill,
        until play goes on.
        """
        left, right = self._trays
        assert left.cell.base is not None
        assert right.cell.base is not None
        now_s = max(left.cell.base.at_s, right.cell.base.at_s)
        stirred = left.stirred or right.stirred
        if self._looked is not None and now_s < self._looked.at_s + LOOK_S and not stirred:
            return
        imbalance = abs(left.cards - right.cards)
        square = _square(imbalance)
        self._pass_time(now_s, imbalance, square, stirred=stirred)
        stirred_s = now_s if stirred or self._looked is None else self._looked.stirred_s
        if learning and self._looked is not None:
            self._last(now_s - self._looked.at_s)
        self._looked = _Looked(now_s, imbalance, square, stirred_s)
        if learning and not self._miscounted():
            for side in range(2):
                self._see(side)
            self._stay_standing(square)
        for side, tray in enumerate(self._trays):
            tray.empty = Empty(self._state[_ZEROS[side]], now_s, self._runs(side))
            tray.lean_g = tray.beyond_cards_g() - tray.empty.level_g - self._state[_SUMS[side]]

    def loaded_g(self, tray: TrayCards, flat: Flat) -> float:
        """What lies in a tray beyond its empty weight, on the beam that leans without its cards."""
        return flat.level_g - tray.empty.at(flat.until_s) - self._empty_leans_g(tray)

    def emptied(self, tray: TrayCards, flat: Flat) -> None:
        """Learns the zero of a tray that is seen to be empty."""
        side = self._trays.index(tray)
        leans_g, zero, spread = self._empty_leans_g(tray), _ZEROS[side], self._spread
        self._state[zero] = flat.level_g - leans_g
        for other in range(_STATES):
            spread[zero][other] = spread[other][zero] = 0.0
        spread[zero][zero] = SEEN_G**2 + leans_g**2
        tray.empty = Empty(self._state[zero], flat.until_s, tray.empty.drift_g_per_s)

    def _empty_leans_g(self, tray: TrayCards) -> float:
        imbalance = sum(other.cards for other in self._trays if other is not tray)
        return -min(self._state[_GIVING] * _square(imbalance), MOST_LEAN) * tray.tray_g

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

    def _new_drifts(self) -> tuple[float, tuple[float, float]]:
        """Which share both trays lose alike since a moment ago, as a beam creeps, and the rest."""
        left, right = self._trays
        assert left.cell.base is not None
        assert right.cell.base is not None
        left_new = left.cell.base.drift_g_per_s - self._lasting[0]
        right_new = right.cell.base.drift_g_per_s - self._lasting[1]
        left_g, right_g = left.gross_g, right.gross_g
        share = min(max(left_new / left_g, right_new / right_g), 0.0)
        return share, (left_new - share * left_g, right_new - share * right_g)

    def _runs(self, side: int) -> float:
        lasting = self._lasting[side]
        return lasting if abs(lasting) > RUNNING_G_PER_S else 0.0

    def _last(self, passed_s: float) -> None:
        """Follows the drifts slowly: a creeping beam falls within seconds, drift goes on."""
        self._lasted_s = min(self._lasted_s + passed_s, LASTING_S)
        part = passed_s / max(self._lasted_s, passed_s, LOOK_S)
        for side, tray in enumerate(self._trays):
            assert tray.cell.base is not None
            self._lasting[side] += part * (tray.cell.base.drift_g_per_s - self._lasting[side])

    def _pass_time(self, now_s: float, imbalance: int, square: int, *, stirred: bool) -> None:
        spread = self._spread
        passed_s = 0.0 if self._looked is None else max(0.0, now_s - self._looked.at_s)
        creeps, drifts = self._new_drifts()
        for side, tray in enumerate(self._trays):
            zero, weight = _ZEROS[side], _SUMS[side]
            spread[zero][zero] += DRIFT_G**2 * passed_s + (drifts[side] * passed_s) ** 2
            self._state[zero] += self._runs(side) * passed_s
            if tray.kept != 1.0:
                self._state[weight] *= tray.kept
                for other in range(_STATES):
                    spread[weight][other] *= tray.kept
                    spread[other][weight] *= tray.kept
            spread[weight][weight] += tray.unsure_g2
            tray.stirred, tray.kept, tray.unsure_g2 = False, 1.0, 0.0
        if stirred or self._looked is None or imbalance != self._looked.imbalance:
            self._state[_LEAN] = 0.0
            for other in range(_STATES):
                spread[_LEAN][other] = spread[other][_LEAN] = 0.0
            spread[_LEAN][_LEAN] = (SURE_LEAN + UNEVEN_LEAN * self._state[_GIVING] * square) ** 2
        else:
            new = now_s - self._looked.stirred_s < GIVES_WAY_S
            gives = (GIVES_WAY if new else GIVEN_WAY) * square / MOST_SQUARE
            spread[_LEAN][_LEAN] += gives**2 * passed_s + (creeps * passed_s) ** 2

    def _stay_standing(self, square: int) -> None:
        """Keeps the lean to what a standing beam can have."""
        state = self._state
        state[_GIVING] = min(max(state[_GIVING], 0.0), MOST_LEAN_OF_A_CARD)
        lean = state[_LEAN] - state[_GIVING] * square
        state[_LEAN] += min(max(lean, -MOST_LEAN), 0.0) - lean

    def _off_g(self, side: int) -> float:
        tray, state = self._trays[side], self._state
        assert self._looked is not None
        lean = state[_LEAN] - state[_GIVING] * self._looked.square
        known_g = state[_ZEROS[side]] + state[_SUMS[side]] + lean * tray.gross_g
        return tray.beyond_cards_g() - known_g

    def _miscounted(self) -> bool:
        """True if one tray is off by whole cards: no zero does that, and no beam to one tray."""
        left, right = self._trays
        apart = self._off_g(0) / left.gross_g - self._off_g(1) / right.gross_g
        cards = apart * min(left.gross_g, right.gross_g) / left.card_g
        return abs(cards) > HALF_CARD and abs(cards - round(cards)) < NEARLY_WHOLE

    def _see(self, side: int) -> None:
        tray, state, spread = self._trays[side], self._state, self._spread
        assert self._looked is not None
        off_g = self._off_g(side)
        zero, cards, gross_g = _ZEROS[side], _SUMS[side], tray.gross_g
        giving = gross_g * self._looked.square
        column = [
            row[zero] + row[cards] + gross_g * row[_LEAN] - giving * row[_GIVING] for row in spread
        ]
        power = column[zero] + column[cards] + gross_g * column[_LEAN] - giving * column[_GIVING]
        power += SEEN_G**2 + tray.cell.sigma_g**2 / 4
        # Written out: as a loop within the loop it is most of what a quiet second costs.
        c0, c1, c2, c3, c4, c5 = column
        for i, (s0, s1, s2, s3, s4, s5) in enumerate(spread):
            gain = column[i] / power
            state[i] += gain * off_g
            spread[i] = [
                s0 - gain * c0, s1 - gain * c1, s2 - gain * c2,
                s3 - gain * c3, s4 - gain * c4, s5 - gain * c5,
            ]  # fmt: skip


def _square(imbalance: int) -> int:
    """What the lean grows with; beyond it no beam stands."""
    return min(imbalance**2, MOST_SQUARE)
