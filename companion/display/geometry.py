"""Where the points of the ring and of the balance lie: shared by layout and painting.

It never paints.
"""

import math
from functools import cache
from typing import TypeAlias

from companion.display.scene import Box

Point: TypeAlias = tuple[float, float]


def ring_point(box: Box, angle: float) -> Point:
    """A point of a rounded ring filling the box; 0 is at the foot, growing clockwise.

    The narrower the box, the fuller its corners, since seats need them there.
    """
    power = 0.62 if box.w > 2 * box.h else 0.4
    x, y = -math.sin(angle), math.cos(angle)
    x = math.copysign(abs(x) ** power, x)
    y = math.copysign(abs(y) ** power, y)
    return box.cx + x * box.w / 2, box.cy + y * box.h / 2


HALF_RING = 360
"""Steps of a ring from its foot to its top."""


@cache
def ring_angles(seats: int, track: Box, chip: tuple[float, float]) -> tuple[float, ...]:
    """The angles of so many seats, as far apart as they can be, alike on both sides.

    How far apart two seats are is the wider of the gaps between them, across or down, in seats:
    from 1 on they do not overlap.
    """
    points = [ring_point(track, math.pi * step / HALF_RING) for step in range(HALF_RING + 1)]
    left = (seats - 1) // 2

    def apart(one: Point, other: Point) -> float:
        return max(abs(one[0] - other[0]) / chip[0], abs(one[1] - other[1]) / chip[1])

    def seated(gap: float) -> list[int] | None:
        """The steps of the seats on the left, that far apart; None if there is no room."""
        places = [0]
        for step, point in enumerate(points):
            if len(places) <= left and apart(points[places[-1]], point) >= gap:
                places.append(step)
        last = points[places[-1]]
        opposite = points[-1] if seats % 2 == 0 else (2 * track.cx - last[0], last[1])
        there = len(places) == left + 1 and apart(last, opposite) >= gap
        return places if there else None

    least, most = 0.0, track.w / chip[0] + track.h / chip[1] + 1.0
    for _ in range(24):
        gap = (least + most) / 2
        least, most = (gap, most) if seated(gap) else (least, gap)
    side = [math.pi * step / HALF_RING for step in (seated(least) or [0])]
    top = [math.pi] if seats % 2 == 0 else []
    return (*side, *top, *(2 * math.pi - angle for angle in reversed(side[1:])))


def ring_gaps(seats: int, track: Box, chip: tuple[float, float]) -> tuple[float, ...]:
    """The angles half-way between the seats."""
    angles = ring_angles(seats, track, chip)
    after = (*angles[1:], 2 * math.pi)
    return tuple((one + other) / 2 for one, other in zip(angles, after, strict=True))


CARD_SHAPE = 0.72
"""A drawn card's width by its height: a real one has 0.64, and less room for signs."""


def card_in(box: Box) -> Box:
    """The largest card in the middle of a box."""
    tall = min(box.h, box.w / CARD_SHAPE)
    return box.middle(tall * CARD_SHAPE, tall)


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


BEAM_RISE = 0.22
"""Where the beam turns, as a share of its picture's height from below."""


LEAN_MOST = 7.0
"""Degrees that the drawn beam leans while nothing tips."""


def beam_ends(box: Box, lean: float) -> tuple[Point, Point]:
    """The left and right end of a beam that fills the box, leaning by degrees."""
    pivot = (box.cx, box.bottom - box.h * BEAM_RISE)
    turn = math.radians(lean)
    dx, dy = math.cos(turn) * box.w / 2, math.sin(turn) * box.w / 2
    return (pivot[0] - dx, pivot[1] - dy), (pivot[0] + dx, pivot[1] + dy)
