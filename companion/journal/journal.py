"""Writes the journal: one transaction for each step of the table, flushed before it is shown.

It never changes what it has written; an amendment is written down as one.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from io import FileIO
from pathlib import Path
from typing import Any, Self

import msgspec

from companion.errors import JournalError
from companion.games.commands import Start
from companion.games.referee import Phase
from companion.games.rulings import GameOver
from companion.journal.schema import HOLDING, explained, kept, lock_for_play, open_file
from companion.table.inputs import Input, decode_input, encode_input, time_of
from companion.table.outcomes import (
    Answered,
    Asked,
    Began,
    Declined,
    Noticed,
    Outcome,
    Ruled,
)
from companion.table.step import Step
from companion.table.timeline import Entry
from companion.units import DeviceSeconds, MonoSeconds, WallUtc


@dataclass(frozen=True, slots=True)
class Board:
    """What a game is played on; `plan` says how to make a simulated table again."""

    description: str
    simulated: bool = False
    plan: dict[str, Any] = field(default_factory=dict)


UNKNOWN_BOARD = Board("no scale")

REMEMBERED_GAMES = 100
"""So many games back somebody who played counts as known."""

GOES_ON: tuple[str | None, str] = (None, "null")
"""In place of winner and scores while a game goes on."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that can be gone on with."""

    number: int
    began_wall_utc: str
    game: str
    players: tuple[str, ...]
    plan: dict[str, Any]
    last_s: float
    """The table's time goes on from here."""
    holding: dict[str, Any] | None = None
    """Who held which cards at a simulated table, if its plan alone does not say."""


