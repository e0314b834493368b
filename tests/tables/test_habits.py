"""First in, first out, whatever people's habit of naming their cards."""

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.commands import Deal
from tests.tables import script

EVENING = 18
"""Plays, so few that nobody goes out."""
HABITS = {
    "long before": st.floats(-9.0, -3.0),
    "before": st.floats(-4.0, -0.2),
    "about when": st.floats(-1.5, 1.5),
    "after": st.floats(0.2, 5.0),
    "now before, now after": st.floats(-6.0, 6.0),
}


@st.composite
def evenings(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """The lines of an evening in which nothing goes wrong, and the plays that it has."""
    names = script.Script().players
    habit = HABITS[draw(st.sampled_from(sorted(HABITS)))]
    steps: list[tuple[float, str]] = []
    plays: list[str] = []
    free_s = said_s = 1.0
    for k in range(EVENING):
        tray, letter = draw(st.sampled_from([("left", "R"), ("right", "G")]))
        card, after_s = f"{letter}{draw(st.integers(0, 9))}", draw(habit)
        thinks_s = draw(st.floats(0.7, 3.0))
        placed_s = free_s + thinks_s + max(0.0, -after_s)
        said_s = max(placed_s + after_s, said_s + 0.1)
        steps.append((said_s, f"{said_s:.3f} card {card}"))
        decided_s = placed_s + 0.5
        steps.append((decided_s, f"{decided_s:.3f} placed {tray} from {placed_s:.3f}"))
        plays.append(f"played player={names[(k + 1) % len(names)]} card={card} tray={tray}")
        free_s = decided_s + 0.1
    return [line for _, line in sorted(steps)], plays


@settings(deadline=None, max_examples=50)  # each is a whole evening
@given(evenings())
def test_names_and_cards_pair_first_in_first_out_whatever_the_habit(
    evening: tuple[list[str], list[str]],
) -> None:
    """Some name a card long before they put it down: a name waits for as long as it takes."""
    lines, plays = evening
    table = script.begin(script.Script(deal=Deal(left="R5", right="G3")))
    told = [script.told(one) for line in lines for one in table.feed(script.given(line))]
    assert [one for one in told if one.startswith("played")] == plays
    assert not [one for one in told if one.startswith("asks")]
