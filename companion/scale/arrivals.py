"""When the cards that rest in a tray were put there, and whether they came one after the other.

It never counts what came.
"""

import math
from itertools import accumulate
from statistics import fmean
from typing import NamedTuple

from companion.scale.motion import GAP_PERIODS, Flat, reading_at
from companion.scale.signal import SETTLING_CONVERSIONS
from companion.scale.trays import TrayCards

HAND_CARDS = 1.0
"""A hand weighs at least a card more than the cards that it leaves."""
SWINGS_S = 1.5
"""For so long after a hand has gone a beam swings far, twice or thrice."""
SWUNG_S = 0.15
"""Lighter for so much longer than heavier, a quarter of a swing: it has swung without a card."""
HALF_AGAIN = 1.5
"""A swing dies down: half as much again as a card and all that it once took is a hand."""
PRESSED_CARDS = 0.5
"""A quick hand presses for so short that a slow cell shows no more of it."""
WHOLE_CARDS = 0.15
"""Closer to a whole number two readings in a row are no chance on the way of a hand."""
NEAR_CARDS = 0.35
"""The same of a beam that still swings, if the mean is as close and it lasts."""
LATEST = 3
"""A tray whose last readings so far are what it weighed before has swung, and got no card."""
STILL_S, SETTLED_S, SWINGING_S = 0.06, 0.15, 0.25
"""A slow cell shows two readings of the rest between two hands that leave 0.6 s apart: its
filter blurs the others."""


class Arrival(NamedTuple):
    """Cards that a hand put down at once."""

    began_s: float
    cards: int


class Rest(NamedTuple):
    """Readings, from `start` until before `end`, in which so many cards lay by themselves."""

    cards: int
    start: int
    end: int


def arrivals(
    tray: TrayCards, flat: Flat, change: int, left_over_g: float, beside: TrayCards
) -> list[Arrival]:
    """The hands that brought `change` cards, in order of time.

    The tray `beside` shows how the beam swung meanwhile.
    """
    began_s = _first_contact_s(tray, flat, change, left_over_g)
    if change > 0:
        began_s = _past_swing_s(tray, flat, beside, began_s)
    if change < 2:
        return [Arrival(began_s, change)]
    readings = tray.cell.readings_between(began_s, flat.since_s)
    swung = _swung(beside, began_s, flat.since_s)
    lying = [
        (at_s, (away_g + tray.gross_g * reading_at(swung, at_s)) / tray.card_g)
        for at_s, away_g in readings
    ]
    rests = _rests_between(lying, change, left_over_g / tray.card_g)
    found: list[Arrival] = []
    before, until = 0, 0
    for rest in [*rests, Rest(change, len(lying), len(lying))]:
        if until:
            came = _came(lying[until - 1 : rest.start], before) + until - 1
            began_s = _past_gap_s(tray, lying, came)
        found.append(Arrival(began_s, rest.cards - before))
        before, until = rest.cards, rest.end
    return found


def _came(lying: list[tuple[float, float]], before: int) -> int:
    """Which of these readings is the first of a hand that came to so many cards.

    It comes before the last press; where nobody presses, what came weighs more and more.
    """
    pressed = [i for i, (_, cards) in enumerate(lying) if cards > before + 1 + PRESSED_CARDS]
    i = pressed[-1] if pressed else len(lying) - 1
    while i > 0 and lying[i][1] > before + NEAR_CARDS:
        i -= 1
    return i


def _past_gap_s(tray: TrayCards, lying: list[tuple[float, float]], came: int) -> float:
    """When that reading was taken, or the first one that came after a gap behind it: the next four
    were dropped."""
    period_s = tray.cell.cadence.period_s
    at_s = lying[came][0]
    heard_s = lying[min(came + 1, len(lying) - 1)][0]
    if heard_s - at_s <= GAP_PERIODS * period_s:
        return at_s
    return max(heard_s - SETTLING_CONVERSIONS * period_s, at_s)


def _swung(beside: TrayCards, begin_s: float, end_s: float) -> list[tuple[float, float]]:
    """What a swinging beam added to this tray's weight, as a share of it: it takes as much from the
    other tray's, if nothing came or went there."""
    still = [(begin_s, 0.0)]
    if not beside.sighted:
        return still
    readings = beside.cell.last_motion(begin_s, math.inf)
    newest = [away_g for _, away_g in readings[-LATEST:]]
    if not newest or abs(fmean(newest)) > NEAR_CARDS * beside.card_g:
        return still
    return still + [(at_s, away_g / beside.gross_g) for at_s, away_g in readings if at_s < end_s]


