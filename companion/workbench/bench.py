"""Puts a board on the workbench for `tippo calibrate` and `tippo doctor`.

It never judges what is read.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.clock import Clock, SystemClock, VirtualClock
from companion.config import load_settings, places
from companion.events import Reading
from companion.ports import Scale
from companion.scale.calibrate import Step
from companion.sitting import board_config
from companion.units import Tray

if TYPE_CHECKING:
    from sim.board import SimulatedTable


POLL_S = 0.05
COMES_TO_REST_S = 3.0

Say = Callable[[str], None]
Wait = Callable[[Step], None]
"""Returns when people say that they have done what was asked."""


@dataclass(frozen=True, slots=True)
class Bench:
    """An opened scale, and who does what is asked."""

    scale: Scale
    clock: Clock
    identity: str
    wait: Wait
    press: Callable[[Tray], None]
    """Returns when somebody presses the tray, or is about to."""


def gather(scale: Scale, clock: Clock, seconds: float) -> list[Reading]:
    """Everything that the scale delivers meanwhile."""
    readings: list[Reading] = []
    end_s = clock.mono() + seconds
    while clock.mono() < end_s:
        clock.sleep(POLL_S)
        readings += scale.poll()
    return readings


@contextmanager
def bench(
    board: str,
    settings: Path | None,
    *,
    cards: int = 0,
    tilt_fitted: bool | None = None,
    tilt_rests_closed: bool = False,
) -> Iterator[Bench]:
    """The opened board, with what is known of its tilt switch; ``cards`` for simulated hands."""
    if board == "sim":
        yield _simulated(cards)
        return
    from hardware.probe import open_board

    said = load_settings(settings)
    config = board_config(board, said, places(said, settings))
    config = msgspec.structs.replace(
        config,
        tilt_fitted=config.tilt_fitted if tilt_fitted is None else tilt_fitted,
        tilt_rests_closed=tilt_rests_closed,
    )
    clock = SystemClock()
    opened = open_board(board, config, clock)
    try:
        yield Bench(opened.scale, clock, opened.identity, _key, lambda _: None)
    finally:
        opened.scale.close()


def _key(step: Step) -> None:
    then = "Press a key, then tip it." if step is Step.TIP else "Then press a key and hands off."
    click.pause(then)


def _simulated(cards: int) -> Bench:
    from sim.board import SimulatedTable
    from sim.party import Plan

    clock = VirtualClock()
    table = SimulatedTable(Plan(seed=1, people=()), clock)
    table.scale.open()
    return Bench(
        table.scale,
        clock,
        "sim",
        wait=lambda step: _hands(table, clock, cards, step),
        press=table.push,
    )


def _empty(table: "SimulatedTable") -> None:
    for tray in Tray:
        table.take(tray, table.picture.cards[tray])


def _hands(table: "SimulatedTable", clock: VirtualClock, cards: int, step: Step) -> None:
    """Does what a person would do with a prop, a hand and some cards."""
    from sim.hands import Touch

    world = table.party.world
    match step:
        case Step.TIP:
            _empty(table)
            tip_s = world.now_s + 1.0
            world.touch(Touch(None, tip_s, tip_s + 1.5, stiffness=4.0, angle=0.45, bring_s=0.5))
            world.set_upright(at_s=tip_s + 2.0)
            return
        case Step.EMPTY:
            _empty(table)
            world.grasp()
        case Step.CARDS_LEFT | Step.AGAIN:
            _empty(table)
            table.put(Tray.LEFT, cards)
        case Step.CARDS_RIGHT:
            _empty(table)
            table.put(Tray.RIGHT, cards)
        case _:
            return
    gather(table.scale, clock, COMES_TO_REST_S)
