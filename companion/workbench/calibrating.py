"""`tippo calibrate`: says in the terminal what to do, listens, and saves what was learned.

It never judges a weighing: see `companion.scale.calibrate`.
"""

from pathlib import Path

import click

from companion.clock import Clock
from companion.config import load_settings, places
from companion.errors import CalibrationError
from companion.events import Reading, Sample
from companion.ports import Scale
from companion.scale.calibrate import Load, Procedure, Step
from companion.scale.levels import WEIGHING_S
from companion.scale.saved import SavedCalibration, save_calibration
from companion.sitting import chosen_board
from companion.workbench.bench import POLL_S, Say, Wait, bench, gather

TIP_WITHIN_S = 15.0
"""How long a person may take to tip the scale and set it level again."""

SWING_S = 1.0
"""After the key is pressed, hands leave and the scale comes to rest."""

MOST_REFUSALS = 5
"""So many refusals of one weighing end the calibration: something must be mended first."""


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
    board = chosen_board(board, said, where)
    path = where.calibration
    if board == "sim":
        path = path.with_name("calibration-sim.toml")
        click.echo("SIMULATED: simulated hands do what is asked; no real scale is calibrated.")
    # Which way the switch rests is what is to be found out: its bare contact is asked for.
    with bench(
        board, settings, cards=cards, tilt_fitted=not no_tilt_switch, tilt_rests_closed=False
    ) as opened:
        saved = calibrate(
            opened.scale,
            opened.clock,
            Procedure(Load(cards, coin), tilt_fitted=not no_tilt_switch, upside_down=upside_down),
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
    refusals = 0
    while procedure.step is not Step.DONE:
        step = procedure.step
        say(procedure.asks)
        wait(step)
        refusal = procedure.weigh(_gather(scale, clock, procedure.step))
        if refusal is None:
            refusals = 0
            continue
        refusals += 1
        say(f"Not accepted: {refusal.sentence}.")
        if refusals >= MOST_REFUSALS:
            raise CalibrationError(
                f"not calibrated, nothing was saved: {refusal.sentence}; then run it again"
            )
    say(procedure.asks)
    learned = procedure.learned
    saved = SavedCalibration(
        learned.calibration, board, learned.tilt_rests_closed, str(clock.wall())
    )
    save_calibration(path, saved)
    return saved


def _gather(scale: Scale, clock: Clock, step: Step) -> list[Reading]:
    readings: list[Reading] = []
    if step is Step.TIP:
        began_s = clock.mono()
        while clock.mono() - began_s < TIP_WITHIN_S and not _tipped_and_back(readings):
            clock.sleep(POLL_S)
            readings += scale.poll()
        return readings
    gather(scale, clock, SWING_S)
    return gather(scale, clock, WEIGHING_S)


def _tipped_and_back(readings: list[Reading]) -> bool:
    """Whether the switch has changed, and has rested as at the beginning for a second since."""
    told = [r for r in readings if isinstance(r, Sample) and r.tilt is not None]
    changed = [r.mono_s for r in told if r.tilt is not told[0].tilt]
    return bool(changed) and told[-1].mono_s - changed[-1] >= 1.0
