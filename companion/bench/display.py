"""Measures the display: frames a second on the table's main screens, cold and warm, and memory.

It never opens a window: the frames are painted on surfaces in memory.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from statistics import median

from companion.bench.report import Report
from companion.clock import VirtualClock
from companion.display.choice import Touch
from companion.display.desk import Desk
from companion.display.frame import Frame, fit
from companion.display.layout import lay_out
from companion.display.light import Light
from companion.display.looking import Looking
from companion.display.paint import Painter
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import Open, Page
from companion.games import commands
from companion.games.commands import Start
from companion.scale.view import ScaleView, TrayView
from companion.table.table import Table
from companion.table.taps import Said, Tap
from companion.units import Grams, MonoSeconds, Tray

SIZES = ((800, 480), (1280, 720), (720, 1280))
TURNS_A_SECOND = 30
PLAYERS = ("Mia", "Ben", "Oma Grete", "Papa", "Lotte", "Emil", "Theo", "Ida", "Jonas", "Zoë")


def measure(report: Report, *, quick: bool) -> None:
    """Adds the time to paint a frame, beside the time that SDL needs to fill the same surface."""
    import pygame

    frames = 60 if quick else 600
    table = _table_of_ten()
    for size in SIZES:
        surface = pygame.Surface(size)
        frame = fit(size)
        painter = Painter(size, frame.scale)
        began = time.perf_counter()
        for screen in _screens(table):
            painter.paint(lay_out(screen, frame), surface)
        cold_ms = (time.perf_counter() - began) * 1000
        moving = list(_swinging(table, frames))
        for screen in moving:
            painter.paint(lay_out(screen, frame), surface)
        warm_ms = _median_ms(
            partial(painter.paint, lay_out(screen, frame), surface) for screen in moving
        )
        fill_ms = _median_ms(partial(surface.fill, (0, 0, 0)) for _ in range(frames))
        name = f"{size[0]}x{size[1]}"
        report.figure(
            "display",
            f"a frame of the moving table of ten, {name}",
            warm_ms,
            "ms",
            aim="under 5 ms" if size == SIZES[0] else "",
            peer=f"filling the surface: {fill_ms:.3f} ms",
        )
        report.figure("display", f"four screens for the first time, {name}", cold_ms, "ms")
        report.figure("display", f"pictures kept, {name}", painter.kept_bytes / 2**20, "MB")
    around = Surroundings(table.now)
    seen_ms = _median_ms(partial(_seen, table, around, fit(SIZES[0])) for _ in range(frames))
    report.figure("display", "from the table to a laid out screen", seen_ms, "ms")
    idle_ms = _median_ms(partial(_idle, table) for _ in range(max(3, frames // 60)))
    report.figure("display", "a second at a table where nothing happens", idle_ms, "ms")


def _seen(table: Table, around: Surroundings, frame: Frame) -> None:
    lay_out(view(table, Looking(), around), frame)


class _Unseen:
    """A display that nobody looks at."""

    closed = False
    stirred = False

    def show(self, screen: Screen, light: Light = Light.FULL, /) -> None:
        """What is shown already costs the real one nothing either."""

    def touches(self) -> tuple[Touch, ...]:
        return ()


def _idle(table: Table) -> None:
    """As many turns as a running companion makes in a second; the cells are not quite still."""
    desk = Desk(_Unseen())
    for turn in range(TURNS_A_SECOND):
        grams = 20.0 + 0.05 * (turn % 2)
        tray = TrayView(Grams(grams), 3, resting=True)
        live = ScaleView(tray, tray, tilted=False, tipping=False, faults=())
        desk.said()
        desk.show(table, Surroundings(MonoSeconds(table.now + turn / TURNS_A_SECOND), live))


def _median_ms(runs: Iterable[Callable[[], object]]) -> float:
    """The median processor time, since others use this machine too."""
    took: list[float] = []
    for run in runs:
        began = time.process_time()
        run()
        took.append(time.process_time() - began)
    return median(took) * 1000


def _table_of_ten() -> Table:
    clock = VirtualClock()
    table = Table()
    told: tuple[Said, ...] = (
        Start(game="tippo", players=PLAYERS),
        commands.Deal(left="R5!", right="W"),
        commands.NameColour(colour="G"),
        commands.Play(card="G3", tray="right"),
        commands.Play(card="G+2", tray="right"),
    )
    for said in told:
        clock.sleep(10.0)
        table.tap(Tap(clock.mono(), said))
    return table


def _screens(table: Table) -> Iterator[Screen]:
    around = Surroundings(table.now)
    for looking in (
        Looking(),
        Looking().after(Open(Page.PAD, tray=Tray.RIGHT)),
        Looking().after(Open(Page.MENU)),
        Looking().after(Open(Page.SCORES)),
    ):
        yield view(table, looking, around)


def _swinging(table: Table, frames: int) -> Iterator[Screen]:
    """The table while the beam swings, so that no two frames are alike."""
    for frame in range(frames):
        heavier = 12.0 * ((frame * 7) % 40 - 20) / 20
        left, right = (TrayView(Grams(grams), 3, resting=False) for grams in (20.0, 20.0 + heavier))
        live = ScaleView(left, right, tilted=False, tipping=False, faults=())
        yield view(table, Looking(), Surroundings(table.now, live))
