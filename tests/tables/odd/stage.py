"""A stage on which cards, hands and the beam are played as forces over time, then sampled.

It never solves an equation of motion: every force is an envelope with a shape, a size and a length.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

Curve = NDArray[np.float64]
STEP_S = 0.0025
OTHER = {"left": "right", "right": "left"}


@dataclass(slots=True)
class Cell:
    """One load cell with its chip, as it is and as the calibration believes it to be."""

    zero: int
    counts_per_gram: float
    rate: float
    phase: float
    noise_g: float
    drift: float = 1.0
    """Drift at rest as a multiple of a good 1 kg bar cell."""
    gain_error: float = 0.0
    offset_g: float = 0.0
    """How far the empty tray has moved since the calibration."""
    crosstalk: float = 0.0
    """The share of the other tray's load that it feels through the base."""


@dataclass(slots=True)
class Words:
    """The conversions of one cell before the host gets them."""

    t: Curve
    counts: NDArray[np.int64]


@dataclass(slots=True)
class Row:
    t: float
    left: int | None
    right: int | None
    deck: int | None
    tilt: int


@dataclass(slots=True)
class Stage:
    """The forces of one trace on a fine grid of time, from 0 to `seconds`."""

    rng: np.random.Generator
    sps: int
    seconds: float
    card_g: float = 1.8
    spread_g: float = 0.05
    tray_g: float = 28.0
    tilt_switch: bool = True
    switch_deg: float = 15.0
    arm_m: float = 0.12
    switch: str = "works"
    """`works`, `open` (never closes) or `shut` (always closed from `switch_from` on)."""
    switch_from: float = 0.0
    say_tray_g: bool = True
    bounce: float = 0.006
    common_clock: bool = False
    grid: Curve = field(init=False)
    mass: dict[str, Curve] = field(init=False)
    force: dict[str, Curve] = field(init=False)
    angle: Curve = field(init=False)
    cards: dict[str, list[float]] = field(init=False)
    cells: dict[str, Cell] = field(init=False)
    card_g_said: float = field(init=False)
    """What the calibration says that a card weighs."""
    spoil: dict[str, list[Callable[[Words], Words]]] = field(init=False)
    stalls: list[tuple[float, float]] = field(default_factory=list)
    pulses: list[tuple[float, float]] = field(default_factory=list)
    """Moments in which the switch chatters although the beam is level."""
    pauses: list[tuple[float, float]] = field(default_factory=list)
    """Gaps in which rows are lost."""
    doubles: bool = False

    def __post_init__(self) -> None:
        self.grid = np.arange(0.0, self.seconds + 1.0, STEP_S)
        names = ("left", "right", "deck")
        self.mass = {name: np.zeros_like(self.grid) for name in names}
        self.force = {name: np.zeros_like(self.grid) for name in names}
        self.angle = np.zeros_like(self.grid)
        self.cards = {"left": [], "right": []}
        self.card_g_said = self.card_g + self.between(-0.02, 0.02)
        self.spoil = {name: [] for name in names}
        self.cells = {name: self.new_cell(self.sps) for name in ("left", "right")}
        if self.common_clock:
            self.cells["right"].rate = self.cells["left"].rate
            self.cells["right"].phase = self.cells["left"].phase

    # --- chance -----------------------------------------------------------------------

    def between(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def tray(self) -> str:
        return "left" if self.chance(0.5) else "right"

    def new_cell(self, sps: int) -> Cell:
        rate = self.between(10.2, 11.6) if sps == 10 else self.between(82, 94)
        noise = self.between(12, 35) if sps == 10 else self.between(95, 105)
        counts_per_gram = self.between(1000, 2200)
        return Cell(
            zero=int(self.rng.integers(-200_000, 200_000)),
            counts_per_gram=counts_per_gram,
            rate=rate,
            phase=self.between(0, 1),
            noise_g=noise / counts_per_gram,
            offset_g=self.between(-0.3, 0.3),
        )

    def weight(self) -> float:
        return self.card_g + self.between(-self.spread_g, self.spread_g)

    # --- loads and forces ---------------------------------------------------------------

    def initial(self, left: int, right: int) -> None:
        """Cards that lie in the trays as the trace begins."""
        for name, count in (("left", left), ("right", right)):
            for _ in range(count):
                self.load(name, -10.0, self.weight())

    def load(self, tray: str, t: float, grams: float, rise: float = 0.04) -> None:
        """A card comes to lie in the tray: the load rises over `rise` seconds from `t` on."""
        self.mass[tray] += grams * smooth((self.grid - t) / rise)
        self.cards[tray].append(grams)

    def unload(self, tray: str, t: float, count: int = 1, fall: float = 0.04) -> float:
        """The topmost cards leave the tray over `fall` seconds from `t` on; returns their grams."""
        grams = sum(self.cards[tray].pop() for _ in range(count))
        self.mass[tray] -= grams * smooth((self.grid - t) / fall)
        return grams

    def add(self, name: str, t0: float, t1: float, curve: Callable[[Curve], Curve]) -> None:
        """Adds `curve` of the seconds since `t0` to a tray's force between `t0` and `t1`."""
        i, j = np.searchsorted(self.grid, (t0, t1))
        self.force[name][i:j] += curve(self.grid[i:j] - t0)

    def press(self, tray: str, t: float, length: float, grams: float, echo: float = 0.04) -> None:
        """A hand leans on the tray: a skewed half sine; the other tray feels some of it."""
        skew = self.between(0.6, 1.5)

        def push(s: Curve) -> Curve:
            return grams * np.sin(math.pi * np.clip(s / length, 0, 1) ** skew)

        self.add(tray, t, t + length, push)
        self.add(OTHER[tray], t, t + length, lambda s: -echo * push(s))

    def ring(self, t: float, grams: float, sense: float | None = None) -> None:
        """Both trays swing after a jolt, in equal or opposite sense, at a few hertz."""
        hertz, decay = self.between(2, 6), self.between(0.12, 0.35)
        if sense is None:
            sense = -self.between(0.6, 1.0) if self.chance(0.7) else self.between(0.6, 1.0)
        phase = self.between(0, 2 * math.pi)

        def swing(s: Curve) -> Curve:
            onset = np.minimum(1.0, s / 0.03)
            return grams * onset * np.exp(-s / decay) * np.sin(2 * math.pi * hertz * s + phase)

        self.add("left", t, t + 8 * decay, swing)
        self.add("right", t, t + 8 * decay, lambda s: sense * swing(s))

    def knock(self, tray: str, t: float, grams: float) -> None:
        """Something hits the tray: a peak of some tens of milliseconds that rings off quickly."""
        hertz, decay = self.between(9, 18), self.between(0.03, 0.08)
        self.add(
            tray,
            t,
            t + 8 * decay,
            lambda s: grams * np.exp(-s / decay) * np.cos(2 * math.pi * hertz * s),
        )

    def fumble(self, name: str, t0: float, t1: float, grams: float, mean: float = 0.0) -> None:
        """A hand works on the tray: slow random forces that begin and end at nothing."""
        count = max(4, int((t1 - t0) * 5))
        knots = self.rng.normal(mean, grams, count)
        knots[0] = knots[-1] = 0.0
        where = np.linspace(0, t1 - t0, count)
        self.add(name, t0, t1, lambda s: eased(s, where, knots))
        self.tremble(name, t0, t1, 0.2 + 0.04 * grams)

    def tremble(self, name: str, t0: float, t1: float, grams: float) -> None:
        """No hand holds still: it trembles at some 8 to 12 Hz."""
        hertz, beat = self.between(8, 12), self.between(0.7, 1.9)
        self.add(
            name,
            t0,
            t1,
            lambda s: (
                grams
                * np.sin(2 * math.pi * hertz * s)
                * np.sin(math.pi * beat * s) ** 2
                * np.minimum(1.0, 10 * np.minimum(s, t1 - t0 - s))
            ),
        )

    def turn(self, *keys: tuple[float, float]) -> None:
        """The beam goes through these (time, degrees), easing in and out; right is above 0."""
        times = np.array([key[0] for key in keys])
        degrees = np.array([key[1] for key in keys])
        self.angle += eased(self.grid, times, degrees)

    # --- sampling -----------------------------------------------------------------------

    def drift(self, cell: Cell) -> Curve:
        """Wandering at rest with the changes of a real bar cell over 1 s, 10 s, 1 min, 10 min."""
        coarse = np.arange(0.0, self.seconds + 2.0, 0.1)
        total = np.zeros_like(coarse)
        for tau, sigma in ((0.8, 0.012), (8.0, 0.025), (50.0, 0.06), (600.0, 0.2)):
            keep = math.exp(-0.1 / tau)
            push = self.rng.normal(0, sigma * math.sqrt(1 - keep * keep), len(coarse))
            level = self.rng.normal(0, sigma)
            for i, step in enumerate(push):
                level = level * keep + step
                total[i] += level
        total -= total[0]
        return np.asarray(np.interp(self.grid, coarse, cell.drift * total))

    def grams(self, name: str) -> Curve:
        """What the cell would weigh with no noise: a tilted beam presses with its cosine only."""
        if name == "deck":
            return self.mass[name] + self.force[name]
        theta = np.radians(self.angle)
        jerked = np.gradient(np.gradient(theta, STEP_S), STEP_S)
        for _ in range(2):
            jerked = boxed(jerked, 0.03)
        # The side that falls weighs less while it gathers speed, and more while it is stopped.
        inertia = (-1 if name == "right" else 1) * self.arm_m / 9.81 * jerked
        pressing = np.cos(theta) * np.clip(1 + inertia, 0, 3)
        load = (self.tray_g + self.mass[name]) * pressing - self.tray_g
        return np.asarray(load + self.force[name])

    def words(self, name: str) -> Words:
        """The cell's conversions: each weighs the last four periods (half a step after two)."""
        cell = self.cells[name]
        load = self.grams(name)
        if name != "deck" and cell.crosstalk:
            load = load + cell.crosstalk * self.grams(OTHER[name])
        period = 1 / cell.rate
        for _ in range(4):
            load = boxed(load, period)
        t = np.arange(cell.phase * period, self.seconds, period)
        if not self.common_clock:
            t = t + self.rng.normal(0, 0.0002, len(t))
        level = np.interp(t, self.grid, load * (1 + cell.gain_error) + self.drift(cell))
        level += cell.offset_g
        level += self.rng.normal(0, cell.noise_g, len(t))
        counts = np.rint(cell.zero + level * cell.counts_per_gram).astype(np.int64)
        words = Words(t, np.clip(counts, -(2**23), 2**23 - 1))
        for spoil in self.spoil[name]:
            words = spoil(words)
        return words

    def switch_edges(self) -> list[tuple[float, int]]:
        """When the switch changes, with a few bounces at every change."""
        if self.switch == "open" or not self.tilt_switch:
            return []
        past = np.abs(self.angle) > self.switch_deg
        if self.switch == "shut":
            past = past | (self.grid >= self.switch_from)
        edges: list[tuple[float, int]] = [(0.0, 1)] if past[0] else []
        for i in np.flatnonzero(past[1:] != past[:-1]).tolist():
            t, state = float(self.grid[i + 1]), int(past[i + 1])
            edges.append((t, state))
            for _ in range(int(self.rng.integers(0, 3)) if self.bounce else 0):
                t += self.between(0.0008, self.bounce)
                edges.append((t, 1 - state))
                t += self.between(0.0008, self.bounce)
                edges.append((t, state))
        for begin, length in self.pulses:
            edges += [(begin, 1), (begin + length, 0)]
        edges.sort()
        return edges

    def rows(self) -> list[Row]:
        """What the host gets, in its order and with its times."""
        rows: list[Row] = []
        for name in self.cells:
            words = self.words(name)
            for t, counts in zip(words.t.tolist(), words.counts.tolist(), strict=True):
                row = Row(t, None, None, None, 0)
                setattr(row, name, counts)
                rows.append(row)
        edges = self.switch_edges()
        rows += [Row(t, None, None, None, 0) for t, _ in edges]
        rows.sort(key=attrgetter("t"))
        if self.common_clock:
            rows = merged(rows)
        self._tilt(rows, edges)
        if self.pauses:
            rows = [row for row in rows if not any(a <= row.t < b for a, b in self.pauses)]
        if self.doubles:
            rows = [replace(row) for row in rows for _ in range(2 if self.chance(0.01) else 1)]
        if self.stalls:
            rows = [self._late(row) for row in rows]
            for before, row in pairwise(rows):
                row.t = max(row.t, before.t)
        return rows

    def _tilt(self, rows: list[Row], edges: list[tuple[float, int]]) -> None:
        """Every row bears the state of the switch at its moment."""
        state, next_edge = 0, 0
        for row in rows:
            while next_edge < len(edges) and edges[next_edge][0] <= row.t:
                state = edges[next_edge][1]
                next_edge += 1
            row.tilt = state

    def _late(self, row: Row) -> Row:
        for begin, end in self.stalls:
            if begin <= row.t < end:
                late = end + (row.t - begin) / (end - begin) * 0.004
                return Row(late, row.left, row.right, row.deck, row.tilt)
        return row


def merged(rows: list[Row]) -> list[Row]:
    """Readings of the same moment in one row."""
    done: list[Row] = []
    for row in rows:
        last = done[-1] if done else None
        if last is None or last.t != row.t:
            done.append(row)
            continue
        for name in ("left", "right", "deck"):
            if getattr(row, name) is not None:
                setattr(last, name, getattr(row, name))
    return done


def smooth(x: Curve) -> Curve:
    """0 below 0, 1 above 1, easing in and out between."""
    x = np.clip(x, 0, 1)
    return np.asarray(x * x * (3 - 2 * x))


def eased(t: Curve, where: Curve, values: Curve) -> Curve:
    """Through (where, values), standing still at each; constant outside."""
    i = np.clip(np.searchsorted(where, t, side="right") - 1, 0, len(where) - 2)
    share = smooth((t - where[i]) / np.maximum(where[i + 1] - where[i], 1e-9))
    return np.asarray(values[i] + (values[i + 1] - values[i]) * share)


def boxed(curve: Curve, length: float) -> Curve:
    """The mean over the last `length` seconds."""
    total = np.concatenate(([0.0], np.cumsum(curve)))
    at = np.arange(len(curve), dtype=np.float64) + 1
    before = np.interp(at - length / STEP_S, np.arange(len(total)), total)
    width = np.minimum(at, length / STEP_S)
    return np.asarray((total[1:] - before) / width)
