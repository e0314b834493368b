"""A scale that stands: what its lean and its drift do to the weights is no card."""

import math

import pytest

from companion.events import Level, Placed, Tip
from companion.scale.calibration import Calibration
from companion.units import Tray
from tests.unit.scale.kit import (
    CARD_G,
    Signal,
    calibration,
    eased,
    judged,
    past,
    ramp,
    rows,
    step,
    tilted,
    together,
)

LOPSIDED = [-1] * 7 + [1, -1] * 5
TO_AND_FRO = [1, -1, 1, -1, 1, 1, 1, 1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1]
FIRST_S, EVERY_S = 4.0, 2.5
GIVES_WAY_S = 1.5


def leaning(sides: list[int]) -> Signal:
    """Degrees of a toy beam on which cards are put one after the other, 1 right and -1 left.

    Two degrees a card, most of it at once, the rest as the plastic gives.
    """

    def degrees(t: float) -> float:
        lean = 0.0
        for number, side in enumerate(sides):
            since_s = t - FIRST_S - EVERY_S * number
            if since_s > 0:
                swung = min(1.0, since_s / 0.3)
                lean += 1.7 * side * (0.8 * swung + 0.2 * (1 - math.exp(-since_s / GIVES_WAY_S)))
        return lean

    return degrees


def dumped(sides: list[int], drift_g_per_s: float) -> tuple[list[Signal], Signal, float]:
    """Cards one by one, then a tip that dumps the left tray; all out, and two a tray put back."""
    tip_s = FIRST_S + EVERY_S * len(sides) + 2.0
    loads: list[Signal] = []
    for side in (-1, 1):
        puts = [FIRST_S + EVERY_S * i for i, where in enumerate(sides) if where == side]
        out_s = tip_s + (1.0 if side < 0 else 6.0)
        loads.append(
            together(
                *(step(at, CARD_G) for at in puts),
                step(out_s, -CARD_G * len(puts), 0.3),
                *(step(tip_s + 9.0 + 4 * (side > 0) + 2 * i, CARD_G) for i in range(2)),
                ramp(2.0, tip_s, side * drift_g_per_s),
            )
        )
    stands, falls = leaning(sides), eased((tip_s, 0.0), (tip_s + 0.35, 30.0), (tip_s + 4, 30.0))
    rights = eased((tip_s + 4, 1.0), (tip_s + 4.6, 0.0))
    angle: Signal = lambda t: (stands(t) + falls(t)) * rights(t)  # noqa: E731 - a signal
    return loads, angle, tip_s + 20.0


@pytest.mark.parametrize(
    ("sides", "sps", "drift_g_per_s"),
    [
        (LOPSIDED, 10, 0.0),
        (LOPSIDED, 10, 0.01),
        (TO_AND_FRO, 10, 0.01),
        (TO_AND_FRO, 10, -0.01),
        (TO_AND_FRO, 80, 0.0),
    ],
)
def test_after_a_dump_the_cards_are_counted_exactly_however_long_it_leaned(
    sides: list[int], sps: int, drift_g_per_s: float
) -> None:
    """Eight cards of imbalance lean it by 14 degrees, and both cells drift apart meanwhile."""
    (left, right), angle, seconds = dumped(sides, drift_g_per_s)
    samples = rows(
        tilted(left, angle), tilted(right, angle), seconds, sps=sps, tilt=past(angle, 18.0)
    )
    events = judged(samples)
    tipped_s = next(event.began_s for event in events if isinstance(event, Tip))
    placed = [e for e in events if isinstance(e, Placed) and e.began_s < tipped_s - 1]
    assert [event.count for event in placed] == [1] * len(sides)
    levels = [(event.left, event.right) for event in events if isinstance(event, Level)]
    assert levels[-1] == (2, 2)


@pytest.mark.parametrize("gain", [0.96, 1.04])
def test_the_weight_of_a_card_is_learned_on_a_beam_that_leans(gain: float) -> None:
    """One cell's gain is off; the lean of the beam is not taken for it."""
    sides = [1] * 6 + [-1, 1] * 6
    (left, right), angle, _ = dumped(sides, 0.0)
    scale: Calibration = calibration()
    samples = rows(
        tilted(lambda t: gain * left(t), angle), tilted(right, angle),
        FIRST_S + EVERY_S * len(sides), sps=10,
    )  # fmt: skip
    placed = [event for event in judged(samples, scale) if isinstance(event, Placed)]
    assert [(event.tray, event.count) for event in placed] == [
        (Tray.LEFT if side < 0 else Tray.RIGHT, 1) for side in sides
    ]
    assert all(event.sure for event in placed)


def test_a_cell_that_runs_away_is_followed_through_a_reset() -> None:
    """0.2 g a second go on while hands are at the scale: after ten seconds more than a card."""
    (left, right), angle, seconds = dumped([-1, 1] * 6 + [-1] * 2, 0.0)
    runs = ramp(2.0, seconds, 0.2)
    moved = tilted(left, angle)
    samples = rows(
        lambda t: moved(t) + runs(t), tilted(right, angle), seconds, sps=80, tilt=past(angle, 18.0)
    )
    levels = [(e.left, e.right) for e in judged(samples) if isinstance(e, Level)]
    assert levels[-1] == (2, 2)


def test_a_beam_that_creeps_before_it_falls_is_no_drift() -> None:
    """Both trays lose the same share for four seconds; after the dump they are counted right."""
    (left, right), stands, seconds = dumped([-1, 1] * 5 + [-1] * 5, 0.0)
    tip_s = seconds - 20.0
    creeps = eased((tip_s - 4.0, 0.0), (tip_s, 6.0), (tip_s + 4, 6.0), (tip_s + 4.6, 0.0))
    angle: Signal = lambda t: stands(t) + (creeps(t) if t < tip_s + 4.6 else 0.0)  # noqa: E731
    samples = rows(
        tilted(left, angle), tilted(right, angle), seconds, sps=80, tilt=past(angle, 18.0)
    )
    levels = [(e.left, e.right) for e in judged(samples) if isinstance(e, Level)]
    assert levels[-1] == (2, 2)


@pytest.mark.parametrize("sps", [10, 80])
def test_a_drift_that_turns_while_a_stiff_toy_leans_is_no_lean(sps: int) -> None:
    """A cell that has warmed up cools: three grams up, then down, under ten cards of imbalance."""
    sides = [1, -1] * 5 + [-1] * 10
    (left, right), _, seconds = dumped(sides, 0.0)
    falls_s = seconds - 20.0
    angle = eased((falls_s, 0.0), (falls_s + 0.35, 30.0), (falls_s + 4, 30.0), (falls_s + 4.6, 0.0))
    warms = together(ramp(2.0, 30.0, 0.06), ramp(30.0, seconds, -0.05))
    moved = tilted(left, angle)
    samples = rows(
        lambda t: moved(t) + warms(t), tilted(right, angle), seconds, sps=sps,
        tilt=past(angle, 18.0),
    )  # fmt: skip
    levels = [(e.left, e.right) for e in judged(samples) if isinstance(e, Level)]
    assert levels[-1] == (2, 2)
