"""The pages that people open themselves: another card, who paid and why, who leaves.

It never corrects anything: it shows what a tap will say.
"""

from collections.abc import Iterator

from companion.display import view_advice, view_menu, view_pile
from companion.display.bodies import ListBody, PadBody, Reason, WhyBody
from companion.display.choice import Choice, Tone, Touch
from companion.display.glyph import Glyph
from companion.display.looking import Looking, tidy
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_round import scores_body
from companion.display.view_rummy import tiles_of
from companion.display.view_setup import BACK, start_places, typing_screen
from companion.display.view_spill import spill_text, why_spill
from companion.display.view_table import deck_of, tabbed_pad
from companion.display.wishes import Open, Page, StartCard
from companion.display.words import a_card, card_of, cards, plainly
from companion.games import commands
from companion.games.battle.state import BattleState
from companion.games.cards import Card
from companion.games.referee import State
from companion.games.rulebook import sentence
from companion.games.rummy_up.referee import RummyState
from companion.games.tippo.state import TippoState
from companion.table.acts import CardDown, Told
from companion.table.table import Table
from companion.table.taps import AmendTap
from companion.table.timeline import Entry
from companion.units import Tray

LAST_PLAYS = 5


def page_screen(table: Table, state: State, looking: Looking, around: Surroundings) -> Screen:
    """The screen of a page that people opened."""
    match looking.page:
        case Page.MENU:
            return view_menu.menu_screen(table, state, around)
        case Page.RULES:
            return view_menu.agreed_screen(state, looking)
        case Page.SCORES:
            return Screen("The scores", scores_body(table), BACK)
        case Page.AMEND:
            return _amend(table)
        case Page.SPILLS:
            return _spills(table)
        case Page.WHY:
            return _why(table, looking)
        case Page.PAYER:
            return _payer(table, state)
        case Page.UNO | Page.CATCH | Page.CATCHER | Page.LEAVE | Page.CORRECT_TURN:
            return _players(state, looking)
        case Page.STEAL | Page.STEAL_CARD | Page.DEFEND if isinstance(state, BattleState):
            return _battle(state, looking, around)
        case Page.RACK | Page.ADVICE if isinstance(state, RummyState):
            return view_advice.advice_screen(state, looking, around)
        case Page.CORRECT:
            return view_menu.put_right_screen(table, state)
        case Page.CORRECT_HANDS:
            return view_menu.hands_screen(state, looking)
        case Page.JOIN:
            typed = looking.setup.typed
            named = Open(Page.JOIN_SEAT, player=tidy(typed))
            return typing_screen(typed, (), state.players, named, "Who joins?")
        case Page.JOIN_SEAT:
            return _seats(state, looking.player)
        case Page.END:
            return view_menu.end_screen()
        case _:
            return _card_page(state, looking)


# --- it was another card ------------------------------------------------------------------


def _plays(table: Table) -> Iterator[tuple[Entry, str, Card, str]]:
    """The last cards that were put down: the entry, whose, which, where; newest first."""
    for entry in reversed(table.entries):
        command = entry.command
        if isinstance(command, commands.Deal):
            return
        if not isinstance(entry.act, CardDown | Told):
            continue
        if not isinstance(command, commands.Play | commands.Drop):
            continue
        tray = command.tray if isinstance(command, commands.Play) else None
        where = f"{tray} tray" if isinstance(tray, str) else ""
        yield entry, entry.game.state.last_actor or "", card_of(command.card), where


def _amend(table: Table) -> Screen:
    rows = tuple(
        Choice(
            f"{player} {'played' if isinstance(entry.command, commands.Play) else 'dropped'} "
            f"{a_card(card, entry.game.start.game)}",
            Open(Page.AMEND_PAD, act=entry.number),
            note=where,
            card=card,
        )
        for (entry, player, card, where), _ in zip(_plays(table), range(LAST_PLAYS), strict=False)
    )
    return Screen(
        "Which play was another card?",
        ListBody(rows, "Nobody has played a card in this round."),
        BACK,
    )


