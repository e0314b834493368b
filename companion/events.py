"""The vocabulary that crosses rooms between the sensors and the table: readings and sensed events.

These are values: frozen, tagged, with a JSON form that is a public interface (`tippo judge`).
What people tap is the table's vocabulary and lives in `companion.table.taps`.
"""

from enum import StrEnum
from typing import TypeAlias

import msgspec

from companion.units import Counts, DeviceSeconds, Grams, MonoSeconds, Tray


class Sensor(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    DECK = "deck"
    TILT = "tilt"


class FaultKind(StrEnum):
    SILENT = "silent"
    STUCK = "stuck"
    SATURATED = "saturated"
    NOISY = "noisy"
    DESYNC = "desync"


# --- readings: what a board delivers -----------------------------------------------------


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One row of sensor data: whatever was new at one moment; what was not new is None.

    Counts are raw and unfiltered. `tilt` is the undebounced switch (True: past its angle) and
    None where no switch is fitted. A Sample in which everything is None only says that time
    has passed.
    """

    mono_s: MonoSeconds
    """Host time at which the row arrived; in a trace the column `t`."""
    left: Counts | None = None
    right: Counts | None = None
    tilt: bool | None = None
    deck: Counts | None = None
    device_s: DeviceSeconds | None = None
    """When the board sampled it, on the board's clock, if it has one."""


class SensorFault(msgspec.Struct, frozen=True, kw_only=True):
    """A reading that the board itself knows to be worthless, or the loss of the board.

    It takes the place of the sample; no value ever stands in for it.
    """

    mono_s: MonoSeconds
    sensor: Sensor
    kind: FaultKind
    detail: str
    """For people: what was seen, e.g. "the clock line was high for 90 µs"."""
    device_s: DeviceSeconds | None = None


Reading: TypeAlias = Sample | SensorFault


# --- sensed events: what happened on the scale -------------------------------------------


class SensedEvent(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="event",
    tag=str.lower,
    rename={"began_s": "t", "decided_s": "decided"},
    omit_defaults=True,
):
    """What every sensed event has: when it began (best estimate) and when it was decided."""

    began_s: MonoSeconds
    decided_s: MonoSeconds
    reasons: tuple[str, ...] = ()
    """The evidence, one short sentence each with its numbers; shown on "why?"."""


class Placed(SensedEvent, frozen=True, kw_only=True):
    """Cards were put in a tray and came to rest, or tipped the scale while they were put down."""

    tray: Tray
    count: int
    grams: Grams
    sure: bool
    """False where the evidence cannot tell a card from a hand that shoved."""


class Removed(SensedEvent, frozen=True, kw_only=True):
    """Cards were taken out by hand, or slid off a level scale."""

    tray: Tray
    count: int
    grams: Grams


class Tip(SensedEvent, frozen=True, kw_only=True):
    """The beam left level far enough to matter; ended by exactly one `Wobble` or `Spill`."""

    side: Tray | None


class Wobble(SensedEvent, frozen=True, kw_only=True):
    """The beam came back and no card was lost."""


class Spill(SensedEvent, frozen=True, kw_only=True):
    """Cards were dumped; `began_s` is when the first of them left."""

    trays: tuple[Tray, ...]
    lost: dict[Tray, int]
    sure: bool = True


class Level(SensedEvent, frozen=True, kw_only=True):
    """After a spill the scale rested for 1 s with these cards in its trays."""

    left: int
    right: int


class Drawn(SensedEvent, frozen=True, kw_only=True):
    """Cards were taken from the draw pile on its own cell."""

    count: int


class Fault(SensedEvent, frozen=True, kw_only=True):
    """A sensor cannot be trusted from now on."""

    sensor: Sensor
    kind: FaultKind


class Recovered(SensedEvent, frozen=True, kw_only=True):
    """The fault of this kind is over."""

    sensor: Sensor
    kind: FaultKind


Sensed: TypeAlias = Placed | Removed | Tip | Wobble | Spill | Level | Drawn | Fault | Recovered
