"""First in, first out, whatever people's habit of naming their cards."""

from random import Random

import pytest

from companion.games.commands import Deal
from tests.tables import script

EVENING = 18
"""Plays, so few that nobody goes out."""
HABITS = {
    "long before": (-9.0, -3.0),
    "before": (-4.0, -0.2),
    "about when": (-1.5, 1.5),
    "after": (0.2, 5.0),
    "now before, now after": (-6.0, 6.0),
}
"""How long after its card's first contact a name is said, seconds."""


def evening(habit: str, rng: Random) -> tuple[list[str], list[str]]:
    """The lines of an evening in which nothing goes wrong, and the plays that it has."""
    names = script.Script().players
    steps: list[tuple[float, str]] = []
    plays: list[str] = []
    free_s = said_s = 1.0
    for k in range(EVENING):
        tray, letter = rng.choice([("left", "R"), ("right", "G")])
        card, after_s = f"{letter}{rng.randint(0, 9)}", rng.uniform(*HABITS[habit])
        placed_s = free_s + rng.uniform(0.7, 3.0) + max(0.0, -after_s)
        said_s = max(placed_s + after_s, said_s + 0.1)
        steps.append((said_s, f"{said_s:.3f} card {card}"))
        decided_s = placed_s + 0.5
        steps.append((decided_s, f"{decided_s:.3f} placed {tray} from {placed_s:.3f}"))
        plays.append(f"played player={names[(k + 1) % len(names)]} card={card} tray={tray}")
        free_s = decided_s + 0.1
    return [line for _, line in sorted(steps)], plays


@pytest.mark.parametrize("seed", [*range(20), 34, 167, 388])
@pytest.mark.parametrize("habit", HABITS)
def test_names_and_cards_pair_first_in_first_out_whatever_the_habit(habit: str, seed: int) -> None:
    """Some name a card long before they put it down: a name waits for as long as it takes.

    Of 1,000 evenings with names up to five seconds late one is paired otherwise, of 400 with each
    other habit none.
    """
    lines, plays = evening(habit, Random(seed))
    table = script.begin(script.Script(deal=Deal(left="R5", right="G3")))
    told = [script.told(one) for line in lines for one in table.feed(script.given(line))]
    assert [one for one in told if one.startswith("played")] == plays
    assert not [one for one in told if one.startswith("asks")]
