"""The tilt switch: closed while the beam is past its angle, and bouncing whenever it changes.

It never debounces.
"""

from dataclasses import dataclass
from random import Random


@dataclass(slots=True)
class SwitchNature:
    """Where the switch closes and how badly it bounces; faults change it."""

    angle: float = 0.20
    """Radians, to either side; beyond the steepest lean that a balanced scale comes back from."""
    play: float = 0.012
    """How much less lean opens it again."""
    bounces: int = 6
    """At most so many extra pairs of edges."""
    bounce_s: float = 0.004
    """Mean length of one of them."""


class TiltSwitch:
    """Follows the beam; its edges wait in a list until somebody looks."""

    def __init__(self, nature: SwitchNature, rng: Random) -> None:
        self.nature = nature
        self.closed = False
        self._rng = rng
        self._edges: list[tuple[float, int]] = []
        self._busy_until = float("-inf")

    def follow(self, at_s: float, angle: float) -> bool:
        """Looks at the beam; True if the switch has gone over just now."""
        lean = abs(angle)
        threshold = self.nature.angle - (self.nature.play if self.closed else 0.0)
        past = lean > threshold
        if past == self.closed or at_s < self._busy_until:
            return False
        self.closed = past
        at = at_s
        self._edges.append((at, int(past)))
        for _ in range(self._rng.randint(0, self.nature.bounces)):
            for level in (not past, past):
                at += self._rng.expovariate(1.0 / self.nature.bounce_s)
                self._edges.append((at, int(level)))
        self._busy_until = at
        return True

    def edges(self, until_s: float) -> list[tuple[float, int]]:
        """Every edge up to `until_s` that has not been given yet; 1: it closed."""
        ready = [edge for edge in self._edges if edge[0] <= until_s]
        self._edges = self._edges[len(ready) :]
        return ready
