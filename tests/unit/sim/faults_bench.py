"""A simulated scale with one adversity and nobody at it.

It never says what the adversity should do.
"""

from functools import cache
from random import Random

from companion.events import Sample
from companion.units import Tray
from sim.faults import Table, named
from sim.habits import Habits
from sim.hands import Placing
from sim.happenings import Happening, What
from sim.setup import Setup
from sim.witness import Line, Witness
from sim.world import World

SOFT = Placing(lay_s=0.2, push_g=0.0, push_from_s=0.0, push_s=0.0, braced=0.0)


class Bench:
    """A scale with one adversity and nobody at it."""

    def __init__(self, name: str, *, seed: int = 1, sps: int = 80, cards: int = 3) -> None:
        adversity = named(name)
        setup = Setup.from_seed(seed, sps)
        if adversity.change is not None:
            setup = adversity.change(setup, Random(seed))
        self.world = World(seed, setup)
        self.witness = Witness()
        self.table = Table(self.world, self.witness, Habits(Random(seed)), [])
        if adversity.install is not None:
            adversity.install(self.table, Random(seed))
        self.world.lay_out({tray: [f"{tray}{number}" for number in range(cards)] for tray in Tray})
        self.seen: list[Happening] = []

    def run(self, until_s: float) -> list[Sample]:
        """Everything that reaches the host up to `until_s`."""
        world, incidents = self.world, self.table.incidents
        while world.now_s < until_s:
            due = min((incident.due_s for incident in incidents), default=until_s)
            world.tick(min(until_s, due))
            for happening in world.happenings():
                self.seen.append(happening)
                for incident in incidents:
                    incident.saw(happening)
            for incident in incidents:
                if world.now_s >= incident.due_s:
                    incident.act()
        return world.readings()

    def overload(self, tray: Tray) -> list[Happening]:
        """Puts cards in one tray until it tips, then waits to see what becomes of it."""
        for number in range(30):
            self.world.put(tray, [f"more{number}"], SOFT, at_s=self.world.now_s)
            self.run(self.world.now_s + 1.5)
            if any(item.what is What.TIPPED for item in self.seen):
                break
        self.run(self.world.now_s + 12.0)
        return self.seen

    @property
    def notes(self) -> list[Line]:
        return [line for line in self.witness.lines if line["truth"] == "adversity"]


def values(rows: list[Sample], sensor: str = "left") -> list[tuple[float, int]]:
    return [(row.mono_s, getattr(row, sensor)) for row in rows if getattr(row, sensor) is not None]


@cache
def calm_rows(sps: int) -> list[Sample]:
    world = World(1, Setup.from_seed(1, sps))
    world.lay_out({tray: ["a", "b", "c"] for tray in Tray})
    world.advance(200.0)
    return world.readings()


def damaged(name: str, sps: int = 10, until_s: float = 200.0) -> tuple[Bench, list[Sample]]:
    bench = Bench(name, sps=sps)
    return bench, bench.run(until_s)


def spell(bench: Bench) -> tuple[str, float, float]:
    note = bench.notes[0]
    return note["sensor"], note["t"], note["until"]
