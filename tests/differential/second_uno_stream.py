"""A second referee of the games with one pile as a stream: the form of a command, `start`, `undo`.

It shares nothing with the first, answers as it does but for sentences and rule numbers, and
decides nothing of a round itself.
"""

import json
from collections.abc import Callable
from typing import Any

Ruling = dict[str, Any]
GAMES = ("tippo", "classic", "battle", "rummy_up")
FIELDS = {
    "start": ("game players", "dealer options force"),
    "deal": ("", "left right top table colour colours"),
    "play": ("card", "player tray colour"),
    "draw": ("", "player count"),
    "pass": ("", ""),
    "colour": ("colour", "tray"),
    "uno": ("player", ""),
    "catch": ("player", "by"),
    "drop": ("", "card"),
    "spill": ("", "trays by no_fault"),
    "reset": ("", ""),
    "settled": ("", ""),
    "challenge": ("guilty", "by"),
    "accept": ("", ""),
    "defend": ("card", "colour"),
    "meld": ("table", "effects"),
    "hands": ("", "hands points force"),
    "leave": ("player", ""),
    "join": ("player", "seat"),
    "correct": ("", "turn direction hand left right top colour"),
    "undo": ("", ""),
}
"""What each command, of any game, must and may have."""


class No(Exception):
    """A refusal; its text is the code."""


def need(good: bool, code: str = "bad_input") -> None:
    if not good:
        raise No(code)


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_flag(value: object) -> bool:
    return isinstance(value, bool)


def is_number(value: object) -> bool:
    return type(value) is int and value >= 0


def one_of(*values: object) -> Callable[[object], bool]:
    return lambda value: any(value == one and type(value) is type(one) for one in values)


def list_of(what: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(what, value))


def object_of(what: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and all(map(what, value.values()))


GOOD: dict[str, Callable[[object], bool]] = {
    "do": one_of(*FIELDS),
    "game": one_of(*GAMES),
    "players": list_of(is_text),
    "options": object_of(lambda value: is_text(value) or is_number(value)),
    **dict.fromkeys(("dealer", "player", "by", "turn", "card", "left", "right", "top"), is_text),
    **dict.fromkeys(("force", "guilty", "no_fault"), is_flag),
    **dict.fromkeys(("count", "seat"), is_number),
    "table": lambda value: isinstance(value, list),
    "colour": one_of(*"RYGB"),
    "colours": object_of(one_of(*"RYGB")),
    "tray": one_of("left", "right"),
    "trays": list_of(one_of("left", "right")),
    "effects": object_of(is_text),
    "hands": object_of(list_of(is_text)),
    "points": object_of(is_number),
    "direction": one_of(1, -1),
    "hand": object_of(is_number),
}


def read(line: str) -> dict[str, Any]:
    """The command of a line, whatever the game."""
    try:
        command = json.loads(line)
    except ValueError:
        raise No("bad_input") from None
    need(isinstance(command, dict) and GOOD["do"](command.get("do")))
    must, may = (names.split() for names in FIELDS[command["do"]])
    need(set(must) <= set(command) <= {"do", *must, *may})
    need(all(GOOD[name](value) for name, value in command.items()))
    return dict(command)


def agreed(known: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """The house rules of a game: a tuple has its values, the default first; a number is one."""
    options = {name: one[0] if isinstance(one, tuple) else one for name, one in known.items()}
    for name, value in named.items():
        need(name in known)
        if isinstance(known[name], tuple):
            need(one_of(*known[name])(value))
        else:
            need(is_number(value) and value >= (name == "target"))
        options[name] = value
    return options


class SecondStream:
    """Answers the lines of a stream. `games` gives for each game the class of its table."""

    def __init__(self, games: dict[str, Any]) -> None:
        self.games = games
        self.n = 0
        self.table: Any = None
        self.before: list[Any] = []

    def answer(self, line: str) -> dict[str, Any] | None:
        if not line.strip() or line.startswith("#"):
            return None
        self.n += 1
        try:
            said: dict[str, Any] = {"ok": True, "rulings": self.obey(**read(line))}
        except No as code:
            said = {"ok": False, "error": str(code)}
        return {"n": self.n, **said, "state": self.table and self.table.state()}

    def obey(self, do: str, **fields: Any) -> list[Ruling]:
        if do == "start":
            self.start(**fields)
            return []
        need(self.table is not None, "no_game")
        if do == "undo":
            need(bool(self.before), "nothing_to_undo")
            self.table = self.before.pop()
            return [{"ruling": "turn", "player": self.table.turn}]
        later = self.table.copy()
        rulings: list[Ruling] = later.obey(do, fields, self.table)
        self.before.append(self.table)
        self.table = later
        return rulings

    def start(
        self,
        game: str,
        players: list[str],
        dealer: str | None = None,
        options: dict[str, Any] | None = None,
        force: bool = False,
    ) -> None:
        need(2 <= len(players) <= 10 and all(players) and len(set(players)) == len(players))
        rules = agreed(self.games[game].OPTIONS, options or {})
        running = self.table is not None and self.table.phase != "game_over"
        need(force or not running, "game_running")
        need(dealer is None or dealer in players, "unknown_player")
        self.table = self.games[game](players, dealer or players[0], rules)
        self.before = []
