"""Simulated evenings through judge and table: every payer, play and score as in the truth."""

from pathlib import Path

import pytest

from companion.bench.tables import Compared, compare
from sim.party import NAMES, Plan
from sim.recording import record

WHOLE = [
    # seed, people, samples a second, mode
    (201, 3, 10, "full"),
    (202, 4, 10, "full"),
    (18, 2, 80, "quick"),
]
BROKEN_OFF_S = [
    # and so long they play, until everything has rested for a while after what is told of it
    (103, 6, 10, "quick", 204.0),
    (204, 2, 10, "full", 167.0),
    (78, 8, 80, "full", 120.0),  # a beam that still swings when a card seems to rest
    (26, 10, 80, "quick", 272.0),  # a card beside a tray that still swings from a wobble
    (45, 2, 10, "full", 163.0),  # the cell of the other tray shows a card first
    (165, 5, 80, "quick", 432.0),  # a card that is let down lightly tips the scale
    (438, 8, 80, "full", 242.0),  # a card in one tray swings the other, then the scale falls alone
    (172, 3, 10, "quick", 240.0),  # a card that comes as a creeping beam passes its switch
    (212, 7, 10, "quick", 132.0),  # a creeping beam takes the base of a resting cell along
    (223, 9, 80, "full", 715.0),  # an empty tray beside one that is emptied, its zero long drifted
    (61, 9, 80, "quick", 448.0),  # five resets with long drifts and leaning beams between them
]


@pytest.mark.parametrize(("seed", "people", "sps", "mode"), WHOLE)
def test_an_ordinary_evening_is_refereed_as_the_truth_is(
    tmp_path: Path, seed: int, people: int, sps: int, mode: str
) -> None:
    """Every spill's payer, every play and the scores of a round: as a perfect referee's."""
    compared = replayed(tmp_path / "evening", seed, people, sps, mode)
    assert compared.payers[1] == compared.payers[0]
    assert compared.plays[1] == compared.plays[0]
    assert compared.scores[1] == compared.scores[0] != ()


@pytest.mark.parametrize(("seed", "people", "sps", "mode", "until_s"), BROKEN_OFF_S)
def test_so_is_a_harder_one_up_to_what_was_hard_in_it(
    tmp_path: Path, seed: int, people: int, sps: int, mode: str, until_s: float
) -> None:
    """Each once lost the thread. `make bench` replays evenings by the dozen, to their ends."""
    compared = replayed(tmp_path / "evening", seed, people, sps, mode, until_s)
    assert compared.payers[1] == compared.payers[0] != ()
    assert compared.plays[1] == compared.plays[0]


def replayed(
    folder: Path, seed: int, people: int, sps: int, mode: str, until_s: float | None = None
) -> Compared:
    """An evening of one round, simulated and replayed, beside its truth."""
    plan = Plan(seed=seed, players=NAMES[:people], sps=sps, mode=mode, rounds=1)
    record(plan, folder, minutes=None if until_s is None else until_s / 60.0)
    return compare(folder, seed)
