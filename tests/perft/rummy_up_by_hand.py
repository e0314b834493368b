"""Rummy Up, enumerated slowly and plainly from the rules: makes the counts in `rummy_up.json`.

It shares nothing with the engine. Run it as `python -m tests.perft.rummy_up_by_hand` to write
the counts anew; the tests only read them. Two things of the rules are left out, since no case is
deep enough to reach them: counting the racks, and an empty pool.
"""

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from tests.perft.tilings import Table, subsets, tables

DATA = Path(__file__).with_name("rummy_up.json")
EFFECT = {2: "draw_two", 5: "skip", 7: "reverse"}
State = dict[str, Any]


def colour(tile: str) -> str:
    return tile.removeprefix("W=")[0]


def number(tile: str) -> int:
    return int(tile.removeprefix("W=")[1:])


def wild(tile: str) -> bool:
    return tile.startswith("W")


def face(tile: str) -> str:
    return "W" if wild(tile) else tile


def first_state(table: dict[str, Any]) -> State:
    players = list(table["racks"])
    return {
        "players": players,
        "phase": "play",
        "turn": players[1],
        "direction": 1,
        "racks": {name: list(rack) for name, rack in table["racks"].items()},
        "pool": list(table["pool"]),
        "draw_pile": 100 - 4 - 14 * len(players),
        "table": [],
        "loose": list(table["loose"]),
        "open": None,
        "called": [],
        "last_actor": None,
    }


def shown(state: State) -> str:
    """What an onlooker sees; two states that look the same are one end state."""
    seen = {key: state[key] for key in state if key not in ("racks", "pool", "called")}
    seen["hands"] = {name: len(rack) for name, rack in state["racks"].items()}
    return json.dumps(seen, sort_keys=True)


def after(state: State, name: str, steps: int = 1) -> str:
    players = state["players"]
    place = players.index(name) + steps * state["direction"]
    return str(players[place % len(players)])


# --- melds -----------------------------------------------------------------------------------


def is_set(meld: tuple[str, ...]) -> bool:
    numbers, colours = {number(t) for t in meld}, {colour(t) for t in meld}
    one_wild = sum(map(wild, meld)) <= 1
    return len(numbers) == 1 and len(colours) == len(meld) in (3, 4) and one_wild


def is_run(meld: tuple[str, ...]) -> bool:
    numbers = [number(t) for t in meld]
    in_order = numbers == list(range(numbers[0], numbers[0] + len(meld)))
    neighbours = any(wild(a) and wild(b) for a, b in pairwise(meld))
    return len(meld) >= 3 and len({colour(t) for t in meld}) == 1 and in_order and not neighbours


def faces(table: Any) -> Counter[str]:
    return Counter(face(tile) for meld in table for tile in meld)


def wilds_replaced(old: Any, new: Table) -> bool:
    """Each wild still stands for the same tile somewhere, or the tile it stood for is there.

    "There" is beside a tile that lay beside the wild. A tile of another old meld of which more
    neighbours lie here, among them all of the wild's own, has not moved. No case has two equal
    wilds.
    """
    for meld in old:
        for tile in filter(wild, meld):
            if any(tile in other for other in new):
                continue
            if is_set(tuple(meld)):
                have = {colour(t) for t in meld if not wild(t)}
                wanted = {f"{c}{number(tile)}" for c in "RYGB" if c not in have}
            else:
                wanted = {tile.removeprefix("W=")}
            if not any(takes_place(old, meld, other, wanted) for other in new):
                return False
    return True


def takes_place(old: Any, home: Any, meld: tuple[str, ...], wanted: set[str]) -> bool:
    beside = [tile for tile in meld if tile in home]
    for tile in wanted.intersection(meld):
        stayed = False
        for other in old:
            there = [t for t in meld if t in other and t != tile]
            if tile in other and len(there) > len(beside) and set(beside) <= set(there):
                stayed = True
        if beside and not stayed:
            return True
    return False


def legal_table(state: State, table: Table) -> Counter[str] | None:
    """The tiles that come from the rack, if the table may lie there."""
    old = faces(state["table"])
    if old - faces(table) or not all(is_set(meld) or is_run(meld) for meld in table):
        return None
    if not wilds_replaced(state["table"], table):
        return None
    rack = faces(table) - old - Counter(state["loose"])
    held = state["racks"][state["turn"]]
    if state["phase"] == "drawn":
        held = held[-1:]
    if rack - Counter(held) or not 1 <= sum(rack.values()) <= 4:
        return None
    return rack


