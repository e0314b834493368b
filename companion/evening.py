"""One evening with the companion: opens journal and front, runs the loop, ends it cleanly.

It never decides anything about a game, and it names no board: it is given the devices.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from rich.console import Console

from companion.app import FRAME_S, App, Devices, Front
from companion.clock import Clock, PacedClock
from companion.errors import DisplayError, JournalError
from companion.games.referee import State
from companion.journal.journal import Journal
from companion.narrator import Narrator
from companion.recorded.recorder import Recorder
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.table import Table
from companion.table.taps import Mode, Tap
from companion.units import MonoSeconds
from companion.watching import Watching

if TYPE_CHECKING:
    # pygame is imported only where a window is opened.
    from companion.display.window import Display

UNPACED_TICK_S = 0.25
"""As fast as it can: so much simulated time passes between two turns of the loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """What is settled before the first card is dealt."""

    mode: Mode
    opening: tuple[Tap, ...] = ()
    """What is told at once: who plays, what was dealt."""
    headless: bool | None = None
    """None: as there is a display or not."""
    size: tuple[int, int] | None = None
    fullscreen: bool = False
    known_names: tuple[str, ...] = ()
    resume: bool = False
    calibration: dict[str, Any] | None = None
    recording: Path | None = None


def spend(
    evening: Evening, clock: Clock, devices: Devices, journal: Journal, console: Console
) -> None:
    """Runs the loop until people end it, and closes everything."""
    judge = None
    if evening.calibration is not None:
        judge = Judge(Calibration.from_toml(evening.calibration))
    recorder = None
    if evening.recording is not None:
        recorder = Recorder(evening.recording, evening.calibration)
    with _front(evening, clock, console) as front:
        app = App(
            clock,
            Watching(Table(evening.mode), judge),
            devices,
            front,
            journal=journal,
            recorder=recorder,
            tick_s=tick_of(clock),
            leaves_with_company=isinstance(front, Narrator),
        )
        try:
            with _ended_by_signals(app):
                _begin(app, evening, clock, devices, journal)
                if app.table.state is not None:
                    console.print(f"{_standing(app.table.state)} goes on.", markup=False)
                app.run()
        finally:
            app.close()
    _say_goodbye(app, console)


def tick_of(clock: Clock) -> float:
    """How far the clock moves between two turns: a frame of the machine's time."""
    if not isinstance(clock, PacedClock):
        return FRAME_S
    return FRAME_S * clock.speed if clock.speed else UNPACED_TICK_S


@contextmanager
def _front(evening: Evening, clock: Clock, console: Console) -> Iterator[Front]:
    """The display if there is one, else the terminal; closed in the end."""
    display, why_not = _display(evening, clock)
    if display is not None:
        from companion.display.desk import Desk

        try:
            yield Desk(display, evening.known_names)
        finally:
            display.close()
        return
    narrator = Narrator(console)
    if why_not:
        narrator.say(why_not, "bold")
    narrator.open()
    try:
        yield narrator
    finally:
        narrator.close()


def _display(evening: Evening, clock: Clock) -> "tuple[Display | None, str]":
    if evening.headless:
        return None, ""
    from companion.display.window import Display, available

    if evening.headless is None and not available():
        return None, "No display was found: the game is told here."
    try:
        return Display(clock, size=evening.size, fullscreen=evening.fullscreen), ""
    except DisplayError as error:
        if evening.headless is False:
            raise
        return None, f"{error} The game is told here."


def _begin(app: App, evening: Evening, clock: Clock, devices: Devices, journal: Journal) -> None:
    unfinished = journal.unfinished(simulated=devices.board.simulated)
    if not evening.resume or unfinished is None:
        app.offer_to_resume()
        app.tell(evening.opening)
        return
    app.resume()
    if devices.company is not None and isinstance(clock, PacedClock):
        app.catch_up(clock, MonoSeconds(unfinished.last_s))


@contextmanager
def _ended_by_signals(app: App) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the loop after its turn, not in the middle of it."""

    def end(_number: int, _frame: FrameType | None) -> None:
        app.quit()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say_goodbye(app: App, console: Console) -> None:
    table = app.table
    if app.trouble:
        raise JournalError(f"{app.trouble} What was played since then is not in it.")
    if table.state is None or app.over:
        return
    console.print(
        f"{_standing(table.state)} stands as it is; go on with it: the same command with --resume.",
        markup=False,
    )


def _standing(state: State) -> str:
    scores = ", ".join(f"{name} {score}" for name, score in state.scores.items())
    return f"Round {state.round} ({scores})"
