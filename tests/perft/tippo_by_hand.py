"""Tippo, enumerated slowly and plainly from the rules: makes the counts in `tippo.json`.

It shares nothing with the engine. Run it as `python -m tests.perft.tippo_by_hand` to write the
counts anew; the tests only read them. Nobody is to blame by hand (`by`, `no_fault`) in any case.
"""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.perft import uno_by_hand as uno
from tests.perft.uno_by_hand import State, after, held, lay, next_turn, take

HIDDEN = ("trays", "waiting", "before_spill", "follower", "tilt")
TRAYS = ("left", "right")


def first_state(table: dict[str, Any]) -> State:
    state = uno.first_state(table, 112, 2)
    state["trays"] = {t: {"pile": [table[t]], "colour": table[t][0]} for t in TRAYS}
    state.update(set_aside=0, waiting=None, before_spill=None, follower=None, tilt=None)
    return done(state)


def done(state: State) -> State:
    """The command is over; what everybody sees of the trays."""
    uno.done(state)
    for name, tray in state["trays"].items():
        state[name] = [tray["pile"][-1], tray["colour"], len(tray["pile"]), is_open(state, name)]
    state["tray_of_tilt"] = None if state["tilt"] is None else state["tilt"]["tray"]
    return state


def other(tray: str) -> str:
    return "right" if tray == "left" else "left"


def top(state: State, tray: str) -> str:
    return str(state["trays"][tray]["pile"][-1])


def is_open(state: State, tray: str) -> bool:
    """The only visible Stop stops its tray; two visible Stops stop nothing."""
    stop, other_stop = (top(state, t).endswith("!") for t in (tray, other(tray)))
    return not stop or other_stop


def fits(state: State, card: str, tray: str) -> bool:
    if uno.is_wild(card):
        return True
    lies, colour = top(state, tray), state["trays"][tray]["colour"]
    same_colour = card[0] == colour
    same_number = card[1].isdigit() and not uno.is_wild(lies) and card[1] == lies[1]
    if not is_open(state, tray):
        return False
    if lies.endswith("!"):
        if card.endswith("!"):
            return same_colour or same_number
        return same_colour and not card[1].isdigit()
    if card[1].isdigit():
        return same_colour or same_number
    return same_colour or (not uno.is_wild(lies) and card[1:] == lies[1:])


def commands(state: State, colours: list[str]) -> Iterator[State]:
    """The state after each legal command."""
    if state["phase"] in ("play", "drawn", "spilled", "tilt"):
        yield from (done(later) for later in uno.catch(state))
    match state["phase"]:
        case "play" | "drawn":
            yield from (done(later) for later in uno.say_uno(state))
            yield done(spilled(deepcopy(state)))
            yield from turn(state, colours)
        case "spilled":
            yield from called_late(state)
            yield done(reset(deepcopy(state)))
        case "tilt":
            yield from called_late(state)
            yield done(dropped(deepcopy(state)))
            yield done(tipped(deepcopy(state)))
        case "going_out":
            yield done(spilled(deepcopy(state)))
            later = deepcopy(state)
            later["phase"] = "hands"
            yield done(later)


def called_late(state: State) -> Iterator[State]:
    if state["open"] is not None:
        later = deepcopy(state)
        later["called"].append(state["open"])
        later["open"] = None
        yield done(later)


def turn(state: State, colours: list[str]) -> Iterator[State]:
    on_turn, later = state["turn"], deepcopy(state)
    colourless = [tray for tray in TRAYS if state["trays"][tray]["colour"] is None]
    if colourless:
        for tray in colourless:
            for chosen in colours:
                yield done(named(deepcopy(state), tray, chosen))
        return
    if state["phase"] == "play":
        later["open"] = None
        take(later, on_turn, 1)
        later.update(phase="drawn", last_actor=on_turn)
    else:
        next_turn(later, after(later, on_turn))
    yield done(later)
    for card in uno.playable(state, on_turn):
        for tray in TRAYS:
            if fits(state, card, tray):
                for colour in uno.colours_for(card, colours):
                    yield done(played(deepcopy(state), card, tray, colour))


