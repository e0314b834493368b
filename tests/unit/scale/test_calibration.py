"""A calibration is read exactly or refused in one sentence that names the key."""

import math
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.events import Sample
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.units import Counts, MonoSeconds

CELL = {"zero": 83_211, "counts_per_gram": 2140.5}
TABLE = {"card_g": 1.8, "left": {**CELL, "tray_g": 28.0}, "right": CELL}


def test_every_key_is_read() -> None:
    """The optional ones have their defaults."""
    read = Calibration.from_toml(TABLE)
    assert (read.card_g, read.tilt_switch, read.deck) == (1.8, True, None)
    assert (read.left.tray_g, read.right.tray_g) == (28.0, None)
    assert read.left.grams(83_211 + 2140.5) == 1.0
    deck = Calibration.from_toml({**TABLE, "tilt_switch": False, "deck": CELL})
    assert deck.deck is not None
    assert not deck.tilt_switch


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({k: v for k, v in TABLE.items() if k != "card_g"}, "card_g"),
        ({k: v for k, v in TABLE.items() if k != "right"}, "right"),
        ({**TABLE, "cards": 2}, "cards"),
        ({**TABLE, "card_g": 0}, "card_g"),
        ({**TABLE, "card_g": "1.8"}, "card_g"),
        ({**TABLE, "card_g": math.nan}, "card_g"),
        ({**TABLE, "card_g": True}, "card_g"),
        ({**TABLE, "tilt_switch": 1}, "tilt_switch"),
        ({**TABLE, "left": {"zero": 1}}, "left"),
        ({**TABLE, "left": {**CELL, "colour": 1}}, "left"),
        ({**TABLE, "left": {**CELL, "counts_per_gram": 0}}, "left"),
        ({**TABLE, "left": {**CELL, "counts_per_gram": math.inf}}, "left"),
        ({**TABLE, "left": {**CELL, "tray_g": -1}}, "left"),
        ({**TABLE, "left": 7}, "left"),
        ({**TABLE, "card_g": 1e-300}, "card_g"),
        ({**TABLE, "card_g": 1e300}, "card_g"),
        ({**TABLE, "left": {**CELL, "tray_g": 1e300}}, "tray_g"),
        ({**TABLE, "left": {**CELL, "zero": 1e300}}, "zero"),
        ({**TABLE, "left": {**CELL, "counts_per_gram": 1e300}}, "counts_per_gram"),
        ({**TABLE, "left": {**CELL, "counts_per_gram": -1e-300}}, "counts_per_gram"),
        ({**TABLE, "deck": {**CELL, "tray_g": 28}}, "deck"),
    ],
)
def test_what_is_missing_unknown_or_ill_typed_is_refused_by_name(
    table: dict[str, object], key: str
) -> None:
    """One sentence, which names the key and where it stands."""
    with pytest.raises(BadInput, match=key) as refused:
        Calibration.from_toml(table, "cal.toml")
    assert "cal.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("content", [b"card_g = ", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    """Broken text is refused like a broken key."""
    path = tmp_path / "cal.toml"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"cal\.toml"):
        Calibration.load(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """Its name is in the sentence."""
    with pytest.raises(BadInput, match=r"nowhere\.toml"):
        Calibration.load(tmp_path / "nowhere.toml")


@pytest.mark.parametrize("card_g", [0.1, 1000.0])
@pytest.mark.parametrize("tray_g", [0.0, 10_000.0])
@pytest.mark.parametrize("counts_per_gram", [0.001, -1e9])
def test_every_calibration_that_is_accepted_can_be_judged_with(
    card_g: float, tray_g: float, counts_per_gram: float
) -> None:
    """At the ends of all its bounds, whatever the cells show."""
    cell = {"zero": 1e9, "counts_per_gram": counts_per_gram, "tray_g": tray_g}
    right = {**CELL, "tray_g": tray_g}
    judge = Judge(Calibration.from_toml({"card_g": card_g, "left": cell, "right": right}))
    for row in range(160):
        counts = Counts((83_211, 8_388_607, -8_388_608, 83_211 + 3850)[row // 40])
        tilt = 60 < row < 70
        judge.feed(Sample(mono_s=MonoSeconds(row / 10), left=counts, right=counts, tilt=tilt))