def _first_contact_s(tray: TrayCards, flat: Flat, change: int, left_over_g: float) -> float:
    """When the hand came that brought these cards.

    A beam that swings after a press may bring the tray back to what it weighed before: where no
    hand came after that, the one before it is the one.
    """
    cell = tray.cell
    began_s = tray.first_touch_s(change, left_over_g)
    if change < 0 or cell.base is None:
        return began_s
    hand_g = flat.level_g - cell.base.at(flat.until_s) + HAND_CARDS * tray.card_g
    pressed_s = cell.last_pressed_s(hand_g)
    if pressed_s is None or not began_s - SWINGS_S < pressed_s < began_s:
        return began_s
    return cell.left_base_s(pressed_s)


def _past_swing_s(tray: TrayCards, flat: Flat, beside: TrayCards, began_s: float) -> float:
    """When the hand came to a tray that already swung, because of one that came to the tray
    `beside`.

    It came before its last push, or else where the tray was lighter than half a card as often as
    not before, and seldom after. A swing that it has caused itself began with it, in this tray.
    """
    motion = beside.cell.last_motion(-math.inf, math.inf)
    first_s = began_s - SWUNG_S - tray.cell.cadence.period_s
    if not motion or motion[0][0] > first_s or motion[-1][0] < began_s:
        return began_s
    readings = tray.cell.readings_between(began_s, flat.since_s)
    lighter = [1 if away_g < tray.card_g / 2 else -1 for _, away_g in readings]
    swing_g = -min((away_g for _, away_g in readings), default=0.0)
    if swing_g < tray.card_g / 2:
        return began_s
    most_g = HALF_AGAIN * (tray.card_g + swing_g)
    pushed = [i for i, (_, away_g) in enumerate(readings) if away_g > most_g]
    if pushed:
        return next((readings[i][0] for i in range(pushed[-1], -1, -1) if lighter[i] > 0), began_s)
    swung = list(accumulate(lighter))
    most = max(swung)
    enough = most * tray.cell.cadence.period_s > SWUNG_S
    return readings[swung.index(most)][0] if enough else began_s


def _rests_between(lying: list[tuple[float, float]], change: int, over: float) -> list[Rest]:
    """Where fewer cards lay by themselves before `change` did, `over` being left over in the end.

    A hand may come to them without a card: it is the last rest of so many cards that counts.
    """
    rests: list[Rest] = []
    for rest in sorted(_all_rests(lying, change, over), key=lambda rest: (rest.start, rest.cards)):
        if rests and rest.cards == rests[-1].cards:
            rests[-1] = rest
        elif not rests or rest.cards > rests[-1].cards:
            rests.append(rest)
    return [rest for rest in rests if rest.cards < change]


def _all_rests(lying: list[tuple[float, float]], change: int, over: float) -> list[Rest]:
    """Where any number of cards up to `change` lay by themselves, until something came.

    One pass for all numbers: it is asked for at every look while a pile waits to be believed.
    """
    found: list[Rest] = []
    began: dict[int, tuple[int, bool]] = {}
    most = -math.inf
    for i, (_, cards) in enumerate(lying):
        for whole in [whole for whole in began if not _near(cards, whole, over)]:
            start, pressed = began.pop(whole)
            off = [(at_s, _off(each - whole, over)) for at_s, each in lying[start:i]]
            if _rests(off, pressed=pressed):
                found.append(Rest(whole, start, i))
        fewest = max(1, math.floor(cards - NEAR_CARDS - max(over, 0.0)))
        for whole in range(fewest, min(change, math.ceil(cards + NEAR_CARDS - min(over, 0.0))) + 1):
            if whole not in began and _near(cards, whole, over):
                began[whole] = i, _off(most - whole, over) > PRESSED_CARDS
        most = max(most, cards)
    return found


def _near(cards: float, whole: int, over: float) -> bool:
    return abs(_off(cards - whole, over)) < NEAR_CARDS


def _off(cards: float, over: float) -> float:
    """How far from whole cards, where `over` is left over in the end: it came first, or last."""
    return cards - min(max(cards, min(over, 0.0)), max(over, 0.0))


def _rests(off: list[tuple[float, float]], *, pressed: bool) -> bool:
    """True if so many cards rest there, still or on a beam that swings.

    Where no hand `pressed` before it may be one that has only begun to: that holds for longer.
    """
    mean = fmean(cards for _, cards in off)
    if pressed and off[-1][0] - off[0][0] > SWINGING_S and abs(mean) < WHOLE_CARDS:
        return True
    still_s = STILL_S if pressed else SETTLED_S
    since = 0
    for i, (at_s, cards) in enumerate(off):
        if abs(cards) > WHOLE_CARDS:
            since = i + 1
        elif at_s - off[since][0] > still_s:
            return True
    return False
