"""What the display shows at a moment: the table, and what people look at, as one Screen.

Pure: the same table, looking and surroundings give the same Screen. It never changes anything.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.display import (
    view_hands,
    view_pile,
    view_round,
    view_rummy,
    view_setup,
    view_spill,
    view_table,
)
from companion.display.bodies import Body, PadBody
from companion.display.choice import Choice
from companion.display.looking import Looking, SpillNews
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_doubts import question_screen
from companion.display.view_menu import OUT_OF_PLACE, rest_screen
from companion.display.view_pages import page_screen
from companion.display.view_refusal import refused_screen, still_matters
from companion.display.view_round import MENU
from companion.display.view_setup import BACK
from companion.display.wishes import Open, Page
from companion.display.words import (
    a_card,
    all_of,
    card_of,
    cards,
    consequences,
    did,
    fault,
    thing,
)
from companion.games import commands
from companion.games.one_pile import OnePileState
from companion.games.referee import Phase, State
from companion.games.rummy_up.referee import RummyState
from companion.games.tippo.state import TippoState
from companion.games.turns import ON_TURN
from companion.table import awaited
from companion.table.table import Table
from companion.table.taps import AsItLiesTap, ForgetTap, Mode
from companion.table.trays import Stray
from companion.units import Tray

SPILL_S = 9.0
"""So long the spill alert stays before the reset guide follows by itself."""

STRAYS_NAMED = 3
"""More cards than these cannot be named in a headline."""


def view(table: Table, looking: Looking, around: Surroundings) -> Screen:
    """The Screen of this moment."""
    return _with_surroundings(_screen(table, looking, around), table, looking, around)


def _screen(table: Table, looking: Looking, around: Surroundings) -> Screen:
    state = table.state
    if state is None or looking.page is Page.SETUP:
        return view_setup.setup_screen(looking, around)
    if looking.page in (Page.PAD, Page.ALL_CARDS):
        return _pad(table, state, looking, around)
    if looking.page not in (Page.TABLE, Page.RING):
        return page_screen(table, state, looking, around)
    refusal = looking.refusal
    if refusal is not None and not still_matters(table, refusal, around):
        refusal = None
    spill = looking.spill
    if spill is not None and not _alarms(table, state, spill, around):
        spill = None
    if refusal is not None and (spill is None or refusal.at_s > spill.at_s):
        return refused_screen(table, state, refusal)
    if spill is not None:
        return view_spill.spill_screen(table, spill)
    if looking.round_scored and state.phase is Phase.SETUP:
        return view_round.scored_screen(table)
    return _awaited(table, state, looking, around)


def _alarms(table: Table, state: State, spill: SpillNews, around: Surroundings) -> bool:
    """True until the reset; after it only if somebody else has been found to pay since. Not while
    the table asks whether it was one."""
    if around.now_s - spill.at_s >= SPILL_S:
        return False
    if any(question.act == spill.act for question in table.questions):
        return False
    if state.phase is Phase.SPILLED:
        return True
    numbers = [entry.number for entry in table.entries]
    resets = [e.act.at_s for e in table.entries if isinstance(e.command, commands.Reset)]
    return spill.act in numbers and bool(resets) and resets[-1] < spill.at_s


def _awaited(table: Table, state: State, looking: Looking, around: Surroundings) -> Screen:
    first = next(w for w in (*table.awaited, None) if not isinstance(w, awaited.StartCards))
    if _others_decide(state, around):
        return _at_the_table(table, state, looking, around)
    match first:
        case awaited.Answer(question=question):
            return question_screen(table, state, question)
        case awaited.Name():
            return _naming(table, state, first, looking, around)
        case awaited.ColourOf():
            return _colour(state, first)
        case awaited.Deal() | awaited.Hands() if around.served:
            doing = "are dealt" if isinstance(first, awaited.Deal) else "are counted"
            headline = f"The {thing(state.game)}s {doing} ..."
            return Screen(headline, view_round.scores_body(table), MENU)
        case awaited.Deal():
            return view_setup.deal_screen(state, looking)
        case awaited.Hands():
            return view_round.count_screen(state, first, looking)
        case awaited.Rest():
            return rest_screen()
        case awaited.Over():
            return view_round.winner_screen(table)
        case awaited.Decision():
            return _decision(table, state, first, looking, around)
        case awaited.Reset() if isinstance(state, TippoState):
            return view_spill.reset_screen(table, state, first, around)
        case awaited.Settling() if isinstance(state, TippoState):
            return view_round.settle_screen(table, state, first, around)
        case awaited.Drop() if isinstance(state, TippoState):
            return view_round.tilt_screen(table, state, first, around)
        case _:
            return _at_the_table(table, state, looking, around)


def _others_decide(state: State, around: Surroundings) -> bool:
    """In a card game with a person a simulated one is asked, who answers for themself."""
    return (
        bool(around.hand_player)
        and not isinstance(state, TippoState)
        and state.phase in ON_TURN
        and state.turn != around.hand_player
    )


# --- the table ----------------------------------------------------------------------------


def _at_the_table(table: Table, state: State, looking: Looking, around: Surroundings) -> Screen:
    if isinstance(state, RummyState):
        screen = view_hands.rack_screen if around.hand_player else view_rummy.rummy_screen
        return screen(state, looking, around, _last_deed(table))
    if isinstance(state, OnePileState):
        notice = view_pile.battle_notice(state) or _last_deed(table)
        if around.hand_player:
            return view_hands.hand_screen(state, around, notice)
        return view_pile.pile_screen(table, state, looking, notice)
    headline, who = _sentence(table, state)
    if around.hand and isinstance(state, TippoState):
        body: Body = view_table.person_body(table, state, around, looking.chosen)
        if who == around.hand_player and isinstance(table.awaited[0], awaited.Move):
            headline = _for_a_hand(who, state, looking)
    else:
        body = view_table.table_body(table, around)
    return Screen(
        headline,
        body,
        MENU,
        _moves(table, state),
        view_table.calls_of(state),
        who=who,
        notice=_last_deed(table),
    )


def _moves(table: Table, state: State) -> tuple[Choice, ...]:
    """What can be done besides putting down a card."""
    moves = view_table.moves_of(state)
    if isinstance(table.awaited[0], OUT_OF_PLACE):
        return (*moves, Choice("Fine as it is", AsItLiesTap()))
    if any(isinstance(wait, awaited.Placing) for wait in table.awaited):
        return (*moves, Choice("Not that card", ForgetTap()))
    return moves


def _for_a_hand(player: str, state: State, looking: Looking) -> str:
    if looking.chosen is not None:
        return f"{player}, now tap a tray"
    if state.phase is Phase.DRAWN:
        return f"{player}, tap the card you drew, or pass"
    return f"{player}, tap a card of yours, or draw"


def _sentence(table: Table, state: State) -> tuple[str, str]:
    """What the table waits for, and the name in it."""
    waits = table.awaited
    placing = next((wait for wait in waits if isinstance(wait, awaited.Placing)), None)
    match waits[0]:
        case awaited.TakeBack(stray=stray):
            others = (wait.stray for wait in waits[1:] if isinstance(wait, awaited.TakeBack))
            lying = [stray, *(other for other in others if other.tray is stray.tray)]
            return f"Take {_strays(lying)} out of the {stray.tray} tray", ""
        case awaited.PutBack() as back:
            return f"Put {cards(back.count)} back in the {back.tray} tray", ""
        case awaited.StartCards(trays=trays):
            where = " and ".join(str(tray) for tray in trays)
            return f"Put a start card in the {where} tray", ""
        case awaited.Move() if placing is not None:
            card = a_card(card_of(placing.card))
            player = placing.player or state.turn or ""
            verb = "tap the tray of" if placing.blind else "put down"
            return f"{player}, {verb} {card}", player
        case awaited.Move(player=player, drawn=True):
            return f"{player}, play the card you drew, or pass", player
        case awaited.Move(player=player):
            return f"{player}, play a card or draw", player
        case _:
            return (f"{state.turn}'s turn", state.turn) if state.turn else ("", "")


def _strays(lying: Sequence[Stray]) -> str:
    """Cards that are no part of the game, the topmost first."""
    names = [a_card(card_of(stray.name)) for stray in lying if stray.name]
    if not names and len(lying) == 1:
        return "the extra card"
    return all_of(names) if len(names) == len(lying) <= STRAYS_NAMED else cards(len(lying))


def _last_deed(table: Table) -> str:
    for entry in reversed(table.entries):
        text = did(entry.command, entry.game.start.game)
        if text:
            player = entry.game.state.last_actor
            if isinstance(entry.command, commands.Uno):
                player = entry.command.player
            elif isinstance(entry.command, commands.Pass):
                return ""
            said = f"{player} {text}." if player else ""
            return " ".join((said, *consequences(entry.rulings, entry.game.start.game))).strip()
        if isinstance(entry.command, commands.Deal | commands.Reset):
            return ""
    return ""


def _pad(table: Table, state: State, looking: Looking, around: Surroundings) -> Screen:
    """A card is named before it is put down, or a tile taken from the rack."""
    if isinstance(state, RummyState):
        return view_rummy.tile_pad(state, looking)
    every = looking.page is Page.ALL_CARDS
    if isinstance(state, OnePileState):
        body = view_pile.pile_pad(table, state, looking)
    else:
        body = view_table.pad_of(
            table, state, looking.tray, around, looking.colour, lies=False, every=every
        )
    player = state.turn or ""
    place = f" in the {looking.tray} tray" if looking.tray and table.has_scale else ""
    return Screen(
        f"{player}, which card will you put{place or ' down'}?",
        body,
        BACK,
        _another(body, Open(Page.ALL_CARDS, tray=looking.tray)),
        view_table.calls_of(state),
        who=player,
    )


def _another(pad: PadBody, all_cards: Open) -> tuple[Choice, ...]:
    """The way to what the pad leaves out; one in groups has a key for all others."""
    return () if pad.tabs or pad.grouped else (Choice("Another card", all_cards),)


def _naming(
    table: Table, state: State, waits: awaited.Name, looking: Looking, around: Surroundings
) -> Screen:
    """A card lies there without a name."""
    before = _state_before(table, state, waits.act)
    body = view_table.pad_of(table, before, waits.tray, around, looking.colour, lies=True)
    player = waits.player or "Somebody"
    quick = table.mode is Mode.QUICK
    headline = f"{player}, which card did you put in the {waits.tray} tray?"
    notice = _lies_on(before, waits.tray)
    if quick:
        headline = f"{player}, is it a special card?"
        notice = "Tap it now; any other card needs no tap."
    return Screen(
        headline,
        body,
        MENU,
        _another(body, Open(Page.ALL_CARDS)),
        view_table.calls_of(state),
        who=player,
        notice=notice,
    )


def _lies_on(state: State, tray: Tray) -> str:
    """Upon what the card without a name was put."""
    top = state.tray(tray).top if isinstance(state, TippoState) else None
    if top is None or state.phase is Phase.TILT:
        return ""
    return f"It lies on {a_card(top)}. What fits comes first."


def _state_before(table: Table, state: State, act: int) -> State:
    """The state that a card met; the newest if it is no act of the game yet."""
    entries = table.entries
    for position in range(len(entries) - 1, 0, -1):
        if entries[position].number == act:
            before: State = entries[position - 1].game.state
            return before
    return state


def _colour(state: State, waits: awaited.ColourOf) -> Screen:
    card = None
    if isinstance(state, TippoState) and waits.tray:
        card = state.tray(waits.tray).top
    elif isinstance(state, OnePileState):
        card = state.lying.top
    where = f" for the {waits.tray} tray" if waits.tray else ""
    return Screen(
        f"{waits.player}, which colour{where}?",
        view_table.colour_body(card, waits.tray),
        MENU,
        calls=view_table.calls_of(state),
        who=waits.player,
    )


def _decision(
    table: Table,
    state: State,
    waits: awaited.Decision,
    looking: Looking,
    around: Surroundings,
) -> Screen:
    """What only the people can say: is a Wild Draw Four challenged, who is it now?"""
    if isinstance(state, OnePileState) and waits.needs == "turn":
        return view_pile.scissors_screen(state)
    if isinstance(state, OnePileState) and waits.needs == "challenge":
        screen = view_hands.challenge_screen if around.hand_player else view_pile.challenge_screen
        return screen(state, waits.player or "")
    return _at_the_table(table, state, looking, around)


# --- what every screen shows --------------------------------------------------------------


def _with_surroundings(
    screen: Screen, table: Table, looking: Looking, around: Surroundings
) -> Screen:
    faults = (fault(sensor, kind) for sensor, kind in table.faults.items())
    alert = around.trouble or next(faults, "")
    notice = screen.notice or around.news
    if looking.notice and around.now_s < looking.notice_until_s:
        notice = looking.notice
    return replace(screen, alert=alert, notice=notice, simulated=around.simulated)
