"""Forms that people fill in: setting up, house rules, counting hands, start cards."""

import msgspec
import pytest

from companion.display.bodies import ChoicesBody, CountBody, HouseRulesBody, RosterBody
from companion.display.house import HOUSE_RULES
from companion.display.looking import MOST_PLAYERS, Looking
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.view_round import SIGNS, value_keys
from companion.display.wishes import (
    ChangeSeat,
    ChooseGame,
    CountCard,
    CountFor,
    Digit,
    EditPlayer,
    EnterName,
    Gesture,
    Letter,
    Look,
    Open,
    Page,
    SeatWish,
    StartCard,
    TurnRule,
)
from companion.games import commands
from companion.games.commands import Start
from companion.games.referee import Refusal
from companion.games.registry import referee
from companion.table.table import Table
from companion.units import MonoSeconds
from tests.unit.display.test_view import dealt
from tests.unit.display.walks import choices_in, touches_of

NOWHERE = Surroundings(MonoSeconds(0.0))


def after(*looks: Look, looking: Looking | None = None) -> Looking:
    now = looking or Looking()
    for look in looks:
        now = now.after(look)
    return now


def seated(*names: str) -> list[Look]:
    looks: list[Look] = [ChooseGame("tippo")]
    for seat, name in enumerate(names):
        looks += [EditPlayer(seat), EnterName(name)]
    return looks


def started(looking: Looking) -> list[Start]:
    return [t for t in touches_of(view(Table(), looking, NOWHERE)) if isinstance(t, Start)]


def test_a_game_is_set_up_by_its_game_its_players_and_agreeing_to_the_house_rules() -> None:
    looking = after(*seated("Mia", "Ben"), Gesture.TO_RULES)
    assert isinstance(view(Table(), looking, NOWHERE).body, HouseRulesBody)
    assert started(looking) == [
        Start(game="tippo", players=("Mia", "Ben"), dealer="Mia", options={})
    ]


def test_the_house_rules_come_only_with_two_players() -> None:
    screen = view(Table(), after(*seated("Mia")), NOWHERE)
    assert isinstance(screen.body, RosterBody)
    assert screen.actions == ()


def test_a_name_is_typed_letter_by_letter_and_corrected() -> None:
    looks: list[Look] = [ChooseGame("tippo"), EditPlayer(0)]
    looks += [
        Letter("M"),
        Letter("i"),
        Letter("x"),
        Gesture.ERASE,
        Letter("a"),
        Letter(" "),
        EnterName(),
    ]
    assert after(*looks).setup.players == ("Mia",)


def test_nobody_sits_twice_and_no_seat_is_nameless() -> None:
    looking = after(*seated("Mia", "Ben"), EditPlayer(2), EnterName("Mia"))
    assert looking.setup.players == ("Mia", "Ben")
    assert after(EditPlayer(2), EnterName("  "), looking=looking).setup.players == ("Mia", "Ben")


def test_a_name_that_sits_already_is_said_and_not_taken() -> None:
    looks = (*seated("Mia", "Ben"), EditPlayer(2), *map(Letter, "Mia"))
    screen = view(Table(), after(*looks), NOWHERE)
    assert screen.actions == ()
    assert screen.notice.startswith("Mia plays already")
    renamed = after(*seated("Mia", "Ben"), EditPlayer(1), ChangeSeat(SeatWish.RENAME))
    assert view(Table(), renamed, NOWHERE).actions != ()


def test_ten_fit_at_the_table_and_no_eleventh() -> None:
    looking = after(*seated(*(f"P{k}" for k in range(12))))
    assert len(looking.setup.players) == MOST_PLAYERS


def test_a_seat_can_deal_move_and_be_left_and_the_dealer_stays_the_same_person() -> None:
    looking = after(*seated("Mia", "Ben", "Oma"), EditPlayer(2), ChangeSeat(SeatWish.DEALS))
    assert looking.setup.dealer == 2
    looking = after(EditPlayer(2), ChangeSeat(SeatWish.EARLIER), looking=looking)
    assert looking.setup.players == ("Mia", "Oma", "Ben")
    assert looking.setup.dealer == 1
    looking = after(EditPlayer(0), ChangeSeat(SeatWish.REMOVE), looking=looking)
    assert (looking.setup.players, looking.setup.dealer) == (("Oma", "Ben"), 0)


def test_back_leads_step_by_step_to_the_first_question() -> None:
    looking = after(*seated("Mia", "Ben"), Gesture.TO_RULES, Gesture.CLOSE)
    assert isinstance(view(Table(), looking, NOWHERE).body, RosterBody)
    looking = after(Gesture.CLOSE, looking=looking)
    assert view(Table(), looking, NOWHERE).headline == "What shall we play?"


def test_a_house_rule_goes_round_its_values_and_only_changes_are_told() -> None:
    looking = after(*seated("Mia", "Ben"), Gesture.TO_RULES, TurnRule("stop_on_stopped"))
    assert started(looking)[0].options == {"stop_on_stopped": "yes"}
    looking = after(TurnRule("stop_on_stopped"), looking=looking)
    assert started(looking)[0].options == {}


@pytest.mark.parametrize("game", sorted(HOUSE_RULES))
def test_every_value_of_every_house_rule_is_one_that_the_referee_knows(game: str) -> None:
    rules = referee(game)
    for option in HOUSE_RULES[game]:
        for value, _ in option.values:
            start = Start(game=game, players=("Mia", "Ben"), options={option.name: value})
            begun = rules.start(start)
            assert not isinstance(begun, Refusal), begun
            assert getattr(begun.state.options, option.name) == value
        plain = rules.start(Start(game=game, players=("Mia", "Ben")))
        assert not isinstance(plain, Refusal)
        assert getattr(plain.state.options, option.name) == option.default


