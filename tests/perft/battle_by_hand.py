"""Battle, enumerated slowly and plainly from the rules: makes the counts in `battle.json`.

It shares nothing with the engine. Run it as `python -m tests.perft.battle_by_hand` to write the
counts anew; the tests only read them. In the first round, which no case leaves, all scores are 0.
"""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.perft import uno_by_hand as uno
from tests.perft.uno_by_hand import State, after, done, held, lay, next_turn, take

HIDDEN = ("laid", "answered", "waiting", "stolen", "before_steal")
PENALTY = ("+2", "W+4", "W", "rev", "skip")


def first_state(table: dict[str, Any]) -> State:
    return {
        **uno.first_state(table, 108, 1),
        "top": table["top"],
        "colour": table["top"][0],
        "pile": 1,
        "battle": 0,
        "answered": False,
        "laid": None,
        "waiting": False,
        "stolen": False,
        "before_steal": None,
    }


def commands(state: State, colours: list[str]) -> Iterator[State]:
    """The state after each legal command."""
    if state["before_steal"] is not None:
        yield from defences(state["before_steal"], colours)
    # A defence is possible only right after a steal.
    yield from others({**state, "before_steal": None}, colours)


def others(state: State, colours: list[str]) -> Iterator[State]:
    if state["phase"] not in ("play", "drawn"):
        return
    yield from uno.say_uno(state)
    if state["turn"] is None:
        # Rock, paper, scissors says who answers the battle.
        for name in state["players"]:
            later = deepcopy(state)
            next_turn(later, name)
            yield later
        return
    if uno.is_wild(state["top"]) and state["colour"] is None:
        for colour in colours:
            later = deepcopy(state)
            later["colour"] = colour
            effect(later, later["top"], later["turn"])
            yield done(later)
        return
    yield from draws(state)
    yield from plays(state, colours)
    yield from steals(state, colours)


def kind(card: str) -> str:
    return card if uno.is_wild(card) else card[1:]


def draws(state: State) -> Iterator[State]:
    name = state["turn"]
    if state["battle"]:
        for drawn in range(1, state["battle"] + 1):
            later = deepcopy(state)
            forgot_uno(later)
            take(later, name, drawn)
            later["battle"] -= drawn
            if later["battle"]:
                later["phase"] = "drawn"
            else:
                later["answered"] = False
                next_turn(later, name)
            yield done(later)
        return
    later = deepcopy(state)
    if state["phase"] == "play":
        forgot_uno(later)
        take(later, name, 1)
        later.update(phase="drawn", last_actor=name)
    else:
        later["laid"] = None
        next_turn(later, after(later, name))
    yield done(later)


def forgot_uno(state: State) -> None:
    if state["open"] is not None:
        take(state, state["open"], 2)


def may_lie(state: State, card: str) -> bool:
    if not state["battle"]:
        return uno.matches(card, state["top"], state["colour"])
    if kind(card) == "W":
        return bool(state["answered"])
    return kind(card) in PENALTY


def plays(state: State, colours: list[str]) -> Iterator[State]:
    if state["phase"] == "drawn" and state["battle"]:
        return
    for card in uno.playable(state, state["turn"]):
        if may_lie(state, card):
            for colour in uno.colours_for(card, colours):
                yield done(laid(deepcopy(state), state["turn"], card, colour))


def steals(state: State, colours: list[str]) -> Iterator[State]:
    if state["laid"] is None:
        return
    by, direction = state["laid"]
    for name in state["players"]:
        for card in dict.fromkeys(state["cards"][name]):
            zeros = kind(card) == "0" and kind(state["top"]) == "0"
            own = name == by and not zeros
            in_battle = card == "W" and state["battle"]
            if name == state["turn"] or own or in_battle or len(state["cards"][name]) < 2:
                continue
            if card == state["top"] or zeros:
                for colour in uno.colours_for(card, colours):
                    later = deepcopy(state)
                    # What the covered card did to direction and turn is annulled.
                    later.update(turn=name, direction=direction, stolen=True)
                    later["before_steal"] = deepcopy(state)
                    yield done(laid(later, name, card, colour))


def defences(before: State, colours: list[str]) -> Iterator[State]:
    """Instead of the steal the card of whoever had the turn lies; it may be any of their hand."""
    if before["phase"] == "drawn" and before["battle"]:
        return
    for card in dict.fromkeys(before["cards"][before["turn"]]):
        if may_lie(before, card):
            for colour in uno.colours_for(card, colours):
                yield done(laid(deepcopy(before), before["turn"], card, colour))


def laid(state: State, name: str, card: str, colour: str | None) -> State:
    forgot_uno(state)
    left = lay(state, name, card)
    direction = state["direction"]
    state.update(top=card, colour=colour, pile=state["pile"] + 1, phase="play")
    state["laid"] = (name, direction)
    if not left and kind(card) in PENALTY:
        take(state, name, 2)
    if colour is not None:
        effect(state, card, name)
    return state


def effect(state: State, card: str, name: str) -> None:
    in_battle, stolen = state["battle"] > 0, state["stolen"]
    two = len(state["players"]) == 2
    state["stolen"] = False
    if in_battle and not stolen:
        state["answered"] = True
        if card == "W":
            # Everybody has the same score.
            state["turn"] = None
            return
    follower = after(state, name)
    if kind(card) in ("+2", "W+4"):
        state["battle"] += 2 if kind(card) == "+2" else 4
    elif kind(card) == "rev" and not two:
        state["direction"] *= -1
        follower = after(state, name)
    elif kind(card) in ("skip", "rev") and not in_battle:
        follower = after(state, follower)
    if held(state, name):
        next_turn(state, follower)
    else:
        state.update(phase="hands", turn=None, battle=0)


if __name__ == "__main__":
    uno.write(Path(__file__).with_name("battle.json"), first_state, commands, HIDDEN)
