"""Whatever is touched, on whatever screen: the evening goes on, and nothing of it is lost."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app import App
from companion.clock import VirtualClock
from companion.connected import Devices
from companion.display.choice import Touch
from companion.display.desk import Desk
from companion.display.frame import fit
from companion.display.layout import lay_out
from companion.display.light import Light, Lighting
from companion.display.screen import Screen
from companion.display.wishes import Letter, Request
from companion.games.referee import Phase
from companion.journal.journal import Board, Journal
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.table import Table
from companion.table.taps import Mode, decode_tap_fields
from companion.watching import Watching
from sim.board import SimulatedTable
from sim.card_table import CardPlan, CardTable
from sim.party import Plan

TOUCHES = 150
SIZES = ((800, 480), (480, 800), (1024, 600), (320, 240), (720, 1280))
NAMES = ("Zoë", "Ann", "Ben")


class RestlessHands:
    """In place of the window, which changes its size: touches anything that can be touched."""

    closed = False
    stirred = True

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._screen: Screen | None = None

    def show(self, screen: Screen, _light: Light = Light.FULL) -> None:
        self._screen = screen

    def touches(self) -> list[Touch]:
        if self._screen is None:
            return []
        scene = lay_out(self._screen, fit(self._rng.choice(SIZES)))
        can = [item.touch for item in scene.items if item.touch is not None]
        assert can, f"nothing can be touched: {self._screen.headline}"
        # The keys of the keyboard are so many that nothing else would ever be touched.
        words = [touch for touch in can if not isinstance(touch, Letter)]
        touch = self._rng.choice(words if words and self._rng.random() < 0.8 else can)
        return [] if touch in (Request.QUIT, Request.CALIBRATE) else [touch]


def _evening(
    seed: int, game: str, people: tuple[str, ...], journal: Journal
) -> tuple[App, VirtualClock]:
    """A table at which these are simulated and the others persons; with nobody simulated there is
    no scale either."""
    clock, judge = VirtualClock(), None
    board = Board("test", simulated=True)
    devices = Devices(board=board)
    sim: SimulatedTable | CardTable | None = None
    if people and game == "tippo":
        sim = SimulatedTable(Plan(seed, NAMES, people=people, sps=10), clock)
        sim.scale.open()
        judge = Judge(Calibration.from_toml(sim.calibration))
        devices = Devices(scale=sim.scale, company=sim, board=board, person_at_sim=people != NAMES)
    elif people:
        sim = CardTable(CardPlan(game, seed, NAMES, people=people), clock)
        devices = Devices(company=sim, board=board, person_at_sim=people != NAMES)
    desk = Desk(RestlessHands(Random(seed)), NAMES, lighting=Lighting(0, 0))
    app = App(clock, Watching(Table(Mode.FULL), judge), devices, desk, journal=journal)
    if sim is not None:
        app.tell([decode_tap_fields(fields) for fields in sim.opening])
    return app, clock


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    game=st.sampled_from(["tippo", "classic", "battle", "rummy_up"]),
    people=st.sampled_from([(), NAMES[2:], NAMES[1:], NAMES]),
)
def test_there_is_always_a_way_on_and_the_game_can_be_resumed(
    seed: int, game: str, people: tuple[str, ...]
) -> None:
    """Every screen can be left by a touch, every hand is counted, and a table that is made again
    from the journal is the one that was left."""
    rng = Random(seed)
    with TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.sqlite") as journal:
        app, clock = _evening(seed, game, people, journal)
        for _ in range(TOUCHES):
            clock.sleep(rng.choice((0.03, 0.3, 1.5)))
            app.step(clock.mono())
            state = app.table.state
            if state is not None:
                assert set(state.hands) == set(state.players)
                assert min(state.hands.values()) >= 0
        assert not app.trouble
        _assert_resumable(app, journal)


def _assert_resumable(app: App, journal: Journal) -> None:
    table = app.table
    if table.state is None or table.state.phase is Phase.GAME_OVER:
        return
    unfinished = journal.unfinished(simulated=True)
    assert unfinished is not None
    again = Table()
    for given_input in journal.inputs(unfinished.number):
        again.feed(given_input)
    assert again.state == table.state
    assert [e.command for e in again.entries] == [e.command for e in table.entries]
