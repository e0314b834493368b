"""What really happened at a simulated table, read from the lines of `truth.jsonl`.

It never looks at samples or at what a judge said.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion.events import FaultKind, Sensor
from companion.units import Tray

HANDS_APART_S = 0.6
"""Cards of one tray whose hands leave closer than this may be one event."""
NOTICED_S = 1.0
"""How soon a fault must be noticed once it can be known."""
SETTLING_S = 6.0
"""After a fault: what has changed in the meantime comes to light."""
FAULTS: Mapping[str, tuple[frozenset[FaultKind], float]] = MappingProxyType(
    {
        "saturation": (frozenset({FaultKind.SATURATED}), 0.4),
        "all_ones": (frozenset({FaultKind.SATURATED}), 0.4),
        "constant_zero": (frozenset({FaultKind.STUCK}), 2.0),
        "constant": (frozenset({FaultKind.STUCK}), 2.0),
        "always_ready": (frozenset({FaultKind.DESYNC, FaultKind.STUCK}), 1.0),
        "silence": (frozenset({FaultKind.SILENT}), 1.0),
        "switch_closed": (frozenset({FaultKind.STUCK}), 13.0),
        "switch_open": (frozenset(), 0.0),
        "no_switch": (frozenset(), 0.0),
        "late_bursts": (frozenset(), 0.0),
        "gaps": (frozenset(), 0.0),
    }
)
"""Adversities that blind a sensor: what it is called, and after how long it can be known."""
SHORT_GAP_S = 0.5
"""A shorter hole is no silence at any rate (docs/protocol.md), and blinds nobody."""
UNDECIDED_S = 3.0
"""What falls so shortly before the end of a trace nobody has decided yet."""
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
    """A spell in which a sensor could not be trusted."""

    begin_s: float
    until_s: float
    sensor: Sensor | None
    """None: all of them, the link to the board."""
    kinds: frozenset[FaultKind]
    """Empty: too little to be a fault that must be reported."""
    known_after_s: float

    @property
    def must_be_told(self) -> bool:
        return bool(self.kinds) and self.until_s - self.begin_s > self.known_after_s + NOTICED_S

    def covers(self, sensor: Sensor, begin_s: float, end_s: float) -> bool:
        """True if `sensor` was blind at some moment from `begin_s` to `end_s`, or still settles."""
        mine = self.sensor in (None, sensor)
        return mine and self.begin_s - HANDS_APART_S < end_s and begin_s < self.until_s + SETTLING_S


@dataclass(slots=True)
class TableTruth:
    """Everything that a judge is held against at one table."""

    placed: list[TrueCards] = field(default_factory=list)
    removed: list[TrueCards] = field(default_factory=list)
    acts: list[TrueAct] = field(default_factory=list)
    tips: list[TrueTip] = field(default_factory=list)
    faults: list[TrueFault] = field(default_factory=list)
    blind: bool = False
    """No working switch for the whole evening."""
    apart: list[tuple[float, float]] = field(default_factory=list)
    """Between a spill and the next play, or while the trays are cleared: hands are no play."""

    def is_blind(self, begin_s: float, end_s: float, *sensors: Sensor) -> bool:
        """True if one of the sensors could not be trusted at some moment in between."""
        if self.blind and Sensor.TILT in sensors:
            return True
        return any(f.covers(s, begin_s, end_s) for f in self.faults for s in sensors)

    def is_apart(self, at_s: float) -> bool:
        return any(begin <= at_s <= end for begin, end in self.apart)


def read_truth(lines: Iterable[Mapping[str, Any]], until_s: float) -> TableTruth:
    """The truth up to `until_s`, where the trace ends; `lines` are those of `truth.jsonl`."""
    ordered = sorted(lines, key=lambda line: float(line["t"]))
    truth = TableTruth(apart=_apart(ordered, until_s), faults=_faults(ordered, until_s))
    truth.blind = any(line.get("name") == "no_switch" for line in ordered)
    tips = [line for line in ordered if line["truth"] == "tip"]
    ends = {float(line["tip"]): line for line in ordered if line["truth"] in ("wobble", "spill")}
    for line in tips:
        end = ends.get(float(line["t"]))
        if end is not None:
            truth.tips.append(_tip(line, end))
            if truth.tips[-1].last_s > until_s - UNDECIDED_S:
                truth.apart.append((truth.tips[-1].begin_s, until_s))
    truth.acts = _acts(ordered)
    truth.placed = _grouped(_moves(truth, ordered, "placed"))
    truth.removed = _grouped(_moves(truth, ordered, "removed") + _slid(truth, ordered))
    return truth


def _faults(lines: list[Mapping[str, Any]], until_s: float) -> list[TrueFault]:
    faults = []
    for line in lines:
        if line["truth"] == "adversity" and line["name"] in FAULTS:
            kinds, known_after_s = FAULTS[line["name"]]
            sensor = Sensor(line["sensor"]) if "sensor" in line else None
            end_s = min(float(line["until"]), until_s)
            if line["name"] == "gaps" and end_s - float(line["t"]) < SHORT_GAP_S:
                continue
            faults.append(TrueFault(float(line["t"]), end_s, sensor, kinds, known_after_s))
    return faults


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
            player = None if taken is None else taken["player"]
            acts.append(TrueAct(float(line["t"]), player, drawn=True))
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
