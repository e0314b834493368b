"""Simulated evenings replayed, each ruling beside the truth: payers, plays and scores.

The truth is only ever compared with; nothing of it reaches the judge or the table.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.bench.report import Report
from companion.games.commands import Start
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.games.rulings import Played, Ruling, Scored, Spill
from companion.recorded.files import read_table
from companion.recorded.replay import replayed
from companion.table.outcomes import Declined, Outcome, Ruled

AREA = "tables replayed"


@dataclass(frozen=True, slots=True)
class Compared:
    """One table: what the truth and the replay say, each in order."""

    seed: int
    payers: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    plays: tuple[tuple[str, ...], tuple[str, ...]]
    scores: tuple[tuple[str, ...], tuple[str, ...]]
    refused: int

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
    unequal = sum(1 for a, b in zip(true, ruled, strict=False) if a != b)
    return unequal + abs(len(true) - len(ruled))


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


def plans(count: int) -> Iterator[tuple[int, int, int, str]]:
    """Seed, players, samples a second and mode of each table: 2-10 people, both rates."""
    for seed in range(count):
        yield seed, 2 + seed % 9, (80, 10)[seed // 9 % 2], ("full", "quick")[seed // 18 % 2]


def tables(count: int, *, rounds: int = 1) -> Iterator[Compared]:
    """Simulates, replays and compares so many tables."""
    from sim.party import NAMES, Plan
    from sim.recording import record

    with tempfile.TemporaryDirectory() as scratch:
        for seed, players, sps, mode in plans(count):
            folder = Path(scratch) / str(seed)
            plan = Plan(seed=seed, players=NAMES[:players], sps=sps, mode=mode, rounds=rounds)
            record(plan, folder)
            yield compare(folder, seed)
            for file in folder.iterdir():
                file.unlink()


def measure(report: Report, *, quick: bool) -> None:
    """Adds the differences over 200 tables of ordinary play (`quick`: 10)."""
    compared = list(tables(10 if quick else 200))
    spills = sum(len(table.payers[0]) for table in compared)
    plays = sum(len(table.plays[0]) for table in compared)
    count = f"{len(compared)} tables"
    report.figure(
        AREA, f"wrong payers in {spills} spills of {count}",
        sum(table.wrong_payers for table in compared), "", aim="0",
    )  # fmt: skip
    report.figure(
        AREA, f"wrong or missing plays of {plays}",
        sum(table.wrong_plays for table in compared), "", aim="0",
    )  # fmt: skip
    report.figure(AREA, "wrong scores", sum(table.wrong_scores for table in compared), "", aim="0")
    for table in compared:
        if table.wrong_payers or table.wrong_plays or table.wrong_scores:
            report.note(
                f"{AREA}: seed {table.seed} differs in {table.wrong_payers} payers, "
                f"{table.wrong_plays} plays, {table.wrong_scores} scores"
            )
