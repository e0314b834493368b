"""How noisy one cell is, at rest and where its noise is so strong that it never rests.

It never looks at one weight, and believes no cell beside one that moves.
"""

import math
from collections import deque
from itertools import pairwise

from companion.scale.faults import NOISY_AFTER_S, NOISY_RMS_G, CellHealth
from companion.scale.motion import Base

QUIET_SHARE, FEW_QUIET_SHARE, MANY = 0.75, 0.25, 12
"""A few readings of a cell as noisy as that may seem quiet by chance, many may not."""
BESIDE_SHARE = 0.5
SWINGS_S = 10.0
"""So long a beam swings at most; both cells may be noisy for longer."""


class Noise:
    """The noise of the last seconds, told to the cell's health."""

    __slots__ = ("_blocks", "_health", "_heard", "_since_s", "beside_g")

    def __init__(self, health: CellHealth) -> None:
        self._health = health
        self._blocks: deque[tuple[float, int, float]] = deque()
        self._heard: list[float] = []
        """The readings in motion since the last block."""
        self._since_s = math.inf
        self.beside_g = 0.0
        """Noise of the other tray's cell, endless while it moves: what moves both is none of this
        one's."""

    def began(self, since_s: float) -> None:
        """It has come to rest under more noise than it had."""
        self._since_s = min(self._since_s, since_s)

    def moves(self) -> None:
        """A motion begins."""
        self._heard.clear()

    def hear(self, now_s: float, grams: float, base: Base, step_g: float, *, block: int) -> None:
        """Takes a reading in motion: mere noise leaves its mean at the base.

        It is told by the steps between readings, which a beam or a hand makes smaller than noise.
        `block` is how many readings make one, `step_g` what a base may be off by.
        """
        heard = self._heard
        heard.append(grams)
        count = len(heard)
        if count < block:
            return
        steps = [after - before for before, after in pairwise(heard)]
        sigma_g = math.sqrt(sum([step * step for step in steps]) / (2 * (count - 1)))
        off_g = sum(heard) / count - base.at(now_s)
        heard.clear()
        if abs(off_g) > step_g + 3 * sigma_g / math.sqrt(count):
            self._since_s = now_s
        self.note(now_s, count, sigma_g)

    def note(self, now_s: float, count: int, sigma_g: float) -> None:
        """Takes the noise of a block of so many readings, grams rms."""
        blocks = self._blocks
        blocks.append((now_s, count, count * sigma_g**2))
        while now_s - blocks[0][0] > NOISY_AFTER_S:
            blocks.popleft()
        quiet = sigma_g < (QUIET_SHARE if count > MANY else FEW_QUIET_SHARE) * NOISY_RMS_G
        if quiet or self.beside_g == math.inf:
            self._since_s = now_s
            if self._health.active is None:
                return
        readings = sum([block[1] for block in blocks])
        rms_g = math.sqrt(sum([block[2] for block in blocks]) / readings)
        lasted_s = now_s - self._since_s
        calm = self.beside_g < BESIDE_SHARE * NOISY_RMS_G
        if calm or lasted_s > SWINGS_S or self._health.active is not None:
            self._health.noise(now_s, rms_g, lasted_s)