def _card_page(state: State, looking: Looking) -> Screen:
    """A pad with all cards, for a start card, an amendment or a correction."""
    if looking.page is Page.AMEND_PAD:
        headline, act = "Which card was it really?", looking.act

        def touch(card: Card) -> Touch:
            return AmendTap(act=act, card=str(card))

    elif looking.page is Page.DEAL_PAD:
        places = start_places(state)
        slot = min(looking.act, len(places) - 1)
        headline = f"Which is it? {places[slot].capitalize()}"
        if isinstance(state, RummyState):
            tiles = tiles_of(looking.colour, lambda tile: StartCard(slot, tile, len(places)))
            return Screen(headline, tiles, BACK)

        def touch(card: Card) -> Touch:
            return StartCard(slot, str(card), len(places))

    else:
        tray = looking.tray or Tray.LEFT
        scale = isinstance(state, TippoState)
        headline = f"Which card is on top in the {tray} tray?" if scale else "Which card is on top?"

        def touch(card: Card) -> Touch:
            if not scale:
                return commands.Correct(top=str(card))
            if tray is Tray.LEFT:
                return commands.Correct(left=str(card))
            return commands.Correct(right=str(card))

    pad: PadBody = tabbed_pad(deck_of(state), looking.colour, touch, plain=True)
    return Screen(headline, pad, BACK)


# --- who paid and why ---------------------------------------------------------------------


def _spills(table: Table) -> Screen:
    rows = tuple(
        Choice(
            f"{spill.payer or 'Nobody'} "
            + (f"drew {cards(spill.count)}" if spill.payer else "paid"),
            Open(Page.WHY, act=spill.number),
            note=spill_text(spill, spill.payer),
            glyph=Glyph.TIPPED,
        )
        for spill in reversed(table.spills[-LAST_PLAYS:])
    )
    return Screen("Who paid and why", ListBody(rows, "The scale has not spilled yet."), BACK)


def _why(table: Table, looking: Looking) -> Screen:
    verdict = next((spill for spill in table.spills if spill.number == looking.act), None)
    if verdict is not None:
        return Screen("Why?", why_spill(verdict), BACK)
    declined = looking.refusal
    if declined is None:
        return Screen("Why?", WhyBody("There is nothing to explain.", ()), BACK)
    rule = declined.refusal.rule
    reasons = (Reason(rule, sentence(rule)),) if rule and sentence(rule) else ()
    return Screen("Why?", WhyBody(plainly(declined.refusal.message, rule), reasons), BACK)


def _payer(table: Table, state: State) -> Screen:
    rows = [Choice("Nobody's fault", commands.Spill(no_fault=True), Tone.MAIN)]
    rows += [Choice(f"{name} pays", commands.Spill(by=name)) for name in state.players]
    if table.entries and isinstance(table.entries[-1].command, commands.Spill):
        # Later an undo would take back what came after the spill.
        rows.append(Choice("The scale did not spill", commands.Undo()))
    return Screen("Who should pay?", ListBody(tuple(rows), columns=2), BACK)


# --- stealing ---------------------------------------------------------------------------------


def _battle(state: BattleState, looking: Looking, around: Surroundings) -> Screen:
    if state.pile is None:
        return Screen("No card lies there to be stolen", ListBody(()), BACK)
    if looking.page is Page.STEAL:
        thieves = [name for name in state.at_play if name != state.turn]
        rows = tuple(Choice(name, view_pile.thief_touch(state, name)) for name in thieves)
        return Screen(view_pile.thieves_sentence(state), ListBody(rows, columns=2), BACK)
    if looking.page is Page.STEAL_CARD:
        pad = view_pile.steal_pad(state, looking.player)
        return Screen(f"{looking.player}, which 0?", pad, BACK, who=looking.player)
    pad = view_pile.defend_pad(state, looking, around.hand)
    defender = (state.steal.before.turn if state.steal else state.turn) or ""
    headline = f"{defender}, which card came down at the same moment?"
    return Screen(headline, pad, BACK, who=defender)


def _seats(state: State, player: str) -> Screen:
    """Between whom does somebody who joins sit?"""
    rows = tuple(
        Choice(f"To the left of {name}", commands.Join(player=player, seat=seat + 1))
        for seat, name in enumerate(state.players)
    )
    return Screen(f"{player}, where do you sit?", ListBody(rows, columns=2), BACK, who=player)


# --- players ------------------------------------------------------------------------------


def _players(state: State, looking: Looking) -> Screen:
    """One name to choose."""

    def touch(name: str) -> Touch:
        match looking.page:
            case Page.UNO:
                return commands.Uno(player=name)
            case Page.CATCH:
                return commands.Catch(player=name)
            case Page.CATCHER:
                return commands.Catch(player=looking.player, by=name)
            case Page.LEAVE:
                return commands.Leave(player=name)
            case _:
                return commands.Correct(turn=name)

    headlines = {
        Page.UNO: "Who says UNO?",
        Page.CATCH: "Who has not said UNO?",
        Page.CATCHER: f"Who has caught {looking.player}?",
        Page.LEAVE: "Who leaves?",
        Page.CORRECT_TURN: "Whose turn is it?",
    }
    rows = tuple(Choice(name, touch(name)) for name in state.players)
    return Screen(headlines[looking.page], ListBody(rows, columns=2), BACK)
