"""The board `sim`: a scale in the time of a clock, people in some seats, a person's own hands."""

import msgspec
import pytest

from companion.clock import VirtualClock
from companion.events import Sample
from companion.games import commands
from companion.games.cards import parse
from companion.games.commands import Command, Start
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.tippo.state import TippoState
from companion.ports import Scale
from companion.units import MonoSeconds, Tray
from sim.board import SimulatedTable
from sim.party import NAMES, Party, Plan


def opened(plan: Plan, start_s: float = 0.0) -> tuple[SimulatedTable, VirtualClock]:
    clock = VirtualClock(start_s)
    table = SimulatedTable(plan, clock)
    table.scale.open()
    return table, clock


def test_it_is_a_scale_that_says_it_is_simulated() -> None:
    table, _ = opened(Plan(seed=4))
    scale: Scale = table.scale
    assert scale.simulated
    assert "simulated" in scale.description
    scale.close()
    scale.close()
    assert scale.poll() == ()


def test_a_live_table_measures_and_taps_what_a_recorded_one_does() -> None:
    plan = Plan(seed=4, sps=10)
    table, clock = opened(plan, start_s=500.0)
    rows = []
    taps = []
    while clock.mono() < 560.0:
        clock.sleep(0.05)
        rows += list(table.scale.poll())
        taps += list(table.taps())
    party = Party(plan)
    party.advance(60.0)
    recorded = party.readings()
    live = [(row.left, row.right, row.tilt) for row in rows if isinstance(row, Sample)]
    assert live[: len(recorded)] == [(row.left, row.right, row.tilt) for row in recorded]
    assert [tap["do"] for tap in taps] == [tap["do"] for tap in party.taps()]
    assert all(500.0 <= row.mono_s <= clock.mono() for row in rows)
    assert all(500.0 <= tap["t"] <= clock.mono() for tap in taps)
    assert table.opening[0]["do"] == "start"
    assert table.opening[1]["do"] == "deal"


def test_a_person_alone_puts_takes_pushes_and_sets_upright() -> None:
    table, clock = opened(Plan(seed=4, people=()))
    assert table.opening == ()
    assert table.picture.cards == {Tray.LEFT: 1, Tray.RIGHT: 1}
    table.put(Tray.LEFT)
    clock.sleep(2.0)
    table.scale.poll()
    assert table.picture.cards[Tray.LEFT] == 2
    table.take(Tray.LEFT)
    clock.sleep(2.0)
    table.scale.poll()
    assert table.picture.cards[Tray.LEFT] == 1
    table.push(Tray.RIGHT, 150.0)
    clock.sleep(3.0)
    table.scale.poll()
    assert table.picture.angle_rad > 0.3
    table.set_upright()
    clock.sleep(4.0)
    table.scale.poll()
    assert abs(table.picture.angle_rad) < 0.1
    assert table.taps() == []


class PerfectCompanion:
    """Plays the part of the application: sees the truth at once, and shows the state it is in."""

    def __init__(self, table: SimulatedTable, me: str) -> None:
        self.table = table
        self.me = me
        game = Game.begin(table.party.start)
        assert isinstance(game, Game)
        self.game = game
        self._told = 0
        self.tell(table.party.deal)

    @property
    def state(self) -> TippoState:
        assert isinstance(self.game.state, TippoState)
        return self.game.state

    def tell(self, command: Command) -> bool:
        outcome = self.game.apply(command)
        if isinstance(outcome, Refusal):
            return False
        self.game = outcome[0]
        return True

    def step(self) -> None:
        self.table.scale.poll()
        lines = self.table.party.witness.lines
        for line in lines[self._told :]:
            match line["truth"], line.get("act"):
                case "placed", "play":
                    self.tell(commands.Play(card=line["cards"][0], tray=line["tray"].value))
                case "placed", "drop":
                    self.tell(commands.Drop(card=line["cards"][0]))
                case "spill", _:
                    self.tell(commands.Spill())
                case "level", _:
                    self.tell(commands.Reset())
        self._told = len(lines)
        for tap in self.table.taps():
            if tap["do"] != "card":
                fields = {key: value for key, value in tap.items() if key != "t"}
                self.tell(msgspec.convert(fields, Command))
        self.my_turn()
        self.table.look(self.game)

    def my_turn(self) -> None:
        """The person draws and passes, names colours, and puts what they draw in a challenge."""
        state = self.state
        if state.turn != self.me:
            return
        if state.needs == "colour":
            for tray in Tray:
                self.tell(commands.NameColour(colour="R", tray=tray.value))
            self.tell(commands.NameColour(colour="R"))
        elif state.phase is Phase.PLAY:
            self.tell(commands.Draw())
        elif state.phase is Phase.DRAWN:
            self.tell(commands.Pass())
        elif state.phase is Phase.TILT and state.tray_of_tilt is not None:
            self.table.put(state.tray_of_tilt)
            self.tell(commands.Drop())


