"""The journal keeps everything and changes nothing."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from companion.errors import JournalError
from companion.games.commands import Command, Correct, Deal, Hands, Leave, Play, Start, Undo
from companion.games.referee import Phase
from companion.journal.history import History
from companion.journal.journal import Journal
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Tap
from tests.unit.journal import evening


def test_a_resumed_table_is_the_live_table_after_every_input(journal: Journal) -> None:
    """Whenever the plug is pulled, the game goes on exactly where it was."""
    table = Table()
    for given in evening.inputs():
        evening.write(journal, table, given)
        if table.state is not None:
            assert evening.told(evening.resumed(journal)) == evening.told(table), given


def test_the_commands_that_stand_are_the_games(journal: Journal) -> None:
    """After amendments and undos the journal's commands are those of the game, in order."""
    table = evening.play(journal)
    database = sqlite3.connect(journal.path)
    rows = database.execute("SELECT body FROM standing_commands ORDER BY position").fetchall()
    database.close()
    assert table.game is not None
    assert len(rows) == len(table.game.commands)
    assert [entry.command for entry in table.entries] == list(table.game.commands)


def test_the_history_tells_what_is_ruled_in_the_end(journal: Journal) -> None:
    """An act that was amended is told once, as it stands."""
    table = evening.play(journal)
    told = [[dict(ruling) for ruling in act.rulings] for act in evening.first_game(journal).acts]
    stands = [list(map(msgspec.to_builtins, entry.rulings)) for entry in table.entries]
    assert told == stands
    cards = [ruling["card"] for act in told for ruling in act if ruling["ruling"] == "played"]
    assert cards == ["R2", "R9", "?"]


def test_the_scores_of_a_game_that_goes_on_are_those_that_stand(journal: Journal) -> None:
    table = Table()
    commands: list[Command] = [
        Start(game="classic", players=("Ann", "Ben")),
        Deal(top="R5"),
        Correct(hand={"Ben": 1}, turn="Ben"),
        Play(card="R7"),
        Hands(points={"Ann": 90}),
        Undo(),
        Hands(points={"Ann": 9}),
    ]
    for second, command in enumerate(commands):
        evening.write(journal, table, Tap(evening.at(second), command))
    with History(journal.path) as history:
        (game,) = history.games()
    assert table.state is not None
    assert game.scores == table.state.scores == {"Ann": 0, "Ben": 9}


def test_a_game_that_this_companion_referees_otherwise_is_said(journal: Journal) -> None:
    evening.play(journal)
    database = sqlite3.connect(journal.path)
    database.execute(
        "INSERT INTO commands SELECT game_id, 99, max(revision), 99, mono_s, ?, input_id "
        "FROM commands",
        ('{"do": "settled"}',),
    )
    database.commit()
    database.close()
    with pytest.raises(JournalError, match="another version"):
        evening.first_game(journal)
    with History(journal.path) as history:
        assert history.games()[0].scores == {"Ann": 0, "Ben": 0, "Cleo": 0}


def test_going_on_after_a_resume_keeps_the_same_commands(journal: Journal) -> None:
    """What is written after a resume follows what was written before it."""
    live, later = Table(), Table()
    given = list(evening.inputs())
    for one in given[:8]:
        evening.write(journal, live, one)
    unfinished = journal.unfinished(simulated=False)
    assert unfinished is not None
    for one in journal.inputs(unfinished.number):
        later.feed(one)
    journal.go_on_with(unfinished.number, later.entries)
    for one in given[8:]:
        live.feed(one)
        evening.write(journal, later, one)
    assert evening.told(evening.resumed(journal)) == evening.told(live)
    acts = evening.first_game(journal).acts
    assert [act.act for act in acts] == [entry.number for entry in live.entries]


def test_nothing_that_was_written_can_be_changed_or_deleted(journal: Journal) -> None:
    """The journal only grows: the file itself refuses anything else."""
    evening.play(journal)
    database = sqlite3.connect(journal.path)
    tables = ["games", "inputs", "commands", "revisions", "rulings", "remarks", "endings"]
    for table in tables:
        column = database.execute(f"PRAGMA table_info({table})").fetchone()[1]
        if not database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
            continue
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            database.execute(f"UPDATE {table} SET {column} = {column}")
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            database.execute(f"DELETE FROM {table}")
    database.close()


