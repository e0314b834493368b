"""How many commands a second the referees judge, and how many steps RLCard's UNO makes beside them.

It plays games of its own with real hands; nothing is measured while they are made up.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import msgspec

from companion.bench import rlcard_uno, uno_engine
from companion.bench.report import Report
from companion.games.cards import Card
from companion.games.commands import (
    ColourText,
    Command,
    Deal,
    Draw,
    Drop,
    Hands,
    NameColour,
    Pass,
    Play,
    Reset,
    Settled,
    Spill,
    Start,
)
from companion.games.decks import tippo_deck
from companion.games.game import Game
from companion.games.referee import Accepted, Phase, Refusal
from companion.games.stream import Stream
from companion.games.tippo.legality import trays_for
from companion.games.tippo.state import TippoState
from sim.card_table import CardPlan, evening

AREA = "referee"
PLAYERS = ("Ann", "Bob", "Cem", "Dee")
SPILLS = 0.03
"""How often a discard spills the scale in the games made up here."""
SLICE_S = 0.25
COLOURS: tuple[ColourText, ...] = ("R", "Y", "G", "B")


def measure(report: Report, *, quick: bool) -> None:
    """Adds the figures of the referees; `quick` takes seconds instead of minutes.

    The contenders take turns in short slices, and the best slice of each counts: so a busy
    machine slows all of them alike.
    """
    games = _games(400 if quick else 2000)
    works: dict[str, Callable[[], int]] = {
        name: partial(_apply_all, start, commands) for name, (start, commands) in games.items()
    }
    start, commands = games["Tippo"]
    lines = [msgspec.json.encode(command) for command in (start, *commands)]
    works["answer"] = lambda: _answer_all(lines)
    peer = _rlcard()
    if peer is None:
        report.note("RLCard is not installed (extra `peers`): no figure beside the referee's.")
    else:
        works["peer"] = peer
    best = dict.fromkeys(works, 0.0)
    for _ in range(3 if quick else 12):
        for name, work in works.items():
            best[name] = max(best[name], _rate(work, SLICE_S))
    for name in games:
        aim = f"{2 * best['peer']:,.0f} (twice RLCard)" if peer and name != "Rummy Up" else ""
        report.figure(AREA, f"{name} commands judged", best[name], "1/s", aim=aim)
    report.figure(AREA, "Tippo lines answered, JSON to JSON", best["answer"], "1/s")
    if peer is not None:
        report.figure(AREA, "beside it: RLCard 1.2.0's UNO, steps", best["peer"], "1/s")
    engine = uno_engine.steps_a_second(1.0 if quick else 3.0)
    if engine is None:
        report.note(uno_engine.MISSING)
    else:
        report.figure(AREA, "beside it: uno-engine 2.0.3 on Node, steps", engine, "1/s")
    rlcard_uno.measure(report, quick=quick)


def _games(length: int) -> Mapping[str, tuple[Start, tuple[Command, ...]]]:
    """A made-up game of each kind, of about so many commands."""
    return {
        "Tippo": tippo_game(Random(1), length),  # noqa: S311 - a game, nothing secret
        "Classic": _evening("classic", length),
        "Battle": _evening("battle", length),
        "Rummy Up": _evening("rummy_up", length // 4),
    }


def _evening(game: str, length: int) -> tuple[Start, tuple[Command, ...]]:
    """What simulated people tap until they have tapped enough."""
    plan = CardPlan(game, 1, PLAYERS, options={"target": 1_000_000})
    start = Start(game=game, players=PLAYERS, options=dict(plan.options))
    return start, tuple(command for command, _ in islice(evening(plan), length))


def _rate(work: Callable[[], int], seconds: float) -> float:
    """How many pieces of `work` are done in a second of the processor's own time."""
    begun, done = time.process_time(), 0
    while time.process_time() - begun < seconds:
        done += work()
    return done / (time.process_time() - begun)


def _apply_all(start: Start, commands: tuple[Command, ...]) -> int:
    game = Game.begin(start)
    assert isinstance(game, Game)
    for command in commands:
        answer = game.apply(command)
        assert not isinstance(answer, Refusal)
        game = answer[0]
    return len(commands)


def _answer_all(lines: list[bytes]) -> int:
    stream = Stream()
    for line in lines:
        stream.answer(line)
    return len(lines)


def _rlcard() -> Callable[[], int] | None:
    """One game of random play in RLCard's UNO environment; None where it is not installed."""
    try:
        import rlcard  # type: ignore[import-not-found, import-untyped, unused-ignore]  # an optional peer
    except ImportError:
        return None
    random = Random(1)  # noqa: S311  (a game's dice)
    environment: Any = rlcard.make("uno", config={"seed": 1})

    def play() -> int:
        steps = 0
        state, _ = environment.reset()
        while not environment.is_over():
            state, _ = environment.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return play


# --- a made-up game ------------------------------------------------------------------------


class _Table:
    """Four people with real hands who play the first card that fits, and draw otherwise."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.hands: dict[str, list[Card]] = {}
        self.pile: list[Card] = []

    def deal(self) -> Command:
        self.pile = list(tippo_deck())
        self.random.shuffle(self.pile)
        self.hands = {name: [self.pile.pop() for _ in range(7)] for name in PLAYERS}
        return Deal(left=str(self.pile.pop()), right=str(self.pile.pop()))

    def follow(self, hands: Mapping[str, int]) -> None:
        """Gives every hand the cards that the referee has counted into it."""
        for name, count in hands.items():
            while len(self.hands[name]) < count:
                self.hands[name].append(self.draw())

    def draw(self) -> Card:
        if not self.pile:
            self.pile = list(tippo_deck())
            self.random.shuffle(self.pile)
        return self.pile.pop()

    def act(self, state: TippoState) -> Command:
        """What the table does next."""
        match state.phase:
            case Phase.SETUP:
                return self.deal()
            case Phase.TILT if self.random.random() < 0.8:
                return Drop(card=str(self.draw()))
            case Phase.TILT:
                return Spill()
            case Phase.SPILLED:
                return Reset()
            case Phase.GOING_OUT:
                return Settled()
            case Phase.HANDS:
                return Hands(points={name: 1 for name in PLAYERS if name != state.out})
            case _:
                return self._turn(state)

    def _turn(self, state: TippoState) -> Command:
        if state.needs == "colour":
            colour = self.random.choice(COLOURS)
            return NameColour(colour=colour, tray="left" if state.left.awaits_colour else "right")
        if state.last_actor is not None and self.random.random() < SPILLS:
            return Spill()
        assert state.turn is not None
        hand = self.hands[state.turn]
        for card in hand:
            trays = trays_for(state, card)
            if trays:
                hand.remove(card)
                return Play(card=str(card), tray=self.random.choice(trays).value)
        return Pass() if state.phase is Phase.DRAWN else Draw()


def tippo_game(random: Random, length: int) -> tuple[Start, tuple[Command, ...]]:
    """A game of `length` accepted commands, the same for the same `random`."""
    start = Start(game="tippo", players=PLAYERS, options={"target": 1_000_000})
    game = Game.begin(start)
    assert isinstance(game, Game)
    table = _Table(random)
    commands: list[Command] = []
    while len(commands) < length:
        command = table.act(game.state)
        answer = game.apply(command)
        assert not isinstance(answer, Refusal), answer
        game, accepted = answer
        assert isinstance(accepted, Accepted)
        commands.append(command)
        table.follow(game.state.hands)
    return start, tuple(commands)
