"""The settings of the companion: where it keeps its files and how the table likes to play.

It reads one TOML file and never writes it; what is not set there has a default that works.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import platformdirs

from companion.errors import BadInput
from companion.toml_file import in_place, read_toml

APPLICATION = "tippo"

SMALLEST = (320, 240)
LARGEST = 8192
"""Pixels of a window: what still can be read, and what graphics libraries still can bear."""

Name = Annotated[str, msgspec.Meta(min_length=1)]


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the table likes to play; all of it can be changed on the display."""

    players: Annotated[tuple[Name, ...], msgspec.Meta(max_length=10)] = ()
    """In seat order to the left."""
    game: Literal["tippo", "classic", "battle", "rummy_up"] = "tippo"
    mode: Literal["full", "quick"] = "full"
    options: dict[str, str | int] = {}
    """House rules by their names, e.g. settle_seconds = 8."""


class FileSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where files lie, if not where the system keeps such files."""

    journal: Name | None = None
    calibration: Name | None = None


class DisplaySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The touch display. Without a size it takes the window's default."""

    fullscreen: bool = False
    turn: Literal[0, 90, 180, 270] = 0
    """How far the picture is turned on the display, in degrees clockwise; touches turn with it."""
    dim_after: Annotated[int, msgspec.Meta(ge=0)] = 180
    """Seconds without a touch, a card or a ruling until it dims; 0: never."""
    dark_after: Annotated[int, msgspec.Meta(ge=0)] = 900
    """Until it goes dark; 0: never."""
    width: Annotated[int, msgspec.Meta(ge=SMALLEST[0], le=LARGEST)] | None = None
    height: Annotated[int, msgspec.Meta(ge=SMALLEST[1], le=LARGEST)] | None = None

    def __post_init__(self) -> None:
        if (self.width is None) != (self.height is None):
            raise ValueError("`width` and `height` go together")

    @property
    def size(self) -> tuple[int, int] | None:
        """In pixels."""
        if self.width is None or self.height is None:
            return None
        return self.width, self.height


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file."""

    board: Literal["gpio", "pico", "none"] | None = None
    """Which board is on the table, "none" for a table without a scale; the simulator is only ever
    asked for on the command line."""
    gpio: dict[str, Any] = {}
    """Told to the board as it is: see the builder's book."""
    pico: dict[str, Any] = {}
    table: TableSettings = TableSettings()
    files: FileSettings = FileSettings()
    display: DisplaySettings = DisplaySettings()

    def of_board(self, board: str) -> dict[str, Any]:
        """What the file says for a board."""
        return self.gpio if board == "gpio" else self.pico


@dataclass(frozen=True, slots=True)
class Places:
    """Where the companion's files are."""

    settings: Path
    journal: Path
    calibration: Path

    def calibration_of(self, board: str) -> Path:
        """That of a simulated scale is never kept in the place of a real one's."""
        if board == "sim":
            return self.calibration.with_name("calibration-sim.toml")
        return self.calibration


def default_settings_path() -> Path:
    """Where the settings are looked for."""
    return platformdirs.user_config_path(APPLICATION) / "settings.toml"


def places(settings: Settings, settings_path: Path | None = None) -> Places:
    """The paths in force. Relative ones in the file count from the file's folder."""
    found = settings_path or default_settings_path()
    data = platformdirs.user_data_path(APPLICATION)

    def path(named: str | None, default: Path) -> Path:
        return default if named is None else found.parent / Path(named).expanduser()

    return Places(
        settings=found,
        journal=path(settings.files.journal, data / "journal.sqlite"),
        calibration=path(settings.files.calibration, data / "calibration.toml"),
    )


def load_settings(path: Path | None = None) -> Settings:
    """The settings of a file; without `path` those of the usual place, if there are any.

    Raises:
        BadInput: the file cannot be read, is no TOML, or has a wrong key or value, by name.
    """
    found = path or default_settings_path()
    if not found.exists():
        if path is None:
            return Settings()
        raise BadInput(f"there are no settings at {found}")
    try:
        return msgspec.convert(read_toml(found, f"the settings file {found}"), Settings)
    except msgspec.ValidationError as error:
        complaint, key = in_place(error)
        raise BadInput(
            f"the settings {found}{f', {key}' if key else ''}: "
            f"{complaint[:1].lower()}{complaint[1:]}"
        ) from None
