"""The guide listens as long as a weighing takes, and shows what both cells feel meanwhile."""

import pytest

from companion.events import FaultKind, Reading, Sample, Sensor, SensorFault
from companion.scale.calibrate import Procedure, Step
from companion.scale.guide import SILENT_S, SWING_S, TIP_WITHIN_S, Guide
from companion.scale.levels import WEIGHING_S, Trouble
from companion.units import COUNTS_MAX, Counts, MonoSeconds, Tray

STEP_S = 0.1


class Scale:
    """Two cells at ten readings a second, each with what it says now (None: nothing)."""

    def __init__(self, guide: Guide) -> None:
        self.guide = guide
        self.counts: dict[Tray, int | None] = {Tray.LEFT: 80_000, Tray.RIGHT: -40_000}
        self.tilt = False
        self.now_s = 100.0
        self._flicker = 0

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.now_s += STEP_S
            self._flicker = (self._flicker + 7) % 20
            left, right = (
                None if counts is None else Counts(counts + self._flicker)
                for counts in self.counts.values()
            )
            reading = Sample(mono_s=MonoSeconds(self.now_s), left=left, right=right, tilt=self.tilt)
            self.guide.take([reading], MonoSeconds(self.now_s))

    def tips(self) -> bool:
        return self.guide.tilted

    def listens(self) -> bool:
        return self.guide.listening

    def begin(self) -> None:
        self.guide.begin(MonoSeconds(self.now_s))


@pytest.fixture
def scale() -> Scale:
    return Scale(Guide(Procedure()))


def tipped(scale: Scale) -> None:
    scale.begin()
    scale.run(1.0)
    scale.tilt = True
    scale.run(1.0)
    scale.tilt = False
    scale.run(1.5)


def test_a_tip_is_seen_to_be_over_without_a_word(scale: Scale) -> None:
    scale.begin()
    scale.run(1.0)
    scale.tilt = True
    scale.run(1.0)
    assert scale.tips()
    assert scale.listens()
    scale.tilt = False
    scale.run(0.8)
    assert scale.listens(), "it may swing over once more"
    scale.run(0.7)
    assert not scale.tips()
    assert scale.guide.step is Step.EMPTY


def test_a_tip_that_does_not_come_is_refused_after_a_while(scale: Scale) -> None:
    scale.begin()
    scale.run(TIP_WITHIN_S - 0.5)
    assert scale.listens()
    scale.run(1.0)
    assert scale.guide.refusal is not None
    assert scale.guide.refusal.trouble is Trouble.NO_TILT
    scale.guide.accept()
    assert scale.guide.step is Step.EMPTY
    assert scale.guide.refusal is None


def test_a_weighing_takes_its_time_after_the_hands_have_left(scale: Scale) -> None:
    tipped(scale)
    scale.begin()
    scale.counts[Tray.LEFT] = 95_000  # a hand that still leaves
    scale.run(SWING_S - 0.2)
    scale.counts[Tray.LEFT] = 80_000
    scale.run(WEIGHING_S - 0.5)
    assert scale.listens()
    assert 0.8 < scale.guide.share < 1.0
    scale.run(1.0)
    assert not scale.listens()
    assert (scale.guide.refusal, scale.guide.step) == (None, Step.CARDS_LEFT)
    assert scale.guide.share == 0.0


def test_refusals_in_a_row_are_counted_until_one_weighing_is_accepted(scale: Scale) -> None:
    tipped(scale)
    scale.begin()
    scale.run(SWING_S + WEIGHING_S + 0.2)
    for number in (1, 2):
        scale.begin()
        scale.run(SWING_S + WEIGHING_S + 0.2)
        assert scale.guide.refusals == number
    scale.counts[Tray.LEFT] = 80_000 + 70_000
    scale.begin()
    scale.run(SWING_S + WEIGHING_S + 0.2)
    assert scale.guide.refusals == 0
    assert scale.guide.cell(Tray.LEFT).cards == pytest.approx(20.0, abs=0.01)


def test_what_a_cell_feels_is_counted_from_where_it_began(scale: Scale) -> None:
    assert scale.guide.cell(Tray.LEFT).off is None
    scale.run(1.0)
    assert scale.guide.cell(Tray.LEFT).off == pytest.approx(0.0, abs=20)
    scale.counts[Tray.LEFT] = 90_000
    scale.run(1.0)
    cell = scale.guide.cell(Tray.LEFT)
    assert cell.off == pytest.approx(10_000, abs=20)
    assert cell.resting
    assert cell.fault is None
    assert scale.guide.cell(Tray.RIGHT).off == pytest.approx(0.0, abs=20)


@pytest.mark.parametrize("heard_before", [False, True])
def test_a_silent_cell_is_said_and_so_is_its_return(scale: Scale, heard_before: bool) -> None:
    if heard_before:
        scale.run(1.0)
    scale.counts[Tray.RIGHT] = None
    scale.run(SILENT_S + 0.3)
    assert scale.guide.cell(Tray.RIGHT).fault is FaultKind.SILENT
    assert scale.guide.cell(Tray.LEFT).fault is None
    scale.counts[Tray.RIGHT] = -40_000
    scale.run(0.5)
    assert scale.guide.cell(Tray.RIGHT).fault is None


def test_a_cell_at_its_end_is_said_however_the_board_tells_it(scale: Scale) -> None:
    scale.run(1.0)
    now = MonoSeconds(scale.now_s)
    ended: list[Reading] = [Sample(mono_s=now, left=COUNTS_MAX)]
    scale.guide.take(ended, now)
    assert scale.guide.cell(Tray.LEFT).fault is FaultKind.SATURATED
    fault = SensorFault(mono_s=now, sensor=Sensor.RIGHT, kind=FaultKind.SATURATED, detail="")
    scale.guide.take([fault], now)
    assert scale.guide.cell(Tray.RIGHT).fault is FaultKind.SATURATED
    scale.run(1.0)
    assert scale.guide.cell(Tray.LEFT).fault is scale.guide.cell(Tray.RIGHT).fault is None
