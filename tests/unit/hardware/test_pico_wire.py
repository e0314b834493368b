"""The companion's end of the wire format, against the golden vectors and against noise."""

import json
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.pico.wire import LineCutter, LineFault, command_line, parse_line

REPOSITORY = Path(__file__).parents[3]
GOLDEN = REPOSITORY / "tests" / "golden" / "wire"


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def meaning(message: Any) -> dict[str, Any]:
    assert is_dataclass(message)
    assert not isinstance(message, type)
    fields = asdict(message)
    del fields["stamp"]
    if "kind" in fields:
        fields["fault"] = fields.pop("kind")
    if "cells" in fields:
        fields["cells"] = [
            list(cell.values()) if isinstance(cell, dict) else cell for cell in fields["cells"]
        ]
    return {"kind": type(message).__name__, **fields}


@pytest.mark.parametrize("vector", vectors("board_lines.jsonl"), ids=lambda v: v["line"].strip())
def test_a_golden_line_means_what_the_firmware_meant(vector: dict[str, Any]) -> None:
    message = parse_line(vector["line"].encode().rstrip(b"\n"))
    assert not isinstance(message, LineFault)
    assert message.stamp.sequence == vector["sequence"]
    assert message.stamp.board_us == vector["board_us"]
    assert meaning(message) == vector["means"]


@pytest.mark.parametrize("vector", vectors("commands.jsonl"), ids=lambda v: v["line"].strip())
def test_a_command_makes_the_golden_line(vector: dict[str, Any]) -> None:
    line = command_line(vector["number"], vector["command"], *vector["arguments"])
    assert line == vector["line"].encode()


@pytest.mark.parametrize(
    "vector", vectors("bad_lines.jsonl"), ids=lambda v: v["hex"][:40] or "empty"
)
def test_a_bad_line_is_named(vector: dict[str, Any]) -> None:
    assert parse_line(bytes.fromhex(vector["hex"])) is LineFault[vector["fault"]]


def test_every_line_shown_in_the_description_of_the_format_is_true() -> None:
    text = (REPOSITORY / "hardware" / "wire.md").read_text()
    shown = [
        line.strip()
        for line in text.splitlines()
        if line.startswith("    $") and "BODY" not in line
    ]
    from_the_board = [line for line in shown if not line.startswith("$C,")]
    assert len(from_the_board) >= 4
    for line in from_the_board:
        assert not isinstance(parse_line(line.encode()), LineFault)
    commands = [line for line in shown if line.startswith("$C,")]
    assert commands == [command_line(7, "lamp", "left", "stop").decode().strip()]


@given(st.binary(max_size=300))
def test_no_bytes_raise_or_make_a_message(data: bytes) -> None:
    assert isinstance(parse_line(data), LineFault)


@given(st.sampled_from(vectors("board_lines.jsonl")), st.data())
def test_a_changed_byte_is_never_another_message(
    vector: dict[str, Any], data: st.DataObject
) -> None:
    line = bytearray(vector["line"].encode().rstrip(b"\n"))
    place = data.draw(st.integers(0, len(line) - 1))
    changed = data.draw(st.integers(0, 255))
    was = line[place]
    line[place] = changed
    result = parse_line(bytes(line))
    case_of_a_digit = place >= len(line) - 8 and bytes([changed]).lower() == bytes([was])
    if changed != was and not case_of_a_digit and not chr(changed).isspace():
        assert isinstance(result, LineFault)


@given(st.lists(st.integers(1, 40), min_size=1))
def test_lines_are_cut_alike_however_they_arrive(sizes: list[int]) -> None:
    stream = b"".join(vector["line"].encode() for vector in vectors("board_lines.jsonl"))
    stream += b"x" * 200 + b"\n" + b"last\n"
    whole = list(LineCutter().feed(stream))
    cutter, start = LineCutter(), 0
    pieces: list[bytes | LineFault] = []
    while start < len(stream):
        size = sizes[len(pieces) % len(sizes)]
        pieces += list(cutter.feed(stream[start : start + size]))
        start += size
    assert pieces == whole
    assert whole[-2:] == [LineFault.OVERLONG, b"last"]
