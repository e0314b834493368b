"""The journal's tables, and how its file is opened: WAL, every commit flushed, append-only.

This module never reads or writes a game.
"""

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.errors import DamagedJournal, JournalError
from companion.units import WallUtc

Kept = TypeVar("Kept")

SCHEMA_VERSION = 1
APPLICATION_ID = 0x54697070
""""Tipp": marks the file as ours."""

HOLDING = "holding"
"""The kind of remark that says who holds which cards at a simulated table."""

_TABLES = ("games", "endings", "inputs", "revisions", "commands", "rulings", "remarks")

_SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    wall_utc TEXT NOT NULL,
    mono_s REAL NOT NULL,
    game TEXT NOT NULL,
    players TEXT NOT NULL,          -- JSON list, in seat order
    start TEXT NOT NULL,            -- the command, JSON
    board TEXT NOT NULL,            -- what it was played on, for people
    simulated INTEGER NOT NULL,     -- 1: no real scale
    plan TEXT NOT NULL,             -- of a simulated table: how to make it again, JSON
    companion TEXT NOT NULL         -- the version that refereed
) STRICT;

CREATE TABLE endings (
    game_id INTEGER NOT NULL REFERENCES games (id),
    wall_utc TEXT NOT NULL,
    mono_s REAL NOT NULL,
    winner TEXT,                    -- null: shared
    scores TEXT NOT NULL            -- JSON object; null: the end was taken back
) STRICT;

-- Everything that moved the table, in order: fed to a new table they give the same table.
CREATE TABLE inputs (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id),
    wall_utc TEXT NOT NULL,
    mono_s REAL NOT NULL,
    device_s REAL,                  -- the board's clock, if it has one
    body TEXT NOT NULL              -- JSON: a sensed event with its reasons, a tap, time passed
) STRICT;
CREATE INDEX inputs_of_game ON inputs (game_id, id);

-- An amendment or an undo takes the commands from a position on out and puts others there.
CREATE TABLE revisions (
    game_id INTEGER NOT NULL REFERENCES games (id),
    revision INTEGER NOT NULL,
    from_position INTEGER NOT NULL,
    input_id INTEGER NOT NULL REFERENCES inputs (id),
    PRIMARY KEY (game_id, revision)
) STRICT;

CREATE TABLE commands (
    game_id INTEGER NOT NULL REFERENCES games (id),
    position INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    act INTEGER NOT NULL,           -- the number that the table gave it
    mono_s REAL NOT NULL,           -- when it was done, not when it was decided
    body TEXT NOT NULL,
    input_id INTEGER NOT NULL REFERENCES inputs (id),
    PRIMARY KEY (game_id, position, revision)
) STRICT;

CREATE TABLE rulings (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id),
    input_id INTEGER NOT NULL REFERENCES inputs (id),
    act INTEGER NOT NULL,
    wall_utc TEXT NOT NULL,
    mono_s REAL NOT NULL,
    amended INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX rulings_of_game ON rulings (game_id, id);

-- Refusals, notices, questions and their answers; of a simulated table also who holds what.
CREATE TABLE remarks (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id),
    input_id INTEGER NOT NULL REFERENCES inputs (id),
    wall_utc TEXT NOT NULL,
    mono_s REAL NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX remarks_of_game ON remarks (game_id, id);

CREATE VIEW standing_commands AS
    SELECT * FROM commands AS command WHERE NOT EXISTS (
        SELECT 1 FROM revisions AS later
        WHERE later.game_id = command.game_id
            AND later.revision > command.revision
            AND later.from_position <= command.position
    );
"""


_STANDING_ENDINGS = """
CREATE TEMP VIEW standing_endings AS
    SELECT * FROM endings AS ending WHERE scores <> 'null' AND rowid = (
        SELECT max(rowid) FROM endings WHERE game_id = ending.game_id
    );
"""
"""The newest of each game, unless it was taken back. It is no part of the file, so that journals
which were made without it are read alike."""


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns what SQLite says into a sentence for people.

    Raises:
        JournalError: in place of every error of SQLite, and of text that is none.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _refused(path, error) from error
    except UnicodeDecodeError as error:
        raise _damaged(path) from error


def kept(path: Path, body: str, kind: type[Kept]) -> Kept:
    """What a column of JSON says.

    Raises:
        JournalError: it says something else, or nothing that can be read.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> DamagedJournal:
    return DamagedJournal(
        f"The journal {path} is damaged: move it away, or name another with --journal."
    )


