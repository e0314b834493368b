"""Random walks through games of Classic and Battle: what a table could say, and some it could not.

The walk knows no rule but when a command makes sense at all; the referee decides.
"""

from random import Random
from typing import Any

from companion.games.battle.state import BattleState
from companion.games.decks import classic_deck
from companion.games.one_pile import OnePileState
from companion.games.referee import Phase

DECK = [str(card) for card in classic_deck()]
FACES = tuple(dict.fromkeys(DECK))
NAMES = ("Ann", "Bob", "Cem", "Dee", "Eve", "Fay", "Gil", "Hal", "Ivy", "Jon")
COLOURS = "RYGB"
HOUSE_RULES: dict[str, tuple[dict[str, Any], ...]] = {
    "classic": (
        {"target": 120},
        {"scoring": "running", "reverse_2p": "none", "next_dealer": "winner", "target": 60},
        {"misplay_penalty": 2, "false_call_penalty": 2, "target": 200},
        {"uno_penalty": 60, "misplay_penalty": 1},
    ),
    "battle": (
        {"target": 20},
        {"steal_turn": "original", "target": 30},
        {"finish_penalty": "plus_only", "misplay_penalty": 2, "target": 10},
        {"uno_penalty": 60, "misplay_penalty": 1, "target": 5},
    ),
}


def start(random: Random, game: str) -> dict[str, Any]:
    players = list(NAMES[: random.choice((2, 2, 3, 3, 4, 10))])
    options = random.choice(HOUSE_RULES[game])
    return {"do": "start", "game": game, "players": players, "options": options}


def command(random: Random, state: OnePileState) -> dict[str, Any]:
    """A command that makes sense in the phase, most of the time one that will be accepted."""
    rare = random.random()
    if rare < 0.02:
        return {"do": "leave", "player": random.choice(state.players)}
    if rare < 0.04:
        return {"do": "undo"}
    match state.phase:
        case Phase.SETUP if random.random() < 0.2:
            return {"do": "join", "player": random.choice(NAMES), "seat": random.randrange(3)}
        case Phase.SETUP:
            top = random.choice(DECK)
            return {"do": "deal", "top": top, **_colour(random, top)}
        case Phase.HANDS:
            return _count(random, state)
        case Phase.GAME_OVER:
            return {"do": "undo"}
        case _:
            return _in_a_round(random, state)


def _in_a_round(random: Random, state: OnePileState) -> dict[str, Any]:
    player = random.choice(state.players)
    pile = state.lying
    fitting = [
        text for text in FACES if text[0] in (pile.colour, "W") or text[1:] == str(pile.top)[1:]
    ]
    card = random.choice(fitting if random.random() < 0.85 else (*FACES, "?"))
    choices: list[dict[str, Any]] = [
        {"do": "play", "card": card, **_colour(random, card)},
        {"do": "play", "card": card, **_colour(random, card)},
        {"do": "play", "card": str(pile.top), "player": player},
        {"do": "draw"},
        {"do": "pass"},
        {"do": "uno", "player": state.uno_open or player},
        {"do": "catch", "player": state.uno_open or player, "by": player},
        _correction(random, state),
    ]
    match state.needs:
        case "colour":
            choices += [{"do": "colour", "colour": random.choice(COLOURS)}] * 5
        case "challenge":
            choices += [{"do": "accept"}, {"do": "challenge", "guilty": random.random() < 0.5}] * 2
        case "turn":
            choices += [{"do": "correct", "turn": player}] * 4
        case _:
            choices += choices[:1] * 4
    if isinstance(state, BattleState):
        choices.append({"do": "draw", "count": random.randint(1, max(1, state.battle))})
        if state.steal is not None:
            choices += [{"do": "defend", "card": card, **_colour(random, card)}] * 3
    return random.choice(choices)


def _colour(random: Random, card: str) -> dict[str, Any]:
    named = card.startswith("W") and random.random() < 0.5
    return {"colour": random.choice(COLOURS)} if named else {}


def _count(random: Random, state: OnePileState) -> dict[str, Any]:
    losers = [name for name in state.players if name != state.out]
    if random.random() < 0.5:
        return {"do": "hands", "points": {name: random.choice((0, 5, 10)) for name in losers}}
    counted = {name: random.choices(DECK, k=state.hands[name]) for name in losers}
    return {"do": "hands", "hands": counted}


def _correction(random: Random, state: OnePileState) -> dict[str, Any]:
    """What the table overrules, but for what would change how many cards there are.

    That is a corrected hand, and a turn for somebody while a last card can still be challenged.
    """
    top = random.choice(DECK)
    match random.randrange(3):
        case 0 if all(state.hands[name] for name in state.at_play):
            return {"do": "correct", "turn": random.choice(state.players)}
        case 1:
            return {"do": "correct", "direction": random.choice((1, -1))}
        case _:
            return {"do": "correct", "top": top, **_colour(random, top)}
