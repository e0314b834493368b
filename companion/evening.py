"""One evening with the companion: opens journal and front, runs the loop, ends it cleanly.

It never decides anything about a game, and it names no board: it is given the devices.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console

from companion.app import FRAME_S, App
from companion.calibrator import End, ask
from companion.clock import Clock, PacedClock
from companion.connected import Devices, Front
from companion.display.calibration import Deed
from companion.ending import heeding
from companion.errors import (
    BadInput,
    BoardError,
    CalibrationError,
    DisplayError,
    JournalError,
    Refused,
    TippoError,
    in_two,
)
from companion.games.referee import State
from companion.journal.journal import Board, Journal
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
    from companion.display.desk import Shows
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
    turn: int = 0
    """Of the picture on the display, in degrees clockwise."""
    dim_after_s: float = 180.0
    dark_after_s: float = 900.0
    known_names: tuple[str, ...] = ()
    resume: bool = False
    news: str = ""
    """What people should know before they begin, in one sentence."""
    recording: Path | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """What was opened, and what its counts mean (None: there is no scale)."""

    devices: Devices
    calibration: dict[str, Any] | None


class Stand(Protocol):
    """What the scale is, and how one gets at it: see `companion.boards`."""

    @property
    def calibratable(self) -> bool:
        """It can be calibrated at the display."""
        ...

    def open(self) -> Opened:
        """Raises BoardError or CalibrationError; may be called again after `calibrate`."""
        ...

    def calibrate(self, display: "Shows", why: str, *, playable: bool) -> End:
        """Leads people through a calibration; nothing may be open. Raises BoardError."""
        ...


WHY_AGAIN = "Calibrate anew when a cell was moved, or with other cards."


def spend(evening: Evening, clock: Clock, stand: Stand, journal: Journal, console: Console) -> None:
    """Runs the loop until people end it, and closes everything.

    Raises:
        BoardError, CalibrationError: the scale cannot be used, and there is no display at which
            people could do something about it.
        Refused: the journal or the recording is not complete.
    """
    with _front(evening, clock, console) as (front, display):
        app = None
        while app is None or app.wants_calibration:
            if app is not None and display is not None:
                with suppress(BoardError):  # `_opened` tells it, and what people may do
                    stand.calibrate(display, WHY_AGAIN, playable=False)
            opened = _opened(stand, display, clock)
            if opened is None:
                return
            scale = opened.devices.scale
            with nullcontext() if scale is None else closing(scale):
                if scale is not None:
                    # Which board it is, and by which library: nothing stands in for it silently.
                    console.print(f"On the table: {scale.description}.", markup=False)
                recorder = _begun(evening, opened, display)
                app = _app(evening, clock, stand, opened, front, journal, recorder)
                with _run_until_asked(app):
                    _begin(app, evening, clock, opened.devices)
                    if app.table.state is not None:
                        console.print(f"{_standing(app.table.state)} goes on.", markup=False)
                    app.run()
    _say_goodbye(app, console)
    if recorder is not None and recorder.broken:
        raise Refused(f"{recorder.broken}; the game itself went on")


def _begun(evening: Evening, opened: Opened, display: "Display | None") -> Recorder | None:
    """The recording, if one is wanted.

    Raises:
        BadInput, Refused: without a display nothing would ever happen.
    """
    scale = opened.devices.scale
    real = scale is not None and not scale.simulated
    if display is None and real and evening.headless is None:
        raise Refused(
            "no display was found, on which people tap what they play: plug it in and switch it on "
            "(with --headless a game that was begun goes on without one)"
        )
    if display is None and _needs_taps(opened.devices):
        raise BadInput(
            "people play this game by tapping the display, and there is none here: seat "
            "simulated people alone, with --board sim --people 4"
        )
    return None if evening.recording is None else Recorder(evening.recording, opened.calibration)


def _needs_taps(devices: Devices) -> bool:
    """Whether nothing would ever happen without a display: a real scale has people who play on it,
    simulated people tap by themselves."""
    if devices.scale is not None and not devices.scale.simulated:
        return False
    return devices.person_at_sim or devices.company is None


def _opened(stand: Stand, display: "Display | None", clock: Clock) -> Opened | None:
    """The opened board; at the display people mend what keeps it from that. None: they leave."""
    while True:
        try:
            return stand.open()
        except (BoardError, CalibrationError) as error:
            if display is None:
                raise
            end = _mend(stand, display, clock, error)
        if end is End.LEFT:
            return None
        if end is End.WITHOUT:
            return Opened(Devices(board=Board("no scale", simulated=False)), None)


def _mend(stand: Stand, display: "Display", clock: Clock, error: TippoError) -> End:
    if isinstance(error, CalibrationError):
        says, _ = in_two(str(error))
        try:
            return stand.calibrate(display, f"{says[:1].upper()}{says[1:]}.", playable=True)
        except BoardError as unreachable:
            error = unreachable
    from companion.display.view_calibration import no_board_screen

    match ask(display, no_board_screen(str(error)), clock, tick_of(clock)):
        case Deed.READY:
            return End.SAVED
        case Deed.WITHOUT:
            return End.WITHOUT
        case _:
            return End.LEFT


def _app(
    evening: Evening,
    clock: Clock,
    stand: Stand,
    opened: Opened,
    front: Front,
    journal: Journal,
    recorder: Recorder | None,
) -> App:
    judge = None
    if opened.calibration is not None:
        judge = Judge(Calibration.from_toml(opened.calibration))
    return App(
        clock,
        Watching(Table(evening.mode), judge),
        opened.devices,
        front,
        journal=journal,
        recorder=recorder,
        tick_s=tick_of(clock),
        leaves_with_company=isinstance(front, Narrator),
        calibratable=stand.calibratable and recorder is None,
        news=evening.news,
    )


def tick_of(clock: Clock) -> float:
    """How far the clock moves between two turns: a frame of the machine's time."""
    if not isinstance(clock, PacedClock):
        return FRAME_S
    return FRAME_S * clock.speed if clock.speed else UNPACED_TICK_S