def test_every_commit_is_flushed(journal: Journal) -> None:
    """WAL with synchronous = FULL: a commit survives a pulled plug."""
    database = journal._database
    assert database.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert database.execute("PRAGMA synchronous").fetchone()[0] == 2


def test_a_step_is_one_transaction(journal: Journal) -> None:
    """An SD card flushes once for a step, however many rows it has."""
    table = Table()
    begun: list[str] = []
    journal._database.set_trace_callback(
        lambda statement: begun.append(statement) if statement.startswith("COMMIT") else None
    )
    for count, given in enumerate(evening.inputs(), start=1):
        evening.write(journal, table, given)
        assert len(begun) == count


def test_sensed_events_keep_their_reasons_and_all_three_times(journal: Journal) -> None:
    """Why the judge decided, and the board's, the host's and people's time of it, are kept."""
    evening.play(journal)
    event = evening.first_game(journal).events[0]
    assert event.event["reasons"] == ["left rests +1.80 g from before"]
    assert event.device_s == 1000.0
    assert event.mono_s == 2.0
    assert event.wall_utc == evening.WALL


def test_a_game_that_has_ended_is_not_gone_on_with(journal: Journal) -> None:
    """Nor the one before it: whoever began anew gave that up."""
    table = Table()
    told: list[Command] = [
        Start(game="classic", players=("Ann", "Ben"), options={"target": 10}),
        Deal(top="R5"),
        Correct(hand={"Ann": 1}, turn="Ann"),
        Play(card="R7"),
        Hands(points={"Ben": 9}),
        Deal(top="R5"),
        Correct(hand={"Ann": 1}, turn="Ann"),
        Play(card="R7"),
        Hands(points={"Ben": 1}),
    ]
    for second, command in enumerate(told):
        evening.write(journal, table, Tap(evening.at(second), command))
        ended = command is told[-1]
        assert (journal.unfinished(simulated=False) is None) == ended, command


def test_a_step_is_written_whole_or_not_at_all(journal: Journal) -> None:
    """What fails in the middle of a step leaves nothing of it, and the step is written later."""
    table = Table()
    *before, last = list(evening.inputs())[:5]
    for given in before:
        evening.write(journal, table, given)
    written = evening.first_game(journal)
    journal._database.execute(
        "CREATE TEMP TRIGGER worn_out BEFORE INSERT ON rulings "
        "BEGIN SELECT RAISE(ABORT, 'a worn-out card'); END"
    )
    step = Step(last, tuple(table.feed(last)))
    with pytest.raises(JournalError, match="a worn-out card"):
        journal.write([step], table.entries, wall=evening.WALL)
    assert evening.first_game(journal) == written
    journal._database.execute("DROP TRIGGER worn_out")
    journal.write([step], table.entries, wall=evening.WALL)
    assert len(evening.first_game(journal).acts) == len(table.entries)


def test_a_game_whose_end_was_taken_back_goes_on(journal: Journal) -> None:
    """Undone after the last count it can be resumed, and ended otherwise (fine print 8)."""
    table = evening.play(journal)
    for name in evening.PLAYERS[:-1]:
        evening.write(journal, table, Tap(table.now, Leave(player=name)))
    assert table.state is not None
    assert table.state.phase is Phase.GAME_OVER
    assert journal.unfinished(simulated=False) is None
    assert evening.first_game(journal).game.winner == evening.PLAYERS[-1]
    evening.write(journal, table, Tap(table.now, Undo()))
    assert evening.resumed(journal).state == table.state
    assert evening.first_game(journal).game.winner is None
    assert evening.first_game(journal).game.ended_wall_utc is None
    evening.write(journal, table, Tap(table.now, Leave(player=evening.PLAYERS[-1])))
    assert journal.unfinished(simulated=False) is None
    assert evening.first_game(journal).game.winner == evening.PLAYERS[-2]


def test_old_games_stay(tmp_path: Path) -> None:
    """A new game, on another day, does not touch the ones before it."""
    path = tmp_path / "journal.sqlite"
    for _ in range(2):
        with Journal.open(path) as journal:
            evening.play(journal)
    with History(path) as history:
        assert [game.number for game in history.games()] == [1, 2]
        assert history.game(1).acts == history.game(2).acts != ()
