"""Finds the one pin library that drives this Pi, and says so; it never tries another behind it.

`RPi.GPIO` and its drop-in `rpi-lgpio` install a module of the same name: which one runs is found
by looking at what was really imported.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from companion.errors import BoardError

INSTALL = {
    "RPi.GPIO": "run `pip install 'tippo-companion[gpio]'`",
    "rpi-lgpio": "run `pip uninstall RPi.GPIO`, then `pip install 'tippo-companion[gpio5]'`",
}


@dataclass(frozen=True, slots=True)
class PinLibrary:
    """The library that drives the header, and how gpiozero gets at the same pins."""

    name: str
    version: str
    pin_factory: Callable[[], Any]
    simulated: bool = False
    beside: str = ""
    """Another library that is installed as well: the one that was installed last is the one that
    runs."""
    device: Path | None = None
    """By which it gets at the pins, where the system lets several programs have it at once."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def find_pin_library() -> PinLibrary:
    """The library that `import RPi.GPIO` gives on this machine.

    Raises:
        BoardError: none is installed, or the one that is cannot drive this machine's pins.
    """
    try:
        module = import_module("RPi.GPIO")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("RPi"):
            raise BoardError(
                f"no pin library is installed: on a Pi 3, 4 or Zero 2 {INSTALL['RPi.GPIO']}, on a "
                "Pi 5 `pip install 'tippo-companion[gpio5]'`"
            ) from error
        raise BoardError(
            f"rpi-lgpio is installed but its module {error.name} is missing: "
            "run `sudo apt install python3-lgpio` or `pip install lgpio`"
        ) from error
    except (RuntimeError, OSError) as error:
        raise BoardError(_cannot_drive(error)) from error
    for package in ("hx711", "gpiozero"):
        try:
            version(package)
        except PackageNotFoundError as error:
            raise BoardError(
                f"the package {package} is not installed: {INSTALL['RPi.GPIO']}"
            ) from error
    if hasattr(module, "lgpio"):
        return PinLibrary(
            "rpi-lgpio", _version("rpi-lgpio"), _lgpio_factory, beside=_installed("RPi.GPIO")
        )
    return PinLibrary(
        "RPi.GPIO",
        str(module.VERSION),
        _rpigpio_factory,
        beside=_installed("rpi-lgpio"),
        device=Path("/dev/gpiomem"),
    )


def _cannot_drive(error: Exception) -> str:
    said = f"the installed RPi.GPIO says {str(error).strip()!r}"
    if "only be run on a Raspberry Pi" in str(error):
        return f"this machine is no Raspberry Pi ({said}): use a Pico, --board pico"
    if "/dev/" in str(error) or isinstance(error, PermissionError):
        return f"the pins may not be used ({said}): add yourself to the group gpio and log in anew"
    return f"RPi.GPIO cannot drive this Pi ({said}): {INSTALL['rpi-lgpio']}"


def _installed(distribution: str) -> str:
    """Its name, if it is."""
    try:
        version(distribution)
    except PackageNotFoundError:
        return ""
    return distribution


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "of unknown version"


def _rpigpio_factory() -> Any:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


def _lgpio_factory() -> Any:
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()
