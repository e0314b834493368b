"""The judge's table: every judge watches the same tables, live or from a recorded folder."""

from pathlib import Path

from companion.bench.judge_table import (
    OURS,
    adversities,
    measure,
    total,
    watch,
    watch_folder,
    worst,
)
from companion.bench.report import Report
from sim.baselines import BASELINES
from sim.faults import CATALOGUE
from sim.party import NAMES, Plan
from sim.recording import record

SECONDS = 40.0


def test_a_recorded_table_is_watched_like_a_live_one(tmp_path: Path) -> None:
    """The folder of `tippo simulate` gives the numbers that the table itself gave."""
    seed = 1
    plan = Plan(seed=seed, players=NAMES[: 2 + seed % 5], sps=10, faults=adversities(seed))
    record(plan, tmp_path / "table", minutes=SECONDS / 60)
    live = watch(seed, 10, SECONDS).tallies
    recorded = watch_folder(tmp_path / "table")
    assert set(recorded) == {OURS, *BASELINES}
    for name, tally in recorded.items():
        assert (tally.rows, tally.placings) == (live[name].rows, live[name].placings)


def test_all_adversities_have_their_turn() -> None:
    """But what the judge cannot know: trays that are swapped, and the rules."""
    named = {name for seed in range(len(CATALOGUE)) for name in adversities(seed)}
    assert named == set(CATALOGUE) - {"swapped", "wrong_card"}


def test_the_report_has_each_figure_at_both_rates_with_the_hobby_scripts_beside_it() -> None:
    """Two tables suffice to fill every line."""
    report = Report()
    measure(report, quick=True, tables=2, seconds=20.0)
    payers = [figure for figure in report.figures if figure.name == "wrong payers"]
    assert [figure.area for figure in payers] == ["judge at 80 SPS", "judge at 10 SPS"]
    assert all("switch" in figure.peer and "both" in figure.peer for figure in payers)


def test_the_worst_tables_are_named_by_their_seeds() -> None:
    """Anyone can look at them: a line has the seed, the rate and the adversities."""
    table = watch(2, 10, SECONDS)
    table.tallies[OURS].wrong_payers += 1
    assert worst([table])[0].startswith(f"seed 2 at 10 SPS ({', '.join(adversities(2))}): ")
    assert total([table.tallies[OURS]]).wrong_payers == table.tallies[OURS].wrong_payers
