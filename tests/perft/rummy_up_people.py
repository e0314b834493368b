"""The table of a Rummy Up perft case: who holds which tiles, and everything they might try."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from companion.games.referee import Code
from tests.perft.tilings import place, subsets, tables

EFFECTS = ("draw_two", "draw_four", "skip", "reverse")


@dataclass(frozen=True)
class Seated:
    racks: Mapping[str, tuple[str, ...]]
    pool: tuple[str, ...]
    meanings: tuple[str, ...]
    """What a wild may stand for; a case names few, to be small."""

    def tries(self, state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if state["phase"] not in ("play", "drawn"):
            return
        yield {"do": "draw"}
        yield {"do": "pass"}
        for player in state["players"]:
            yield {"do": "uno", "player": player}
            for other in state["players"]:
                yield {"do": "catch", "player": player, "by": other}
        lying = [_face(tile) for meld in state["table"] for tile in meld]
        rack = self.racks[state["turn"]]
        if state["phase"] == "drawn":
            rack = rack[-1:]
        seen = set()
        for loose, held in product(subsets(state["loose"]), subsets(rack)):
            for table in tables([*lying, *loose, *held], self.meanings):
                if table not in seen and sum(map(_hopeless, table)) < 2:
                    seen.add(table)
                    yield {"do": "meld", "table": table}

    def tries_then(self, refused: Mapping[str, Any], code: Code) -> Iterator[dict[str, Any]]:
        """Every choice of effects, where one was missing."""
        if code is Code.EFFECT_NEEDED and "effects" not in refused:
            for chosen in product((None, *EFFECTS), repeat=len(refused["table"])):
                effects = {str(index): name for index, name in enumerate(chosen) if name}
                yield {**refused, "effects": effects}

    def after(
        self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> "Seated":
        racks, pool = {name: list(tiles) for name, tiles in self.racks.items()}, list(self.pool)
        if command["do"] == "meld":
            new = Counter(_face(tile) for meld in after["table"] for tile in meld)
            old = Counter(_face(tile) for meld in before["table"] for tile in meld)
            loose = Counter(before["loose"]) - Counter(after["loose"])
            for face in (new - old - loose).elements():
                racks[before["turn"]].remove(face)
        for name, rack in racks.items():
            while len(rack) < after["hands"][name]:
                rack.append(pool.pop(0))
        return Seated(
            {name: tuple(rack) for name, rack in racks.items()}, tuple(pool), self.meanings
        )


def seat(table: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Seated]:
    """The commands that set the table, and the people at it."""
    racks = {name: tuple(tiles) for name, tiles in table["racks"].items()}
    setting = [
        {"do": "start", "game": "rummy_up", "players": list(racks)},
        {"do": "deal", "table": table["loose"]},
        {"do": "correct", "hand": {name: len(rack) for name, rack in racks.items()}},
    ]
    return setting, Seated(racks, tuple(table["pool"]), tuple(table["meanings"]))


def _face(tile: str) -> str:
    return "W" if tile.startswith("W") else tile


def _hopeless(meld: tuple[str, ...]) -> bool:
    """Of several colours and several numbers; a table with two such melds is not even tried."""
    places = [place(tile) for tile in meld]
    return all(len(set(side)) > 1 for side in zip(*places, strict=True))
