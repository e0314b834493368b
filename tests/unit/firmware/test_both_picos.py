"""The firmware keeps to what a Pico and a Pico 2 have in common."""

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from hardware.firmware import firmware_folder
from tests.unit.firmware.pio import load_reader

BOARD = ast.parse((firmware_folder() / "tippo" / "board.py").read_text())

ON_THE_EDGE = {*range(23), 26, 27, 28}
"""The GPs that both boards lead to their edge (data sheets, "Pinout")."""

LONGEST_WATCHDOG_MS = 8388
"""RP2040; twice as long on RP2350."""

PROGRAM_WORDS, MACHINES = 32, 4
"""Of one PIO block, which all machines share (RP2040 and RP2350 data sheets, "PIO")."""


def constants() -> dict[str, Any]:
    """Those at the top of `tippo/board.py`."""
    return {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in BOARD.body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }


def pins(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
        return
    for part in value.values() if isinstance(value, dict) else value:
        yield from pins(part)


def test_every_pin_is_on_the_edge_of_both_boards_and_used_once() -> None:
    used = [pin for name, value in constants().items() if "PIN" in name for pin in pins(value)]
    assert set(used) <= ON_THE_EDGE
    assert len(used) == len(set(used))


def test_no_pin_is_pulled_down() -> None:
    """An input of the RP2350 that is pulled down may stay high (its data sheet, erratum E9)."""
    for file in firmware_folder().rglob("*.py"):
        assert "PULL_DOWN" not in file.read_text()


def test_the_watchdog_is_one_that_both_can_keep() -> None:
    assert constants()["WATCHDOG_MS"] <= LONGEST_WATCHDOG_MS


def test_a_machine_for_each_cell_and_their_one_program_fit_in_one_block() -> None:
    assert len(constants()["CELL_PINS"]) <= MACHINES
    assert len(load_reader(firmware_folder()).clock_word.opcodes) <= PROGRAM_WORDS


@pytest.mark.parametrize("megahertz", [125, 150, 200])
def test_a_microsecond_is_a_whole_number_of_the_processors_cycles(megahertz: int) -> None:
    """At the speeds that MicroPython gives both: the pulses have no jitter."""
    assert megahertz * 1_000_000 % load_reader(firmware_folder()).PIO_HZ == 0
