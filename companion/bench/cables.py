"""A clumsy foot at the table: a hundred cables come out during a round and go in again.

It never rules itself: what was ruled is compared with what really happened.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.bench.report import Report
from companion.bench.rounds import Alert, PlayedRound, Wired, play_round
from companion.events import Sensor
from sim.board import SimulatedTable
from sim.hx711 import ChipFault, FollowingHx711
from sim.pins import VirtualTime


@dataclass(frozen=True)
class Pull:
    """Cables that were out: those of some cells, or of the whole port (all its cells)."""

    cells: frozenset[Sensor]
    out_s: float
    back_s: float


AREA = "cables"
WITHIN_S = 2.0
"""So soon the display is to say that a cell is lost, and that it is back."""

SEED = 22
"""Of a round that is long enough for a hundred."""


def measure(report: Report, *, quick: bool) -> None:
    """Adds every figure of this area: on the header's pins and through a Pico."""
    times = 10 if quick else 100
    with tempfile.TemporaryDirectory(prefix="tippo-bench-") as folder:
        for board in ("pins", "pty"):
            thief = CableThief(times, every_s=3.0, seed=SEED)
            journal = Path(folder) / f"{board}.sqlite"
            played = play_round(board, journal, seed=SEED, sps=10, trouble=thief.begin)
            pulled = f"{len(thief.pulls)} cables pulled in a round ({board})"
            report.figure(AREA, f"wrong rulings with {pulled}", played.wrong, "", aim="0")
            report.figure(
                AREA,
                f"until the display says so, at most ({board})",
                slowest_news(thief.pulls, played),
                "s",
                aim=f"{WITHIN_S:g}",
            )


class CableThief:
    """Pulls one cable after another out and puts it back in: a cell's, both, the board's port."""

    def __init__(
        self, times: int, *, every_s: float, out_s: tuple[float, float] = (0.3, 4.0), seed: int = 7
    ) -> None:
        self.pulls: list[Pull] = []
        self._times = times
        self._every_s = every_s
        self._out_s = out_s
        self._rng = Random(seed)  # noqa: S311 - a clumsy foot, nothing secret
        self._cells: frozenset[Sensor] = frozenset()
        self._port_out = False
        self._pulled_s: float | None = None

    def begin(self, time: VirtualTime, wired: Wired, _: SimulatedTable) -> None:
        self._time, self._wired = time, wired
        time.tasks().start("cable thief", self._step)

    def _step(self) -> float:
        if self._pulled_s is not None:
            self._put_back(self._pulled_s)
            return self._rng.uniform(0.5, 1.5) * self._every_s
        if len(self.pulls) >= self._times:
            return 3600.0
        self._pull()
        return self._rng.uniform(*self._out_s)

    def _chips(self) -> Iterator[FollowingHx711]:
        for cell, chip in ((Sensor.LEFT, self._wired.left), (Sensor.RIGHT, self._wired.right)):
            if cell in self._cells and not self._port_out:
                yield chip

    def _pull(self) -> None:
        self._pulled_s = self._time.mono()
        both = frozenset({Sensor.LEFT, Sensor.RIGHT})
        choices = [frozenset({Sensor.LEFT}), frozenset({Sensor.RIGHT}), both]
        pico = self._wired.pico
        if pico is not None:
            choices.append(frozenset())
        cells = self._rng.choice(choices)
        self._port_out, self._cells = not cells, cells or both
        if self._port_out and pico is not None:
            pico.unplug()
        for chip in self._chips():
            chip.set_fault(ChipFault.UNPLUGGED, self._time.mono())

    def _put_back(self, pulled_s: float) -> None:
        for chip in self._chips():
            chip.set_fault(None, self._time.mono())
        if self._port_out and self._wired.pico is not None:
            self._wired.pico.plug_in()
        self.pulls.append(Pull(self._cells, pulled_s, self._time.mono()))
        self._port_out, self._pulled_s = False, None


def slowest_news(pulls: Sequence[Pull], played: PlayedRound) -> float:
    """The longest time until the display said that a cell was lost, or back, seconds.

    A cable that was out for less than `WITHIN_S` need not have been missed.
    """
    slowest, alerts = 0.0, played.alerts
    for pull in pulls:
        if pull.back_s + WITHIN_S > played.ended_s:
            break
        for cell in pull.cells:
            lost_s = _said_s(alerts, cell, pull.out_s, lost=True)
            if pull.back_s - pull.out_s < WITHIN_S < lost_s - pull.out_s:
                continue
            back_s = _said_s(alerts, cell, max(pull.back_s, lost_s), lost=False)
            slowest = max(slowest, lost_s - pull.out_s, back_s - pull.back_s)
    return slowest


def _said_s(alerts: Sequence[Alert], cell: Sensor, since_s: float, *, lost: bool) -> float:
    """When the display first said so at or after a moment; infinity if it never did."""
    before = [alert for alert in alerts if alert.at_s <= since_s]
    if (cell in before[-1].lost) is lost:
        return since_s
    later = (a.at_s for a in alerts if a.at_s > since_s and (cell in a.lost) is lost)
    return next(later, float("inf"))
