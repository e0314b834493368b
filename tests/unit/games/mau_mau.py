"""Mau-Mau as a fifth game, in the space that a new game needs: its deck, its matches, its effects.

It is played here with cards 2 to 9 in four colours, where 7 lets the next one draw two, 8 skips
them, and four Wilds stand for the jacks: they name a colour and never lie on each other. It never
leaves the tests.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from companion.games.cards import WILD, Card, Colour, Kind
from companion.games.commands import Command, Play, Start
from companion.games.decks import by_text
from companion.games.one_pile import OnePileJudgement, OnePileState
from companion.games.opening import open_game
from companion.games.options import UnoOptions
from companion.games.referee import Accepted, Code, Refusal, refusal


def mau_mau_deck() -> Iterator[Card]:
    for colour in Colour:
        yield from (Card(Kind.NUMBER, colour, number) for number in range(2, 10))
    yield from (WILD,) * 4


class MauMauOptions(UnoOptions, frozen=True, kw_only=True):
    """Mau-Mau ends sooner."""

    target: int = 100


class MauMauState(OnePileState, frozen=True, kw_only=True):
    """A state of Mau-Mau."""

    options: MauMauOptions


class MauMauJudgement(OnePileJudgement[MauMauState]):
    """One command of Mau-Mau being judged."""

    cards: ClassVar[Mapping[str, Card]] = by_text(mau_mau_deck())
    deck_size: ClassVar[int] = len(tuple(mau_mau_deck()))
    hand_size: ClassVar[int] = 5

    def refuse_start(self, top: Card) -> Refusal | None:
        if top != WILD:
            return None
        return refusal(Code.START_CARD, "A jack cannot start the pile: turn another")

    def lay(self, command: Play, player: str) -> Refusal | None:
        card, pile = self.cards[command.card], self.state.lying
        wrong = self.not_your_turn(player) or self.colour_needed()
        if wrong is not None:
            return wrong
        if not pile.matches(card) or card == pile.top == WILD:
            return refusal(Code.NO_MATCH, f"You cannot lay {card.spoken} on {pile.spoken}")
        self.put_down(command, player)
        return None

    def take_effect(self, card: Card, player: str) -> None:
        following = self.following(player)
        if card.number == 7:
            self.force_draw(following, 2, "draw_two")
            following = self.lose_turn(following, "draw_two")
        elif card.number == 8:
            following = self.lose_turn(following, "skip")
        self.go_on(player, following)


class MauMauReferee:
    """The rules of Mau-Mau as a function of state and command."""

    game = "mau_mau"
    cards = MauMauJudgement.cards

    def start(self, command: Start) -> Accepted[MauMauState] | Refusal:
        return open_game(command, MauMauState, MauMauOptions, MauMauJudgement.deck_size)

    def apply(self, state: MauMauState, command: Command) -> Accepted[MauMauState] | Refusal:
        judgement = MauMauJudgement(state)
        return judgement.decide(command) or judgement.accepted()
