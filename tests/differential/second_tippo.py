"""A second referee of Tippo, written from the rules' text alone, as short as the text allows.

It shares nothing with the first: no code, no types, no order of questions. It knows rounds in
which nobody comes, goes or corrects. It never explains: a ruling is its words in one line of text.
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
    *("spill", "played", "refused", "colour", "uno", "uno_caught", "uno_safe", "penalty"),
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
    piles: dict[str, list[str]] = field(default_factory=lambda: {"left": [], "right": []})
    colours: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(TRAYS))
    tilt: dict[str, Any] | None = None
    wild: str | None = None
    """A wild laid in this turn, which acts when its colour is named."""
    follows: str | None = None
    out: str | None = None
    after_reset: str | None = None


class SecondTippo:
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
        if taken and t.hands[player] != 1:
            t.called.discard(player)
            if t.uno_open == player:
                self.close()
        return taken

    def penalise(self, player: str, count: int, reason: str) -> None:
        self.say("penalty", player, self.give(player, count), reason)

    def close(self) -> None:
        if self.table.uno_open:
            self.say("uno_safe", self.table.uno_open)
            self.table.uno_open = None

    def go_on(self, player: str, phase: str = "play") -> None:
        t = self.table
        t.turn, t.phase, self.moved = player, phase, True
        t.called = {name for name in t.called if t.hands[name] == 1}

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

    # --- the commands -------------------------------------------------------------------------

    def do_deal(self, left: str, right: str) -> None:
        t = self.table
        t.piles, t.colours = (
            {"left": [left], "right": [right]},
            {"left": colour_of(left), "right": colour_of(right)},
        )
        for tray in TRAYS:
            if not self.is_open(tray):
                self.say("tray", tray, "stopped", "deal")
        for player in t.players:
            self.say("dealt", player, 7)
        t.hands = dict.fromkeys(t.players, 7)
        t.draw_pile = 112 - 7 * len(t.players) - 2
        self.go_on(self.after(t.dealer))
        self.ask()

    def why_not(self, card: str, tray: str, player: str) -> str | None:
        t, top = self.table, self.table.piles[tray][-1]
        if player != t.turn:
            return "not_your_turn"
        if self.waiting():
            raise No("colour_needed")
        if card in WILDS:
            return None
        allowed = is_stop(card) and t.options.get("stop_on_stopped") == "yes"
        if not self.is_open(tray) and not allowed:
            return "tray_stopped"
        same = colour_of(card) == t.colours[tray] or symbol_of(card) == symbol_of(top)
        if "?" not in (card, top) and not same:
            return "no_match"
        if is_stop(top) and not is_stop(card) and not is_action(card):
            return "stop_needs_stop"
        return None

    def do_play(
        self, card: str, tray: str, player: str | None = None, colour: str | None = None
    ) -> None:
        t, who = self.table, player or str(self.table.turn)
        wrong = self.why_not(card, tray, who)
        if wrong:
            if not t.options.get("misplay_penalty"):
                raise No(wrong)
            self.say("refused", wrong)
            self.penalise(who, t.options["misplay_penalty"], "misplay")
            return
        self.say("played", who, card, tray)
        self.close()
        t.hands[who], t.last_actor, t.phase = t.hands[who] - 1, who, "play"
        if t.hands[who] == 1 and who not in t.called:
            t.uno_open = who
        elif t.hands[who] != 1:
            t.called.discard(who)
        self.put(card, tray)
        if card == "Tilt":
            t.tilt = {"by": who, "tray": tray, "colour": colour, "drops": 0}
            order = [self.after(who, step + 1) for step in range(len(t.players))]
            self.say("tilt", who, tray, *order)
            self.go_on(order[0], "tilt")
            return
        if colour:
            self.name(tray, colour)
        if not t.hands[who]:
            self.go_out(who, self.act(card, who))
        elif card in WILDS and not colour:
            t.wild = card
            self.ask()
        else:
            self.go_on(self.act(card, who))

    def go_out(self, player: str, follows: str) -> None:
        t = self.table
        t.follows, t.out, t.phase, t.turn = follows, player, "going_out", None
        self.say("going_out", player)

    def name(self, tray: str, colour: str) -> None:
        self.table.colours[tray] = colour
        self.say("colour", colour, tray)

    def do_colour(self, colour: str, tray: str | None = None) -> None:
        t, waiting = self.table, self.waiting()
        if not waiting:
            raise No("wrong_phase")
        self.name(tray or waiting[0], colour)
        if self.waiting():
            return
        if t.wild:
            self.go_on(self.act(t.wild, str(t.turn)))
        elif t.follows:
            self.go_on(t.follows)
        t.wild = t.follows = None

    def do_draw(self) -> None:
        t, who = self.table, str(self.table.turn)
        if t.phase == "drawn":
            raise No("already_drawn")
        if self.waiting():
            raise No("colour_needed")
        self.close()
        drawn = self.give(who, 1)
        self.say("drawn", who, drawn)
        if drawn:
            t.phase, t.last_actor = "drawn", who
        else:
            self.go_on(self.after(who))

    def do_pass(self) -> None:
        if self.waiting():
            raise No("colour_needed")
        if self.table.phase != "drawn":
            raise No("draw_first")
        self.go_on(self.after(str(self.table.turn)))

    def do_uno(self, player: str) -> None:
        t, count = self.table, self.table.hands[player]
        mine = t.turn == player and t.phase in ON_TURN
        late = t.uno_open == player
        if t.phase in ("going_out", "hands"):
            wrong = "too_late"
        elif late or (mine and count == 2 and player not in t.called):
            self.say("uno", player)
            if late:
                self.close()
            t.called.add(player)
            return
        elif player in t.called:
            wrong = "already_called"
        elif count == 2 or (count == 1 and mine):
            wrong = "nothing_to_call"
        else:
            wrong = "too_late" if count == 1 else "not_at_one"
        self.falsely(player, wrong)

    def do_catch(self, player: str, by: str | None = None) -> None:
        t = self.table
        if t.phase in ("going_out", "hands"):
            wrong = "too_late"
        elif t.hands[player] != 1:
            wrong = "not_at_one"
        elif t.uno_open == player:
            t.uno_open = None
            self.say("uno_caught", player)
            self.penalise(player, t.options.get("uno_penalty", 2), "uno")
            return
        else:
            wrong = "already_called" if player in t.called else "too_late"
        self.falsely(by, wrong)

    def falsely(self, caller: str | None, wrong: str) -> None:
        if not caller or not self.table.options.get("false_call_penalty"):
            raise No(wrong)
        if not self.table.hands[caller]:
            raise No(wrong)
        self.say("refused", wrong)
        self.penalise(caller, 2, "false_call")

    def do_drop(self, card: str = "?") -> None:
        t, who, tilt = self.table, str(self.table.turn), self.table.tilt
        assert tilt
        if self.take(1):
            self.put(card, tilt["tray"])
            tilt["drops"] += 1
            t.last_actor = who
            self.go_on(self.after(who), "tilt")
            return
        t.tilt = None
        self.say("tilt_over", None)
        if t.hands[tilt["by"]]:
            self.go_on(who)
            self.ask()
        else:
            self.go_out(tilt["by"], who)

    def do_spill(self, by: str | None = None, no_fault: bool = False) -> None:
        t, was = self.table, self.table.phase
        payer = None if no_fault else by or t.last_actor
        self.say("spill", payer, *["no_fault"] * no_fault)
        t.phase, t.after_reset = "spilled", "drawn" if was == "drawn" else "play"
        if payer:
            self.penalise(payer, t.options.get("spill_penalty", 2), "spill")
        if was == "tilt":
            self.end_tilt(no_fault)
        elif was == "going_out":
            self.after_a_last_card()
        shown = [",".join(t.piles[tray][:-3:-1]) for tray in TRAYS]
        self.say("reset", *shown, self.below())

    def end_tilt(self, no_fault: bool) -> None:
        t, tilt, tipper = self.table, self.table.tilt, str(self.table.last_actor)
        assert tilt
        t.tilt = None
        top = t.piles[tilt["tray"]][-1]
        self.say("tilt_over", None if no_fault else tipper)
        if not tilt["drops"] and tilt["colour"]:
            self.name(tilt["tray"], tilt["colour"])
        if t.hands[tilt["by"]]:
            self.go_on(self.act(top, tipper), "spilled")
            return
        victim, symbol = self.after(tipper), symbol_of(top)
        if symbol == "+2":
            self.say("draw", victim, self.give(victim, 2), "draw_two")
        elif symbol == "W+4":
            self.say("draw", victim, self.give(victim, 4), "wild_draw_four")
        t.out, t.turn, t.after_reset = tilt["by"], None, "hands"

    def after_a_last_card(self) -> None:
        t, out = self.table, str(self.table.out)
        if not t.hands[out]:
            t.after_reset = "going_out"
        elif self.waiting():
            t.out = None
            self.go_on(out, "spilled")
        else:
            self.go_on(str(t.follows), "spilled")
            t.out = t.follows = None

    def do_reset(self) -> None:
        t = self.table
        t.set_aside += self.below()
        self.keep_top_two()
        t.phase, t.after_reset = str(t.after_reset), None
        if t.phase == "hands":
            self.say("round_over", t.out)
        elif t.phase != "going_out":
            self.ask()

    def do_settled(self) -> None:
        self.table.phase = "hands"
        self.say("round_over", self.table.out)

    def do_hands(self, points: dict[str, int]) -> None:
        t, out = self.table, str(self.table.out)
        if {*points} != {*t.players} - {out}:
            raise No("hand_mismatch")
        t.scores[out] += sum(points.values())
        self.say("scored", out, sum(points.values()), t.scores[out])
        if t.scores[out] >= t.options.get("target", 500):
            t.phase = "game_over"
            t.uno_open = None
            self.say("game_over", out)
            return
        seat = t.players.index(t.dealer) + 1
        dealer = t.players[seat % len(t.players)]
        dealer = out if t.options.get("next_dealer") == "winner" else dealer
        nothing = dict.fromkeys(t.players, 0)
        self.table = Table(t.players, t.options, dealer, t.scores, t.round + 1, hands=nothing)