class Journal:
    """The open journal of a running companion. At most one game is written at a time."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: FileIO) -> None:
        self.path = path
        self._database = database
        self._lock = lock
        self._game: int | None = None
        self._written: list[Entry] = []
        self._revision = 0
        self._ending = GOES_ON

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens the journal for one player, made if it is new.

        Raises:
            JournalError: in use, damaged, locked, not writable, or of a newer companion.
        """
        lock = lock_for_play(path)
        try:
            return cls(path, open_file(path, writable=True), lock)
        except JournalError:
            lock.close()
            raise

    def close(self) -> None:
        """May be called twice."""
        self._database.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- going on with a game ---------------------------------------------------------------

    def unfinished(self, *, simulated: bool) -> Unfinished | None:
        """The newest game on a real or a simulated scale, if it has not ended."""
        with explained(self.path):
            row = self._database.execute(
                "SELECT id, wall_utc, game, players, plan, "
                "(SELECT max(mono_s) FROM inputs WHERE game_id = games.id), "
                "(SELECT body FROM remarks WHERE game_id = games.id AND kind = ? "
                "ORDER BY id DESC LIMIT 1) FROM games "
                "WHERE id = (SELECT max(id) FROM games WHERE simulated = ?) "
                "AND id NOT IN (SELECT game_id FROM standing_endings)",
                (HOLDING, simulated),
            ).fetchone()
        if row is None:
            return None
        number, began, game, players, plan, last_s, holding = row
        return Unfinished(
            number,
            began,
            game,
            kept(self.path, players, tuple[str, ...]),
            kept(self.path, plan, dict[str, Any]),
            last_s or 0.0,
            None if holding is None else kept(self.path, holding, dict[str, Any]),
        )

    def names(self, *, simulated: bool) -> tuple[str, ...]:
        """Who has played on a real or a simulated scale, whoever played last first."""
        with explained(self.path):
            rows = self._database.execute(
                "SELECT players FROM games WHERE simulated = ? ORDER BY id DESC LIMIT ?",
                (simulated, REMEMBERED_GAMES),
            ).fetchall()
        tables = (kept(self.path, players, tuple[str, ...]) for (players,) in rows)
        return tuple(dict.fromkeys(name for players in tables for name in players))

    def inputs(self, game: int) -> Iterator[Input]:
        """Everything that moved the table in a game, from its beginning.

        Raises:
            JournalError: a line is damaged, or of a companion that this one does not know.
        """
        with explained(self.path):
            rows = self._database.execute(
                "SELECT id, body FROM inputs WHERE game_id = ? ORDER BY id", (game,)
            )
            for number, body in rows:
                try:
                    yield decode_input(body)
                except (ValueError, RecursionError) as error:
                    raise JournalError(
                        f"The journal {self.path} cannot be read at input {number} ({error}): "
                        "start a new game with --new."
                    ) from error

    def go_on_with(self, game: int, entries: Sequence[Entry]) -> None:
        """The table is as it was: what follows belongs to this game."""
        with explained(self.path):
            row = self._database.execute(
                "SELECT coalesce(max(revision), 0) FROM revisions WHERE game_id = ?", (game,)
            ).fetchone()
        self._game, self._revision = game, int(row[0])
        self._written, self._ending = list(entries), GOES_ON

    # --- writing ----------------------------------------------------------------------------

    def write(
        self,
        steps: Iterable[Step],
        entries: Sequence[Entry],
        *,
        wall: WallUtc,
        board: Board = UNKNOWN_BOARD,
        prelude: Sequence[Input] = (),
        holding: dict[str, Any] | None = None,
    ) -> None:
        """Makes one step durable: its inputs, rulings and remarks, and the acts that now stand.

        A step that begins a game begins it here too; `prelude` are the inputs that bring a new
        table to where this one stood then; `holding` says who holds which cards at a simulated
        table. When it returns, the step survives a pulled plug.

        Raises:
            JournalError: it could not be written, and nothing of it was; the step may be
                written again.
        """
        before = (self._game, self._revision, self._written, self._ending)
        try:
            with explained(self.path):
                self._database.execute("BEGIN IMMEDIATE")
                last_input = 0
                for step in steps:
                    last_input = self._write_step(step, wall, board, prelude) or last_input
                if last_input:
                    self._write_acts(entries, last_input)
                    self._write_ending(entries, wall)
                    if holding is not None:
                        self._write_remark(last_input, wall, HOLDING, holding)
                self._database.execute("COMMIT")
        except JournalError:
            self._game, self._revision, self._written, self._ending = before
            if self._database.in_transaction:
                self._database.rollback()
            raise

    def _write_step(
        self, step: Step, wall: WallUtc, board: Board, prelude: Sequence[Input]
    ) -> int | None:
        for outcome in step.outcomes:
            if isinstance(outcome, Began):
                self._begin(outcome.start, time_of(step.given), wall, board)
                for given in prelude:
                    self._write_input(given, None, wall)
        if self._game is None:
            return None
        number = self._write_input(step.given, step.device_s, wall)
        for outcome in step.outcomes:
            self._write_outcome(outcome, number, wall)
        return number

    def _begin(self, start: Start, at_s: MonoSeconds, wall: WallUtc, board: Board) -> None:
        cursor = self._database.execute(
            "INSERT INTO games (wall_utc, mono_s, game, players, start, board, simulated, plan, "
            "companion) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                wall,
                at_s,
                start.game,
                _json(start.players),
                _json(start),
                board.description,
                board.simulated,
                _json(board.plan),
                version("tippo-companion"),
            ),
        )
        self._game, self._revision, self._written = cursor.lastrowid, 0, []
        self._ending = GOES_ON

    def _write_input(self, given: Input, device_s: DeviceSeconds | None, wall: WallUtc) -> int:
        cursor = self._database.execute(
            "INSERT INTO inputs (game_id, wall_utc, mono_s, device_s, body) VALUES (?, ?, ?, ?, ?)",
            (self._game, wall, time_of(given), device_s, encode_input(given)),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _write_outcome(self, outcome: Outcome, input_id: int, wall: WallUtc) -> None:
        if isinstance(outcome, Began):
            return
        if isinstance(outcome, Ruled):
            self._database.execute(
                "INSERT INTO rulings (game_id, input_id, act, wall_utc, mono_s, amended, body) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    self._game,
                    input_id,
                    outcome.act,
                    wall,
                    outcome.at_s,
                    outcome.amended,
                    _json(outcome.ruling),
                ),
            )
            return
        kind, body = _remark(outcome)
        self._write_remark(input_id, wall, kind, body, outcome.at_s)

    def _write_remark(
        self,
        input_id: int,
        wall: WallUtc,
        kind: str,
        body: dict[str, Any],
        at_s: float | None = None,
    ) -> None:
        """Without `at_s` at the time of the input."""
        self._database.execute(
            "INSERT INTO remarks (game_id, input_id, wall_utc, mono_s, kind, body) "
            "VALUES (?, ?, ?, coalesce(?, (SELECT mono_s FROM inputs WHERE id = ?)), ?, ?)",
            (self._game, input_id, wall, at_s, input_id, kind, _json(body)),
        )

    def _write_ending(self, entries: Sequence[Entry], wall: WallUtc) -> None:
        """Writes an end as it now stands: also another one, or none any more, after an undo."""
        last = entries[-1] if entries else None
        ending, at_s = GOES_ON, MonoSeconds(0.0)
        if last is not None and last.game.state.phase is Phase.GAME_OVER:
            winner = next((r.winner for r in last.rulings if isinstance(r, GameOver)), None)
            ending, at_s = (winner, _json(dict(last.game.state.scores))), last.act.at_s
        if ending == self._ending:
            return
        self._database.execute(
            "INSERT INTO endings (game_id, wall_utc, mono_s, winner, scores) "
            "VALUES (?, ?, ?, ?, ?)",
            (self._game, wall, at_s, *ending),
        )
        self._ending = ending

    def _write_acts(self, entries: Sequence[Entry], input_id: int) -> None:
        standing = _common_length(self._written, entries)
        if standing < len(self._written):
            self._revision += 1
            self._database.execute(
                "INSERT INTO revisions (game_id, revision, from_position, input_id) "
                "VALUES (?, ?, ?, ?)",
                (self._game, self._revision, standing, input_id),
            )
        self._database.executemany(
            "INSERT INTO commands (game_id, position, revision, act, mono_s, body, input_id) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    self._game,
                    position,
                    self._revision,
                    entry.number,
                    entry.act.at_s,
                    _json(entry.command),
                    input_id,
                )
                for position, entry in enumerate(entries[standing:], start=standing)
            ),
        )
        self._written = self._written[:standing] + list(entries[standing:])


def _common_length(written: Sequence[Entry], entries: Sequence[Entry]) -> int:
    """How many acts, from the first, stand as they were written."""
    length = min(len(written), len(entries))
    for position in range(length):
        old, new = written[position], entries[position]
        if old is not new and (old.number, old.command) != (new.number, new.command):
            return position
    return length


def _remark(outcome: Declined | Noticed | Asked | Answered) -> tuple[str, dict[str, Any]]:
    match outcome:
        case Declined():
            refusal = outcome.refusal
            return "refused", {
                "code": refusal.code,
                "message": refusal.message,
                "rule": refusal.rule,
                "no_longer": outcome.no_longer,
            }
        case Noticed():
            return "notice", {"notice": outcome.kind, "text": outcome.text}
        case Asked():
            question = outcome.question
            return "question", {
                "question": question.number,
                "text": question.text,
                "answers": question.answers,
            }
        case Answered():
            return "answer", {
                "question": outcome.question.number,
                "text": outcome.question.text,
                "answer": outcome.answer,
                "by_tap": outcome.by_tap,
            }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
