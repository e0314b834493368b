"""Tells what the journal holds: the list of games, or one game, in words, as JSON or as CSV.

It never writes to the journal.
"""

import sys
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.config import load_settings, places
from companion.display.telling import Teller
from companion.games.decode import decode_command
from companion.games.rulings import Ruling
from companion.journal.history import (
    GameHistory,
    History,
    PlayedGame,
    as_json,
    write_game_csv,
    write_games_csv,
)

WIDE_ENOUGH = 72
"""Columns in which a table of games can be read."""


class Form(StrEnum):
    WORDS = "words"
    JSON = "json"
    CSV = "csv"


def show(
    number: int | None, form: Form, *, journal: Path | None = None, settings: Path | None = None
) -> None:
    """Writes to standard output.

    Raises:
        JournalError: there is no journal, or it cannot be read.
        BadInput: there is no game of that number.
    """
    path = journal or places(load_settings(settings), settings).journal
    with History(path) as history:
        if number is None:
            _show_games(history.games(), form)
        else:
            _show_game(history.game(number), form)


def _show_games(games: list[PlayedGame], form: Form) -> None:
    match form:
        case Form.JSON:
            sys.stdout.write(as_json(games) + "\n")
        case Form.CSV:
            write_games_csv(games, sys.stdout)
        case Form.WORDS:
            console = Console()
            if console.width < WIDE_ENOUGH:
                _tell_games(games, console)
                return
            table = Table("no.", "began", "game", "rounds", "scores", "winner", "played on")
            for game in games:
                table.add_row(
                    str(game.number),
                    _moment(game.began_wall_utc),
                    game.game,
                    str(game.rounds),
                    Text(_scores(game)),
                    Text(_end(game)),
                    Text(game.board),
                )
            console.print(table)


def _tell_games(games: list[PlayedGame], console: Console) -> None:
    """The list where a table has no room."""
    for game in games:
        rounds = f"{game.rounds} round{'s' if game.rounds != 1 else ''}"
        console.print(f"{game.number}. {game.game}, {_moment(game.began_wall_utc)}", markup=False)
        console.print(Text(f"   {rounds}: {_scores(game)}"))
        console.print(Text(f"   {_end(game, before='won by ')}, on {game.board}"))


def _end(game: PlayedGame, *, before: str = "") -> str:
    if game.winner is not None:
        return f"{before}{game.winner}"
    return "shared" if game.ended_wall_utc else "not finished"


def _show_game(history: GameHistory, form: Form) -> None:
    match form:
        case Form.JSON:
            sys.stdout.write(as_json(history) + "\n")
        case Form.CSV:
            write_game_csv(history, sys.stdout)
        case Form.WORDS:
            _tell(history, Console())


def _tell(history: GameHistory, console: Console) -> None:
    game = history.game
    console.print(
        f"Game {game.number}: {game.game}, {_moment(game.began_wall_utc)}, on {game.board}",
        style="bold",
        markup=False,
    )
    teller = Teller(game.game)
    for act in history.acts:
        lines = [teller.told(decode_command(act.command))]
        lines += [teller.ruled(_ruling(ruling)) for ruling in act.rulings]
        for line in lines:
            if line is not None:
                console.print(Text(f"{_clock(act.mono_s)}  {line.text}", style=line.style))
    for remark in history.remarks:
        text = remark.body.get("message") or remark.body.get("text", "")
        answer = remark.body.get("answer")
        told = f"{_clock(remark.mono_s)}  {remark.kind}: {text}"
        console.print(Text(f"{told} {answer}" if answer else told, style="dim"))
    console.print(Text(_scores(game), style="bold"))


def _ruling(fields: dict[str, Any]) -> Ruling:
    ruling: Ruling = msgspec.convert(fields, Ruling)
    return ruling


def _clock(mono_s: float) -> str:
    minutes, seconds = divmod(int(mono_s), 60)
    return f"{minutes:4d}:{seconds:02d}"


def _moment(wall_utc: str) -> str:
    """In the time of the place, as people remember it."""
    try:
        moment = datetime.fromisoformat(wall_utc).astimezone()
    except (ValueError, OverflowError):
        return wall_utc[:16].replace("T", " ")
    return f"{moment:%Y-%m-%d %H:%M}"


def _scores(game: PlayedGame) -> str:
    return ", ".join(f"{player} {game.scores.get(player, 0)}" for player in game.players)
