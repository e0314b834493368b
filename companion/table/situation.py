"""Everything that a table knows at one moment, shared by the modules that change it.

It never decides anything: `hearing` does for sensed events, `obeying` for taps, `waiting` for time.
"""

from dataclasses import dataclass, field

from companion.events import Fault, FaultKind, Level, Sensor
from companion.games.commands import Start
from companion.games.referee import Phase, State
from companion.table.acts import CardDown
from companion.table.inputs import Counted, Heard, Input
from companion.table.live_game import LiveGame
from companion.table.outcomes import Answered, Outcome
from companion.table.questions import Questions
from companion.table.taps import Mode, ModeTap, Tap
from companion.table.trays import Trays
from companion.units import MonoSeconds, Tray

NEVER = MonoSeconds(float("-inf"))
"""Before anything has happened."""

IN_PLAY = frozenset({Phase.PLAY, Phase.DRAWN, Phase.TILT, Phase.GOING_OUT})
"""The phases in which the scale can spill and cards come down."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A play that was tapped with its tray: the scale may report its card a little later."""

    number: int
    tray: Tray
    at_s: MonoSeconds


@dataclass(frozen=True, slots=True)
class Taken:
    """Cards that left the draw pile although no ruling had asked for them."""

    at_s: MonoSeconds
    decided_s: MonoSeconds
    count: int


@dataclass(slots=True)
class Situation:
    """The table's whole memory."""

    mode: Mode
    trays: Trays = field(default_factory=Trays)
    live: LiveGame | None = None
    start: Start | None = None
    prelude: tuple[Input, ...] = ()
    faults: dict[Sensor, FaultKind] = field(default_factory=dict)
    questions: Questions = field(default_factory=Questions)
    expected: Expected | None = None
    paused: bool = False
    """People have agreed on a rest."""
    tipping: bool = False
    tipped_s: MonoSeconds = NEVER
    """When the beam last left level."""
    unseen_tip_s: MonoSeconds = NEVER
    """When it did so that a cell without readings could not tell whether cards fell; until the
    next act."""
    now: MonoSeconds = NEVER
    still_s: float = 0.0
    last_card_s: MonoSeconds = NEVER
    level: Level | None = None
    """What the judge said last of a scale that is being set up; None once it speaks of plays."""
    due: int = 0
    """Cards that rulings have given to somebody and that have not left the draw pile yet."""
    taken: Taken | None = None
    drawn_unasked_s: MonoSeconds = NEVER
    """When a draw was last registered that only the draw pile told of."""

    def begin(self, live: LiveGame, start: Start) -> None:
        """A new game; of what was before only the mode, the counts and the faults still hold."""
        self.prelude = (
            Tap(self.now, ModeTap(mode=self.mode.value)),
            Counted(self.now, self.trays.counts[Tray.LEFT], self.trays.counts[Tray.RIGHT]),
            *(
                Heard(Fault(began_s=self.now, decided_s=self.now, sensor=sensor, kind=kind))
                for sensor, kind in self.faults.items()
            ),
        )
        self.trays.clear()
        self.questions = Questions()
        self.live, self.start = live, start
        self.expected, self.tipping = None, False
        self.tipped_s = self.unseen_tip_s = NEVER
        self.paused = False
        self.level = self.taken = None
        self.due, self.drawn_unasked_s = 0, NEVER
        self.still_s, self.last_card_s = 0.0, NEVER

    @property
    def state(self) -> State | None:
        return None if self.live is None else self.live.state

    @property
    def has_scale(self) -> bool:
        """True for the one game that is played on the scale."""
        return self.state is not None and self.state.game == "tippo"

    @property
    def in_play(self) -> bool:
        return self.state is not None and self.state.phase in IN_PLAY

    @property
    def setting_up(self) -> bool:
        """True from a spill to the end of the reset."""
        return self.state is not None and self.state.phase is Phase.SPILLED

    def blind_in(self, tray: Tray | None = None) -> bool:
        """True if a cell (of this tray) has failed, so that people must tap what it cannot see."""
        cells = [Sensor(tray.value)] if tray else [Sensor.LEFT, Sensor.RIGHT]
        return any(cell in self.faults for cell in cells)

    def option(self, name: str, default: int) -> int:
        """A house rule in seconds that is for the table's clock."""
        options = self.start.options if self.start else None
        value = options.get(name, default) if isinstance(options, dict) else default
        return value if isinstance(value, int) else default

    def next_act(self, *, card: bool) -> list[Outcome]:
        """What the next act settles about cards that have no name yet.

        In quick mode they are ordinary cards. In full mode they wait on for their names, but a
        doubtful one that nobody named was a hand, if now a card comes down.
        """
        self.expected, self.unseen_tip_s = None, NEVER
        if self.live is None:
            return []
        outcomes: list[Outcome] = []
        for held in self.live.unnamed():
            doubtful = isinstance(held.act, CardDown) and not held.act.sure
            if self.mode is Mode.QUICK:
                outcomes += self.live.count_as_ordinary(held.number, self.now)
            elif card and doubtful:
                answered: list[Answered] = self.questions.settle(held.number, "no", self.now)
                outcomes += answered
                outcomes += self.live.withdraw(held.number, self.now)
        return outcomes
