"""What really happened at a simulated table, read from the lines of `truth.jsonl`.

It never looks at samples or at what a judge said.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.units import Tray

HANDS_APART_S = 0.6
"""Cards of one tray whose hands leave closer than this may be one event."""
LIABLE = frozenset({"play", "drop"})
"""Cards put down that make a player liable for a spill; so does the draw of one's own turn."""


@dataclass(frozen=True, slots=True)
class TrueCards:
    """Cards that one hand, or several within 0.6 s, moved in or out of a tray."""

    tray: Tray
    begin_s: float
    end_s: float
    """The hand is off."""
    count: int
    by: str | None
    fell: bool = False
    """The scale tipped before the hand was off."""


@dataclass(frozen=True, slots=True)
class TrueAct:
    """An act by which a player becomes liable."""

    at_s: float
    player: str | None
    drawn: bool


@dataclass(frozen=True, slots=True)
class TrueTip:
    begin_s: float
    spill_s: float | None
    """When the first card left; None: a wobble."""
    payer: str | None
    last_s: float
    """The last card that fell, or the end of the wobble."""


@dataclass(frozen=True, slots=True)
class TrueFault:
    name: str
    begin_s: float
    until_s: float
    sensor: str | None


@dataclass(slots=True)
class TableTruth:
    """Everything that a judge is held against at one table."""

    placed: list[TrueCards] = field(default_factory=list)
    removed: list[TrueCards] = field(default_factory=list)
    acts: list[TrueAct] = field(default_factory=list)
    tips: list[TrueTip] = field(default_factory=list)
    faults: list[TrueFault] = field(default_factory=list)
    apart: list[tuple[float, float]] = field(default_factory=list)
    """Between a spill and the next play, or while the trays are cleared: hands are no play."""

    def is_apart(self, at_s: float) -> bool:
        return any(begin <= at_s <= end for begin, end in self.apart)


def read_truth(lines: Iterable[Mapping[str, Any]], until_s: float) -> TableTruth:
    """The truth up to `until_s`, where the trace ends; `lines` are those of `truth.jsonl`."""
    ordered = sorted(lines, key=lambda line: float(line["t"]))
    truth = TableTruth(apart=_apart(ordered, until_s))
    tips = [line for line in ordered if line["truth"] == "tip"]
    ends = {float(line["tip"]): line for line in ordered if line["truth"] in ("wobble", "spill")}
    for line in tips:
        end = ends.get(float(line["t"]))
        if end is not None:
            truth.tips.append(_tip(line, end))
    truth.acts = _acts(ordered)
    truth.placed = _grouped(_moves(truth, ordered, "placed"))
    truth.removed = _grouped(_moves(truth, ordered, "removed") + _slid(truth, ordered))
    truth.faults = [
        TrueFault(line["name"], line["t"], line["until"], line.get("sensor"))
        for line in ordered
        if line["truth"] == "adversity"
    ]
    return truth


def _tip(line: Mapping[str, Any], end: Mapping[str, Any]) -> TrueTip:
    spilled = end["truth"] == "spill"
    return TrueTip(
        begin_s=float(line["t"]),
        spill_s=float(end["t"]) if spilled else None,
        payer=end.get("payer"),
        last_s=float(end.get("last", end["t"])),
    )


def _apart(lines: list[Mapping[str, Any]], until_s: float) -> list[tuple[float, float]]:
    """From each spill to the hand that put the last card back; around each dealing."""
    apart: list[tuple[float, float]] = []
    spilled: float | None = None
    for line in lines:
        at, kind = float(line["t"]), line["truth"]
        if kind == "spill" and spilled is None:
            spilled = at
        elif kind in ("placed", "removed") and line["act"] == "deal":
            apart.append((at - 2.0, float(line.get("let_go", at)) + 2.0))
        elif kind == "act" and line["do"] == "reset" and spilled is not None:
            apart.append((spilled, at))
            spilled = None
    if spilled is not None:
        apart.append((spilled, until_s))
    return apart


def _acts(lines: list[Mapping[str, Any]]) -> list[TrueAct]:
    acts = []
    for i, line in enumerate(lines):
        if line["truth"] == "act" and line["do"] == "draw":
            taken = next((n for n in lines[i:] if n["truth"] == "drawn"), None)
            acts.append(TrueAct(float(line["t"]), taken and taken["player"], drawn=True))
    acts += [
        TrueAct(float(line["t"]), line["by"], drawn=False)
        for line in lines
        if line["truth"] == "placed" and line["act"] in LIABLE
    ]
    return sorted(acts, key=lambda act: act.at_s)


def _moves(truth: TableTruth, lines: list[Mapping[str, Any]], kind: str) -> list[TrueCards]:
    moves = []
    for line in lines:
        at = float(line["t"])
        if line["truth"] != kind or truth.is_apart(at):
            continue
        end = line.get("let_go")
        tipped = [tip.begin_s for tip in truth.tips if at <= tip.begin_s <= (end or at + 1.0)]
        moves.append(
            TrueCards(
                Tray(line["tray"]),
                at,
                tipped[0] if end is None and tipped else float(end or at),
                line["count"],
                line.get("by"),
                fell=bool(tipped),
            )
        )
    return moves


def _slid(truth: TableTruth, lines: list[Mapping[str, Any]]) -> list[TrueCards]:
    return [
        TrueCards(Tray(line["tray"]), float(line["t"]), float(line["t"]), len(line["cards"]), None)
        for line in lines
        if line["truth"] == "slid" and not truth.is_apart(float(line["t"]))
    ]


def _grouped(moves: list[TrueCards]) -> list[TrueCards]:
    """Moves of one tray whose hands leave within 0.6 s of each other as one."""
    groups: list[TrueCards] = []
    for move in sorted(moves, key=lambda move: move.end_s):
        last = next((g for g in reversed(groups) if g.tray is move.tray), None)
        if last is not None and move.end_s - last.end_s < HANDS_APART_S:
            groups[groups.index(last)] = TrueCards(
                last.tray,
                min(last.begin_s, move.begin_s),
                move.end_s,
                last.count + move.count,
                move.by,
                fell=last.fell or move.fell,
            )
        else:
            groups.append(move)
    return groups
