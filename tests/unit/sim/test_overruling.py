"""People overrule a display that is plainly wrong, and never one that is right."""

import pytest

from companion.games.commands import Command, Correct, Deal, Draw, Pass, Play, Reset, Spill, Start
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.games.tippo.state import TippoState
from sim.overruling import PATIENCE_S, Overruling

ROUND: tuple[Command, ...] = (
    Deal(left="R5", right="G7"),
    Play(card="R6", tray="left"),
    Play(card="G2!", tray="right"),
    Draw(),
    Pass(),
    Play(card="Y6", tray="left"),
    Spill(),
    Reset(),
    Play(card="Y9", tray="left"),
)


def games() -> list[Game]:
    """The game after each command of a round."""
    begun = Game.begin(Start(game="tippo", players=("Ann", "Bob", "Cem")))
    assert isinstance(begun, Game)
    after = [begun]
    for command in ROUND:
        answer = after[-1].apply(command)
        assert not isinstance(answer, Refusal), answer
        after.append(answer[0])
    return after


def state_of(game: Game) -> TippoState:
    assert isinstance(game.state, TippoState)
    return game.state


@pytest.mark.parametrize("moment", range(len(ROUND) + 1))
def test_a_display_that_is_right_is_left_alone(moment: int) -> None:
    game, people = games()[moment], Overruling(named=True)
    for now_s in range(100):
        assert people.taps(now_s, state_of(game), state_of(game), game.latest(400)) == []


def test_a_display_has_its_time_before_anybody_taps() -> None:
    before, after = games()[1], games()[2]
    people = Overruling(named=True)
    for now_s in range(1, round(PATIENCE_S) + 1):
        assert people.taps(now_s, state_of(before), state_of(after), after.latest(400)) == []
    taps = people.taps(1 + PATIENCE_S, state_of(before), state_of(after), after.latest(400))
    assert taps == [ROUND[1]]


def test_a_display_that_could_not_be_seen_gets_its_time_anew() -> None:
    before, after = games()[1], games()[2]
    people = Overruling(named=True)
    for now_s in (0.0, 10 * PATIENCE_S, 20 * PATIENCE_S):
        assert people.taps(now_s, state_of(before), state_of(after), after.latest(400)) == []


@pytest.mark.parametrize("seen", range(1, len(ROUND)))
def test_a_display_that_missed_commands_is_brought_up_to_date(seen: int) -> None:
    """Whatever it has missed, from the last command to the whole round."""
    shown, known = games()[seen], games()[-1]
    people = Overruling(named=True)
    for now_s in range(50):
        for tap in people.taps(now_s, state_of(shown), state_of(known), known.latest(400)):
            answer = shown.apply(tap)
            assert not isinstance(answer, Refusal), answer
            shown = answer[0]
    assert state_of(shown).turn == state_of(known).turn
    assert state_of(shown).hands == state_of(known).hands
    assert {tray: lies.top for tray, lies in state_of(shown).trays.items()} == {
        tray: lies.top for tray, lies in state_of(known).trays.items()
    }


def test_what_cannot_be_told_again_is_corrected() -> None:
    shown, known = games()[5], games()[6]
    wrong = shown.apply(Correct(turn="Ann", hand={"Cem": 3}))
    assert not isinstance(wrong, Refusal)
    people = Overruling(named=True)
    (correction,) = (
        tap
        for now_s in range(1, round(PATIENCE_S) + 2)
        for tap in people.taps(now_s, wrong[0].state, state_of(known), known.latest(400))
    )
    assert isinstance(correction, Correct)
    assert correction.turn == state_of(known).turn
