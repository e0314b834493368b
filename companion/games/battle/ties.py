"""The end of rounds and of the game in Battle: the lowest score wins, ties are played off.

This module never decides about a card.
"""

from typing import Any, ClassVar, Literal

from companion.games import rulings
from companion.games.battle.state import BattleState, Tie
from companion.games.cards import Kind
from companion.games.commands import Leave
from companion.games.decks import points
from companion.games.one_pile import OnePileJudgement
from companion.games.referee import Phase, Refusal


class TieJudgement(OnePileJudgement[BattleState]):
    """Scores, the next round, first and last place."""

    points_rule: ClassVar[str | None] = "H24"

    def worth(self, text: str) -> int:
        """Face value; Wild, +2, Swap, Block 1; +4 20 (H24)."""
        card = self.cards[text]
        if card.kind is Kind.WILD_DRAW_FOUR:
            return 20
        return points(card) if card.kind is Kind.NUMBER else 1

    def starter(self) -> str:
        """The winner of the last round (H2); in a tie without them, left of the dealer (H27)."""
        state = self.state
        winner = state.last_winner
        if winner is not None and winner in state.at_play:
            return winner
        starter = state.seats.left_of(state.dealer)
        while starter not in state.at_play:
            starter = state.seats.left_of(starter)
        return starter

    def following(self, player: str) -> str:
        """The next of those at play: in a tie only the tied take turns (H27)."""
        follower, tie = super().following(player), self.state.tie
        while tie is not None and follower not in tie.players:
            follower = super().following(follower)
        return follower

    def end_round(self, player: str) -> None:
        """The round is over; in a tie it decides a place, without counting hands (H27)."""
        tie = self.state.tie
        self._end_battle()
        self.change(last_winner=player)
        super().end_round(player)
        if tie is None:
            return
        if tie.place == "first":
            self.first_is(player)
        else:
            self.safe_from_last(player, tie)

    def end_game(self, *best: str, rule: str = "U21") -> None:
        self._end_battle()
        super().end_game(*best, rule=rule)

    def _end_battle(self) -> None:
        """A battle does not outlive its round."""
        if self.state.battle:
            self.change(battle=0)
            self.rule(rulings.Battle(total=0))

    def score(self, left: Any) -> None:
        self.score_each(left, "H24")

    def lowest_wins(self, best: tuple[str, ...], rule: str) -> None:
        """Ties for first place are played off before those for last (H27)."""
        if len(best) > 1:
            self.play_off(best, "first", None)
        else:
            self.first_is(best[0], rule)

    def first_is(self, winner: str, rule: str = "H27") -> None:
        """First place is decided; is last place?"""
        scores = self.state.scores
        others = [name for name in self.state.players if name != winner]
        highest = max(scores[name] for name in self.state.players)
        last = tuple(name for name in others if scores[name] == highest)
        if len(last) > 1:
            self.play_off(last, "last", winner)
        else:
            self._finish(winner, rule)

    def safe_from_last(self, player: str, tie: Tie) -> None:
        """Who goes out is not last; the others play on until one remains."""
        first = self.state.first
        assert first is not None
        remaining = tuple(name for name in tie.players if name != player)
        if len(remaining) > 1:
            self.play_off(remaining, "last", first)
        else:
            self._finish(first, "H27")

    def _finish(self, winner: str, rule: str) -> None:
        self.change(tie=None, first=None)
        self.end_game(winner, rule=rule)

    def play_off(
        self, tied: tuple[str, ...], place: Literal["first", "last"], first: str | None
    ) -> None:
        """Says who is tied, and prepares the round that they alone play."""
        tie = Tie(tied, place)
        self.rule(
            rulings.GameOver(
                winner=first, scores=dict(self.state.scores), tied=tied, shared=False, rule="H27"
            )
        )
        if tie.kind == "sudden_death":
            self.rule(rulings.SuddenDeath(players=tied, rule="H27"))
        else:
            self.rule(rulings.TieBreak(players=tied, by="rounds", rule="H27"))
        self.next_round()
        self.change(tie=tie, first=first)

    def hand_over(self, leaver: str) -> str:
        """The turn goes to the next of those at play."""
        goes_on = super().hand_over(leaver)
        return goes_on if goes_on in self.state.at_play else self.following(leaver)

    def leave(self, command: Leave) -> Refusal | None:
        """In a tie one fewer may be left to play for the place, or one alone who has it."""
        wrong = super().leave(command)
        tie = self.state.tie
        if wrong is not None or tie is None or command.player not in tie.players:
            return wrong
        remaining = tuple(name for name in tie.players if name != command.player)
        if self.state.phase is Phase.GAME_OVER:
            self.change(tie=None, first=None)
        elif len(remaining) > 1:
            self.change(tie=Tie(remaining, tie.place))
            if len(remaining) == 2:
                self.rule(rulings.SuddenDeath(players=remaining, rule="H27"))
        elif tie.place == "first":
            self.change(turn=None)
            self.first_is(remaining[0])
        else:
            assert self.state.first is not None
            self._finish(self.state.first, "H27")
        return None
