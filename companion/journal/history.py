"""Reads the journal for people: which games there were, and one game as it was played.

It opens the file for reading only, also while a game is running.
"""

import csv
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self, TextIO

import msgspec

from companion.errors import BadInput, JournalError
from companion.games.commands import Start
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.games.rulings import Ruling
from companion.journal.schema import HOLDING, explained, kept, open_file


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One line of the list of games."""

    number: int
    began_wall_utc: str
    ended_wall_utc: str | None
    """None while it can be gone on with, or was given up."""
    game: str
    players: tuple[str, ...]
    rounds: int
    winner: str | None
    scores: dict[str, int]
    board: str


@dataclass(frozen=True, slots=True)
class PlayedAct:
    """One command as it stands in the end, with what is ruled by it as it stands."""

    position: int
    act: int
    mono_s: float
    wall_utc: str
    command: dict[str, Any]
    rulings: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """A refusal, notice, question or answer."""

    mono_s: float
    wall_utc: str
    kind: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """A sensed event with the judge's reasons."""

    mono_s: float
    device_s: float | None
    wall_utc: str
    event: dict[str, Any]


@dataclass(frozen=True, slots=True)
class GameHistory:
    """Everything of one game."""

    game: PlayedGame
    start: dict[str, Any]
    acts: tuple[PlayedAct, ...]
    events: tuple[PlayedEvent, ...]
    remarks: tuple[Remark, ...]


class _Given(msgspec.Struct):
    """Of an input what was sensed, if anything was."""

    event: dict[str, Any] | None = None


