"""Judges what the scale says when it is left alone, tipped and pressed: the switch and the trays.

It never asks anybody to touch it; what it judges was gathered before.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from companion.events import Reading, Sample
from companion.units import Tray
from companion.workbench.findings import Finding, fail, ok, warn

PRESSED_COUNTS = 20_000
"""Some 10 g on a 1 kg cell: less than the lightest finger."""

BLURRED = 1.5
"""A press tips the beam, and the other cell feels its own tray swing; never as much as this."""


def tilt_findings(
    readings: Sequence[Reading], *, fitted: bool, learned: bool = True
) -> list[Finding]:
    """The switch of a scale that nobody touched; `learned`: it is known which way it rests."""
    if not fitted:
        return [
            warn("tilt switch", "none is fitted", "spills are judged by weight alone, less surely")
        ]
    tilts = switch_told(readings)
    if not tilts:
        return [fail("tilt switch", "it is never told", "look at its two wires and its pin")]
    edges = _edges(tilts)
    if edges > 4:
        return [
            fail(
                "tilt switch",
                f"{edges} changes although nobody touched the scale: it chatters",
                "turn it a little away from the angle at which it switches; look at its wires",
                edges=edges,
            )
        ]
    closed = sum(tilts) * 2 > len(tilts)
    if not learned:
        says = f"{'closed' if closed else 'open'} at rest, {edges} changes"
        return [ok("tilt switch", says, edges=edges)]
    if closed:
        return [
            fail(
                "tilt switch",
                "it says that the scale is tipped, and the scale stands level",
                "is the scale level? Then calibrate again: the switch rests the other way round",
                edges=edges,
            )
        ]
    return [ok("tilt switch", f"level, {edges} changes", edges=edges)]


def switch_told(readings: Sequence[Reading]) -> list[bool]:
    """What the switch said with each reading; nothing where none is fitted."""
    return [r.tilt for r in readings if isinstance(r, Sample) and r.tilt is not None]


def _edges(tilts: Sequence[bool]) -> int:
    return sum(a is not b for a, b in pairwise(tilts))


def tip_finding(readings: Sequence[Reading]) -> Finding:
    """The switch while somebody tipped the scale and set it level again."""
    topic = "tipping the scale"
    tilts = switch_told(readings)
    edges = _edges(tilts)
    if not edges:
        return fail(
            topic,
            "the tilt switch has not changed",
            "tip it as far as it spills; look at the switch's two wires, or turn it a little",
            edges=edges,
        )
    if tilts[-1] is not tilts[0]:
        return warn(
            topic,
            "the tilt switch has not come back",
            "is the scale level? Then turn the switch a little: it sits at its own angle",
            edges=edges,
        )
    return ok(topic, f"the tilt switch changed {edges} times and came back", edges=edges)


def press_finding(readings: Sequence[Reading], tray: Tray) -> Finding:
    """What the cells felt while somebody pressed one tray."""
    topic = f"pressing the {tray} tray"
    felt = {side: _swing(readings, side) for side in Tray}
    mine, others = felt[tray], felt[tray.other]
    if max(mine, others) < PRESSED_COUNTS:
        return fail(
            topic,
            "neither cell felt it",
            "press harder; if it stays so, the tray does not rest on its cell",
            pressed=mine,
            other=others,
        )
    if others > mine:
        return fail(
            topic,
            f"the {tray.other} cell felt it, not the {tray} one",
            "swap the plugs of the two cells, or their pins in the settings",
            pressed=mine,
            other=others,
        )
    if others * BLURRED > mine:
        return warn(
            topic,
            "both cells felt it",
            "press straight down on the tray; if it stays so, a tray touches the other's side",
            pressed=mine,
            other=others,
        )
    return ok(topic, f"the {tray} cell felt it", pressed=mine, other=others)


def _swing(readings: Sequence[Reading], tray: Tray) -> float:
    """How far the median of three readings went: one bad word is no finger."""
    values = [
        value
        for r in readings
        if isinstance(r, Sample) and (value := r.left if tray is Tray.LEFT else r.right) is not None
    ]
    smooth = [median(values[i : i + 3]) for i in range(len(values) - 2)]
    return max(smooth) - min(smooth) if smooth else 0.0
