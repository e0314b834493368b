"""What breaks in on everything else: a spill with who pays, and a refusal with its reason."""

from companion.display.bodies import (
    RefusedBody,
    ResetBody,
    SpillBody,
    WhyBody,
)
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.view_refusal import REFUSAL_S
from companion.display.wishes import Gesture, Open, Page
from companion.events import Removed, Spill, Tip
from companion.games import commands
from companion.table.taps import AmendTap, AnswerTap, CardTap
from companion.units import Grams, MonoSeconds, Tray
from tests.unit.display.test_view import dealt, placed, seen, spilled
from tests.unit.display.walks import Walk, choices_in


def test_a_spill_says_who_pays_and_why_then_the_reset_guide_follows_by_itself() -> None:
    """T21, T27"""
    reasons = ("The left tray lost 3.5 g.",)
    one = spilled(reasons)
    screen = seen(one)
    assert isinstance(screen.body, SpillBody)
    assert (screen.body.payer, screen.body.count) == ("Ben", 2)
    assert screen.body.text.startswith("Ben played the red 1, ")
    why = view(
        one.table,
        one.looking.after(Open(Page.WHY, act=one.table.spills[-1].number)),
        Surroundings(MonoSeconds(one.now)),
    )
    assert isinstance(why.body, WhyBody)
    assert [reason.rule for reason in why.body.reasons] == ["T21", "T27", "", ""]
    plain, numbers = (reason.text for reason in why.body.reasons[2:])
    assert plain.startswith("The scale tipped, and the weight of about 1 card")
    assert reasons[0] in numbers
    one.now += 30.0
    guide = seen(one)
    assert isinstance(guide.body, ResetBody)
    assert [str(card) for card in guide.body.left.cards] == ["R1", "R5"]
    assert [str(card) for card in guide.body.right.cards] == ["B7"]


def test_a_spill_that_is_found_to_be_anothers_after_the_reset_is_told_once_more() -> None:
    """Whoever has drawn for it should know, and whoever has to (T21, T23)."""
    one = dealt()
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="R1"))
    one.now += 4.0
    one.say(CardTap(card="R2"))
    one.now += 1.0
    fell = MonoSeconds(one.now)
    one.sense(Tip(began_s=fell, decided_s=fell, side=Tray.LEFT))
    one.sense(Spill(began_s=fell, decided_s=fell, trays=(Tray.LEFT,), lost={Tray.LEFT: 2}))
    one.now += 8.0
    one.say(commands.Reset())
    asked = seen(one)
    assert not isinstance(asked.body, SpillBody)
    (tipped,) = [c.touch for c in choices_in(asked) if c.label == "It tipped the scale"]
    assert isinstance(tipped, AnswerTap)
    one.say(tipped)
    told = seen(one)
    assert told.headline == "Who pays for the spill has changed"
    assert isinstance(told.body, SpillBody)
    assert (told.body.payer, told.body.count) == ("Oma", 2)
    one.looking = one.looking.after(Gesture.SEEN)
    assert seen(one).headline == "Papa, play a card or draw"


def test_that_the_scale_did_not_spill_can_be_said_until_something_else_is() -> None:
    """Later it would take back what was said since, for example a call."""
    one = spilled()

    def offered() -> bool:
        around = Surroundings(MonoSeconds(one.now))
        page = view(one.table, one.looking.after(Open(Page.PAYER)), around)
        return any(choice.touch == commands.Undo() for choice in choices_in(page))

    assert offered()
    one.say(commands.Correct(hand={"Oma": 5}))
    assert not offered()


def test_a_refused_card_stays_explained_until_it_is_taken_back() -> None:
    one = dealt("R5", "B7")
    one.sense(placed(one, Tray.LEFT))
    one.say(CardTap(card="G9"))
    one.now += 60.0
    screen = seen(one)
    assert isinstance(screen.body, RefusedBody)
    assert str(screen.body.card) == "G9"
    assert screen.headline == "Take it back out of the left tray"
    amend = [a.touch for a in screen.actions if isinstance(a.touch, Open)]
    assert any(touch.page is Page.AMEND_PAD for touch in amend)


def test_a_call_that_is_refused_during_the_spill_alert_is_answered() -> None:
    one = spilled()
    assert isinstance(seen(one).body, SpillBody)
    one.now += 1.0
    one.say(commands.Catch(player=one.players[0], by=one.players[1]))
    assert isinstance(seen(one).body, RefusedBody)
    one.now += REFUSAL_S
    assert isinstance(seen(one).body, SpillBody)


def taken(one: Walk, tray: Tray) -> Removed:
    one.now += 2.0
    now = MonoSeconds(one.now)
    return Removed(began_s=now, decided_s=now, tray=tray, count=1, grams=Grams(1.8))


def test_cards_that_fit_no_more_are_asked_for_from_the_top_by_name() -> None:
    """U12: a play that lies back was another card, and two later ones do not match it."""
    one = dealt("R5", "B7")
    for card in ("R8", "R2", "R3"):
        one.sense(placed(one, Tray.LEFT))
        one.say(CardTap(card=card))
    amended = next(e.number for e in one.table.entries if isinstance(e.command, commands.Play))
    one.say(AmendTap(act=amended, card="G5"))
    one.looking = one.looking.after(Gesture.SEEN)
    assert seen(one).headline == "Take the red 3 and the red 2 out of the left tray"
    one.sense(taken(one, Tray.LEFT))
    assert seen(one).headline == "Take the red 2 out of the left tray"
    one.sense(taken(one, Tray.LEFT))
    assert seen(one).headline.endswith("play a card or draw")
