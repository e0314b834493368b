"""`tippo replay`: a public format, read to the letter, and every breach of it said in one line."""

import gzip
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.recorded.files import read_table, table_toml
from companion.scale.calibration import Calibration
from sim.party import NAMES, Plan
from sim.recording import record

CLASSIC = """
game = "classic"
players = ["Ann", "Ben"]
mode = "full"
[options]
target = 300
[deal]
top = "R5"
"""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a minute of three people at 10 SPS."""
    folder = tmp_path_factory.mktemp("evening") / "table"
    record(Plan(seed=205, players=NAMES[:3], sps=10, rounds=1), folder, minutes=0.5)
    return folder


@pytest.fixture
def table(evening: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    for file in evening.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


@pytest.fixture
def classic(tmp_path: Path) -> Path:
    """A table without a scale: taps alone."""
    (tmp_path / "table.toml").write_text(CLASSIC)
    return tmp_path


def replayed(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> list[dict[str, Any]]:
    main(["replay", str(folder)])
    return [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]


def refused(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(folder)])
    assert ended.value.code == 2
    complaint = capfdbinary.readouterr().err.decode()
    assert complaint.count("\n") == 1
    return complaint


def test_of_the_same_moment_samples_come_before_taps(
    table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    seen = next(line for line in replayed(table, capfdbinary) if "sensed" in line)
    with (table / "taps.jsonl").open("a", encoding="utf-8") as taps:
        taps.write(json.dumps({"t": seen["decided"], "do": "uno", "player": "Nobody"}) + "\n")
    lines = replayed(table, capfdbinary)
    refused_at = next(number for number, line in enumerate(lines) if "error" in line)
    assert lines[refused_at]["t"] == seen["decided"]
    assert seen in lines[:refused_at]


def test_each_line_is_a_sensed_event_a_ruling_or_a_refusal_with_its_time(
    table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = replayed(table, capfdbinary)
    assert lines[0]["ruling"] == "dealt"
    for line in lines:
        assert isinstance(line["t"], float)
        assert ("event" in line) == (line.get("sensed") is True)
        assert ("event" in line) + ("ruling" in line) + ("error" in line) == 1
    played = [line for line in lines if line.get("ruling") == "played"]
    assert [line["player"] for line in played][:2] == ["Ben", "Cleo"]
    placed = next(line for line in lines if line.get("event") == "placed")
    assert {"tray", "count", "grams", "sure", "decided"} <= placed.keys()


def test_packed_samples_are_read_too(
    table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    plain = replayed(table, capfdbinary)
    (table / "samples.csv.gz").write_bytes(gzip.compress((table / "samples.csv").read_bytes()))
    (table / "samples.csv").unlink()
    assert replayed(table, capfdbinary) == plain


def test_at_equal_times_samples_come_before_taps(
    table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A tap at the very time of the row that decides an event is heard after the event."""
    (table / "taps.jsonl").write_text("")
    decided = next(
        line["decided"] for line in replayed(table, capfdbinary) if line.get("event") == "placed"
    )
    tap = {"t": decided, "do": "card", "card": "B1"}
    (table / "taps.jsonl").write_text(json.dumps(tap) + "\n")
    lines = replayed(table, capfdbinary)
    placed = next(n for n, line in enumerate(lines) if line.get("event") == "placed")
    assert lines[placed + 1]["ruling"] == "played"
    assert lines[placed + 1]["t"] == decided


