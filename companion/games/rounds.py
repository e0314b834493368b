"""Rounds of an UNO game: the deal, the last card, counting hands, scores, the game's end.

What happens within a turn is in `turns`; this module never lays a card.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec import UNSET

from companion.games import rulings
from companion.games.calls import Calls
from companion.games.commands import Hands
from companion.games.decks import points
from companion.games.referee import Code, Phase, Refusal, refusal
from companion.games.turns import S, TurnJudgement

HAND = 7
"""Cards that each player is dealt."""


class RoundJudgement(TurnJudgement[S]):
    """The judging of what begins and ends a round."""

    deck_size: ClassVar[int]
    hand_size: ClassVar[int] = HAND
    points_rule: ClassVar[str | None] = None
    """The rule that says what the cards left in a hand are worth."""

    def cleared(self) -> dict[str, object]:
        """The game's own fields as they are between rounds."""
        return {}

    def deal_hands(self, left_on_pile: int) -> None:
        """Everyone at play has a hand, and whoever starts the turn."""
        at_play = self.state.at_play
        for player in at_play:
            self.rule(rulings.Dealt(player=player, count=self.hand_size))
        hands = {name: self.hand_size if name in at_play else 0 for name in self.state.players}
        self.change(hands=hands, draw_pile=left_on_pile)
        self.begin_turn(self.starter())

    def starter(self) -> str:
        """Who starts a round: the dealer's left neighbour."""
        return self.state.seats.left_of(self.state.dealer)

    def go_on(self, player: str, follows: str) -> None:
        """`follows` is on turn, unless `player` has no cards left."""
        if self.state.hands[player]:
            self.begin_turn(follows)
        else:
            self.go_out(player, follows)

    def go_out(self, player: str, follows: str) -> None:
        """`player` has no cards left, which ends the round; `follows` would have been on turn."""
        del follows
        self.end_round(player)

    def end_round(self, player: str) -> None:
        """`player` is out for good; the hands are counted next."""
        self.change(phase=Phase.HANDS, turn=None, out=player)
        self.rule(rulings.RoundOver(player=player))

    def count_hands(self, command: Hands) -> Refusal | None:
        state = self.state
        named: dict[str, object] = {}
        named.update(command.hands or command.points or {})
        gone = [name for name in named if name not in state.scores]
        wrong = self.unknown_player(*gone)
        if wrong is None and command.hands is not UNSET:
            texts = (text for cards in command.hands.values() for text in cards)
            wrong = self.no_such_card(*texts) or self.unheld(command.hands.values())
        if wrong is not None:
            return wrong
        losers = [name for name in state.players if name != state.out]
        if {name for name, cards in named.items() if (name, cards) != (state.out, ())} != {*losers}:
            text = f"Count exactly the hands of {', '.join(losers)}"
            return refusal(Code.HAND_MISMATCH, text)
        if command.hands is UNSET:
            assert command.points is not UNSET
            self.score({name: command.points[name] for name in losers})
            return None
        for name in losers:
            held, counted = state.hands[name], len(command.hands[name])
            if counted != held and not command.force:
                what = self.thing if held == 1 else f"{self.thing}s"
                text = f"{name} should hold {held} {what}, not {counted}"
                return refusal(Code.HAND_MISMATCH, text)
        self.score({name: sum(map(self.worth, command.hands[name])) for name in losers})
        return None

    def worth(self, text: str) -> int:
        """The points of a card left in a hand."""
        return points(self.cards[text])

    def unheld(self, hands: Iterable[tuple[str, ...]]) -> Refusal | None:
        """Cards of the deck that cannot be left in a hand."""
        if any("?" in cards for cards in hands):
            return refusal(Code.UNKNOWN_CARD, "A card left in a hand must be named, `?` is none")
        return None

    def score(self, left: Mapping[str, int]) -> None:
        """Everything left in the others' hands goes to the one who went out (T50)."""
        winner = self.state.out
        assert winner is not None
        won = sum(left.values())
        total = self.state.scores[winner] + won
        self.change(scores={**self.state.scores, winner: total})
        self.rule(rulings.Scored(player=winner, points=won, total=total, rule=self.points_rule))
        if total >= self.state.options.target:
            self.end_game(winner)
        else:
            self.next_round()

    def score_each(self, left: Mapping[str, int], rule: str) -> None:
        """Everyone keeps what they were left with; at the target the lowest total wins."""
        state = self.state
        scores = {name: score + left.get(name, 0) for name, score in state.scores.items()}
        self.change(scores=scores)
        for name in state.players:
            points_left = left.get(name, 0)
            self.rule(
                rulings.Scored(player=name, points=points_left, total=scores[name], rule=rule)
            )
        if all(scores[name] < state.options.target for name in state.players):
            self.next_round()
            return
        self.lowest_wins(self.with_lowest_score(state.players), rule)

    def with_lowest_score(self, players: tuple[str, ...]) -> tuple[str, ...]:
        """Those of `players` with the lowest score, in seat order."""
        scores = self.state.scores
        lowest = min(scores[name] for name in players)
        return tuple(name for name in players if scores[name] == lowest)

    def lowest_wins(self, best: tuple[str, ...], rule: str) -> None:
        """A game that is won by the lowest total is over; a tie is shared."""
        self.end_game(*best, rule=rule)

    def next_round(self) -> None:
        """Between rounds everything is the next round's already (U17)."""
        state = self.state
        dealer = state.seats.left_of(state.dealer)
        if state.options.next_dealer == "winner" and state.out in state.players:
            dealer = state.out
        self.change(
            phase=Phase.SETUP,
            round=state.round + 1,
            seats=state.seats.with_dealer(dealer),
            turn=None,
            hands=dict.fromkeys(state.players, 0),
            last_actor=None,
            draw_pile=self.deck_size,
            set_aside=0,
            calls=Calls(),
            out=None,
            **self.cleared(),
        )

    def end_game(self, *best: str, rule: str = "U21") -> None:
        """The game is over; several `best` share the first place."""
        self.change(phase=Phase.GAME_OVER, turn=None, calls=Calls())
        shared = len(best) > 1
        self.rule(
            rulings.GameOver(
                winner=None if shared else best[0],
                scores=dict(self.state.scores),
                tied=best if shared else None,
                shared=shared,
                rule=rule,
            )
        )