def rack_tiles(state: State, table: Table, rack: Counter[str]) -> list[list[str]]:
    """Which tiles of each meld are the rack's: of equal tiles those among the fewest old friends.

    Friends are the tiles of the old meld in which the tile lay; among equals the last ones.
    """
    found: list[list[str]] = [[] for _ in table]
    for name, count in rack.items():
        spots = []
        for index, meld in enumerate(table):
            for tile in meld:
                if face(tile) == name:
                    homes = [m for m in state["table"] if tile in m]
                    stays = bool(homes)
                    if not homes and wild(tile):
                        homes = [m for m in state["table"] if any(map(wild, m))]
                    friends = [sum((Counter(m) & Counter(meld)).values()) for m in homes]
                    spots.append((stays, max(friends, default=0), -index))
        for spot in sorted(spots)[:count]:
            found[-spot[2]].append(name)
    return found


# --- commands --------------------------------------------------------------------------------


def take(state: State, name: str, count: int) -> None:
    for _ in range(count):
        state["racks"][name].append(state["pool"].pop(0))
        state["draw_pile"] -= 1


def next_turn(state: State, name: str) -> None:
    state["turn"], state["phase"] = name, "play"
    state["called"] = [n for n in state["called"] if len(state["racks"][n]) == 1]


def commands(state: State, meanings: list[str]) -> Iterator[State]:
    """The state after each legal command."""
    if state["phase"] not in ("play", "drawn"):
        return
    on_turn = state["turn"]
    later = deepcopy(state)
    if state["phase"] == "play":
        if len(later["racks"][on_turn]) == 1 and on_turn in later["called"]:
            later["called"].remove(on_turn)
        take(later, on_turn, 1)
        later.update(phase="drawn", last_actor=on_turn, open=None)
    else:
        next_turn(later, after(state, on_turn))
    yield later
    yield from calls(state)
    lying = list(faces(state["table"]).elements())
    rack = state["racks"][on_turn]
    if state["phase"] == "drawn":
        rack = rack[-1:]
    found: set[Table] = set()
    for loose, held in product(subsets(state["loose"]), subsets(rack)):
        found |= tables([*lying, *loose, *held], meanings)
    for table in found:
        played = legal_table(state, table)
        if played is not None:
            yield from melds(state, table, played)


def calls(state: State) -> Iterator[State]:
    for name in state["players"]:
        tiles = len(state["racks"][name])
        in_turn = name == state["turn"] and 2 <= tiles <= 5 and name not in state["called"]
        if state["open"] == name or in_turn:
            later = deepcopy(state)
            later["called"].append(name)
            if later["open"] == name:
                later["open"] = None
            yield later
        if state["open"] == name:
            # Only whoever is next may catch.
            later = deepcopy(state)
            later["open"] = None
            take(later, name, 2)
            yield later


def melds(state: State, table: Table, played: Counter[str]) -> Iterator[State]:
    brought: list[list[str | None]] = []
    for tiles in rack_tiles(state, table, played):
        effects = {"draw_four" if tile == "W" else EFFECT.get(number(tile)) for tile in tiles}
        brought.append([*sorted(effect for effect in effects if effect)] or [None])
    for chosen in product(*brought):
        yield melded(state, table, played, [effect for effect in chosen if effect])


def melded(state: State, table: Table, played: Counter[str], effects: list[str]) -> State:
    later = deepcopy(state)
    name = state["turn"]
    used = faces(table) - faces(state["table"]) - played
    for tile in used.elements():
        later["loose"].remove(tile)
    for tile in played.elements():
        later["racks"][name].remove(tile)
    later.update(table=[list(meld) for meld in table], last_actor=name, open=None)
    left = len(later["racks"][name])
    if left == 1 and name not in later["called"]:
        later["open"] = name
    reverses, skips = effects.count("reverse"), effects.count("skip")
    if len(state["players"]) == 2:
        skips += reverses
    elif reverses % 2:
        later["direction"] *= -1
    count = 2 * effects.count("draw_two") + 4 * effects.count("draw_four")
    victim = after(later, name)
    if count:
        if victim in later["called"]:
            later["called"].remove(victim)
        take(later, victim, count)
        skips += 1
    if left:
        next_turn(later, after(later, name, 1 + skips))
    else:
        later.update(phase="hands", turn=None, open=None)
    return later


def count(table: dict[str, Any], depth: int) -> tuple[int, int]:
    states = [first_state(table)]
    for _ in range(depth):
        states = [later for state in states for later in commands(state, table["meanings"])]
    return len(states), len({shown(state) for state in states})


def main() -> None:
    cases = json.loads(DATA.read_text(encoding="utf-8"))
    for case in cases:
        case["counts"] = [
            count(case["table"], depth) for depth in range(1, len(case["counts"]) + 1)
        ]
        print(case["name"], case["counts"])  # noqa: T201  (it is a program)
    DATA.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
