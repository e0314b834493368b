"""`tippo calibrate`: says in the terminal what to do, listens, and saves what was learned.

It never judges a weighing: see `companion.scale.calibrate`.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import click

from companion.boards import chosen_scale
from companion.clock import Clock
from companion.config import load_settings, places
from companion.ending import AskedToEnd
from companion.errors import CalibrationError
from companion.ports import Scale
from companion.scale.calibrate import Load, Procedure, Step
from companion.scale.guide import Guide
from companion.scale.levels import Refusal, Trouble
from companion.scale.saved import SavedCalibration, save_calibration
from companion.workbench.bench import POLL_S, Say, Wait, bench

MOST_REFUSALS = 5
"""So many refusals of one weighing end the calibration: something must be mended first."""


OPTIONS: Mapping[Trouble, str] = MappingProxyType(
    {Trouble.NO_TILT: "--no-tilt-switch", Trouble.WRONG_SIGN: "--upside-down"}
)
"""Of the refusals that end with "take it as it is", how to say so."""


def run_calibration(
    *,
    board: str | None,
    cards: int,
    coin: float | None,
    no_tilt_switch: bool,
    upside_down: bool,
    settings: Path | None,
) -> None:
    """`tippo calibrate`.

    Raises:
        BadInput: a wrong setting.
        Refused: the board cannot be opened, or the calibration was not accepted.
    """
    said = load_settings(settings)
    where = places(said, settings)
    board = chosen_scale(board, said, where)
    path = where.calibration_of(board)
    if board == "sim":
        click.echo("SIMULATED: simulated hands do what is asked; no real scale is calibrated.")
    # Which way the switch rests is what is to be found out: its bare contact is asked for.
    load = Load(cards, coin)
    with bench(board, settings, load=load, tilt_fitted=not no_tilt_switch) as opened:
        saved = calibrate(
            opened.scale,
            opened.clock,
            Procedure(load, tilt_fitted=not no_tilt_switch, upside_down=upside_down),
            board=opened.identity,
            path=path,
            say=click.echo,
            wait=opened.wait,
        )
    found = saved.calibration
    click.echo(
        f"Saved in {path}: a card is {found.card_g:.2f} g; a gram is "
        f"{found.left.counts_per_gram:.0f} counts on the left, "
        f"{found.right.counts_per_gram:.0f} on the right."
    )


def calibrate(
    scale: Scale,
    clock: Clock,
    procedure: Procedure,
    *,
    board: str,
    path: Path,
    say: Say,
    wait: Wait,
) -> SavedCalibration:
    """Runs the procedure on an open scale and saves what it learned.

    Raises:
        CalibrationError: a weighing was refused too often, or the file cannot be written; the
            calibration before stays in force.
    """
    guide = Guide(procedure)
    try:
        while guide.step is not Step.DONE:
            _weigh(guide, scale, clock, say, wait)
        say(procedure.asks)
    except AskedToEnd as asked:
        raise AskedToEnd(asked.number, "nothing was saved") from None
    saved = SavedCalibration.of(guide.learned, board, str(clock.wall()))
    save_calibration(path, saved)
    return saved


def _weigh(guide: Guide, scale: Scale, clock: Clock, say: Say, wait: Wait) -> None:
    """One step of the procedure, accepted or refused."""
    say(guide.procedure.asks)
    wait(guide.step)
    guide.begin(clock.mono())
    while guide.listening:
        clock.sleep(POLL_S)
        guide.take(scale.poll(), clock.mono())
    refusal = guide.refusal
    if refusal is None:
        return
    say(f"Not accepted: {_told(refusal)}.")
    if guide.refusals >= MOST_REFUSALS:
        raise CalibrationError(
            f"not calibrated, nothing was saved: {_told(refusal)}; then run it again"
        )


def _told(refusal: Refusal) -> str:
    """The refusal with the option of the command line that accepts things as they are."""
    option = OPTIONS.get(refusal.trouble)
    return refusal.sentence if option is None else f"{refusal.sentence} ({option})"
