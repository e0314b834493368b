"""Adversity of the scale: how it tips, dumps, hangs, is caught, bumped and carried.

It changes the physics or sends incidents; it never decides what falls.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from sim.faults.adversity import Adversity, Change, Install, Table
from sim.faults.hands import habits
from sim.faults.incidents import Bumps, Carrying, Response
from sim.happenings import What
from sim.setup import Setup


def _shape(**changes: Callable[[Random], float]) -> Change:
    def change(setup: Setup, rng: Random) -> Setup:
        values = {name: draw(rng) for name, draw in changes.items()}
        return replace(setup, shape=replace(setup.shape, **values))

    return change


def _cardboard(**changes: Callable[[Random], float]) -> Change:
    def change(setup: Setup, rng: Random) -> Setup:
        values: dict[str, Any] = {name: draw(rng) for name, draw in changes.items()}
        return replace(setup, cardboard=replace(setup.cardboard, **values))

    return change


def _between(low: float, high: float) -> Callable[[Random], float]:
    return lambda rng: rng.uniform(low, high)


def _bumps(name: str, vertical: tuple[float, float], turning: tuple[float, float]) -> Install:
    def install(table: Table, rng: Random) -> None:
        bumps = Bumps(table.world, table.witness, rng, name, vertical, turning)
        table.incidents.append(bumps)

    return install


def _carried(table: Table, rng: Random) -> None:
    table.incidents.append(Carrying(table.world, table.witness, rng))


def _both(*installs: Install) -> Install:
    def install(table: Table, rng: Random) -> None:
        for one in installs:
            one(table, rng)

    return install


def _response(
    name: str,
    to: What,
    after_s: tuple[float, float],
    hold_s: tuple[float, float],
    bring_s: float,
    over: float | None = 0.0,
    stiffness: float = 4.0,
) -> Install:
    def install(table: Table, rng: Random) -> None:
        table.incidents.append(
            Response(
                table.world,
                table.witness,
                rng,
                name,
                to,
                after_s,
                hold_s,
                bring_s,
                over,
                stiffness=stiffness,
            )
        )

    return install


SCALE = (
    Adversity(
        "tips_at_once",
        "scale",
        "The scale is touchy: it tips without any warning.",
        change=_shape(
            stiffness=_between(0.13, 0.17),
            weakening=_between(0.0, 0.0),
            damping=_between(0.006, 0.01),
        ),
        install=habits("careless"),
    ),
    Adversity(
        "creeps",
        "scale",
        "The scale gives way slowly, for up to five seconds, before it tips.",
        change=_shape(weakening=_between(0.15, 0.3), weakening_s=_between(1.0, 4.0)),
        install=habits("careless"),
    ),
    Adversity(
        "caught",
        "scale",
        "A hand catches the tipping beam.",
        install=_both(
            habits("clumsy", "careless"),
            _response("caught", What.TIPPED, (0.08, 0.3), (0.6, 2.0), 0.2),
        ),
    ),
    Adversity(
        "hangs_at_edge",
        "scale",
        "The tipping beam hangs at the edge for a while.",
        install=_both(
            habits("clumsy", "careless"),
            _response(
                "hangs_at_edge", What.TIPPED, (0.0, 0.06), (0.5, 4.0), 0.1, None, stiffness=3.0
            ),
        ),
    ),
    Adversity(
        "dumps_one",
        "scale",
        "The scale stops short and dumps one tray for certain.",
        change=_shape(stop=_between(0.46, 0.5), damping=_between(0.03, 0.04)),
        install=habits("careless"),
    ),
    Adversity(
        "dumps_both",
        "scale",
        "Somebody jerks the beam over to the other side, and both trays are dumped.",
        install=_both(
            habits("careless"),
            _response("dumps_both", What.FELL, (0.15, 0.6), (0.6, 1.0), 0.25, 0.5),
        ),
    ),
    Adversity(
        "one_by_one",
        "scale",
        "The cards slide off one by one over seconds.",
        change=_cardboard(
            grip=_between(0.52, 0.57),
            grip_spread=_between(0.06, 0.08),
            drag=_between(30.0, 80.0),
            patience_s=_between(2.0, 5.0),
        ),
        install=habits("careless"),
    ),
    Adversity(
        "one_card",
        "scale",
        "The scale is righted so quickly that it spills a card or two.",
        change=_cardboard(drag=_between(15.0, 25.0), slick=_between(0.08, 0.15)),
        install=_both(
            habits("careless"), _response("one_card", What.FELL, (0.0, 0.02), (0.8, 1.5), 0.06)
        ),
    ),
    Adversity(
        "keeps_hanging",
        "scale",
        "A card clings to the tray when all the others have fallen.",
        change=_cardboard(sticky=_between(0.08, 0.15)),
        install=habits("careless"),
    ),
    Adversity(
        "righted",
        "scale",
        "The scale is righted while the cards are still sliding out.",
        change=_cardboard(drag=_between(12.0, 25.0)),
        install=_both(
            habits("careless"), _response("righted", What.FELL, (0.05, 0.4), (0.8, 2.0), 0.2)
        ),
    ),
    Adversity(
        "bumped",
        "scale",
        "The table is bumped; the scale rocks and stands.",
        install=_bumps("bumped", (0.3, 3.0), (0.0, 15.0)),
    ),
    Adversity(
        "shoved",
        "scale",
        "The table is shoved so hard that the scale may spill.",
        install=_bumps("shoved", (1.0, 5.0), (30.0, 120.0)),
    ),
    Adversity("carried", "scale", "The scale is carried to another place.", install=_carried),
    Adversity(
        "loses_disk",
        "scale",
        "The disk slides off the platform at the slightest lean.",
        change=_shape(disk_grip=_between(0.015, 0.04)),
    ),
)
