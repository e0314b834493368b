"""The real window: it opens, shows, and hears taps."""

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator

import pygame
import pytest

from companion.clock import VirtualClock
from companion.display import window
from companion.display.bodies import ChoicesBody
from companion.display.choice import Choice, Touch
from companion.display.screen import Screen
from companion.display.touch import BOUNCE_S, GLIMPSE_S
from companion.display.wishes import Open, Page

SCRIPT = textwrap.dedent(
    """
    import sys
    import pygame
    from companion.clock import SystemClock
    from companion.display.desk import Desk
    from companion.display.frame import fit
    from companion.display.layout import lay_out
    from companion.display.surroundings import Surroundings
    from companion.display.window import Display, available
    from companion.games import commands
    from companion.games.commands import Start
    from companion.table.table import Table
    from companion.table.taps import Tap

    assert available()
    clock = SystemClock()
    size = tuple(map(int, sys.argv[1].split("x")))
    turn = int(sys.argv[2])
    display = Display(clock, size=size, turn=turn)
    desk = Desk(display)
    table = Table()

    def tell(said):
        desk.hear(table.tap(Tap(clock.mono(), said)), table)

    table.counted(clock.mono(), 1, 1)
    tell(Start(game="tippo", players=("Mia", "Ben")))
    tell(commands.Deal(left="R5", right="B7"))
    around = Surroundings(clock.mono())
    screen = desk.show(table, around)
    shown = {tuple(pygame.display.get_surface().get_at((x, y)))[:3]
             for x in range(0, size[0], 5) for y in range(0, size[1], 5)}
    assert len(shown) > 20, "the window is empty"
    frame = fit(display.size)
    scale = frame.scale
    scene = lay_out(screen, frame)
    (draw,) = [item for item in scene.items if item.touch == commands.Draw()]
    pos = (int(draw.box.cx * scale), int(draw.box.cy * scale))
    if turn == 90:
        pos = (size[0] - pos[1], pos[0])
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=1, touch=False))
    for said in desk.said():
        tell(said)
    after = desk.show(table, Surroundings(clock.mono()))
    print(after.headline)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    desk.said()
    assert desk.closed
    display.close()
    display.close()
    """
)


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    """An X server of our own: its DISPLAY."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1280x800x24"]
    with subprocess.Popen(
        [*command, "-nolisten", "tcp"], pass_fds=[writes], stderr=subprocess.DEVNULL
    ) as server:
        os.close(writes)
        with os.fdopen(reads) as told:
            number = told.readline().strip()
        yield f":{number}"
        server.terminate()


@pytest.mark.parametrize(("size", "turn"), [("800x480", "0"), ("480x800", "90")])
def test_a_tap_in_the_real_window_moves_the_game_on(size: str, turn: str, screen: str) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "SDL_VIDEODRIVER"}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, size, turn],
        env={**environment, "DISPLAY": screen},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "Ben, play the card you drew, or pass"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"SDL_VIDEODRIVER": "dummy"}, False),
        ({"SDL_VIDEODRIVER": "kmsdrm"}, True),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"SSH_CONNECTION": "1"}, False),
    ],
)
def test_a_window_is_opened_only_where_somebody_can_see_it(
    environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    assert window.available() is expected


def test_a_screen_that_changes_by_itself_takes_no_tap_that_was_meant_for_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What follows a spill comes by itself, and its buttons lie where others lay; a change that a
    tap has asked for may be tapped on at once."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    clock = VirtualClock()
    display = window.Display(clock)

    def tapped() -> list[Touch]:
        place = {"pos": (400, 270), "button": 1, "touch": False}
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, place))
        return display.touches()

    def show(page: Page) -> None:
        display.show(Screen("", ChoicesBody("", (Choice(page, Open(page)),), columns=1)))

    show(Page.WHY)
    clock.sleep(5.0)
    show(Page.MENU)
    assert tapped() == []
    clock.sleep(GLIMPSE_S + 0.01)
    assert tapped() == [Open(Page.MENU)]
    show(Page.SCORES)
    clock.sleep(BOUNCE_S)
    assert tapped() == [Open(Page.SCORES)]
    display.close()
