"""The calibration on the display: the loop that reads the scale, shows the weighing, hears taps.

It never judges a weighing (see `companion.scale.calibrate`) and never opens a board.
"""

from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from companion.clock import Clock
from companion.display.calibration import CalibrationTap, Deed, Form, Reach, Turn
from companion.display.desk import Shows
from companion.display.screen import Screen
from companion.display.view_calibration import form_screen, weighing_screen
from companion.errors import CalibrationError
from companion.ports import Scale
from companion.scale.calibrate import Load, Procedure, Step
from companion.scale.guide import Guide
from companion.scale.saved import SavedCalibration, save_calibration
from companion.units import MonoSeconds, Tray


class Hands(Protocol):
    """Simulated hands at a simulated scale."""

    def tip(self) -> None: ...

    def prop(self) -> None: ...

    def load(self, tray: Tray, *, coin: bool) -> None:
        """All cards, or the coin, go in this tray."""
        ...

    def leave(self) -> None:
        """The scale is as it was before they came."""
        ...


class HandsFor(Protocol):
    """Brings hands with so many cards, and a coin if one is weighed first."""

    def __call__(self, *, cards: int, coin_g: float | None) -> Hands: ...


def carry_out(step: Step, hands: Hands) -> None:
    """Hands do what this weighing asks for."""
    match step:
        case Step.TIP:
            hands.tip()
        case Step.EMPTY:
            hands.prop()
        case Step.COIN_LEFT | Step.COIN_RIGHT:
            hands.load(Tray.LEFT if step is Step.COIN_LEFT else Tray.RIGHT, coin=True)
        case Step.CARDS_LEFT | Step.AGAIN:
            hands.load(Tray.LEFT, coin=False)
        case Step.CARDS_RIGHT:
            hands.load(Tray.RIGHT, coin=False)
        case Step.DECK | Step.DONE:
            pass


class End(Enum):
    """How people left the calibration."""

    SAVED = auto()
    LEFT = auto()
    WITHOUT = auto()
    """They want to play without the scale."""


def ask(display: Shows, screen: Screen, clock: Clock, tick_s: float) -> Deed:
    """Shows a question until people have answered; closing the window is leaving."""
    while not display.closed:
        display.show(screen)
        clock.sleep(tick_s)
        for touch in display.touches():
            if isinstance(touch, Deed):
                return touch
    return Deed.LEAVE


class Calibrator:
    """One calibration at the display. `run` returns how people left it; `saved` is what they
    saved.

    The scale must deliver the bare contact of the tilt switch: which way it rests is what is to
    be found out.
    """

    def __init__(
        self,
        clock: Clock,
        scale: Scale,
        display: Shows,
        *,
        board: str,
        path: Path,
        why: str,
        hands: HandsFor | None = None,
        playable: bool = False,
        tick_s: float,
    ) -> None:
        """`why` is shown first; with `playable` people may choose to play without the scale."""
        self.saved: SavedCalibration | None = None
        self._clock = clock
        self._scale = scale
        self._display = display
        self._board = board
        self._path = path
        self._why = why
        self._hands_for = hands
        self._hands: Hands | None = None
        self._playable = playable
        self._tick_s = tick_s
        self._form = Form()
        self._guide: Guide | None = None
        self._trouble = ""
        self._end: End | None = None

    def run(self) -> End:
        """Turns until people save or leave; hands put back what they took."""
        while self._end is None:
            self.step(self._clock.mono())
            self._clock.sleep(self._tick_s)
        self._take_hands_off()
        return self._end

    def step(self, now: MonoSeconds) -> None:
        """One turn of the loop at `now`."""
        for touch in self._display.touches():
            if isinstance(touch, CalibrationTap):
                self._hear(touch, now)
        readings = self._scale.poll()
        guide = self._guide
        if guide is not None:
            # A tip needs no word: it is seen.
            if guide.step is Step.TIP and not guide.listening:
                guide.begin(now)
            guide.take(readings, now)
        if self._display.closed:
            self._end = End.LEFT
        self._display.show(self._screen())

    def _screen(self) -> Screen:
        simulated = self._hands_for is not None
        if self._guide is None:
            return form_screen(self._form, self._why, simulated=simulated, playable=self._playable)
        return weighing_screen(self._guide, simulated=simulated, trouble=self._trouble)

    def _hear(self, tap: CalibrationTap, now: MonoSeconds) -> None:
        match tap:
            case Turn():
                self._form = self._form.turned(tap)
            case Deed.BEGIN:
                self._begin()
            case Deed.ANEW:
                self._take_hands_off()
                self._guide, self._trouble = None, ""
            case Deed.LEAVE if self._guide is not None and self._playable:
                # Back to where one can still choose to play without the scale.
                self._take_hands_off()
                self._guide = None
            case Deed.LEAVE:
                self._end = End.LEFT
            case Deed.WITHOUT:
                self._end = End.WITHOUT
            case Reach() | Deed():
                if self._guide is not None:
                    self._weigh(self._guide, tap, now)

    def _begin(self) -> None:
        form = self._form
        self._guide = Guide(Procedure(Load(form.cards, form.coin_g), tilt_fitted=form.tilt_fitted))
        if self._hands_for is not None:
            self._hands = self._hands_for(cards=form.cards, coin_g=form.coin_g)

    def _weigh(self, guide: Guide, tap: Deed | Reach, now: MonoSeconds) -> None:
        match tap:
            case Deed.READY if not guide.listening:
                guide.begin(now)
            case Deed.AS_IT_IS:
                guide.accept()
            case Deed.SAVE if guide.step is Step.DONE:
                self._save(guide)
            case Reach() if self._hands is not None:
                self._reach(guide.step, tap.tray, self._hands)
            case _:
                pass

    @staticmethod
    def _reach(step: Step, tray: Tray | None, hands: Hands) -> None:
        """A person at the simulated scale reaches for a tray: that is loaded, asked for or not."""
        if tray is None or step in (Step.TIP, Step.EMPTY):
            carry_out(step, hands)
        else:
            hands.load(tray, coin=step in (Step.COIN_LEFT, Step.COIN_RIGHT))

    def _save(self, guide: Guide) -> None:
        saved = SavedCalibration.of(guide.learned, self._board, str(self._clock.wall()))
        try:
            save_calibration(self._path, saved)
        except CalibrationError as error:
            self._trouble = f"{str(error)[:1].upper()}{str(error)[1:]}."
            return
        self.saved, self._end = saved, End.SAVED

    def _take_hands_off(self) -> None:
        if self._hands is not None:
            self._hands.leave()
            self._hands = None