def test_a_tap_after_the_last_sample_counts(
    table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with (table / "taps.jsonl").open("a") as taps:
        taps.write('{"t": 9000.5, "do": "uno", "player": "Ann"}\n')
    last = replayed(table, capfdbinary)[-1]
    assert last["error"]["code"] == "not_at_one"
    assert last["t"] == 9000.5


def test_a_refusal_has_code_message_and_rule(
    classic: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (classic / "taps.jsonl").write_text('{"t": 1, "do": "play", "card": "B9"}\n')
    error = replayed(classic, capfdbinary)[-1]["error"]
    assert error["code"] == "no_match"
    assert error["rule"] == "U12"
    assert "blue 9" in error["message"]


def test_games_without_a_scale_replay_by_their_taps(
    classic: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (classic / "taps.jsonl").write_text(
        '{"t": 1, "do": "card", "card": "R9", "colour": null}\n\n{"t": 2, "do": "draw"}\n'
    )
    lines = replayed(classic, capfdbinary)
    assert [line["ruling"] for line in lines] == [
        *("dealt", "dealt", "turn"),
        *("played", "turn"),
        "drawn",
    ]
    assert [line["t"] for line in lines[-3:]] == [1.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{not json", "no JSON"),
        ("[1, 2]", "object"),
        ('{"do": "draw"}', "`t`"),
        ('{"t": "soon", "do": "draw"}', "`t`"),
        ('{"t": true, "do": "draw"}', "`t`"),
        ('{"t": 1e999, "do": "draw"}', ""),
        ('{"t": 1' + "0" * 400 + ', "do": "draw"}', ""),
        ('{"t": 5}', "`do`"),
        ('{"t": 5, "do": "sing"}', "`do`"),
        ('{"t": 5, "do": ["card"]}', "`do`"),
        ('{"t": 5, "do": {"card": 1}}', "`do`"),
        ('{"t": 5, "do": [1]}', "`do`"),
        ('{"t": 5, "do": "card"}', "card"),
        ('{"t": 5, "do": "card", "card": 7}', "card"),
        ('{"t": 5, "do": "card", "card": "R7", "colour": "pink"}', "colour"),
        ('{"t": 5, "do": "draw", "tray": "left"}', "tray"),
        ('{"t": 5, "do": "mode", "mode": "slow"}', "mode"),
        ("[" * 100_000, ""),
        ("\udcff", ""),
    ],
)
def test_a_damaged_tap_is_refused_with_its_line_number(
    classic: Path, capfdbinary: pytest.CaptureFixture[bytes], line: str, complaint: str
) -> None:
    taps = '{"t": 1, "do": "draw"}\n' + line + "\n"
    (classic / "taps.jsonl").write_bytes(taps.encode("utf-8", "surrogateescape"))
    said = refused(classic, capfdbinary)
    assert "taps.jsonl: line 2:" in said
    assert complaint in said


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("game = ", "gme = "), "table.toml: .*gme"),
        (('game = "classic"\n', ""), "table.toml: .*game"),
        (('"classic"', '"chess"'), "table.toml: `game` must be one of"),
        (('mode = "full"', 'mode = "slow"'), "table.toml: mode"),
        (('["Ann", "Ben"]', '["Ann"]'), "table.toml: "),
        (('["Ann", "Ben"]', '["Ann", "Ann"]'), "table.toml: "),
        (("target = 300", 'tempo = "fast"'), "table.toml: .*tempo"),
        (('top = "R5"', 'top = "W+4"'), "table.toml: .*"),
        (('top = "R5"', 'bottom = "R5"'), "table.toml: deal.*bottom"),
        (("[deal]", "[deal"), "table.toml is no TOML"),
    ],
)
def test_a_wrong_table_toml_is_refused_in_one_sentence(
    classic: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    change: tuple[str, str],
    complaint: str,
) -> None:
    path = classic / "table.toml"
    path.write_text(path.read_text().replace(*change))
    assert re.search(complaint, refused(classic, capfdbinary))


def test_tippo_needs_a_calibration_and_samples(
    table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (table / "samples.csv").unlink()
    assert "neither samples.csv nor samples.csv.gz" in refused(table, capfdbinary)
    text = (table / "table.toml").read_text()
    (table / "table.toml").write_text(text[: text.index("[calibration]")])
    assert "needs [calibration]" in refused(table, capfdbinary)
    assert "no such folder" in refused(table / "nowhere", capfdbinary)


def test_a_damaged_row_is_refused_with_its_line_and_what_was_written_stands(
    table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    rows = (table / "samples.csv").read_text().splitlines(keepends=True)
    rows[200] = "soon,1,2,0\n"
    (table / "samples.csv").write_text("".join(rows))
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(table)])
    assert ended.value.code == 2
    written = capfdbinary.readouterr()
    assert b"samples.csv: line 201:" in written.err
    assert b"dealt" in written.out


def test_a_written_table_reads_back(table: Path) -> None:
    """What `tippo record` writes about a table is what `tippo replay` reads."""
    found = read_table(table)
    calibration = tomllib.loads((table / "table.toml").read_text())["calibration"]
    (table / "table.toml").write_text(table_toml(found.start, found.mode, found.deal, calibration))
    assert read_table(table) == found
    assert found.calibration == Calibration.from_toml(calibration)
