"""What the display is told besides the table: the scale's live view, the time, the board.

It never holds anything that changes.
"""

from dataclasses import dataclass

from companion.games.cards import Card
from companion.scale.view import ScaleView
from companion.units import MonoSeconds


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything around the table at one moment."""

    now_s: MonoSeconds
    scale: ScaleView | None = None
    simulated: bool = False
    person_at_sim: bool = False
    """A person plays on the simulated scale: a tap on a tray puts a card there."""
    hand: tuple[Card, ...] = ()
    """What that person holds, if the simulation deals cards to them."""
    hand_player: str = ""
    served: bool = False
    """Simulated people deal and count, also for that person."""
    trouble: str = ""
    """What keeps the companion from going on, in one sentence; empty while all is well."""
    news: str = ""
    """What people should know before they begin, in one sentence."""
    resumable: str = ""
    """The interrupted game in a few words; empty if there is none."""
    calibratable: bool = False
    """The scale can be calibrated, as long as no game is played on it."""
