"""Measures the simulator: how much faster than the clock on the wall a table is played.

It never judges anything; the scale, the chips and the people are all that runs.
"""

import time

from companion.bench.report import Report
from sim.faults import CATALOGUE
from sim.party import NAMES, Party, Plan
from sim.recording import csv_lines

SLICE_S = 2.0


def measure(report: Report, *, quick: bool) -> None:
    """Adds simulated seconds a second at both rates, ordinary and with every adversity at once."""
    seconds = 120.0 if quick else 1800.0
    for sps in (10, 80):
        ordinary = simulated_seconds_a_second(Plan(seed=1, players=NAMES[:4], sps=sps), seconds)
        aim = "3,600 in seconds" if sps == 80 else ""
        report.figure("simulator", f"four people at {sps} SPS", ordinary, "s/s", aim=aim)
    everything = Plan(seed=1, players=NAMES[:4], sps=80, faults=tuple(CATALOGUE))
    speed = simulated_seconds_a_second(everything, seconds / 4.0)
    report.figure("simulator", f"all {len(CATALOGUE)} adversities at once, 80 SPS", speed, "s/s")


def simulated_seconds_a_second(plan: Plan, seconds: float) -> float:
    """Plays so long (or until the people get up), with the rows written as text."""
    party = Party(plan)
    written = 0
    began = time.perf_counter()
    while party.now_s < seconds and not party.finished:
        party.advance(party.now_s + SLICE_S)
        written += sum(len(line) for line in csv_lines(party.readings(), deck=plan.deck))
        party.taps()
    assert written > 0
    return party.now_s / (time.perf_counter() - began)
