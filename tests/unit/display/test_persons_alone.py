"""Persons play by themselves on the simulated scale: what they tap fills and empties its trays."""

from collections.abc import Iterator

from companion.clock import VirtualClock
from companion.display.bodies import ResetBody
from companion.display.choice import Touch
from companion.display.wishes import PutDown, Request
from companion.games.commands import Deal, Start
from companion.games.referee import Phase
from companion.games.tippo.state import TippoState
from companion.table.awaited import StartCards
from companion.table.taps import CardTap, Tap
from companion.units import MonoSeconds, Tray
from sim.party import Plan
from tests.unit.display.eyes import Eyes
from tests.unit.display.test_person import person_at_scale

NAMES = ("Mia", "Ben")
PATIENCE_S = 60.0


class Evening:
    """Two persons who share the display, and deal the cards of the house."""

    def __init__(self) -> None:
        self.clock, self.eyes = VirtualClock(), Eyes()
        plan = Plan(3, NAMES, people=(), sps=10)
        self.app, self.sim = person_at_scale(plan, self.clock, self.eyes)
        self.begin("R5", "B7")

    def begin(self, left: str, right: str) -> None:
        """A new game is dealt, as soon as the display has asked for it."""
        for told in (Start(game="tippo", players=NAMES, force=True), Deal(left=left, right=right)):
            self.app.tell((Tap(MonoSeconds(self.clock.mono()), told),))
            self.rest(2.0)

    def turns(self) -> Iterator[None]:
        """Every third of a second, until patience ends."""
        until_s = self.clock.mono() + PATIENCE_S
        while self.clock.mono() < until_s:
            self.app.step(self.clock.mono())
            self.clock.sleep(1 / 3)
            yield
        raise AssertionError(f"still {self.app.table.awaited}")

    def rest(self, seconds: float) -> None:
        until_s = self.clock.mono() + seconds
        for _ in self.turns():
            if self.clock.mono() >= until_s:
                return

    def touch(self, touch: Touch) -> None:
        self.eyes.queue.append(touch)
        self.rest(4.0)

    @property
    def state(self) -> TippoState:
        state = self.app.table.state
        assert isinstance(state, TippoState)
        return state

    def is_spilled(self) -> bool:
        return self.state.phase is Phase.SPILLED

    def lying(self) -> dict[Tray, int]:
        return dict(self.sim.picture.cards)


def play(evening: Evening, card: str, tray: Tray) -> None:
    """A card is tapped on the pad of a tray."""
    evening.touch((CardTap(card=card), PutDown(tray)))


def spill(evening: Evening) -> None:
    """One card after another goes in the right tray, till it is too much."""
    for number in range(12):
        play(evening, f"B{number % 10}", Tray.RIGHT)
        if evening.is_spilled():
            return


def test_the_trays_of_the_reset_guide_are_filled_by_taps_until_play_goes_on() -> None:
    """T27: all is asked for, counted and found right without a word."""
    evening = Evening()
    evening.rest(5.0)
    spill(evening)
    evening.rest(10.0)
    assert evening.is_spilled()
    evening.touch(Request.SET_UPRIGHT)
    for _ in range(8):
        screen = evening.eyes.screen
        assert screen is not None
        if not isinstance(screen.body, ResetBody):
            break
        wanted = (screen.body.left.touch, screen.body.right.touch)
        evening.touch(next((touch for touch in wanted if touch is not None), None))
    assert not evening.is_spilled()
    assert evening.lying() == {Tray.LEFT: 1, Tray.RIGHT: 2}


def test_a_deal_leaves_one_card_in_each_tray() -> None:
    """The cards of the last round are cleared away, as the dealer of a real table does."""
    evening = Evening()
    evening.rest(5.0)
    for card in ("R1", "R2", "R3"):
        play(evening, card, Tray.LEFT)
    assert evening.lying() == {Tray.LEFT: 4, Tray.RIGHT: 1}
    evening.begin("G1", "G2")
    evening.rest(15.0)
    assert evening.lying() == {Tray.LEFT: 1, Tray.RIGHT: 1}
    assert not any(isinstance(wait, StartCards) for wait in evening.app.table.awaited)
    play(evening, "G3", Tray.LEFT)
    assert evening.state.hands == {"Mia": 7, "Ben": 6}
