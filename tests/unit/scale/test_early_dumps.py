"""A scale with few cards that loses them at once, and soon holds as many again."""

import math
from random import Random

import pytest

from companion.events import Level, Spill, Tip, Wobble
from companion.units import Tray
from tests.unit.scale.kit import CARD_G, eased, judged, past, rows, step, tilted, together

FELL_S = 4.0
LYING_S = 6.7
RIGHTED_S = 7.5


@pytest.mark.parametrize("sps", [10, 80])
@pytest.mark.parametrize("left", [1, 2, 3])
@pytest.mark.parametrize("degrees", [18.0, 24.0])
def test_a_tray_that_is_emptied_as_the_beam_falls_is_a_spill_however_little_lay_in_it(
    left: int, degrees: float, sps: int
) -> None:
    """The beam's angle and cards in the other tray cannot explain it away."""
    for seed in range(4):
        random = Random(seed)
        angle = eased((FELL_S, 0.0), (FELL_S + 0.3, degrees), (LYING_S, degrees), (RIGHTED_S, 0.0))
        falling = [step(FELL_S + 0.28 + 0.1 * card, -CARD_G, 0.02) for card in range(left)]
        back = [step(RIGHTED_S + 1.0 + 0.3 * card, CARD_G) for card in range(left)]

        def shaken(t: float, random: Random = random) -> float:
            """Hands and falling cards."""
            hit = FELL_S < t < FELL_S + 0.5
            return (
                random.gauss(0, 0.5)
                if hit
                else 10 * math.sin(40 * t) ** 2 * (LYING_S < t < RIGHTED_S + 2.5)
            )

        loads = (
            together(lambda _: left * CARD_G, *falling, *back, shaken),
            together(lambda _: CARD_G, shaken),
        )
        held, other = (tilted(load, angle) for load in loads)
        samples = rows(held, other, 14, sps=sps, seed=seed, tilt=past(angle, 10.0))
        events = [e for e in judged(samples) if isinstance(e, Tip | Spill | Wobble | Level)]
        assert [type(event) for event in events[:2]] == [Tip, Spill], (seed, events)
        spill = events[1]
        assert isinstance(spill, Spill)
        assert Tray.LEFT in spill.trays
        assert spill.decided_s < LYING_S
