"""Three ways in which a hobby script judges the scale, to be beaten, with the judge's own events.

Each is written as honestly as its idea allows, and has no filter or rule beyond that idea; none
ever knows more than samples and a calibration.
"""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from companion.events import Level, Placed, Removed, Sample, Sensed, Spill, Tip, Wobble
from companion.units import Counts, Grams, MonoSeconds, Tray

DEBOUNCE_S = 0.05
"""The pause that every tutorial on switches uses."""
LONG_TIP_S = 0.5
"""A beam that stays over for this long has dumped something, so the switch alone must believe."""
AVERAGE_S = 0.5
"""The moving average: long enough to calm an 80 SPS chip, short enough to feel immediate."""
STEADY_S = 0.3
"""How long an average must stay beyond its threshold."""
REST_S = 1.0


class CellScale(Protocol):
    """One cell's part of a calibration."""

    @property
    def zero(self) -> float: ...
    @property
    def counts_per_gram(self) -> float: ...


class ScaleCalibration(Protocol):
    """What a script needs of a calibration."""

    @property
    def card_g(self) -> float: ...
    @property
    def left(self) -> CellScale: ...
    @property
    def right(self) -> CellScale: ...


class Baseline(Protocol):
    """A judge: fed sample by sample, it says what it has decided."""

    def feed(self, sample: Sample) -> list[Sensed]: ...


class Debounced:
    """The switch's state once it has not changed for 50 ms, and since when."""

    def __init__(self) -> None:
        self.closed = False
        self.since_s = MonoSeconds(0.0)
        self._raw = False
        self._raw_since_s = MonoSeconds(0.0)

    def feed(self, sample: Sample) -> bool:
        """True if the debounced state has just changed."""
        raw = bool(sample.tilt)
        if raw != self._raw:
            self._raw, self._raw_since_s = raw, sample.mono_s
        if raw == self.closed or sample.mono_s - self._raw_since_s < DEBOUNCE_S:
            return False
        self.closed, self.since_s = raw, self._raw_since_s
        return True


class SwitchAlone:
    """The tilt switch, debounced: a long tip is a spill, a short one a wobble. It sees no card."""

    def __init__(self, calibration: ScaleCalibration) -> None:  # noqa: ARG002  # has no use for it
        self._switch = Debounced()
        self._open = False

    def feed(self, sample: Sample) -> list[Sensed]:
        changed, now = self._switch.feed(sample), sample.mono_s
        if changed and self._switch.closed:
            self._open = True
            return [Tip(began_s=self._switch.since_s, decided_s=now, side=None)]
        if self._open and not self._switch.closed:
            self._open = False
            return [Wobble(began_s=self._switch.since_s, decided_s=now)]
        if self._open and now - self._switch.since_s > LONG_TIP_S:
            self._open = False
            lost = {Tray.LEFT: 1, Tray.RIGHT: 1}
            trays = (Tray.LEFT, Tray.RIGHT)
            return [Spill(began_s=self._switch.since_s, decided_s=now, trays=trays, lost=lost)]
        return []


class AveragedTray:
    """The moving average of one cell, and the level that it last counted from."""

    def __init__(self, cell: CellScale, card_g: float) -> None:
        self._cell = cell
        self._card_g = card_g
        self._window: deque[tuple[MonoSeconds, float]] = deque()
        self._sum = 0.0
        self._beyond_s: MonoSeconds | None = None
        self.base_g: float | None = None

    @property
    def average_g(self) -> float:
        return self._sum / len(self._window) if self._window else 0.0

    @property
    def cards(self) -> int:
        return max(0, round(self.average_g / self._card_g))

    def feed(self, now_s: MonoSeconds, counts: Counts) -> None:
        grams = (counts - self._cell.zero) / self._cell.counts_per_gram
        self._window.append((now_s, grams))
        self._sum += grams
        while now_s - self._window[0][0] > AVERAGE_S:
            self._sum -= self._window.popleft()[1]
        if self.base_g is None and now_s - self._window[0][0] > 0.8 * AVERAGE_S:
            self.base_g = self.average_g

    def step(self, now_s: MonoSeconds) -> tuple[MonoSeconds, float] | None:
        """When the average left its base and by how many grams, once it has stayed away."""
        if self.base_g is None:
            return None
        change = self.average_g - self.base_g
        if abs(change) < 0.5 * self._card_g:
            self._beyond_s = None
            return None
        if self._beyond_s is None:
            self._beyond_s = now_s
        if now_s - self._beyond_s < STEADY_S:
            return None
        return self._beyond_s, change

    def rebase(self) -> None:
        self.base_g, self._beyond_s = self.average_g, None


class SettingUpAgain:
    """From a spill until both trays hold two cards: says the counts that have rested for 1 s."""

    def __init__(self) -> None:
        self.going_on = False
        self._rest_s: MonoSeconds | None = None
        self._written: tuple[int, int] | None = None

    def begin(self) -> None:
        self.going_on, self._rest_s, self._written = True, None, None

    def moved(self) -> None:
        self._rest_s = None

    def feed(self, now_s: MonoSeconds, left: int, right: int) -> list[Sensed]:
        if not self.going_on:
            return []
        if self._rest_s is None:
            self._rest_s = now_s
        if now_s - self._rest_s < REST_S or (left, right) == self._written:
            return []
        self._written = (left, right)
        self.going_on = min(left, right) < 2
        return [Level(began_s=self._rest_s, decided_s=now_s, left=left, right=right)]


