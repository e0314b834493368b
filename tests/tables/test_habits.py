"""First in, first out, whatever people's habit of naming their cards."""

from dataclasses import dataclass
from random import Random

import pytest

from companion.games.commands import Deal
from companion.games.rulings import Played, Spill
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


@dataclass(frozen=True)
class Fall:
    """The scale falls while card number `at` is in a hand, or by that card, which nobody feels."""

    at: int
    by_it: bool
    said_s: float
    """So long before the fall the card is named."""

    def lines(self, fell_s: float) -> list[tuple[float, str]]:
        """What the scale says of it, and people of the reset."""
        return [
            (fell_s + 0.7, f"{fell_s + 0.7:.3f} tip left from {fell_s:.3f}"),
            (fell_s + 1.4, f"{fell_s + 1.4:.3f} spill left from {fell_s + 0.8:.3f}"),
            (fell_s + 8.0, f'{fell_s + 8.0:.3f} tap {{"do": "reset"}}'),
        ]


def fallen(after_s: tuple[float, float], fall: Fall, rng: Random) -> tuple[list[str], list[str]]:
    """The lines of an evening with a fall, and its plays and the spill as they really were.

    All play red into one tray, so that the rules never tell one card from another.
    """
    names = script.Script().players
    steps: list[tuple[float, str]] = []
    truth: list[str] = []
    free_s = said_s = 1.0
    for k in range(EVENING):
        card, delay_s = f"R{rng.randint(0, 9)}", rng.uniform(*after_s)
        placed_s = free_s + rng.uniform(3.0, 6.0) + max(0.0, -delay_s)
        said_s = max(placed_s + delay_s, said_s + 0.1)
        play = f"{names[(k + 1) % len(names)]} {card} left"
        if k == fall.at:
            fell_s = free_s + 4.0
            said_s, placed_s = fell_s - fall.said_s, fell_s + rng.uniform(9.0, 12.0)
            steps += fall.lines(fell_s)
            payer = names[(k + fall.by_it) % len(names)]
            truth += [play, f"spill {payer}"] if fall.by_it else [f"spill {payer}", play]
        else:
            truth.append(play)
        steps.append((said_s, f"{said_s:.3f} card {card}"))
        free_s = placed_s + 0.6
        if k != fall.at or not fall.by_it:
            steps.append((placed_s + 0.5, f"{placed_s + 0.5:.3f} placed left from {placed_s:.3f}"))
    return [line for _, line in sorted(steps)], truth


def standing(lines: list[str]) -> list[str]:
    """What the table takes to have happened in the end."""
    table = script.begin(script.Script(deal=Deal(left="R5", right="G3")))
    for line in lines:
        table.feed(script.given(line))
    return [
        f"{ruling.player} {ruling.card} {ruling.tray}"
        if isinstance(ruling, Played)
        else f"spill {ruling.by}"
        for entry in table.entries
        for ruling in entry.rulings
        if isinstance(ruling, Played | Spill)
    ]


@pytest.mark.parametrize("at", [2, 5, 9])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("after_s", [(0.1, 2.0), HABITS["about when"]])
def test_a_named_card_that_tipped_the_scale_unseen_shifts_no_name_however_early(
    after_s: tuple[float, float], at: int, seed: int
) -> None:
    """Nothing is known yet of how people name their cards: what follows shows it."""
    rng = Random(seed)
    lines, truth = fallen(after_s, Fall(at, by_it=True, said_s=rng.uniform(0.1, 0.8)), rng)
    assert standing(lines) == truth


@pytest.mark.parametrize("at", [2, 5, 9])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("habit", ["long before", "before", "about when"])
def test_a_card_that_was_named_before_the_scale_fell_by_itself_keeps_its_name(
    habit: str, at: int, seed: int
) -> None:
    rng = Random(seed)
    fall = Fall(at, by_it=False, said_s=rng.uniform(0.1, 2.9))
    lines, truth = fallen(HABITS[habit], fall, rng)
    assert standing(lines) == truth
