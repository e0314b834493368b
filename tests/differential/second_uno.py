"""What a second referee of Classic and Battle knows of UNO, of rounds, and of who comes and goes.

It shares nothing with the first. What a card may be laid on, and does, is in `second_classic` and
`second_battle`.
"""

from typing import Any

from tests.differential.second_uno_stream import No, need
from tests.differential.second_uno_table import CARDS, DECK, KNOWN, ON_TURN, Table, colour_of, face


class Uno(Table):
    """Everything that lies and stands on the table, and those around it."""

    # --- UNO ----------------------------------------------------------------------------------

    def do_uno(self, player: str) -> None:
        self.check_phase(*ON_TURN, "hands")
        self.check_names(player)
        code = self.why_no_call(player)
        if code:
            self.false_call(player, code)
            return
        self.say("uno", player=player)
        self.called.append(player)
        if player == self.open:
            self.close()
        else:
            self.ahead = player

    def why_no_call(self, player: str) -> str | None:
        count, on_turn = self.hands[player], player == self.turn
        if self.phase == "hands":
            return "too_late"
        if count not in (1, 2):
            return "not_at_one"
        if player in self.called:
            return "already_called"
        if player == self.open or (on_turn and count == 2):
            return None
        return "nothing_to_call" if on_turn or count == 2 else "too_late"

    def do_catch(self, player: str, by: str | None = None) -> None:
        self.check_phase(*ON_TURN, "hands")
        self.check_names(player, by)
        code = None
        if self.phase == "hands":
            code = "too_late"
        elif self.hands[player] != 1:
            code = "not_at_one"
        elif player != self.open:
            code = "already_called" if player in self.called else "too_late"
        if code:
            self.false_call(by, code)
        else:
            self.caught(player)

    def false_call(self, caller: str | None, code: str) -> None:
        """U5; without `by`, and from who is out, it is only refused."""
        price = self.options.get("false_call_penalty", 0)
        if not price or caller is None or not self.hands[caller]:
            raise No(code)
        self.say("refused", code=code)
        self.penalise(caller, price, "false_call")

    def caught(self, player: str) -> None:
        self.open = None
        self.say("uno_caught", player=player)
        self.penalise(player, self.options["uno_penalty"], "uno")

    # --- rounds -------------------------------------------------------------------------------

    def round_over(self, player: str) -> None:
        self.winner, self.phase, self.turn = player, "hands", None
        self.say("round_over", player=player)

    def do_deal(self, top: str, colour: str | None = None) -> None:
        self.check_phase("setup")
        need(top in KNOWN, "unknown_card")
        need(self.may_start(top), "start_card")
        for player in self.at_play():
            self.hands[player] = 7
            self.say("dealt", player=player, count=7)
        self.draw_pile = DECK - 7 * len(self.at_play()) - 1
        self.top, self.pile, self.colour = top, 1, colour_of(top) or colour
        if colour:
            self.say("colour", colour=colour)
        self.begin(self.after(self.dealer, 1))

    def may_start(self, top: str) -> bool:
        raise NotImplementedError

    def begin(self, first: str) -> None:
        """Gives the first turn; `first` sits left of the dealer."""
        raise NotImplementedError

    def do_hands(self, hands: Any = None, points: Any = None, force: bool = False) -> None:
        self.check_phase("hands")
        given = dict(points if hands is None else hands)
        need(set(given) <= set(self.scores), "unknown_player")
        need(all(card in CARDS for hand in (hands or {}).values() for card in hand), "unknown_card")
        if given.get(self.winner) == []:
            del given[self.winner]
        need(set(given) == set(self.players) - {self.winner}, "hand_mismatch")
        if hands is not None:
            counted = all(len(given[name]) == self.hands[name] for name in given)
            need(counted or force, "hand_mismatch")
            given = {name: sum(map(self.worth, hand)) for name, hand in given.items()}
        self.score(given)

    def worth(self, card: str) -> int:
        return int(face(card)) if face(card).isdigit() else self.POINTS[face(card)]

    def score(self, points: dict[str, int]) -> None:
        raise NotImplementedError

    def add(self, player: str, points: int) -> None:
        self.scores[player] += points
        self.say("scored", player=player, points=points, total=self.scores[player])

    def next_round(self, dealer: str) -> None:
        self.round, self.direction, self.dealer = self.round + 1, 1, dealer
        self.clear()

    def game_over(self, winner: str | None, **more: Any) -> None:
        self.phase, self.turn, self.open = "game_over", None, None
        self.say("game_over", winner=winner, scores=dict(self.scores), **more)

    # --- who comes, who goes, and what the table says -------------------------------------------

    def do_join(self, player: str, seat: int | None = None) -> None:
        self.check_phase("setup")
        self.players.insert(len(self.players) if seat is None else seat, player)
        self.hands[player] = self.scores[player] = 0
        self.say("joined", player=player)

    def do_leave(self, player: str) -> None:
        """U19."""
        self.check_phase("setup", *ON_TURN, "hands")
        self.check_names(player)
        self.say("left", player=player)
        if self.open == player:
            self.close()
        turn, heir = self.turn, self.after(player)
        if self.last_actor == player:
            self.last_actor = heir
        if self.dealer == player:
            at = self.players.index(player) + 1
            self.dealer = self.players[at % len(self.players)]
        goes_on = self.settle(player, heir) if len(self.players) > 2 else heir
        self.players.remove(player)
        self.draw_pile += self.hands.pop(player)
        if len(self.players) == 1:
            self.game_over(self.players[0])
            return
        if self.turn == player:
            self.give_turn(goes_on)
        if self.turn and self.turn != turn and self.needs == "colour":
            self.ask_colour(self.turn)
        self.left(player)

    def settle(self, leaver: str, heir: str) -> str:
        """What the leaver owes; who goes on in their place."""
        raise NotImplementedError

    def left(self, leaver: str) -> None:
        """What becomes of a round without the leaver."""

    def do_correct(
        self,
        turn: str | None = None,
        direction: int | None = None,
        hand: dict[str, int] | None = None,
        top: str | None = None,
        colour: str | None = None,
    ) -> None:
        self.check_phase(*ON_TURN)
        self.check_names(turn, *(hand or ()))
        need(top is None or top in KNOWN, "unknown_card")
        waited = self.needs == "colour"
        if direction not in (None, self.direction):
            self.direction *= -1
            self.say("direction", direction=self.direction)
        for player, count in (hand or {}).items():
            self.hands[player] = count
            if count != 1:
                self.no_longer_called(player)
        if turn is not None:
            self.forget()
            self.give_turn(turn)
        if top is not None:
            self.top, self.colour = top, colour_of(top) or colour
            self.named_first = self.awaits == "challenge"
        if self.turn is None:
            return
        if self.needs == "colour" and (top is not None or turn is not None):
            self.ask_colour(self.turn)
        elif waited and self.needs != "colour":
            self.named()

    def forget(self) -> None:
        """The table has said whose turn it is: whatever was half done."""
        self.awaits, self.acts_when_named = None, None
