"""An UNO game enumerated by hand: hands, draws, calls and catches, plainly; and how it is counted.

It shares nothing with the engine. No case is deep enough to empty a pile or to count hands.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

State = dict[str, Any]
Commands = Callable[[State, list[str]], Iterator[State]]
HIDDEN = ("cards", "next", "called", "owed")
"""What an onlooker does not see."""


def first_state(table: dict[str, Any], deck: int, turned_up: int) -> State:
    players = list(table["hands"])
    return {
        "players": players,
        "phase": "play",
        "turn": players[1],
        "direction": 1,
        "cards": {name: list(hand) for name, hand in table["hands"].items()},
        "next": list(table["next"]),
        "draw_pile": deck - turned_up - 7 * len(players),
        "last_actor": None,
        "open": None,
        "called": [],
        "owed": {},
    }


def shown(state: State, hidden: tuple[str, ...]) -> str:
    """What an onlooker sees; two states that look the same are one end state."""
    seen = {key: state[key] for key in state if key not in (*HIDDEN, *hidden)}
    seen["hands"] = {name: len(hand) for name, hand in state["cards"].items()}
    return json.dumps(seen, sort_keys=True)


def after(state: State, name: str) -> str:
    players = state["players"]
    return str(players[(players.index(name) + state["direction"]) % len(players)])


def held(state: State, name: str) -> int:
    return len(state["cards"][name]) + int(state["owed"].get(name, 0))


def take(state: State, name: str, count: int) -> None:
    """Cards are counted at once; which they are is seen when the command is over."""
    state["owed"][name] = state["owed"].get(name, 0) + count
    if held(state, name) != 1:
        if state["open"] == name:
            state["open"] = None
        if name in state["called"]:
            state["called"].remove(name)


def done(state: State) -> State:
    """The command is over: everybody takes the cards that they were given, in seat order."""
    for name in state["players"]:
        for _ in range(state["owed"].pop(name, 0)):
            state["cards"][name].append(state["next"].pop(0))
            state["draw_pile"] -= 1
    return state


def next_turn(state: State, name: str, phase: str = "play") -> None:
    state["turn"], state["phase"] = name, phase
    state["called"] = [n for n in state["called"] if held(state, n) == 1]


def lay(state: State, name: str, card: str) -> int:
    """Takes the card out of the hand; how many are left there."""
    state["cards"][name].remove(card)
    state["last_actor"] = name
    left = held(state, name)
    if left == 1 and name not in state["called"]:
        state["open"] = name
    elif left != 1 and name in state["called"]:
        state["called"].remove(name)
    return left


def playable(state: State, name: str) -> list[str]:
    """Which cards of their hand they may think of: after a draw only the last one."""
    hand = state["cards"][name]
    if state["phase"] == "drawn" and name == state["turn"]:
        hand = hand[-1:]
    return list(dict.fromkeys(hand))


def say_uno(state: State) -> Iterator[State]:
    for name in state["players"]:
        due = name == state["turn"] and len(state["cards"][name]) == 2
        if state["open"] == name or (due and name not in state["called"]):
            later = deepcopy(state)
            later["called"].append(name)
            if later["open"] == name:
                later["open"] = None
            yield later


def catch(state: State) -> Iterator[State]:
    if state["open"] is not None:
        later = deepcopy(state)
        later["open"] = None
        take(later, state["open"], 2)
        yield done(later)


def is_wild(card: str) -> bool:
    return card in ("W", "W+4", "Tilt")


def colours_for(card: str, colours: list[str]) -> list[str | None]:
    """With which colour a card may be laid; a wild also without a word."""
    return [None, *colours] if is_wild(card) else [card[0]]


def count(
    first: State, commands: Commands, colours: list[str], depth: int, hidden: tuple[str, ...]
) -> tuple[int, int]:
    states = [first]
    for _ in range(depth):
        states = [later for state in states for later in commands(state, colours)]
    return len(states), len({shown(state, hidden) for state in states})


def write(
    data: Path, first: Callable[[Any], State], commands: Commands, hidden: tuple[str, ...]
) -> None:
    """Counts every case of a file anew."""
    cases = json.loads(data.read_text(encoding="utf-8"))
    for case in cases:
        table = case["table"]
        case["counts"] = [
            count(first(table), commands, table["colours"], depth, hidden)
            for depth in range(1, len(case["counts"]) + 1)
        ]
        print(case["name"], case["counts"])  # noqa: T201  (it is a program)
    data.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")