@pytest.mark.parametrize("game", sorted(HOUSE_RULES))
def test_no_house_rule_of_a_game_is_hidden_from_the_table(game: str) -> None:
    rules = referee(game)
    begun = rules.start(Start(game=game, players=("Mia", "Ben")))
    assert not isinstance(begun, Refusal)
    known = {f.name for f in msgspec.structs.fields(begun.state.options)}
    shown = {option.name for option in HOUSE_RULES[game]}
    assert shown == known


def test_all_pages_of_the_house_rules_are_reached() -> None:
    looking = after(*seated("Mia", "Ben"), Gesture.TO_RULES)
    shown = set()
    for _ in range(4):
        body = view(Table(), looking, NOWHERE).body
        assert isinstance(body, HouseRulesBody)
        shown |= {rule.choice.touch for rule in body.rules}
        looking = after(Gesture.TURN_PAGE, looking=looking)
    assert shown == {TurnRule(option.name) for option in HOUSE_RULES["tippo"]}


def test_the_next_game_begins_with_the_same_people_and_rules() -> None:
    one = dealt(players=("Mia", "Ben", "Oma"))
    looking = one.looking.after(Open(Page.SETUP)).after(Gesture.TO_RULES)
    starts = [t for t in touches_of(view(one.table, looking, NOWHERE)) if isinstance(t, Start)]
    assert starts[0].players == ("Mia", "Ben", "Oma")
    assert starts[0].options == {"target": 200}
    assert starts[0].force


def test_start_cards_are_tapped_one_after_the_other_and_then_dealt() -> None:
    one = dealt()
    one.begin()
    looking = one.looking.after(Open(Page.DEAL_PAD, act=0))
    looking = looking.after(StartCard(0, "R3!", 2))
    assert (looking.page, looking.act) == (Page.DEAL_PAD, 1)
    looking = looking.after(StartCard(1, "W", 2))
    assert looking.page is Page.TABLE


# --- counting -----------------------------------------------------------------------------


def counting_table() -> tuple[Table, Looking]:
    one = dealt(players=("Mia", "Ben", "Oma"))
    one.say(commands.Correct(hand={"Ben": 1, "Oma": 2, "Mia": 1}))
    one.say(commands.Play(card="R1", tray="left"))
    one.say(commands.Settled())
    return one.table, one.looking


def test_hands_are_counted_by_tapping_cards_one_player_after_the_other() -> None:
    """T50"""
    table, looking = counting_table()
    looking = after(CountFor("Mia"), CountCard("skip", 20), looking=looking)
    screen = view(table, looking, NOWHERE)
    assert CountFor("Oma") in [action.touch for action in screen.actions]
    looking = after(CountFor("Oma"), CountCard("9", 9), CountCard("wild", 50), looking=looking)
    hands = [t for t in touches_of(view(table, looking, NOWHERE)) if isinstance(t, commands.Hands)]
    assert hands == [commands.Hands(points={"Mia": 20, "Oma": 59})]


@pytest.mark.parametrize("typing", [False, True])
def test_the_first_hand_is_counted_without_tapping_its_name_first(typing: bool) -> None:
    """Whose cards are asked for is who they are counted for."""
    table, looking = counting_table()

    def tap(label: str) -> None:
        nonlocal looking
        choices = choices_in(view(table, looking, NOWHERE))
        (touch,) = [choice.touch for choice in choices if choice.label == label]
        assert isinstance(touch, tuple)
        looking = after(*touch, looking=looking)

    if typing:
        tap("Type points")
    tap("4")
    tap("7")
    body = view(table, looking, NOWHERE).body
    assert isinstance(body, CountBody)
    assert (body.player, body.points) == ("Mia", 47 if typing else 11)


def test_points_can_be_typed_instead() -> None:
    table, looking = counting_table()
    looking = after(
        CountFor("Mia"),
        Gesture.TYPE_POINTS,
        Digit("4"),
        Digit("7"),
        Gesture.ERASE,
        Digit("2"),
        looking=looking,
    )
    body = view(table, looking, NOWHERE).body
    assert isinstance(body, CountBody)
    assert body.points == 42


def test_a_card_counted_by_mistake_is_taken_away_again() -> None:
    looking = after(CountFor("Mia"), CountCard("3", 3), CountCard("+2", 20), Gesture.UNCOUNT)
    assert looking.counting.points_of("Mia") == 3


@pytest.mark.parametrize("game", ["tippo", "classic", "battle", "rummy_up"])
def test_every_game_has_a_key_for_each_value_of_its_cards_with_its_sign(game: str) -> None:
    labels = [label for label, _ in value_keys(game)]
    assert len(labels) == len(set(labels))
    assert ("tilt" in labels) == (game == "tippo")
    assert {label for label in labels if not label.isdigit()} <= SIGNS.keys()


def test_a_seat_that_is_tapped_offers_what_can_be_done_with_it() -> None:
    looking = after(*seated("Mia", "Ben"), EditPlayer(1))
    body = view(Table(), looking, NOWHERE).body
    assert isinstance(body, ChoicesBody)
    assert ChangeSeat(SeatWish.REMOVE) in [choice.touch for choice in body.choices]
