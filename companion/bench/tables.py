"""Simulated evenings replayed, each ruling beside the truth: payers, plays and scores.

The truth is only ever compared with; nothing of it reaches the judge or the table.
"""

import json
import os
import tempfile
import tomllib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from rich.progress import track

from companion.bench.report import Report
from companion.games.commands import Start
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.games.rulings import Played, Ruling, Scored, Spill
from companion.recorded.files import read_table
from companion.recorded.replay import replayed
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.outcomes import Declined, Outcome, Ruled
from companion.table.table import Table
from companion.table.taps import Mode, decode_tap_fields
from companion.units import MonoSeconds
from companion.watching import Watching

AREA = "tables replayed"
QUICK_TABLES, SAMPLED_TABLES, ALL_TABLES = 10, 40, 200
QUICK_LIVE, LIVE = 2, 20
WORST = 10
LOOK_S = 0.1
"""How often people look at the display."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One table: what the truth and the replay say, each in order."""

    seed: int
    payers: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    plays: tuple[tuple[str, ...], tuple[str, ...]]
    scores: tuple[tuple[str, ...], tuple[str, ...]]
    refused: int
    """Cards and taps that the table refused, although people made no wrong move."""

    @property
    def lost(self) -> bool:
        """The table lost the thread: it did not play to the end of the evening."""
        return len(self.scores[1]) < len(self.scores[0])

    @property
    def severity(self) -> int:
        """How bad it went: a wrong payer is what nobody forgives."""
        return 100 * self.wrong_payers + 10 * self.wrong_scores + self.wrong_plays

    @property
    def wrong_payers(self) -> int:
        return _differences(*self.payers)

    @property
    def wrong_plays(self) -> int:
        return _differences(*self.plays)

    @property
    def wrong_scores(self) -> int:
        return _differences(*self.scores)


def _differences(true: tuple[Any, ...], ruled: tuple[Any, ...]) -> int:
    """How many are missing, too many or told otherwise; one too many makes none after it wrong."""
    pieces = SequenceMatcher(None, true, ruled, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in pieces if tag != "equal")


def compare(folder: Path, seed: int) -> Compared:
    """Replays a recorded table that has a `truth.jsonl` beside it."""
    recorded = read_table(folder)
    true = list(true_rulings(folder, recorded.start))
    outcomes = [outcome for step in replayed(folder) for outcome in step.outcomes]
    told = told_in_the_end(outcomes)
    refused = sum(isinstance(outcome, Declined) for outcome in outcomes)
    quick = recorded.mode == "quick"
    return Compared(
        seed,
        (payers_of(true), payers_of(told)),
        (plays_of(true, quick=quick), plays_of(told, quick=quick)),
        (scores_of(true), scores_of(told)),
        refused,
    )


def true_rulings(folder: Path, start: Start) -> Iterator[Ruling]:
    """What a perfect referee rules on the acts of the truth."""
    game = Game.begin(start)
    assert isinstance(game, Game), game
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        if fields.pop("truth") != "act":
            continue
        del fields["t"]
        answer = game.apply(decode_command(fields))
        assert not isinstance(answer, Refusal), (fields, answer)
        game, accepted = answer
        yield from accepted.rulings


def told_in_the_end(outcomes: Iterable[Outcome]) -> list[Ruling]:
    """The rulings that a table was told, each amended one in the place of what it amends."""
    told: list[Ruled] = []
    for outcome in outcomes:
        if not isinstance(outcome, Ruled):
            continue
        place = next((n for n, old in enumerate(told) if _amends(outcome, old)), None)
        if place is None:
            told.append(outcome)
        else:
            told[place] = outcome
    return [outcome.ruling for outcome in told]


def _amends(new: Ruled, old: Ruled) -> bool:
    return new.amended and new.act == old.act and type(new.ruling) is type(old.ruling)


def payers_of(rulings: list[Ruling]) -> tuple[str | None, ...]:
    return tuple(ruling.by for ruling in rulings if isinstance(ruling, Spill))


def plays_of(rulings: list[Ruling], *, quick: bool) -> tuple[str, ...]:
    return tuple(
        f"{ruling.player} {_told_name(ruling.card) if quick else ruling.card} {ruling.tray}"
        for ruling in rulings
        if isinstance(ruling, Played)
    )


