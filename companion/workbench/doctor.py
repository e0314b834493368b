"""`tippo doctor`: gathers facts, listens to the scale, and reports in plain words or JSON.

It never judges anything itself: see `cells`, `touched` and `machine` beside it.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.boards import board_config, chosen_board
from companion.config import Places, load_settings, places
from companion.errors import BoardError, CalibrationError, in_two
from companion.events import Sensor
from companion.scale.saved import SavedCalibration, load_calibration
from companion.units import Tray
from companion.workbench.bench import Bench, Say, bench, gather
from companion.workbench.cells import CellLog, cell_findings
from companion.workbench.findings import GRADES, Finding, Grade, fail, ok, warn, worst
from companion.workbench.machine import machine_findings, realtime_finding
from companion.workbench.touched import press_finding, switch_told, tilt_findings, tip_finding

LISTEN_S = 10.0
PRESS_S = 5.0
TIP_S = 10.0
STYLES = {Grade.OK: "green", Grade.WARN: "yellow", Grade.FAIL: "bold red"}


def run_doctor(
    *, board: str | None, as_json: bool, press: bool | None, settings: Path | None
) -> int:
    """`tippo doctor`; returns its exit code: 0 all OK, 1 a WARN, 2 a FAIL.

    Raises:
        BadInput: a wrong setting, or no board was named.
    """
    said = load_settings(settings)
    where = places(said, settings)
    board = chosen_board(board, said, where)
    say: Say = click.echo
    if as_json:
        say = _nothing
    if board == "sim":
        say("SIMULATED: the scale below is simulated; it says nothing of a real one.")
    findings = examine(board, where, settings, say=say, press=_wants_press(board, as_json, press))
    if as_json:
        click.echo(json.dumps(report(board, findings), indent=2))
    else:
        show(findings, Console())
    return GRADES.index(worst(findings))


def _nothing(_: str) -> None:
    """A report for programs says nothing besides."""


def _wants_press(board: str, as_json: bool, press: bool | None) -> bool:
    if press is not None:
        return press
    return board == "sim" or (not as_json and sys.stdin.isatty())


def examine(
    board: str, where: Places, settings: Path | None, *, say: Say, press: bool
) -> list[Finding]:
    """Every finding, in the order in which to mend what is wrong."""
    if board == "none":
        return [ok("board", "none: a table without a scale"), *machine_findings(where.journal)]
    findings: list[Finding] = []
    if board != "sim":
        from hardware.facts import before_opening

        config = board_config(board, load_settings(settings), where)
        findings += _findings(before_opening(board, config.port))
        if board == "gpio":
            findings.append(realtime_finding())
    calibration = _calibration(board, where, findings)
    closed = calibration is not None and calibration.tilt_rests_closed
    try:
        with bench(board, settings, tilt_rests_closed=closed) as opened:
            findings.append(ok("board", opened.scale.description))
            _identity(calibration, opened, findings)
            findings += listen(opened, calibration, say=say, press=press)
    except BoardError as error:
        findings.append(fail("board", *in_two(str(error))))
    return findings + machine_findings(where.journal)


def listen(
    opened: Bench, calibration: SavedCalibration | None, *, say: Say, press: bool
) -> list[Finding]:
    """Ten seconds of the scale at rest, then a press on each tray, and a tip."""
    known = None if calibration is None else calibration.calibration
    say(f"Listening for {LISTEN_S:.0f} seconds: leave the scale alone.")
    gather(opened.scale, opened.clock, 1.5)  # what was on its way, and the chips' settling
    readings = gather(opened.scale, opened.clock, LISTEN_S)
    cells = [Sensor.LEFT, Sensor.RIGHT]
    if known is not None and known.deck is not None:
        cells.append(Sensor.DECK)
    findings = [
        finding
        for cell in cells
        for finding in cell_findings(CellLog.of(readings, cell, LISTEN_S), known)
    ]
    fitted = known is None or known.tilt_switch
    findings += tilt_findings(readings, fitted=fitted, learned=known is not None)
    if not opened.scale.simulated:
        from hardware.facts import after_listening

        findings += _findings(after_listening(opened.scale))
    for tray in Tray if press else ():
        say(f"Press the {tray} tray with a finger for a moment, now.")
        opened.press(tray)
        findings.append(press_finding(gather(opened.scale, opened.clock, PRESS_S), tray))
    if press and fitted and switch_told(readings):
        say("Tip the scale by hand as far as it spills, and set it level again, now.")
        opened.tip()
        findings.append(tip_finding(gather(opened.scale, opened.clock, TIP_S)))
    return findings


def _findings(facts: Iterable[Any]) -> list[Finding]:
    """`hardware` has its own word for a finding, since it knows nothing of this room."""
    return [Finding(f.topic, Grade(f.grade), f.says, f.advice) for f in facts]


def _calibration(board: str, where: Places, findings: list[Finding]) -> SavedCalibration | None:
    try:
        saved = load_calibration(where.calibration_of(board))
    except CalibrationError as error:
        findings.append(warn("calibration", *in_two(str(error))))
        return None
    findings.append(ok("calibration", f"made {saved.made} for the board {saved.board}"))
    return saved


def _identity(calibration: SavedCalibration | None, opened: Bench, findings: list[Finding]) -> None:
    if calibration is None:
        return
    try:
        calibration.check_board(opened.identity)
    except CalibrationError as error:
        findings.append(fail("calibration", *in_two(str(error))))


def report(board: str, findings: list[Finding]) -> dict[str, Any]:
    """The JSON form."""
    return {
        "board": board,
        "simulated": board == "sim",
        "worst": worst(findings).value,
        "findings": msgspec.to_builtins(findings),
    }


def show(findings: list[Finding], console: Console) -> None:
    """The report for people: what was looked at, and below each trouble what to do."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    for finding in findings:
        style = STYLES[finding.grade]
        text = finding.says
        if finding.advice and finding.grade is not Grade.OK:
            text += f"\n→ {finding.advice}"
        # Text, not markup: advice may name an extra in brackets.
        table.add_row(Text(finding.grade, style), Text(finding.topic), Text(text))
    console.print(table)
    grade = worst(findings)
    last = {
        Grade.OK: "All is well.",
        Grade.WARN: "It will do; the warnings are worth a look.",
        Grade.FAIL: "Something must be mended before you play: the first FAIL first.",
    }
    console.print(f"[{STYLES[grade]}]{last[grade]}[/{STYLES[grade]}]")
