"""Classic, enumerated slowly and plainly from the rules: makes the counts in `classic.json`.

It shares nothing with the engine. Run it as `python -m tests.perft.classic_by_hand` to write the
counts anew; the tests only read them.
"""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.perft import uno_by_hand as uno
from tests.perft.uno_by_hand import State, after, done, held, lay, next_turn, take

HIDDEN = ("waiting", "goes_on")


def first_state(table: dict[str, Any]) -> State:
    return {
        **uno.first_state(table, 108, 1),
        "top": table["top"],
        "colour": table["top"][0],
        "pile": 1,
        "accused": None,
        "waiting": None,
        "goes_on": None,
    }


def commands(state: State, colours: list[str]) -> Iterator[State]:
    """The state after each legal command."""
    if state["phase"] not in ("play", "drawn"):
        return
    yield from uno.say_uno(state)
    yield from uno.catch(state)
    if state["accused"] is not None:
        yield from after_wild_draw_four(state, colours)
    elif uno.is_wild(state["top"]) and state["colour"] is None:
        for colour in colours:
            yield done(named(deepcopy(state), colour))
    else:
        yield from turn(state, colours)


def turn(state: State, colours: list[str]) -> Iterator[State]:
    on_turn, later = state["turn"], deepcopy(state)
    if state["phase"] == "play":
        later["open"] = None
        take(later, on_turn, 1)
        later.update(phase="drawn", last_actor=on_turn)
    else:
        next_turn(later, after(later, on_turn))
    yield done(later)
    for card in uno.playable(state, on_turn):
        if uno.matches(card, state["top"], state["colour"]):
            for colour in uno.colours_for(card, colours):
                yield done(played(deepcopy(state), card, colour))


def played(state: State, card: str, colour: str | None) -> State:
    name = state["turn"]
    state["open"] = None
    left = lay(state, name, card)
    state.update(top=card, colour=colour, pile=state["pile"] + 1, phase="play")
    if colour is None and left:
        state["waiting"] = card
    else:
        effect(state, card, name)
    return state


def named(state: State, colour: str) -> State:
    state["colour"] = colour
    if state["waiting"]:
        card, state["waiting"] = state["waiting"], None
        effect(state, card, state["turn"])
    elif state["goes_on"]:
        next_turn(state, state["goes_on"])
        state["goes_on"] = None
    return state


def effect(state: State, card: str, name: str) -> None:
    victim = after(state, name)
    if card == "W+4":
        state["accused"] = name
        next_turn(state, victim)
        return
    follower = victim
    if card.endswith("+2"):
        take(state, victim, 2)
        follower = after(state, victim)
    elif card.endswith("skip") or (card.endswith("rev") and len(state["players"]) == 2):
        follower = after(state, victim)
    elif card.endswith("rev"):
        state["direction"] *= -1
        follower = after(state, name)
    go_on(state, name, follower)


def go_on(state: State, name: str, follower: str) -> None:
    if held(state, name):
        next_turn(state, follower)
    else:
        state.update(phase="hands", turn=None)


# --- the Wild Draw Four ------------------------------------------------------------------------


def after_wild_draw_four(state: State, colours: list[str]) -> Iterator[State]:
    yield done(accepted(deepcopy(state)))
    yield done(guilty(deepcopy(state)))
    yield done(innocent(deepcopy(state)))
    # Whoever is next may act as if it had been accepted, if the round goes on.
    stands = accepted(deepcopy(state))
    if stands["phase"] == "play":
        next_one = stands["turn"]
        drawn = deepcopy(stands)
        drawn["open"] = None
        take(drawn, next_one, 1)
        drawn.update(phase="drawn", last_actor=next_one)
        yield done(drawn)
        for card in uno.playable(stands, next_one):
            if uno.matches(card, stands["top"], stands["colour"]):
                for colour in uno.colours_for(card, colours):
                    yield done(played(deepcopy(stands), card, colour))


def accepted(state: State) -> State:
    victim, accused, state["accused"] = state["turn"], state["accused"], None
    take(state, victim, 4)
    go_on(state, accused, after(state, victim))
    return state


def guilty(state: State) -> State:
    victim, accused, state["accused"] = state["turn"], state["accused"], None
    take(state, accused, 4)
    if state["colour"] is None:
        # It was the last card of a hand, which needs no colour until it has to go on.
        next_turn(state, accused)
        state["goes_on"] = victim
    else:
        next_turn(state, victim)
    return state


def innocent(state: State) -> State:
    victim, accused, state["accused"] = state["turn"], state["accused"], None
    take(state, victim, 6)
    go_on(state, accused, after(state, victim))
    return state


if __name__ == "__main__":
    uno.write(Path(__file__).with_name("classic.json"), first_state, commands, HIDDEN)
