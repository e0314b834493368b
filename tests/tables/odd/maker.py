"""Makes the stage for a kind of trace: chance, the cells, the cards that lie there already.

It never plays on it.
"""

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.tables.odd.scene import Scene
from tests.tables.odd.stage import Cell, Stage


@dataclass(slots=True)
class Maker:
    """Called by a kind of trace with its length and what is special about its stage."""

    kind: str
    sps: int
    seed: int

    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng([zlib.crc32(self.kind.encode()), self.sps, self.seed])

    def integer(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def __call__(
        self, seconds: float, *, cards: tuple[int, int] = (0, 0), deck: int = 0, **options: Any
    ) -> Scene:
        rng = self.rng
        options.setdefault("card_g", float(rng.uniform(1.68, 1.86)))
        options.setdefault("tray_g", float(rng.uniform(20, 40)))
        options.setdefault("common_clock", bool(rng.random() < 0.3))
        stage = Stage(rng=rng, sps=self.sps, seconds=seconds, **options)
        stage.initial(*cards)
        if deck:
            counts_per_gram = float(rng.uniform(900, 1300))
            noise = rng.uniform(12, 35) if self.sps == 10 else rng.uniform(95, 105)
            stage.cells["deck"] = Cell(
                zero=int(rng.integers(-100_000, 100_000)),
                counts_per_gram=counts_per_gram,
                rate=stage.cells["left"].rate * 1.01,
                phase=float(rng.uniform(0, 1)),
                noise_g=float(noise) / counts_per_gram,
            )
            stage.mass["deck"] += deck * stage.card_g
        return Scene(stage)
