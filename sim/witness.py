"""The witness keeps the truth of a table apart: what happened on the scale, and whose act it was.

It never shows anything to the judge or to the people; `truth.jsonl` is written from it.

Each line of `truth.jsonl` is an object with `t`, the true time in seconds, and `truth`:

- `table`: `seed` `sps` `players` `faults`. The first line: what the table is made from.
- `placed`: `tray` `count` `cards` `by` `act` `let_go`. `t` is the first contact, `let_go` when the
  hand was off (absent if the cards fell before); `by` is the player, null for the whole table;
  `act` is `play`, `drop` (Tilt challenge), `reset`, `back` (put back), `deal`, `late`: put down
  after the first card had left, so no play, or `wrong`: the rules refuse it, so no play either.
- `removed`: `tray` `count` `cards` `by` `act`. Taken out by hand, `t` is when they were off; `act`
  is `reset`, `deal` (clearing between rounds), `back` (taken back), `under` (for the reshuffle) or
  `look`.
- `slid`: `tray` `cards`. Fell out although the scale never tipped.
- `tip`: `side`. The beam passed the switch's angle; ended by one `wobble` or one `spill`.
- `wobble`: `tip`. It stands again and has lost nothing; `tip` is the time of its tip.
- `spill`: `tip` `payer` `trays` `lost` `last`. `t` is when the first card left, `last` when the
  last one did; `lost` counts both trays; `payer` is null if nobody had made a play in the round.
- `level`: `left` `right`. Rested for a second after a spill, with these counts; `t` is when the
  rest began.
- `act`: `do` and the rest of a command as the people meant it, at its true time: what a perfect
  referee would be told.
- `drawn`: `player` `count`. Cards were taken from the draw pile.
- `adversity`: `name` `until` and its particulars: an adversity of `sim.faults` was at work.
- `scores`: `round` `scores` `winner`. A round was counted; `winner` is the game's, or null.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from companion.units import Tray
from sim.happenings import Happening, What

Line: TypeAlias = dict[str, Any]


class Witness:
    """Collects the lines of one table, in the order in which they became known."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._contacts: dict[tuple[str, tuple[str, ...]], Line] = {}
        self._intents: dict[tuple[str, tuple[str, ...]], tuple[str | None, str]] = {}
        self._tip: Line | None = None
        self._spill: Line | None = None

    def note(self, at_s: float, truth: str, **fields: Any) -> Line:
        """Adds a line at its true time and returns it, for what becomes known later."""
        line: Line = {"t": round(at_s, 4), "truth": truth, **fields}
        self.lines.append(line)
        return line

    def intend(self, tray: Tray, cards: tuple[str, ...], by: str | None, act: str) -> None:
        """The next time these cards are moved in this tray it is this person's act."""
        self._intents[tray.value, cards] = (by, act)

    def saw(self, happening: Happening, payer: Callable[[], str | None]) -> None:
        """Something happened to the scale; `payer` is asked at a spill's first card."""
        at, tray, cards = happening.at_s, happening.tray, happening.cards
        match happening.what:
            case What.CONTACT if tray is not None:
                by, act = self._intents.pop((tray.value, cards), (None, "reset"))
                self._contacts[tray.value, cards] = self.note(
                    at, "placed", tray=tray, count=len(cards), cards=cards, by=by, act=act
                )
            case What.LET_GO if tray is not None:
                for (side, held), line in list(self._contacts.items()):
                    if side == tray.value and set(cards) <= set(held):
                        line["let_go"] = round(at, 4)
                        del self._contacts[side, held]
                        break
            case What.TAKEN if tray is not None and cards:
                by, act = self._intents.pop((tray.value, cards), (None, "reset"))
                self.note(at, "removed", tray=tray, count=len(cards), cards=cards, by=by, act=act)
            case What.TIPPED:
                self._tip = self.note(at, "tip", side=tray)
            case What.FELL if tray is not None:
                self._fell(at, tray, cards, payer)
            case What.CALM if self._tip is not None:
                if self._spill is None:
                    self.note(at, "wobble", tip=self._tip["t"])
                self._tip = self._spill = None
            case _:
                pass

    def _fell(
        self, at: float, tray: Tray, cards: tuple[str, ...], payer: Callable[[], str | None]
    ) -> None:
        if self._tip is None:
            self.note(at, "slid", tray=tray, cards=cards)
            return
        if self._spill is None:
            self._spill = self.note(
                at,
                "spill",
                tip=self._tip["t"],
                payer=payer(),
                trays=[],
                lost={"left": 0, "right": 0},
            )
        self._spill["lost"][tray.value] += len(cards)
        self._spill["last"] = round(at, 4)
        if tray not in self._spill["trays"]:
            self._spill["trays"].append(tray)
