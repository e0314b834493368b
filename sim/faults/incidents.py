"""Incidents at the scale: bumps, catches, clumsy righting, a scale that is carried about.

They never touch a chip, and whoever plays does not know that they are coming.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from companion.units import Tray
from sim.hands import Bump, Touch
from sim.happenings import Happening, What
from sim.setup import CELL, SIDE
from sim.witness import Witness
from sim.world import World

NEVER = float("inf")


class Incident(Protocol):
    """Something that happens by itself, or in answer to what happens to the scale."""

    @property
    def due_s(self) -> float:
        """When it wants to act next."""
        ...

    def act(self) -> None:
        """Acts now."""
        ...

    def saw(self, happening: Happening) -> None:
        """Something happened to the scale."""
        ...


@dataclass(slots=True)
class Bumps:
    """The table is shoved now and then."""

    world: World
    witness: Witness
    rng: Random
    name: str
    vertical: tuple[float, float]
    turning: tuple[float, float]
    due_s: float = 0.0

    def __post_init__(self) -> None:
        self.due_s = self.rng.uniform(8.0, 40.0)

    def act(self) -> None:
        rng, now = self.rng, self.world.now_s
        bump = Bump(
            now,
            vertical=rng.choice((-1.0, 1.0)) * rng.uniform(*self.vertical),
            turning=rng.choice((-1.0, 1.0)) * rng.uniform(*self.turning),
            hertz=rng.uniform(2.5, 8.0),
            decay_s=rng.uniform(0.1, 0.5),
        )
        self.world.bump(bump)
        self.witness.note(now, "adversity", name=self.name, until=round(bump.end_s, 3))
        self.due_s = now + rng.uniform(10.0, 50.0)

    def saw(self, happening: Happening) -> None:
        pass


@dataclass(slots=True)
class Carrying:
    """Between two plays somebody carries the whole scale to another place."""

    world: World
    witness: Witness
    rng: Random
    due_s: float = 0.0
    _hold: Touch | None = None

    def __post_init__(self) -> None:
        self.due_s = self.rng.uniform(20.0, 60.0)

    def act(self) -> None:
        rng, world, now = self.rng, self.world, self.world.now_s
        if self._hold is not None:
            world.let_go(self._hold)
            self._hold = None
            self.due_s = now + rng.uniform(50.0, 150.0)
        elif world.quiet and world.level:
            takes_s = rng.uniform(1.5, 5.0)
            self._hold = world.grasp(angle=rng.uniform(-0.06, 0.06), bring_s=0.4)
            for _ in range(rng.randint(2, 5)):
                world.bump(
                    Bump(
                        now + rng.uniform(0.0, 0.6) * takes_s,
                        vertical=rng.choice((-1.0, 1.0)) * rng.uniform(0.5, 2.5),
                        turning=0.0,
                        hertz=rng.uniform(0.6, 1.8),
                        decay_s=rng.uniform(0.3, 0.8),
                    )
                )
            self.due_s = now + takes_s
            self.witness.note(now, "adversity", name="carried", until=round(self.due_s, 3))
        else:
            self.due_s = now + 0.5

    def saw(self, happening: Happening) -> None:
        pass


@dataclass(slots=True)
class Response:
    """When the scale tips, or when the first card falls, a hand (or the pivot) takes the beam."""

    world: World
    witness: Witness
    rng: Random
    name: str
    to: What
    after_s: tuple[float, float]
    hold_s: tuple[float, float]
    bring_s: float
    over: float | None = 0.0
    """Where the beam is brought: 0 level, positive so far over to the other side, None: it
    stays where it is."""
    chance: float = 0.9
    stiffness: float = 4.0
    at_most: int = 3
    """So often in one tip."""
    due_s: float = field(default=NEVER, init=False)
    _hold: Touch | None = field(default=None, init=False)
    _times: int = field(default=0, init=False)

    def saw(self, happening: Happening) -> None:
        if happening.what is What.CALM:
            self._times = 0
        wanted = happening.what is self.to and self.world.tipped
        free = self.due_s == NEVER and not self.world.held
        if wanted and free and self._times < self.at_most and self.rng.random() < self.chance:
            self._times += 1 if self.to is What.TIPPED else self.at_most
            self.due_s = happening.at_s + self.rng.uniform(*self.after_s)

    def act(self) -> None:
        world, now = self.world, self.world.now_s
        if self._hold is not None:
            world.let_go(self._hold)
            self._hold = None
            self.due_s = NEVER
            return
        side = SIDE[Tray.RIGHT] if world.beam.angle > 0.0 else SIDE[Tray.LEFT]
        angle = None if self.over is None else -side * self.over
        hold_s = self.rng.uniform(*self.hold_s)
        self._hold = Touch(
            None,
            now,
            NEVER,
            stiffness=self.stiffness,
            angle=angle,
            bring_s=self.bring_s,
            disk=self.over is not None,
        )
        world.touch(self._hold)
        self.due_s = now + hold_s
        self.witness.note(now, "adversity", name=self.name, until=round(self.due_s, 3))


@dataclass(slots=True)
class Ramps:
    """A cell drifts for a while, rests, drifts the other way."""

    world: World
    witness: Witness
    rng: Random
    due_s: float = 5.0
    _was: dict[Tray, float] = field(default_factory=dict)

    def act(self) -> None:
        rng, now = self.rng, self.world.now_s
        tray = rng.choice(list(Tray))
        nature = self.world.chips[CELL[tray]].nature
        if nature.ramp_g_s:
            self._was[tray] = nature.ramp_g_s
            nature.ramp_g_s = 0.0
        else:
            back = -1.0 if self._was.get(tray, rng.uniform(-1.0, 1.0)) > 0.0 else 1.0
            nature.ramp_g_s = back * 0.02 * 10.0 ** rng.random()
        self.due_s = now + rng.uniform(10.0, 30.0)
        self.witness.note(
            now, "adversity", name="drift", sensor=tray, grams_a_second=round(nature.ramp_g_s, 4)
        )

    def saw(self, happening: Happening) -> None:
        pass
