"""A second judge of Rummy Up's boards, written from the rules' text alone.

It shares nothing with the first, and never knows whose turn it is or what a rack holds.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, combinations, pairwise, product

COLOURS = "RYGB"
FACES = tuple(f"{colour}{number}" for colour in COLOURS for number in range(1, 13))
EFFECTS = {2: "draw_two", 5: "skip", 7: "reverse"}
Meld = list[str]
Place = tuple[int, int]
"""A meld's index on the new board, and a tile's in it."""


class No(Exception):
    """A refusal; its text is the code."""


def is_tile(text: str) -> bool:
    """A tile as it lies on a rack, or loose."""
    return text == "W" or text in FACES


def is_wild(text: str) -> bool:
    return text.startswith("W")


def face(text: str) -> str:
    return "W" if is_wild(text) else text


def stands_for(text: str) -> str:
    return text.removeprefix("W=")


def colour(text: str) -> str:
    return stands_for(text)[0]


def number(text: str) -> int:
    return int(stands_for(text)[1:])


def value(tile: str) -> int:
    """R28."""
    if tile == "W":
        return 50
    return 20 if number(tile) in EFFECTS else number(tile)


def is_run(meld: Meld) -> bool:
    """R20, R18: one colour, ascending, never two wilds side by side."""
    steps = {number(after) - number(before) for before, after in pairwise(meld)}
    neighbours = any(is_wild(before) and is_wild(after) for before, after in pairwise(meld))
    return len({colour(text) for text in meld}) == 1 and steps <= {1} and not neighbours


def is_set(meld: Meld) -> bool:
    """R20, R18: one number, each colour once, at most one wild."""
    different = len({colour(text) for text in meld}) == len(meld)
    return len({number(text) for text in meld}) == 1 and different and sum(map(is_wild, meld)) < 2


def is_meld(meld: Meld) -> bool:
    return len(meld) > 2 and "W" not in meld and (is_run(meld) or is_set(meld))


def tiles_of(melds: list[Meld]) -> Counter[str]:
    return Counter(face(text) for meld in melds for text in meld)


def check_copies(tiles: Counter[str]) -> None:
    """R1, protocol 1: a third copy of a tile, a fifth wild."""
    if any(count > (4 if tile == "W" else 2) for tile, count in tiles.items()):
        raise No("unknown_card")


class Board:
    """What lay there, what shall lie there, and what of it came from the rack."""

    def __init__(self, old: list[Meld], loose: Meld, new: list[Meld], step: int = 1) -> None:
        for text in chain(*new):
            if not is_tile(text) and not (text[:2] == "W=" and text[2:] in FACES):
                raise No("unknown_card")
        self.old, self.loose, self.new, self.step = old, loose, new, step
        added = tiles_of(new) - tiles_of(old)
        self.used_loose = added & Counter(loose)
        self.rack = added - self.used_loose

    def check(self) -> None:
        """R2, R7, R16, R18, R20."""
        if tiles_of(self.old) - tiles_of(self.new):
            raise No("tiles_missing")
        if not self.rack or not all(map(is_meld, self.new)) or not self.wilds_replaced():
            raise No("illegal_meld")

    # --- where the rack's tiles lie -----------------------------------------------------------

    @cached_property
    def places(self) -> list[Place]:
        """Where the new board holds a tile of which a copy came from the rack."""
        return [
            (j, i)
            for j, meld in enumerate(self.new)
            for i, text in enumerate(meld)
            if face(text) in self.rack
        ][:: self.step]

    @cached_property
    def from_rack(self) -> set[Place]:
        """Protocol, 31: what is neither an old tile nor a loose one."""
        old, loose, found = self._old_places(), Counter(self.used_loose), set()
        for place in self.places:
            tile = face(self.new[place[0]][place[1]])
            if place in old:
                continue
            if loose[tile]:
                loose[tile] -= 1
            else:
                found.add(place)
        return found

    def _old_places(self) -> set[Place]:
        """An old tile is the copy that lies among most tiles of its old meld.

        But a wild that stands for the same tile is where it was, and others are what is left.
        """
        lay = [(meld, text) for meld in self.old for text in meld if face(text) in self.rack]
        taken: dict[Place, int] = {}
        for same in (True, False):
            claims = [
                (-(Counter(meld) & Counter(self.new[j])).total(), order, which, (j, i))
                for which, (meld, text) in enumerate(lay)
                for order, (j, i) in enumerate(self.places)
                if (text == self.new[j][i] if same else face(text) == face(self.new[j][i]))
            ]
            for _, _, which, place in sorted(claims):
                if place not in taken and which not in taken.values():
                    taken[place] = which
        return set(taken)

    def effects(self, index: int) -> set[str]:
        """The different effects that the rack's tiles bring to a new meld (R10, R13)."""
        laid = [self.new[j][i] for j, i in self.from_rack if j == index]
        brought = {"draw_four" if is_wild(text) else EFFECTS.get(number(text)) for text in laid}
        return {effect for effect in brought if effect}

    def is_open(self) -> bool:
        """Whether the text leaves open which of equal copies are the rack's, and it matters."""
        other = Board(self.old, self.loose, self.new, -self.step)
        return any(self.effects(index) != other.effects(index) for index in range(len(self.new)))

    # --- wilds that have moved ----------------------------------------------------------------

    def wilds_replaced(self) -> bool:
        """R16, protocol 33: in the place of each wild that has moved lies a tile of its own."""
        left = Counter(filter(is_wild, chain(*self.new)))
        homes: dict[str, list[Meld]] = {}
        for meld in self.old:
            for text in filter(is_wild, meld):
                homes.setdefault(text, []).append(meld)
        ways = [
            [[(text, home) for home in moved] for moved in combinations(melds, gone)]
            for text, melds in homes.items()
            if (gone := len(melds) - left[text]) > 0
        ]
        for way in product(*ways):
            takers = [set(self._takers(text, home)) for text, home in chain(*way)]
            if any(len(set(taken)) == len(taken) for taken in product(*takers)):
                return True
        return False

    def _takers(self, wild: str, home: Meld) -> Iterator[tuple[int, str]]:
        """The tiles that lie beside an old companion of the wild, as the wild did.

        A tile that lay elsewhere, and still lies there among more of its own companions and
        beside no others, has not come.
        """
        wanted = {stands_for(wild)}
        if is_set(home):
            others = {colour(text) for text in home if text != wild}
            wanted = {f"{one}{number(wild)}" for one in COLOURS if one not in others}
        for index, meld in enumerate(self.new):
            beside = set(meld) & set(home)
            for tile in wanted & set(meld):
                homes = [(set(meld) & set(other)) - {tile} for other in self.old if tile in other]
                if beside and not any(beside <= own and len(beside) < len(own) for own in homes):
                    yield index, tile
