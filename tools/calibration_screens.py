"""The screens of a calibration, from one that simulated hands really do.

It paints nothing: see `paint_pictures`.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.calibrator import Calibrator, Hands, carry_out
from companion.clock import VirtualClock
from companion.display.calibration import Deed
from companion.display.choice import Touch
from companion.display.light import Light
from companion.display.screen import Screen
from companion.display.view_calibration import no_board_screen
from companion.scale.calibrate import Step
from sim.board import SimulatedTable
from sim.party import Plan
from sim.weighing import WeighingHands

CALIBRATION = (
    "no-scale",
    "calibration",
    "calibration-tip",
    "calibration-empty",
    "calibration-cards",
    "calibration-weighing",
    "calibration-refused",
    "calibration-done",
)
"""The pictures' names, in the order in which people see them."""

TICK_S = 0.1
HANDS_S = 3.0
"""What hands take to do what was asked, and the scale to come to rest."""

WEIGHED_S = 4.5


class _Panel:
    """Keeps the newest screen; somebody taps."""

    closed = False
    stirred = False

    def __init__(self) -> None:
        self.screen: Screen | None = None
        self.tapped: list[Touch] = []

    def show(self, screen: Screen, _: Light = Light.FULL, /) -> None:
        self.screen = screen

    def touches(self) -> Sequence[Touch]:
        tapped, self.tapped = self.tapped, []
        return tapped


class _Person:
    """Somebody at the display of a scale that has not been calibrated."""

    def __init__(self, folder: Path) -> None:
        self._clock = VirtualClock()
        self._table = SimulatedTable(Plan(seed=4, people=()), self._clock)
        self._table.scale.open()
        self._panel = _Panel()
        self._hands: Hands | None = None
        self._calibrator = Calibrator(
            self._clock,
            self._table.scale,
            self._panel,
            board="sim",
            path=folder / "calibration.toml",
            why="This scale has not been calibrated yet.",
            hands=self._bring_hands,
            playable=True,
            tick_s=TICK_S,
        )

    def _bring_hands(self, *, cards: int, coin_g: float | None) -> Hands:
        self._hands = WeighingHands(self._table, cards=cards, coin_g=coin_g)
        return self._hands

    def wait(self, seconds: float) -> Screen:
        end_s = self._clock.mono() + seconds
        while self._clock.mono() < end_s:
            self._calibrator.step(self._clock.mono())
            self._clock.sleep(TICK_S)
        assert self._panel.screen is not None
        return self._panel.screen

    def tap(self, deed: Deed, then_s: float) -> Screen:
        self._panel.tapped.append(deed)
        return self.wait(then_s)

    def do(self, step: Step, seconds: float = HANDS_S) -> Screen:
        assert self._hands is not None
        carry_out(step, self._hands)
        return self.wait(seconds)


def calibrating() -> Iterator[tuple[str, str, Screen]]:
    """Each with a name and a caption, in the order in which people see them."""
    says = "no Pico is plugged in: look at its cable (some only charge)"
    yield "no-scale", "At the start: the scale cannot be reached", no_board_screen(says)
    with tempfile.TemporaryDirectory() as folder:
        person = _Person(Path(folder))
        yield "calibration", "At the start: the calibration is missing", person.wait(0.5)
        yield "calibration-tip", "Calibrating: tip it, no tap needed", person.tap(Deed.BEGIN, 0.5)
        empty = person.do(Step.TIP, 8.0)
        yield "calibration-empty", "Calibrating: both trays empty, the beam propped up", empty
        person.do(Step.EMPTY)
        left = person.tap(Deed.READY, WEIGHED_S)
        yield "calibration-cards", "Calibrating: twenty cards in the left tray", left
        person.do(Step.CARDS_LEFT)
        yield "calibration-weighing", "Calibrating: hands off", person.tap(Deed.READY, 2.5)
        person.wait(WEIGHED_S)
        refused = person.tap(Deed.READY, WEIGHED_S)
        yield "calibration-refused", "Calibrating: not accepted, and what to do", refused
        for step in (Step.CARDS_RIGHT, Step.AGAIN):
            person.do(step)
            done = person.tap(Deed.READY, WEIGHED_S)
        yield "calibration-done", "Calibrating: the check agrees, save it", done
