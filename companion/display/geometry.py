"""Where the points of the ring and of the balance lie: shared by layout and painting.

It never paints.
"""

import itertools
import math
from bisect import bisect_left
from functools import cache
from typing import TypeAlias

from companion.display.scene import Box

Point: TypeAlias = tuple[float, float]


def ring_point(box: Box, angle: float) -> Point:
    """A point of a rounded ring filling the box; 0 is at the foot, growing clockwise."""
    power = 0.62
    x, y = -math.sin(angle), math.cos(angle)
    x = math.copysign(abs(x) ** power, x)
    y = math.copysign(abs(y) ** power, y)
    return box.cx + x * box.w / 2, box.cy + y * box.h / 2


@cache
def ring_angles(
    seats: int, track: Box, chip: tuple[float, float], shift: float = 0.0
) -> tuple[float, ...]:
    """The angles of so many seats, evenly by the room that a seat needs there.

    With ``shift`` 0.5 the angles between them.
    """
    steps = 720
    angles = [2 * math.pi * step / steps for step in range(steps + 1)]
    points = [ring_point(track, angle) for angle in angles]
    walked = [0.0]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        walked.append(walked[-1] + math.hypot((x1 - x0) / chip[0], (y1 - y0) / chip[1]))
    goals = [walked[-1] * (k + shift) / seats for k in range(seats)]
    return tuple(angles[bisect_left(walked, goal)] for goal in goals)


STACK_STEP = 3.0
STACK_MOST = 6


def stack_height(cards: int) -> float:
    """How high the edges of the cards below a top card stand over the tray's floor."""
    return STACK_STEP * min(max(0, cards - 1), STACK_MOST)


def turned(box: Box, degrees: float) -> list[Point]:
    """The corners of a box turned about its centre."""
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    return [
        (
            box.cx + (x - box.cx) * cos - (y - box.cy) * sin,
            box.cy + (x - box.cx) * sin + (y - box.cy) * cos,
        )
        for x, y in corners
    ]


BEAM_RISE = 0.28
"""Where the beam turns, as a share of its picture's height from below."""


def beam_ends(box: Box, lean: float) -> tuple[Point, Point]:
    """The left and right end of a beam that fills the box, leaning by degrees."""
    pivot = (box.cx, box.bottom - box.h * BEAM_RISE)
    turn = math.radians(lean)
    dx, dy = math.cos(turn) * box.w / 2, math.sin(turn) * box.w / 2
    return (pivot[0] - dx, pivot[1] - dy), (pivot[0] + dx, pivot[1] + dy)
