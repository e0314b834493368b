"""What the companion asks of the world: one Protocol for each device, with its contract.

Backends live in `hardware` and `sim`; nothing here knows any of them.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from companion.events import Reading
from companion.units import Tray


class Scale(Protocol):
    """Both trays' load cells, the tilt switch and, where fitted, the cell under the draw pile.

    A backend must: never block in `poll`; deliver every reading exactly once, in the order in
    which the host got it, with `mono_s` non-decreasing; deliver a `SensorFault` in place of a
    reading that it knows to be worthless, and once when the whole board is lost; keep trying to
    get a lost board back by itself. It may: deliver late and in bursts, leave gaps, deliver
    each cell's readings in rows of their own. It must not filter, average, clamp or repeat.
    """

    @property
    def description(self) -> str:
        """For people, e.g. "Pico E6614104 on ttyACM0"."""
        ...

    @property
    def simulated(self) -> bool:
        """True if the display must say SIMULATED."""
        ...

    def open(self) -> None:
        """Starts reading. Raises BoardError in one sentence if there is no such board."""
        ...

    def poll(self) -> Sequence[Reading]:
        """Everything that has arrived since the last call; empty if nothing has."""
        ...

    def close(self) -> None:
        """Stops reading and frees every pin and port; may be called twice."""
        ...


class Button(StrEnum):
    DRAW = "draw"
    UNO = "uno"


class Buttons(Protocol):
    """Optional arcade buttons beside the display. Debounced; one press, one entry."""

    def poll(self) -> Sequence[Button]: ...


class Lamp(StrEnum):
    OFF = "off"
    OPEN = "open"
    STOP = "stop"
    ALERT = "alert"


class Lamps(Protocol):
    """A lamp at each tray. A backend shows the newest state and may drop those in between."""

    def show(self, tray: Tray, lamp: Lamp) -> None: ...


class Sound(StrEnum):
    PLACED = "placed"
    UNO = "uno"
    REFUSED = "refused"
    SPILL = "spill"
    ROUND_OVER = "round_over"


class Sounder(Protocol):
    """A buzzer. `play` returns at once; a new sound cuts off the old one."""

    def play(self, sound: Sound) -> None: ...
