"""What a table answers to a sensed event, a tap or the passing of time.

Values only; what is durable and what is shown is for others to decide.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.games.commands import Start
from companion.games.referee import Refusal
from companion.games.rulings import Ruling
from companion.units import MonoSeconds


@dataclass(frozen=True, slots=True)
class Began:
    """A new game."""

    at_s: MonoSeconds
    start: Start


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling, made now. `act` numbers the act that it comes from."""

    at_s: MonoSeconds
    ruling: Ruling
    act: int
    amended: bool = False
    """True if it replaces what the table was told about this act before."""


@dataclass(frozen=True, slots=True)
class Declined:
    """A card or a tap that was refused; `act` is its number if it was a card put down."""

    at_s: MonoSeconds
    refusal: Refusal
    act: int | None = None
    no_longer: bool = False
    """True if it was accepted before, and an amendment took the ground from under it."""


class NoticeKind(StrEnum):
    """What a notice is about, for a display that wants a picture or a sound with it."""

    TWO_CARDS = "two_cards"
    TAKEN_BACK = "taken_back"
    SLID_OFF = "slid_off"
    MODE = "mode"
    MISCOUNT = "miscount"
    NO_CARD = "no_card"
    UNSAID_COLOUR = "unsaid_colour"
    COUNTED_OUT = "counted_out"
    RECOVERED = "recovered"


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something that the table should know and that costs nobody anything: one sentence."""

    at_s: MonoSeconds
    kind: NoticeKind
    text: str


class Doubt(StrEnum):
    """What the evidence left open."""

    CARD_OR_HAND = "card_or_hand"
    FELL_OUT = "fell_out"
    NEW_OR_PUT_BACK = "new_or_put_back"
    TIPPED_BY_IT = "tipped_by_it"
    UNSEEN = "unseen"
    WHO_TIPPED = "who_tipped"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class Question:
    """One plain question; until it is answered, the first of `answers` is taken to be true."""

    number: int
    doubt: Doubt
    text: str
    answers: tuple[str, ...]
    act: int
    """The act, or the number an act would get, that the answer is about."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The table has a question."""

    at_s: MonoSeconds
    question: Question


@dataclass(frozen=True, slots=True)
class Answered:
    """The question was answered, by a tap or because play went on (`by_tap` False)."""

    at_s: MonoSeconds
    question: Question
    answer: str
    by_tap: bool = True


Outcome: TypeAlias = Began | Ruled | Declined | Noticed | Asked | Answered
