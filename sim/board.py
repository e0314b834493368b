"""The board `sim`: a simulated table that runs by a clock, for playing without a scale.

It is asked for by name only and always says that it is simulated; it never feeds a real game
by accident and never knows how its readings are judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.clock import Clock
from companion.events import Reading
from companion.games.cards import Card
from companion.games.game import Game
from companion.units import Tray
from sim.calibrating import calibrate
from sim.hands import Touch
from sim.interrupted import Interrupted
from sim.party import Party, Plan, Tap


@dataclass(frozen=True, slots=True)
class Picture:
    """What a person sees of the simulated scale, for a display that lets them touch it."""

    angle_rad: float
    """Positive: right side down."""
    cards: dict[Tray, int]
    fallen: int
    """Cards of both piles that lie on the table since the last spill."""
    tipped: bool
    touched: bool


class SimulatedTable:
    """A scale with, in some or all seats, simulated people; time is the clock's.

    The application uses `scale` as any other board and, in each turn of its loop, feeds `taps()`
    to its table as if they had come from the display, and shows `look` the state in force. What
    a person does with the mouse arrives by `put`, `take`, `push` and `set_upright`.

    With `plan.people` empty nobody acts but the person at the display; a card lies in each tray
    at the beginning. With simulated people in some seats these follow the state that `look`
    shows; with people in all seats they follow the truth, and overrule a display that is wrong.
    """

    def __init__(self, plan: Plan, clock: Clock) -> None:
        self._clock = clock
        self._opened_s: float | None = None
        self.party = Party(plan)
        self.scale: SimulatedScale = SimulatedScale(self)

    @property
    def calibration(self) -> dict[str, Any]:
        """Section 3 of the formats, as nested tables: `card_g`, `left`, `right`, ..."""
        return calibrate(self.party.world)

    @property
    def opening(self) -> tuple[Tap, ...]:
        """The commands `start` and `deal` with which the table begins; empty without people."""
        return self.party.opening

    def taps(self) -> Sequence[Tap]:
        """What the simulated people have tapped since the last call: lines of `taps.jsonl`,
        each with its time `t` on the clock."""
        self.advance()
        return [{**tap, "t": tap["t"] + self.offset_s} for tap in self.party.taps()]

    def look(self, game: Game) -> None:
        """Shows the people at the table what the display shows."""
        self.party.look(game)

    @property
    def finished(self) -> bool:
        """The people have got up from the table."""
        return self.party.finished

    @property
    def simulated(self) -> Sequence[str]:
        return self.party.simulated

    # --- a person's hands --------------------------------------------------------------------

    def hand_of(self, player: str) -> Sequence[Card]:
        """The cards that a person was dealt, where simulated people deal; else nothing."""
        return self.party.hand_of(player)

    def holding(self) -> dict[str, Any] | None:
        """Who holds which cards, where persons do not act alike twice; else the plan says it."""
        return self.party.holding() if self.party.plan.with_persons else None

    def take_up(self, game: Game, holding: dict[str, Any]) -> None:
        """Everybody sits down again at this game with the cards that they held; time goes on when
        the table is next looked at.

        Raises:
            Refused: these are no cards of a game of Tippo.
        """
        self.party = Party(self.party.plan, Interrupted.of(game.state, holding))
        self._opened_s = None

    def put(
        self, tray: Tray, count: int = 1, *, card: Card | None = None, by: str | None = None
    ) -> None:
        """The person puts cards in a tray: `card` of the hand of `by`, or cards of their own."""
        self.advance()
        self.party.put_by_person(tray, count, card, by)

    def take(self, tray: Tray, count: int = 1) -> None:
        """The person takes the top cards out of a tray."""
        self.advance()
        self.party.take_by_person(tray, count)

    def push(self, tray: Tray, grams: float = 30.0) -> None:
        """The person presses on a tray for a moment."""
        self.advance()
        now = self.party.now_s
        self.party.world.touch(Touch(tray, now, now + 0.25, peak_g=grams, tremor=0.1, plateau=0.3))

    def set_upright(self) -> None:
        """The person takes the beam and stands the scale up again, the disk on its platform."""
        self.advance()
        self.party.world.set_upright(at_s=self.party.now_s)

    def show_hand(self, to: str) -> None:
        """No card of Tippo can be challenged."""

    @property
    def picture(self) -> Picture:
        world = self.party.world
        return Picture(
            angle_rad=world.beam.angle,
            cards={tray: len(world.trays[tray].cards) for tray in Tray},
            fallen=self.party.fallen,
            tipped=world.tipped,
            touched=world.touched,
        )

    # --- time ----------------------------------------------------------------------------------

    @property
    def offset_s(self) -> float:
        """What the clock showed when the table's own time was 0."""
        if self._opened_s is None:
            self._opened_s = self._clock.mono()
        return self._opened_s

    def advance(self) -> None:
        """Catches up with the clock."""
        self.party.advance(self._clock.mono() - self.offset_s)


class SimulatedScale:
    """The table's scale as a `companion.ports.Scale`."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._open = False

    @property
    def description(self) -> str:
        return f"simulated scale, seed {self._table.party.plan.seed}"

    @property
    def simulated(self) -> bool:
        return True

    def open(self) -> None:
        self._open = True
        self._table.advance()

    def poll(self) -> Sequence[Reading]:
        if not self._open:
            return ()
        self._table.advance()
        return self._table.party.readings(self._table.offset_s)

    def close(self) -> None:
        self._open = False
