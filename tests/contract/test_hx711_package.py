"""The unmodified hx711 package reads the chip model as it reads a chip."""

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from companion.units import COUNTS_MAX, COUNTS_MIN
from sim.hx711 import ChipFault, Gain, Hx711
from sim.pins import PinBank, VirtualTime, installed

DOUT, SCK = 5, 6


class Rig:
    """One chip that converts whatever `counts` says."""

    def __init__(self) -> None:
        self.counts = 0
        self.time = VirtualTime()
        self.bank = PinBank(self.time)
        self.chip = Hx711(lambda _: self.counts, rate_hz=80.0)
        self.bank.connect(self.chip, dout=DOUT, sck=SCK)

    def reader(self, **options: Any) -> Any:
        return import_module("hx711").HX711(DOUT, SCK, **options)

    def read(self, reader: Any, counts: int) -> Any:
        """The package's reading of a conversion that began and ended at these counts."""
        self.counts = counts
        self.time.sleep(1.0)
        reader._read()
        while not self.chip.ready(self.time.mono()):
            self.time.sleep(0.0005)
        return reader._read()


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    with installed(rig.bank):
        yield rig


def test_it_reads_every_count_of_the_range_exactly(rig: Rig) -> None:
    reader = rig.reader(gain=128)
    rng = random.Random(5)
    edges = [COUNTS_MIN + 1, -1, 0, 1, COUNTS_MAX - 1]
    powers = [sign * 2**bit + step for bit in range(1, 23) for sign in (1, -1) for step in (-1, 0)]
    for counts in edges + powers + [rng.randrange(COUNTS_MIN + 1, COUNTS_MAX) for _ in range(300)]:
        assert rig.read(reader, counts) == counts


@pytest.mark.parametrize("counts", [COUNTS_MIN, COUNTS_MAX, COUNTS_MIN - 5_000, COUNTS_MAX + 5_000])
def test_a_saturated_chip_reads_as_the_packages_false(rig: Rig, counts: int) -> None:
    assert rig.read(rig.reader(gain=128), counts) is False


@pytest.mark.parametrize(
    ("options", "gain"),
    [
        ({"gain": 128}, Gain.A128),
        ({"gain": 64}, Gain.A64),
        ({"gain": 128, "channel": "B"}, Gain.B32),
    ],
)
def test_the_pulses_after_the_word_choose_the_next_gain(
    rig: Rig, options: dict[str, Any], gain: Gain
) -> None:
    reader = rig.reader(**options)
    rig.time.sleep(1.0)
    reader._read()
    assert rig.chip.gain is gain


def test_gain_64_reads_half_of_gain_128(rig: Rig) -> None:
    assert rig.read(rig.reader(gain=64), 100_000) == 50_000


def test_its_pulses_stay_far_under_the_limit_of_the_data_sheet(rig: Rig) -> None:
    reader = rig.reader(gain=128)
    rig.read(reader, 1234)
    assert rig.chip.longest_high_s < 50e-6


def test_its_reset_switches_the_chip_off_and_on(rig: Rig) -> None:
    reader = rig.reader(gain=128)
    rig.counts = 4321
    rig.time.sleep(1.0)
    assert reader.reset() is True
    rig.time.sleep(0.1)
    assert reader.get_raw_data(3) == [4321, 4321, 4321]


def test_its_first_reading_of_an_absent_chip_ends_after_forty_looks(rig: Rig) -> None:
    """With a pull-up; what waits for ever in the package is `get_raw_data`, which we never call."""
    reader = rig.reader(gain=128)
    import_module("RPi.GPIO").setup(DOUT, 1, pull_up_down=22)
    rig.chip.set_fault(ChipFault.UNPLUGGED, rig.time.mono())
    assert reader._read() is False
