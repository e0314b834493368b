"""The menu and what it leads to: putting right, the house rules that hold, a rest, the end.

It never corrects anything: it shows what a tap will say.
"""

from companion.display.bodies import ChoicesBody, HouseRulesBody, ListBody
from companion.display.choice import Choice, Tone
from companion.display.glyph import Glyph
from companion.display.house import HOUSE_RULES
from companion.display.looking import RULES_A_PAGE, Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_setup import BACK, house_rule
from companion.display.wishes import Gesture, Open, Page, Request
from companion.display.words import a_card, counted, last_thing
from companion.games import commands
from companion.games.cards import UNKNOWN
from companion.games.one_pile import OnePileState
from companion.games.referee import Phase, State
from companion.games.rummy_up.referee import RummyState
from companion.games.tippo.state import TippoState
from companion.table import awaited
from companion.table.table import Table
from companion.table.taps import AsItLiesTap, Mode, ModeTap, PauseTap
from companion.units import Tray

OUT_OF_PLACE = (awaited.TakeBack, awaited.PutBack, awaited.StartCards)

MOST_HELD = 30
"""No hand is larger when it is put right."""


def menu_screen(table: Table, state: State, around: Surroundings) -> Screen:
    """Everything that is not part of a turn. Simulated people know no pause."""
    in_round = state.phase not in (Phase.SETUP, Phase.HANDS, Phase.GAME_OVER)
    rows = []
    if table.entries:
        note = last_thing(table.entries)
        rows.append(Choice("Undo", commands.Undo(), note=note, glyph=Glyph.UNDO))
    if state.phase is not Phase.SETUP:
        rows.append(Choice("It was another card", Open(Page.AMEND), glyph=Glyph.CARD))
    if in_round:
        note = "turn, cards, hands"
        rows.append(Choice("Put it right", Open(Page.CORRECT), note=note, glyph=Glyph.PENCIL))
        if not around.simulated:
            rows.append(Choice("A pause", PauseTap(on=True), glyph=Glyph.PAUSE))
    rows.append(Choice("Scores", Open(Page.SCORES), glyph=Glyph.CHART))
    rows.append(Choice("House rules", Open(Page.RULES), glyph=Glyph.RULES))
    if table.has_scale:
        rows.append(Choice("Who paid and why", Open(Page.SPILLS), glyph=Glyph.QUESTION))
        if in_round and state.phase is not Phase.SPILLED:
            rows.append(Choice("The scale has spilled", commands.Spill(), glyph=Glyph.TIPPED))
    if table.has_scale or state.game == "classic":
        rows.append(_mode(table.mode))
    if state.phase is Phase.SETUP:
        rows.append(Choice("Somebody joins", Open(Page.JOIN), glyph=Glyph.PLUS))
    rows.append(Choice("Somebody leaves", Open(Page.LEAVE), glyph=Glyph.MINUS))
    rows.append(Choice("End or new game", Open(Page.END), glyph=Glyph.POWER))
    return Screen("Menu", ListBody(tuple(rows), columns=2), BACK)


def _mode(mode: Mode) -> Choice:
    if mode is Mode.QUICK:
        return Choice(
            "Name every card", ModeTap(mode="full"), note="now: special ones", glyph=Glyph.BOLT
        )
    note = "now: every card"
    return Choice("Quick refereeing", ModeTap(mode="quick"), note=note, glyph=Glyph.BOLT)


def end_screen() -> Screen:
    """Two ways to end."""
    choices = (
        Choice("A new game", Open(Page.SETUP)),
        Choice("Switch off", Request.QUIT, note="the game can be resumed"),
    )
    return Screen("End or new game?", ChoicesBody("", choices), BACK)


def rest_screen() -> Screen:
    """The table rests."""
    body = ChoicesBody(
        "Cards and spills do not count now, and nobody pays.",
        (Choice("Play on", PauseTap(on=False), Tone.MAIN),),
        columns=1,
    )
    return Screen("A pause", body)


def agreed_screen(state: State, looking: Looking) -> Screen:
    """The house rules of the running game; they do not change any more."""
    options = HOUSE_RULES.get(state.game, ())
    pages = max(1, -(-len(options) // RULES_A_PAGE))
    page = looking.setup.page % pages
    chosen = dict(looking.setup.options)
    shown = options[page * RULES_A_PAGE : (page + 1) * RULES_A_PAGE]
    return Screen(
        "House rules of this game",
        HouseRulesBody(tuple(house_rule(option, chosen, fixed=True) for option in shown)),
        BACK,
        (Choice("More rules", Gesture.TURN_PAGE),) if pages > 1 else (),
        notice=f"Page {page + 1} of {pages}.",
    )


# --- putting right ------------------------------------------------------------------------


def put_right_screen(table: Table, state: State) -> Screen:
    """What the table believes; people tap what is not so."""
    rows = [
        Choice(f"Turn: {state.turn or 'nobody'}", Open(Page.CORRECT_TURN), glyph=Glyph.RIGHT),
        Choice(
            "Direction: to the left" if state.direction == 1 else "Direction: to the right",
            commands.Correct(direction=-1 if state.direction == 1 else 1),
            glyph=Glyph.TURN,
        ),
        *_tops(state),
    ]
    if table.has_scale and any(isinstance(wait, OUT_OF_PLACE) for wait in table.awaited):
        note = "as they lie now"
        rows.append(Choice("The trays are right", AsItLiesTap(), note=note, glyph=Glyph.TICK))
    rows += [
        Choice(name, Open(Page.CORRECT_HANDS, player=name), note=counted(held, state.game))
        for name, held in state.hands.items()
    ]
    return Screen(
        "Is this right?",
        ListBody(tuple(rows), columns=2),
        BACK,
        (Choice("It is right now", Gesture.CLOSE, Tone.MAIN),),
        notice="Tap what is wrong.",
    )


def _tops(state: State) -> list[Choice]:
    if isinstance(state, TippoState):
        return [_top(state, tray) for tray in Tray]
    if isinstance(state, OnePileState) and state.pile is not None:
        top = state.pile.top
        touch = Open(Page.CORRECT_CARD)
        return [Choice("On top", touch, note=a_card(top), card=top, colour=state.pile.colour)]
    return []


def _top(state: TippoState, tray: Tray) -> Choice:
    lies = state.tray(tray)
    card = lies.top or UNKNOWN
    colour = lies.colour if card.is_wild else None
    touch = Open(Page.CORRECT_CARD, tray=tray)
    return Choice(
        f"{tray.value.capitalize()} tray", touch, note=a_card(card), card=card, colour=colour
    )


def hands_screen(state: State, looking: Looking) -> Screen:
    """How many cards does somebody hold?"""
    held = state.hands.get(looking.player, 0)
    rows = tuple(
        Choice(
            str(count),
            commands.Correct(hand={looking.player: count}),
            Tone.NEXT if count == held else Tone.PLAIN,
        )
        for count in range(1, MOST_HELD + 1)
    )
    things = "tiles" if isinstance(state, RummyState) else "cards"
    headline = f"{looking.player}, how many {things} do you hold?"
    return Screen(headline, ListBody(rows, columns=6), BACK, who=looking.player)
