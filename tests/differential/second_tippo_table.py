"""The table of a second referee of Tippo: its cards, piles and hands, and the frame of a command.

It shares nothing with the first, and was written from the rules' text alone. What each command
does is in `second_tippo`.
"""

import copy
from dataclasses import dataclass, field
from typing import Any

WILDS = ("W", "W+4", "Tilt")
DECK = (
    *(f"{colour}{what}" for colour in "RYGB" for what in (*range(10), "+2", "rev", "skip")),
    *(f"{colour}{number}!" for colour in "RYGB" for number in range(1, 6)),
    *WILDS,
)
TRAYS = ("left", "right")
ORDER = [
    *(
        "spill",
        "left",
        "joined",
        "played",
        "refused",
        "colour",
        "uno",
        "uno_caught",
        "uno_safe",
        "penalty",
    ),
    *("tilt", "tilt_over", "direction", "reshuffle", "drawn", "draw", "turn_lost", "tray"),
    *("reset", "choose_colour", "going_out", "round_over", "scored", "game_over", "dealt"),
]
SHOWN = (
    *("phase", "round", "players", "dealer", "turn", "direction", "hands", "scores"),
    *("last_actor", "draw_pile", "set_aside", "uno_open"),
)
NEEDS = {
    "setup": "deal",
    "tilt": "drop",
    "spilled": "reset",
    "going_out": "settled",
    "hands": "hands",
}
ON_TURN = ("play", "drawn")
ROUND = (*ON_TURN, "tilt", "spilled", "going_out", "hands")
PHASES = {
    "deal": ("setup",),
    "play": ON_TURN,
    "draw": ON_TURN,
    "pass": ON_TURN,
    "colour": ON_TURN,
    "uno": ROUND,
    "catch": ROUND,
    "drop": ("tilt",),
    "spill": (*ON_TURN, "tilt", "going_out"),
    "reset": ("spilled",),
    "settled": ("going_out",),
    "hands": ("hands",),
    "leave": ("setup", *ROUND),
    "join": ("setup",),
    "correct": (*ON_TURN, "tilt", "spilled", "going_out"),
}


class No(Exception):
    """A refusal; its text is the code."""


def colour_of(card: str) -> str | None:
    return None if card in WILDS or card == "?" else card[0]


def symbol_of(card: str) -> str:
    return card if colour_of(card) is None else card[1:].rstrip("!")


def is_stop(card: str) -> bool:
    return card.endswith("!")


def is_action(card: str) -> bool:
    return card[1:] in ("+2", "rev", "skip")


@dataclass
class Table:
    """Everything that lies and stands on the table."""

    players: list[str]
    options: dict[str, Any]
    dealer: str
    scores: dict[str, int]
    round: int = 1
    direction: int = 1
    phase: str = "setup"
    turn: str | None = None
    hands: dict[str, int] = field(default_factory=dict)
    last_actor: str | None = None
    draw_pile: int = 112
    set_aside: int = 0
    uno_open: str | None = None
    called: set[str] = field(default_factory=set)
    ahead: str | None = None
    """Who of those that have called has done so in this turn, and has not played since."""
    piles: dict[str, list[str]] = field(default_factory=lambda: {"left": [], "right": []})
    colours: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(TRAYS))
    tilt: dict[str, Any] | None = None
    wild: str | None = None
    """The tray of a wild laid in this turn, which acts when its colour is named."""
    follows: str | None = None
    out: str | None = None
    after_reset: str | None = None


