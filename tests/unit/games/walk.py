"""Random walks through a game of Tippo: commands that a table could give, and some it could not.

The walk knows only what each phase waits for; what fits it asks as the display asks.
"""

from random import Random
from typing import Any

from companion.games.cards import WILD
from companion.games.decks import tippo_deck
from companion.games.referee import Phase
from companion.games.tippo.legality import trays_for
from companion.games.tippo.state import TippoState
from companion.units import Tray

DECK = [str(card) for card in tippo_deck()]
NAMES = ("Ann", "Bob", "Cem", "Dee", "Eve", "Fay", "Gil", "Hal", "Ivy", "Jon")
COLOURS = "RYGB"
TRAYS = ("left", "right")
RARE = frozenset({"undo", "leave", "correct", "join", "spill"})


def doable(state: TippoState) -> frozenset[str]:
    """The `do` of every command that the state does not rule out, whatever its fields."""
    phase, everywhere = state.phase, {"leave", "undo"}
    if phase is Phase.GAME_OVER:
        return frozenset({"undo", "start"})
    if phase is Phase.SETUP:
        return frozenset({*everywhere, "deal", "join"})
    if phase is Phase.HANDS:
        return frozenset({*everywhere, "hands"})
    in_a_round = {*everywhere, "correct"}
    if phase is Phase.GOING_OUT:
        return frozenset({*in_a_round, "settled", "spill"})
    with_calls = {*in_a_round, "uno", "catch"}
    if phase is Phase.SPILLED:
        return frozenset({*with_calls, "reset"})
    if phase is Phase.TILT:
        return frozenset({*with_calls, "drop", "spill"})
    if state.needs == "colour":
        return frozenset({*with_calls, "colour", "spill"})
    return frozenset({*with_calls, "play", "spill", "pass" if phase is Phase.DRAWN else "draw"})


def start(random: Random, **options: Any) -> dict[str, Any]:
    players = list(NAMES[: random.choice((2, 2, 3, 4, 10))])
    return {"do": "start", "game": "tippo", "players": players, "options": options}


def command(random: Random, state: TippoState) -> dict[str, Any]:
    """A command that the state does not rule out, most of the time one that will be accepted."""
    if "draw" in doable(state) and random.random() < 0.5:
        return {"do": "play", **_fitting(random, state)}
    words = sorted(doable(state) - {"start"})
    common = [word for word in words if word not in RARE]
    do = random.choice(common if common and random.random() < 0.85 else words)
    return {"do": do, **_fields(do, random, state)}


def _fitting(random: Random, state: TippoState) -> dict[str, Any]:
    """A card that may be laid, and a tray where it may."""
    places = [
        (card, tray) for card in random.sample(tippo_deck(), 20) for tray in trays_for(state, card)
    ]
    card, tray = random.choice(places) if places else (WILD, Tray.LEFT)
    return {"card": str(card), "tray": tray}


def _card(random: Random) -> str:
    return random.choice(DECK) if random.random() < 0.9 else "?"


def _fields(do: str, random: Random, state: TippoState) -> dict[str, Any]:
    player = random.choice(state.players)
    match do:
        case "deal":
            return {"left": _card(random), "right": _card(random)}
        case "play":
            card = _card(random)
            colour = {"colour": random.choice(COLOURS)} if random.random() < 0.5 else {}
            wild = {} if card not in ("W", "W+4", "Tilt") else colour
            return {"card": card, "tray": random.choice(TRAYS), **wild}
        case "colour":
            tray = {"tray": random.choice(TRAYS)} if random.random() < 0.8 else {}
            return {"colour": random.choice(COLOURS), **tray}
        case "uno":
            return {"player": player}
        case "catch":
            return {"player": state.uno_open or player, "by": random.choice(state.players)}
        case "drop":
            return {"card": _card(random)}
        case "spill":
            return random.choice(({}, {}, {"by": player}, {"no_fault": True}))
        case "hands":
            losers = [name for name in state.players if name != state.out]
            counted = {name: random.choices(DECK, k=state.hands[name]) for name in losers}
            return {"hands": counted}
        case "leave":
            return {"player": player}
        case "join":
            return {"player": random.choice(NAMES), "seat": random.randrange(3)}
        case "correct":
            return _correction(random, state)
        case _:
            return {}


def _correction(random: Random, state: TippoState) -> dict[str, Any]:
    """What the table overrules, but for what would change how many cards there are.

    That is a corrected hand, and a turn for somebody who has played their last card.
    """
    match random.randrange(4):
        case 0 if min(state.hands.values()) > 0:
            return {"turn": random.choice(state.players)}
        case 1:
            return {"direction": random.choice((1, -1))}
        case 2:
            return {random.choice(TRAYS): _card(random)}
        case _:
            return {"left": random.choice(("W", "W+4", "Tilt")), "colour": random.choice(COLOURS)}
