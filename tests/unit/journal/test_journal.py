"""The journal keeps everything, changes nothing, and says clearly why it cannot be used."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from companion.chronicle import Form, show
from companion.errors import BadInput, JournalError
from companion.games.commands import Command, Correct, Deal, Hands, Leave, Play, Start, Undo
from companion.games.referee import Phase
from companion.journal.history import GameHistory, History
from companion.journal.journal import Journal
from companion.journal.schema import SCHEMA_VERSION
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Tap
from companion.units import Tray
from tests.unit.journal import evening


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite") as opened:
        yield opened


def play(journal: Journal) -> Table:
    table = Table()
    for given in evening.inputs():
        evening.write(journal, table, given)
    return table


def resumed(journal: Journal) -> Table:
    unfinished = journal.unfinished(simulated=False)
    assert unfinished is not None
    table = Table()
    for given in journal.inputs(unfinished.number):
        table.feed(given)
    return table


def test_a_resumed_table_is_the_live_table_after_every_input(journal: Journal) -> None:
    """Whenever the plug is pulled, the game goes on exactly where it was."""
    table = Table()
    for given in evening.inputs():
        evening.write(journal, table, given)
        if table.state is not None:
            assert evening.told(resumed(journal)) == evening.told(table), given


def test_the_commands_that_stand_are_the_games(journal: Journal) -> None:
    """After amendments and undos the journal's commands are those of the game, in order."""
    table = play(journal)
    database = sqlite3.connect(journal.path)
    rows = database.execute("SELECT body FROM standing_commands ORDER BY position").fetchall()
    database.close()
    assert table.game is not None
    assert len(rows) == len(table.game.commands)
    assert [entry.command for entry in table.entries] == list(table.game.commands)


def test_the_history_tells_what_is_ruled_in_the_end(journal: Journal) -> None:
    """An act that was amended is told once, as it stands."""
    table = play(journal)
    told = [[dict(ruling) for ruling in act.rulings] for act in _game(journal).acts]
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
    play(journal)
    database = sqlite3.connect(journal.path)
    database.execute(
        "INSERT INTO commands SELECT game_id, 99, max(revision), 99, mono_s, ?, input_id "
        "FROM commands",
        ('{"do": "settled"}',),
    )
    database.commit()
    database.close()
    with pytest.raises(JournalError, match="another version"):
        _game(journal)
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
    assert evening.told(resumed(journal)) == evening.told(live)
    acts = _game(journal).acts
    assert [act.act for act in acts] == [entry.number for entry in live.entries]


def test_nothing_that_was_written_can_be_changed_or_deleted(journal: Journal) -> None:
    """The journal only grows: the file itself refuses anything else."""
    play(journal)
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
    play(journal)
    event = _game(journal).events[0]
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
    written = _game(journal)
    journal._database.execute(
        "CREATE TEMP TRIGGER worn_out BEFORE INSERT ON rulings "
        "BEGIN SELECT RAISE(ABORT, 'a worn-out card'); END"
    )
    step = Step(last, tuple(table.feed(last)))
    with pytest.raises(JournalError, match="a worn-out card"):
        journal.write([step], table.entries, wall=evening.WALL)
    assert _game(journal) == written
    journal._database.execute("DROP TRIGGER worn_out")
    journal.write([step], table.entries, wall=evening.WALL)
    assert len(_game(journal).acts) == len(table.entries)


def test_a_game_whose_end_was_taken_back_goes_on(journal: Journal) -> None:
    """Undone after the last count it can be resumed, and ended otherwise (fine print 8)."""
    table = play(journal)
    ends = [
        Tap(table.now, Leave(player=evening.PLAYERS[0])),
        *(Tap(table.now, Leave(player=name)) for name in evening.PLAYERS[1:-1]),
    ]
    for given in ends:
        evening.write(journal, table, given)
    assert table.state is not None
    assert table.state.phase is Phase.GAME_OVER
    assert journal.unfinished(simulated=False) is None
    assert _game(journal).game.winner == evening.PLAYERS[-1]
    evening.write(journal, table, Tap(table.now, Undo()))
    assert resumed(journal).state == table.state
    assert _game(journal).game.winner is None
    assert _game(journal).game.ended_wall_utc is None
    evening.write(journal, table, Tap(table.now, Leave(player=evening.PLAYERS[-1])))
    assert journal.unfinished(simulated=False) is None
    assert _game(journal).game.winner == evening.PLAYERS[-2]


def test_old_games_stay(tmp_path: Path) -> None:
    """A new game, on another day, does not touch the ones before it."""
    path = tmp_path / "journal.sqlite"
    for _ in range(2):
        with Journal.open(path) as journal:
            play(journal)
    with History(path) as history:
        assert [game.number for game in history.games()] == [1, 2]
        assert history.game(1).acts == history.game(2).acts != ()


