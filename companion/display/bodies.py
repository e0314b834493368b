"""The middles of all screens, as values: one frozen body for each kind of screen.

This module never decides what is shown (`companion.display.view`) nor where
(`companion.display.layout`).
"""

from dataclasses import dataclass
from typing import TypeAlias

from companion.display.calibration import CalibrationBody
from companion.display.choice import Choice, Touch
from companion.games.cards import Card, Colour
from companion.units import Tray


@dataclass(frozen=True, slots=True)
class Seat:
    """A player on the ring. `cards` is None while nobody holds any."""

    name: str
    cards: int | None
    score: int
    on_turn: bool = False
    next_up: bool = False
    said_uno: bool = False
    catchable: bool = False


@dataclass(frozen=True, slots=True)
class TrayPicture:
    """A tray: its top card with the colour in force, how many cards, and whether it is open."""

    tray: Tray
    top: Card | None
    colour: Colour | None
    cards: int
    is_open: bool
    touch: Touch | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """Both trays as the sensors see them; a positive lean (degrees) has the right one down."""

    left: TrayPicture
    right: TrayPicture
    lean: float = 0.0


# --- bodies: the middle of a screen -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableBody:
    """The ring of seats around the balance."""

    seats: tuple[Seat, ...]
    direction: int
    balance: Balance


@dataclass(frozen=True, slots=True)
class PileBody:
    """The ring of seats around one discard pile: Classic and Battle."""

    seats: tuple[Seat, ...]
    direction: int
    top: Card | None
    colour: Colour | None
    cards: int
    total: int = 0
    """What a battle has added up to; 0 outside one."""
    touch: Touch | None = None


@dataclass(frozen=True, slots=True)
class PadBody:
    """The pad on which a card is named. `tabs` lead to the other colours, if one is shown."""

    keys: tuple[Choice, ...]
    tabs: tuple[Choice, ...] = ()
    columns: int = 9
    grouped: bool = False
    """True if each row is a group, a colour, that stays together."""
    top: Card | None = None
    """What lies there now, shown beside the keys; with the colour in force."""
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class ChoicesBody:
    """One question and a few large answers."""

    text: str
    choices: tuple[Choice, ...]
    columns: int = 2


@dataclass(frozen=True, slots=True)
class ColourBody:
    """Which colour does the wild name?"""

    card: Card | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class ListBody:
    """Rows to choose from: plays to amend, players to pick, the menu."""

    rows: tuple[Choice, ...]
    empty: str = ""
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule with its sentence, or a finding of the scale (`rule` empty)."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class WhyBody:
    """Why something was ruled: the rules that decided, then what the scale saw."""

    claim: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class RefusedBody:
    """A card or a tap that was refused, and what to do about it."""

    card: Card | None
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class SpillBody:
    """Who pays for a spill, how much, and why, in one sentence."""

    payer: str | None
    count: int
    text: str
    lean: float = 20.0


@dataclass(frozen=True, slots=True)
class ResetTray:
    """What goes back in a tray, the visible card first, and what the scale counts there now."""

    tray: Tray
    cards: tuple[Card, ...]
    counted: int | None
    touch: Touch | None = None


@dataclass(frozen=True, slots=True)
class ResetBody:
    """The reset guide: which cards go back in each tray."""

    left: ResetTray
    right: ResetTray
    set_aside: int
    text: str


@dataclass(frozen=True, slots=True)
class TiltBody:
    """A Tilt challenge: who draws and drops, in which order, into which tray."""

    balance: Balance
    tray: Tray
    drops: int | None
    """Cards dropped so far; None where nobody counted."""
    order: tuple[str, ...]
    """From whoever drops now."""


@dataclass(frozen=True, slots=True)
class SettleBody:
    """A last card lies: will the scale hold? `share` of the rest has passed (0-1)."""

    player: str
    balance: Balance
    text: str
    share: float


