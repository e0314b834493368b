"""What chips and wires do to a cell's words: each makes a change that a stage applies in its order.

It never knows what lies on the scale.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tests.tables.odd.stage import Words

Mask = NDArray[np.bool_]
Spoil = Callable[[Words], Words]


def _during(begin: float, end: float, change: Callable[[Words, Mask], None]) -> Spoil:
    def spoil(words: Words) -> Words:
        change(words, (words.t >= begin) & (words.t < end))
        return words

    return spoil


def constant(begin: float, end: float, value: int) -> Spoil:
    def change(words: Words, where: Mask) -> None:
        words.counts[where] = value

    return _during(begin, end, change)


def frozen(begin: float, end: float) -> Spoil:
    """The last value before `begin` is repeated."""

    def change(words: Words, where: Mask) -> None:
        words.counts[where] = words.counts[max(0, int(np.searchsorted(words.t, begin)) - 1)]

    return _during(begin, end, change)


def silent(begin: float, end: float) -> Spoil:
    def spoil(words: Words) -> Words:
        keep = (words.t < begin) | (words.t >= end)
        return Words(words.t[keep], words.counts[keep])

    return spoil


def restart(rng: np.random.Generator, at: float, hole: float, gram: float) -> Spoil:
    """The chip restarts at `at`: a hole, then four conversions that have not settled."""

    def spoil(words: Words) -> Words:
        keep = (words.t < at) | (words.t >= at + hole)
        t, counts = words.t[keep], words.counts[keep]
        first = int(np.searchsorted(t, at + hole))
        off = np.array([0.6, 0.5, 0.4, 0.2]) * rng.uniform(0.6, 1.0) * gram * rng.choice([-1, 1])
        off = off[: max(0, len(counts) - first)]
        counts[first : first + 4] += off.astype(np.int64)
        return Words(t, counts)

    return spoil


def spikes(rng: np.random.Generator, share: float, begin: float = 0.0, end: float = 1e9) -> Spoil:
    """Words whose clock was stretched: from some bit on they read as ones."""

    def spoil(words: Words) -> Words:
        hit = (rng.random(len(words.t)) < share) & (words.t >= begin) & (words.t < end)
        for i in np.flatnonzero(hit):
            ones = (1 << int(rng.integers(14, 24))) - 1
            word = (int(words.counts[i]) & 0xFFFFFF) | ones
            words.counts[i] = word - (1 << 24) if word & 0x800000 else word
        return words

    return spoil


def outliers(rng: np.random.Generator, share: float) -> Spoil:
    def spoil(words: Words) -> Words:
        hit = np.flatnonzero(rng.random(len(words.t)) < share)
        words.counts[hit] += rng.integers(3_000, 2_000_000, len(hit)) * rng.choice(
            [-1, 1], len(hit)
        )
        words.counts[hit] = np.clip(words.counts[hit], -(2**23), 2**23 - 1)
        return words

    return spoil


def too_fast(rng: np.random.Generator, begin: float, end: float, rate: float) -> Spoil:
    """The wire hangs loose and the chip seems always ready: zeros, ones and rubbish, too often."""

    def spoil(words: Words) -> Words:
        keep = (words.t < begin) | (words.t >= end)
        t = np.arange(begin, end, 1 / rate)
        rubbish = rng.integers(-(2**23), 2**23, len(t))
        rubbish[rng.random(len(t)) < 0.4] = 0
        rubbish[rng.random(len(t)) < 0.3] = -1
        times = np.concatenate((words.t[keep], t))
        counts = np.concatenate((words.counts[keep], rubbish))
        order = np.argsort(times, kind="stable")
        return Words(times[order], counts[order])

    return spoil


def noisy(rng: np.random.Generator, begin: float, end: float, counts_rms: float) -> Spoil:
    def change(words: Words, where: Mask) -> None:
        words.counts[where] += rng.normal(0, counts_rms, int(where.sum())).astype(np.int64)

    return _during(begin, end, change)
