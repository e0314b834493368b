"""Where a tray would rest with whole cards alone: it parts a card pushed home from the next one.

It never counts what lies there, and never looks at a cell.
"""

import msgspec

from companion.scale.motion import Base, Flat

CLOSE_CARDS = 0.12
"""Cards of one deck, the drift during a placing and the noise stay within this."""
UNSURE_DRIFT_G_PER_S = 0.03
"""How well the drift of a frozen base is known: measured, 0.02-0.03 g in a second or two."""


class Whole(msgspec.Struct, frozen=True):
    """Where a tray would have rested had what came last weighed whole cards."""

    level_g: float
    at_s: float
    cards_g: float
    """What its cards would weigh then."""
    card_g: float
    part_came: bool
    """What came is a part of a card, and not counted."""

    def short_g(self, base: Base, moment_s: float) -> float:
        """What `base` is short of whole cards, or beyond them; 0 if that may be no card's."""
        short_g = self.level_g + base.drift_g_per_s * (base.at_s - self.at_s) - base.level_g
        return short_g if abs(short_g) > self._close_g(moment_s) else 0.0

    def came(self, base: Base, flat: Flat) -> int | None:
        """How many cards came since if just what `base` is short of makes whole cards of `flat`."""
        short_g = self.short_g(base, flat.until_s)
        step_g = flat.level_g - base.at(flat.until_s)
        cards, off_g = self._nearest(step_g - short_g)
        nearer = off_g < self._nearest(step_g)[1]
        return cards if short_g and nearer and off_g <= self._close_g(flat.until_s) else None

    def _nearest(self, step_g: float) -> tuple[int, float]:
        """The whole cards that are nearest to a step, and how far they are from it, grams."""
        cards = max(0, round(step_g / self.card_g))
        return cards, abs(step_g - cards * self.card_g)

    def _close_g(self, moment_s: float) -> float:
        """How far uneven cards, noise and drift may bring a tray from whole cards until then."""
        return CLOSE_CARDS * self.card_g + UNSURE_DRIFT_G_PER_S * (moment_s - self.at_s)
