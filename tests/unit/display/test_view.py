"""What people see follows from the table, at every moment of every game."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.display.bodies import (
    ColourBody,
    CountBody,
    DealBody,
    PadBody,
    PersonBody,
    SettleBody,
    TableBody,
    TiltBody,
    WinnerBody,
)
from companion.display.layout import lay_out
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.theme import TOUCH
from companion.display.view import view
from companion.display.view_doubts import UNSURE
from companion.display.view_round import scores_body
from companion.display.wishes import ChooseCard, Open, Page, PutDown, Tab
from companion.events import Fault, FaultKind, Placed, Sensor, Spill
from companion.games import commands
from companion.games.cards import Colour, Kind, parse
from companion.table.outcomes import Doubt
from companion.table.table import Table
from companion.table.taps import AmendTap, CardTap, Mode, ModeTap, Tap
from companion.units import Grams, MonoSeconds, Tray
from tests.unit.display.walks import Walk, choices_in, walk

PEOPLE = ("Mia", "Ben", "Oma", "Papa")


def dealt(left: str = "R5", right: str = "B7", players: tuple[str, ...] = PEOPLE) -> Walk:
    """A table that has just been dealt; the cards lie in the trays."""
    one = Walk(players, Random(1))
    one.begin()
    one.table.counted(MonoSeconds(one.now), 1, 1)
    one.say(commands.Deal(left=left, right=right))
    return one


def placed(one: Walk, tray: Tray) -> Placed:
    one.now += 2.0
    now = MonoSeconds(one.now)
    return Placed(began_s=now, decided_s=now, tray=tray, count=1, grams=Grams(1.8), sure=True)


def spilled(reasons: tuple[str, ...] = ()) -> Walk:
    """Ben has played the red 1, and a second later a card falls out."""
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="R1"))
    one.now += 1.0
    now = MonoSeconds(one.now)
    lost = {Tray.LEFT: 1, Tray.RIGHT: 0}
    one.sense(Spill(began_s=now, decided_s=now, trays=(Tray.LEFT,), lost=lost, reasons=reasons))
    return one


def seen(one: Walk) -> Screen:
    return view(one.table, one.looking, Surroundings(MonoSeconds(one.now)))


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    game=st.sampled_from(["tippo", "classic", "battle", "rummy_up"]),
    page=st.sampled_from(Page),
)
def test_the_same_table_gives_the_same_screen(seed: int, game: str, page: Page) -> None:
    for one in walk(seed, game, steps=20):
        around = one.around
        looking = one.looking.after(Open(page, act=3, tray=Tray.LEFT, player=one.players[0]))
        assert view(one.table, looking, around) == view(one.table, looking, around)


def test_the_sentence_names_who_is_on_turn_and_the_ring_says_who_is_next() -> None:
    screen = seen(dealt())
    assert screen.headline == "Ben, play a card or draw"
    assert isinstance(screen.body, TableBody)
    assert [seat.name for seat in screen.body.seats if seat.on_turn] == ["Ben"]
    assert [seat.name for seat in screen.body.seats if seat.next_up] == ["Oma"]


def test_a_card_without_a_name_brings_up_the_pad_with_what_is_legal_in_its_tray() -> None:
    one = dealt("R5", "B7")
    one.sense(placed(one, Tray.RIGHT))
    screen = seen(one)
    assert screen.headline == "Ben, which card did you put in the right tray?"
    assert isinstance(screen.body, PadBody)
    names = [str(key.card) for key in screen.body.keys]
    assert names[:3] == ["B0", "B1", "B2"]
    assert {"G7", "W", "W+4", "Tilt", "B+2"} <= set(names)
    assert "R5" not in names
    assert screen.body.keys[0].touch == CardTap(card="B0")


def test_on_a_stopped_tray_only_wilds_are_offered_first() -> None:
    """T11"""
    one = dealt("R5!", "B7")
    looking = one.looking.after(Open(Page.PAD, tray=Tray.LEFT))
    screen = view(one.table, looking, Surroundings(MonoSeconds(one.now)))
    assert isinstance(screen.body, PadBody)
    assert [str(key.card) for key in screen.body.keys] == ["W", "W+4", "Tilt"]


def test_quick_refereeing_offers_special_cards_and_one_key_for_all_others() -> None:
    one = dealt()
    one.say(ModeTap(mode="quick"))
    one.sense(placed(one, Tray.LEFT))
    body = seen(one).body
    assert isinstance(body, PadBody)
    kinds = {key.card.kind for key in body.keys if key.card is not None}
    assert Kind.NUMBER not in kinds
    assert {Kind.STOP, Kind.DRAW_TWO, Kind.WILD} <= kinds
    assert CardTap(card="?") in [key.touch for key in body.keys if key.label == "any other"]


def test_quick_refereeing_offers_no_other_pad_when_a_card_is_named_first() -> None:
    """Its pad has a key for all others, and every tap shows something."""
    one = dealt()
    one.say(ModeTap(mode="quick"))
    screen = view(one.table, one.looking.after(Open(Page.PAD, tray=Tray.LEFT)), one.around)
    assert isinstance(screen.body, PadBody)
    assert "any other" in [key.label for key in screen.body.keys]
    assert screen.actions == ()


def test_uno_and_catch_are_on_every_screen_of_a_running_round() -> None:
    one = dealt()
    for _ in range(200):
        one.step()
        state = one.table.state
        assert state is not None
        screen = seen(one)
        if state.phase.value in ("play", "drawn", "tilt", "spilled"):
            assert [call.label for call in screen.calls] == ["UNO!", "CATCH"], screen


def test_catch_is_filled_while_somebody_can_be_caught() -> None:
    one = dealt()
    one.say(commands.Correct(hand={"Ben": 2}))
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="R1"))
    uno, catch = seen(one).calls
    assert uno.touch == commands.Uno(player="Ben")
    assert (catch.touch, catch.note) == (commands.Catch(player="Ben"), "Ben")


def test_draw_becomes_pass_after_a_draw() -> None:
    one = dealt()
    assert [action.touch for action in seen(one).actions] == [commands.Draw()]
    one.say(commands.Draw())
    assert [action.touch for action in seen(one).actions] == [commands.Pass()]


def test_it_was_another_card_offers_the_last_plays_and_amends_the_chosen_one() -> None:
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="R1"))
    around = Surroundings(MonoSeconds(one.now))
    plays = view(one.table, one.looking.after(Open(Page.AMEND)), around)
    (row,) = choices_in(plays.body)
    assert (row.label, row.note) == ("Ben played the red 1", "left tray")
    assert isinstance(row.touch, Open)
    pad = view(one.table, one.looking.after(row.touch), around)
    taps = [choice.touch for choice in choices_in(pad.body)]
    assert AmendTap(act=row.touch.act, card="R3!") in taps


def test_a_tilt_challenge_shows_who_drops_next_and_how_many_lie() -> None:
    """T36"""
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="Tilt"))
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="G1"))
    screen = seen(one)
    assert isinstance(screen.body, TiltBody)
    assert screen.body.order == ("Papa", "Mia", "Ben", "Oma")
    assert (screen.body.drops, screen.body.tray) == (1, Tray.LEFT)


def test_a_wild_asks_its_player_for_a_colour_of_its_tray() -> None:
    """T3"""
    one = dealt()
    one.sense(placed(one, Tray.RIGHT))
    one.say(CardTap(card="W"))
    screen = seen(one)
    assert isinstance(screen.body, ColourBody)
    assert screen.headline == "Ben, which colour for the right tray?"
    assert screen.body.choices[1].touch == commands.NameColour(colour="Y", tray="right")


def test_going_out_counting_scores_and_the_winner_follow_each_other() -> None:
    """T33, T50, U21"""
    one = dealt(players=("Mia", "Ben"))
    one.say(commands.Correct(hand={"Ben": 1}))
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="R1"))
    assert isinstance(seen(one).body, SettleBody)
    one.say(commands.Settled())
    counting = seen(one)
    assert isinstance(counting.body, CountBody)
    assert (counting.body.player, counting.body.held) == ("Mia", 7)
    one.say(commands.Hands(points={"Mia": 120}))
    assert seen(one).headline == "Ben wins 120 points"
    one.say(commands.Deal(left="G1", right="Y1"))
    one.say(commands.Correct(turn="Ben", hand={"Ben": 1}))
    one.say(commands.Play(card="G2", tray="left"))
    one.say(commands.Settled())
    one.say(commands.Hands(points={"Mia": 90}))
    body = seen(one).body
    assert isinstance(body, WinnerBody)
    assert body.winner == "Ben"
    assert body.scores.lines == ((0, 0, 0), (0, 120, 210))


def test_a_failed_cell_is_said_on_every_screen_and_its_tray_is_named_by_tap() -> None:
    one = dealt()
    now = MonoSeconds(one.now)
    one.sense(Fault(began_s=now, decided_s=now, sensor=Sensor.LEFT, kind=FaultKind.SILENT))
    assert seen(one).alert.startswith("The left cell says nothing")
    looking = one.looking.after(Open(Page.PAD, tray=Tray.LEFT))
    pad = view(one.table, looking, Surroundings(now))
    assert pad.alert
    touches = [choice.touch for choice in choices_in(pad.body)]
    assert commands.Play(card="R1", tray="left") in touches


def test_a_person_at_the_simulated_scale_names_a_card_and_puts_it_down_in_one_tap() -> None:
    one = dealt()
    around = Surroundings(MonoSeconds(one.now), simulated=True, person_at_sim=True)
    table = view(one.table, one.looking, around)
    assert table.simulated
    assert isinstance(table.body, TableBody)
    touch = table.body.balance.right.touch
    assert isinstance(touch, Open)
    pad = view(one.table, one.looking.after(touch), around)
    assert (CardTap(card="B1"), PutDown(Tray.RIGHT)) in [c.touch for c in choices_in(pad.body)]


def test_a_person_who_was_dealt_cards_takes_one_and_taps_a_tray() -> None:
    one = dealt()
    hand = (parse("R1"), parse("B+2"))
    around = Surroundings(MonoSeconds(one.now), person_at_sim=True, hand=hand, hand_player="Ben")
    screen = view(one.table, one.looking, around)
    assert isinstance(screen.body, PersonBody)
    assert screen.headline == "Ben, tap a card of yours, or draw"
    assert screen.body.balance.left.touch is None
    taken = one.looking.after(ChooseCard(1))
    screen = view(one.table, taken, around)
    assert isinstance(screen.body, PersonBody)
    assert screen.body.balance.right.touch == (
        CardTap(card="B+2"),
        PutDown(Tray.RIGHT, hand[1], "Ben"),
    )


@pytest.mark.parametrize("cards", [1, 7, 12, 13, 24])
def test_a_hand_can_be_tapped_however_many_cards_it_holds(cards: int) -> None:
    one = dealt()
    hand = tuple(parse("R1") for _ in range(cards))
    around = Surroundings(MonoSeconds(one.now), person_at_sim=True, hand=hand, hand_player="Ben")
    scene = lay_out(view(one.table, one.looking, around))
    for index in range(cards):
        (item,) = [item for item in scene.items if item.touch == ChooseCard(index)]
        assert min(item.box.w, item.box.h) >= TOUCH


def test_before_a_game_the_first_screen_asks_which_and_offers_the_interrupted_one() -> None:
    around = Surroundings(MonoSeconds(0.0), resumable="Mia, Ben · round 2")
    screen = view(Table(), Looking(), around)
    assert screen.headline == "What shall we play?"
    assert "Go on with the last game" in [choice.label for choice in choices_in(screen)]


@pytest.mark.parametrize(
    ("game", "slots"), [("tippo", 2), ("classic", 1), ("battle", 1), ("rummy_up", 4)]
)
def test_the_deal_asks_for_each_card_that_is_turned_up(game: str, slots: int) -> None:
    one = Walk(PEOPLE, Random(1), game)
    one.begin()
    screen = seen(one)
    assert isinstance(screen.body, DealBody)
    touches = [slot.touch for slot in screen.body.slots]
    assert touches == [Open(Page.DEAL_PAD, act=slot) for slot in range(slots)]


def test_classic_shows_the_pad_at_once_with_what_the_referee_would_take() -> None:
    one = Walk(PEOPLE, Random(1), "classic")
    one.begin()
    one.say(commands.Deal(top="R5"))
    body = seen(one).body
    assert isinstance(body, PadBody)
    assert len(body.keys) == 18
    assert str(body.top) == "R5"


def test_a_wild_draw_four_in_classic_asks_whether_it_is_challenged() -> None:
    """C8"""
    one = Walk(PEOPLE, Random(1), "classic")
    one.begin()
    one.say(commands.Deal(top="R5"))
    one.say(commands.Play(card="W+4", colour="B"))
    touches = [choice.touch for choice in choices_in(seen(one).body)]
    assert touches == [
        commands.Accept(),
        commands.Challenge(guilty=True),
        commands.Challenge(guilty=False),
    ]


def test_a_battle_shows_its_total_and_a_laid_card_can_be_stolen() -> None:
    """H7, H15"""
    one = Walk(PEOPLE, Random(1), "battle")
    one.begin()
    one.say(commands.Deal(top="R5"))
    one.say(commands.Play(card="R+2"))
    screen = seen(one)
    assert "DRAW 2" in [action.label for action in screen.actions]
    steal = view(one.table, one.looking.after(Open(Page.STEAL)), one.around)
    state = one.table.state
    assert state is not None
    player = next(name for name in PEOPLE if name != state.turn)
    assert commands.Play(card="R+2", player=player) in [c.touch for c in choices_in(steal.body)]


@pytest.mark.parametrize(
    ("game", "options", "ranked"),
    [
        ("classic", {}, [("Mia", 29), ("Ben", 0), ("Oma", 0)]),
        ("classic", {"scoring": "running"}, [("Mia", 0), ("Oma", 9), ("Ben", 20)]),
        ("battle", {}, [("Mia", 0), ("Oma", 9), ("Ben", 20)]),
    ],
)
def test_the_scores_begin_with_whoever_leads(
    game: str, options: dict[str, str | int], ranked: list[tuple[str, int]]
) -> None:
    """Where low wins the lowest total leads (C31, H24)."""
    table = Table()
    told: list[commands.Command] = [
        commands.Start(game=game, players=("Ben", "Oma", "Mia"), options=options),
        commands.Deal(top="R5"),
        commands.Correct(hand={"Mia": 1}, turn="Mia"),
        commands.Play(card="R7"),
        commands.Hands(points={"Ben": 20, "Oma": 9}),
    ]
    for second, said in enumerate(told):
        table.feed(Tap(MonoSeconds(second), said))
    rows = scores_body(table).rows
    assert [(row.name, row.total) for row in rows] == ranked
    assert [row.name for row in rows if row.leads] == ["Mia"]


def test_every_doubt_says_what_is_not_clear() -> None:
    """A question of the table is never shown without it."""
    assert set(UNSURE) == set(Doubt)


@pytest.mark.parametrize("mode", Mode)
def test_what_may_not_lie_in_a_tray_is_faded_and_can_be_tapped_all_the_same(mode: Mode) -> None:
    """U12: the referee says why it does not go; in quick refereeing a green Skip on a red 5."""
    one = dealt("R5", "B7")
    one.say(ModeTap(mode=mode.value))
    one.looking = one.looking.after(Open(Page.ALL_CARDS, tray=Tray.LEFT)).after(Tab(Colour.GREEN))
    body = seen(one).body
    assert isinstance(body, PadBody)
    faded = {str(each.card): each.faded for each in body.keys if each.card is not None}
    assert (faded["Gskip"], faded["G5!"]) == (True, False)
    assert all(each.touch is not None for each in body.keys)
