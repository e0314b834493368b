"""What a block of a resting cell's readings says: its level and its spread, whatever lies far off.

It never knows what came before the block or what it means.
"""

import math


def level(ordered: list[int]) -> float:
    """The mean without an eighth at each end: a few words that are wrong do not move it."""
    count = len(ordered)
    trim = count // 8 or 1
    kept = ordered[trim : count - trim]
    return sum(kept) / len(kept)


def spread_g(ordered: list[int], mean: float, counts_per_gram: float) -> float:
    """The deviation of a single reading from `mean`, grams, without a twelfth at each end."""
    count = len(ordered)
    trim = count // 12  # a block of a slow cell is too short to lose its ends
    inner = ordered[trim : count - trim] if trim else ordered
    deviation = math.dist(inner, [mean] * len(inner)) / math.sqrt(max(1, len(inner) - 1))
    # What trimming a twelfth at each end takes from a normal distribution's spread.
    return deviation / abs(counts_per_gram) * (1.35 if trim else 1.0)
