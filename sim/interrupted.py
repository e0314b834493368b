"""A game of Tippo that was broken off: who held which cards, and how they sit down again.

Where a person plays, a plan does not make the same evening twice, so what everybody held is kept.
It never knows how the scale is judged.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from companion.errors import Refused
from companion.games.cards import UNKNOWN, Card, parse
from companion.games.referee import State
from companion.games.tippo.state import TippoState
from companion.units import Tray
from sim.people import People


class _Held(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hands: dict[str, list[str]]
    deck: list[str]
    aside: list[str]
    piles: dict[str, list[str]]


def holding(people: People) -> dict[str, Any]:
    """Every card of the table, from the bottom of a pile up: an object of JSON."""
    held: dict[str, Any] = msgspec.to_builtins(
        _Held(
            {player: list(map(str, cards)) for player, cards in people.hands.items()},
            list(map(str, people.deck)),
            list(map(str, people.aside)),
            {tray.value: list(map(str, cards)) for tray, cards in people.piles.items()},
        )
    )
    return held


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The game as it was shown last, and every card."""

    state: TippoState
    hands: dict[str, list[Card]]
    deck: list[Card]
    aside: list[Card]
    piles: dict[Tray, list[Card]]

    @classmethod
    def of(cls, state: State, held: dict[str, Any]) -> "Interrupted":
        """From `holding`.

        Raises:
            Refused: these are no cards of a game of Tippo.
        """
        try:
            cards = msgspec.convert(held, _Held)
            if not isinstance(state, TippoState):
                raise ValueError(state.game)
            return cls(
                state,
                {player: list(map(parse, hand)) for player, hand in cards.hands.items()},
                list(map(parse, cards.deck)),
                list(map(parse, cards.aside)),
                {tray: list(map(parse, cards.piles.get(tray.value, ()))) for tray in Tray},
            )
        except (msgspec.ValidationError, ValueError):
            raise Refused(
                "the cards of the interrupted game cannot be read: start a new game with --new"
            ) from None

    def sit_down_again(self, people: People) -> None:
        """Hands as they were; in the trays what the game says lies there.

        A card that was on its way when the game broke off, or was refused, goes under the pile: its
        player draws another one, as the game says how many they hold.
        """
        people.hands = {player: list(hand) for player, hand in self.hands.items()}
        people.deck, people.aside = list(self.deck), list(self.aside)
        for tray in Tray:
            people.piles[tray], over = self._pile(tray)
            people.deck[:0] = over
        people.world.lay_out({tray: [str(card) for card in people.piles[tray]] for tray in Tray})
        people.world.weigh_deck(len(people.deck))
        people.look(self.state)

    def _pile(self, tray: Tray) -> tuple[list[Card], list[Card]]:
        """From the bottom up, and what lies there no more; people know every card, quick refereeing
        does not."""
        lies, over = list(self.state.trays[tray].pile), list(self.piles[tray])
        surplus = max(0, len(over) - len(lies))
        for card in lies:
            if card in over:
                over.remove(card)
        for place, card in enumerate(lies):
            if card == UNKNOWN and over:
                lies[place] = over.pop(0)
        # A card that was named as another is that other one from now on.
        return lies, over[:surplus]
