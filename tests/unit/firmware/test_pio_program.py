"""The firmware's PIO program, run in an emulator of the state machine against the chip model."""

import random
from collections import deque
from dataclasses import dataclass, field, replace

import pytest
from pioemu import State, emulate

from companion.units import COUNTS_MAX, COUNTS_MIN
from hardware.firmware import firmware_folder
from sim.hx711 import ChipFault, Gain, Hx711
from tests.unit.firmware.pio import Program, load_reader

DOUT, SCK = 0, 1
IRQ = 0xC000
NOP = 0xA042

READER = load_reader(firmware_folder())
PROGRAM: Program = READER.clock_word
CYCLE_S = 1 / READER.PIO_HZ


@dataclass
class Machine:
    """One state machine and one chip; a cycle is a cycle."""

    chip: Hx711
    pulses: list[tuple[int, int]] = field(default_factory=list)
    """When SCK rose and fell, in cycles."""

    def run(self, words: int, most_cycles: int = 200_000) -> list[int]:
        """The next words, each 24 bits and the one after them."""
        # The emulator knows no interrupts: a NOP takes the place of the one that tells the
        # processor, and as many cycles.
        opcodes = [
            NOP | opcode & 0x1F00 if opcode & 0xE000 == IRQ else opcode
            for opcode in PROGRAM.opcodes
        ]
        state = State(pin_directions=1 << SCK, receive_fifo=deque())
        begun = state.clock
        got: list[int] = []
        rose = 0
        while len(got) < words:
            steps = emulate(
                opcodes,
                stop_when=lambda _, now: (
                    len(now.receive_fifo) > 0 or now.clock - begun > most_cycles
                ),
                initial_state=state,
                input_source=self._dout,
                shift_isr_right=False,
                side_set_base=SCK,
                side_set_count=1,
                wrap_target=PROGRAM.wrap_target,
                wrap_top=PROGRAM.wrap,
            )
            for before, state in steps:
                sck, was = (value.pin_values >> SCK & 1 for value in (state, before))
                if sck and not was:
                    rose = before.clock
                elif was and not sck:
                    self.pulses.append((rose, before.clock))
            if not state.receive_fifo:
                break
            got.append(state.receive_fifo[0])
            state = replace(state, receive_fifo=deque())
        return got

    def _dout(self, state: State) -> int:
        now_s = state.clock * CYCLE_S
        self.chip.clock(bool(state.pin_values >> SCK & 1), now_s)
        level = self.chip.dout(now_s)
        return (1 if level is None else int(level)) << DOUT


def signed(word: int) -> int:
    counts = word >> 1
    return counts - (1 << 24) if counts & 0x800000 else counts


@pytest.fixture
def values() -> list[int]:
    return [0]


def machine(values: list[int]) -> Machine:
    # Faster than any real chip, so that the machine is not only seen waiting.
    return Machine(Hx711(lambda _: values[0], rate_hz=5_000.0))


def test_a_word_is_24_bits_most_significant_first_and_a_one(values: list[int]) -> None:
    rng = random.Random(3)
    counts = [
        COUNTS_MIN + 1,
        -1,
        0,
        1,
        COUNTS_MAX - 1,
        *(rng.randrange(-(2**23), 2**23) for _ in range(5)),
    ]
    for value in counts:
        values[0] = value
        word = machine(values).run(6)[-1]  # the first four settle
        assert word & 1 == 1
        assert signed(word) == value


def test_25_pulses_a_word_keep_channel_a_at_gain_128(values: list[int]) -> None:
    unit = machine(values)
    unit.run(3)
    assert len(unit.pulses) == 3 * 25
    assert unit.chip.gain is Gain.A128


def test_the_clock_is_high_for_one_to_two_microseconds(values: list[int]) -> None:
    """Data sheet: T3 0.2 to 50 µs, T4 at least 0.2 µs; over 60 µs the chip switches off."""
    unit = machine(values)
    unit.run(3)
    high = {(fell - rose) * CYCLE_S for rose, fell in unit.pulses}
    low = [
        (rose - fell) * CYCLE_S
        for (_, fell), (rose, _) in zip(unit.pulses, unit.pulses[1:], strict=False)
    ]
    assert min(high) >= 1e-6
    assert max(high) <= 2e-6
    assert min(low) >= 1e-6


def test_it_waits_for_a_chip_that_is_not_ready(values: list[int]) -> None:
    unit = machine(values)
    unit.chip.set_fault(ChipFault.UNPLUGGED, 0.0)
    assert unit.run(1, most_cycles=20_000) == []
    assert unit.pulses == []


def test_a_line_stuck_low_gives_one_word_with_a_wrong_end_and_then_silence(
    values: list[int],
) -> None:
    unit = machine(values)
    unit.chip.set_fault(ChipFault.DOUT_LOW, 0.0)
    words = unit.run(2, most_cycles=20_000)
    assert len(words) == 1
    assert words[0] & 1 == 0


def test_the_program_fits_beside_a_second_one_and_needs_one_side_pin() -> None:
    assert len(PROGRAM.opcodes) <= 16
    assert PROGRAM.wrap == len(PROGRAM.opcodes) - 1
    assert PROGRAM.wrap_target == 0
