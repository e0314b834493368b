"""The second referee of Rummy Up as a stream: the form of a command, its time, its house rules.

It answers as the first one does, but for sentences and rule numbers, and decides nothing of a
round itself.
"""

import copy
import json
from typing import Any

from tests.differential.second_rummy_board import No
from tests.differential.second_rummy_up import Ruling, Table, ruling

OTHER_GAMES = (
    *("play", "colour", "drop", "spill", "reset", "settled"),
    *("challenge", "accept", "defend"),
)
FIELDS: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "start": ({"game": str, "players": list}, {"dealer": str, "options": dict, "force": bool}),
    "deal": ({"table": list}, {}),
    "draw": ({}, {"player": str}),
    "pass": ({}, {}),
    "uno": ({"player": str}, {}),
    "catch": ({"player": str}, {"by": str}),
    "meld": ({"table": list}, {"effects": dict}),
    "hands": ({}, {"hands": dict, "points": dict, "force": bool}),
    "leave": ({"player": str}, {}),
    "join": ({"player": str}, {"seat": int}),
    "correct": ({}, {"turn": str, "direction": int, "hand": dict}),
    "undo": ({}, {}),
}
"""What each command must and may have."""
ON_TURN = ("play", "drawn")
PHASES: dict[str, tuple[str, ...]] = {
    "deal": ("setup",),
    "draw": ON_TURN,
    "pass": ON_TURN,
    "meld": ON_TURN,
    "correct": ON_TURN,
    "uno": (*ON_TURN, "hands"),
    "catch": (*ON_TURN, "hands"),
    "leave": (*ON_TURN, "hands", "setup"),
    "join": ("setup",),
    "hands": ("hands",),
}
HOUSE_RULES: dict[str, tuple[Any, ...] | int] = {
    "reverse_2p": ("skip", "none"),
    "next_dealer": ("left", "winner"),
    "misplay_penalty": (0, 1, 2),
    "false_call_penalty": (0, 2),
    "uno_penalty": 2,
    "grace_seconds": 0,
    "target": 200,
}
"""The values of each house rule, the first one the default; or a default that is any number."""
MISPLAYS = ("tiles_missing", "illegal_meld", "only_the_drawn_card", "too_many_tiles")
FALSE_CALLS = ("nothing_to_call", "not_at_one", "already_called", "too_late")


def need(good: bool) -> None:
    if not good:
        raise No("bad_input")


def are_numbers(values: Any, least: int = 0) -> bool:
    return all(type(value) is int and value >= least for value in values)


def are_texts(values: Any) -> bool:
    return all(type(value) is str for value in values)


class SecondRummyUp:
    """The table, and every table before it."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.before: list[Table] = []

    def answer(self, line: str) -> dict[str, Any]:
        """What the first referee answers, without `n`, sentences and rule numbers."""
        kept = copy.deepcopy(self.table)
        try:
            shown: dict[str, Any] = {"ok": True, "rulings": self.apply(line)}
        except No as code:
            self.table = kept
            shown = {"ok": False, "error": {"code": str(code)}}
        return {**shown, "state": copy.deepcopy(self.table.state()) if self.table else None}

    def apply(self, line: str) -> list[Ruling]:
        command = read(line)
        do = command.pop("do")
        if do == "start":
            return self.start(command)
        if do not in OTHER_GAMES:
            check_form(do, command)
        if self.table is None:
            raise No("no_game")
        if do == "undo":
            return self.undo()
        if do == "join":
            check_seat(self.table, **command)
        if self.table.phase not in PHASES.get(do, ()):
            raise No("wrong_phase")
        kept, once_more = copy.deepcopy(self.table), copy.deepcopy(self.table)
        try:
            said: list[Ruling] = getattr(self.table, f"do_{do}")(**command)
        except No as code:
            self.table = once_more
            said = instead_of_a_refusal(once_more, do, command, str(code))
        self.before.append(kept)
        return said

    def undo(self) -> list[Ruling]:
        if not self.before:
            raise No("nothing_to_undo")
        self.table = self.before.pop()
        return [ruling("turn", player=self.table.turn)]

    def start(self, command: dict[str, Any]) -> list[Ruling]:
        players, options = command["players"], command.get("options", {})
        need(command["game"] == "rummy_up")
        need(2 <= len(players) <= 4 and are_texts(players) and all(players))
        need(len(set(players)) == len(players))
        agreed: dict[str, Any] = {}
        need(set(options) <= set(HOUSE_RULES))
        for name, values in HOUSE_RULES.items():
            default = values[0] if isinstance(values, tuple) else values
            agreed[name] = options.get(name, default)
            need(type(agreed[name]) is type(default))
            if isinstance(values, tuple):
                need(agreed[name] in values)
            else:
                need(agreed[name] >= (name == "target"))
        if self.table and self.table.phase != "game_over" and not command.get("force"):
            raise No("game_running")
        dealer = command.get("dealer", players[0])
        if dealer not in players:
            raise No("unknown_player")
        nothing = dict.fromkeys(players, 0)
        self.table, self.before = Table(players, dealer, agreed, nothing, dict(nothing)), []
        return []


def read(line: str) -> dict[str, Any]:
    """A command whose fields are there, known and of their types."""
    command = json.loads(line)
    need(isinstance(command, dict) and isinstance(command.get("do"), str))
    if command["do"] in OTHER_GAMES:
        return dict(command)
    need(command["do"] in FIELDS)
    required, optional = FIELDS[command["do"]]
    types = {"do": str, **required, **optional}
    need(set(required) <= set(command) <= set(types))
    need(all(type(value) is types[name] for name, value in command.items()))
    return dict(command)


def check_form(do: str, command: dict[str, Any]) -> None:
    """What the types of fields do not say."""
    match do:
        case "deal":
            need(len(command["table"]) == 4 and are_texts(command["table"]))
        case "meld":
            melds, effects = command["table"], command.get("effects", {})
            need(all(type(meld) is list and are_texts(meld) for meld in melds))
            need(set(effects) <= {str(index) for index in range(len(melds))})
            need(set(effects.values()) <= {"draw_two", "draw_four", "skip", "reverse"})
        case "hands":
            need(("hands" in command) != ("points" in command))
            need(are_numbers(command.get("points", {}).values()))
            racks = command.get("hands", {}).values()
            need(all(type(rack) is list and are_texts(rack) for rack in racks))
        case "correct":
            need(bool(command) and command.get("direction", 1) in (1, -1))
            need(are_numbers(command.get("hand", {}).values()))
        case _:
            pass


def check_seat(table: Table, player: str, seat: int = 0) -> None:
    need(bool(player) and player not in table.players)
    need(len(table.players) < 4 and 0 <= seat <= len(table.players))


def instead_of_a_refusal(table: Table, do: str, command: dict[str, Any], code: str) -> list[Ruling]:
    """Protocol, 12: a misplay or a false call that is paid for by house rule."""
    caller = command.get("player") if do == "uno" else command.get("by")
    if do == "meld" and code in MISPLAYS:
        payer, price, reason = table.turn, table.options["misplay_penalty"], "misplay"
    elif do in ("uno", "catch") and code in FALSE_CALLS:
        payer, price, reason = caller, table.options["false_call_penalty"], "false_call"
    else:
        raise No(code)
    if not payer or not price or (reason == "false_call" and not table.hands[payer]):
        raise No(code)
    return [ruling("refused", code=code), *table.give(payer, price, "penalty", reason=reason)]
