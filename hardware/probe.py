"""Opens a board by its name, and finds which boards are there.

It never falls back from one board to another: what was not asked for is not opened.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.clock import Clock
from companion.errors import BadInput
from companion.ports import Buttons, Lamps, Scale, Sounder
from hardware.wiring import BoardConfig

if TYPE_CHECKING:
    from hardware.gpio.board import GpioScale
    from hardware.pico.board import PicoScale

NAMES = ("gpio", "pico")


@dataclass(frozen=True, slots=True)
class Board:
    """What a table has: the scale and what is fitted beside it; closing the scale closes all."""

    scale: Scale
    buttons: Buttons
    lamps: Lamps
    sounder: Sounder
    identity: str
    """What a calibration is for: the board by a name that stays."""


def open_board(name: str, config: BoardConfig, clock: Clock) -> Board:
    """The opened board of that name.

    Raises:
        BadInput: there is no board of that name.
        BoardError: it is not there, busy, or does not answer.
    """
    match name:
        case "gpio":
            return _open_gpio(config, clock)
        case "pico":
            return _open_pico(config, clock)
        case _:
            raise BadInput(f"there is no board {name!r}; there are {', '.join(NAMES)} and sim")


def _open_gpio(config: BoardConfig, clock: Clock) -> Board:
    from hardware.gpio.board import GpioScale
    from hardware.gpio.library import find_pin_library
    from hardware.tasks import Threads

    scale = GpioScale(config, library=find_pin_library(), clock=clock, tasks=Threads())
    scale.open()
    return board_of(scale)


def _open_pico(config: BoardConfig, clock: Clock) -> Board:
    from hardware.pico.board import PicoScale
    from hardware.tasks import Threads

    scale = PicoScale(config, clock=clock, tasks=Threads())
    scale.open()
    return board_of(scale)


def board_of(scale: "GpioScale | PicoScale") -> Board:
    """An opened scale with everything that lives on its pins."""
    return Board(scale, scale.buttons, scale.lamps, scale.sounder, scale.identity)
