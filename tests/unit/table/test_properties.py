"""What holds at every table, whatever people and sensors do."""

import msgspec
from hypothesis import given, settings

from companion.games.commands import Undo
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.games.rulings import Ruling
from companion.table.inputs import Input, Passed, decode_input, encode_input
from companion.table.outcomes import Noticed, NoticeKind, Ruled
from companion.table.table import Table
from companion.table.taps import Tap
from tests.unit.journal.evening import told
from tests.unit.table.strategies import evenings


@given(evenings())
@settings(max_examples=120, deadline=None)
def test_no_order_of_events_and_taps_breaks_the_table(evening: list[Input]) -> None:
    """The table answers everything, and always says what it waits for."""
    table = Table()
    for one in evening:
        outcomes = table.feed(one)
        assert table.awaited
        assert all(outcome.at_s == table.now for outcome in outcomes)


@given(evenings())
@settings(max_examples=40, deadline=None)
def test_the_game_is_what_its_commands_make_of_it(evening: list[Input]) -> None:
    """However acts were put in, taken out or amended: the referee would rule the same on the
    commands that stand, one after the other."""
    table = Table()
    for one in evening:
        table.feed(one)
    start, live = table.start, table.game
    assert start is not None
    assert live is not None
    game = Game.begin(start)
    assert isinstance(game, Game)
    for entry in table.entries:
        answer = game.apply(entry.command)
        assert not isinstance(answer, Refusal)
        game, accepted = answer
        assert accepted.rulings == entry.rulings
    assert game.state.as_json() == live.state.as_json()


@given(evenings())
@settings(max_examples=40, deadline=None)
def test_a_journal_of_the_inputs_gives_the_same_table(evening: list[Input]) -> None:
    """Written down as JSON, without the moments at which nothing came of the time's passing, the
    inputs make another table just like the first."""
    table, again = Table(), Table()
    for one in evening:
        outcomes = table.feed(one)
        if outcomes or not isinstance(one, Passed):
            again.feed(decode_input(encode_input(one)))
    assert told(again) == told(table)


@given(evenings())
@settings(max_examples=40, deadline=None)
def test_what_was_announced_is_what_stands(evening: list[Input]) -> None:
    """Of each act that still stands and has a name every ruling has been told; only the end of a
    round that nobody saw is told in one sentence."""
    table = Table()
    announced: set[str] = set()
    for one in evening:
        for outcome in table.feed(one):
            if isinstance(outcome, Ruled):
                announced.add(_content(outcome.ruling))
            if isinstance(outcome, Noticed) and outcome.kind is NoticeKind.COUNTED_OUT:
                return
    for entry in table.entries:
        if not entry.withheld:
            assert {_content(ruling) for ruling in entry.rulings} <= announced


def _content(ruling: Ruling) -> str:
    return repr(msgspec.structs.replace(ruling, rule=None))


@given(evenings(most=12))
@settings(max_examples=15, deadline=None)
def test_undo_leads_back_to_the_start(evening: list[Input]) -> None:
    """Undo takes back act by act until nothing is left, and never more than one at a time."""
    table = Table()
    for one in evening:
        table.feed(one)
    for _ in range(len(table.entries) + len(table.awaited) + 40):
        before = len(table.entries)
        table.tap(Tap(table.now, Undo()))
        assert before - len(table.entries) in (0, 1)
    assert not table.entries