def _game(journal: Journal) -> GameHistory:
    with History(journal.path) as history:
        return history.game(1)


def _play_on(journal: Journal, table: Table, times: int) -> None:
    for one in list(evening.inputs())[4:] * times:
        evening.write(journal, table, one)


# --- a journal that cannot be used ----------------------------------------------------------


def test_a_second_game_on_the_same_journal_is_refused(journal: Journal) -> None:
    with pytest.raises(JournalError, match="another game is running"):
        Journal.open(journal.path)


def test_history_can_be_read_while_a_game_is_running(journal: Journal) -> None:
    play(journal)
    assert _game(journal).acts


@pytest.mark.parametrize("damage", ["head", "middle", "text"])
def test_a_damaged_journal_is_said_in_one_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.sqlite"
    for _ in range(10):
        with Journal.open(path) as journal:
            play(journal)
    content = bytearray(path.read_bytes())
    match damage:
        case "head":
            content[:100] = b"x" * 100
        case "middle":
            content[4096 : len(content) // 2] = b"\x00" * (len(content) // 2 - 4096)
        case _:
            content = bytearray(b"this is a shopping list\n" * 50)
    path.write_bytes(bytes(content))
    with pytest.raises(JournalError, match=r"damaged|no journal") as raised:
        Journal.open(path)
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("written", ["", "null", "{}", "[1]", "NaN", '"x"', "[" * 9999, b"\xc5x"])
@pytest.mark.parametrize(
    "place",
    [
        "games.players",
        "games.start",
        "games.plan",
        "endings.scores",
        "inputs.body",
        "commands.body",
        "remarks.body",
    ],
)
def test_whatever_stands_in_a_damaged_journal_is_said_or_can_be_read(
    tmp_path: Path, place: str, written: str | bytes
) -> None:
    """Worn-out cards and pulled plugs: nothing is taken for what it should be."""
    path, (table, column) = tmp_path / "journal.sqlite", place.split(".")
    with Journal.open(path) as journal:
        play(journal)
    database = sqlite3.connect(path)
    database.execute(f"DROP TRIGGER {table}_update")
    value = "CAST(? AS TEXT)" if isinstance(written, bytes) else "?"
    database.execute(f"UPDATE {table} SET {column} = {value}", (written,))
    database.commit()
    database.close()
    with Journal.open(path) as journal, suppress(JournalError):
        resumed(journal)
    for form in Form:
        with suppress(JournalError):
            show(None, form, journal=path)
        with suppress(JournalError):
            show(1, form, journal=path)


def test_a_journal_of_a_newer_companion_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal.open(path).close()
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.close()
    with pytest.raises(JournalError, match="newer companion"):
        Journal.open(path)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(JournalError, match="no journal of this companion"):
        Journal.open(path)


def test_a_locked_journal_is_said(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        journal._database.execute("PRAGMA busy_timeout = 10")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked by another program"):
            play(journal)
        other.execute("ROLLBACK")
        other.close()


def test_a_full_disk_is_said_and_the_step_can_be_written_again(tmp_path: Path) -> None:
    """Nothing of the step is in the journal, and once there is room all of it is."""
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        table = Table()
        given = list(evening.inputs())
        for one in given[:4]:
            evening.write(journal, table, one)
        pages = journal._database.execute("PRAGMA page_count").fetchone()[0]
        journal._database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="disk is full"):
            _play_on(journal, table, 40)
        before = _game(journal)
        journal._database.execute("PRAGMA max_page_count = 1000000")
        evening.write(journal, table, evening.placed(900.0, Tray.LEFT))
        assert len(_game(journal).events) == len(before.events) + 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(JournalError, match="--journal"):
        Journal.open(tmp_path / "deeper" / "journal.sqlite")


def test_a_place_that_is_no_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="--journal"):
        Journal.open(tmp_path / "file" / "journal.sqlite")


@pytest.mark.parametrize("number", [-1, 0, 2, 2**63, 10**30])
def test_a_game_that_was_never_played_is_said(journal: Journal, number: int) -> None:
    play(journal)
    with History(journal.path) as history, pytest.raises(BadInput, match="there is no game"):
        history.game(number)


def test_a_missing_journal_has_no_history(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nothing has been played yet"):
        History(tmp_path / "journal.sqlite")


def test_an_empty_journal_has_no_history(tmp_path: Path) -> None:
    """What a plug pulled at the first start leaves; the next game makes it whole."""
    path = tmp_path / "journal.sqlite"
    path.touch()
    with pytest.raises(JournalError, match="nothing has been played yet"):
        History(path)
    with Journal.open(path), History(path) as history:
        assert history.games() == []
