"""Puts a board on the table: for playing with its calibration, or bare, to be calibrated.

It never falls back from one board to another, and never plays.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from companion.calibrator import Calibrator, End, Hands
from companion.clock import Clock
from companion.config import Places, Settings
from companion.connected import Devices
from companion.display.desk import Shows
from companion.errors import BadInput, CalibrationError
from companion.evening import Opened, tick_of
from companion.journal.journal import Board
from companion.scale.saved import SavedCalibration, load_calibration

if TYPE_CHECKING:
    from hardware.probe import Board as RealParts
    from sim.board import SimulatedTable


def chosen_board(asked: str | None, settings: Settings, where: Places) -> str:
    """The board by name; raises BadInput if nobody has named one."""
    board = asked or settings.board
    if board is None:
        raise BadInput(
            "which board is on the table? Say --board gpio, --board pico, --board sim or, with no "
            f"scale at all, --board none; or set `board` in {where.settings}"
        )
    return board


def chosen_scale(asked: str | None, settings: Settings, where: Places) -> str:
    """The board by name, for what needs its scale; raises BadInput if there is none."""
    board = chosen_board(asked, settings, where)
    if board == "none":
        raise BadInput(
            f"there is no scale at this table, as `board` in {where.settings} says: write there "
            "which one there is, or say it with --board"
        )
    return board


def board_config(board: str, settings: Settings, where: Places) -> Any:
    """What the settings say of a board (`hardware.wiring.BoardConfig`); raises BadInput."""
    from hardware.wiring import BoardConfig

    try:
        return msgspec.convert(settings.of_board(board), BoardConfig)
    except msgspec.ValidationError as error:
        raise BadInput(f"the settings {where.settings}, {board}: {error}") from None


@contextmanager
def bare_board(
    board: str,
    settings: Settings,
    where: Places,
    clock: Clock,
    *,
    tilt_fitted: bool | None = None,
    tilt_rests_closed: bool = False,
) -> "Iterator[RealParts]":
    """A real board opened without its calibration, closed in the end; `tilt_fitted` None: as the
    settings say.

    Raises:
        BadInput: the settings say something that cannot be.
        BoardError: it cannot be opened.
    """
    from hardware.probe import open_board

    config = board_config(board, settings, where)
    config = msgspec.structs.replace(
        config,
        tilt_fitted=config.tilt_fitted if tilt_fitted is None else tilt_fitted,
        tilt_rests_closed=tilt_rests_closed,
    )
    opened = open_board(board, config, clock)
    try:
        yield opened
    finally:
        opened.scale.close()


class RealStand:
    """A board of that name with the calibration that is kept for it: an evening's `Stand`."""

    calibratable = True

    def __init__(self, name: str, settings: Settings, where: Places, clock: Clock) -> None:
        self._name = name
        self._settings = settings
        self._where = where
        self._clock = clock

    def open(self) -> Opened:
        """Raises CalibrationError if it is missing, damaged or another board's, BoardError if the
        board cannot be opened, BadInput if the settings of it cannot be."""
        from hardware.probe import open_board

        saved = load_calibration(self._where.calibration)
        config = msgspec.structs.replace(
            board_config(self._name, self._settings, self._where),
            tilt_rests_closed=saved.tilt_rests_closed,
        )
        opened = open_board(self._name, config, self._clock)
        try:
            saved.check_board(opened.identity)
        except CalibrationError:
            opened.scale.close()
            raise
        devices = Devices(
            scale=opened.scale,
            buttons=opened.buttons,
            lamps=opened.lamps,
            sounder=opened.sounder,
            board=Board(opened.scale.description, simulated=opened.scale.simulated),
        )
        return Opened(devices, msgspec.to_builtins(saved.calibration))

    def calibrate(self, display: Shows, why: str, *, playable: bool) -> End:
        """Leads people through it at the display; raises BoardError if it cannot be opened."""
        with bare_board(
            self._name, self._settings, self._where, self._clock, tilt_fitted=True
        ) as opened:
            calibrator = Calibrator(
                self._clock,
                opened.scale,
                display,
                board=opened.identity,
                path=self._where.calibration,
                why=why,
                playable=playable,
                tick_s=tick_of(self._clock),
            )
            return calibrator.run()


class SimulatedStand:
    """A simulated table. It can be calibrated at the display where nobody simulated plays on it."""

    def __init__(
        self, table: "SimulatedTable", devices: Devices, where: Places, clock: Clock
    ) -> None:
        self.calibratable = not table.party.plan.simulated
        self._table = table
        self._devices = devices
        self._where = where
        self._clock = clock
        self._calibration: dict[str, Any] = table.calibration

    def open(self) -> Opened:
        self._table.scale.open()
        return Opened(self._devices, self._calibration)

    def calibrate(self, display: Shows, why: str, *, playable: bool) -> End:
        """What was learned holds for this evening; it is kept beside the real scale's."""
        from sim.weighing import WeighingHands

        def hands(*, cards: int, coin_g: float | None) -> Hands:
            return WeighingHands(self._table, cards=cards, coin_g=coin_g)

        self._table.scale.open()
        calibrator = Calibrator(
            self._clock,
            self._table.scale,
            display,
            board="sim",
            path=self._where.calibration_of("sim"),
            why=why,
            hands=hands,
            playable=playable,
            tick_s=tick_of(self._clock),
        )
        end = calibrator.run()
        if calibrator.saved is not None:
            self._calibration = _fields(calibrator.saved)
        return end


class NoScale:
    """Nothing to be opened or calibrated: a game by taps alone, or with simulated people."""

    calibratable = False

    def __init__(self, devices: Devices | None = None) -> None:
        self._devices = devices or Devices()

    def open(self) -> Opened:
        return Opened(self._devices, None)

    def calibrate(self, display: Shows, why: str, *, playable: bool) -> End:
        """There is nothing to calibrate."""
        del display, why, playable
        return End.LEFT


def _fields(saved: SavedCalibration) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(saved.calibration)
    return fields
