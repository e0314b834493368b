"""When judge and table hear of things: taps that depend on what still lands, rest, counts."""

import math

from companion.events import Placed, Reading, Sample, Sensed
from companion.games.commands import Catch, Correct, Deal, Draw, Settled, Start
from companion.scale.view import ScaleView, TrayView
from companion.table.inputs import Counted
from companion.table.outcomes import Declined, Ruled
from companion.table.stillness import Stillness
from companion.table.table import Table
from companion.table.taps import CardTap, Said, Tap
from companion.units import Grams, MonoSeconds, Tray
from companion.watching import Watching


def at(seconds: float) -> MonoSeconds:
    return MonoSeconds(seconds)


class Judged:
    """A judge in the test's hands: it says what the test lets it see."""

    def __init__(self) -> None:
        self.events: list[Sensed] = []
        self.moving = False
        self.tipping = False
        self.grams = Grams(1.8)
        self.cards = 1

    def feed(self, reading: Reading) -> list[Sensed]:  # noqa: ARG002 - a Judge
        events, self.events = self.events, []
        return events

    @property
    def live(self) -> ScaleView:
        left = TrayView(self.grams, self.cards, not self.moving)
        right = TrayView(Grams(1.8), 1, True)
        return ScaleView(left, right, False, self.tipping, ())


class Watched:
    """A dealt table of two whose judge is in the test's hands."""

    def __init__(self) -> None:
        self.judge, self.table = Judged(), Table()
        self.watching = Watching(self.table, self.judge)
        self.watching.begin_with_start_cards(at(0.0))
        self.told: list[object] = []
        self.refused: list[Declined] = []
        self.say(0.0, Start(game="tippo", players=("Ann", "Ben")))
        self.say(0.0, Deal(left="R5", right="G3"))
        self.told.clear()

    def say(self, seconds: float, said: Said) -> None:
        self.hear(self.watching.tap(Tap(at(seconds), said)))

    def pass_to(self, seconds: float, *events: Sensed) -> None:
        self.judge.events += events
        self.hear(self.watching.read(Sample(mono_s=at(seconds))))

    def hear(self, steps: object) -> None:
        assert isinstance(steps, list)
        self.refused += [o for s in steps for o in s.outcomes if isinstance(o, Declined)]
        self.told += [
            outcome.ruling.__struct_config__.tag
            for step in steps
            for outcome in step.outcomes
            if isinstance(outcome, Ruled)
        ]

    def placed(self, began: float, decided: float) -> Placed:
        return Placed(
            began_s=at(began),
            decided_s=at(decided),
            tray=Tray.LEFT,
            count=1,
            grams=Grams(1.8),
            sure=True,
        )


def test_a_draw_waits_for_the_card_that_is_still_landing() -> None:
    """It is the next player's, not a draw of whoever put the card down."""
    watched = Watched()
    watched.say(1.0, CardTap(card="R7"))
    watched.judge.moving = True
    watched.pass_to(1.6)
    watched.say(1.8, Draw())
    assert watched.told == []
    watched.judge.moving = False
    watched.pass_to(2.2, watched.placed(1.5, 2.2))
    assert watched.told == ["played", "turn", "drawn"]
    state = watched.table.state
    assert state is not None
    assert (state.hands["Ann"], state.hands["Ben"]) == (8, 6)


def test_a_catch_waits_for_the_card_that_is_still_landing() -> None:
    """Whoever catches sees the one card left before the scale has felt the other."""
    watched = Watched()
    watched.say(0.5, Correct(hand={"Ben": 2}))
    watched.say(1.0, CardTap(card="R7"))
    watched.judge.moving = True
    watched.pass_to(1.6)
    watched.say(1.8, Catch(player="Ben", by="Ann"))
    watched.judge.moving = False
    watched.pass_to(2.2, watched.placed(1.5, 2.2))
    assert watched.told == ["played", "turn", "uno_caught", "penalty"]
    assert not watched.refused


def test_a_draw_waits_no_longer_than_it_must() -> None:
    """A tray that never rests, a hand that leans on it, does not stop the game."""
    watched = Watched()
    watched.judge.moving = True
    watched.say(1.0, Draw())
    watched.pass_to(2.4)
    assert watched.told == []
    watched.pass_to(2.6)
    assert watched.told == ["drawn"]


def test_the_last_taps_of_a_recording_are_heard() -> None:
    watched = Watched()
    watched.judge.moving = True
    watched.say(1.0, Draw())
    watched.hear(watched.watching.finish())
    assert watched.told == ["drawn"]


def test_a_last_card_must_rest_for_five_seconds() -> None:
    """T33: not while the scale is tipping, not while a cell leans slowly, then by itself."""
    watched = Watched()
    watched.say(0.5, Correct(hand={"Ben": 1}))
    watched.say(1.0, CardTap(card="R7"))
    watched.pass_to(2.0, watched.placed(1.5, 2.0))
    assert watched.told[-1] == "going_out"
    for tenth in range(20, 90):  # leaning: 0.1 g a second
        watched.judge.grams = Grams(3.6 + tenth / 100)
        watched.pass_to(tenth / 10)
    assert watched.told[-1] == "going_out"
    for tenth in range(90, 110):
        watched.pass_to(tenth / 10)
    assert watched.told[-1] == "going_out"
    for tenth in range(110, 145):
        watched.pass_to(tenth / 10)
    assert watched.told[-1:] == ["round_over"]


def test_a_tapped_settled_needs_no_rest() -> None:
    watched = Watched()
    watched.say(0.5, Correct(hand={"Ben": 1}))
    watched.say(1.0, CardTap(card="R7"))
    watched.pass_to(2.0, watched.placed(1.5, 2.0))
    watched.say(2.5, Settled())
    assert watched.told[-1] == "round_over"


def test_what_lies_in_the_trays_is_told_between_rounds() -> None:
    """So that the next deal knows whether its start cards lie there already."""
    table, judge = Table(), Judged()
    watching = Watching(table, judge)
    steps = watching.read(Sample(mono_s=at(1.0)))
    assert [step.given for step in steps] == [Counted(at(1.0), 1, 1)]
    judge.cards = 0
    watching.read(Sample(mono_s=at(2.0)))
    assert table.counts == {Tray.LEFT: 0, Tray.RIGHT: 1}


def test_stillness_is_both_cells_within_a_third_of_a_gram() -> None:
    """Recorded tables, "Settled": within 0.3 g; an unknown weight or an open tip is no rest."""
    still = Stillness()
    assert still.see(at(0.0), Grams(1.0), Grams(2.0), tipping=False) == 0.0
    assert still.see(at(4.0), Grams(1.25), Grams(1.9), tipping=False) == 4.0
    assert still.see(at(5.0), Grams(0.9), Grams(1.9), tipping=False) == 0.0
    assert still.see(at(6.0), Grams(0.9), Grams(1.9), tipping=False) == 1.0
    assert still.see(at(7.0), Grams(0.9), Grams(1.9), tipping=True) == 0.0
    assert still.see(at(8.0), Grams(0.9), None, tipping=False) == 0.0
    assert still.see(at(9.0), Grams(0.9), Grams(math.pi), tipping=False) == 0.0
