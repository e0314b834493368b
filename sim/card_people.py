"""What everybody at a table without a scale holds: hands, the pile to draw from, the discards.

It follows what the referee has accepted, whoever tapped it, and never decides what anybody does.
"""

from collections.abc import Collection, Iterable, Mapping
from random import Random
from typing import Any

from companion.games import rulings
from companion.games.cards import Card
from companion.games.commands import Command
from companion.games.referee import Accepted
from companion.games.rulings import Ruling


class CardPeople:
    """Everybody at the table with their cards; some are simulated, the others are persons.

    What is shuffled and what the simulated people do comes from `random`, which may be replaced
    between two calls.
    """

    def __init__(self, random: Random, simulated: Collection[str]) -> None:
        self.random = random
        self.simulated = frozenset(simulated)
        self.hands: dict[str, list[Card]] = {}
        self.pile: list[Card] = []
        """What is drawn from, the next card last."""
        self.discards: list[Card] = []

    def next_command(self, state: Any) -> Command | None:
        """What one of the simulated people does now; None if it is for somebody else to act."""
        raise NotImplementedError

    def saw(self, command: Command, before: Any, answer: Accepted[Any]) -> None:
        """Moves the cards as an accepted command and its rulings say."""
        raise NotImplementedError

    def guilt(self, state: Any) -> bool | None:
        """Whether a Wild Draw Four that can be challenged now was a bluff; None if none can."""
        del state
        return None

    def deal(
        self, deck: Iterable[Card], turned_up: Iterable[Card], hands: Mapping[str, int]
    ) -> None:
        """Shuffles what was not turned up, and deals as many cards as everybody has."""
        self.pile = list(deck)
        for card in turned_up:
            if card in self.pile:
                self.pile.remove(card)
        self.random.shuffle(self.pile)
        self.hands, self.discards = {}, []
        self.settle(hands)

    def follow(self, made: Iterable[Ruling], hands: Mapping[str, int]) -> None:
        """Moves cards by these rulings, in their order, and then makes every hand as large as the
        referee counts it: nobody but the table knows what it has corrected."""
        for ruling in made:
            match ruling:
                case rulings.Played():
                    self.lay(ruling.player, self.discards, ruling.card)
                case rulings.Drawn() | rulings.Draw() | rulings.Penalty():
                    self._give(ruling.player, ruling.count)
                case rulings.Left():
                    self.pile[:0] = self.hands.pop(ruling.player, [])
                case _:
                    pass
        self.settle(hands)

    def lay(self, player: str, where: list[Card], text: str) -> None:
        """Takes a card out of a hand; if it is not there, or was not named, any card."""
        hand = self.hands.get(player)
        if hand:
            where.append(hand.pop(next((k for k, c in enumerate(hand) if str(c) == text), -1)))

    def settle(self, hands: Mapping[str, int]) -> None:
        """Makes the hands as large as they are counted, from the pile and back under it."""
        for name, count in hands.items():
            hand = self.hands.setdefault(name, [])
            self._give(name, count - len(hand))
            self.pile[:0] = hand[count:]
            del hand[count:]

    def _give(self, player: str, count: int) -> None:
        hand = self.hands.setdefault(player, [])
        for _ in range(count):
            if not self.pile:
                self.pile, self.discards = self.discards[:-1], self.discards[-1:]
                self.random.shuffle(self.pile)
            if self.pile:
                hand.append(self.pile.pop())

    @property
    def held(self) -> Mapping[str, int]:
        return {name: len(hand) for name, hand in self.hands.items()}
