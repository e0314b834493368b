"""People at a table of Classic or Battle who say anything: mostly what could be, often what cannot.

They never know whether a command is legal; they see what a referee shows, and what would fit.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from tests.differential.second_uno_stream import FIELDS, Ruling
from tests.differential.second_uno_table import CARDS, ON_TURN, is_wild

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jo")
COMMON: dict[str, tuple[Any, ...]] = {"misplay_penalty": (0, 1, 2), "uno_penalty": (2, 0, 3)}
HOUSE_RULES: dict[str, dict[str, tuple[Any, ...]]] = {
    "classic": {
        **COMMON,
        "false_call_penalty": (0, 2),
        "reverse_2p": ("skip", "none"),
        "next_dealer": ("left", "winner"),
        "target": (500, 100, 1),
        "scoring": ("winner", "running"),
    },
    "battle": {
        **COMMON,
        "finish_penalty": ("all", "plus_only"),
        "steal_turn": ("stealer", "original"),
        "target": (100, 30, 1),
    },
}
FAVOURITES: tuple[tuple[str, ...], ...] = (
    CARDS,
    ("W+4", "R+2", "G+2"),
    ("W+4", "W"),
    ("Rskip", "Rrev", "R+2", "W", "Gskip"),
    ("R0", "G0", "B0", "W+4"),
    ("R5", "R+2", "?", "R3"),
)
NO_CARDS = ("zzz", "", "R3!", "Tilt", "R12", "r3")
POINTS = ((0,), (0, 5), (0, 100), (0, 5, 10, 20))
BAD: tuple[dict[str, Any], ...] = (
    {"do": "zzz"},
    {"do": "play"},
    {"do": "play", "card": 5},
    {"do": "pass", "x": 1},
    {"do": "uno", "player": None},
    {"do": "correct"},
    {"do": "hands"},
    {"do": "draw", "count": "2"},
    {"do": "correct", "hand": {"Ann": -1}},
    {"do": "correct", "direction": 0},
)


class People:
    """Those at one table, with a liking for some cards and, at some tables, for drawing."""

    def __init__(self, random: Random, game: str) -> None:
        self.random, self.game = random, game
        self.favourites = random.choice(FAVOURITES)
        self.draw_much = random.random() < 0.15
        self.shorten = random.choice((0.03, 0.12))

    def start(self) -> dict[str, Any]:
        r = self.random
        players = list(NAMES[: r.choice((2, 2, 2, 3, 3, 4, 5, 7, 10))])
        rules = HOUSE_RULES[self.game]
        options = {name: r.choice(values) for name, values in rules.items() if r.random() < 0.4}
        start = {"do": "start", "game": self.game, "players": players, "options": options}
        return start | ({"dealer": r.choice(players)} if r.random() < 0.3 else {})

    def say(self, state: Ruling, fits: Callable[[str], bool]) -> dict[str, Any]:
        """One command; `fits` says of a card whether whoever is on turn could lay it."""
        r, x = self.random, self.random.random()
        if x < 0.03:
            return {"do": "undo"}
        if x < 0.04:
            return {"do": "leave", "player": self.name(state)}
        if x < 0.05:
            seat = {"seat": r.randrange(11)} if r.random() < 0.5 else {}
            return {"do": "join", "player": r.choice((*NAMES, "Zed", "")), **seat}
        if x < 0.05 + self.shorten:
            return self.correct(state, fits)
        if x < 0.2:
            return r.choice((*BAD, *(self.anything(state, fits) for _ in range(8))))
        return self.expected(state, fits) or self.turn(state, fits)

    # --- what they name -----------------------------------------------------------------------

    def name(self, state: Ruling) -> str:
        return str(self.random.choice((*state["players"] * 6, "Zoe")))

    def few(self, state: Ruling) -> str:
        """Somebody with few cards, if there is anybody."""
        few = [name for name, count in state["hands"].items() if count in (1, 2)]
        return self.random.choice(few) if few and self.random.random() < 0.8 else self.name(state)

    def card(self, state: Ruling, fits: Callable[[str], bool]) -> str:
        r, x = self.random, self.random.random()
        if x < 0.02:
            return r.choice(NO_CARDS)
        if x < 0.35:
            return r.choice((*self.favourites, "?") if x < 0.05 else self.favourites)
        if x < 0.5 and state["pile"]["top"]:
            return str(state["pile"]["top"])
        fitting = [card for card in CARDS if fits(card)] if state["phase"] in ON_TURN else []
        return r.choice(fitting if fitting and x < 0.85 else CARDS)

    def colour(self, card: str) -> dict[str, str]:
        named = self.random.random() < (0.6 if is_wild(card) else 0.02)
        return {"colour": self.random.choice("RYGB")} if named else {}

    # --- what they say ------------------------------------------------------------------------

    def anything(self, state: Ruling, fits: Callable[[str], bool]) -> dict[str, Any]:
        """Any command of any game, well-formed or nearly so."""
        r = self.random
        do = r.choice([do for do in FIELDS if do not in ("start", "spill")])
        must, may = (names.split() for names in FIELDS[do])
        values: dict[str, Any] = {
            **dict.fromkeys(("player", "by", "turn"), self.name(state)),
            **dict.fromkeys(("card", "top", "left", "right"), self.card(state, fits)),
            **dict.fromkeys(("guilty", "force"), True),
            **dict.fromkeys(("count", "seat"), r.randrange(5)),
            **{name: {} for name in ("effects", "hands", "points")},
            "hand": {self.name(state): 2},
            "direction": r.choice((1, -1)),
            "colour": "G",
            "colours": {"left": "R"},
            "tray": "left",
            "table": [],
        }
        return {
            "do": do,
            **{name: values[name] for name in must},
            **{name: values[name] for name in may if r.random() < 0.3},
        }

    def correct(self, state: Ruling, fits: Callable[[str], bool]) -> dict[str, Any]:
        r = self.random
        said: dict[str, Any] = {"hand": {self.name(state): r.choice((1, 1, 2, 2, 3))}}
        if r.random() < 0.3:
            said["turn"] = self.name(state)
        if r.random() < 0.3:
            said["direction"] = r.choice((1, -1))
        if r.random() < 0.2:
            said["top"] = self.card(state, fits)
            said |= self.colour(said["top"])
        return {"do": "correct", **said}

    def expected(self, state: Ruling, fits: Callable[[str], bool]) -> dict[str, Any] | None:
        """What the referee waits for, most of the time."""
        r = self.random
        if r.random() < 0.3:
            return None
        match state["needs"]:
            case "deal":
                top = r.choice((self.card(state, fits), r.choice(CARDS)))
                return {"do": "deal", "top": top, **self.colour(top)}
            case "colour":
                return {"do": "colour", "colour": r.choice("RYGB")}
            case "challenge":
                by = {"by": self.name(state)} if r.random() < 0.3 else {}
                guilty = r.random() < 0.5
                return r.choice(({"do": "accept"}, {"do": "challenge", "guilty": guilty, **by}))
            case "turn":
                return {"do": "correct", "turn": self.name(state)}
            case "hands":
                return self.count(state)
            case None if self.draw_much and state["phase"] in ON_TURN:
                return {"do": "pass" if state["phase"] == "drawn" else "draw"}
            case _:
                return None

    def count(self, state: Ruling) -> dict[str, Any]:
        """Everybody's cards or points; seldom somebody is forgotten, or miscounted."""
        r, points = self.random, self.random.choice(POINTS)
        losers = [name for name, count in state["hands"].items() if count or r.random() < 0.2]
        if r.random() < 0.7:
            return {"do": "hands", "points": {name: r.choice(points) for name in losers}}
        hands = {
            name: [r.choice(CARDS) for _ in range(state["hands"][name] + (r.random() < 0.03))]
            for name in losers
        }
        return {"do": "hands", "hands": hands, **r.choice(({}, {}, {"force": True}))}

    def turn(self, state: Ruling, fits: Callable[[str], bool]) -> dict[str, Any]:
        r, card = self.random, self.card(state, fits)
        by = {"by": self.name(state)} if r.random() < 0.5 else {}
        who = {"player": self.name(state)} if r.random() < 0.15 else {}
        said: list[dict[str, Any]] = [
            *[{"do": "uno", "player": self.few(state)}] * 2,
            {"do": "catch", "player": self.few(state), **by},
            {"do": "pass" if state["phase"] == "drawn" else "draw", **who},
            *[{"do": "play", "card": card, **who, **self.colour(card)}] * 5,
        ]
        if self.game == "battle":
            top = str(state["pile"]["top"] or "R0")
            steal = {"do": "play", "card": top, "player": self.name(state), **self.colour(top)}
            total = r.randrange(state["battle"] + 2)
            said += [steal, steal, {"do": "defend", "card": card, **self.colour(card)}]
            said += [{"do": "draw", "count": total}] if state["battle"] else []
        return r.choice(said)
