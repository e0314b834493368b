"""Moments of games, simulated or told, with all that the display knows: what pictures are made of.

It paints nothing: see `paint_pictures`.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from companion.clock import VirtualClock
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import Look
from companion.events import Spill
from companion.games import commands
from companion.games.commands import Start
from companion.games.referee import Phase
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Mode, PauseTap, Said, Tap, decode_said, decode_tap_fields
from companion.units import MonoSeconds, Tray
from companion.watching import Watching
from sim.board import SimulatedTable
from sim.card_table import CardPlan, CardTable
from sim.party import Plan

STEP_S = 0.25
LONGEST_RESET_S = 90.0
WARM_S = 20.0
"""So long a card game has gone on before its picture is taken."""
LONGEST_S = 4 * 3600.0
FAMILY = ("Mia", "Ben", "Oma Grete", "Papa")
MANY = ("Mia", "Ben", "Oma Grete", "Papa", "Lotte", "Emil", "Theo", "Ida", "Jonas", "Tante Zoë")


@dataclass(frozen=True, slots=True)
class Moment:
    """A game at one moment, with all that the display knows."""

    table: Table
    looking: Looking
    around: Surroundings
    shown: Screen

    @classmethod
    def of(cls, table: Table, looking: Looking, around: Surroundings) -> "Moment":
        return cls(table, looking, around, view(table, looking, around))

    @property
    def stuck(self) -> bool:
        """A spill that nobody clears up: nothing new will be seen in this evening."""
        spills = self.table.spills
        state = self.table.state
        if state is None or state.phase is not Phase.SPILLED or not spills:
            return False
        return self.around.now_s - spills[-1].at_s > LONGEST_RESET_S

    def screen(self, *looks: Look) -> Screen:
        """What is shown once people have tapped these."""
        looking = self.looking
        for look in looks:
            looking = looking.after(look)
        return view(self.table, looking, self.around)


def evening(
    seed: int, players: tuple[str, ...], mode: str, faults: tuple[str, ...] = ()
) -> Iterator[Moment]:
    """A simulated evening, moment by moment; of people who play legally, but for these faults."""
    clock = VirtualClock()
    plan = Plan(seed, players, mode=mode, options={"target": 150}, faults=faults)
    simulated = SimulatedTable(plan, clock)
    simulated.scale.open()
    watching = Watching(Table(Mode(mode)), Judge(Calibration.from_toml(simulated.calibration)))
    looking = Looking()

    def hear(steps: list[Step]) -> None:
        nonlocal looking
        for step in steps:
            for outcome in step.outcomes:
                looking = looking.hearing(outcome, watching.table.now)

    def tapped(line: dict[str, object]) -> Tap:
        fields = dict(line)
        return Tap(MonoSeconds(float(str(fields.pop("t")))), decode_said(fields))

    watching.begin_with_start_cards(MonoSeconds(0.0))
    for line in simulated.opening:
        hear(watching.tap(tapped(line)))
    while not simulated.finished and clock.mono() < LONGEST_S:
        clock.sleep(STEP_S)
        taps = deque(tapped(line) for line in simulated.taps())
        for reading in simulated.scale.poll():
            while taps and taps[0].at_s < reading.mono_s:
                hear(watching.tap(taps.popleft()))
            hear(watching.read(reading))
        for tap in taps:
            hear(watching.tap(tap))
        around = Surroundings(clock.mono(), watching.view)
        yield Moment.of(watching.table, looking, around)


def in_doubt() -> Screen:
    """A scale that tipped, but cannot tell whether cards fell out."""
    table = Table()
    told: tuple[Said, ...] = (
        Start(game="tippo", players=FAMILY),
        commands.Deal(left="R5", right="B7"),
        commands.Play(card="R2", tray="left"),
    )
    table.counted(MonoSeconds(0.0), 1, 1)
    for second, said in enumerate(told):
        table.tap(Tap(MonoSeconds(float(second)), said))
    now = MonoSeconds(60.0)
    lost = {Tray.LEFT: 1, Tray.RIGHT: 0}
    table.sensed(Spill(began_s=now, decided_s=now, trays=(Tray.LEFT,), lost=lost, sure=False))
    return view(table, Looking(), Surroundings(now))


def with_simulated_people(game: str, words: str, seed: int = 3) -> Screen:
    """A person's screen at a card game, after a while when it says these words."""
    clock = VirtualClock()
    people = CardTable(CardPlan(game, seed, FAMILY[:3], people=FAMILY[1:3]), clock)
    table, looking = Table(), Looking()
    for fields in people.opening:
        table.tap(decode_tap_fields(fields))
    while True:
        clock.sleep(0.5)
        assert table.game is not None
        people.look(table.game)
        told = [decode_tap_fields(fields) for fields in people.taps()]
        state, hand = table.game.state, tuple(people.hand_of(FAMILY[0]))
        around = Surroundings(clock.mono(), hand=hand, hand_player=FAMILY[0], person_at_sim=True)
        screen = view(table, looking, around)
        if hand and words in screen.headline and clock.mono() > WARM_S:
            return screen
        if not told and state.turn == FAMILY[0]:
            stop = commands.Draw() if state.phase is Phase.PLAY else commands.Pass()
            told = [Tap(clock.mono(), stop)]
        for tap in told:
            table.tap(tap)


def at_rest() -> Screen:
    """A pause."""
    table = Table()
    told: tuple[Said, ...] = (
        Start(game="tippo", players=FAMILY),
        commands.Deal(left="R5", right="B7"),
        PauseTap(on=True),
    )
    for second, said in enumerate(told):
        table.tap(Tap(MonoSeconds(float(second)), said))
    return view(table, Looking(), Surroundings(table.now))


def after(game: str, *told: Said, mode: Mode = Mode.FULL) -> Moment:
    """A game after these commands."""
    table, looking = Table(mode), Looking()
    start = Start(game=game, players=FAMILY[:3])
    for second, said in enumerate((start, *told)):
        for outcome in table.tap(Tap(MonoSeconds(float(second)), said)):
            looking = looking.hearing(outcome, table.now)
    assert looking.refusal is None, looking.refusal
    return Moment.of(table, looking, Surroundings(table.now))
