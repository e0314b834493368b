"""How long both cells have rested: each within 0.3 g of itself (the rule for a last card).

It is told weights and times; it never reads a sensor.
"""

from companion.units import Grams, MonoSeconds

WITHIN_G = 0.3
"""Recorded tables, "Settled": both cells within 0.3 g. A slow lean is no rest."""


class Stillness:
    """Watches both cells."""

    def __init__(self) -> None:
        self._since_s: MonoSeconds | None = None
        self._least = [0.0, 0.0]
        self._most = [0.0, 0.0]

    def see(
        self, now: MonoSeconds, left: Grams | None, right: Grams | None, *, tipping: bool
    ) -> float:
        """Takes the weights at `now`; answers for how many seconds they have been within 0.3 g.

        A cell that cannot be believed (None) and an open tip are no rest.
        """
        if left is None or right is None or tipping:
            self._since_s = None
            return 0.0
        seen: list[float] = [left, right]
        if self._since_s is not None:
            self._least = [min(pair) for pair in zip(self._least, seen, strict=True)]
            self._most = [max(pair) for pair in zip(self._most, seen, strict=True)]
            spans = zip(self._least, self._most, strict=True)
            if all(most - least <= WITHIN_G for least, most in spans):
                return now - self._since_s
        self._since_s, self._least, self._most = now, seen, list(seen)
        return 0.0
