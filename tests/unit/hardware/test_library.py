"""Which pin library runs is found by looking at what was imported, and said; none is a fallback."""

import importlib.metadata
import sys
from types import ModuleType

import pytest

from companion.errors import BoardError
from hardware.gpio.library import find_pin_library


def pretend(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
    package = ModuleType("RPi")
    package.GPIO = module  # type: ignore[attr-defined] # a package has its modules as attributes
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", module)


class _Raises:
    """A finder whose `RPi.GPIO` complains as the real one does on a wrong machine."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def find_spec(self, name: str, *_: object) -> None:
        if name.startswith("RPi"):
            raise self._error


def refuse(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Raises(error), *sys.meta_path])


def test_rpi_gpio_is_named_with_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("RPi.GPIO")
    module.VERSION = "0.7.1"  # type: ignore[attr-defined] # as the real one has
    pretend(monkeypatch, module)
    assert str(find_pin_library()) == "RPi.GPIO 0.7.1"


def test_its_drop_in_is_told_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("RPi.GPIO")
    module.VERSION = "0.7.2"  # type: ignore[attr-defined] # what it pretends to be
    module.lgpio = ModuleType("lgpio")  # type: ignore[attr-defined] # what it stands on
    pretend(monkeypatch, module)
    monkeypatch.setattr(
        "hardware.gpio.library.version", lambda name: "0.6" if name == "rpi-lgpio" else "1"
    )
    assert str(find_pin_library()) == "rpi-lgpio 0.6"


def test_without_one_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, ModuleNotFoundError("No module named 'RPi'", name="RPi"))
    with pytest.raises(BoardError, match=r"no pin library is installed: .*\[gpio\].*\[gpio5\]"):
        find_pin_library()


def test_the_drop_in_without_lgpio_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, ModuleNotFoundError("No module named 'lgpio'", name="lgpio"))
    with pytest.raises(BoardError, match=r"its module lgpio is missing: .*python3-lgpio"):
        find_pin_library()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RuntimeError("This module can only be run on a Raspberry Pi!"), "no Raspberry Pi.*Pico"),
        (RuntimeError("Cannot determine SOC peripheral base address"), "uninstall RPi.GPIO"),
        (RuntimeError("No access to /dev/mem.  Try running as root!"), "group gpio"),
        (PermissionError(13, "Permission denied"), "group gpio"),
    ],
)
def test_one_that_cannot_drive_this_machine_says_why(
    monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
) -> None:
    refuse(monkeypatch, error)
    with pytest.raises(BoardError, match=sentence):
        find_pin_library()


@pytest.mark.parametrize("missing", ["hx711", "gpiozero"])
def test_what_else_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    module = ModuleType("RPi.GPIO")
    module.VERSION = "0.7.1"  # type: ignore[attr-defined] # as the real one has
    pretend(monkeypatch, module)

    def version(name: str) -> str:
        if name == missing:
            raise importlib.metadata.PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr("hardware.gpio.library.version", version)
    with pytest.raises(BoardError, match=f"the package {missing} is not installed: run"):
        find_pin_library()
