"""Stealing in Battle: who may lay an identical card out of turn, and the defender's privilege.

This module never decides what a card does once it lies: see `judgement`.
"""

import msgspec

from companion.games import rulings
from companion.games.battle.state import Interrupted, Steal
from companion.games.battle.ties import TieJudgement
from companion.games.cards import UNKNOWN, Card, Kind
from companion.games.commands import Defend, Play
from companion.games.referee import Code, Refusal, refusal


def both_zero(one: Card, other: Card) -> bool:
    """Whether both are a 0: there is one a colour, so any may follow any (H8)."""
    return one.number == 0 and other.number == 0


class StealJudgement(TieJudgement):
    """Plays of those who are not on turn."""

    def lay_in_turn(self, command: Play, player: str) -> Refusal | None:
        """Lays a card for the player on turn, or says why it cannot lie."""
        raise NotImplementedError

    def still_drawing(self) -> Refusal:
        """The battle's cards come first, all of them (H14)."""
        text = f"{self.state.turn} must first draw the other {self.state.battle} of the battle"
        return refusal(Code.DRAW_FIRST, text, "H14")

    def steal(self, command: Play, card: Card, player: str) -> Refusal | None:
        """Lays an identical card for a player who is not on turn (H6-H14)."""
        state, laid = self.state, self.state.laid
        top = state.lying.top
        identical = (card == top and card != UNKNOWN) or both_zero(card, top)
        holds = player in state.at_play and state.hands[player]
        if laid is None or not identical or not holds:
            return self.not_your_turn(player)
        wrong = self.colour_needed() or self._cannot_steal(card, player, laid.by)
        if wrong is not None:
            return wrong
        assert state.turn is not None
        rule = "H8" if both_zero(card, top) else "H14" if state.drawing_battle else None
        self.rule(rulings.Steal(player=player, victim=laid.by, card=str(card), rule=rule))
        steal = Steal(msgspec.structs.replace(state, steal=None))
        interrupted = Interrupted(state.turn, state.phase)
        self.change(steal=steal, interrupted=interrupted, turn=player)
        if state.options.steal_turn == "stealer" and laid.turned and top.kind is Kind.REVERSE:
            self.change(seats=state.seats.reversed())
        self.put_down(command, player)
        return None

    def _cannot_steal(self, card: Card, player: str, laid_by: str) -> Refusal | None:
        """Why an identical card may not be laid out of turn all the same."""
        state, zero = self.state, card.number == 0
        if state.hands[player] == 1:
            return refusal(Code.CANNOT_STEAL, f"{player} has one card left and cannot steal", "H10")
        if state.sudden_death and not zero:
            return refusal(Code.CANNOT_STEAL, "In sudden death only a 0 can be stolen", "H28")
        if player == laid_by and not zero:
            text = f"{player} cannot steal from themself, except with a 0"
            return refusal(Code.CANNOT_STEAL, text, "H8")
        if card.kind is Kind.WILD and state.battle:
            return refusal(Code.CANNOT_STEAL, "In battle mode a Wild cannot be stolen", "H9")
        return None

    def defend(self, command: Defend) -> Refusal | None:
        """Both cards came at once: the current player's stands (H11)."""
        steal = self.state.steal
        if steal is None:
            text = "Only right after a steal can the current player let their own card stand"
            return refusal(Code.WRONG_PHASE, text, "H11")
        wrong = self.no_such_card(command.card)
        if wrong is not None:
            return wrong
        assert self.state.laid is not None
        stolen, stealer, defender = self.state, self.state.laid.by, steal.before.turn
        assert defender is not None
        self.state = steal.before
        if self.state.drawing_battle:
            return self.still_drawing()
        self.rule(rulings.StealUndone(player=stealer, rule="H11"))
        play = Play(card=command.card, player=defender, colour=command.colour)
        wrong = self.lay_in_turn(play, defender)
        if self.state.battle == steal.before.battle != stolen.battle:
            self.rule(rulings.Battle(total=self.state.battle, rule="H11"))
        return wrong
