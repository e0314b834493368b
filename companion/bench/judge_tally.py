"""Counts how a judge's events differ from what really happened, over any number of tables.

It never judges by itself: a card that nobody can be sure of is a question, as the table asks it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from companion.bench.judge_truth import NOTICED_S as FAULT_NOTICED_S
from companion.bench.judge_truth import TableTruth, TrueAct, TrueCards, TrueTip
from companion.events import Fault, FaultKind, Placed, Removed, Sensed, Sensor, Spill, Tip, Wobble

NEAR_S = 1.2
"""An event further than this from everything that happened is invented."""
NOTICED_S = 1.0
"""A spill may be told as begun this much before or after its first card left."""


@dataclass(slots=True)
class Tally:
    """What a judge got right and wrong; tallies of several tables add up."""

    tables: int = 0
    rows: int = 0
    seconds: float = 0.0
    """The judge's own time."""
    placings: int = 0
    placed_missed: int = 0
    placed_invented: int = 0
    placed_miscounted: int = 0
    removals: int = 0
    removed_missed: int = 0
    removed_invented: int = 0
    removed_miscounted: int = 0
    spills: int = 0
    spills_missed: int = 0
    spills_invented: int = 0
    blind_spills: int = 0
    """Spills beside a sensor that could not be trusted; the other numbers leave them out."""
    blind_spills_missed: int = 0
    wobbles: int = 0
    wobbles_called_spills: int = 0
    wrong_payers: int = 0
    questions: int = 0
    faults: int = 0
    faults_in_time: int = 0
    faults_invented: int = 0
    placed_after_s: list[float] = field(default_factory=list)
    """From letting go of a card to `placed`."""
    spill_after_s: list[float] = field(default_factory=list)
    """From the first card's leaving to the verdict."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            *(getattr(self, item.name) + getattr(other, item.name) for item in fields(Tally))
        )

    @property
    def severity(self) -> int:
        """How bad a table went: a wrong payer is what nobody forgives."""
        return (
            100 * self.wrong_payers
            + 50 * (self.spills_missed + self.spills_invented)
            + 10 * (self.placed_missed + self.placed_invented + self.placed_miscounted)
            + 5 * (self.removed_missed + self.removed_invented + self.removed_miscounted)
            + 3 * (self.faults - self.faults_in_time + self.faults_invented)
            + self.questions
        )


def tallied(truth: TableTruth, events: Sequence[Sensed], taps: Sequence[TrueAct] = ()) -> Tally:
    """Holds `events` against `truth`.

    `taps` are the acts as people tapped them: all that is known of plays where no `Placed` is
    ever sensed.
    """
    tally = Tally(tables=1)
    acts = _placed(tally, truth, events)
    _removed(tally, truth, events)
    _tips(tally, truth, events, taps or acts)
    _faults(tally, truth, events)
    return tally


def _distance(event: Placed | Removed, cards: TrueCards) -> float:
    if event.tray is not cards.tray:
        return NEAR_S + 1.0
    return max(cards.begin_s - event.began_s, event.began_s - cards.end_s, 0.0)


def _matched(
    cards: Sequence[TrueCards], events: Sequence[Placed] | Sequence[Removed]
) -> tuple[list[list[Placed | Removed]], list[Placed | Removed]]:
    """For each of `cards` its events, and the events that belong to none."""
    mine: list[list[Placed | Removed]] = [[] for _ in cards]
    stray: list[Placed | Removed] = []
    for event in events:
        at = min(range(len(cards)), key=lambda i: _distance(event, cards[i]), default=None)
        if at is None or _distance(event, cards[at]) > NEAR_S:
            stray.append(event)
        else:
            mine[at].append(event)
    return mine, stray


def _placed(tally: Tally, truth: TableTruth, events: Sequence[Sensed]) -> list[TrueAct]:
    """Counts placings; returns the acts that the table would have known of, with their players."""
    sensed = [
        event for event in events if isinstance(event, Placed) and not truth.is_apart(event.began_s)
    ]
    mine, stray = _matched(truth.placed, sensed)
    stray = [event for event in stray if not _came_to_light(truth, event)]
    acts = [act for act in truth.acts if act.drawn]
    tally.questions += sum(not event.sure for event in sensed)
    for cards, found in zip(truth.placed, mine, strict=True):
        if _unseen(truth, cards):
            acts.append(TrueAct(cards.begin_s, cards.by, drawn=False))
            continue
        tally.placings += 1
        if not found:
            tally.placed_missed += 1
            continue
        counted = sum(event.count for event in found)
        certain = all(isinstance(event, Placed) and event.sure for event in found)
        tally.placed_miscounted += certain and counted != cards.count and not cards.fell
        tally.placed_after_s.append(found[-1].decided_s - cards.end_s)
        if cards.by is not None:
            acts.append(TrueAct(found[0].began_s, cards.by, drawn=False))
    for event in stray:
        if isinstance(event, Placed) and event.sure:
            tally.placed_invented += 1
            nobody = next((a.player for a in truth.acts if a.at_s > event.began_s), None)
            acts.append(TrueAct(event.began_s, nobody, drawn=False))
    return acts


def _unseen(truth: TableTruth, cards: TrueCards) -> bool:
    """The tray's cell could not be trusted while they were moved."""
    return truth.is_blind(cards.begin_s, cards.end_s, Sensor(cards.tray.value))


