"""While a table rests nothing on the scale counts, and what lies there afterwards is right."""

import pytest

from companion.events import Level, Placed, Removed, Sensed, Spill
from companion.games import commands
from companion.games.commands import Start
from companion.games.referee import Phase
from companion.table import awaited
from companion.table.outcomes import Declined
from companion.table.table import Table
from companion.table.taps import AsItLiesTap, CardTap, PauseTap, Said, Tap
from companion.units import Grams, MonoSeconds, Tray

AT = MonoSeconds(50.0)


def resting() -> Table:
    """Ben has played; then the table rests."""
    table = Table()
    told: tuple[Said, ...] = (
        Start(game="tippo", players=("Mia", "Ben")),
        commands.Deal(left="R5", right="B7"),
        commands.Play(card="R1", tray="left"),
        PauseTap(on=True),
    )
    table.counted(MonoSeconds(0.0), 1, 1)
    for second, said in enumerate(told):
        table.tap(Tap(MonoSeconds(float(second)), said))
    return table


def play_on(table: Table) -> None:
    table.tap(Tap(table.now, PauseTap(on=False)))


def placed(tray: Tray = Tray.LEFT) -> Placed:
    return Placed(began_s=AT, decided_s=AT, tray=tray, count=1, grams=Grams(1.8), sure=True)


def test_a_table_at_rest_waits_for_nothing_but_its_end() -> None:
    table = resting()
    (rest,) = table.awaited
    assert isinstance(rest, awaited.Rest)
    play_on(table)
    assert awaited.Move("Mia", drawn=False) in table.awaited


@pytest.mark.parametrize(
    "event",
    [placed(), Removed(began_s=AT, decided_s=AT, tray=Tray.LEFT, count=1, grams=Grams(1.8))],
    ids=["placed", "removed"],
)
def test_a_card_that_comes_or_goes_in_a_pause_is_no_play_and_need_not_be_mended(
    event: Sensed,
) -> None:
    table = resting()
    before = table.state
    assert table.sensed(event) == []
    play_on(table)
    assert table.state == before
    assert isinstance(table.awaited[0], awaited.Move)


def test_a_spill_in_a_pause_is_nobodys_fault_and_is_set_up_again() -> None:
    """T24"""
    table = resting()
    lost = {Tray.LEFT: 2, Tray.RIGHT: 0}
    table.sensed(Spill(began_s=AT, decided_s=AT, trays=(Tray.LEFT,), lost=lost, sure=False))
    verdict = table.last_spill
    assert verdict is not None
    assert (verdict.payer, verdict.count) == (None, 0)
    play_on(table)
    assert isinstance(table.awaited[0], awaited.Reset)
    table.sensed(Level(began_s=AT, decided_s=AT, left=2, right=1))
    assert table.state is not None
    assert table.state.phase is Phase.PLAY


@pytest.mark.parametrize("said", [commands.Draw(), CardTap(card="R2")])
def test_nobody_moves_in_a_pause(said: Said) -> None:
    table = resting()
    before = table.state
    (outcome,) = table.tap(Tap(AT, said))
    assert isinstance(outcome, Declined)
    assert table.state == before


def test_the_last_card_is_given_its_time_anew_after_a_pause() -> None:
    """T33: nothing is over while nobody looks."""
    table = resting()
    play_on(table)
    table.tap(Tap(AT, commands.Correct(turn="Ben", hand={"Ben": 1})))
    table.tap(Tap(AT, commands.Play(card="R2", tray="left")))
    table.tap(Tap(AT, PauseTap(on=True)))
    table.step(MonoSeconds(AT + 60), still_s=60.0)
    assert _phase(table) is Phase.GOING_OUT
    play_on(table)
    table.step(MonoSeconds(AT + 61), still_s=61.0)
    assert _phase(table) is Phase.GOING_OUT
    table.step(MonoSeconds(AT + 66), still_s=66.0)
    assert _phase(table) is Phase.HANDS


def _phase(table: Table) -> Phase | None:
    return None if table.state is None else table.state.phase


def test_people_can_say_that_what_lies_in_the_trays_is_right() -> None:
    """The scale has missed or invented a card: nothing is to be taken out or put back."""
    table = resting()
    play_on(table)
    table.sensed(placed())
    table.tap(Tap(AT, CardTap(card="G9")))
    assert isinstance(table.awaited[0], awaited.TakeBack)
    table.tap(Tap(AT, AsItLiesTap()))
    assert table.awaited == (awaited.Move("Mia", drawn=False),)
