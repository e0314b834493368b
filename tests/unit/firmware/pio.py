"""Assembles the firmware's PIO program on the host, as MicroPython's `rp2.asm_pio` does.

Only what the program uses is known. Source of the encodings: RP2040 data sheet, section 3.4.
"""

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from unittest import mock

SIDE_BIT = 1 << 12
"""One side-set pin takes the highest of the five delay bits."""


@dataclass(frozen=True)
class Program:
    opcodes: tuple[int, ...]
    wrap_target: int
    wrap: int
    options: dict[str, Any]


class _Assembler:
    """Runs a program's function twice: first for the labels, then for the words."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self.labels: dict[str, int] = {}
        self.wrap_target = self.wrap = 0

    def side(self, level: int) -> "_Assembler":
        self.words[-1] |= SIDE_BIT * level
        return self

    def __getitem__(self, cycles: int) -> "_Assembler":
        self.words[-1] |= cycles << 8
        return self

    def _emit(self, word: int) -> "_Assembler":
        self.words.append(word)
        return self

    def names(self) -> dict[str, Any]:
        def mark(name: str) -> Callable[[], None]:
            return lambda: setattr(self, name, len(self.words))

        def end() -> None:
            self.wrap = len(self.words) - 1

        return {
            "wrap_target": mark("wrap_target"),
            "wrap": end,
            "label": lambda name: self.labels.__setitem__(name, len(self.words)),
            "wait": lambda level, _, index: self._emit(0x2020 | level << 7 | index),
            "set": lambda _, value: self._emit(0xE020 | value),
            "nop": lambda: self._emit(0xA042),
            "in_": lambda _, bits: self._emit(0x4000 | bits),
            "jmp": lambda condition, label: self._emit(condition << 5 | self.labels.get(label, 0)),
            "push": lambda block: self._emit(0x8000 | block << 5),
            "irq": lambda index: self._emit(0xC000 | index),
            "rel": lambda index: 0x10 | index,
            "noblock": 0,
            "pin": None,
            "pins": None,
            "x": None,
            "x_dec": 2,
        }


def assemble(function: FunctionType, options: dict[str, Any]) -> Program:
    """The program of a function that was decorated with `rp2.asm_pio`."""
    labels: dict[str, int] = {}
    for _ in range(2):
        assembler = _Assembler()
        assembler.labels.update(labels)
        FunctionType(function.__code__, assembler.names())()
        labels = assembler.labels
    return Program(tuple(assembler.words), assembler.wrap_target, assembler.wrap, options)


def load_reader(firmware: Path) -> ModuleType:
    """The firmware's `hx711_pio`, with its program assembled, on a host without a Pico."""
    rp2 = ModuleType("rp2")
    vars(rp2).update(
        asm_pio=lambda **options: lambda function: assemble(function, options),
        PIO=mock.Mock(),
        StateMachine=mock.Mock,
    )
    machine = ModuleType("machine")
    vars(machine).update(Pin=mock.Mock)
    time = ModuleType("time")
    vars(time).update(sleep_us=mock.Mock(), ticks_us=mock.Mock())
    spec = importlib.util.spec_from_file_location("hx711_pio", firmware / "tippo" / "hx711_pio.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {"rp2": rp2, "machine": machine, "time": time}):
        spec.loader.exec_module(module)
    return module
