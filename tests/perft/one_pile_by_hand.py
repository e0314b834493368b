"""Classic and Battle, enumerated from the second referee: makes the counts in their `.json` files.

It shares nothing with the engine: what is legal the second referee says, which was written from
the rules' text alone. Run it as `python -m tests.perft.one_pile_by_hand` to write the counts anew;
the tests only read them.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.differential.second_battle import Battle
from tests.differential.second_classic import Classic
from tests.differential.second_uno_stream import No, agreed
from tests.differential.second_uno_table import ON_TURN, is_wild
from tests.perft import uno_by_hand
from tests.perft.uno_by_hand import State

Said = dict[str, Any]
HIDDEN = ("table", "thief")
"""What an onlooker does not see: what the referee keeps, and the state before a steal."""


@dataclass(frozen=True)
class OnePile:
    """One of the games, as the enumeration needs it."""

    kind: type[Classic] | type[Battle]
    HIDDEN: tuple[str, ...] = HIDDEN

    def first_state(self, table: dict[str, Any]) -> State:
        players = list(table["hands"])
        lies: Any = self.kind(players, players[0], agreed(self.kind.OPTIONS, {}))
        counts = {name: len(hand) for name, hand in table["hands"].items()}
        for do, fields in (("deal", {"top": table["top"]}), ("correct", {"hand": counts})):
            lies.obey(do, fields, lies.copy())
        cards = {name: list(hand) for name, hand in table["hands"].items()}
        return seen({"table": lies, "cards": cards, "next": list(table["next"]), "thief": None})

    @staticmethod
    def commands(state: State, colours: list[str]) -> Iterator[State]:
        """The state after each legal command."""
        for said in dict.fromkeys(map(tuple, map(dict.items, tries(state, colours)))):
            later = state["table"].copy()
            fields = dict(said)
            do = fields.pop("do")
            try:
                later.obey(do, fields, state["table"])
            except No:
                continue
            yield after(state, do, fields, later)


def tries(state: State, colours: list[str]) -> Iterator[Said]:
    """Everything that somebody could say, with the cards that they hold."""
    table, hands = state["table"], state["cards"]
    if table.phase not in ON_TURN:
        return
    yield from ({"do": do} for do in ("draw", "pass", "accept"))
    yield from ({"do": "challenge", "guilty": guilty} for guilty in (True, False))
    yield from ({"do": "colour", "colour": colour} for colour in colours)
    for name in table.players:
        yield from ({"do": do, "player": name} for do in ("uno", "catch"))
        if table.needs == "turn":
            yield {"do": "correct", "turn": name}
        drawn = table.phase == "drawn" and name == table.turn
        for card in hands[name][-1:] if drawn else hands[name]:
            yield from laid({"do": "play", "card": card, "player": name}, colours)
    if isinstance(table, Battle):
        yield from ({"do": "draw", "count": count} for count in range(1, table.battle))
        for card in state["thief"]["cards"][state["thief"]["table"].turn] if state["thief"] else ():
            yield from laid({"do": "defend", "card": card}, colours)


def laid(said: Said, colours: list[str]) -> Iterator[Said]:
    """A wild may be laid with a colour, and without a word."""
    yield said
    if is_wild(said["card"]):
        yield from ({**said, "colour": colour} for colour in colours)


def after(state: State, do: str, fields: Said, table: Any) -> State:
    """The state after a command: who laid a card has it no more, who was given one holds it."""
    held = state["thief"] if do == "defend" else state
    cards, pile = deepcopy(held["cards"]), list(held["next"])
    if do == "play":
        cards[fields["player"]].remove(fields["card"])
    if do == "defend":
        cards[held["table"].turn].remove(fields["card"])
    for name, hand in cards.items():
        while len(hand) < table.hands[name]:
            hand.append(pile.pop(0))
    stole = do == "play" and fields["player"] != state["table"].turn
    thief = state if stole else None
    return seen({"table": table, "cards": cards, "next": pile, "thief": thief})


def seen(state: State) -> State:
    return {**state, "seen": state["table"].state()}


CLASSIC, BATTLE = OnePile(Classic), OnePile(Battle)

if __name__ == "__main__":
    for game in (CLASSIC, BATTLE):
        data = Path(__file__).with_name(f"{game.kind.GAME}.json")
        uno_by_hand.write(data, game.first_state, game.commands, game.HIDDEN)