@contextmanager
def _front(
    evening: Evening, clock: Clock, console: Console
) -> "Iterator[tuple[Front, Display | None]]":
    """The display if there is one, else the terminal; closed in the end."""
    display, why_not = _display(evening, clock)
    if display is not None:
        from companion.display.desk import Desk
        from companion.display.light import Lighting

        lighting = Lighting(evening.dim_after_s, evening.dark_after_s)
        try:
            yield Desk(display, evening.known_names, lighting=lighting), display
        finally:
            display.close()
        return
    narrator = Narrator(console)
    if why_not:
        narrator.say(why_not, "bold")
    narrator.open()
    try:
        yield narrator, None
    finally:
        narrator.close()


def _display(evening: Evening, clock: Clock) -> "tuple[Display | None, str]":
    if evening.headless:
        return None, ""
    from companion.display.window import Display, available

    if evening.headless is None and not available():
        return None, "No display was found: the game is told here."
    try:
        return Display(
            clock, size=evening.size, fullscreen=evening.fullscreen, turn=evening.turn
        ), ""
    except DisplayError as error:
        if evening.headless is False:
            raise
        return None, f"{error} The game is told here."


def _begin(app: App, evening: Evening, clock: Clock, devices: Devices) -> None:
    going_on = app.resume() if evening.resume else None
    if going_on is None:
        app.offer_to_resume()
        app.tell(evening.opening)
    elif devices.company is not None and isinstance(clock, PacedClock):
        app.catch_up(clock, MonoSeconds(going_on.last_s))


@contextmanager
def _run_until_asked(app: App) -> Iterator[None]:
    """Ctrl-C, SIGTERM and a terminal that is closed end the loop after its turn, not in the middle
    of it."""
    with heeding(lambda _: app.quit()):
        try:
            yield
        finally:
            app.let_go()


def _say_goodbye(app: App, console: Console) -> None:
    table = app.table
    if app.trouble:
        raise JournalError(f"{app.trouble} What was played since then is not in it.")
    if table.state is None or app.over:
        return
    console.print(
        f"{_standing(table.state)} stands as it is; go on with it: the same command with --resume "
        "(make play: RESUME=1).",
        markup=False,
    )


def _standing(state: State) -> str:
    scores = ", ".join(f"{name} {score}" for name, score in state.scores.items())
    return f"Round {state.round} ({scores})"
