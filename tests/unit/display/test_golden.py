"""The main screens still look as they did when people last looked at them.

After a change of the look on purpose: `python -m tests.unit.display.test_golden`, then look.
"""

from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from companion.display.frame import fit
from companion.display.layout import lay_out
from companion.display.paint import Painter
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import Open, Page
from companion.events import Spill
from companion.games import commands
from companion.table.taps import CardTap
from companion.units import MonoSeconds, Tray
from tests.unit.display.calibrations import moving_the_cards, refused
from tests.unit.display.test_view import dealt, placed, seen

GOLDEN = Path(__file__).parents[2] / "golden" / "display"
LYING, UPRIGHT = (800, 480), (480, 800)
SMALLER = 4
MOST_DIFFERENT = 3.0
"""Mean difference of a channel (0-255): another freetype paints edges a little differently."""


def _table() -> Screen:
    return seen(dealt("R5!", "B7"))


def _pad() -> Screen:
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    return seen(one)


def _colour() -> Screen:
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="W+4"))
    return seen(one)


def _spill() -> Screen:
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="R1"))
    now = MonoSeconds(one.now)
    one.sense(Spill(began_s=now, decided_s=now, trays=(Tray.LEFT,), lost={Tray.LEFT: 1}))
    return seen(one)


def _menu() -> Screen:
    one = dealt()
    looking = one.looking.after(Open(Page.MENU))
    return view(one.table, looking, Surroundings(MonoSeconds(one.now)))


def _scores() -> Screen:
    one = dealt(players=("Mia", "Ben"))
    one.say(commands.Correct(hand={"Ben": 1}))
    one.say(commands.Play(card="R1", tray="left"))
    one.say(commands.Settled())
    one.say(commands.Hands(points={"Mia": 120}))
    return seen(one)


SCREENS: dict[str, Callable[[], Screen]] = {
    "table": _table,
    "pad": _pad,
    "colour": _colour,
    "spill": _spill,
    "menu": _menu,
    "scores": _scores,
    "calibrating": moving_the_cards,
    "calibration-refused": refused,
}


def small(screen: Screen, size: tuple[int, int]) -> pygame.Surface:
    frame = fit(size)
    surface = pygame.Surface(size)
    Painter(size, frame.scale).paint(lay_out(screen, frame), surface)
    return pygame.transform.smoothscale(surface, (size[0] // SMALLER, size[1] // SMALLER))


SIZES = {"": LYING, "-upright": UPRIGHT}
"""Of each way to stand: what the picture's name ends in."""


@pytest.mark.parametrize("stands", sorted(SIZES))
@pytest.mark.parametrize("name", sorted(SCREENS))
def test_a_main_screen_looks_as_it_did(name: str, stands: str) -> None:
    now = pygame.image.tobytes(small(SCREENS[name](), SIZES[stands]), "RGB")
    then = pygame.image.tobytes(pygame.image.load(GOLDEN / f"{name}{stands}.png"), "RGB")
    different = sum(abs(a - b) for a, b in zip(now, then, strict=True)) / len(now)
    assert different < MOST_DIFFERENT


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for screen_name, make in SCREENS.items():
        for ending, shape in SIZES.items():
            pygame.image.save(small(make(), shape), str(GOLDEN / f"{screen_name}{ending}.png"))