def _refused(path: Path, error: sqlite3.Error) -> JournalError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT):
        return _damaged(path)
    says = f"cannot be used ({error}): check the disk"
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        says = "is locked by another program: close it, then try again"
    if primary == sqlite3.SQLITE_FULL:
        says = "cannot be written because the disk is full: free some space"
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        says = "cannot be written: check the folder and its rights"
    if primary == sqlite3.SQLITE_CANTOPEN:
        says = "cannot be opened: check the folder and its rights"
    return JournalError(f"The journal {path} {says}.")


def open_file(path: Path, *, writable: bool) -> sqlite3.Connection:
    """The journal's database, made if it is new and `writable`.

    Raises:
        JournalError: missing, damaged, locked, of a newer companion, or not writable.
    """
    if not writable and not path.exists():
        raise JournalError(f"There is no journal at {path}: nothing has been played yet.")
    if writable:
        _make_folder(path.parent)
    with explained(path):
        how = "mode=rwc" if writable else _for_reading(path)
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?{how}", uri=True, timeout=5.0, isolation_level=None
        )
    try:
        with explained(path):
            _prepare(database, path, writable=writable)
    except JournalError:
        database.close()
        raise
    return database


def _for_reading(path: Path) -> str:
    """How to open a journal that is only read; SQLite wants to write beside it even then, unless it
    is told that nobody changes it.

    Raises:
        JournalError: what was written last lies in a file of its own, which only one who may write
            in the folder can join to the rest.
    """
    if os.access(path.parent, os.W_OK, effective_ids=True):
        return "mode=ro"
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    if not log.exists() or not log.stat().st_size:
        return "mode=ro&immutable=1"
    if not index.exists():
        raise JournalError(
            f"The journal {path} cannot be read where nothing can be written, because its end is "
            f"still in {log.name}: copy both into a folder of your own and name it with --journal."
        )
    return "mode=ro"


def set_aside(path: Path, when: WallUtc) -> Path:
    """Moves a damaged journal out of the way, with all that belongs to it; says where it is kept.

    Raises:
        JournalError: the folder cannot be written.
    """
    kept_as = path.with_name(f"{path.name}.damaged-{when[:19].replace(':', '')}")
    try:
        for ending in ("-wal", "-shm", ""):
            part = path.with_name(path.name + ending)
            if part.exists():
                part.rename(kept_as.with_name(kept_as.name + ending))
    except OSError as error:
        raise JournalError(
            f"The damaged journal {path} cannot be moved away ({error.strerror}): "
            "name another with --journal."
        ) from error
    return kept_as


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(
            f"The folder {folder} for the journal cannot be made ({error.strerror}): "
            "name another journal with --journal."
        ) from error


def _prepare(database: sqlite3.Connection, path: Path, *, writable: bool) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    owner = database.execute("PRAGMA application_id").fetchone()[0]
    made = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if made and owner != APPLICATION_ID:
        raise JournalError(f"{path} is no journal of this companion: name another with --journal.")
    if version > SCHEMA_VERSION:
        raise JournalError(
            f"The journal {path} was written by a newer companion (format {version}, this one "
            f"knows {SCHEMA_VERSION}): update the companion, or name another with --journal."
        )
    if database.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise _damaged(path)
    if writable:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        if not made:
            _create(database)
    elif not made:
        raise JournalError(f"The journal {path} is empty: nothing has been played yet.")
    database.execute(_STANDING_ENDINGS)


def _create(database: sqlite3.Connection) -> None:
    triggers = "".join(
        f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;\n"
        for table in _TABLES
        for verb in ("UPDATE", "DELETE")
    )
    database.executescript(
        f"BEGIN IMMEDIATE; {_SCHEMA} {triggers} PRAGMA application_id = {APPLICATION_ID}; "
        f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
    )


def lock_for_play(path: Path) -> FileIO:
    """Holds the journal for one `tippo play`; released when the file is closed.

    Raises:
        JournalError: another one is playing with it.
    """
    _make_folder(path.parent)
    lock_path = Path(f"{path}.lock")
    try:
        lock = FileIO(lock_path, "w")
    except OSError as error:
        raise JournalError(
            f"The journal {path} cannot be written here ({error.strerror}): "
            "name another with --journal."
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise JournalError(
            f"The journal {path} is in use: another game is running. Finish it, or name another "
            "with --journal."
        ) from None
    return lock
