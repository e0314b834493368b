"""gpiozero's own classes run unmodified on the virtual pins, in virtual time."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import gpiozero
import pytest
from gpiozero.exc import PinFixedPull, PinInvalidPin, PinPWMUnsupported, PinSetInput

from sim.pin_factory import PI_3B, VirtualFactory
from sim.pins import PinBank, VirtualTime, installed


@pytest.fixture
def bank() -> PinBank:
    return PinBank(VirtualTime())


@pytest.fixture
def factory(bank: PinBank) -> Iterator[VirtualFactory]:
    factory = VirtualFactory(bank)
    yield factory
    factory.close()


def test_an_led_lights_its_pin(bank: PinBank, factory: VirtualFactory) -> None:
    led = gpiozero.LED(12, pin_factory=factory)
    led.on()
    assert bank.level(12)
    led.toggle()
    assert not bank.level(12)


def test_a_coloured_led_lights_its_pins(bank: PinBank, factory: VirtualFactory) -> None:
    lamp = gpiozero.RGBLED(12, 16, 20, pwm=False, pin_factory=factory)
    lamp.color = (1, 0, 1)
    assert [bank.level(pin) for pin in (12, 16, 20)] == [True, False, True]


def test_a_button_is_pressed_by_a_grounded_pin(bank: PinBank, factory: VirtualFactory) -> None:
    presses: list[str] = []
    button = gpiozero.Button(27, pin_factory=factory)
    button.when_pressed = lambda: presses.append("down")
    button.when_released = lambda: presses.append("up")
    bank.drive(27, False)
    assert button.is_pressed
    bank.drive(27, None)
    assert not button.is_pressed
    assert presses == ["down", "up"]


def test_how_long_a_button_is_held_is_told_in_virtual_time(
    bank: PinBank, factory: VirtualFactory
) -> None:
    switch = gpiozero.DigitalInputDevice(17, pull_up=True, pin_factory=factory)
    bank.drive(17, False)
    bank.time.sleep(600.0)
    assert switch.active_time == pytest.approx(600.0)


def test_a_pin_with_a_resistor_of_its_own_keeps_its_pull(factory: VirtualFactory) -> None:
    with pytest.raises(PinFixedPull):
        gpiozero.InputDevice(2, pull_up=False, pin_factory=factory)


def test_what_a_pin_cannot_do_is_refused(factory: VirtualFactory) -> None:
    with pytest.raises(PinPWMUnsupported):
        gpiozero.PWMLED(12, pin_factory=factory)
    with pytest.raises(PinSetInput):
        factory.pin("GPIO13").state = 1
    with pytest.raises(PinInvalidPin):
        factory.pin("GPIO99")


def test_a_pin_has_one_owner(factory: VirtualFactory) -> None:
    owner = gpiozero.LED(12, pin_factory=factory)
    with pytest.raises(gpiozero.GPIOPinInUse):
        gpiozero.LED(12, pin_factory=factory)
    owner.close()


@pytest.fixture
def rpigpio(bank: PinBank, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """gpiozero's own RPi.GPIO factory; only what machine it is on is said, not looked up."""
    with installed(bank):
        module = import_module("gpiozero.pins.rpigpio")
        monkeypatch.setattr(module.RPiGPIOFactory, "_get_revision", lambda _: PI_3B)
        factory = module.RPiGPIOFactory()
        yield factory
        factory.close()


def test_gpiozeros_factory_for_rpi_gpio_runs_on_the_virtual_module(
    bank: PinBank, rpigpio: Any
) -> None:
    led = gpiozero.LED(12, pin_factory=rpigpio)
    led.on()
    contact = gpiozero.InputDevice(17, pull_up=True, pin_factory=rpigpio)
    bank.drive(17, False)
    assert bank.level(12)
    assert contact.value == 1


def test_edges_cannot_be_had_as_on_kernels_since_6_6(rpigpio: Any) -> None:
    """The reason why the companion looks at levels and never uses gpiozero's Button."""
    with pytest.raises(RuntimeError, match="Failed to add edge detection"):
        gpiozero.Button(27, pin_factory=rpigpio)
