"""The table of an UNO perft case: who holds which cards, and everything they might try."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Optional

from companion.games.referee import Code

ROUND = ("play", "drawn", "going_out", "spilled", "tilt")
WILDS = ("W", "W+4", "Tilt")


@dataclass(frozen=True)
class Seated:
    hands: Mapping[str, tuple[str, ...]]
    next: tuple[str, ...]
    """The cards of the draw pile, the next first."""
    colours: tuple[str, ...]
    """Which colours they think of for a wild; a case names few, to be small."""
    before_steal: Optional["Seated"] = None
    defender: str = ""
    """Whose turn it was before the steal."""

    def tries(self, state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if state["phase"] not in ROUND:
            return
        yield from ({"do": do} for do in ("draw", "pass", "accept", "spill", "reset", "settled"))
        if state["phase"] == "tilt":
            yield {"do": "drop", "card": self.next[0]}
        for guilty in (True, False):
            yield {"do": "challenge", "guilty": guilty}
        for player in state["players"]:
            yield {"do": "uno", "player": player}
            yield {"do": "catch", "player": player}
            if state["needs"] == "turn":
                yield {"do": "correct", "turn": player}
        for more in self._places(state):
            for colour in self.colours:
                yield {"do": "colour", "colour": colour, **more}
        for total in range(1, state.get("battle", 0)):
            yield {"do": "draw", "count": total}
        yield from self._plays(state)

    def _places(self, state: Mapping[str, Any]) -> tuple[dict[str, str], ...]:
        return ({"tray": "left"}, {"tray": "right"}) if "trays" in state else ({},)

    def _plays(self, state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for player, hand in self.hands.items():
            drawn = state["phase"] == "drawn" and player == state["turn"]
            for card in dict.fromkeys(hand[-1:] if drawn else hand):
                for named in self._named(card):
                    for place in self._places(state):
                        yield {"do": "play", "card": card, "player": player, **named, **place}
        if self.before_steal is not None:
            for card in dict.fromkeys(self.before_steal.hands[self.defender]):
                for named in self._named(card):
                    yield {"do": "defend", "card": card, **named}

    def _named(self, card: str) -> tuple[dict[str, str], ...]:
        if card not in WILDS:
            return ({},)
        return ({}, *({"colour": colour} for colour in self.colours))

    def tries_then(self, _refused: Mapping[str, Any], _code: Code) -> Iterator[dict[str, Any]]:
        yield from ()

    def after(
        self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> "Seated":
        seated = self
        if command["do"] == "defend":
            assert self.before_steal is not None
            seated = self.before_steal
        hands, cards = {name: list(hand) for name, hand in seated.hands.items()}, list(seated.next)
        if command["do"] == "play":
            hands[command["player"]].remove(command["card"])
        if command["do"] == "drop":
            cards.pop(0)
        if command["do"] == "defend":
            hands[self.defender].remove(command["card"])
        for name, hand in hands.items():
            while len(hand) < after["hands"][name]:
                hand.append(cards.pop(0))
        stole = command["do"] == "play" and command["player"] != before["turn"]
        return Seated(
            {name: tuple(hand) for name, hand in hands.items()},
            tuple(cards),
            self.colours,
            self if stole else None,
            before["turn"] if stole else "",
        )


def seat(game: str, table: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Seated]:
    """The commands that set the table, and the people at it."""
    hands = {name: tuple(cards) for name, cards in table["hands"].items()}
    turned_up = {key: table[key] for key in ("top", "left", "right") if key in table}
    setting: list[dict[str, Any]] = [
        {"do": "start", "game": game, "players": list(hands)},
        {"do": "deal", **turned_up},
        {"do": "correct", "hand": {name: len(cards) for name, cards in hands.items()}},
    ]
    return setting, Seated(hands, tuple(table["next"]), tuple(table["colours"]))
