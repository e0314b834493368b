"""What the loop is connected to: the people's front, simulated people, the devices of the board.

It says what each of them must offer, and never opens or asks one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.display.surroundings import Surroundings
from companion.display.wishes import AppWish
from companion.games.cards import Card
from companion.games.game import Game
from companion.journal.journal import UNKNOWN_BOARD, Board
from companion.ports import Buttons, Lamps, Scale, Sounder
from companion.table.outcomes import Outcome
from companion.table.table import Table
from companion.table.taps import Said
from companion.units import Tray


class Front(Protocol):
    """Where people see the table and say things: the display, or the terminal."""

    @property
    def closed(self) -> bool:
        """People want to end it."""
        ...

    def hear(self, outcomes: Sequence[Outcome], table: Table) -> None:
        """Brings what the table answered before people's eyes."""
        ...

    def show(self, table: Table, around: Surroundings) -> object:
        """Shows the table as it is now."""
        ...

    def said(self) -> Sequence[Said | AppWish]:
        """What people said since the last call."""
        ...


class Company(Protocol):
    """Simulated people at the table: they tap, they look, and they have hands on the scale."""

    def taps(self) -> Sequence[dict[str, Any]]:
        """Lines of `taps.jsonl` since the last call."""
        ...

    def look(self, game: Game) -> None:
        """They see the game that is shown."""
        ...

    @property
    def finished(self) -> bool:
        """They have got up."""
        ...

    @property
    def simulated(self) -> Sequence[str]:
        """Who of the players is simulated: all of the company, some, or nobody."""
        ...

    def hand_of(self, player: str) -> Sequence[Card]:
        """What a person at the table was dealt; nothing for the simulated."""
        ...

    def holding(self) -> dict[str, Any] | None:
        """Who holds which cards, if that follows from nothing else, so that the journal can keep
        it."""
        ...

    def take_up(self, game: Game, holding: dict[str, Any]) -> None:
        """They sit down again at a game that was interrupted, with the cards that they held.

        Raises:
            Refused: the cards are not those of this game.
        """
        ...

    def put(self, tray: Tray, *, card: Card | None = None, by: str | None = None) -> None: ...

    def take(self, tray: Tray) -> None: ...

    def set_upright(self) -> None: ...

    def show_hand(self, to: str) -> None:
        """Whoever laid a Wild Draw Four shows `to` their hand, and so says guilty or innocent."""
        ...


@dataclass(slots=True)
class Devices:
    """What is connected; all but the table itself may be missing."""

    scale: Scale | None = None
    buttons: Buttons | None = None
    lamps: Lamps | None = None
    sounder: Sounder | None = None
    company: Company | None = None
    board: Board = UNKNOWN_BOARD
    person_at_sim: bool = False
    """Somebody plays on the simulated scale by touching its picture."""
