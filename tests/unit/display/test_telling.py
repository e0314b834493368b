"""A game told in sentences: for the terminal where there is no display, and for the history."""

from typing import Any

import pytest

from companion.display.telling import Line, Teller
from companion.games import rulings
from companion.games.commands import Deal, Meld
from companion.games.rulings import Ruling
from sim.card_table import CardPlan, evening
from sim.party import NAMES


def meld(*table: list[str]) -> Meld:
    return Meld(table=tuple(map(tuple, table)))


SILENT = {rulings.UnoSafe, rulings.ChooseColour, rulings.Dealt, rulings.Turn}
"""What goes without saying."""

SAMPLES: tuple[tuple[Ruling, str], ...] = (
    (rulings.Played(player="Ann", card="R7", tray="left"), "Ann plays the red 7 in the left tray."),
    (rulings.Played(player="Ann", card="?"), "Ann plays a card."),
    (rulings.Steal(player="Ann", victim="Bob", card="R7"), "A steal, with the same card as Bob!"),
    (rulings.Battle(total=4), "The battle stands at 4 cards."),
    (rulings.Battle(total=0), "Battle over."),
    (rulings.TurnLost(player="Bob", reason="skip"), "Bob loses the turn."),
    (rulings.Penalty(player="Bob", count=1, reason="uno"), "Bob draws 1 card as a penalty."),
    (rulings.Left(player="Bob"), "Bob goes home."),
    (rulings.TieBreak(players=("Ann", "Bob"), by="rps"), "Ann and Bob are tied: rock, paper,"),
    (rulings.SuddenDeath(players=("Ann", "Bob")), "Sudden death: Ann and Bob!"),
    (
        rulings.Refused(code="no_match", message="`play` is not possible: x (U12).", rule="U12"),
        "X.",
    ),
    (rulings.GameOver(winner=None, scores={"A": 1}, tied=("A", "B"), shared=True), "A and B share"),
    (rulings.GameOver(winner=None, scores={"A": 1}, tied=("A", "B")), "A and B are tied for first"),
    (rulings.GameOver(winner="A", scores={"A": 1}, tied=("B", "C")), "A has won; B and C play"),
    (rulings.GameOver(winner="A", scores={"A": 1}), "A wins the game! Scores: A 1."),
)


@pytest.mark.parametrize(("ruling", "text"), SAMPLES, ids=lambda value: str(value)[:40])
def test_a_ruling_reads_well(ruling: Ruling, text: str) -> None:
    line = Teller("battle").ruled(ruling)
    assert line is not None
    assert line.text.startswith(text)


@pytest.mark.parametrize("game", ["classic", "battle", "rummy_up"])
def test_every_ruling_of_an_evening_is_told_but_for_what_goes_without_saying(game: str) -> None:
    """And no sentence shows a name that only programs use."""
    teller, told = Teller(game), 0
    for command, accepted in evening(CardPlan(game, 3, NAMES[:3], rounds=2)):
        lines: list[Line | None] = [teller.ruled(ruling) for ruling in accepted.rulings]
        for ruling, line in zip(accepted.rulings, lines, strict=True):
            assert (line is None) == (type(ruling) in SILENT), ruling
        for line in lines:
            if line is not None:
                told += 1
                assert line.text.endswith((".", "!"))
                assert "_" not in line.text
                assert "`" not in line.text
        assert command.do
    assert told > 50


@pytest.mark.parametrize(
    ("game", "deal", "text"),
    [
        (
            "tippo",
            {"left": "R3!", "right": "W"},
            "Turned up: the red 3 Stop card on the left and the Wild on the right.",
        ),
        ("classic", {"top": "B7"}, "Turned up: the blue 7."),
        ("battle", {"top": "G0"}, "Turned up: the green 0."),
        (
            "rummy_up",
            {"table": ("R7", "B12", "W", "G1")},
            "Turned up: the red 7, the blue 12, the wild and the green 1.",
        ),
    ],
)
def test_a_deal_is_told_by_the_cards_that_lie_there(
    game: str, deal: dict[str, Any], text: str
) -> None:
    assert Teller(game).told(Deal(**deal)) == Line(text)


def test_a_meld_is_told_by_the_tiles_that_are_new_on_the_board() -> None:
    teller = Teller("rummy_up")
    teller.ruled(rulings.Turn(player="Ann"))
    assert teller.told(meld(["R7", "R8", "W=R9"])) == Line(
        "Ann lays the red 7, the red 8 and the wild."
    )
    teller.ruled(rulings.Turn(player="Bob"))
    assert teller.told(meld(["R6", "R7", "R8", "W=R9"])) == Line("Bob lays the red 6.")
    teller.ruled(rulings.Dealt(player="Ann", count=14))
    assert teller.told(meld(["R6", "R7", "R8"])) == Line(
        "Bob lays the red 6, the red 7 and the red 8."
    )
