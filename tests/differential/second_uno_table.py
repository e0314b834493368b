"""The table of a second referee of Classic and Battle: cards, piles, turns, the frame of a command.

It shares nothing with the first, and was written from the rules' text alone. UNO, rounds and who
comes and goes are in `second_uno`; what a card does is in `second_classic` and `second_battle`.
"""

from typing import Any, ClassVar, Self

from tests.differential.second_uno_stream import Ruling, need

ORDER = (
    *("spill", "left", "joined", "steal_undone", "played", "steal", "refused", "colour", "uno"),
    *("uno_caught", "uno_safe", "penalty", "direction", "reshuffle", "drawn", "draw", "battle"),
    *("turn_lost", "choose_colour", "round_over", "scored", "game_over", "sudden_death"),
    *("tie_break", "dealt", "turn"),
)
CARDS = (
    *(f"{colour}{face}" for colour in "RYGB" for face in (*range(10), "+2", "rev", "skip")),
    *("W", "W+4"),
)
KNOWN = (*CARDS, "?")
DECK = 108
ON_TURN = ("play", "drawn")
SHOWN = (
    *("phase", "round", "players", "dealer", "turn", "direction", "hands", "scores"),
    *("last_actor", "draw_pile", "needs"),
)


def is_wild(card: str) -> bool:
    return card in ("W", "W+4")


def face(card: str) -> str:
    """Number or symbol; of a wild, itself."""
    return card if is_wild(card) else card[1:]


def colour_of(card: str) -> str | None:
    return None if is_wild(card) or card == "?" else card[0]


