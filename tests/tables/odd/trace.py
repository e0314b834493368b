"""A finished trace: its rows, its calibration and its truth, and how it is written to files.

It never plays a scene; `kinds` lists those that can be asked for.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.tables.odd.stage import Row
from tests.tables.odd.truth import Truth


@dataclass(slots=True)
class Trace:
    kind: str
    sps: int
    seed: int
    origin: float
    """Where the trace's clock stands as the truth's stands at 0."""
    rows: list[Row]
    calibration: dict[str, Any]
    truth: Truth

    @property
    def has_deck(self) -> bool:
        return "deck" in self.calibration

    def csv(self) -> str:
        """The text of samples.csv."""
        lines = ["t,left,right,tilt,deck" if self.has_deck else "t,left,right,tilt"]
        for row in self.rows:
            cells = [f"{row.t:.6f}", *("" if c is None else str(c) for c in (row.left, row.right))]
            cells.append(str(row.tilt))
            if self.has_deck:
                cells.append("" if row.deck is None else str(row.deck))
            lines.append(",".join(cells))
        return "\n".join(lines) + "\n"

    def toml(self) -> str:
        """The text of calibration.toml."""
        lines = []
        for key, value in self.calibration.items():
            if not isinstance(value, dict):
                lines.append(f"{key} = {json.dumps(value)}")
        for key, value in self.calibration.items():
            if isinstance(value, dict):
                lines += [f"[{key}]", *(f"{k} = {json.dumps(v)}" for k, v in value.items())]
        return "\n".join(lines) + "\n"

    def dump(self, folder: Path) -> Path:
        """Writes samples.csv, calibration.toml and truth.json to a folder of its own."""
        place = folder / f"{self.kind}-{self.sps}-{self.seed}"
        place.mkdir(parents=True, exist_ok=True)
        (place / "samples.csv").write_text(self.csv(), encoding="utf-8")
        (place / "calibration.toml").write_text(self.toml(), encoding="utf-8")
        (place / "truth.json").write_text(json.dumps(asdict(self.truth), indent=1), "utf-8")
        return place
