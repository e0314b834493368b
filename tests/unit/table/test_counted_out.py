"""Whoever deals the next round has ended the last one, even if the table has not seen it end."""

import pytest

from companion.games import commands
from companion.games.commands import Command, Start
from companion.games.referee import Phase
from companion.table.outcomes import Declined, Noticed, NoticeKind
from companion.table.table import Table
from companion.table.taps import Said, Tap
from companion.units import MonoSeconds

COUNTED = commands.Hands(hands={"Ann": ("R1", "B5"), "Cleo": ("W",)})
NEXT = commands.Deal(left="B3", right="Y1")


def playing(*told: Said) -> Table:
    """Ann, Ben and Cleo in the middle of a round, then what people told."""
    table = Table()
    table.counted(MonoSeconds(0.0), 1, 1)
    start = Start(game="tippo", players=("Ann", "Ben", "Cleo"))
    for second, said in enumerate((start, commands.Deal(left="R5", right="G3"), *told)):
        table.tap(Tap(MonoSeconds(10.0 * second), said))
    return table


def tell(table: Table, command: Command) -> list[object]:
    return list(table.tap(Tap(MonoSeconds(table.now + 10.0), command)))


@pytest.mark.parametrize(
    "told",
    [
        (),
        (commands.Draw(),),
        (commands.Play(card="R7", tray="left"), commands.Spill()),
        (commands.Play(card="Tilt", tray="left"),),
        (commands.Correct(hand={"Ben": 1}), commands.Play(card="R7", tray="left")),
        (
            commands.Correct(hand={"Ben": 1}),
            commands.Play(card="R7", tray="left"),
            commands.Settled(),
        ),
        (
            commands.Correct(turn="Cleo", hand={"Cleo": 1}),
            commands.Play(card="R7", tray="left"),
            commands.Settled(),
        ),
    ],
    ids=["play", "drawn", "spilled", "tilt", "going out", "another count", "another is out"],
)
def test_refused_hands_stand_once_the_next_round_is_dealt(told: tuple[Said, ...]) -> None:
    """Wherever the table stood: Ben is out and gets the others' points, and the round begins."""
    table = playing(*told)
    assert any(isinstance(outcome, Declined) for outcome in tell(table, COUNTED))
    outcomes = tell(table, NEXT)
    assert not any(isinstance(outcome, Declined) for outcome in outcomes)
    kinds = [outcome.kind for outcome in outcomes if isinstance(outcome, Noticed)]
    assert kinds == [NoticeKind.COUNTED_OUT]
    state = table.state
    assert state is not None
    assert (state.round, state.phase) == (2, Phase.PLAY)
    assert state.scores == {"Ann": 0, "Ben": 1 + 5 + 50, "Cleo": 0}


def test_a_deal_out_of_the_blue_is_refused() -> None:
    """Nobody has counted hands: the round goes on."""
    table = playing(commands.Draw())
    before = table.state
    assert [type(outcome) for outcome in tell(table, NEXT)] == [Declined]
    assert table.state == before


def test_hands_that_make_no_end_change_nothing() -> None:
    """Two players without a card, or none: it is not clear who went out."""
    table = playing()
    tell(table, commands.Hands(hands={"Ann": ("R1",)}))
    before = table.state
    assert [type(outcome) for outcome in tell(table, NEXT)] == [Declined]
    assert table.state == before
