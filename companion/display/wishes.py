"""What people tap that is not for the table: to look at something else, to fill in a form, and
what only the application can do.

This module never says what comes of a wish: see `companion.display.looking`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.display.asking import Question
from companion.display.tiles import Draft
from companion.games.cards import Card, Colour
from companion.units import Tray


class Gesture(StrEnum):
    """A wish to look at something else that needs no more than its name."""

    CLOSE = "close"
    """Back to where one came from."""
    SEEN = "seen"
    """Read and understood: a spill, a refusal, the scores after a round."""
    ERASE = "erase"
    """Takes the last letter or digit away."""
    TO_RULES = "to_rules"
    """The players are right: show the house rules."""
    TURN_PAGE = "turn_page"
    """The next page of the house rules."""
    UNCOUNT = "uncount"
    """Takes the card that was counted last away again."""
    TYPE_POINTS = "type_points"
    """Type the points instead of tapping cards, or the other way."""


class Request(StrEnum):
    """A wish that only the application can fulfil, in one word."""

    RESUME = "resume"
    """Go on with the game that was interrupted."""
    CALIBRATE = "calibrate"
    """Calibrate the scale, before a game begins."""
    SET_UPRIGHT = "set_upright"
    """A person at the simulated scale sets it up again."""
    QUIT = "quit"
    """Close the companion; the game can be resumed."""


class Page(StrEnum):
    """What people have chosen to look at; TABLE is whatever the table needs."""

    TABLE = "table"
    MENU = "menu"
    PAD = "pad"
    ALL_CARDS = "all_cards"
    SCORES = "scores"
    AMEND = "amend"
    AMEND_PAD = "amend_pad"
    SPILLS = "spills"
    WHY = "why"
    PAYER = "payer"
    UNO = "uno"
    CATCH = "catch"
    CATCHER = "catcher"
    LEAVE = "leave"
    CORRECT = "correct"
    CORRECT_TURN = "correct_turn"
    CORRECT_HANDS = "correct_hands"
    CORRECT_CARD = "correct_card"
    RULES = "rules"
    DEAL_PAD = "deal_pad"
    SETUP = "setup"
    JOIN = "join"
    JOIN_SEAT = "join_seat"
    RING = "ring"
    STEAL = "steal"
    STEAL_CARD = "steal_card"
    DEFEND = "defend"
    RACK = "rack"
    ADVICE = "advice"
    END = "end"


@dataclass(frozen=True, slots=True)
class Open:
    """Look at a page; `act` and `tray` say which play or tray it is about."""

    page: Page
    act: int = 0
    tray: Tray | None = None
    player: str = ""


@dataclass(frozen=True, slots=True)
class Tab:
    """Show the cards of this colour; None: the wilds."""

    colour: Colour | None


@dataclass(frozen=True, slots=True)
class ChooseCard:
    """Take this card of one's hand at the simulated scale."""

    index: int


@dataclass(frozen=True, slots=True)
class StartCard:
    """This card was turned up: the first of `of`, the second, and so on."""

    slot: int
    card: str
    of: int


@dataclass(frozen=True, slots=True)
class Arrange:
    """The board of Rummy Up now lies like this."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class ShowRack:
    """Somebody asks what they can play, and holds these tiles."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskForPlay:
    """Can anything be played?"""

    question: Question


# --- setting up ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChooseGame:
    game: str


@dataclass(frozen=True, slots=True)
class EditPlayer:
    """Changes the player of this seat; a seat that is not taken yet adds one."""

    seat: int


@dataclass(frozen=True, slots=True)
class Letter:
    text: str


@dataclass(frozen=True, slots=True)
class EnterName:
    """The typed name, or this one, is right."""

    name: str = ""


class SeatWish(StrEnum):
    """What can be done with a seat that is taken."""

    RENAME = "rename"
    DEALS = "deals"
    EARLIER = "earlier"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class ChangeSeat:
    wish: SeatWish


@dataclass(frozen=True, slots=True)
class TurnRule:
    """The next value of a house rule."""

    name: str


# --- counting hands -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountFor:
    player: str


@dataclass(frozen=True, slots=True)
class CountCard:
    """One more card in the hand: what it is called on its key, and its points."""

    label: str
    points: int


@dataclass(frozen=True, slots=True)
class Digit:
    """A digit of the points."""

    digit: str


Look: TypeAlias = (
    Gesture
    | Open
    | Tab
    | ChooseCard
    | StartCard
    | Arrange
    | ShowRack
    | AskForPlay
    | ChooseGame
    | EditPlayer
    | Letter
    | EnterName
    | ChangeSeat
    | TurnRule
    | CountFor
    | CountCard
    | Digit
)
"""Changes only what the display shows."""


# --- for the application ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PutDown:
    """A person at the simulated scale puts a card in a tray; None: one that only they know."""

    tray: Tray
    card: Card | None = None
    player: str = ""


@dataclass(frozen=True, slots=True)
class TakeOut:
    """A person at the simulated scale takes the top card out of a tray."""

    tray: Tray


@dataclass(frozen=True, slots=True)
class SeeHand:
    """This person challenges a Wild Draw Four that a simulated player has laid."""

    player: str


AppWish: TypeAlias = Request | PutDown | TakeOut | SeeHand
"""Only the application can do these."""
