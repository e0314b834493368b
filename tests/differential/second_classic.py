"""A second referee of Classic, written from the rules' text alone, as short as the text allows."""

from typing import Any, ClassVar

from tests.differential.second_uno import Uno
from tests.differential.second_uno_stream import need
from tests.differential.second_uno_table import KNOWN, ON_TURN, face, is_wild


class Classic(Uno):
    GAME = "classic"
    OPTIONS: ClassVar[dict[str, Any]] = {
        "grace_seconds": 0,
        "false_call_penalty": (0, 2),
        "uno_penalty": 2,
        "misplay_penalty": (0, 1, 2),
        "reverse_2p": ("skip", "none"),
        "next_dealer": ("left", "winner"),
        "target": 500,
        "scoring": ("winner", "running"),
    }
    FOREIGN = ("drop", "spill", "reset", "settled", "defend", "meld")
    UNKNOWN: ClassVar[dict[str, tuple[str, ...]]] = {
        "deal": ("left", "right", "table", "colours"),
        "play": ("tray",),
        "draw": ("count",),
        "colour": ("tray",),
        "correct": ("left", "right"),
    }
    POINTS: ClassVar[dict[str, int]] = {"+2": 20, "rev": 20, "skip": 20, "W": 50, "W+4": 50}

    accused: str = ""
    """Who laid the Wild Draw Four that can be challenged."""
    challenger: str | None = None
    """Who goes on when a guilty player has named the colour (C11)."""

    # --- the start ----------------------------------------------------------------------------

    def may_start(self, top: str) -> bool:
        return top != "W+4"

    def begin(self, first: str) -> None:
        assert self.top is not None
        match face(self.top):
            case "rev" if not self.reverse_skips():
                self.turn_round()
                self.give_turn(self.dealer)
            case "rev" | "skip" | "+2":
                self.give_turn(self.hit(first))
            case _:
                self.give_turn(first)
        if self.needs == "colour":
            self.ask_colour(first)

    # --- cards --------------------------------------------------------------------------------

    def reverse_skips(self) -> bool:
        return len(self.players) == 2 and self.options["reverse_2p"] == "skip"

    def turn_round(self) -> None:
        self.direction *= -1
        self.say("direction", direction=self.direction)

    def hit(self, victim: str) -> str:
        """Whom a Draw Two, Skip or two players' Reverse hits loses the turn; who comes then."""
        reasons = {"+2": "draw_two", "skip": "skip", "rev": "reverse"}
        reason = reasons[face(self.top or "")]
        if reason == "draw_two":
            self.must_draw(victim, 2, reason)
        self.lose_turn(victim, reason)
        return self.after(victim)

    def do_play(self, card: str, player: str | None = None, colour: str | None = None) -> None:
        self.check_phase(*ON_TURN)
        self.accept_first()
        who = player if player is not None else self.turn or ""
        self.check_names(who)
        need(card in KNOWN, "unknown_card")
        if who != self.turn:
            self.misplay(who, "not_your_turn")
            return
        need(self.needs != "colour", "colour_needed")
        if not self.matches(card):
            self.misplay(who, "no_match")
            return
        self.close()
        self.lay(who, card, colour)
        if is_wild(card) and not colour and self.hands[who]:
            self.acts_when_named = who
            self.ask_colour(who)
        else:
            self.take_effect(who)

    def take_effect(self, player: str) -> None:
        follower = self.after(player)
        match face(self.top or ""):
            case "W+4":
                self.accused, self.awaits, self.named_first = player, "challenge", False
                self.give_turn(follower)
                return
            case "rev" if not self.reverse_skips():
                self.turn_round()
                follower = self.after(player)
            case "rev" | "skip" | "+2":
                follower = self.hit(follower)
        self.go_on(player, follower)

    def go_on(self, player: str, follower: str) -> None:
        if self.hands[player]:
            self.give_turn(follower)
        else:
            self.round_over(player)

    def named(self) -> None:
        super().named()
        if self.challenger:
            self.give_turn(self.challenger)
        self.challenger = None

    def do_draw(self, player: str | None = None) -> None:
        self.check_phase(*ON_TURN)
        self.accept_first()
        need(self.phase == "play" or self.needs == "colour", "already_drawn")
        self.check_names(player)
        need(player in (None, self.turn), "not_your_turn")
        need(self.needs != "colour", "colour_needed")
        assert self.turn is not None
        self.close()
        count = self.take(self.turn, 1)
        self.say("drawn", player=self.turn, count=count)
        if count:
            self.last_actor, self.phase = self.turn, "drawn"
        else:
            self.give_turn(self.after(self.turn))

    # --- the Wild Draw Four -------------------------------------------------------------------

    def accept_first(self) -> None:
        """Protocol, 19."""
        if self.needs == "challenge":
            self.stands()
            self.check_phase("play")

    def stands(self, *, innocent: bool = False) -> None:
        victim, self.awaits = self.turn or "", None
        self.must_draw(victim, 4, "wild_draw_four")
        if innocent:
            self.penalise(victim, 2, "challenge_lost")
        self.lose_turn(victim, "challenge_lost" if innocent else "wild_draw_four")
        self.go_on(self.accused, self.after(victim))

    def do_accept(self) -> None:
        need(self.needs == "challenge", "wrong_phase")
        self.stands()

    def do_challenge(self, guilty: bool, by: str | None = None) -> None:
        need(self.needs == "challenge", "wrong_phase")
        self.check_names(by)
        need(by in (None, self.turn), "not_your_turn")
        if not guilty:
            self.stands(innocent=True)
            return
        victim, self.awaits = self.turn or "", None
        self.must_draw(self.accused, 4, "challenge")
        if not self.hands[self.accused]:
            self.round_over(self.accused)
        elif self.colour:
            # The challenger's turn has begun already, and a call in it stands.
            self.say("turn", player=victim)
        else:
            self.challenger = victim
            self.give_turn(self.accused)
            self.ask_colour(self.accused)

    # --- scores, and the table itself ---------------------------------------------------------

    def score(self, points: dict[str, int]) -> None:
        assert self.winner is not None
        if self.options["scoring"] == "winner":
            self.add(self.winner, sum(points.values()))
            won = self.scores[self.winner] >= self.options["target"]
            best = [self.winner]
        else:
            for player in self.players:
                self.add(player, points.get(player, 0))
            mine = {player: self.scores[player] for player in self.players}
            won = max(mine.values()) >= self.options["target"]
            best = [player for player in mine if mine[player] == min(mine.values())]
        if not won:
            stays = self.options["next_dealer"] == "winner" and self.winner in self.players
            self.next_round(self.winner if stays else self.after(self.dealer, 1))
        elif len(best) == 1:
            self.game_over(best[0])
        else:
            self.game_over(None, tied=best, shared=True)

    def settle(self, leaver: str, heir: str) -> str:
        if self.awaits and leaver == self.accused:
            self.stands()
        elif leaver == self.turn and self.acts_when_named:
            self.acts_when_named = None
            if self.top == "W+4":
                self.must_draw(heir, 4, "wild_draw_four")
                self.lose_turn(heir, "wild_draw_four")
                return self.after(heir)
        return heir

    def forget(self) -> None:
        super().forget()
        self.challenger = None