class Threshold:
    """Half a card's weight on each cell's moving average; two cards gone at once are a spill."""

    def __init__(self, calibration: ScaleCalibration) -> None:
        self._card_g = calibration.card_g
        self._trays = {
            Tray.LEFT: AveragedTray(calibration.left, calibration.card_g),
            Tray.RIGHT: AveragedTray(calibration.right, calibration.card_g),
        }
        self._reset = SettingUpAgain()

    def feed(self, sample: Sample) -> list[Sensed]:
        events: list[Sensed] = []
        for tray, counts in ((Tray.LEFT, sample.left), (Tray.RIGHT, sample.right)):
            if counts is not None:
                self._trays[tray].feed(sample.mono_s, counts)
                events += self._stepped(tray, sample.mono_s)
        left, right = (self._trays[tray].cards for tray in Tray)
        return events + self._reset.feed(sample.mono_s, left, right)

    def _stepped(self, tray: Tray, now_s: MonoSeconds) -> list[Sensed]:
        step = self._trays[tray].step(now_s)
        if step is None:
            return []
        since_s, change_g = step
        count = round(change_g / self._card_g)
        self._trays[tray].rebase()
        self._reset.moved()
        if self._reset.going_on:
            return []
        if count <= -2:
            return self._spilled(tray, -count, since_s, now_s)
        return counted(tray, count, change_g, since_s, now_s)

    def _spilled(
        self, tray: Tray, lost: int, since_s: MonoSeconds, now_s: MonoSeconds
    ) -> list[Sensed]:
        self._reset.begin()
        return [
            Tip(began_s=since_s, decided_s=now_s, side=tray),
            Spill(
                began_s=since_s, decided_s=now_s, trays=(tray,), lost={tray: lost, tray.other: 0}
            ),
        ]


class SwitchAndThreshold:
    """Cards by the averages, tips by the switch; the averages say what was lost."""

    def __init__(self, calibration: ScaleCalibration) -> None:
        self._card_g = calibration.card_g
        self._switch = Debounced()
        self._trays = {
            Tray.LEFT: AveragedTray(calibration.left, calibration.card_g),
            Tray.RIGHT: AveragedTray(calibration.right, calibration.card_g),
        }
        self._before_g: dict[Tray, float] | None = None
        self._began_s = MonoSeconds(0.0)
        self._reset = SettingUpAgain()

    def feed(self, sample: Sample) -> list[Sensed]:
        now_s = sample.mono_s
        events: list[Sensed] = []
        changed = self._switch.feed(sample)
        if changed and self._switch.closed and self._before_g is None and not self._reset.going_on:
            self._began_s = self._switch.since_s
            self._before_g = {t: s.base_g or 0.0 for t, s in self._trays.items()}
            events.append(Tip(began_s=self._began_s, decided_s=now_s, side=None))
        for tray, counts in ((Tray.LEFT, sample.left), (Tray.RIGHT, sample.right)):
            if counts is not None:
                self._trays[tray].feed(now_s, counts)
                events += self._stepped(tray, now_s)
        events += self._verdict(now_s)
        if self._switch.closed:
            return events
        left, right = (self._trays[tray].cards for tray in Tray)
        return events + self._reset.feed(now_s, left, right)

    def _stepped(self, tray: Tray, now_s: MonoSeconds) -> list[Sensed]:
        step = self._trays[tray].step(now_s)
        if step is None or self._before_g is not None:
            return []
        self._trays[tray].rebase()
        self._reset.moved()
        if self._reset.going_on:
            return []
        return counted(tray, round(step[1] / self._card_g), step[1], step[0], now_s)

    def _verdict(self, now_s: MonoSeconds) -> list[Sensed]:
        if self._before_g is None or now_s - self._switch.since_s < REST_S:
            return []
        lost = {
            tray: max(0, round((before_g - self._trays[tray].average_g) / self._card_g))
            for tray, before_g in self._before_g.items()
        }
        if not any(lost.values()) and self._switch.closed:
            return []
        self._before_g = None
        for tray in self._trays.values():
            tray.rebase()
        if not any(lost.values()):
            return [Wobble(began_s=self._began_s, decided_s=now_s)]
        self._reset.begin()
        trays = tuple(tray for tray in lost if lost[tray])
        return [Spill(began_s=self._began_s, decided_s=now_s, trays=trays, lost=lost)]


def counted(
    tray: Tray, count: int, change_g: float, since_s: MonoSeconds, now_s: MonoSeconds
) -> list[Sensed]:
    """A step of the average as an event of cards."""
    grams = Grams(change_g)
    if count > 0:
        return [
            Placed(began_s=since_s, decided_s=now_s, tray=tray, count=count, grams=grams, sure=True)
        ]
    if count < 0:
        return [Removed(began_s=since_s, decided_s=now_s, tray=tray, count=-count, grams=grams)]
    return []


BASELINES: Mapping[str, type[SwitchAlone] | type[Threshold] | type[SwitchAndThreshold]] = (
    MappingProxyType(
        {
            "baseline-switch": SwitchAlone,
            "baseline-threshold": Threshold,
            "baseline-both": SwitchAndThreshold,
        }
    )
)
