"""The chip's model against its data sheet, whose figures stand here by themselves."""

import pytest

from sim.hx711 import Hx711

WARM_S = 2.0
"""Past the settling of a chip at 10 samples a second, and past its first words, which are off."""


def read(chip: Hx711, at_s: float, *, pulses: int = 25, high_s: float = 1e-6) -> tuple[int, float]:
    """A word clocked out as the sheet draws it, most significant bit first; and when it ended."""
    word = 0
    for pulse in range(pulses):
        chip.clock(True, at_s)
        if pulse < 24:
            word = word << 1 | bool(chip.dout(at_s))
        at_s += high_s
        chip.clock(False, at_s)
        at_s += 1e-6
    return word - (1 << 24) * (word >> 23), at_s


@pytest.mark.parametrize("counts", [0, 1, -1, 83_211, -40_122, 2**23 - 1, -(2**23)])
def test_a_word_is_twos_complement_and_then_the_line_is_high_until_the_next(counts: int) -> None:
    chip = Hx711(lambda _: counts, rate_hz=10.0)
    assert not chip.dout(WARM_S)
    word, ended_s = read(chip, WARM_S)
    assert word == counts
    assert chip.dout(ended_s)
    assert not chip.dout(ended_s + 0.1)


@pytest.mark.parametrize(("rate_hz", "settling_s"), [(10.0, 0.4), (80.0, 0.05)])
def test_after_power_up_it_settles_for_400_or_50_ms(rate_hz: float, settling_s: float) -> None:
    """Nothing can be read before that (data sheet, "Output settling time")."""
    chip = Hx711(lambda _: 5_000, rate_hz=rate_hz)
    assert chip.dout(0.99 * settling_s)
    assert not chip.dout(1.01 * settling_s)


@pytest.mark.parametrize(("high_s", "off"), [(59e-6, False), (61e-6, True)])
def test_a_clock_that_is_high_for_over_60_us_switches_it_off(high_s: float, off: bool) -> None:
    """Data sheet, "Reset and Power-Down"."""
    chip = Hx711(lambda _: 5_000, rate_hz=10.0)
    chip.clock(True, 2.0)
    chip.clock(False, 2.0 + high_s)
    # It starts afresh when the clock falls: the next conversion is a new one, and not settled.
    assert bool(chip.dout(2.0 + high_s + 0.001)) is off