def _told_name(card: str) -> str:
    """Quick refereeing does not name number cards."""
    return "?" if len(card) == 2 and card[1].isdigit() else card


def scores_of(rulings: list[Ruling]) -> tuple[str, ...]:
    return tuple(
        f"{ruling.player} {ruling.points} {ruling.total}"
        for ruling in rulings
        if isinstance(ruling, Scored)
    )


def plan_of(seed: int) -> tuple[int, int, int, str]:
    """Seed, players, samples a second and mode of a table: 2-10 people, both rates."""
    return seed, 2 + seed % 9, (80, 10)[seed // 9 % 2], ("full", "quick")[seed // 18 % 2]


def plans(count: int) -> Iterator[tuple[int, int, int, str]]:
    """Those of the first so many tables."""
    return map(plan_of, range(count))


def table(seed: int, players: int, sps: int, mode: str) -> Compared:
    """Simulates, replays and compares one table of `plans`, a round of it."""
    from sim.party import NAMES, Plan
    from sim.recording import record

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / str(seed)
        plan = Plan(seed=seed, players=NAMES[:players], sps=sps, mode=mode, rounds=1)
        record(plan, folder)
        return compare(folder, seed)


def _all(count: int, *, quick: bool) -> Iterator[Compared]:
    if quick:
        for plan in plans(count):
            yield table(*plan)
        return
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        done = workers.map(table, *zip(*plans(count), strict=True))
        yield from track(done, "Replaying tables", total=count)


def measure(report: Report, *, quick: bool, every_table: bool = False) -> None:
    """Adds the differences over tables of ordinary play: 10 (`quick`), 40, or all 200.

    More than 10 run on every core, with a progress bar.
    """
    count = QUICK_TABLES if quick else ALL_TABLES if every_table else SAMPLED_TABLES
    compared = list(_all(count, quick=quick))
    spills = sum(len(table.payers[0]) for table in compared)
    plays = sum(len(table.plays[0]) for table in compared)
    for name, value in (
        (f"wrong payers in {spills} spills", sum(t.wrong_payers for t in compared)),
        (f"wrong or missing plays of {plays}", sum(t.wrong_plays for t in compared)),
        ("wrong scores", sum(t.wrong_scores for t in compared)),
        ("tables not played to their end", sum(t.lost for t in compared)),
        ("cards and taps refused", sum(t.refused for t in compared)),
    ):
        report.figure(AREA, name, value, f"at {count} tables", aim="0")
    live = QUICK_LIVE if quick else LIVE
    report.figure(
        AREA, "taps by which people overrule the display", sum(map(overruled, range(live))),
        f"at {live} live tables", aim="0",
    )  # fmt: skip
    for line in worst(compared):
        report.note(line)


def worst(compared: Iterable[Compared]) -> list[str]:
    """A line for each of the ten tables that went worst, with what it is made from."""
    bad = sorted((one for one in compared if one.severity), key=lambda one: -one.severity)
    return [
        "{}: seed {} ({} people, {} SPS, {}): ".format(AREA, *plan_of(one.seed))
        + f"{one.wrong_payers} wrong payers, {one.wrong_plays} plays, {one.wrong_scores} scores"
        + (", not played to its end" if one.lost else "")
        for one in bad[:WORST]
    ]


def overruled(seed: int) -> int:
    """How many taps people need at a live table to put right what the display has got wrong.

    At a recorded table nobody sees the display; here they look at it, as at a real table.
    """
    from sim.party import NAMES, Party, Plan
    from sim.recording import table_toml

    _, players, sps, mode = plan_of(seed)
    party = Party(Plan(seed=seed, players=NAMES[:players], sps=sps, mode=mode, rounds=1))
    calibration = Calibration.from_toml(tomllib.loads(table_toml(party))["calibration"])
    watching = Watching(Table(Mode(mode)), Judge(calibration))
    watching.begin_with_start_cards(MonoSeconds(0.0))
    for fields in party.opening:
        watching.tap(decode_tap_fields(fields))
    while not party.finished:
        party.advance(party.now_s + LOOK_S)
        taps = deque(decode_tap_fields(fields) for fields in party.taps())
        for row in party.readings():
            while taps and taps[0].at_s < row.mono_s:
                watching.tap(taps.popleft())
            watching.read(row)
        for tap in taps:
            watching.tap(tap)
        if watching.table.game is not None:
            party.look(watching.table.game)
    return party.people.overruled
