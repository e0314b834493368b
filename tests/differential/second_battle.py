"""A second referee of Battle, written from the rules' text alone, as short as the text allows."""

from typing import Any, ClassVar, Self

from tests.differential.second_uno import Uno
from tests.differential.second_uno_stream import Ruling, need
from tests.differential.second_uno_table import KNOWN, ON_TURN, face, is_wild

PLUS = {"+2": 2, "W+4": 4}


class Battle(Uno):
    GAME = "battle"
    OPTIONS: ClassVar[dict[str, Any]] = {
        "finish_penalty": ("all", "plus_only"),
        "steal_turn": ("stealer", "original"),
        "target": 100,
        "misplay_penalty": (0, 1, 2),
        "uno_penalty": 2,
    }
    FOREIGN = ("drop", "spill", "reset", "settled", "challenge", "accept", "meld")
    UNKNOWN: ClassVar[dict[str, tuple[str, ...]]] = {
        "deal": ("left", "right", "table", "colours"),
        "play": ("tray",),
        "colour": ("tray",),
        "correct": ("left", "right"),
    }
    POINTS: ClassVar[dict[str, int]] = {"+2": 1, "rev": 1, "skip": 1, "W": 1, "W+4": 20}

    tie: dict[str, Any] | None = None
    champion: str | None = None
    """Who has won while others still play for last place."""

    def clear(self) -> None:
        super().clear()
        self.battle = 0
        self.answers = 0
        """Cards laid in turn since this battle began."""
        self.layer: str | None = None
        """Who laid the card on top, while it can be stolen."""
        self.swapped = False
        """Whether that card has turned the direction."""
        self.interrupted: tuple[str, str] | None = None
        """While a stealer names a colour: whose turn it was, and its phase."""
        self.before_steal: Self | None = None
        """The table before the steal that was the last command."""

    def obey(self, do: str, fields: dict[str, Any], before: Self) -> list[Ruling]:
        if do != "defend":
            self.before_steal = None
        self.before = before
        try:
            return super().obey(do, fields, before)
        finally:
            del self.before

    def check_form(self, do: str, fields: dict[str, Any]) -> None:
        super().check_form(do, fields)
        if do == "draw":
            need(1 <= fields.get("count", 1) <= (self.battle or 1))
        if do == "correct":
            need(fields.get("turn") not in set(self.players) - set(self.at_play()))

    def state(self) -> dict[str, Any]:
        return {**super().state(), "battle": self.battle, "tie": self.tie}

    def at_play(self) -> list[str]:
        return [one for one in self.players if not self.tie or one in self.tie["players"]]

    def sudden_death(self) -> bool:
        return self.tie is not None and self.tie["kind"] == "sudden_death"

    # --- the start ----------------------------------------------------------------------------

    def may_start(self, top: str) -> bool:
        return top == "?" or face(top).isdigit()

    def begin(self, first: str) -> None:
        self.give_turn(self.winner if self.winner in self.at_play() else first)

    # --- turns --------------------------------------------------------------------------------

    def is_drawing(self) -> bool:
        """Some of the battle's cards are drawn, and some are not."""
        return self.phase == "drawn" and self.battle > 0

    def check_turn(self) -> None:
        self.check_phase(*ON_TURN)
        need(not self.awaits, "wrong_phase")

    def do_play(self, card: str, player: str | None = None, colour: str | None = None) -> None:
        self.check_turn()
        need(not self.is_drawing() or player not in (None, self.turn), "draw_first")
        who = player if player is not None else self.turn or ""
        self.check_names(who)
        need(card in KNOWN, "unknown_card")
        if who != self.turn:
            self.steal(who, card, colour)
            return
        need(self.needs != "colour", "colour_needed")
        if self.fits(card):
            self.put(who, card, colour)
        else:
            self.misplay(who, "no_match")

    def fits(self, card: str) -> bool:
        if not self.battle:
            return self.matches(card)
        if card == "W":
            return self.answers > 0 and not self.sudden_death()
        return face(card) in (*PLUS, "rev", "skip")

    def do_pass(self) -> None:
        self.check_turn()
        need(not self.is_drawing(), "draw_first")
        super().do_pass()
        self.layer = None

    def do_draw(self, player: str | None = None, count: int | None = None) -> None:
        self.check_turn()
        drawn = self.phase == "drawn" and not self.battle and self.needs != "colour"
        need(not drawn, "already_drawn")
        self.check_names(player)
        need(player in (None, self.turn), "not_your_turn")
        need(self.needs != "colour", "colour_needed")
        assert self.turn is not None
        self.pay_for_uno()
        if self.battle:
            self.draw_battle(self.turn, count or self.battle)
            return
        drew = self.take(self.turn, 1)
        self.say("drawn", player=self.turn, count=drew)
        if drew:
            self.last_actor, self.phase = self.turn, "drawn"
        else:
            self.layer = None
            self.give_turn(self.after(self.turn))

    def draw_battle(self, player: str, wanted: int) -> None:
        drew = self.take(player, wanted)
        self.say("draw", player=player, count=drew, reason="battle")
        self.set_battle(self.battle - wanted if drew == wanted else 0)
        if self.battle:
            self.phase = "drawn"
        else:
            self.give_turn(player)

    def set_battle(self, total: int) -> None:
        self.battle = total
        self.answers = self.answers if total else 0
        self.say("battle", total=total)

    # --- UNO ----------------------------------------------------------------------------------

    def pay_for_uno(self) -> None:
        """H4: somebody plays, steals or draws, and who has not called pays by themself."""
        if self.open:
            self.caught(self.open)

    def do_catch(self, player: str, by: str | None = None) -> None:
        self.check_phase(*ON_TURN, "hands")
        self.check_names(player, by)
        need(False, "nothing_to_call")

    # --- cards --------------------------------------------------------------------------------

    def steal(self, who: str, card: str, colour: str | None) -> None:
        zero = face(card) == "0"
        same = card == self.top or (zero and face(self.top or "") == "0")
        holds = who in self.at_play() and self.hands[who]
        if not same or card == "?" or not self.layer or not holds:
            self.misplay(who, "not_your_turn")
            return
        need(self.needs != "colour", "colour_needed")
        forbidden = not zero and (who == self.layer or self.sudden_death())
        if forbidden or self.hands[who] == 1 or (card == "W" and self.battle):
            self.misplay(who, "cannot_steal")
            return
        self.before_steal = self.before
        self.interrupted = (self.turn or "", self.phase)
        self.say("steal", player=who, **{"from": self.layer}, card=card)
        if self.options["steal_turn"] == "stealer" and self.swapped and face(card) == "rev":
            self.direction *= -1
        self.put(who, card, colour)

    def put(self, who: str, card: str, colour: str | None) -> None:
        self.pay_for_uno()
        self.layer, self.swapped = who, False
        self.lay(who, card, colour)
        costly = ("W+4", "+2") if self.options["finish_penalty"] == "plus_only" else None
        is_penalty = face(card) in costly if costly else not face(card).isdigit() and card != "?"
        if is_penalty and not self.hands[who]:
            self.penalise(who, 2, "finished_on_penalty_card")
        if is_wild(card) and not colour and self.hands[who]:
            self.turn = self.acts_when_named = who
            self.ask_colour(who)
        else:
            self.take_effect(who)

    def take_effect(self, player: str) -> None:
        interrupted, self.interrupted = self.interrupted, None
        plus = PLUS.get(face(self.top or ""), 0)
        if interrupted and self.options["steal_turn"] == "original":
            turn, phase = interrupted
            begins = plus and not self.battle
            if plus:
                self.set_battle(self.battle + plus)
            self.give_turn(turn)
            self.phase = "play" if begins else phase
            return
        if self.battle and not interrupted:
            self.answers += 1
            if self.top == "W" and self.hands[player]:
                self.send_to_lowest()
                return
        follower = self.follow(player)
        if self.hands[player]:
            self.give_turn(follower)
        else:
            self.round_over(player)

    def follow(self, player: str) -> str:
        """What the card on top does to the others; who comes next."""
        symbol, victim = face(self.top or ""), self.after(player)
        if symbol in PLUS:
            self.set_battle(self.battle + PLUS[symbol])
        elif symbol == "rev" and len(self.at_play()) > 2:
            self.direction, self.swapped = -self.direction, True
            self.say("direction", direction=self.direction)
            return self.after(player)
        elif symbol in ("rev", "skip") and not self.battle:
            self.lose_turn(victim, "skip" if symbol == "skip" else "reverse")
            return self.after(victim)
        return victim

    def send_to_lowest(self) -> None:
        """H18."""
        lowest = min(self.scores[name] for name in self.at_play())
        tied = [name for name in self.at_play() if self.scores[name] == lowest]
        if len(tied) == 1:
            self.give_turn(tied[0])
        else:
            self.turn, self.awaits = None, "turn"
            self.say("tie_break", players=tied, by="rps")

    def do_defend(self, card: str, colour: str | None = None) -> None:
        self.check_phase(*ON_TURN)
        before, stealer, total = self.before_steal, self.layer, self.battle
        need(before is not None, "wrong_phase")
        assert before is not None
        need(card in KNOWN, "unknown_card")
        need(not before.is_drawing(), "draw_first")
        need(before.fits(card), "no_match")
        kept = {"rulings": self.rulings, "before": self.before, "before_steal": None}
        self.__dict__.update({**before.copy().__dict__, **kept})
        self.say("steal_undone", player=stealer)
        self.put(self.turn or "", card, colour)
        if self.battle == before.battle != total:
            self.set_battle(self.battle)

    # --- the ends of a round, of a tie and of the game ------------------------------------------

    def round_over(self, player: str) -> None:
        self.end_battle()
        super().round_over(player)
        if self.tie:
            self.decide(player, [name for name in self.at_play() if name != player])

    def end_battle(self) -> None:
        if self.battle:
            self.set_battle(0)

    def score(self, points: dict[str, int]) -> None:
        for player in self.players:
            self.add(player, points.get(player, 0))
        scores = [self.scores[player] for player in self.players]
        first = [player for player in self.players if self.scores[player] == min(scores)]
        if max(scores) < self.options["target"]:
            self.next_round(self.after(self.dealer, 1))
        elif len(first) > 1:
            self.play_off(first, "first", None)
        else:
            self.crown(first[0])

    def decide(self, player: str, others: list[str]) -> None:
        """`player` has won the tie, or is safe in it."""
        assert self.tie is not None
        if self.tie["for"] == "first":
            self.crown(player)
        elif len(others) > 1:
            self.play_off(others, "last", self.champion)
        else:
            self.game_over(self.champion)

    def crown(self, player: str) -> None:
        self.champion = player
        highest = max(self.scores[name] for name in self.players)
        last = [n for n in self.players if self.scores[n] == highest and n != player]
        if len(last) > 1:
            self.play_off(last, "last", player)
        else:
            self.game_over(player)

    def play_off(self, tied: list[str], place: str, winner: str | None) -> None:
        self.say("game_over", winner=winner, scores=dict(self.scores), tied=tied)
        left = self.players.index(self.dealer) + 1
        self.next_round(self.players[left % len(self.players)])
        self.tie = {"players": tied, "for": place, "kind": "rounds"}
        self.name_kind()
        if not self.sudden_death():
            self.say("tie_break", players=tied, by="rounds")

    def name_kind(self) -> None:
        assert self.tie is not None
        if len(self.tie["players"]) == 2:
            self.tie = {**self.tie, "kind": "sudden_death"}
            self.say("sudden_death", players=self.tie["players"])

    def game_over(self, winner: str | None, **more: Any) -> None:
        self.end_battle()
        self.tie = None
        super().game_over(winner, **more)

    # --- who goes, and what the table says ----------------------------------------------------

    def settle(self, leaver: str, heir: str) -> str:
        turn = self.interrupted[0] if self.interrupted else None
        if leaver == turn:
            self.interrupted = (heir, "play")
        if leaver != self.turn or not self.acts_when_named:
            return heir
        self.acts_when_named, self.interrupted = None, None
        follower = self.follow(leaver)
        return turn if turn and self.options["steal_turn"] == "original" else follower

    def left(self, leaver: str) -> None:
        if not self.tie or leaver not in self.tie["players"]:
            return
        rest = [name for name in self.tie["players"] if name != leaver]
        self.tie = {**self.tie, "players": rest}
        if len(rest) == 1:
            self.decide(rest[0], [])
        else:
            self.name_kind()

    def forget(self) -> None:
        super().forget()
        self.interrupted = None
