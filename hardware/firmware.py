"""Where the Pico's firmware lies: in a checkout beside this package, in a wheel inside it.

It never talks to a board: see `hardware.install`.
"""

from pathlib import Path

from companion.errors import Refused


def firmware_folder() -> Path:
    """The folder with `main.py` and `tippo/`.

    Raises:
        Refused: this installation has none.
    """
    here = Path(__file__).resolve().parent
    for folder in (here.parent / "firmware", here / "_firmware"):
        if (folder / "main.py").is_file():
            return folder
    raise Refused("the firmware's files are missing from this installation: install it anew")


def firmware_version(folder: Path) -> str:
    """The version that `tippo/wire.py` in the folder gives itself."""
    for line in (folder / "tippo" / "wire.py").read_text().splitlines():
        name, equals, value = line.partition(" = ")
        if equals and name == "FIRMWARE":
            return value.strip('"')
    raise Refused(f"{folder / 'tippo' / 'wire.py'} names no version: install the companion anew")
