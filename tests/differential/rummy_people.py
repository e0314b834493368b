"""Random people at a table of Rummy Up: what they rearrange and say, sensible or not.

This module never judges a board: most that it makes are legal, and nobody says which.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from tests.differential.second_rummy_board import (
    COLOURS,
    FACES,
    Board,
    Meld,
    No,
    colour,
    face,
    is_meld,
    is_run,
    is_set,
    is_wild,
    number,
    stands_for,
    tiles_of,
)
from tests.differential.second_rummy_stream import HOUSE_RULES
from tests.differential.second_rummy_up import Table

NAMES = ("Ann", "Bob", "Cid", "Dee")
NO_TILES = ("", "W", "W=", "W=W", "W=R13", "W+4", "R0", "R13", "r5", "R3!", "Tilt", "?")
EFFECTS = ("draw_two", "draw_four", "skip", "reverse")
BLUNDERS: tuple[Any, ...] = (
    *(7, [], None, {}, {"do": "nope"}, {"do": "meld"}, {"do": "meld", "table": "R1"}),
    *({"do": "meld", "table": [["R1", 2]]}, {"do": "meld", "table": [], "effects": {"0": "skip"}}),
    *({"do": "draw", "count": 2}, {"do": "draw", "player": None}, {"do": "pass", "tray": "left"}),
    *({"do": "deal", "table": ["R1", "R2", "R3"]}, {"do": "deal", "left": "R1", "right": "R2"}),
    *({"do": "correct"}, {"do": "correct", "direction": 0}, {"do": "correct", "top": "R1"}),
    *({"do": "hands"}, {"do": "hands", "hands": {}, "points": {}}, {"do": "uno"}),
    *({"do": "hands", "points": {"Ann": -1}}, {"do": "correct", "hand": {"Ann": 1.5}}),
    *({"do": "join", "player": ""}, {"do": "join", "player": "Eve", "seat": -1}),
    *({"do": "play", "card": "R5"}, {"do": "spill"}, {"do": "colour", "colour": "R"}),
    {"do": "start", "game": "rummy_up", "players": ["Ann", "Bob"]},
)
OFTEN: dict[str, tuple[str, ...]] = {
    "setup": (*("deal",) * 8, "join"),
    "play": (*("meld",) * 8, *("draw",) * 4, "pass", "uno", "uno", "catch", "correct"),
    "drawn": (*("meld",) * 4, *("pass",) * 5, "uno", "catch"),
    "hands": (*("hands",) * 6, "uno", "catch"),
    "game_over": ("undo",),
}
ANYTHING = ("deal", "meld", "draw", "pass", "uno", "catch", "hands", "join", "correct", "undo")


class Rearranging:
    """A board in the hands of somebody who moves tiles about."""

    def __init__(self, random: Random, melds: list[Meld], numbers: range) -> None:
        self.random, self.numbers = random, numbers
        self.melds = [list(meld) for meld in melds]

    def some(self) -> list[Meld]:
        """The melds after a few moves, in any order, and now and then spoiled."""
        moves: tuple[Callable[[], bool], ...] = (
            *(self.extend,) * 5,
            *(self.lay,) * 3,
            *(self.lay_wild,) * 2,
            *(self.replace,) * 4,
            *(self.dissolve,) * 2,
            *(self.split, self.unite, self.rename, self.take_wild),
        )
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3, 4))):
            before = [list(meld) for meld in self.melds]
            if not self.random.choice(moves)():
                self.melds = before
        if self.random.random() < 0.4:
            self.random.shuffle(self.melds)
        if self.random.random() < 0.15:
            self.spoil()
        return self.melds

    def any_of(self, melds: list[Meld]) -> Meld | None:
        return self.random.choice(melds) if melds else None

    def with_a_wild(self) -> tuple[Meld, int] | None:
        wilds = [(meld, meld.index(t)) for meld in self.melds for t in meld if is_wild(t)]
        return self.random.choice(wilds) if wilds else None

    def take(self, tile: str) -> bool:
        """A tile from beside the board, or from a meld that does without it."""
        spare: list[tuple[Meld, list[Meld]]] = []
        for meld in self.melds:
            if tile in meld:
                at = meld.index(tile)
                rest = [meld[:at] + meld[at + 1 :]]
                if is_run(meld) and 0 < at < len(meld) - 1:
                    rest = [meld[:at], meld[at + 1 :]]
                if all(map(is_meld, rest)):
                    spare.append((meld, rest))
        if spare and self.random.random() < 0.5:
            meld, rest = self.random.choice(spare)
            self.melds.remove(meld)
            self.melds += rest
            return True
        return tiles_of(self.melds)[face(tile)] < (4 if is_wild(tile) else 2)

    def think_of(self) -> Meld:
        one, random = self.random.choice(self.numbers), self.random
        if random.random() < 0.5:
            return [f"{c}{one}" for c in random.sample(COLOURS, random.choice((3, 3, 4)))]
        first, size, c = min(one, 10), random.choice((3, 3, 3, 4, 5)), random.choice(COLOURS)
        return [f"{c}{n}" for n in range(first, min(first + size, 13))]

    def put(self, meld: Meld) -> bool:
        """Lays a meld whose tiles can be had."""
        had = all(map(self.take, meld))
        self.melds.append(meld)
        return had

    def lay(self) -> bool:
        return self.put(self.think_of())

    def lay_wild(self) -> bool:
        meld = self.think_of()
        at = self.random.randrange(len(meld))
        return self.put([*meld[:at], f"W={meld[at]}", *meld[at + 1 :]])

    def longer(self, meld: Meld, tiles: tuple[str, ...]) -> list[tuple[str, Meld]]:
        like = {colour(text) for text in meld} | {str(number(text)) for text in meld}
        fit = [tile for tile in tiles if like & {colour(tile), str(number(tile))}]
        ways = [(tile, way) for tile in fit for way in ([tile, *meld], [*meld, tile])]
        return [(tile, way) for tile, way in ways if is_meld(way)]

    def extend(self) -> bool:
        meld = self.any_of(self.melds)
        ways = self.longer(meld, FACES) if meld else []
        if not ways:
            return False
        tile, way = self.random.choice(ways)
        return self.exchange(meld, way) if self.take(tile) else False

    def exchange(self, meld: Meld | None, other: Meld) -> bool:
        """Puts another meld in the place of one, if taking a tile has left it there."""
        if meld not in self.melds:
            return False
        self.melds[self.melds.index(meld)] = other
        return True

    def replace(self) -> bool:
        """Takes a wild away for another meld; the exact tile, or a colour of a set, comes."""
        found = self.with_a_wild()
        if found is None:
            return False
        meld, at = found
        tile = stands_for(meld[at])
        if is_set(meld) and self.random.random() < 0.6:
            tile = f"{self.random.choice(COLOURS)}{number(tile)}"
        if not self.take(tile):
            return False
        return self.exchange(meld, [*meld[:at], tile, *meld[at + 1 :]]) and self.lay_wild()

    def take_wild(self) -> bool:
        """Takes a wild away and leaves its place empty."""
        found = self.with_a_wild()
        if found is None:
            return False
        meld, at = found
        rest = meld[:at] + meld[at + 1 :]
        return is_meld(rest) and self.exchange(meld, rest) and self.lay_wild()

    def rename(self) -> bool:
        """Lets a wild stand for another tile beside the same companions."""
        found = self.with_a_wild()
        if found is None:
            return False
        meld, at = found
        wilds = tuple(f"W={tile}" for tile in FACES if tile != stands_for(meld[at]))
        ways = self.longer(meld[:at] + meld[at + 1 :], wilds)
        return bool(ways) and self.exchange(meld, self.random.choice(ways)[1])

    def split(self) -> bool:
        meld = self.any_of([meld for meld in self.melds if is_run(meld) and len(meld) > 5])
        if meld is None:
            return False
        at = self.random.randrange(3, len(meld) - 2)
        self.melds.append(meld[at:])
        return self.exchange(meld, meld[:at])

    def unite(self) -> bool:
        for meld in self.melds:
            for other in self.melds:
                if is_meld(meld + other):
                    self.melds.remove(other)
                    return self.exchange(meld, meld + other)
        return False

    def dissolve(self) -> bool:
        """Gives each tile of a meld a place in another, or in a new one."""
        meld = self.any_of(self.melds)
        if meld is None:
            return False
        self.melds.remove(meld)
        return all(map(self.settle, meld))

    def settle(self, tile: str) -> bool:
        for meld in self.melds:
            for _, way in self.longer(meld, (tile,)):
                return self.exchange(meld, way)
        for _ in range(8):
            meld = self.think_of()
            if stands_for(tile) in meld:
                others = [other for other in meld if other != stands_for(tile)]
                had = all(map(self.take, others))
                self.melds.append([tile if other not in others else other for other in meld])
                return had
        return False

    def spoil(self) -> None:
        meld = self.any_of(self.melds)
        if meld is None:
            self.melds.append(self.random.choice([[], ["R1"], ["W", "R2", "R3"], ["R1"] * 3]))
            return
        at = self.random.randrange(len(meld))
        blunders: tuple[list[Meld], ...] = (
            [meld[:at] + meld[at + 1 :]],
            [[*meld, meld[at]]],
            [[*meld[:at], self.random.choice(NO_TILES), *meld[at + 1 :]]],
            [[*meld[:at], f"W={self.random.choice(FACES)}", *meld[at + 1 :]]],
            [self.random.sample(meld, len(meld))],
            [[self.random.choice(FACES), *meld]],
            [meld, self.random.choices(FACES, k=3)],
            [meld, []],
            [],
        )
        place = self.melds.index(meld)
        self.melds[place : place + 1] = self.random.choice(blunders)


def effects(random: Random, table: Table, melds: list[Meld]) -> dict[str, str]:
    """A choice wherever there is one, mostly."""
    chosen: dict[str, str] = {}
    try:
        board = Board(table.table, table.loose, melds)
    except No:
        return chosen
    for index in range(len(melds)):
        offered = board.effects(index)
        if len(offered) > 1:
            chosen[str(index)] = random.choice(sorted(offered))
    if random.random() < 0.1:
        chosen.clear()
    if random.random() < 0.06:
        key = random.choice((str(random.randrange(len(melds) + 1)), "-1", "00", "x", " 0"))
        chosen[key] = random.choice((*EFFECTS, "Skip"))
    return chosen


def command(random: Random, table: Table, numbers: range) -> Any:
    """What somebody says next."""
    if random.random() < 0.04:
        return random.choice(BLUNDERS)
    do = random.choice(OFTEN[table.phase] if random.random() < 0.85 else ANYTHING)
    if random.random() < 0.01:
        do = "leave"
    few = [name for name, count in table.hands.items() if count in (1, 2)]
    player = random.choice(few if few and random.random() < 0.6 else table.players)
    player = player if random.random() < 0.95 else random.choice(("Zoe", ""))
    fields: dict[str, Any] = {}
    match do:
        case "deal":
            fields = {"table": four_tiles(random, numbers)}
        case "meld":
            melds = Rearranging(random, table.table, numbers).some()
            fields = {"table": melds}
            if (chosen := effects(random, table, melds)) or random.random() < 0.1:
                fields["effects"] = chosen
        case "draw" if random.random() < 0.2:
            fields = {"player": player}
        case "uno":
            fields = {"player": table.turn if table.turn and random.random() < 0.4 else player}
        case "catch":
            fields = {"player": table.uno_open or player}
            if random.random() < 0.6:
                fields["by"] = random.choice((*table.players, player))
        case "hands":
            fields = counted(random, table)
        case "leave":
            fields = {"player": player}
        case "join":
            fields = {"player": random.choice(("Eve", "Fay", player))}
            if random.random() < 0.5:
                fields["seat"] = random.randrange(6)
        case "correct":
            fields = random.choice(
                (
                    {"turn": player},
                    {"direction": random.choice((1, -1))},
                    {"hand": {player: random.choice((0, 1, 2, 3))}},
                    {"hand": {player: random.choice((1, 2, 3, 4, 5))}, "turn": player},
                )
            )
        case _:
            pass
    return {"do": do, **fields}


def four_tiles(random: Random, numbers: range) -> Meld:
    tiles = random.sample([tile for tile in FACES if number(tile) in numbers] * 2 + ["W"] * 4, 4)
    if random.random() < 0.1:
        tiles[0] = random.choice((*NO_TILES, tiles[1]))
    return tiles if random.random() < 0.95 else [tiles[0]] * 4


def counted(random: Random, table: Table) -> dict[str, Any]:
    """The racks that are left, or their points."""
    losers = [name for name in table.players if name != table.out]
    losers = losers if random.random() < 0.95 else [*losers[1:], random.choice(("Zoe", "Ann"))]
    fields: dict[str, Any] = {"points": {name: random.choice((0, 5, 40, 99)) for name in losers}}
    if random.random() < 0.5:
        racks = {name: random.choices((*FACES, "W"), k=table.hands.get(name, 2)) for name in losers}
        if racks and random.random() < 0.2:
            racks[losers[0]][:1] = random.choice(([], ["?"], ["W=R1"], ["R0"]))
        fields = {"hands": racks}
    if table.out and random.random() < 0.1:
        next(iter(fields.values()))[table.out] = []
    if random.random() < 0.15:
        fields["force"] = random.random() < 0.7
    return fields


def house_rules(random: Random) -> dict[str, Any]:
    """Some options, each with one of its values."""
    numbers = {"uno_penalty": (2, 0, 3), "grace_seconds": (0, 5), "target": (200, 60)}
    known = {name: numbers.get(name, values) for name, values in HOUSE_RULES.items()}
    return {
        name: random.choice(values)
        for name, values in known.items()
        if isinstance(values, tuple) and random.random() < 0.3
    }
