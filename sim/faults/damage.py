"""What goes wrong in chips and wires: damaged words, chips that hang, late and lost readings.

Each fault is seeded, notes in the truth when it is at work, and never touches the scale itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from companion.events import Sensor
from companion.units import COUNTS_MAX, COUNTS_MIN
from sim.cells import WINDOW
from sim.wires import Readings

Note: TypeAlias = Callable[[float, float], object]
"""Told when a fault begins and when it will end."""

WORD = 1 << 24


def signed(word: int) -> int:
    """A 24-bit word as the chip means it, in two's complement."""
    word &= WORD - 1
    return word - WORD if word >= WORD // 2 else word


@dataclass(slots=True)
class Spells:
    """Times at which a fault is at work, one after another, asked for in the order of time."""

    rng: Random
    gap_s: tuple[float, float]
    """Between two spells."""
    spell_s: tuple[float, float]
    note: Note
    begin_s: float = field(default=0.0, init=False)
    """Of the spell that is at work, or of the next one, ..."""
    end_s: float = field(default=0.0, init=False)
    """... and its end."""
    _noted: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._plan(0.0)

    def _plan(self, after_s: float) -> None:
        self.begin_s = after_s + self.rng.uniform(*self.gap_s)
        # Short spells are as frequent as long ones.
        low, high = self.spell_s
        self.end_s = self.begin_s + low * (high / low) ** self.rng.random()
        self._noted = False

    def at(self, at_s: float) -> bool:
        """True if the fault is at work then."""
        while at_s >= self.end_s:
            self._enter()
            self._plan(self.end_s)
        if at_s < self.begin_s:
            return False
        self._enter()
        return True

    def _enter(self) -> None:
        if not self._noted:
            self._noted = True
            self.note(self.begin_s, self.end_s)


@dataclass(slots=True)
class DamagedWords:
    """Single readings are damaged, each with its own chance."""

    rng: Random
    chance: float
    damage: Callable[[Random, int], int]
    note: Note

    def carry(self, readings: Readings, until_s: float) -> Readings:  # noqa: ARG002 - see WireFault
        carried: Readings = []
        for at_s, value in readings:
            if self.rng.random() < self.chance:
                self.note(at_s, at_s)
                carried.append((at_s, self.damage(self.rng, value)))
            else:
                carried.append((at_s, value))
        return carried


def rest_ones(rng: Random, value: int) -> int:
    """The clock was stretched over 60 us within the word: the rest of it reads as ones."""
    return signed(value | ((1 << rng.randint(12, 24)) - 1))


def outlier(rng: Random, value: int) -> int:
    """A reading from nowhere: grams to kilograms off."""
    return max(
        COUNTS_MIN, min(COUNTS_MAX, value + rng.choice((-1, 1)) * rng.randint(8_000, 900_000))
    )


@dataclass(slots=True)
class WrongValue:
    """For a spell every reading is replaced; `value` is given the last good reading."""

    spells: Spells
    value: Callable[[Random, int], int]
    rng: Random
    _last: int = 0
    _shown: int | None = None

    def carry(self, readings: Readings, until_s: float) -> Readings:  # noqa: ARG002 - see WireFault
        carried: Readings = []
        for at_s, value in readings:
            if self.spells.at(at_s):
                if self._shown is None:
                    self._shown = self.value(self.rng, self._last)
                carried.append((at_s, self._shown))
            else:
                self._shown = None
                self._last = value
                carried.append((at_s, value))
        return carried


@dataclass(slots=True)
class Silence:
    """For a spell nothing comes."""

    spells: Spells

    def carry(self, readings: Readings, until_s: float) -> Readings:  # noqa: ARG002 - see WireFault
        return [reading for reading in readings if not self.spells.at(reading[0])]


@dataclass(slots=True)
class Restarts:
    """The chip loses its power for a spell, then gives four conversions that are off."""

    spells: Spells
    rng: Random
    counts_per_gram: float
    _unsettled: int = 0
    _error: float = 0.0

    def carry(self, readings: Readings, until_s: float) -> Readings:  # noqa: ARG002 - see WireFault
        carried: Readings = []
        for at_s, value in readings:
            if self.spells.at(at_s):
                self._unsettled = WINDOW
                self._error = self.rng.uniform(-0.6, 0.6) * self.counts_per_gram
                continue
            off = round(self._error * self._unsettled / WINDOW)
            self._unsettled = max(0, self._unsettled - 1)
            carried.append((at_s, max(COUNTS_MIN, min(COUNTS_MAX, value + off))))
        return carried