class History:
    """A journal opened for reading."""

    def __init__(self, path: Path) -> None:
        """Raises JournalError: missing, damaged, locked, or of a newer companion."""
        self._path = path
        self._database = open_file(path, writable=False)

    def close(self) -> None:
        """May be called twice."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def games(self) -> list[PlayedGame]:
        """All games, oldest first."""
        return self._games(None)

    def _games(self, only: int | None) -> list[PlayedGame]:
        with explained(self._path):
            rows = self._database.execute(
                "SELECT g.id, g.wall_utc, e.wall_utc, g.game, g.players, "
                "(SELECT count(*) FROM standing_commands c WHERE c.game_id = g.id "
                " AND json_extract(c.body, '$.do') = 'deal'), e.winner, e.scores, g.board "
                "FROM games g LEFT JOIN standing_endings e ON e.game_id = g.id "
                "WHERE ?1 IS NULL OR g.id = ?1 ORDER BY g.id",
                (only,),
            ).fetchall()
        return [
            PlayedGame(
                number=number,
                began_wall_utc=began,
                ended_wall_utc=ended,
                game=game,
                players=kept(self._path, players, tuple[str, ...]),
                rounds=rounds,
                winner=winner,
                scores=self._scores(number)
                if scores is None
                else kept(self._path, scores, dict[str, int]),
                board=board,
            )
            for number, began, ended, game, players, rounds, winner, scores, board in rows
        ]

    def _scores(self, number: int) -> dict[str, int]:
        """Of a game that has not ended."""
        scores: Mapping[str, int] = {}
        for game, _ in self._refereed(number):
            scores = game.state.scores
        return dict(scores)

    def game(self, number: int) -> GameHistory:
        """One game.

        Raises:
            BadInput: there is no game of that number.
        """
        # SQLite's numbers have 63 bits.
        found = self._games(number) if 0 < number < 2**63 else []
        if not found:
            raise BadInput(f"there is no game {number}: `tippo history` lists them")
        with explained(self._path):
            start = self._database.execute(
                "SELECT start FROM games WHERE id = ?", (number,)
            ).fetchone()
            return GameHistory(
                found[0],
                kept(self._path, start[0], dict[str, Any]),
                tuple(self._acts(number)),
                tuple(self._events(number)),
                tuple(self._remarks(number)),
            )

    def _acts(self, number: int) -> Iterator[PlayedAct]:
        rows = self._database.execute(
            "SELECT c.position, c.act, c.mono_s, i.wall_utc, c.body FROM standing_commands c "
            "JOIN inputs i ON i.id = c.input_id WHERE c.game_id = ? ORDER BY c.position",
            (number,),
        ).fetchall()
        refereed = list(self._refereed(number))
        if len(refereed) < len(rows):
            raise JournalError(
                f"Game {number} of the journal {self._path} was refereed by another version, whose "
                "rules this one does not know: read it with that one."
            )
        for (position, act, mono_s, wall_utc, body), (_, rulings) in zip(
            rows, refereed, strict=True
        ):
            told = tuple(msgspec.to_builtins(ruling) for ruling in rulings)
            command = kept(self._path, body, dict[str, Any])
            yield PlayedAct(position, act, mono_s, wall_utc, command, told)

    def _refereed(self, number: int) -> Iterator[tuple[Game, tuple[Ruling, ...]]]:
        """The game after each command that stands, with its rulings, up to one that is refused.

        They are made again, because of an act that was amended the table was told both what was
        ruled first and what is ruled instead.
        """
        with explained(self._path):
            start = self._database.execute(
                "SELECT start FROM games WHERE id = ?", (number,)
            ).fetchone()
            commands = self._database.execute(
                "SELECT body FROM standing_commands WHERE game_id = ? ORDER BY position", (number,)
            ).fetchall()
        with suppress(BadInput):
            game = Game.begin(kept(self._path, start[0], Start))
            for (body,) in commands:
                answer = game if isinstance(game, Refusal) else game.apply(decode_command(body))
                if isinstance(answer, Refusal):
                    return
                game, accepted = answer
                yield game, accepted.rulings

    def _events(self, number: int) -> Iterator[PlayedEvent]:
        for mono_s, device_s, wall_utc, body in self._select(
            "mono_s, device_s, wall_utc, body", "inputs", number
        ):
            given = kept(self._path, body, _Given)
            if given.event is not None:
                yield PlayedEvent(mono_s, device_s, wall_utc, given.event)

    def _remarks(self, number: int) -> Iterator[Remark]:
        for mono_s, wall_utc, kind, body in self._select(
            "mono_s, wall_utc, kind, body", "remarks", number
        ):
            if kind == HOLDING:
                continue
            yield Remark(mono_s, wall_utc, kind, kept(self._path, body, dict[str, Any]))

    def _select(self, columns: str, table: str, number: int) -> sqlite3.Cursor:
        return self._database.execute(
            f"SELECT {columns} FROM {table} WHERE game_id = ? ORDER BY id",  # noqa: S608 - constants
            (number,),
        )


def as_json(value: object) -> str:
    """A list of games, or a game, as JSON for other programs."""
    if isinstance(value, list):
        return json.dumps([asdict(game) for game in value], ensure_ascii=False, indent=2)
    assert isinstance(value, GameHistory)
    return json.dumps(asdict(value), ensure_ascii=False, indent=2)


def write_games_csv(games: list[PlayedGame], out: TextIO) -> None:
    """One row for each player of each game: a spreadsheet can sort and sum it."""
    writer = csv.writer(out)
    writer.writerow(
        ["game", "began", "ended", "kind", "rounds", "player", "seat", "score", "winner"]
    )
    for game in games:
        for seat, player in enumerate(game.players):
            writer.writerow(
                [
                    game.number,
                    game.began_wall_utc,
                    game.ended_wall_utc or "",
                    game.game,
                    game.rounds,
                    player,
                    seat,
                    game.scores.get(player, 0),
                    int(player == game.winner),
                ]
            )


def write_game_csv(history: GameHistory, out: TextIO) -> None:
    """One row for each ruling, with the command that it came from."""
    writer = csv.writer(out)
    writer.writerow(["position", "mono_s", "wall_utc", "do", "ruling", "player", "detail", "rule"])
    for act in history.acts:
        for ruling in act.rulings:
            rest = {
                key: value
                for key, value in ruling.items()
                if key not in ("ruling", "player", "rule")
            }
            writer.writerow(
                [
                    act.position,
                    act.mono_s,
                    act.wall_utc,
                    act.command["do"],
                    ruling["ruling"],
                    ruling.get("player", ruling.get("by") or ""),
                    json.dumps(rest, ensure_ascii=False) if rest else "",
                    ruling.get("rule", ""),
                ]
            )
