"""The games without a scale as people see them: what is asked, by whom, and what came of a turn."""

from random import Random

import pytest

from companion.display.bodies import ChoicesBody, ListBody, PadBody, PileBody
from companion.display.screen import Screen
from companion.display.view import view
from companion.display.wishes import Open, Page
from companion.games import commands
from companion.games.referee import Phase
from companion.table.taps import ModeTap, NextTap, Said
from tests.unit.display.walks import Walk, choices_in

PEOPLE = ("Mia", "Ben", "Oma")
FIVE = commands.Deal(top="R5")


def at(game: str, *told: Said, quick: bool = False) -> Walk:
    one = Walk(PEOPLE, Random(1), game)
    if quick:
        one.say(ModeTap(mode="quick"))
    one.begin()
    for said in told:
        one.say(said)
    assert one.looking.refusal is None, one.looking.refusal
    return one


def shown(one: Walk, *pages: Open) -> Screen:
    looking = one.looking
    for page in pages:
        looking = looking.after(page)
    return view(one.table, looking, one.around)


def labels(screen: Screen) -> list[str]:
    return [action.label for action in screen.actions]


def test_in_quick_classic_a_number_card_is_one_tap_and_only_special_cards_are_named() -> None:
    one = at("classic", FIVE, quick=True)
    screen = shown(one)
    assert isinstance(screen.body, PileBody)
    assert labels(screen) == ["NEXT", "SPECIAL", "DRAW"]
    assert screen.actions[0].touch == NextTap()
    pad = shown(one, Open(Page.PAD)).body
    assert isinstance(pad, PadBody)
    assert pad.keys
    assert all(key.card is not None and key.card.number is None for key in pad.keys)


def test_after_a_draw_in_quick_classic_people_say_whether_the_card_was_kept() -> None:
    """U15"""
    one = at("classic", FIVE, commands.Draw(), quick=True)
    number, _, keep = shown(one).actions
    assert (number.touch, keep.touch) == (commands.Play(card="?"), commands.Pass())
    one.say(commands.Play(card="?"))
    state = one.table.state
    assert state is not None
    assert (state.phase, state.turn) == (Phase.PLAY, "Oma")


def test_in_battle_every_card_is_named_for_it_can_be_stolen() -> None:
    assert isinstance(shown(at("battle", FIVE, quick=True)).body, PadBody)


@pytest.mark.parametrize(("game", "offered"), [("classic", True), ("battle", False)])
def test_quick_refereeing_can_be_chosen_where_it_makes_sense(game: str, offered: bool) -> None:
    menu = shown(at(game, FIVE), Open(Page.MENU)).body
    assert isinstance(menu, ListBody)
    assert (ModeTap(mode="quick") in [row.touch for row in menu.rows]) is offered


def test_a_challenge_says_whose_hand_is_looked_at_and_who_draws_then() -> None:
    """C8, C9, C10"""
    screen = shown(at("classic", FIVE, commands.Play(card="W+4", colour="B")))
    assert isinstance(screen.body, ChoicesBody)
    assert "Ben's hand" in screen.body.text
    notes = [choice.note for choice in choices_in(screen.body)]
    assert notes == ["you draw 4 cards", "Ben draws 4 cards", "you draw 6 cards"]


def test_only_those_with_the_lowest_score_play_rock_paper_scissors() -> None:
    """H18"""
    one = at("battle", FIVE, commands.Correct(hand={"Ben": 1}), commands.Play(card="R1"))
    one.say(commands.Hands(points={"Mia": 5, "Oma": 0}))
    for said in (FIVE, commands.Play(card="R+2"), commands.Play(card="G+2")):
        one.say(said)
    one.say(commands.Play(card="W", colour="B"))
    screen = shown(one)
    assert screen.headline == "Rock, paper, scissors!"
    assert [choice.label for choice in choices_in(screen.body)] == ["Ben", "Oma"]


def test_a_tie_says_who_plays_on_for_what_and_only_they_are_dealt_cards() -> None:
    """H27"""
    one = at("battle", FIVE, commands.Correct(hand={"Ben": 1}), commands.Play(card="R1"))
    one.say(commands.Hands(points={"Mia": 220, "Oma": 220}))
    assert shown(one).notice == "Sudden death for last place: Mia and Oma."
    one.looking = one.looking.after(Open(Page.TABLE))
    one.say(FIVE)
    ring = shown(one, Open(Page.RING))
    assert ring.notice == "Sudden death: nobody steals but with a 0."
    assert isinstance(ring.body, PileBody)
    assert [seat.name for seat in ring.body.seats if seat.next_up] != ["Ben"]


def test_a_steal_asks_for_the_same_card_and_nobody_is_caught_in_battle() -> None:
    """H4, H6"""
    one = at("battle", FIVE, commands.Play(card="R7"))
    assert shown(one, Open(Page.STEAL)).headline == "Who steals with another red 7?"
    assert [call.label for call in shown(one).calls] == ["UNO!"]
    one.say(commands.Play(card="R7", player="Mia"))
    assert shown(one).notice == "Mia played the red 7. A steal!"
    assert shown(one, Open(Page.DEFEND)).headline.startswith("Oma, which card")


@pytest.mark.parametrize(
    ("card", "notice"),
    [
        ("R+2", "Ben played the red Draw Two. Oma draws 2 cards."),
        ("Rskip", "Ben played the red Skip. Oma is skipped."),
        ("Rrev", "Ben played the red Reverse. Play goes to the right now."),
    ],
)
def test_what_a_card_does_to_others_is_told_with_it(card: str, notice: str) -> None:
    assert shown(at("classic", FIVE, commands.Play(card=card))).notice == notice


@pytest.mark.parametrize(("game", "told"), [("classic", ()), ("tippo", ("Who paid and why",))])
def test_who_paid_for_spills_is_offered_after_a_game_on_the_scale_only(
    game: str, told: tuple[str, ...]
) -> None:
    deal = commands.Deal(left="R5", right="R5") if game == "tippo" else FIVE
    one = at(game, deal, commands.Correct(hand={"Ben": 1}))
    one.say(commands.Play(card="R1", tray="left") if game == "tippo" else commands.Play(card="R1"))
    if game == "tippo":
        one.say(commands.Settled())
    one.say(commands.Hands(points={"Mia": 500, "Oma": 0}))
    assert labels(shown(one)) == [*told, "New game"]


def test_battle_calls_its_cards_by_their_own_names() -> None:
    """H16"""
    one = at("battle", FIVE, commands.Play(card="Rrev"))
    assert shown(one).notice.startswith("Ben played the red Swap.")
    one.say(commands.Play(card="G+2"))
    assert one.looking.refusal is not None
    refused = one.looking.refusal.refusal.message
    assert refused == "You cannot lay the green +2 on the red Swap (U12)."


def test_rummy_up_speaks_of_tiles() -> None:
    one = at("rummy_up", commands.Deal(table=("R7", "B3", "Y12", "W")), commands.Draw())
    assert shown(one).notice == "Ben drew a tile."
