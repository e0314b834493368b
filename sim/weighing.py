"""Hands at a simulated scale that do what a calibration asks for: tip it, prop it up, load a tray.

They never know why they are asked, nor what the cells say.
"""

from companion.units import Tray
from sim.board import SimulatedTable
from sim.hands import Touch

TIP_AFTER_S, TIP_S, TIP_RAD = 1.0, 1.5, 0.45
"""When the hand tips the beam, how long it stays tipped, and how far: over every switch's angle."""

AN_HOUR_S = 3600.0


class WeighingHands:
    """One pair of hands with `cards` cards and perhaps a coin of `coin_g` grams.

    What lay in the trays is put aside at first, and put back by `leave`. Each wish takes a second
    or so of the table's time.
    """

    def __init__(self, table: SimulatedTable, *, cards: int, coin_g: float | None) -> None:
        self._table = table
        self._cards = cards
        self._coin_g = coin_g
        self._aside = dict(table.picture.cards)
        self._hold: Touch | None = None
        self._coin: Touch | None = None

    def tip(self) -> None:
        """Empties the trays, tips the scale and sets it level again."""
        self._empty()
        world = self._table.party.world
        tip_s = world.now_s + TIP_AFTER_S
        world.touch(
            Touch(None, tip_s, tip_s + TIP_S, stiffness=4.0, angle=TIP_RAD, bring_s=TIP_S / 3)
        )
        world.set_upright(at_s=tip_s + TIP_S + 0.5)

    def prop(self) -> None:
        """Empties the trays and holds the beam level from now on."""
        self._empty()
        if self._hold is None:
            self._hold = self._table.party.world.grasp()

    def load(self, tray: Tray, *, coin: bool) -> None:
        """Moves all the cards, or the coin, into this tray."""
        self._empty()
        if coin:
            world = self._table.party.world
            now = world.now_s
            self._coin = Touch(
                tray, now, now + AN_HOUR_S, peak_g=self._coin_g or 0.0, plateau=1.0 - 1e-4
            )
            world.touch(self._coin)
        else:
            self._table.put(tray, self._cards)

    def leave(self) -> None:
        """Takes everything out, puts back what lay there before, and lets go of the beam."""
        self._empty()
        for tray, count in self._aside.items():
            if count:
                self._table.put(tray, count)
        if self._hold is not None:
            self._table.party.world.let_go(self._hold)
            self._hold = None
        self._table.set_upright()

    def _empty(self) -> None:
        self._table.advance()
        world = self._table.party.world
        if self._coin is not None:
            world.let_go(self._coin)
            self._coin = None
        for tray in Tray:
            self._table.take(tray, self._table.picture.cards[tray])
