"""What the calibration shows and hears, as values: its body, its picture of the scale, its taps.

It never decides what a weighing means: see `companion.scale.calibrate`.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from companion.units import Tray


class Motion(StrEnum):
    """What a hand is to do with the scale."""

    NONE = "none"
    TIP = "tip"
    LAY = "lay"
    """Something comes into the loaded tray."""
    MOVE = "move"
    """It comes from the other tray."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What is to lie in a tray: so many cards, or a coin of `coin_g` grams."""

    tray: Tray
    cards: int = 0
    coin_g: float | None = None


@dataclass(frozen=True, slots=True)
class BenchPicture:
    """The scale as it is to look. `lean` in degrees, positive with the right side down."""

    lean: float = 0.0
    load: Laid | None = None
    propped: bool = False
    motion: Motion = Motion.NONE
    deck: int = 0
    """So many cards lie where the draw pile does."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """What one cell feels now: a `share` of the load (-1 to 1) as a bar, and in words."""

    share: float
    words: str
    resting: bool
    fault: bool = False


@dataclass(frozen=True, slots=True)
class CalibrationBody:
    """One weighing: what to do, how the scale is to look, what both cells feel, how far it is."""

    text: str
    picture: BenchPicture
    left: Gauge
    right: Gauge
    done: int
    of: int
    share: float | None = None
    """How much of the weighing has passed, 0 to 1; None while people are at work."""
    refused: str = ""
    """Why the last weighing was not accepted, and what to do."""
    found: tuple[str, ...] = ()
    """What was learned, a line each; at the end."""
    touches: tuple[Hashable, Hashable, Hashable] | None = None
    """On a simulated scale: what a tap on the left tray, the beam, the right tray means."""


# --- before the first weighing ------------------------------------------------------------------

CARDS = (20, 30, 40, 10)

COINS: tuple[tuple[float | None, str], ...] = (
    (None, "no coin"),
    (7.5, "1 € (7.5 g)"),
    (8.5, "2 € (8.5 g)"),
    (5.67, "US quarter (5.67 g)"),
    (8.75, "£1 (8.75 g)"),
)
"""Coins by what their mint says they weigh."""


@dataclass(frozen=True, slots=True)
class Form:
    """What people choose before the first weighing."""

    cards: int = CARDS[0]
    coin: int = 0
    tilt_fitted: bool = True

    @property
    def coin_g(self) -> float | None:
        return COINS[self.coin][0]

    def turned(self, turn: "Turn") -> "Form":
        """The next value of what was tapped."""
        match turn:
            case Turn.CARDS:
                return replace(self, cards=CARDS[(CARDS.index(self.cards) + 1) % len(CARDS)])
            case Turn.COIN:
                return replace(self, coin=(self.coin + 1) % len(COINS))
            case Turn.SWITCH:
                return replace(self, tilt_fitted=not self.tilt_fitted)


class Turn(StrEnum):
    """The next number of cards, the next coin, a switch or none."""

    CARDS = "cards"
    COIN = "coin"
    SWITCH = "switch"


class Deed(StrEnum):
    """What people tap while they calibrate."""

    BEGIN = "begin"
    READY = "ready"
    """What was asked is done."""
    AS_IT_IS = "as_it_is"
    """What was refused is taken as it is."""
    ANEW = "anew"
    SAVE = "save"
    LEAVE = "leave"
    """Without saving anything."""
    WITHOUT = "without"
    """Play without the scale for now."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A person at the simulated scale reaches for a tray, or for the beam (None)."""

    tray: Tray | None


CalibrationTap: TypeAlias = Turn | Deed | Reach
