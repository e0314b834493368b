"""Whether anything happens at the scale, for a display that dims while nothing does.

It never says what happens: that is the judge's. A cell that is silent, or a scale that was put
away as it tipped, lies there for weeks.
"""

from companion.scale.view import ScaleView
from companion.units import MonoSeconds

STIRS_G = 0.6
"""A third of a card, and many times what a reading is unsure of."""
LOOK_S = 1.0
"""No card takes so long to land; in a day's drift it is nothing."""
LASTS_S = 2.0
"""What moved a moment ago is drawn smoothly until it has come to rest."""


class Stirring:
    """Follows the weights from look to look."""

    def __init__(self) -> None:
        self._before: ScaleView | None = None
        self._looked_s = self._stirred_s = MonoSeconds(float("-inf"))
        self._now_s = MonoSeconds(0.0)

    @property
    def stirs(self) -> bool:
        """True while something moves, and for a moment after."""
        return self._now_s - self._stirred_s < LASTS_S

    def see(self, now_s: MonoSeconds, scale: ScaleView | None) -> None:
        """Takes what the scale shows now."""
        self._now_s = now_s
        if scale is None:
            return
        stirred = self._before is not None and _differs(self._before, scale)
        if stirred:
            self._stirred_s = now_s
        if stirred or now_s - self._looked_s >= LOOK_S:
            self._before, self._looked_s = scale, now_s


def _differs(before: ScaleView, now: ScaleView) -> bool:
    if (before.tilted, before.tipping, before.faults) != (now.tilted, now.tipping, now.faults):
        return True
    return any(
        old.cards != new.cards
        or (
            old.grams is not None and new.grams is not None and abs(new.grams - old.grams) > STIRS_G
        )
        for old, new in ((before.left, now.left), (before.right, now.right))
    )
