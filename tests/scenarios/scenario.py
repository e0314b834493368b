"""Rules as texts: a promise, commands, and what the referee's answers must hold.

    # T11: A matching Stop card may not go on the only visible Stop.
    {"do": "play", "card": "R3!", "tray": "left"}
    => {"error": {"code": "tray_stopped", "rule": "T11"}}

The first line names the rules (from the rules of the house, or P and a number for the fine print
of the protocol) and promises one thing. Every other line is a command for the referee's stream,
a remark (`#`), or `=>` with a part of the answer to the command above it: an object matches if
all its fields do, a list if it is as long and all its entries match, anything else if it is
equal. A command without `=>` must be accepted. This module never judges anything itself.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.games.stream import Stream

HERE = Path(__file__).parent
_FIRST = re.compile(r"# ((?:[UTCHRP]\d+)(?:, [UTCHRP]\d+)*): (\S.*\.)")


@dataclass(frozen=True)
class Step:
    line: int
    command: str
    wanted: tuple[Any, ...]


@dataclass(frozen=True)
class Scenario:
    path: Path
    rules: tuple[str, ...]
    promise: str
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


def read(path: Path) -> Scenario:
    """The scenario in a file; a ValueError names the line that breaks the format."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    head = _FIRST.fullmatch(first)
    if head is None:
        raise ValueError(f"{path}:1: must be `# RULE: one sentence.`")
    rules = tuple(head[1].split(", "))
    if not path.name.startswith(f"{rules[0]}_"):
        raise ValueError(f"{path}: the name must begin with {rules[0]}_")
    steps: list[Step] = []
    for number, line in enumerate(lines, start=2):
        if line.startswith("=>"):
            if not steps:
                raise ValueError(f"{path}:{number}: nothing was commanded yet")
            last = steps.pop()
            wanted = json.loads(line.removeprefix("=>"))
            steps.append(Step(last.line, last.command, (*last.wanted, wanted)))
        elif line.strip() and not line.startswith("#"):
            steps.append(Step(number, line, ()))
    return Scenario(path, rules, head[2], tuple(steps))


def everything() -> list[Scenario]:
    return [read(path) for path in sorted(HERE.glob("*/*.scenario"))]


def play(scenario: Scenario) -> None:
    """Plays a scenario through a stream; an AssertionError shows the line and the difference."""
    stream = Stream()
    for step in scenario.steps:
        given = stream.answer(step.command.encode())
        assert given is not None
        answer = json.loads(given[0])
        where = f"{scenario.path}:{step.line}: {step.command}"
        if not step.wanted:
            assert answer["ok"], f"{where}\nwas refused: {answer['error']}"
        for wanted in step.wanted:
            wrong = list(differences(wanted, answer))
            assert not wrong, "\n  ".join([where, *wrong, json.dumps(answer)])


def differences(wanted: Any, given: Any, path: str = "") -> Iterator[str]:
    """Where an answer does not hold what is wanted, each with its path."""
    if isinstance(wanted, dict) and isinstance(given, dict):
        for key, value in wanted.items():
            if key not in given:
                yield f"{path}.{key} is missing"
            else:
                yield from differences(value, given[key], f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(given, list) and len(wanted) == len(given):
        for index, value in enumerate(wanted):
            yield from differences(value, given[index], f"{path}[{index}]")
    elif type(wanted) is not type(given) or wanted != given:
        yield f"{path} is {json.dumps(given)}, not {json.dumps(wanted)}"
