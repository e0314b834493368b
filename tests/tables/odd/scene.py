"""What people and the scale do in a trace: each act applies its forces and writes its truth.

It never samples: `trace` does, once the scene has been played.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.tables.odd.stage import Stage
from tests.tables.odd.truth import Placing, Pull, Removal, Rest, Tipping, Truth


@dataclass(slots=True)
class Scene:
    stage: Stage
    truth: Truth = field(default_factory=Truth)

    # --- cards --------------------------------------------------------------------------

    def soft(self, t: float, tray: str, count: int = 1, **truth: Any) -> Placing:
        """A card is laid down gently: its weight arrives within a third of a second."""
        stage = self.stage
        rise = stage.between(0.05, 0.3)
        for _ in range(count):
            stage.load(tray, t, stage.weight(), rise)
        stage.ring(t + rise, stage.between(0.05, 0.3))
        return self.placed(tray, t, t + rise, count, **truth)

    def drop(self, t: float, tray: str, count: int = 1, **truth: Any) -> Placing:
        """A card falls from some height: an impact, then the beam swings a little."""
        stage = self.stage
        for _ in range(count):
            stage.load(tray, t, stage.weight(), 0.015)
        stage.knock(tray, t, stage.between(4, 25))
        stage.ring(t + 0.03, stage.between(0.2, 1.2))
        return self.placed(tray, t, t + 0.02, count, **truth)

    def pressed(
        self, t: float, tray: str, grams: float = 0.0, length: float = 0.0, count: int = 1,
        **truth: Any,
    ) -> Placing:  # fmt: skip
        """The hand presses the card into the tray, lets go, and the beam swings."""
        stage = self.stage
        length = length or stage.between(0.1, 0.9)
        grams = grams or 20 * 20 ** stage.between(0, 1)
        for _ in range(count):
            stage.load(tray, t, stage.weight(), length / 2)
        stage.press(tray, t, length, grams)
        stage.ring(t + length, min(3.0, 0.01 * grams + 0.3))
        truth.setdefault("slack", 0.001 * grams)  # the harder the press, the longer it swings
        return self.placed(tray, t, t + length, count, **truth)

    def any_way(self, t: float, tray: str, **truth: Any) -> Placing:
        """One of the above."""
        way = int(self.stage.rng.integers(0, 3))
        return (self.soft, self.drop, self.pressed)[way](t, tray, **truth)

    def placed(
        self, tray: str, contact: float, off: float, count: int = 1, **truth: Any
    ) -> Placing:
        placing = Placing(tray, contact, off, count, **truth)
        self.truth.placings.append(placing)
        return placing

    def take(self, t: float, tray: str, count: int = 1, length: float = 0.4) -> None:
        """A hand reaches in, touches the tray and takes cards out."""
        stage = self.stage
        stage.fumble(tray, t, t + length, stage.between(3, 15))
        stage.unload(tray, t + length * 0.6, count, 0.05)
        stage.ring(t + length, stage.between(0.1, 0.5))
        self.truth.removals.append(Removal(tray, t, t + length, count))

    def draw(self, t: float, count: int = 1) -> None:
        """Fingers press on the pile and take cards from its top."""
        stage = self.stage
        length = stage.between(0.2, 0.6)
        stage.fumble("deck", t, t + length, stage.between(5, 40), mean=20)
        stage.mass["deck"] -= sum(stage.weight() for _ in range(count)) * (
            stage.grid >= t + length * 0.7
        )
        self.truth.pulls.append(Pull(t, t + length, count))

    # --- the beam -------------------------------------------------------------------------

    def bump(self, t: float, grams: float) -> None:
        """Somebody knocks against the table."""
        self.stage.ring(t, grams)
        self.stage.ring(t + self.stage.between(0.05, 0.2), grams * 0.5)

    def lean(self, t0: float, t1: float, side: str, degrees: float) -> None:
        """The beam creeps from level to `degrees`, slower first."""
        sign = 1 if side == "right" else -1
        middle = t0 + 0.6 * (t1 - t0)
        self.stage.turn((t0, 0), (middle, 0.3 * sign * degrees), (t1, sign * degrees))

    def low(self) -> str:
        """The tray that would go down: the heavier one."""
        left, right = (sum(self.stage.cards[tray]) for tray in ("left", "right"))
        return "left" if left > right else "right"

    def crossing(self, begin: float) -> float:
        """When the beam first passes the switch's angle after `begin`."""
        grid = self.stage.grid
        past = (abs(self.stage.angle) > self.stage.switch_deg) & (grid >= begin)
        return float(grid[np.argmax(past)])

    def wobble(
        self, t: float, side: str, degrees: float, hang: float, *, other: float = 0.0,
        **truth: Any,
    ) -> Tipping:  # fmt: skip
        """The beam goes over, hangs there and comes back (over the other side); nothing falls."""
        stage = self.stage
        sign = 1 if side == "right" else -1
        go = t + stage.between(0.2, 0.45)
        back = go + hang
        keys = [(t, 0.0), (go, sign * degrees), (back, sign * degrees * 0.95)]
        if other:
            keys += [(back + 0.5, -sign * other), (back + 1.0, sign * 6.0)]
        keys += [
            (keys[-1][0] + 0.4, -sign * 5.0),
            (keys[-1][0] + 0.75, 2.0),
            (keys[-1][0] + 1.1, 0.0),
        ]
        stage.turn(*keys)
        stage.ring(go, stage.between(0.5, 2.0))
        stage.ring(keys[-1][0], stage.between(0.1, 0.4))
        begin = self.crossing(t)
        tipping = Tipping(begin, side, "wobble", keys[-1][0], **truth)
        self.truth.tippings.append(tipping)
        return tipping

    def tip_over(
        self,
        t: float,
        side: str,
        lost: dict[str, int],
        *,
        spread: float = 0.4,
        until: float = 3.0,
        degrees: float = 0.0,
        first: float = 0.0,
        **truth: Any,
    ) -> Tipping:
        """The beam goes over from level at `t`; cards leave in a burst; a hand comes at `until`."""
        stage = self.stage
        sign = 1 if side == "right" else -1
        degrees = degrees or stage.between(38, 60)
        go = t + stage.between(0.2, 0.4)
        taken = t + until
        stage.turn(
            (t, 0),
            (go, sign * degrees),
            (go + 0.12, sign * degrees * 0.9),
            (go + 0.3, sign * degrees),
            (taken, sign * degrees),
            (taken + 0.7, 0),
        )
        begin = self.crossing(t)
        stage.ring(go, stage.between(1, 4))
        left: dict[str, list[float]] = {}
        start = first or max(begin + 0.05, go + stage.between(-0.05, 0.25))
        for tray, count in lost.items():
            if not count:
                continue
            at = start + (0.0 if tray == side or side not in lost else stage.between(0.05, 0.3))
            later = sorted(at + stage.between(0, spread) for _ in range(count - 1))
            moments = [at, *later]
            for moment in moments:
                stage.unload(tray, moment, 1, stage.between(0.03, 0.07))
                stage.knock(tray, moment + 0.03, stage.between(0.5, 3))
            left[tray] = moments
        firsts = [moments[0] for moments in left.values()]
        tipping = Tipping(
            begin, side, "spill" if firsts else "wobble", taken,
            first_left=min(firsts) if firsts else None, lost=left, **truth,
        )  # fmt: skip
        self.truth.tippings.append(tipping)
        return tipping

    def set_up_again(self, t: float, keep: dict[str, int] | None = None) -> float:
        """Hands right the scale from `t` on, empty both trays and put `keep` cards back in each.

        Returns when the scale is at rest again.
        """
        stage = self.stage
        keep = keep or {"left": 2, "right": 2}
        righted = t + stage.between(1.0, 2.0)
        for tray in ("left", "right"):
            stage.fumble(tray, t, righted, stage.between(30, 200))
            held = len(stage.cards[tray])
            if held:
                stage.unload(tray, t + stage.between(0.4, 0.9), held, 0.1)
        stage.ring(righted, stage.between(0.3, 1.0))
        at, since = righted + stage.between(0.8, 3.0), righted
        done = {"left": 0, "right": 0}
        moves: list[tuple[str, int]] = []
        for tray in ("left", "right"):
            together = stage.chance(0.5) or keep[tray] > 2
            moves += [(tray, keep[tray])] if together else [(tray, 1)] * keep[tray]
        for tray, count in moves:
            self.truth.rests.append(Rest(since + 0.3, at, done["left"], done["right"]))
            length = stage.between(0.2, 0.6)
            for _ in range(count):
                stage.load(tray, at, stage.weight(), length)
            stage.press(tray, at, length, stage.between(10, 80))
            stage.ring(at + length, stage.between(0.2, 0.8))
            done[tray] += count
            since = at + length
            at = since + stage.between(0.7, 2.5)
        self.truth.rests.append(Rest(since + 0.3, stage.seconds, done["left"], done["right"]))
        return since

    def play_on(self, t: float) -> None:
        """From `t` on cards are played again: the last rest ends."""
        self.truth.rests[-1].end = t
