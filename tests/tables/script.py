"""Reads and runs hand-written tables: inputs with their times, and below each what it must answer.

    players Ann Ben Cleo
    named 9
    deal R5 G3
    1.0 card R7
    2.0 placed left from 1.5
      played player=Ben card=R7 tray=left
      turn player=Cleo
      awaits Move

It never knows what is right: the file says so.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from companion.events import (
    Drawn,
    Fault,
    FaultKind,
    Level,
    Placed,
    Recovered,
    Removed,
    Sensed,
    Sensor,
    Spill,
    Tip,
    Wobble,
)
from companion.games.commands import Deal, Start
from companion.table.inputs import Counted, Heard, Input, Passed
from companion.table.outcomes import Answered, Asked, Began, Declined, Noticed, Outcome, Ruled
from companion.table.table import Table
from companion.table.taps import Mode, Tap, decode_said
from companion.units import Grams, MonoSeconds, Tray

CARD_G = Grams(1.8)
_SENSED = frozenset(
    {"placed", "removed", "spill", "level", "tip", "wobble", "drawn", "fault", "recovered"}
)


@dataclass
class Script:
    """A hand-written table."""

    mode: Mode = Mode.FULL
    players: tuple[str, ...] = ("Ann", "Ben", "Cleo")
    options: dict[str, str | int] = field(default_factory=dict)
    game: str = "tippo"
    deal: Deal | None = None
    used_to: int = 0
    """So many red cards went into the left tray before, each named just after: people's habit."""
    steps: list[tuple[str, Input, list[str]]] = field(default_factory=list)


def read(path: Path) -> Script:
    """The script of a file."""
    script = Script()
    for text in path.read_text(encoding="utf-8").splitlines():
        line = text.split("#")[0].rstrip()
        if not line:
            continue
        if line.startswith(" "):
            script.steps[-1][2].append(" ".join(line.split()))
        elif line[0].isdigit():
            script.steps.append((line, given(line), []))
        else:
            _head(script, *line.split())
    return script


def _head(script: Script, word: str, *rest: str) -> None:
    match word:
        case "mode":
            script.mode = Mode(rest[0])
        case "players":
            script.players = rest
        case "game":
            script.game = rest[0]
        case "option":
            script.options[rest[0]] = int(rest[1]) if rest[1].isdigit() else rest[1]
        case "named":
            script.used_to = int(rest[0])
        case "deal":
            script.deal = Deal(left=rest[0], right=rest[1])
        case "top":
            script.deal = Deal(top=rest[0])
        case _:
            raise ValueError(f"unknown head {word!r}")


def given(line: str) -> Input:
    """The input of a line: `t what ...`."""
    time, what, *rest = line.split(maxsplit=2)
    at_s = MonoSeconds(float(time))
    words = rest[0].split() if rest else []
    if what == "tap":
        return Tap(at_s, decode_said(json.loads(rest[0])))
    if what == "step":
        return Passed(at_s, float(words[0]) if words else 0.0)
    if what == "counted":
        return Counted(at_s, int(words[0]), int(words[1]))
    if what in _SENSED:
        return Heard(_event(what, at_s, words))
    return Tap(at_s, decode_said(_fields(what, words)))


def _fields(do: str, words: list[str]) -> dict[str, Any]:
    """`card W G`, `uno Ann`, `draw`, with further fields as name=value."""
    first = {"card": ("card", "colour"), "uno": ("player",), "catch": ("player", "by")}
    names = iter({**first, "colour": ("colour",), "mode": ("mode",)}.get(do, ()))
    fields: dict[str, Any] = {"do": do}
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            fields[name] = int(value) if value.isdigit() else value
        else:
            fields[next(names)] = word
    return fields


def _event(what: str, decided_s: MonoSeconds, words: list[str]) -> Sensed:
    began_s = MonoSeconds(float(words[words.index("from") + 1])) if "from" in words else decided_s
    times: Any = {"began_s": began_s, "decided_s": decided_s}
    sure = "unsure" not in words
    count = next((int(word[1:]) for word in words if word[0] == "x"), 1)
    match what:
        case "placed":
            return Placed(**times, tray=Tray(words[0]), count=count, grams=CARD_G, sure=sure)
        case "removed":
            return Removed(**times, tray=Tray(words[0]), count=count, grams=CARD_G)
        case "spill":
            return Spill(**times, trays=(Tray(words[0]),), lost={Tray(words[0]): 3}, sure=sure)
        case "level":
            return Level(**times, left=int(words[0]), right=int(words[1]))
        case "tip":
            return Tip(**times, side=Tray(words[0]))
        case "wobble":
            return Wobble(**times)
        case "drawn":
            return Drawn(**times, count=count)
        case "fault":
            return Fault(**times, sensor=Sensor(words[0]), kind=FaultKind(words[1]))
        case _:
            return Recovered(**times, sensor=Sensor(words[0]), kind=FaultKind(words[1]))


def begin(script: Script) -> Table:
    """The table with the script's deal in its trays."""
    table = Table(script.mode)
    zero = MonoSeconds(-10.0 * script.used_to)
    table.counted(zero, 1, 1)
    start = Start(game=script.game, players=script.players, options=script.options)
    table.tap(Tap(zero, start))
    if script.deal is not None:
        table.tap(Tap(zero, script.deal))
    for k in range(script.used_to):
        placed_s = zero + 10.0 * k + 5.0
        for line in (f"{placed_s} placed left", f"{placed_s + 1.0} card R{k % 10}"):
            table.feed(given(line))
    return table


def played(script: Script) -> Iterator[tuple[str, list[str], list[str]]]:
    """For each line of the script: the line, what it expects, and what the table answers."""
    table = begin(script)
    for line, one, expected in script.steps:
        answers = [told(outcome) for outcome in table.feed(one)]
        awaits = [text for text in expected if text.startswith("awaits ")]
        if awaits:
            answers.append("awaits " + " ".join(type(a).__name__ for a in table.awaited))
        yield line, expected, answers


def told(outcome: Outcome) -> str:
    """An outcome in one line, without its time and rule."""
    match outcome:
        case Ruled():
            fields = msgspec.to_builtins(outcome.ruling)
            name = fields.pop("ruling")
            fields.pop("rule", None)
            parts = [name, *(f"{key}={_text(value)}" for key, value in fields.items())]
            return " ".join([*parts, "(amended)"] if outcome.amended else parts)
        case Declined():
            return f"{'no longer' if outcome.no_longer else 'refused'} {outcome.refusal.code}"
        case Noticed():
            return f"notice {outcome.kind}"
        case Asked():
            return f"asks {outcome.question.doubt}"
        case Answered():
            return f"{'answered' if outcome.by_tap else 'settled'} {outcome.answer}"
        case Began():
            return "began"


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)
