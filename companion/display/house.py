"""The house rules as people read and change them: a sentence and the values for each option.

It never decides by them, and never knows a default of its own: the first value is the sheet's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class HouseOption:
    """An option of `start`: its values with their words, the default first."""

    name: str
    rule: str
    text: str
    values: tuple[tuple[str | int, str], ...]

    def word(self, value: str | int) -> str:
        return dict(self.values).get(value, str(value))

    def after(self, value: str | int) -> str | int:
        """The next value, round and round."""
        known = [value for value, _ in self.values]
        return known[(known.index(value) + 1) % len(known)] if value in known else known[0]

    @property
    def default(self) -> str | int:
        return self.values[0][0]


def _counted(*numbers: int, unit: str) -> tuple[tuple[int, str], ...]:
    return tuple((n, f"{n} {unit if n != 1 else unit.removesuffix('s')}") for n in numbers)


_CARDS = _counted(2, 3, 4, 0, 1, unit="cards")
_YES_NO = (("no", "no"), ("yes", "yes"))

_TARGET = HouseOption(
    "target", "U21", "The game is won with", _counted(500, 200, 300, 1000, unit="points")
)
_UNO = HouseOption("uno_penalty", "U8", "Caught without UNO draws", _CARDS)
_MISPLAY = HouseOption(
    "misplay_penalty",
    "U12",
    "A card that does not fit costs",
    ((0, "nothing"), (1, "1 card"), (2, "2 cards")),
)
_FALSE_CALL = HouseOption(
    "false_call_penalty", "U5", "A false call or catch costs", ((0, "nothing"), (2, "2 cards"))
)
_TWO = HouseOption(
    "reverse_2p", "U9", "With two players a Reverse", (("skip", "skips"), ("none", "only turns"))
)
_DEALER = HouseOption(
    "next_dealer",
    "U17",
    "The next round is dealt by",
    (("left", "the next"), ("winner", "the winner")),
)
_GRACE = HouseOption(
    "grace_seconds",
    "U3",
    "Time to catch after the next play",
    ((0, "none"), *_counted(1, 2, 3, unit="seconds")),
)
_UNO_GAMES = (_TARGET, _UNO, _MISPLAY, _FALSE_CALL, _TWO, _DEALER, _GRACE)

HOUSE_RULES: Mapping[str, tuple[HouseOption, ...]] = MappingProxyType(
    {
        "tippo": (
            HouseOption("spill_penalty", "T35", "Whoever spills the scale draws", _CARDS),
            HouseOption(
                "stop_on_stopped", "T11", "A Stop card may go on the only visible Stop", _YES_NO
            ),
            HouseOption(
                "forced_draw_counts", "T22", "A draw that a card forces makes liable", _YES_NO
            ),
            HouseOption(
                "settle_seconds",
                "T33",
                "After a last card the scale must hold",
                _counted(5, 3, 10, 0, unit="seconds"),
            ),
            *_UNO_GAMES,
        ),
        "classic": (
            HouseOption(
                "scoring",
                "C31",
                "Points go",
                (("winner", "to the winner"), ("running", "on a tally")),
            ),
            *_UNO_GAMES,
        ),
        "battle": (
            HouseOption(
                "finish_penalty",
                "H5",
                "Finishing draws two on",
                (("all", "five kinds"), ("plus_only", "+2 and +4 only")),
            ),
            HouseOption(
                "steal_turn",
                "H6",
                "After a steal goes on",
                (("stealer", "after the thief"), ("original", "as before")),
            ),
            HouseOption(
                "target", "U21", "The game ends with", _counted(100, 50, 200, unit="points")
            ),
            _UNO,
            _MISPLAY,
        ),
        "rummy_up": (
            HouseOption(
                "target", "U21", "The game is won with", _counted(200, 100, 300, unit="points")
            ),
            *(option for option in _UNO_GAMES if option is not _TARGET),
        ),
    }
)
"""The options of each game, the most asked for first."""
