"""Puts a board on the workbench for `tippo calibrate` and `tippo doctor`.

It never judges what is read.
"""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from companion.boards import bare_board
from companion.calibrator import carry_out
from companion.clock import Clock, SystemClock, VirtualClock
from companion.config import load_settings, places
from companion.ending import AskedToEnd
from companion.events import Reading
from companion.ports import Scale
from companion.scale.calibrate import Load, Step
from companion.units import Tray

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
    tip: Callable[[], None]
    """Returns when somebody tips the scale and sets it level again, or is about to."""


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
    load: Load | None = None,
    tilt_fitted: bool | None = None,
    tilt_rests_closed: bool = False,
) -> Iterator[Bench]:
    """The opened board, with what is known of its tilt switch; simulated hands hold `load`."""
    if board == "sim":
        yield _simulated(load or Load())
        return
    said = load_settings(settings)
    clock = SystemClock()
    with bare_board(
        board,
        said,
        places(said, settings),
        clock,
        tilt_fitted=tilt_fitted,
        tilt_rests_closed=tilt_rests_closed,
    ) as opened:
        yield Bench(opened.scale, clock, opened.identity, press_a_key, lambda _: None, lambda: None)


def press_a_key(step: Step) -> None:
    """Waits for one in the terminal. Raises AskedToEnd for Ctrl-C and Ctrl-D."""
    click.echo(
        "Press a key, then tip it." if step is Step.TIP else "Then press a key and hands off."
    )
    if not sys.stdin.isatty():
        return
    # Not `click.pause`: it takes Ctrl-C for a key.
    try:
        click.getchar()
    except (KeyboardInterrupt, EOFError):
        raise AskedToEnd(signal.SIGINT) from None


def _simulated(load: Load) -> Bench:
    from sim.board import SimulatedTable
    from sim.party import Plan
    from sim.weighing import WeighingHands

    clock = VirtualClock()
    table = SimulatedTable(Plan(seed=1, people=()), clock)
    table.scale.open()
    hands = WeighingHands(table, cards=load.cards, coin_g=load.coin_g)

    def wait(step: Step) -> None:
        carry_out(step, hands)
        if step is not Step.TIP:
            gather(table.scale, clock, COMES_TO_REST_S)

    return Bench(table.scale, clock, "sim", wait=wait, press=table.push, tip=hands.tip)
