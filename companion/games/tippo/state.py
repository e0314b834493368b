"""What a round of Tippo is at one moment: trays, Stops, a Tilt challenge, what is awaited.

This module never decides what may be done: see `legality` and `judgement`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.games.cards import STOP, Card, Colour
from companion.games.commands import TrayText, Whole
from companion.games.judgement import TableState
from companion.games.options import UnoOptions
from companion.games.referee import Phase
from companion.units import Tray

GOES_BACK = 2
"""Cards of each pile that go back in their tray after a spill (T27)."""

TRAYS: Mapping[TrayText, Tray] = MappingProxyType({"left": Tray.LEFT, "right": Tray.RIGHT})
"""The trays as commands name them."""


class TippoOptions(UnoOptions, frozen=True, kw_only=True):
    """The house rules of Tippo."""

    stop_on_stopped: Literal["no", "yes"] = "no"
    """Whether a matching Stop card may go on the only visible Stop (T11)."""
    forced_draw_counts: Literal["no", "yes"] = "no"
    """Whether a draw that a card forces makes the one who drew liable (T22)."""
    spill_penalty: Whole = 2
    """Cards for whoever pays for a spill (T35)."""
    settle_seconds: Whole = 5
    """For the table's clock: how long the scale must rest after a last card (T33)."""


class TrayState(msgspec.Struct, frozen=True, gc=False):
    """One tray: its pile from the bottom up, the colour in force, and whether it is open."""

    pile: tuple[Card, ...] = ()
    colour: Colour | None = None
    """None on a `?`, and on a wild whose colour is still to be named."""
    open: bool = True

    @property
    def top(self) -> Card | None:
        """The visible card; None only between rounds."""
        return self.pile[-1] if self.pile else None

    @property
    def cards(self) -> int:
        return len(self.pile)

    @property
    def has_stop(self) -> bool:
        return bool(self.pile) and self.pile[-1].kind is STOP

    @property
    def awaits_colour(self) -> bool:
        return self.colour is None and bool(self.pile) and self.pile[-1].is_wild

    @property
    def goes_back(self) -> tuple[Card, ...]:
        """What is put back after a spill, the visible card first (T27, T29)."""
        return self.pile[: -GOES_BACK - 1 : -1]

    @property
    def below(self) -> int:
        """How many cards lie under those that go back after a spill."""
        return max(0, len(self.pile) - GOES_BACK)

    def as_json(self) -> dict[str, Any]:
        return {
            "top": str(self.pile[-1]) if self.pile else None,
            "colour": self.colour,
            "cards": len(self.pile),
            "open": self.open,
        }


class TiltChallenge(msgspec.Struct, frozen=True, gc=False):
    """A Tilt card lies and somebody will have to tip the scale (T36)."""

    by: str
    tray: Tray
    colour: Colour | None
    """Named with the card; it counts only if the Tilt is on top after its own spill (T37)."""
    drops: int = 0


class TippoState(TableState, frozen=True, kw_only=True):
    """A state of Tippo. Everything the table must know is here; nothing else decides."""

    options: TippoOptions
    left: TrayState = TrayState()
    right: TrayState = TrayState()
    tilt: TiltChallenge | None = None
    due: Tray | None = None
    """Where a wild of the player on turn lies whose effects come when its colour is named."""
    follows: str | None = None
    """Who goes on after a last card, should its player have to draw (T32)."""
    after_reset: Phase | None = None
    """While spilled: the phase that the reset leads back to."""

    @property
    def trays(self) -> Mapping[Tray, TrayState]:
        return {Tray.LEFT: self.left, Tray.RIGHT: self.right}

    def tray(self, tray: str) -> TrayState:
        return self.left if tray == "left" else self.right

    def with_tray(self, tray: str, now: TrayState) -> "TippoState":
        """The state with another tray, whatever its Stop does: see `stops`."""
        return replace(self, left=now) if tray == "left" else replace(self, right=now)

    @property
    def tray_of_tilt(self) -> Tray | None:
        return None if self.tilt is None else self.tilt.tray

    @property
    def needs(self) -> str | None:
        match self.phase:
            case Phase.PLAY | Phase.DRAWN:
                return "colour" if self.left.awaits_colour or self.right.awaits_colour else None
            case Phase.TILT:
                return "drop"
            case Phase.SPILLED:
                return "reset"
            case Phase.GOING_OUT:
                return "settled"
            case _:
                return super().needs

    def as_json(self) -> dict[str, Any]:
        shown = super().as_json()
        shown["trays"] = {"left": self.left.as_json(), "right": self.right.as_json()}
        if self.tray_of_tilt is not None:
            shown["tray_of_tilt"] = self.tray_of_tilt
        return shown


def stops(left: TrayState, right: TrayState) -> tuple[TrayState, TrayState]:
    """Both trays with their status: one visible Stop stops its tray, two open both (T6, T15)."""
    left_open, right_open = right.has_stop, left.has_stop
    if left_open is right_open:
        left_open = right_open = True
    if left.open is not left_open:
        left = TrayState(left.pile, left.colour, left_open)
    if right.open is not right_open:
        right = TrayState(right.pile, right.colour, right_open)
    return left, right
