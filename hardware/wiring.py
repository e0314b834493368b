"""Which pin of the Pi's header goes where, and what is fitted; the defaults are the builder's book.

This module never touches a pin. Numbers are BCM numbers (GPIO 5 is the 29th pin of the header).
"""

from collections.abc import Iterator

import msgspec

from companion.errors import BadInput
from companion.events import Sensor
from companion.units import Tray

HEADER_PINS = range(2, 28)


class CellPins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An HX711: DOUT (also DT) is read, SCK is driven; each chip has a clock line of its own."""

    dout: int
    sck: int


class LampPins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A red and green LED, or the red and green legs of an RGB LED, each lit by a high pin."""

    green: int
    red: int


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All pins; None where something is not fitted."""

    left: CellPins = CellPins(dout=5, sck=6)
    right: CellPins = CellPins(dout=23, sck=24)
    deck: CellPins | None = None
    tilt: int | None = 17
    draw_button: int | None = 27
    uno_button: int | None = 22
    left_lamp: LampPins | None = LampPins(green=12, red=16)
    right_lamp: LampPins | None = LampPins(green=20, red=21)
    buzzer: int | None = 26

    def cells(self) -> dict[Sensor, CellPins]:
        """The cells that are fitted."""
        fitted = {Sensor.LEFT: self.left, Sensor.RIGHT: self.right}
        return fitted if self.deck is None else {**fitted, Sensor.DECK: self.deck}

    def lamps(self) -> dict[Tray, LampPins]:
        """The lamps that are fitted."""
        both = {Tray.LEFT: self.left_lamp, Tray.RIGHT: self.right_lamp}
        return {tray: pins for tray, pins in both.items() if pins is not None}

    def uses(self) -> Iterator[tuple[int, str]]:
        """Every pin in use with what it is for, in words."""
        for sensor, cell in self.cells().items():
            yield cell.dout, f"DOUT of the {sensor} cell"
            yield cell.sck, f"SCK of the {sensor} cell"
        for tray, lamp in self.lamps().items():
            yield lamp.green, f"the green lamp of the {tray} tray"
            yield lamp.red, f"the red lamp of the {tray} tray"
        singles = {
            "the tilt switch": self.tilt,
            "the Draw button": self.draw_button,
            "the UNO button": self.uno_button,
            "the buzzer": self.buzzer,
        }
        for purpose, pin in singles.items():
            if pin is not None:
                yield pin, purpose

    def check(self) -> None:
        """Raises BadInput if a pin does not exist or has two purposes."""
        purposes: dict[int, str] = {}
        for pin, purpose in self.uses():
            if pin not in HEADER_PINS:
                raise BadInput(
                    f"wiring: GPIO {pin} for {purpose} is no pin of the header; use 2 to 27"
                )
            if pin in purposes:
                raise BadInput(
                    f"wiring: GPIO {pin} is given to both {purposes[pin]} and {purpose}; "
                    "give one of them another pin"
                )
            purposes[pin] = purpose


class BoardConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a board must be told before it is opened."""

    wiring: Wiring = Wiring()
    """Straight to the Pi only; a Pico's pins are fixed in its firmware."""
    port: str | None = None
    """Pico only: the serial port, e.g. /dev/serial/by-id/...; None: the one Pico that is there."""
    tilt_fitted: bool = True
    tilt_rests_closed: bool = False
    """Learned in set-up: whether the switch is closed while the beam is level."""
