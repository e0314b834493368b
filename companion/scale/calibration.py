"""What turns counts into grams and grams into cards: one calibration for the whole scale.

This module never measures anything and never writes a file.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from companion.errors import BadInput
from companion.toml_file import read_toml
from companion.units import Grams, Tray

TYPICAL_TRAY_G = Grams(28.0)
"""The empty tray of a UNO Tippo scale, used where the calibration does not weigh it."""

Positive = Annotated[float, msgspec.Meta(gt=0)]
NotNegative = Annotated[float, msgspec.Meta(ge=0)]


class DeckCalibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One load cell: `zero` counts without load, `counts_per_gram` negative if upside down."""

    zero: float
    counts_per_gram: float

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise ValueError(f"`{name}` must be a finite number")
        if self.counts_per_gram == 0:
            raise ValueError("`counts_per_gram` must not be 0")

    def grams(self, counts: float) -> Grams:
        """The load in grams, without the tray."""
        return Grams((counts - self.zero) / self.counts_per_gram)


class CellCalibration(DeckCalibration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cell under a tray; `tray_g` is what the empty tray itself weighs, grams."""

    tray_g: NotNegative | None = None


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole scale: what one card weighs, its cells, and whether a tilt switch is fitted."""

    card_g: Positive
    left: CellCalibration
    right: CellCalibration
    deck: DeckCalibration | None = None
    tilt_switch: bool = True

    def __post_init__(self) -> None:
        if not math.isfinite(self.card_g):
            raise ValueError("`card_g` must be a finite number")

    def tray(self, tray: Tray) -> CellCalibration:
        return self.left if tray is Tray.LEFT else self.right

    @classmethod
    def from_toml(
        cls, table: Mapping[str, object], where: str = "the calibration"
    ) -> "Calibration":
        """Reads the keys of a TOML table; raises BadInput naming `where` and the key at fault."""
        try:
            return msgspec.convert(table, cls)
        except msgspec.ValidationError as error:
            complaint, _, path = str(error).partition(" - at `$")
            key = path.rstrip("`").lstrip(".")
            place = f"{where}, {key}" if key else where
            raise BadInput(f"{place}: {complaint[:1].lower()}{complaint[1:]}") from None

    @classmethod
    def load(cls, path: Path) -> "Calibration":
        """Reads a TOML file; raises BadInput in one sentence if it cannot be read or is wrong."""
        name = f"the calibration {path}"
        return cls.from_toml(read_toml(path, name), name)
