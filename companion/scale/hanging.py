"""What both trays weighed over half a swing of the beam, and what explains it: cards, an angle.

It never decides anything, and remembers nothing from one look to the next.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from companion.scale.missing import STEEPEST_SHARE, Beam, Hung, Missing, explain
from companion.scale.motion import Flat
from companion.scale.trays import TrayCards
from companion.units import Tray

SWING_S, PARTS = 0.3, 4
"""Half a swing of the beam at 1.7 Hz."""
LEVEL_SHARE = 0.01
LONE_SPREAD = 0.15
"""One cell alone cannot tell a loss from an angle: few stops are as steep as 45 degrees."""


class Span(NamedTuple):
    """What one tray weighed over half a swing of the beam, whole and in parts."""

    flat: Flat
    parts_g: tuple[float, ...]


def spans(trays: Sequence[TrayCards], since_s: float, seconds: float = SWING_S) -> list[Span]:
    """What the trays weighed in the last moments; empty if they began before `since_s`."""
    found = []
    for tray in trays:
        cell = tray.cell
        if not cell.moving:
            flat = tray.quick()
            if flat is None or flat.until_s < since_s:
                return []
            found.append(Span(flat, (flat.level_g,) * PARTS))
            continue
        flat = cell.quick(max(seconds, PARTS * cell.cadence.period_s))
        if flat is None or flat.since_s < since_s:
            return []
        values, width = cell.trail.grams, flat.readings / PARTS
        ends = [len(values) - round(i * width) for i in range(PARTS, -1, -1)]
        found.append(Span(flat, tuple(fmean(values[i:j]) for i, j in pairwise(ends))))
    return found


def explained(
    trays: Sequence[TrayCards], flats: Sequence[Flat], *, tray_g_said: bool,
    low: float = STEEPEST_SHARE, high: float = LEVEL_SHARE, unseen: Tray | None = None,
) -> Missing:  # fmt: skip
    """The losses that explain these weights on a beam that takes a share from `low` to `high`.

    Into the tray `unseen` a card may have come that its cell was too slow to show.
    """
    hung = [
        Hung(
            tray.whole_g(flat.until_s, 0.0), tray.gross_g, tray.cards, tray.lying_g,
            flat.level_g, math.hypot(flat.sigma_g, tray.unsure_g(flat)), tray.tray_g,
            tray.doubted, int(tray.tray is unseen and not tray.cell.cadence.fast),
        )
        for tray, flat in zip(trays, flats, strict=True)
    ]  # fmt: skip
    spread = math.inf if len(trays) > 1 else LONE_SPREAD
    return explain(hung, Beam(low, high, spread, tray_g_said=tray_g_said))
