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

# Generous bounds: what lies beyond is no playing card, no tray and no load cell but a slip of the
# hand, and the judge would count a thousand cards a moment, or leave the range of numbers.
CardGrams = Annotated[float, msgspec.Meta(ge=0.1, le=1000)]
TrayGrams = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
ZeroCounts = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
CountsPerGram = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
LEAST_COUNTS_PER_GRAM = 1e-3


class DeckCalibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One load cell: `zero` counts without load, `counts_per_gram` negative if upside down."""

    zero: ZeroCounts
    counts_per_gram: CountsPerGram

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise ValueError(f"`{name}` must be a finite number")
        if self.counts_per_gram == 0:
            raise ValueError("`counts_per_gram` must not be 0")
        if abs(self.counts_per_gram) < LEAST_COUNTS_PER_GRAM:
            raise ValueError(f"`counts_per_gram` must be {LEAST_COUNTS_PER_GRAM} or more")

    def grams(self, counts: float) -> Grams:
        """The load in grams, without the tray."""
        return Grams((counts - self.zero) / self.counts_per_gram)


class CellCalibration(DeckCalibration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cell under a tray; `tray_g` is what the empty tray weighs, grams (0: not weighed)."""

    tray_g: TrayGrams | None = None


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole scale: what one card weighs, its cells, and whether a tilt switch is fitted."""

    card_g: CardGrams
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