@dataclass(slots=True)
class AlwaysReady:
    """Unplugged, with the data line low: as many readings as the program can ask for."""

    spells: Spells
    rng: Random
    _next_s: float = 0.0
    _every_s: float = 0.0

    def carry(self, readings: Readings, until_s: float) -> Readings:
        carried: Readings = []
        for at_s, value in readings:
            self._fill(carried, at_s)
            if not self.spells.at(at_s):
                carried.append((at_s, value))
        self._fill(carried, until_s)
        return carried

    def _fill(self, carried: Readings, up_to_s: float) -> None:
        spells = self.spells
        while spells.begin_s <= up_to_s:
            if self._next_s < spells.begin_s:
                self._next_s = spells.begin_s
                self._every_s = 1.0 / self.rng.uniform(120.0, 170.0)
            while self._next_s <= min(up_to_s, spells.end_s):
                carried.append((self._next_s, self._word()))
                self._next_s += self._every_s * self.rng.uniform(0.8, 1.2)
            if up_to_s < spells.end_s:
                return
            spells.at(spells.end_s)

    def _word(self) -> int:
        return signed((1 << self.rng.randint(0, 4)) - 1) if self.rng.random() < 0.2 else 0


@dataclass(slots=True)
class StuckSwitch:
    """For a spell the switch shows one and the same state."""

    spells: Spells
    shown: int
    _true: int = 0
    _given: int = 0

    def carry(self, readings: Readings, until_s: float) -> Readings:
        carried: Readings = []
        for at_s, level in [*readings, (until_s, -1)]:
            while self.spells.begin_s <= at_s:
                self._give(carried, self.spells.begin_s, self.shown)
                if at_s < self.spells.end_s:
                    break
                end_s = self.spells.end_s
                self.spells.at(end_s)
                self._give(carried, end_s, self._true)
            if level >= 0:
                self._true = level
                if not self.spells.at(at_s):
                    self._give(carried, at_s, level)
        return carried

    def _give(self, carried: Readings, at_s: float, level: int) -> None:
        if level != self._given:
            self._given = level
            carried.append((at_s, level))


@dataclass(slots=True)
class ChatteringSwitch:
    """For a spell the switch opens and closes on its own, then shows the truth again."""

    spells: Spells
    rng: Random
    _true: int = 0
    _inverted: bool = False
    _given: int = 0
    _next_s: float = 0.0

    def carry(self, readings: Readings, until_s: float) -> Readings:
        carried: Readings = []
        for at_s, level in readings:
            self._chatter(carried, at_s)
            self._true = level
            self._show(carried, at_s)
        self._chatter(carried, until_s)
        return carried

    def _chatter(self, carried: Readings, up_to_s: float) -> None:
        spells = self.spells
        while spells.begin_s <= up_to_s:
            self._next_s = max(self._next_s, spells.begin_s)
            while self._next_s <= min(up_to_s, spells.end_s):
                self._inverted = not self._inverted
                self._show(carried, self._next_s)
                mean_s = 0.01 if self._inverted else 0.08
                self._next_s += self.rng.expovariate(1.0 / mean_s)
            if up_to_s < spells.end_s:
                return
            self._inverted = False
            self._show(carried, spells.end_s)
            spells.at(spells.end_s)

    def _show(self, carried: Readings, at_s: float) -> None:
        level = 1 - self._true if self._inverted else self._true
        if level != self._given:
            self._given = level
            carried.append((at_s, level))


@dataclass(slots=True)
class LateBurst:
    """The host is busy for a spell, then gets everything at once."""

    spells: Spells

    def deliver(self, at_s: float, sensor: Sensor) -> list[float]:  # noqa: ARG002 - see LinkFault
        if not self.spells.at(at_s):
            return [at_s]
        through = (at_s - self.spells.begin_s) / (self.spells.end_s - self.spells.begin_s)
        return [self.spells.end_s + 1e-4 * through]


@dataclass(slots=True)
class Duplicates:
    """Now and then a reading comes twice."""

    rng: Random
    chance: float

    def deliver(self, at_s: float, sensor: Sensor) -> list[float]:
        twice = sensor is not Sensor.TILT and self.rng.random() < self.chance
        return [at_s, at_s + 0.0005] if twice else [at_s]


@dataclass(slots=True)
class Gaps:
    """For a short spell whatever was sent is lost; the switch's state is sent again after it."""

    spells: Spells

    def deliver(self, at_s: float, sensor: Sensor) -> list[float]:
        if not self.spells.at(at_s):
            return [at_s]
        return [self.spells.end_s] if sensor is Sensor.TILT else []