class Table:
    """Everything that lies and stands on the table."""

    GAME: ClassVar[str]
    OPTIONS: ClassVar[dict[str, Any]]
    FOREIGN: ClassVar[tuple[str, ...]]
    """Commands of other games."""
    UNKNOWN: ClassVar[dict[str, tuple[str, ...]]]
    """Fields of other games' commands of the same name."""
    POINTS: ClassVar[dict[str, int]]
    """What is not worth its number."""

    def __init__(self, players: list[str], dealer: str, options: dict[str, Any]) -> None:
        self.players, self.dealer, self.options = list(players), dealer, options
        self.scores = dict.fromkeys(players, 0)
        self.round, self.direction = 1, 1
        self.winner: str | None = None
        self.rulings: list[Ruling] = []
        self.clear()

    def clear(self) -> None:
        """As it is between two rounds."""
        self.phase = "setup"
        self.turn: str | None = None
        self.last_actor: str | None = None
        self.hands = dict.fromkeys(self.players, 0)
        self.draw_pile, self.pile = DECK, 0
        self.top: str | None = None
        self.colour: str | None = None
        self.awaits: str | None = None
        """`challenge` or `turn`."""
        self.named_first = False
        """Whether the table has put a wild on top during a challenge, which is named first."""
        self.open: str | None = None
        """Who can be caught."""
        self.called: list[str] = []
        """Who has called: on turn with two cards, or with the one that they hold."""
        self.ahead: str | None = None
        """Who of them has called in this turn, and has not played since (U1)."""
        self.acts_when_named: str | None = None
        """Who laid the wild whose effect comes with its colour."""

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name, value in self.__dict__.items():
            twin.__dict__[name] = value.copy() if isinstance(value, (list, dict)) else value
        return twin

    def state(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in SHOWN},
            "game": self.GAME,
            "set_aside": 0,
            "uno_open": self.open,
            "pile": {"top": self.top, "colour": self.colour, "cards": self.pile},
        }

    @property
    def needs(self) -> str | None:
        if self.phase not in ON_TURN:
            return {"setup": "deal", "hands": "hands"}.get(self.phase)
        waits = is_wild(self.top or "") and self.colour is None
        if waits and self.named_first:
            return "colour"
        return self.awaits or ("colour" if waits else None)

    # --- the frame ----------------------------------------------------------------------------

    def obey(self, do: str, fields: dict[str, Any], before: Self) -> list[Ruling]:
        """What is ruled, in the order of the protocol (11)."""
        need(do not in self.FOREIGN, "wrong_phase")
        self.check_form(do, fields)
        self.rulings = []
        getattr(self, f"do_{do}")(**fields)
        if self.open and self.hands.get(self.open) != 1:
            self.close()
        turned = any(one["ruling"] == "turn" for one in self.rulings)
        said = [one for one in self.rulings if one["ruling"] != "turn"]
        said.sort(key=lambda one: ORDER.index(one["ruling"]))
        if self.turn and (turned or self.turn != before.turn):
            said.append({"ruling": "turn", "player": self.turn})
        return said

    def check_form(self, do: str, fields: dict[str, Any]) -> None:
        need(not set(fields) & set(self.UNKNOWN.get(do, ())))
        card = fields.get("card", fields.get("top"))
        need("colour" not in fields or do == "colour" or is_wild(card or "R0") or card not in KNOWN)
        match do:
            case "deal":
                need("top" in fields)
            case "correct":
                need(bool(fields) and ("top" in fields or "colour" not in fields))
            case "hands":
                need(("hands" in fields) != ("points" in fields))
            case "join":
                name, seated = fields["player"], len(self.players)
                need(name not in ("", *self.players) and seated < 10)
                need(fields.get("seat", 0) <= seated)

    def say(self, kind: str, **fields: Any) -> None:
        self.rulings.append({"ruling": kind, **fields})

    def at_play(self) -> list[str]:
        return self.players

    def after(self, player: str, direction: int | None = None) -> str:
        """Who of those at play comes after `player`."""
        ring = self.players[:: direction or self.direction]
        at = ring.index(player)
        return next(one for one in ring[at + 1 :] + ring[: at + 1] if one in self.at_play())

    def check_names(self, *names: str | None) -> None:
        need(all(name is None or name in self.players for name in names), "unknown_player")

    def check_phase(self, *phases: str) -> None:
        need(self.phase in phases, "wrong_phase")

    # --- cards --------------------------------------------------------------------------------

    def take(self, player: str, count: int) -> int:
        """Cards into a hand, as many as there are (U22, C28)."""
        taken = 0
        while taken < count and (self.draw_pile or self.pile > 1):
            if not self.draw_pile:
                self.draw_pile, self.pile = self.pile - 1, 1
                self.say("reshuffle", count=self.draw_pile)
            self.draw_pile -= 1
            taken += 1
        self.hands[player] += taken
        if taken:
            self.no_longer_called(player)
        return taken

    def no_longer_called(self, player: str) -> None:
        """U6; but a call in one's own turn stands until it ends (U1)."""
        if player in self.called and player != self.ahead:
            self.called.remove(player)

    def must_draw(self, player: str, count: int, reason: str) -> None:
        self.say("draw", player=player, count=self.take(player, count), reason=reason)

    def penalise(self, player: str, count: int, reason: str) -> None:
        self.say("penalty", player=player, count=self.take(player, count), reason=reason)

    def matches(self, card: str) -> bool:
        top = self.top or "?"
        if "?" in (card, top) or is_wild(card):
            return True
        return colour_of(card) == self.colour or face(card) == face(top)

    def lay(self, player: str, card: str, colour: str | None) -> None:
        self.say("played", player=player, card=card)
        self.acts_when_named, self.last_actor = None, player
        self.hands[player] = max(0, self.hands[player] - 1)
        if self.ahead == player:
            self.ahead = None
        if self.hands[player] != 1:
            self.no_longer_called(player)
        self.top, self.colour, self.pile = card, colour_of(card) or colour, self.pile + 1
        self.phase = "play"
        if colour:
            self.say("colour", colour=colour)
        if self.hands[player] == 1 and player not in self.called:
            self.open = player

    def misplay(self, player: str, code: str) -> None:
        """U12."""
        need(self.options["misplay_penalty"] > 0 and player in self.at_play(), code)
        self.say("refused", code=code)
        self.penalise(player, self.options["misplay_penalty"], "misplay")

    def ask_colour(self, player: str) -> None:
        self.say("choose_colour", player=player)

    def do_colour(self, colour: str) -> None:
        need(self.needs == "colour" and self.turn is not None, "wrong_phase")
        self.colour = colour
        self.say("colour", colour=colour)
        self.named()

    def named(self) -> None:
        """The colour that was awaited is there, and with it the effect of its card."""
        if self.acts_when_named and self.turn:
            self.acts_when_named = None
            self.take_effect(self.turn)

    def take_effect(self, player: str) -> None:
        """What the card on top does, which `player` has laid."""
        raise NotImplementedError

    # --- turns --------------------------------------------------------------------------------

    def give_turn(self, player: str) -> None:
        self.called = [name for name in self.called if name != self.ahead]
        self.ahead = None
        self.turn, self.phase = player, "play"
        self.say("turn", player=player)

    def lose_turn(self, player: str, reason: str) -> None:
        self.say("turn_lost", player=player, reason=reason)

    def do_pass(self) -> None:
        self.check_phase(*ON_TURN)
        need(self.needs != "colour", "colour_needed")
        need(self.phase == "drawn", "draw_first")
        self.give_turn(self.after(self.turn or ""))

    def close(self) -> None:
        """Nobody can be caught any more (U3)."""
        if self.open:
            self.say("uno_safe", player=self.open)
        self.open = None
