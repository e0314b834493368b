"""When the cards that rest in a tray were put there, and whether they came one after the other.

It never counts what came, and never looks at the other tray.
"""

from typing import NamedTuple

from companion.scale.motion import Flat
from companion.scale.trays import TrayCards

HAND_CARDS = 1.0
"""A hand weighs at least a card more than the cards that it leaves."""
SWINGS_S = 1.5
"""For so long after a hand has gone a beam swings far, twice or thrice."""
PRESSED_CARDS = 0.5
"""A quick hand presses for so short that a slow cell shows no more of it."""
WHOLE_CARDS = 0.15
"""Closer to a whole number two readings in a row are no chance on the way of a hand."""
NEAR_CARDS = 0.35
"""The same of a beam that still swings, if the mean is as close and it lasts."""
STILL_S, SETTLED_S, SWINGING_S = 0.06, 0.15, 0.25
"""A slow cell shows two readings of the rest between two hands that leave 0.6 s apart: its
filter blurs the others."""


class Arrival(NamedTuple):
    """Cards that a hand put down at once."""

    began_s: float
    cards: int


def arrivals(tray: TrayCards, flat: Flat, change: int, left_over_g: float) -> list[Arrival]:
    """The hands that brought `change` cards, in order of time."""
    began_s = _first_contact_s(tray, flat, change, left_over_g)
    if change < 2:
        return [Arrival(began_s, change)]
    readings = tray.cell.readings_between(began_s, flat.since_s)
    lying = [(at_s, away_g / tray.card_g) for at_s, away_g in readings]
    found: list[Arrival] = []
    before = first = 0
    for whole in range(1, change):
        rest = _rest_between(lying, first, whole)
        if rest is None:
            continue
        first = rest[1]
        found.append(Arrival(began_s, whole - before))
        began_s, before = lying[first - 1][0], whole
    return [*found, Arrival(began_s, change - before)]


def _first_contact_s(tray: TrayCards, flat: Flat, change: int, left_over_g: float) -> float:
    """When the hand came that brought these cards.

    A beam that swings after a press may bring the tray back to what it weighed before: where no
    hand came after that, the one before it is the one.
    """
    cell = tray.cell
    began_s = tray.first_touch_s(change, left_over_g)
    if change <= 0 or cell.base is None:
        return began_s
    hand_g = flat.level_g - cell.base.at(flat.until_s) + HAND_CARDS * tray.card_g
    pressed_s = cell.last_pressed_s(hand_g)
    if pressed_s is None or not began_s - SWINGS_S < pressed_s < began_s:
        return began_s
    return cell.left_base_s(pressed_s)


def _rest_between(
    lying: list[tuple[float, float]], first: int, whole: int
) -> tuple[int, int] | None:
    """The first and one past the last of the readings in which `whole` cards lay by themselves.

    `lying` are moments and cards; it is looked for from `first` on, and something came after it.
    """
    start = None
    for i in range(first, len(lying)):
        if abs(lying[i][1] - whole) < NEAR_CARDS:
            start = i if start is None else start
        elif start is not None:
            pressed = any(cards > whole + PRESSED_CARDS for _, cards in lying[:start])
            if _rests(lying[start:i], whole, pressed=pressed):
                return start, i
            start = None
    return None


def _rests(lying: list[tuple[float, float]], whole: int, *, pressed: bool) -> bool:
    """True if so many cards rest there, still or on a beam that swings.

    Where no hand `pressed` before it may be one that has only begun to: that holds for longer.
    """
    mean = sum(cards for _, cards in lying) / len(lying)
    if pressed and lying[-1][0] - lying[0][0] > SWINGING_S and abs(mean - whole) < WHOLE_CARDS:
        return True
    still_s = STILL_S if pressed else SETTLED_S
    since = 0
    for i, (at_s, cards) in enumerate(lying):
        if abs(cards - whole) > WHOLE_CARDS:
            since = i + 1
        elif at_s - lying[since][0] > still_s:
            return True
    return False