def test_people_play_on_with_a_person_among_them() -> None:
    me = "Me"
    plan = Plan(seed=6, players=(me, *NAMES[:2]), people=NAMES[:2], sps=10)
    table, clock = opened(plan)
    companion = PerfectCompanion(table, me)
    turns: list[str | None] = []
    while clock.mono() < MonoSeconds(300.0) and companion.state.phase is not Phase.HANDS:
        clock.sleep(0.1)
        companion.step()
        if companion.state.turn is not None and turns[-1:] != [companion.state.turn]:
            turns.append(companion.state.turn)
    assert len(turns) > 12
    assert set(turns) == {me, *NAMES[:2]}
    for player in NAMES[:2]:
        held = len(table.party.people.hands[player])
        assert abs(held - companion.state.hands[player]) <= 4


def test_the_hands_of_a_round_are_counted_with_a_person_among_them() -> None:
    """Nobody else could: the simulated people alone see what everybody holds. Whoever joins then is
    dealt cards as well, and the cards of whoever leaves come back into the pile."""
    me, guest = "Me", "Oma"
    table, clock = opened(Plan(seed=6, players=(me, *NAMES[:2]), people=NAMES[:2], sps=10))
    companion = PerfectCompanion(table, me)
    companion.tell(commands.Leave(player=NAMES[1]))
    while companion.state.phase is not Phase.PLAY or not companion.state.scores[NAMES[0]]:
        assert clock.mono() < MonoSeconds(600.0)
        clock.sleep(0.1)
        if companion.state.phase is Phase.SETUP:
            companion.tell(commands.Join(player=guest))
        elif companion.state.phase is Phase.GOING_OUT:
            companion.tell(commands.Settled())
        elif companion.state.phase is Phase.PLAY and companion.state.turn == NAMES[0]:
            companion.tell(commands.Correct(hand={NAMES[0]: 1}))
        companion.step()
    assert companion.state.round == 2
    assert len(table.hand_of(guest)) == companion.state.hands[guest] == 7
    assert NAMES[1] not in table.party.people.hands


@pytest.mark.parametrize("people", [(), NAMES[:2], ("Zoe", *NAMES[:2])])
@pytest.mark.parametrize(
    "start",
    [Start(game="tippo", players=("Li", "Bo")), Start(game="classic", players=("Zoe", *NAMES[:2]))],
)
def test_at_another_game_they_do_not_sit(people: tuple[str, ...], start: Start) -> None:
    """They neither tap nor lay hands on the scale, and nobody is dealt cards by them."""
    table, clock = opened(Plan(seed=1, players=("Zoe", *NAMES[:2]), people=people, sps=10))
    other = Game.begin(start)
    assert isinstance(other, Game)
    table.look(other)
    table.taps()
    lay = table.picture.cards
    for _ in range(60):
        clock.sleep(0.5)
        table.scale.poll()
        table.look(other)
        assert table.taps() == []
    assert table.picture.cards == lay
    assert table.simulated == ()
    assert all(table.hand_of(player) == () for player in start.players)
    table.put(Tray.LEFT, card=parse("R7"), by=start.players[0])
    clock.sleep(2.0)
    table.scale.poll()
    assert table.picture.cards[Tray.LEFT] == lay[Tray.LEFT] + 1
