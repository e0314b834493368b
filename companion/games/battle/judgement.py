"""The referee of Battle: matching, battle mode, drawing its total, missed UNO, penalty cards.

Stealing is judged in `steals`, the end of rounds and the playing off of ties in `ties`.
"""

from collections.abc import Mapping
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from companion.games import rulings
from companion.games.battle.names import spoken, spoken_top
from companion.games.battle.state import BattleOptions, BattleState, Interrupted, Laid
from companion.games.battle.steals import StealJudgement
from companion.games.cards import Card, Kind
from companion.games.commands import (
    BaseCommand,
    Catch,
    Command,
    Correct,
    Defend,
    Draw,
    Play,
    Start,
)
from companion.games.one_pile import OnePileJudgement
from companion.games.opening import open_game
from companion.games.referee import Accepted, Code, Phase, Refusal, refusal
from companion.games.turns import ON_TURN

FINISHED = 2
"""Cards for finishing on a penalty card (H5)."""
PLUS = {Kind.DRAW_TWO: 2, Kind.WILD_DRAW_FOUR: 4}
"""What a draw card adds to the battle."""
ANSWERS = frozenset({*PLUS, Kind.REVERSE, Kind.SKIP})
"""What may answer in battle mode, whatever its colour (H15)."""


class BattleJudgement(StealJudgement):
    """One command of Battle being judged."""

    deck_rule: ClassVar[str | None] = "H1"
    draw_rule: ClassVar[str | None] = "H3"
    two_player_reverse_rule: ClassVar[str] = "H23"
    phases: ClassVar[Mapping[type[BaseCommand], frozenset[Phase]]] = {
        **OnePileJudgement.phases,
        Defend: ON_TURN,
    }

    def malformed(self, command: Command) -> Refusal | None:
        state = self.state
        if isinstance(command, Draw):
            most = state.battle or 1
            if command.count is UNSET or 1 <= command.count <= most:
                return None
            return refusal(Code.BAD_INPUT, f"`count` must be 1 to {most}", "H14")
        if isinstance(command, Correct):
            name = command.turn
            if name in state.hands and name not in state.at_play:
                text = f"{name} is not among those who play off the tie"
                return refusal(Code.BAD_INPUT, text, "H27")
        return super().malformed(command)

    def decide(self, command: Command) -> Refusal | None:
        if self.state.steal is not None and not isinstance(command, Defend):
            self.change(steal=None)
        return super().decide(command)

    def own(self, command: Command) -> Refusal | None:
        return self.defend(command) if isinstance(command, Defend) else super().own(command)

    def refuse_start(self, top: Card) -> Refusal | None:
        if top.kind in (Kind.NUMBER, Kind.UNKNOWN):
            return None
        text = f"You cannot start the pile with {spoken(top)}: turn cards until a number lies"
        return refusal(Code.START_CARD, text, "H1")

    # --- turns ------------------------------------------------------------------------------

    def play(self, command: Play) -> Refusal | None:
        state = self.state
        if state.undecided:
            return self._nobody_on_turn()
        if state.drawing_battle and command.player in (UNSET, state.turn):
            return self.still_drawing()
        return super().play(command)

    def draw(self, command: Draw) -> Refusal | None:
        state = self.state
        wrong = self._nobody_on_turn()
        if wrong is not None:
            return wrong
        if not state.battle:
            wrong = super().draw(command)
            if self.state.turn != state.turn:
                self.change(laid=None)
            return wrong
        wrong = self.not_on_turn(command.player) or self.colour_needed()
        if wrong is None:
            self._draw_battle(command)
        return wrong

    def pass_turn(self) -> Refusal | None:
        """Whoever passes leaves nothing to steal (H12)."""
        if self.state.undecided:
            return self._nobody_on_turn()
        if self.state.drawing_battle:
            return self.still_drawing()
        wrong = super().pass_turn()
        if wrong is None:
            self.change(laid=None)
        return wrong

    def _nobody_on_turn(self) -> Refusal | None:
        if not self.state.undecided:
            return None
        text = "First play rock, paper, scissors and say whose turn it is"
        return refusal(Code.WRONG_PHASE, text, "H18")

    def _draw_battle(self, command: Draw) -> None:
        """The total, or so many of it so far; then the turn of whoever draws begins (H21, H14)."""
        self.close_window()
        player, battle = self.state.turn, self.state.battle
        assert player is not None
        asked = battle if command.count is UNSET else command.count
        drawn = self.give(player, asked)
        rest = battle - drawn if drawn == asked else 0
        rule = "H14" if rest else "H21"
        self.rule(rulings.Draw(player=player, count=drawn, reason="battle", rule=rule))
        self.total(rest)
        if rest:
            self.change(phase=Phase.DRAWN)
        else:
            self.begin_turn(player)

    def lose_turn(self, player: str, reason: rulings.LostReason, rule: str | None = None) -> str:
        return super().lose_turn(player, reason, "H28" if self.state.sudden_death else rule)

    def total(self, battle: int) -> None:
        """The battle's cards change; the next one begins unanswered (H18)."""
        answered = self.state.answered and battle > 0
        self.change(battle=battle, answered=answered)
        self.rule(rulings.Battle(total=battle))

    def close_window(self) -> None:
        """Who has not said UNO pays as soon as the next one plays or draws (H4)."""
        late = self.state.uno_open
        if late is not None:
            self.change(calls=self.state.calls.closed())
            self.rule(rulings.UnoCaught(player=late, rule="H4"))
            self.penalise(late, self.state.options.uno_penalty, "uno", "H4")

    def catch(self, command: Catch) -> Refusal | None:
        text = "Nobody need be caught: whoever forgets UNO draws two by themself"
        wrong = self.unknown_player(command.player, command.by)
        return wrong or refusal(Code.NOTHING_TO_CALL, text, "H4")

    # --- plays ------------------------------------------------------------------------------

    def lay(self, command: Play, player: str) -> Refusal | None:
        if player == self.state.turn:
            return self.lay_in_turn(command, player)
        return self.steal(command, self.cards[command.card], player)

    def lay_in_turn(self, command: Play, player: str) -> Refusal | None:
        card = self.cards[command.card]
        wrong = self.colour_needed() or self.no_match(card)
        if wrong is None:
            self.put_down(command, player)
        return wrong

    def no_match(self, card: Card) -> Refusal | None:
        """Why the card may not lie on the pile now, battle mode or not (H15, H18, H28)."""
        state, pile = self.state, self.state.lying
        if not state.battle:
            if pile.matches(card):
                return None
            text = f"You cannot lay {spoken(card)} on {spoken_top(pile)}"
            return refusal(Code.NO_MATCH, text, "U12")
        if card.kind in ANSWERS:
            return None
        if card.kind is not Kind.WILD:
            text = f"In battle mode {spoken(card)} is no answer: +2, +4, Swap or Block is"
            return refusal(Code.NO_MATCH, text, "H15")
        if state.sudden_death:
            return refusal(Code.NO_MATCH, "In sudden death no Wild answers a battle", "H28")
        if state.answered:
            return None
        return refusal(Code.NO_MATCH, "A Wild cannot be the first answer to a battle", "H18")

    def laid_down(self, card: Card, player: str) -> None:
        """The card can be stolen; a penalty card as the last one costs two (H5, H12)."""
        self.state = replace(self.state, laid=Laid(player))
        if self.state.hands[player]:
            return
        plus_only = self.state.options.finish_penalty == "plus_only"
        costly = card.kind in PLUS or (
            not plus_only and card.kind not in (Kind.NUMBER, Kind.UNKNOWN)
        )
        if costly:
            self.penalise(player, FINISHED, "finished_on_penalty_card", "H5")

    def take_effect(self, card: Card, player: str) -> None:
        """A steal annuls the effect below it; by house rule it leaves the turn as it was (H6)."""
        interrupted = self.state.interrupted
        if interrupted is None:
            self._take_turn(card, player)
        elif self.state.options.steal_turn == "stealer":
            self.change(interrupted=None)
            self.begin_turn(self.follow(card, player))
        else:
            began = card.kind in PLUS and not self.state.battle
            self.change(interrupted=None)
            if card.kind in PLUS:
                self.total(self.state.battle + PLUS[card.kind])
            self.begin_turn(interrupted.turn, Phase.PLAY if began else interrupted.phase)

    def _take_turn(self, card: Card, player: str) -> None:
        """The effect of a card laid in turn; in battle mode it is an answer (H18)."""
        if self.state.battle:
            self.change(answered=True)
            if card.kind is Kind.WILD and self.state.hands[player]:
                self._send_to_lowest()
                return
        self.go_on(player, self.follow(card, player))

    def follow(self, card: Card, player: str) -> str:
        """What the card of `player` does, in battle mode and out of it; who is next (H15, H16)."""
        if card.number is not None:
            return self.following(player)
        if card.kind is Kind.REVERSE and not self.between_two:
            self.change(laid=Laid(player, turned=True))
        if card.kind in PLUS:
            self.total(self.state.battle + PLUS[card.kind])
        elif not self.state.battle:
            return self.act(card, player)
        elif card.kind is Kind.REVERSE and not self.between_two:
            self.turn_round("H16")
        return self.following(player)

    def _send_to_lowest(self) -> None:
        """A Wild sends the battle to the lowest score; a tie is played for by hand (H18)."""
        lowest = self.with_lowest_score(self.state.at_play)
        if len(lowest) == 1:
            self.begin_turn(lowest[0])
            return
        self.change(turn=None, undecided=True)
        self.rule(rulings.TieBreak(players=lowest, by="rps", rule="H18"))

    # --- the table itself -------------------------------------------------------------------

    def drop_pending(self) -> None:
        super().drop_pending()
        self.change(undecided=False, interrupted=None)

    def hand_over(self, leaver: str) -> str:
        """A stealer who leaves without naming a colour has interrupted nobody any more."""
        interrupted = self.state.interrupted
        if interrupted is None or leaver not in (interrupted.turn, self.state.turn):
            return super().hand_over(leaver)
        if interrupted.turn == leaver:
            self.change(interrupted=Interrupted(self.following(leaver), Phase.PLAY))
            return super().hand_over(leaver)
        self.change(interrupted=None)
        goes_on = super().hand_over(leaver)
        return goes_on if self.state.options.steal_turn == "stealer" else interrupted.turn

    def cleared(self) -> dict[str, object]:
        return {
            **super().cleared(),
            "laid": None,
            "battle": 0,
            "answered": False,
            "undecided": False,
            "steal": None,
            "interrupted": None,
            "tie": None,
        }


class BattleReferee:
    """The rules of Battle as a function of state and command."""

    game = "battle"
    cards = BattleJudgement.cards

    def start(self, command: Start) -> Accepted[BattleState] | Refusal:
        return open_game(command, BattleState, BattleOptions, BattleJudgement.deck_size)

    def apply(self, state: BattleState, command: Command) -> Accepted[BattleState] | Refusal:
        judgement = BattleJudgement(state)
        return judgement.decide(command) or judgement.accepted()
