"""Leads people through a calibration in time: when to listen, for how long, what came of it.

It never waits, reads a board or writes a file: time is an argument, and readings are given to it.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from companion.events import FaultKind, Reading, Sample, Sensor, SensorFault
from companion.scale.calibrate import Learned, Procedure, Step
from companion.scale.levels import REST_COUNTS, WEIGHING_S, Refusal, Trouble
from companion.units import COUNTS_MAX, COUNTS_MIN, MonoSeconds, Tray

TIP_WITHIN_S = 15.0
"""How long a person may take to tip the scale and set it level again."""

BACK_S = 1.0
"""The switch must have rested for so long after the scale was tipped."""

SWING_S = 1.0
"""Once people say that they are ready, hands leave and the scale comes to rest."""

LIVE_S = 0.5
"""The readings from which the live level is taken: five at 10 a second."""

SILENT_S = 1.2
"""A cell of which nothing was heard for so long is shown as silent."""


@dataclass(frozen=True, slots=True)
class CellNow:
    """A cell at this moment: counts away from where it began, and what is wrong with it if
    anything is (then the counts are None)."""

    off: float | None
    cards: float | None
    """The same in cards, once their weight is known."""
    resting: bool
    fault: FaultKind | None = None


class Guide:
    """One calibration with the people who do it. `begin` when they say that they are ready, `take`
    what the scale delivers; `step` is done when it is `Step.DONE`.
    """

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.refusal: Refusal | None = None
        """Why the last weighing was not accepted; None once one is."""
        self.refusals = 0
        """So many in a row."""
        self._since_s: MonoSeconds | None = None
        self._now_s: MonoSeconds | None = None
        self._readings: list[Reading] = []
        self._rested_tilt: bool | None = None
        self._tilt: bool | None = None
        self._lately = {tray: _Lately() for tray in Tray}

    @property
    def step(self) -> Step:
        return self.procedure.step

    @property
    def listening(self) -> bool:
        """A weighing is under way."""
        return self._since_s is not None

    @property
    def learned(self) -> Learned:
        """Everything, once it is done; a ValueError before."""
        return self.procedure.learned

    @property
    def share(self) -> float:
        """How much of the weighing has passed, from 0 to 1; of a tip nobody knows."""
        if self._since_s is None or self._now_s is None or self.step is Step.TIP:
            return 0.0
        return min(1.0, (self._now_s - self._since_s) / (SWING_S + WEIGHING_S))

    def begin(self, now: MonoSeconds) -> None:
        """People have done what was asked, or are about to tip the scale."""
        if self.step is not Step.DONE:
            self._since_s = now
            self._readings.clear()

    def accept(self) -> None:
        """People take what was refused as it is; while they are asked to tip it, that there is no
        switch."""
        trouble = Trouble.NO_TILT if self.refusal is None else self.refusal.trouble
        self.procedure.accept(trouble)
        self._since_s, self.refusal, self.refusals = None, None, 0

    def take(self, readings: Sequence[Reading], now: MonoSeconds) -> None:
        """Takes what has arrived up to `now`; ends the weighing when it is long enough."""
        for tray, lately in self._lately.items():
            if self._now_s is None:
                lately.heard_s = now
            for reading in readings:
                lately.hear(reading, tray)
        self._now_s = now
        for reading in readings:
            if isinstance(reading, Sample) and reading.tilt is not None:
                self._tilt = reading.tilt
                if self._rested_tilt is None:
                    self._rested_tilt = reading.tilt
        if self._since_s is None:
            return
        if self.step is Step.TIP:
            self._readings += readings
            if _tipped_and_back(self._readings) or now - self._since_s >= TIP_WITHIN_S:
                self._weigh()
        elif now - self._since_s >= SWING_S:
            self._readings += [r for r in readings if r.mono_s - self._since_s >= SWING_S]
            if now - self._since_s >= SWING_S + WEIGHING_S:
                self._weigh()

    def cell(self, tray: Tray) -> CellNow:
        """One of the two cells as it is now."""
        lately = self._lately[tray]
        fault = None if self._now_s is None else lately.fault(self._now_s)
        counts = lately.level
        if fault is not None or counts is None:
            return CellNow(None, None, False, fault)
        off = self.procedure.off_empty(tray, counts)
        return CellNow(
            counts - lately.first if off is None else off,
            self.procedure.cards_at(tray, counts),
            lately.resting,
        )

    @property
    def tilted(self) -> bool:
        """The switch is not as it was at the beginning."""
        return self._tilt is not self._rested_tilt

    def _weigh(self) -> None:
        readings, self._readings, self._since_s = self._readings, [], None
        self.refusal = self.procedure.weigh(readings)
        self.refusals = 0 if self.refusal is None else self.refusals + 1


class _Lately:
    """What one cell said in the last half second, and how it was when it was first heard."""

    def __init__(self) -> None:
        self.first = 0.0
        self.heard_s = self._ended_s = float("-inf")
        self._heard = False
        self._words: deque[tuple[float, int]] = deque()

    def hear(self, reading: Reading, tray: Tray) -> None:
        if isinstance(reading, SensorFault):
            if reading.sensor == Sensor(tray.value) and reading.kind is FaultKind.SATURATED:
                self.heard_s = self._ended_s = reading.mono_s
            return
        counts = reading.left if tray is Tray.LEFT else reading.right
        if counts is None:
            return
        self.heard_s = reading.mono_s
        if counts in (COUNTS_MIN, COUNTS_MAX):
            self._ended_s = reading.mono_s
            return
        words = self._words
        words.append((reading.mono_s, counts))
        while reading.mono_s - words[0][0] > LIVE_S:
            words.popleft()
        if not self._heard and len(words) >= 3:
            self._heard, self.first = True, self._median()

    @property
    def level(self) -> float | None:
        return self._median() if self._heard else None

    @property
    def resting(self) -> bool:
        half = len(self._words) // 2
        values = [counts for _, counts in self._words]
        return half > 0 and abs(median(values[:half]) - median(values[half:])) < REST_COUNTS

    def fault(self, now_s: float) -> FaultKind | None:
        if now_s - self._ended_s < LIVE_S:
            return FaultKind.SATURATED
        return FaultKind.SILENT if now_s - self.heard_s > SILENT_S else None

    def _median(self) -> float:
        return float(median(counts for _, counts in self._words))


def _tipped_and_back(readings: Sequence[Reading]) -> bool:
    """Whether the switch has changed, and has rested as at the beginning for a while since."""
    told = [r for r in readings if isinstance(r, Sample) and r.tilt is not None]
    changed = [r.mono_s for r in told if r.tilt is not told[0].tilt]
    return bool(changed) and told[-1].mono_s - changed[-1] >= BACK_S