def named(state: State, tray: str, colour: str) -> State:
    """With the last missing colour comes what waited for it: a wild's effect, or the one who goes
    on after a last card that has spilled."""
    name = state["turn"]
    state["trays"][tray]["colour"] = colour
    if any(lies["colour"] is None for lies in state["trays"].values()):
        return state
    waiting, state["waiting"] = state["waiting"], None
    follower, state["follower"] = state["follower"], None
    if waiting is not None:
        next_turn(state, effect(state, top(state, waiting), name))
    elif follower is not None:
        next_turn(state, follower)
    return state


def played(state: State, card: str, tray: str, colour: str | None) -> State:
    name = state["turn"]
    state["open"] = None
    left = lay(state, name, card)
    state["trays"][tray]["pile"].append(card)
    state["trays"][tray]["colour"] = colour
    state["phase"] = "play"
    if card == "Tilt":
        state["trays"][tray]["colour"] = None
        state["tilt"] = {"by": name, "tray": tray, "colour": colour, "drops": 0}
        next_turn(state, after(state, name), "tilt")
        return state
    if colour is None and left:
        state["waiting"] = tray
        return state
    follower = effect(state, card, name)
    if left:
        next_turn(state, follower)
    else:
        state.update(phase="going_out", turn=None, follower=follower)
    return state


def effect(state: State, card: str, name: str) -> str:
    victim = after(state, name)
    if card == "W+4" or card.endswith("+2"):
        take(state, victim, 4 if card == "W+4" else 2)
        return after(state, victim)
    if card.endswith("skip") or (card.endswith("rev") and len(state["players"]) == 2):
        return after(state, victim)
    if card.endswith("rev"):
        state["direction"] *= -1
        return after(state, name)
    return victim


def spilled(state: State) -> State:
    """Whoever acted last draws two; after a last card they are not out."""
    payer = state["last_actor"]
    if payer is not None:
        take(state, payer, 2)
    state["before_spill"] = state["phase"]
    if state["phase"] == "going_out":
        assert held(state, payer) == 2
        state["before_spill"] = "play"
        if any(lies["colour"] is None for lies in state["trays"].values()):
            next_turn(state, payer)
        else:
            next_turn(state, state["follower"])
            state["follower"] = None
    state["phase"] = "spilled"
    return state


def dropped(state: State) -> State:
    """The next in order draws a card and puts it on the Tilt card, whatever it is."""
    name, card = state["turn"], state["next"].pop(0)
    lies = state["trays"][state["tilt"]["tray"]]
    lies["pile"].append(card)
    lies["colour"] = None if uno.is_wild(card) else card[0]
    state["draw_pile"] -= 1
    state["tilt"]["drops"] += 1
    state["last_actor"] = name
    next_turn(state, after(state, name), "tilt")
    return state


def tipped(state: State) -> State:
    """Whoever dropped last pays and is as if they had laid that card; after a Tilt that was a last
    card the round is over, unless its own player has tipped the scale."""
    tilt, tipper = state["tilt"], state["last_actor"]
    state["tilt"] = None
    take(state, tipper, 2)
    if not tilt["drops"] and tilt["colour"] is not None:
        state["trays"][tilt["tray"]]["colour"] = tilt["colour"]
    last = top(state, tilt["tray"])
    if held(state, tilt["by"]) == 0:
        if last == "W+4" or last.endswith("+2"):
            take(state, after(state, tipper), 4 if last == "W+4" else 2)
        state.update(phase="spilled", before_spill="hands", turn=None)
        return state
    state["before_spill"] = "play"
    next_turn(state, effect(state, last, tipper), "spilled")
    return state


def reset(state: State) -> State:
    for tray in state["trays"].values():
        state["set_aside"] += len(tray["pile"][:-2])
        tray["pile"] = tray["pile"][-2:]
    state["phase"] = state["before_spill"]
    return state


if __name__ == "__main__":
    uno.write(Path(__file__).with_name("tippo.json"), first_state, commands, HIDDEN)
