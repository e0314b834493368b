"""One step of a table: an input and what came of it.

A value for those who keep, show or replay what happened.
"""

from dataclasses import dataclass

from companion.table.inputs import Input
from companion.table.outcomes import Outcome
from companion.units import DeviceSeconds


@dataclass(frozen=True, slots=True)
class Step:
    """`device_s` is the board's time of the sample that decided it, if the board has a clock."""

    given: Input
    outcomes: tuple[Outcome, ...]
    device_s: DeviceSeconds | None = None
