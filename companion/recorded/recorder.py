"""Writes a live table down as a recorded one, so that a replay gives the rulings it saw.

Every reading and tap is written in the order in which the table got it; nothing is judged.
"""

from io import TextIOWrapper
from pathlib import Path
from typing import Any

from companion.errors import BadInput, Refused
from companion.events import Reading, Sample
from companion.games.commands import Deal, Start
from companion.recorded.files import table_toml
from companion.table.taps import Mode, Tap, encode_tap


class Recorder:
    """An open recording.

    `table.toml` is written when the game begins; a deal told before the first reading is its
    `[deal]`, a later one is a tap like any other. What can no longer be written ends the recording,
    not the game.
    """

    def __init__(self, folder: Path, calibration: dict[str, Any] | None) -> None:
        """Raises Refused if the folder holds something already, BadInput if it cannot be made."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Refused(f"{folder} exists and is not empty: name another folder to record in")
        self.broken = ""
        """Why the recording broke off, in one sentence; empty while it goes on."""
        self._folder = folder
        self._calibration = calibration
        self._has_deck = bool(calibration and "deck" in calibration)
        self._tilt = False
        self._start: Start | None = None
        self._mode = Mode.FULL
        self._any_reading = False
        self._deal: Deal | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._samples = self._open("samples.csv")
            self._taps = self._open("taps.jsonl")
        except OSError as error:
            raise BadInput(f"cannot record in {folder}: {error.strerror}") from None
        self._write(
            self._samples, "t,left,right,tilt,deck\n" if self._has_deck else "t,left,right,tilt\n"
        )

    def _open(self, name: str) -> TextIOWrapper:
        # Line by line, so that a pulled plug costs one line.
        return (self._folder / name).open("w", encoding="utf-8", newline="", buffering=1)

    def reading(self, reading: Reading) -> None:
        """A row; a fault that the board itself reports has one without any reading: nothing stands
        in for what was lost, but a replay knows that time has passed without it."""
        self._any_reading = True
        row = reading if isinstance(reading, Sample) else Sample(mono_s=reading.mono_s)
        if row.tilt is not None:
            self._tilt = row.tilt
        fields: list[Any] = [repr(float(row.mono_s)), row.left, row.right]
        fields.append(int(self._tilt))
        if self._has_deck:
            fields.append(row.deck)
        self._write(self._samples, ",".join("" if f is None else str(f) for f in fields) + "\n")

    def tap(self, tap: Tap, mode: Mode) -> None:
        """A tap, as the table gets it; `mode` is how it referees before the tap."""
        if isinstance(tap.said, Start) and self._start is None:
            self._start, self._mode = tap.said, mode
            self._write_table()
            return
        if isinstance(tap.said, Deal) and self._deal is None and not self._any_reading:
            self._deal = tap.said
            self._write_table()
            return
        if self._start is not None:
            self._write(self._taps, encode_tap(tap) + "\n")

    def _write_table(self) -> None:
        assert self._start is not None
        text = table_toml(self._start, self._mode.value, self._deal, self._calibration)
        try:
            (self._folder / "table.toml").write_text(text, encoding="utf-8")
        except OSError as error:
            self._break_off(error)

    def _write(self, file: TextIOWrapper, line: str) -> None:
        if self.broken:
            return
        try:
            file.write(line)
        except OSError as error:
            self._break_off(error)

    def _break_off(self, error: OSError) -> None:
        self.broken = f"the recording in {self._folder} broke off: {error.strerror}"
        self.close()

    def close(self) -> None:
        """Ends the recording; may be called twice."""
        for file in (self._samples, self._taps):
            try:
                file.close()
            except OSError as error:
                self.broken = self.broken or f"{self._folder} is not complete: {error.strerror}"
