"""Whole simulated evenings through judge and table: every payer, play and score as in the truth."""

from pathlib import Path

import pytest

from companion.bench.tables import compare
from sim.party import NAMES, Plan
from sim.recording import record

EVENINGS = [
    # seed, people, samples a second, mode
    (103, 6, 10, "quick"),
    (201, 3, 10, "full"),
    (202, 4, 10, "full"),
    (204, 2, 10, "full"),
    (18, 2, 80, "quick"),
    (31, 6, 10, "quick"),
    (78, 8, 80, "full"),
    (26, 10, 80, "quick"),  # a card beside a tray that still swings from a wobble
    (45, 2, 10, "full"),  # the cell of the other tray shows a card first
    (165, 5, 80, "quick"),  # a card that is let down lightly tips the scale
    (313, 9, 80, "quick"),  # a tray that stands still for a moment while the beam swings
    (438, 8, 80, "full"),  # a card in one tray swings the other one, then the scale falls by itself
    (61, 9, 80, "quick"),  # seven resets with long drifts and leaning beams between them
]


@pytest.mark.parametrize(("seed", "people", "sps", "mode"), EVENINGS)
def test_an_ordinary_evening_is_refereed_as_the_truth_is(
    tmp_path: Path, seed: int, people: int, sps: int, mode: str
) -> None:
    """Every spill's payer, every play and the scores of a round: as a perfect referee's."""
    plan = Plan(seed=seed, players=NAMES[:people], sps=sps, mode=mode, rounds=1)
    record(plan, tmp_path / "evening")
    compared = compare(tmp_path / "evening", seed)
    assert compared.payers[1] == compared.payers[0]
    assert compared.plays[1] == compared.plays[0]
    assert compared.scores[1] == compared.scores[0]
