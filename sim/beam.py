"""The beam of the scale: an angle that loads, hands and bumps turn, and that friction calms.

It never knows cards, trays or cells: it is given torques and answers with motion.
"""

import math
from dataclasses import dataclass
from random import Random

GRAVITY = 9.81
"""m/s²."""


@dataclass(frozen=True, slots=True)
class BeamShape:
    """What one built scale is like; SI units, angles in radians.

    The restoring torque is `-stiffness * angle * (1 - (angle / balance)²)`: it grows, is
    largest at `balance / sqrt(3)` and is gone at `balance`, beyond which the beam falls to its
    stop by itself. The figures are those of a plastic toy with arms of 15 cm: about seven to
    eleven cards of difference tip it, and it swings at one to two hertz.
    """

    arm_m: float = 0.15
    inertia: float = 2.6e-3
    """kg m², without the cards."""
    stiffness: float = 0.22
    """N m a radian near level."""
    balance: float = 0.27
    damping: float = 0.017
    """N m s a radian: the pivot and the air."""
    stiction: float = 5e-4
    """N m: what the pivot holds without moving, about a fifth of a card."""
    stop: float = 0.55
    weakening: float = 0.06
    """Which part of the stiffness is lost while the beam leans for long, as plastic gives."""
    weakening_s: float = 1.5
    tray_g: float = 28.0
    """An empty tray, as the cell below it feels it."""
    disk_g: float = 12.0
    platform_m: float = 0.035
    """How far from the middle the disk falls off."""
    disk_grip: float = 0.24
    """Tangent of the angle at which the disk begins to slide."""

    @classmethod
    def built_by_hand(cls, rng: Random) -> "BeamShape":
        """A scale as another table may own it."""
        return cls(
            stiffness=rng.uniform(0.18, 0.26),
            balance=rng.uniform(0.25, 0.29),
            damping=rng.uniform(0.012, 0.024),
            stop=rng.uniform(0.47, 0.62),
            weakening=rng.uniform(0.02, 0.08),
            tray_g=rng.uniform(24.0, 34.0),
        )


class Beam:
    """Angle and motion; positive is right side down.

    Integrated by semi-implicit Euler: steps up to 2 ms are stable for every stiffness here.
    """

    _STOP_STIFFNESS = 30.0
    _STOP_DAMPING = 0.25
    _STILL = 2e-3
    """rad/s below which stiction may hold the beam: 0.3 mm/s at the tray."""

    def __init__(self, shape: BeamShape) -> None:
        self.shape = shape
        self.angle = 0.0
        self.speed = 0.0
        self.acceleration = 0.0
        self.weakness = 0.0
        self.disk_m: float | None = 0.0
        """Where the disk lies on the platform; None when it has fallen off."""
        self._disk_speed = 0.0

    def restoring(self, angle: float) -> float:
        """N m that bring the beam back (or, beyond balance, carry it away)."""
        shape = self.shape
        lean = angle / shape.balance
        stiffness = shape.stiffness * (1.0 - shape.weakening * self.weakness)
        return -stiffness * angle * max(-4.0, 1.0 - lean * lean)

    def energy(self, torque: float, cards_kg: float) -> float:
        """Joules in motion and in the restoring torque's field under a constant load torque."""
        shape = self.shape
        stiffness = shape.stiffness * (1.0 - shape.weakening * self.weakness)
        square = self.angle * self.angle
        field = stiffness * (square / 2.0 - square * square / (4.0 * shape.balance**2))
        return self.inertia(cards_kg) * self.speed**2 / 2.0 + field - torque * self.angle

    def inertia(self, cards_kg: float) -> float:
        return self.shape.inertia + cards_kg * self.shape.arm_m**2

    def disk_torque(self) -> float:
        """N m by which the disk pulls to the side to which it has slid."""
        if self.disk_m is None:
            return 0.0
        return self.shape.disk_g * 1e-3 * GRAVITY * self.disk_m * math.cos(self.angle)

    def step(self, dt: float, load: float, outside: float, cards_kg: float) -> bool:
        """Moves on by `dt` seconds; True while anything moves.

        `load` (N m) is the trays' own pull, `outside` that of hands and bumps.
        """
        shape = self.shape
        angle, speed = self.angle, self.speed
        torque = load + outside + self.disk_torque() + self.restoring(angle)
        if abs(angle) > shape.stop:
            depth = angle - math.copysign(shape.stop, angle)
            torque -= self._STOP_STIFFNESS * depth + self._STOP_DAMPING * speed
        if abs(speed) < self._STILL and abs(torque) <= shape.stiction:
            self.speed = 0.0
            self.acceleration = 0.0
            moving = False
        else:
            if abs(speed) >= self._STILL:
                torque -= math.copysign(shape.stiction, speed)
            else:
                torque -= math.copysign(shape.stiction, torque)
            # Damping is taken implicitly: it can never add energy.
            inertia = self.inertia(cards_kg)
            faster = (speed + torque / inertia * dt) / (1.0 + shape.damping / inertia * dt)
            self.acceleration = (faster - speed) / dt
            self.speed = faster
            self.angle = angle + faster * dt
            moving = True
        return self._give_way(dt) or self._slide_disk(dt) or moving

    def _give_way(self, dt: float) -> bool:
        target = min(1.0, abs(self.angle) / self.shape.balance)
        missing = target - self.weakness
        if abs(missing) < 0.02:
            return False
        self.weakness += missing * min(1.0, dt / self.shape.weakening_s)
        # A beam near level is no softer for it: only a lean that matters keeps the clock busy.
        return target > 0.35

    def _slide_disk(self, dt: float) -> bool:
        if self.disk_m is None:
            return False
        slope = math.tan(self.angle)
        if self._disk_speed == 0.0 and abs(slope) <= self.shape.disk_grip:
            return False
        pull = GRAVITY * math.sin(self.angle)
        grip = 0.7 * self.shape.disk_grip * GRAVITY * math.cos(self.angle)
        before = self._disk_speed
        direction = before if before != 0.0 else slope
        after = before + (pull - math.copysign(grip, direction)) * dt
        if before != 0.0 and after * before < 0.0:
            after = 0.0
        self._disk_speed = after
        self.disk_m += after * dt
        if abs(self.disk_m) > self.shape.platform_m:
            self.disk_m = None
            self._disk_speed = 0.0
        return True

    def put_disk_back(self) -> None:
        self.disk_m = 0.0
        self._disk_speed = 0.0
