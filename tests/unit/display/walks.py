"""Random evenings that reach every state of a table, and what can be tapped on their screens."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from random import Random
from typing import Any

from companion.display.choice import Choice
from companion.display.looking import Looking
from companion.display.scene import Scene
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.events import Fault, FaultKind, Level, Placed, Sensed, Sensor, Spill
from companion.games import commands
from companion.games.commands import Start
from companion.games.decks import classic_deck, tippo_deck
from companion.games.referee import Phase
from companion.games.rummy_up.referee import RummyState
from companion.scale.view import ScaleView, TrayView
from companion.table.table import Table
from companion.table.taps import CardTap, Mode, ModeTap, Said, Tap
from companion.units import Grams, MonoSeconds, Tray

NAMES = (
    "Bartholomew-John",
    "Oma Grete",
    "Zoë",
    "Wwwwwwwwwwwwwwww",
    "Li",
    "Мария",
    "Emil",
    "Theo",
    "Ida",
    "김민준 할아버지",
)


@dataclass
class Walk:
    """A table with the display's memory of it, on a clock of its own."""

    players: tuple[str, ...]
    rng: Random
    game: str = "tippo"
    table: Table = field(default_factory=Table)
    looking: Looking = field(default_factory=Looking)
    now: float = 100.0

    def say(self, said: Said) -> None:
        """Somebody taps."""
        self.now += 1.0
        at_s = MonoSeconds(self.now)
        for outcome in self.table.tap(Tap(at_s, said)):
            self.looking = self.looking.hearing(outcome, at_s)

    def sense(self, event: Sensed) -> None:
        """The judge has decided something."""
        for outcome in self.table.sensed(event):
            self.looking = self.looking.hearing(outcome, self.table.now)

    def begin(self) -> None:
        self.say(Start(game=self.game, players=self.players, options={"target": 200}))

    @property
    def around(self) -> Surroundings:
        grams = [Grams(self.rng.uniform(0, 30)) for _ in Tray]
        trays = [TrayView(g, 3, True) for g in grams]
        live = ScaleView(trays[0], trays[1], self.rng.random() < 0.1, False, ())
        scale = live if self.rng.random() < 0.8 else None
        return Surroundings(MonoSeconds(self.now), scale, simulated=self.rng.random() < 0.3)

    def step(self) -> None:
        """Something that people or the scale could do now."""
        state = self.table.state
        assert state is not None
        rng = self.rng
        self.now += rng.choice([0.5, 3.0, 20.0])
        match state.phase:
            case Phase.SETUP:
                self._deal()
            case Phase.HANDS:
                losers = [name for name in state.players if state.hands.get(name)]
                points = {name: rng.choice([5, 40, 190]) for name in losers}
                self.say(commands.Hands(points=points))
            case Phase.SPILLED:
                said: list[Said] = [commands.Reset(), commands.Spill(no_fault=True)]
                self.say(rng.choice(said))
            case Phase.GOING_OUT:
                self.say(commands.Settled())
            case Phase.TILT if rng.random() < 0.7:
                self.say(commands.Drop(card=self._card()))
            case Phase.GAME_OVER:
                self.begin()
            case _:
                self._act()

    def _deal(self) -> None:
        if self.game == "rummy_up":
            self.say(commands.Deal(table=("R7", "B3", "Y12", "W")))
        elif self.game == "tippo":
            self.say(commands.Deal(left=self._card(), right=self._card()))
        else:
            self.say(commands.Deal(top=self._card()))

    def _card(self) -> str:
        deck = tippo_deck() if self.game == "tippo" else classic_deck()
        return str(self.rng.choice(deck))

    def _act(self) -> None:
        state = self.table.state
        assert state is not None
        rng, turn = self.rng, state.turn or state.players[0]
        tray = rng.choice(list(Tray))
        play = commands.Play(card=self._card())
        if self.game == "tippo":
            play = commands.Play(card=self._card(), tray=tray.value)
        said: list[Said] = [
            *[play] * 6,
            commands.Draw(),
            commands.Pass(),
            commands.NameColour(colour="G"),
            commands.NameColour(colour="B"),
            commands.Uno(player=turn),
            commands.Catch(player=rng.choice(state.players)),
            commands.Correct(hand={turn: rng.choice([1, 2, 3])}),
            commands.Undo(),
            commands.Accept(),
            commands.Challenge(guilty=rng.random() < 0.5),
        ]
        if isinstance(state, RummyState):
            said = [self._meld(state), self._meld(state), commands.Draw(), commands.Pass()]
            said += [commands.Uno(player=turn), commands.Undo()]
        if self.game == "tippo":
            said += [commands.Spill(), CardTap(card=self._card()), ModeTap(mode="quick")]
            said += [commands.Play(card="Tilt", tray=tray.value)]
            if rng.random() < 0.3:
                self._scale(tray)
                return
        if len(state.players) > 3 and rng.random() < 0.02:
            said = [commands.Leave(player=rng.choice(state.players))]
        self.say(rng.choice(said))

    def _meld(self, state: RummyState) -> commands.Meld:
        """A new run beside what lies there."""
        colour, first = self.rng.choice("RYGB"), self.rng.randint(1, 10)
        old = [tuple(str(tile) for tile in meld) for meld in state.board.melds]
        return commands.Meld(table=(*old, tuple(f"{colour}{first + k}" for k in range(3))))

    def _scale(self, tray: Tray) -> None:
        now = MonoSeconds(self.now)
        event: Placed | Spill | Level | Fault = Placed(
            began_s=now,
            decided_s=now,
            tray=tray,
            count=self.rng.choice([1, 1, 1, 2]),
            grams=Grams(1.8),
            sure=self.rng.random() < 0.8,
        )
        draw = self.rng.random()
        if draw < 0.2:
            sure = draw < 0.1
            event = Spill(began_s=now, decided_s=now, trays=(tray,), lost={tray: 2}, sure=sure)
        elif draw < 0.25:
            event = Fault(began_s=now, decided_s=now, sensor=Sensor.LEFT, kind=FaultKind.SILENT)
        self.sense(event)


def walk(seed: int, game: str = "tippo", steps: int = 60) -> Iterator[Walk]:
    """A random evening, at every moment of it."""
    rng = Random(seed)
    count = rng.randint(2, 4 if game == "rummy_up" else 10)
    mode = rng.choice([Mode.FULL, Mode.FULL, Mode.QUICK])
    one = Walk(tuple(rng.sample(NAMES, count)), rng, game, Table(mode))
    yield one
    one.begin()
    for _ in range(steps):
        yield one
        one.step()
    yield one


def choices_in(value: Any) -> Iterator[Choice]:
    """Every choice of a screen, wherever it stands."""
    if isinstance(value, Choice):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from choices_in(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from choices_in(getattr(value, part.name))


def touches_of(screen: Screen) -> list[Any]:
    """Everything that can be tapped on a screen."""
    return [choice.touch for choice in choices_in(screen)]


def touchable(scene: Scene) -> list[Any]:
    return [item.touch for item in scene.items if item.touch is not None]
