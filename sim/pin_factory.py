"""A gpiozero pin factory on the virtual pin bank, with ticks in virtual time.

It never becomes gpiozero's default: a device gets it by name, as `pin_factory=`.
"""

from typing import Any

from gpiozero.exc import PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.pi import PiFactory, PiPin

from sim.pins import PinBank

PI_3B = 0xA02082
"""The revision code of a Raspberry Pi 3B, whose 40-pin header all later ones have."""


class VirtualPin(PiPin):  # type: ignore[misc] # gpiozero has no types
    """One pin of the bank; no PWM, as on a pin that has none."""

    def __init__(self, factory: "VirtualFactory", info: Any) -> None:
        super().__init__(factory, info)
        self._bank = factory.bank
        self._bounce: float | None = None
        self._edges = "both"
        self._bank.make_input(self._number, info.pull or "floating")

    def close(self) -> None:
        self.when_changed = None
        self._bank.release(self._number)

    def output_with_state(self, state: bool) -> None:
        self._bank.make_output(self._number, bool(state))

    def input_with_pull(self, pull: str) -> None:
        if self.info.pull and pull != self.info.pull:
            raise PinFixedPull(f"{self!r} has a fixed pull resistor")
        if pull not in ("up", "down", "floating"):
            raise PinInvalidPull(f"invalid pull {pull!r} for pin {self!r}")
        self._bank.make_input(self._number, pull)

    def _get_function(self) -> str:
        return "output" if self._bank.is_output(self._number) else "input"

    def _set_function(self, value: str) -> None:
        if value == "output":
            self._bank.make_output(self._number)
        elif value == "input":
            self._bank.make_input(self._number, self.info.pull or "floating")
        else:
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")

    def _get_state(self) -> int:
        return int(self._bank.read(self._number))

    def _set_state(self, value: float) -> None:
        if not self._bank.is_output(self._number):
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._bank.write(self._number, bool(value))

    def _get_pull(self) -> str:
        return self._bank.pull_of(self._number)

    def _set_pull(self, value: str) -> None:
        if self._bank.is_output(self._number):
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self.input_with_pull(value)

    def _get_frequency(self) -> None:
        return None

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        self._bounce = value

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        self._edges = value

    def _enable_event_detect(self) -> None:
        self._bank.watch(self._number, self._changed)

    def _disable_event_detect(self) -> None:
        self._bank.unwatch(self._number)

    def _changed(self, level: bool) -> None:
        if self._edges in ("both", "rising" if level else "falling"):
            self._call_when_changed(self._factory.ticks(), int(level))


class VirtualFactory(PiFactory):  # type: ignore[misc] # gpiozero has no types
    """The pins of a Pi 3B on a bank."""

    def __init__(self, bank: PinBank) -> None:
        super().__init__()
        self.bank = bank
        self.pin_class = VirtualPin

    def _get_revision(self) -> int:
        return PI_3B

    def ticks(self) -> float:
        return self.bank.time.mono()

    def ticks_diff(self, later: float, earlier: float) -> float:
        return later - earlier