class SecondTable:
    """The table, and what is ruled about the command in hand."""

    def __init__(self, players: str, **options: Any) -> None:
        names, nothing = list(players), dict.fromkeys(players, 0)
        self.table = Table(names, options, names[0], nothing, hands=dict(nothing))
        self.before: list[Table] = []
        self.said: list[str] = []
        self.moved = False

    def answer(self, command: dict[str, Any]) -> list[str] | str:
        """The rulings, each as one line, or the code of the refusal."""
        do, fields = command["do"], {k: v for k, v in command.items() if k != "do"}
        if do == "undo":
            if not self.before:
                return "nothing_to_undo"
            self.table = self.before.pop()
            return [f"turn {self.table.turn}"]
        kept, self.said, self.moved = copy.deepcopy(self.table), [], False
        try:
            self.check_form(do, fields)
            if self.table.phase not in PHASES[do]:
                raise No("wrong_phase")
            getattr(self, f"do_{do}")(**fields)
        except No as refused:
            self.table = kept
            return str(refused)
        self.before.append(kept)
        said = sorted(self.said, key=lambda said: ORDER.index(said.split()[0]))
        return [*said, f"turn {self.table.turn}"] if self.moved and self.table.turn else said

    def state(self) -> dict[str, Any]:
        t = self.table
        shown = {name: getattr(t, name) for name in SHOWN}
        needs = "colour" if t.phase in ON_TURN and self.waiting() else NEEDS.get(t.phase)
        trays = {
            tray: {
                "top": t.piles[tray][-1] if t.piles[tray] else None,
                "colour": t.colours[tray],
                "cards": len(t.piles[tray]),
                "open": self.is_open(tray),
            }
            for tray in TRAYS
        }
        return {**shown, "needs": needs, "trays": trays}

    # --- what the rules ask again and again ---------------------------------------------------

    def check_form(self, do: str, fields: dict[str, Any]) -> None:
        """Protocol, 3: a colour for a card that has one, or for no one tray."""
        waiting, tray = self.waiting(), fields.get("tray")
        if do == "play" and "colour" in fields and fields["card"] not in WILDS:
            raise No("bad_input")
        asked = do == "colour" and self.table.phase in ON_TURN and waiting
        if asked and tray not in waiting and (tray or len(waiting) > 1):
            raise No("bad_input")

    def say(self, *words: object) -> None:
        self.said.append(" ".join(map(str, words)))

    def after(self, player: str, steps: int = 1) -> str:
        players = self.table.players
        return players[(players.index(player) + steps * self.table.direction) % len(players)]

    def is_open(self, tray: str) -> bool:
        stops = [one for one, pile in self.table.piles.items() if pile and is_stop(pile[-1])]
        return stops != [tray]

    def waiting(self) -> list[str]:
        """The trays whose wild has no colour."""
        t = self.table
        return [x for x in TRAYS if t.piles[x] and t.piles[x][-1] in WILDS and not t.colours[x]]

    def below(self) -> int:
        return sum(max(0, len(pile) - 2) for pile in self.table.piles.values())

    def keep_top_two(self) -> None:
        self.table.piles = {tray: pile[-2:] for tray, pile in self.table.piles.items()}

    def take(self, count: int) -> int:
        """T49, U22."""
        t = self.table
        for taken in range(count):
            if not t.draw_pile:
                supply = t.set_aside
                if not supply and t.phase not in ("tilt", "spilled"):
                    supply = self.below()
                    self.keep_top_two()
                else:
                    t.set_aside = 0
                if not supply:
                    return taken
                t.draw_pile = supply
                self.say("reshuffle", supply)
            t.draw_pile -= 1
        return count

    def give(self, player: str, count: int) -> int:
        t, taken = self.table, self.take(count)
        t.hands[player] += taken
        if taken:
            self.hand_changed(player)
        return taken

    def hand_changed(self, player: str) -> None:
        """U6, T34; but a call in one's own turn stands until it ends (U1)."""
        t = self.table
        if t.hands[player] == 1:
            return
        if player != t.ahead:
            t.called.discard(player)
        if t.uno_open == player:
            self.close()

    def penalise(self, player: str, count: int, reason: str) -> None:
        self.say("penalty", player, self.give(player, count), reason)

    def close(self) -> None:
        if self.table.uno_open:
            self.say("uno_safe", self.table.uno_open)
            self.table.uno_open = None

    def go_on(self, player: str, phase: str = "play") -> None:
        t = self.table
        t.turn, t.phase, self.moved = player, phase, True
        t.called, t.ahead = t.called - {t.ahead}, None

    def ask(self) -> None:
        for tray in self.waiting():
            self.say("choose_colour", self.table.turn, tray)

    def act(self, card: str, player: str) -> str:
        """What a card does to the next player; who comes then."""
        t, victim, symbol = self.table, self.after(player), symbol_of(card)
        draws = {"+2": (2, "draw_two"), "W+4": (4, "wild_draw_four")}
        if symbol in draws:
            count, reason = draws[symbol]
            drawn = self.give(victim, count)
            self.say("draw", victim, drawn, reason)
            self.say("turn_lost", victim, reason)
            if drawn and t.options.get("forced_draw_counts") == "yes" and t.phase != "spilled":
                t.last_actor = victim
            return self.after(player, 2)
        two = len(t.players) == 2 and t.options.get("reverse_2p") != "none"
        if symbol == "skip" or (symbol == "rev" and two):
            self.say("turn_lost", victim, "skip" if symbol == "skip" else "reverse")
            return self.after(player, 2)
        if symbol == "rev":
            t.direction *= -1
            self.say("direction", t.direction)
        return self.after(player)

    def put(self, card: str, tray: str) -> None:
        before = {one: self.is_open(one) for one in TRAYS}
        self.table.piles[tray].append(card)
        self.table.colours[tray] = colour_of(card)
        for one in TRAYS:
            if before[one] != self.is_open(one):
                wild = card in WILDS and one == tray
                reason = "stop_played" if is_stop(card) else "wild" if wild else "stop_covered"
                self.say("tray", one, "open" if self.is_open(one) else "stopped", reason)