def _came_to_light(truth: TableTruth, event: Placed | Removed) -> bool:
    """A change that happened while the cell could not be trusted, told after it recovered."""
    sensor = Sensor(event.tray.value)
    return any(
        fault.covers(sensor, event.began_s, event.decided_s)
        and any(
            cards.tray is event.tray and fault.covers(sensor, cards.begin_s, cards.end_s)
            for cards in (*truth.placed, *truth.removed)
        )
        for fault in truth.faults
    )


def _removed(tally: Tally, truth: TableTruth, events: Sequence[Sensed]) -> None:
    sensed = [
        event
        for event in events
        if isinstance(event, Removed) and not truth.is_apart(event.began_s)
    ]
    mine, stray = _matched(truth.removed, sensed)
    tally.removed_invented += sum(not _came_to_light(truth, event) for event in stray)
    for cards, found in zip(truth.removed, mine, strict=True):
        if _unseen(truth, cards):
            continue
        tally.removals += 1
        if not found:
            tally.removed_missed += 1
        elif sum(event.count for event in found) != cards.count:
            tally.removed_miscounted += 1


def _tips(
    tally: Tally, truth: TableTruth, events: Sequence[Sensed], acts: Sequence[TrueAct]
) -> None:
    verdicts = [event for event in events if isinstance(event, Spill | Wobble)]
    tips = [event for event in events if isinstance(event, Tip)]
    ends = dict(zip((id(tip) for tip in tips), verdicts, strict=False))
    owners = {id(event): _nearest(truth, event) for event in tips}
    for at, tip in enumerate(truth.tips):
        if truth.is_apart(tip.begin_s):
            continue
        near = [event for event in tips if owners[id(event)] == at]
        said = [ends[id(event)] for event in near if id(event) in ends]
        spills = [event for event in said if isinstance(event, Spill)]
        tally.questions += sum(not event.sure for event in spills)
        if tip.spill_s is None:
            tally.wobbles += 1
            tally.wobbles_called_spills += any(event.sure for event in spills)
        elif truth.is_blind(tip.begin_s, tip.last_s, Sensor.LEFT, Sensor.RIGHT, Sensor.TILT):
            tally.blind_spills += 1
            tally.blind_spills_missed += not spills
        else:
            _spill(tally, tip, spills, acts)
    for event in tips:
        if owners[id(event)] is None and not truth.is_apart(event.began_s):
            tally.spills_invented += isinstance(ends.get(id(event)), Spill)


def _nearest(truth: TableTruth, event: Tip) -> int | None:
    """Which of the true tips this one is; a beam that comes back may tip again within moments."""
    near = [
        (abs(event.began_s - tip.begin_s), at)
        for at, tip in enumerate(truth.tips)
        if tip.begin_s - NOTICED_S < event.began_s < max(tip.last_s, tip.spill_s or 0.0) + NOTICED_S
    ]
    return min(near)[1] if near else None


def _spill(tally: Tally, tip: TrueTip, spills: Sequence[Spill], acts: Sequence[TrueAct]) -> None:
    tally.spills += 1
    if not spills or tip.spill_s is None:
        tally.spills_missed += 1
        return
    first = spills[0]
    tally.spill_after_s.append(first.decided_s - tip.spill_s)
    known = [act for act in acts if act.at_s <= first.began_s]
    payer = max(known, key=lambda act: act.at_s).player if known else None
    tally.wrong_payers += payer != tip.payer


def _faults(tally: Tally, truth: TableTruth, events: Sequence[Sensed]) -> None:
    """A fault that nothing explains is invented; noise is told apart by its own figure."""
    faults = [event for event in events if isinstance(event, Fault)]
    tally.faults_invented += sum(
        event.kind is not FaultKind.NOISY
        and not any(f.covers(event.sensor, event.decided_s, event.decided_s) for f in truth.faults)
        for event in faults
    )
    for true in truth.faults:
        if not true.must_be_told:
            continue
        tally.faults += 1
        latest_s = true.begin_s + true.known_after_s + FAULT_NOTICED_S
        tally.faults_in_time += any(
            event.sensor is true.sensor
            and event.kind in true.kinds
            and true.begin_s <= event.decided_s <= latest_s
            for event in faults
        )
