"""All kinds of traces by name, and how one is made.

It never plays or judges a trace itself.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tests.tables.odd import kinds_cards, kinds_faults, kinds_quiet, kinds_tips
from tests.tables.odd.maker import Maker
from tests.tables.odd.scene import Scene
from tests.tables.odd.stage import Stage
from tests.tables.odd.trace import Trace

Kind = Callable[[Maker], Scene]
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (*kinds_quiet.KINDS, *kinds_cards.KINDS, *kinds_tips.KINDS, *kinds_faults.KINDS)
    }
)


def make(kind: str, sps: int, seed: int) -> Trace:
    """The trace of this kind at 10 or 80 samples a second; the same seed, the same trace."""
    maker = Maker(kind, sps, seed)
    scene = KINDS[kind](maker)
    stage = scene.stage
    origin = float(maker.rng.choice([0.0, 37.25, 4_211.5, 1_700_000_000.0]))
    rows = stage.rows()
    for row in rows:
        row.t += origin
    return Trace(kind, sps, seed, origin, rows, calibration(stage, maker), scene.truth)


def calibration(stage: Stage, maker: Maker) -> dict[str, Any]:
    """What `tippo calibrate` would have written for this scale: right but for small errors."""
    said: dict[str, Any] = {"card_g": round(stage.card_g_said, 3)}
    if not stage.tilt_switch:
        said["tilt_switch"] = False
    for name, cell in stage.cells.items():
        said[name] = {"zero": cell.zero, "counts_per_gram": round(cell.counts_per_gram, 2)}
        if name != "deck" and stage.say_tray_g:
            said[name]["tray_g"] = round(stage.tray_g * float(maker.rng.uniform(0.985, 1.015)), 2)
    return said