@dataclass(frozen=True, slots=True)
class CountBody:
    """Counting one hand: the cards tapped so far, or points typed."""

    player: str
    held: int
    cards: tuple[Choice, ...]
    points: int
    keys: tuple[Choice, ...]
    others: tuple[Choice, ...]
    """The losers, with what was counted."""
    typing: bool = False


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A line of the scores."""

    name: str
    total: int
    won: int | None = None
    struck: bool = False
    leads: bool = False


@dataclass(frozen=True, slots=True)
class ScoresBody:
    """Scores with a chart over the rounds: totals a player after each round, from 0."""

    rows: tuple[ScoreRow, ...]
    names: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]
    target: int
    round: int


@dataclass(frozen=True, slots=True)
class WinnerBody:
    """The end of the game."""

    winner: str
    scores: ScoresBody


@dataclass(frozen=True, slots=True)
class DealBody:
    """Which cards were turned up into the trays; a slot to tap each."""

    text: str
    slots: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class RosterBody:
    """Who plays, in seat order to the left; a tap on a name renames, moves or removes."""

    players: tuple[Choice, ...]
    add: Choice | None
    dealer: str | None


@dataclass(frozen=True, slots=True)
class TypingBody:
    """A keyboard for a name."""

    text: str
    prompt: str
    rows: tuple[tuple[Choice, ...], ...]
    narrow: tuple[tuple[Choice, ...], ...]
    """The same keys in shorter rows, for a display too narrow for ten side by side."""
    suggestions: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule that can be changed: the sentence, and its value as people say it."""

    rule: str
    text: str
    choice: Choice
    changed: bool = False


@dataclass(frozen=True, slots=True)
class HouseRulesBody:
    """The house rules, shown and agreed before round 1."""

    rules: tuple[HouseRule, ...]


@dataclass(frozen=True, slots=True)
class WelcomeBody:
    """The first thing people see: which game?"""

    games: tuple[Choice, ...]
    resume: Choice | None


@dataclass(frozen=True, slots=True)
class PersonBody:
    """A person's own play on the simulated scale: their hand, and the trays to click on."""

    seats: tuple[Seat, ...]
    balance: Balance
    hand: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class TilePicture:
    """A tile in its text form; `fresh` came from the rack in this turn, `chosen` is moved now."""

    text: str
    touch: Touch | None
    chosen: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class MeldPicture:
    """A meld, and whether it is a run or a set already."""

    tiles: tuple[TilePicture, ...]
    legal: bool


@dataclass(frozen=True, slots=True)
class BoardBody:
    """The board of Rummy Up: melds, loose tiles, and a place for a new meld."""

    seats: tuple[Seat, ...]
    melds: tuple[MeldPicture, ...]
    loose: tuple[TilePicture, ...]
    new: Choice | None


@dataclass(frozen=True, slots=True)
class HandBody:
    """A person's own hand, with simulated people around the pile."""

    pile: PileBody
    hand: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class RackBody:
    """The tiles of a rack below the board, or below the pad on which they are tapped."""

    above: BoardBody | PadBody
    rack: tuple[TilePicture, ...]
    prompt: str = ""
    """What stands where there is no tile yet."""


PlayBody: TypeAlias = TableBody | PileBody | PersonBody | BoardBody | HandBody | RackBody | PadBody
"""What people look at while they play."""

RoundBody: TypeAlias = (
    TiltBody | SpillBody | ResetBody | SettleBody | CountBody | ScoresBody | WinnerBody
)
"""The special moments of a round."""

PageBody: TypeAlias = ChoicesBody | ColourBody | ListBody | WhyBody | RefusedBody
"""What is asked, listed or explained."""

SetupBody: TypeAlias = (
    DealBody | RosterBody | TypingBody | HouseRulesBody | WelcomeBody | CalibrationBody
)
"""What is to be done before a game or a round."""

Body: TypeAlias = PlayBody | RoundBody | PageBody | SetupBody
