"""What keeps the scale from being used is said at the start, with the way to mend it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from companion.bench.rounds import on_a_pico
from companion.boards import RealStand, SimulatedStand
from companion.calibrator import carry_out
from companion.clock import Clock, VirtualClock
from companion.config import Places, Settings
from companion.connected import Devices
from companion.display.bodies import ChoicesBody
from companion.display.calibration import CalibrationBody, Deed
from companion.display.choice import Choice, Touch
from companion.display.screen import Screen
from companion.display.wishes import Request
from companion.errors import BoardError, CalibrationError
from companion.evening import Evening, Opened, Stand, spend
from companion.journal.journal import Board, Journal
from companion.scale.calibrate import Step
from companion.scale.calibration import Calibration, CellCalibration
from companion.scale.saved import SavedCalibration, load_calibration, save_calibration
from companion.table.taps import Mode
from hardware.probe import board_of
from sim.board import SimulatedTable
from sim.party import Plan
from sim.pins import VirtualTime
from sim.weighing import WeighingHands
from tests.unit.app.test_calibrator import STEPS, Panel

Script = Callable[[Panel], Iterator[Touch | None]]
"""What people tap, turn by turn; when it ends they close the window."""


class Visited(Panel):
    """A panel with somebody in front of it."""

    def play(self, script: Script) -> None:
        self._script = script(self)

    def touches(self) -> Sequence[Touch]:
        if not self.shown:
            return []
        try:
            touch = next(self._script)
        except StopIteration:
            self.closed = True
            return []
        if touch is not None:
            self.tap(touch)
        return super().touches()

    def close(self) -> None:
        """The window goes."""

    @property
    def headlines(self) -> list[str]:
        """Each once, in the order in which they were seen."""
        return list(dict.fromkeys(screen.headline for screen in self.shown))


@pytest.fixture
def panel(monkeypatch: pytest.MonkeyPatch) -> Visited:
    panel = Visited()
    monkeypatch.setattr("companion.evening._display", lambda *_: (panel, ""))
    return panel


def sit_down(stand: Stand, clock: Clock, tmp_path: Path, *, headless: bool = False) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        evening = Evening(mode=Mode.FULL, headless=headless)
        spend(evening, clock, stand, journal, Console(quiet=True))


def places_in(folder: Path) -> Places:
    return Places(folder / "settings.toml", folder / "journal.sqlite", folder / "calibration.toml")


def labels(screen: Screen) -> list[str]:
    return [choice.label for choice in screen.actions]


class Unwilling:
    """A stand whose board refuses with these errors first, one after another."""

    calibratable = True

    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)

    def open(self) -> Opened:
        if self._errors:
            raise self._errors.pop(0)
        return Opened(Devices(), None)

    def calibrate(self, *_: Any, **__: Any) -> Any:
        raise BoardError("no Pico is plugged in: look at its cable")


def test_a_board_that_cannot_be_opened_is_said_and_tried_again(
    panel: Visited, tmp_path: Path
) -> None:
    def people(panel: Panel) -> Iterator[Touch | None]:
        assert panel.screen.headline == "The scale cannot be reached"
        assert isinstance(panel.screen.body, ChoicesBody)
        assert panel.screen.body.text == "No Pico is plugged in.\nLook at its cable."
        yield Deed.READY
        yield None
        assert panel.screen.headline == "What shall we play?"

    panel.play(people)
    sit_down(
        Unwilling(BoardError("no Pico is plugged in: look at its cable")), VirtualClock(), tmp_path
    )
    assert panel.headlines == ["The scale cannot be reached", "What shall we play?"]


def test_people_may_play_without_a_scale_that_cannot_be_reached(
    panel: Visited, tmp_path: Path
) -> None:
    def people(_: Panel) -> Iterator[Touch | None]:
        yield Deed.WITHOUT
        yield None

    panel.play(people)
    sit_down(Unwilling(BoardError("gone: look"), BoardError("gone")), VirtualClock(), tmp_path)
    assert panel.headlines[-1] == "What shall we play?"


@pytest.mark.parametrize(
    "error", [BoardError("no Pico is plugged in: look"), CalibrationError("damaged: calibrate")]
)
def test_who_closes_the_window_at_the_start_leaves(
    error: Exception, panel: Visited, tmp_path: Path
) -> None:
    panel.play(lambda _: iter(()))
    sit_down(Unwilling(error, error), VirtualClock(), tmp_path)
    assert panel.headlines == ["The scale cannot be reached"]


def test_a_board_that_goes_while_it_should_be_calibrated_is_said(
    panel: Visited, tmp_path: Path
) -> None:
    def people(_: Panel) -> Iterator[Touch | None]:
        yield Deed.LEAVE

    panel.play(people)
    sit_down(Unwilling(CalibrationError("it is damaged: do it again")), VirtualClock(), tmp_path)
    assert panel.headlines == ["The scale cannot be reached"]


@pytest.mark.parametrize("error", [BoardError("gone: look"), CalibrationError("damaged: do")])
def test_without_a_display_it_ends_with_the_sentence(error: Exception, tmp_path: Path) -> None:
    with pytest.raises(type(error), match=str(error)):
        sit_down(Unwilling(error), VirtualClock(), tmp_path, headless=True)


# --- on a Pico ---------------------------------------------------------------------------------


def on_the_pico(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scale: Any, clock: Clock
) -> RealStand:
    """`--board pico` opens the one on the pseudo-terminal."""
    scale.close()

    def open_board(*_: Any) -> Any:
        scale.open()
        return board_of(scale)

    monkeypatch.setattr("hardware.probe.open_board", open_board)
    return RealStand("pico", Settings(), places_in(tmp_path), clock)


KEPT = SavedCalibration(
    Calibration(
        card_g=1.75,
        left=CellCalibration(zero=0, counts_per_gram=2000),
        right=CellCalibration(zero=0, counts_per_gram=2000),
    ),
    board="pico 0000",
    tilt_rests_closed=False,
    made="one evening",
)


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        (None, "This scale has not been calibrated yet."),
        ("nonsense", "is damaged."),
        (KEPT, "The calibration is for the board 'pico 0000', but 'pico e6614104031f2b37' is on"),
    ],
)
def test_a_calibration_that_is_missing_damaged_or_anothers_is_offered_anew(
    kept: SavedCalibration | str | None,
    why: str,
    panel: Visited,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time = VirtualTime()
    path = places_in(tmp_path).calibration
    if isinstance(kept, str):
        path.write_text(kept)
    elif kept is not None:
        save_calibration(path, kept)

    def people(panel: Panel) -> Iterator[Touch | None]:
        assert panel.screen.headline == "Calibrate the scale"
        assert why in str(panel.screen.body)
        assert labels(panel.screen) == ["Play without the scale", "Begin"]
        yield Deed.LEAVE

    with on_a_pico(time, SimulatedTable(Plan(seed=4, people=(), sps=10), time)) as wired:
        panel.play(people)
        sit_down(on_the_pico(monkeypatch, tmp_path, wired.scale, time), time, tmp_path)
    assert panel.headlines == ["Calibrate the scale"]


def test_a_scale_that_was_calibrated_at_the_start_is_played_on_at_once(
    panel: Visited, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = VirtualTime()
    table = SimulatedTable(Plan(seed=4, people=(), sps=10), time)
    hands = WeighingHands(table, cards=20, coin_g=None)

    def people(panel: Panel) -> Iterator[Touch | None]:
        yield Deed.BEGIN
        yield None
        for step in STEPS:
            carry_out(step, hands)
            yield from _turns(90 if step is not Step.TIP else 220)
            if step is not Step.TIP:
                yield Deed.READY
                yield from _turns(130)
        assert panel.screen.headline == "The scale is calibrated"
        yield Deed.SAVE
        yield from _turns(3)
        assert panel.screen.headline == "What shall we play?"

    with on_a_pico(time, table) as wired:
        stand = on_the_pico(monkeypatch, tmp_path, wired.scale, time)
        panel.play(people)
        sit_down(stand, time, tmp_path)
        assert load_calibration(places_in(tmp_path).calibration).board == "pico e6614104031f2b37"
        assert stand.open().calibration is not None
        wired.scale.close()


def _turns(count: int) -> Iterator[None]:
    for _ in range(count):
        yield None


def test_from_the_set_up_a_simulated_scale_is_calibrated_and_the_result_is_in_force(
    panel: Visited, tmp_path: Path
) -> None:
    clock = VirtualClock()
    table = SimulatedTable(Plan(seed=4, people=(), sps=10), clock)
    devices = Devices(scale=table.scale, company=table, board=Board("sim", simulated=True))
    stand = SimulatedStand(table, devices, places_in(tmp_path), clock)

    def people(panel: Panel) -> Iterator[Touch | None]:
        assert labels(panel.screen) == ["Calibrate the scale"]
        yield Request.CALIBRATE
        yield None
        assert "Play without the scale" not in labels(panel.screen)
        yield Deed.BEGIN
        yield None
        for step in STEPS:
            body = panel.screen.body
            assert isinstance(body, CalibrationBody)
            assert body.touches is not None
            left, beam, right = body.touches
            yield {Step.TIP: beam, Step.EMPTY: beam, Step.CARDS_RIGHT: right}.get(step, left)
            yield from _turns(90 if step is not Step.TIP else 220)
            if step is not Step.TIP:
                yield Deed.READY
                yield from _turns(130)
        yield Deed.SAVE
        yield from _turns(3)
        assert panel.screen.headline == "What shall we play?"

    panel.play(people)
    sit_down(stand, clock, tmp_path)
    saved = load_calibration(tmp_path / "calibration-sim.toml")
    found = stand.open().calibration
    assert found is not None
    assert found["card_g"] == saved.calibration.card_g
    assert not (tmp_path / "calibration.toml").exists(), "no real scale is calibrated by it"
    assert all(screen.simulated for screen in panel.shown)


def test_the_way_to_the_calibration_is_shown_where_there_is_one(
    panel: Visited, tmp_path: Path
) -> None:
    panel.play(lambda _: iter((None, None)))
    stand = Unwilling()
    stand.calibratable = False
    sit_down(stand, VirtualClock(), tmp_path)
    assert Choice("Calibrate the scale", Request.CALIBRATE).label not in labels(panel.screen)
