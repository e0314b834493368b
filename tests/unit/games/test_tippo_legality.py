"""What may lie on what in Tippo, and in which words it may not."""

import pytest
from msgspec.structs import replace

from companion.games.cards import parse
from companion.games.commands import Play, Start
from companion.games.referee import Accepted, Phase
from companion.games.registry import referee
from companion.games.rulings import TrayStatus
from companion.games.tippo.legality import awaiting_colour, fits, trays_for
from companion.games.tippo.state import TippoState, TrayState, stops
from companion.units import Tray


def empty(**options: str) -> TippoState:
    """A table before its first deal."""
    begun = referee("tippo").start(Start(game="tippo", players=("Ann", "Bob"), options={**options}))
    assert isinstance(begun, Accepted)
    state: TippoState = begun.state
    return state


def lying(left: str, right: str, **options: str) -> TippoState:
    """A table with one card in each tray; `W=G` is a Wild that has been named green."""
    trays = []
    for text in (left, right):
        name, _, colour = text.partition("=")
        card = parse(name)
        trays.append(TrayState((card,), parse(f"{colour}0").colour if colour else card.colour))
    both = stops(*trays)
    return replace(empty(**options), left=both[0], right=both[1])


@pytest.mark.parametrize(
    ("left", "right", "card", "said"),
    [
        # Colour, number, symbol.
        ("R5", "G1", "R9", ""),
        ("R5", "G1", "B5", ""),
        ("Rskip", "G1", "Bskip", ""),
        ("R5", "G1", "B9", "The blue 9 matches neither the colour nor the number of the red 5"),
        ("R5", "G1", "B+2", "The blue Draw Two matches neither the colour nor the symbol of"),
        ("R+2", "G1", "B9", "The blue 9 matches neither the colour nor the symbol of the red Draw"),
        ("R+2", "G1", "Bskip", "neither the colour nor the symbol of the red Draw Two"),
        # Wilds and unnamed cards, above and below.
        ("R5", "G1", "W", ""),
        ("R5", "G1", "?", ""),
        ("?", "G1", "B+2", ""),
        ("W=G", "B1", "G9", ""),
        ("W=G", "B1", "B9", "The blue 9 is not green, the colour named for the Wild in the left"),
        ("W", "B1", "B9", "The blue 9 must wait for the colour of the Wild in the left tray"),
        # Stops: a number card and a Stop card of the same number match.
        ("R3!", "G1", "R3", "The red 3 Stop card stops the left tray: only a wild can go there, "),
        ("R3!", "G1", "R4!", "only a wild can go there, not the red 4 Stop card (T11)."),
        ("R3!", "G1", "?", "only a wild can go there, not the unnamed card (T11)."),
        ("R3!", "G1", "Tilt", ""),
        ("R3!", "G4!", "B3!", ""),
        ("R3!", "G4!", "R+2", ""),
        ("R3!", "G4!", "R3", "The red 3 is no Stop card and cannot cover the red 3 Stop card in"),
        ("R3!", "G4!", "?", "The unnamed card is no Stop card and cannot cover the red 3 Stop "),
        ("R3!", "G4!", "B4", "neither the colour nor the number of the red 3 Stop card"),
        ("R3", "G4!", "B3!", ""),
    ],
)
def test_a_card_fits_or_it_is_said_why_not(left: str, right: str, card: str, said: str) -> None:
    """T8, T11, T12."""
    wrong = fits(lying(left, right), parse(card), Tray.LEFT)
    assert (wrong is None) is (not said)
    assert wrong is None or said in wrong.message


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("R4!", ""),
        ("B3!", ""),
        ("R3", "only a wild or a matching Stop card can go there, not the red 3 (T11)."),
        ("B4!", "The blue 4 Stop card matches neither the colour nor the number of the red 3 Stop"),
    ],
)
def test_by_house_rule_a_matching_stop_may_lie_on_the_only_one(card: str, said: str) -> None:
    """T11."""
    wrong = fits(lying("R3!", "G1", stop_on_stopped="yes"), parse(card), Tray.LEFT)
    assert (wrong is None) is (not said)
    assert wrong is None or said in wrong.message


@pytest.mark.parametrize(
    ("card", "trays"), [("R1", "left"), ("G9", "right"), ("R9", ""), ("W", "left right")]
)
def test_a_card_may_lie_in_each_tray_in_which_it_fits(card: str, trays: str) -> None:
    """T7."""
    assert trays_for(lying("B1", "G5"), parse(card)) == tuple(map(Tray, trays.split()))


@pytest.mark.parametrize("card", ["R1", "R3!", "Gskip", "W", "?"])
def test_anything_may_lie_where_nothing_lies_yet(card: str) -> None:
    assert trays_for(empty(), parse(card)) == tuple(Tray)
    assert not awaiting_colour(empty())
    assert empty().left.top is None


@pytest.mark.parametrize(
    ("left", "right", "rules"),
    [
        ("R4", "G1", [(("left", False), None)]),
        ("R4", "G1!", [(("right", True), "T15")]),
        ("R4!", "G1!", []),
    ],
)
def test_a_stop_that_is_played_says_by_which_rule_a_tray_opens(
    left: str, right: str, rules: list[tuple[tuple[str, bool], str | None]]
) -> None:
    """T15: the first one stops its own tray, as the sheet says; the second opens the other."""
    state = replace(
        lying(left, right), phase=Phase.PLAY, turn="Bob", hands={"Ann": 7, "Bob": 7}, draw_pile=90
    )
    answer = referee("tippo").apply(state, Play(card="R5!", tray="left"))
    assert isinstance(answer, Accepted)
    ruled = [one for one in answer.rulings if isinstance(one, TrayStatus)]
    assert [((one.tray, one.open), one.rule) for one in ruled] == rules
