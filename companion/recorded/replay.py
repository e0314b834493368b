"""Replays a recorded table: the whole pipeline in trace time, as fast as it can.

It writes nothing itself: it gives lines, each a JSON object.
"""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from companion.errors import BadInput
from companion.recorded.files import RecordedTable, read_samples, read_table, read_taps
from companion.scale.judge import Judge
from companion.table.inputs import Heard
from companion.table.outcomes import (
    Answered,
    Asked,
    Began,
    Declined,
    Noticed,
    Outcome,
    Ruled,
)
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Mode, Said, Tap
from companion.units import MonoSeconds
from companion.watching import Watching


def replay(folder: Path, *, notices: bool = False) -> Iterator[dict[str, Any]]:
    """Every line of `tippo replay`: sensed events, rulings and refusals, as they are made.

    With `notices` also what the table says and asks besides.

    Raises:
        BadInput: a file of the recorded table breaks its format.
    """
    for step in replayed(folder):
        yield from lines(step, notices=notices)


def write_replay(folder: Path, out: BinaryIO, *, notices: bool = False) -> None:
    """Writes the lines of `replay`, each at once; raises what it raises."""
    encode = msgspec.json.Encoder().encode
    for line in replay(folder, notices=notices):
        out.write(encode(line) + b"\n")
        out.flush()


def replayed(folder: Path) -> Iterator[Step]:
    """Every step of a recorded table (see `replay`)."""
    recorded = read_table(folder)
    taps = deque(read_taps(folder))
    calibration = recorded.calibration
    judge = None if calibration is None else Judge(calibration)
    watching = Watching(Table(Mode(recorded.mode)), judge)
    begun = False
    if calibration is not None:
        for sample in read_samples(folder, with_deck=calibration.deck is not None):
            if not begun:
                yield from _begin(watching, recorded, sample.mono_s, folder)
                begun = True
            while taps and taps[0].at_s < sample.mono_s:
                yield from watching.tap(taps.popleft())
            yield from watching.read(sample)
    if not begun:
        first_s = taps[0].at_s if taps else MonoSeconds(0.0)
        yield from _begin(watching, recorded, first_s, folder)
    for tap in taps:
        yield from watching.tap(tap)
    yield from watching.finish()


def _begin(
    watching: Watching, recorded: RecordedTable, at_s: MonoSeconds, folder: Path
) -> list[Step]:
    """The start and, with its cards in the trays, the first deal."""
    told: list[Said] = [recorded.start]
    if recorded.deal is not None:
        told.append(recorded.deal)
    steps = [watching.begin_with_start_cards(at_s)] if recorded.deal is not None else []
    for said in told:
        steps += watching.tap(Tap(at_s, said))
    for step in steps:
        for outcome in step.outcomes:
            if isinstance(outcome, Declined):
                raise BadInput(f"{folder / 'table.toml'}: {outcome.refusal.message}")
    return steps


def lines(step: Step, *, notices: bool = False) -> Iterator[dict[str, Any]]:
    """The JSON objects of one step."""
    if isinstance(step.given, Heard):
        yield {"sensed": True, **msgspec.to_builtins(step.given.event)}
    for outcome in step.outcomes:
        line = outcome_line(outcome)
        if notices or isinstance(outcome, Ruled | Declined):
            yield line


def outcome_line(outcome: Outcome) -> dict[str, Any]:
    """An outcome as a JSON object with the time `t` at which it was made."""
    match outcome:
        case Ruled():
            amended = {"amended": True} if outcome.amended else {}
            return {**msgspec.to_builtins(outcome.ruling), **amended, "t": outcome.at_s}
        case Declined():
            refusal = outcome.refusal
            error = {"code": refusal.code.value, "message": refusal.message}
            if refusal.rule is not None:
                error["rule"] = refusal.rule
            return {"error": error, "t": outcome.at_s}
        case Noticed():
            return {"notice": outcome.kind.value, "text": outcome.text, "t": outcome.at_s}
        case Asked():
            return {**_question(outcome), "answers": outcome.question.answers, "t": outcome.at_s}
        case Answered():
            return {**_question(outcome), "answer": outcome.answer, "t": outcome.at_s}
        case Began():
            return {"began": msgspec.to_builtins(outcome.start), "t": outcome.at_s}


def _question(outcome: Asked | Answered) -> dict[str, Any]:
    question = outcome.question
    return {"question": question.number, "doubt": question.doubt.value, "text": question.text}
