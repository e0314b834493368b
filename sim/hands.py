"""Hands at the scale: how somebody puts a card down, steadies the beam, or bumps the table.

These are habits and curves of force over time; what they do to the scale is the world's affair.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from companion.units import Tray
from sim.setup import SIDE


@dataclass(frozen=True, slots=True)
class Placing:
    """How one card is put in a tray, from first contact to letting go."""

    lay_s: float
    """From first contact until the tray bears the whole card and the hand is off."""
    push_g: float
    """Peak of the force by which the hand presses beside the card's own weight."""
    push_from_s: float
    push_s: float
    braced: float
    """0: the whole push turns the beam; 1: the fingers under the tray take it all up."""
    steadied: float = 0.0
    """How stiffly the hand holds the tray meanwhile, N m a radian."""
    drop_m: float = 0.0
    """Height from which the card falls; 0: it is laid down."""
    home_m: float = 0.0
    """How far from home the card comes to lie."""
    leaning: float = 1.0
    """Which part of its weight the tray bears until it is pushed home."""
    home_later_s: float | None = None
    """A second touch that pushes the card home, so long after letting go."""

    @classmethod
    def ordinary(cls, rng: Random, heavy: float = 1.0) -> "Placing":
        """Somebody who takes a little care, as most do; `heavy` hands press harder."""
        lay_s = rng.uniform(0.12, 0.45)
        push_g = min(30.0, rng.lognormvariate(1.6, 0.7))
        if rng.random() < 0.04:
            push_g = rng.uniform(30.0, 70.0)
        return cls(
            lay_s=lay_s,
            push_g=heavy * push_g,
            push_from_s=rng.uniform(0.2, 0.6) * lay_s,
            push_s=rng.uniform(0.3, 0.5) * lay_s,
            braced=rng.uniform(0.3, 0.8),
            steadied=rng.uniform(0.0, 0.3),
            drop_m=rng.choice((0.0, 0.0, rng.uniform(0.005, 0.03))),
            home_m=rng.uniform(0.0, 0.012),
        )


@dataclass(slots=True, eq=False)
class Touch:
    """One force on the scale while it lasts; times are the world's."""

    tray: Tray | None
    """The tray that is touched; None: the beam itself, or the table."""
    begin_s: float
    end_s: float
    peak_g: float = 0.0
    braced: float = 0.0
    stiffness: float = 0.0
    """Holds the beam towards `angle`, N m a radian."""
    angle: float | None = None
    """Where it is brought to; None: it is held where it was when the touch began."""
    bring_s: float = 0.5
    """How long the hand takes to bring it there."""
    disk: bool = False
    """The hand puts the disk back on its platform before it leaves."""
    tremor: float = 0.0
    plateau: float = 0.0
    """Which part of the time the peak lasts; 0: a bump, near 1: a press."""
    held_at: float | None = None
    """Where the beam was when the hand took hold of it; known once it has."""

    def grams(self, at_s: float) -> float:
        """The push at this moment, in grams."""
        if not self.peak_g or not self.begin_s <= at_s < self.end_s:
            return 0.0
        through = (at_s - self.begin_s) / (self.end_s - self.begin_s)
        edge = (1.0 - self.plateau) / 2.0
        if through < edge:
            shape = math.sin(math.pi / 2.0 * through / edge) ** 2
        elif through > 1.0 - edge:
            shape = math.sin(math.pi / 2.0 * (1.0 - through) / edge) ** 2
        else:
            shape = 1.0
        shaking = 1.0 + self.tremor * math.sin(math.tau * 9.0 * (at_s - self.begin_s))
        return self.peak_g * shape * shaking

    def hold(self, at_s: float, angle: float, speed: float) -> float:
        """The torque by which it holds a beam at this angle and speed, N m to the right."""
        if self.held_at is None:
            self.held_at = angle
        target = self.held_at
        if self.angle is not None:
            part = min(1.0, (at_s - self.begin_s) / self.bring_s)
            target += (self.angle - target) * part
        return self.stiffness * (target - angle - 0.12 * speed)


@dataclass(slots=True, eq=False)
class Bump:
    """The table is shoved: a swing of the ground that rings out."""

    begin_s: float
    vertical: float
    """m/s² of its first swing, felt by both trays alike."""
    turning: float
    """rad/s² of its first swing, felt by the beam: one tray up, the other down."""
    hertz: float
    decay_s: float

    def strength(self, at_s: float) -> float:
        """From -1 to 1; 0 before it and when it has rung out."""
        passed = at_s - self.begin_s
        if passed < 0.0 or passed > 6.0 * self.decay_s:
            return 0.0
        return math.sin(math.tau * self.hertz * passed) * math.exp(-passed / self.decay_s)

    @property
    def end_s(self) -> float:
        return self.begin_s + 6.0 * self.decay_s


def pull(
    touches: Iterable[Touch], now_s: float, angle: float, speed: float, lever: float
) -> tuple[float, dict[Tray, float]]:
    """What all hands do at this moment to a beam at this angle and speed.

    `lever` is N m a gram at a tray. Answers with their torque, N m to the right, and with what
    each tray's cell feels of them, in grams.
    """
    torque = 0.0
    felt = {Tray.LEFT: 0.0, Tray.RIGHT: 0.0}
    for touch in touches:
        if touch.begin_s > now_s:
            continue
        hold = touch.hold(now_s, angle, speed) if touch.stiffness else 0.0
        torque += hold
        if touch.tray is None:
            continue
        side = SIDE[touch.tray]
        grams = touch.grams(now_s)
        torque += side * grams * (1.0 - touch.braced) * lever * math.cos(angle)
        felt[touch.tray] += grams + side * hold / lever
    return torque, felt


def shake(bumps: Iterable[Bump], now_s: float) -> tuple[float, float]:
    """How the ground moves: m/s² upwards, and rad/s² that turn the beam."""
    lift = swing = 0.0
    for bump in bumps:
        strength = bump.strength(now_s)
        lift += bump.vertical * strength
        swing += bump.turning * strength
    return lift, swing
