"""The running game as people see it: seats, balance, pads, and what can be tapped on them.

It never decides what is legal: it asks the referee's own questions.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from companion.display.bodies import (
    Balance,
    Body,
    ColourBody,
    PadBody,
    PersonBody,
    PileBody,
    Seat,
    TableBody,
    TrayPicture,
)
from companion.display.choice import Choice, Tone, Touch
from companion.display.geometry import LEAN_MOST
from companion.display.surroundings import Surroundings
from companion.display.wishes import ChooseCard, Open, Page, PutDown, Tab, TakeOut
from companion.events import Sensor
from companion.games import commands
from companion.games.cards import TILT, UNKNOWN, WILD, WILD_DRAW_FOUR, Card, Colour, Kind
from companion.games.judgement import TableState
from companion.games.referee import Phase, State
from companion.games.registry import referee
from companion.games.tippo.legality import fits
from companion.games.tippo.state import TippoState
from companion.scale.calibrate import TYPICAL_CARD_G
from companion.scale.view import ScaleView
from companion.table.awaited import Placing, PutBack, TakeBack
from companion.table.table import Table
from companion.table.taps import CardTap, Mode
from companion.units import Tray

LEAN_STEP = 0.5
"""Finer than this the beam is not drawn: the noise of the cells is no news."""
LEAN_TIPPED = 13.0
LEAN_GRAMS = 9.0
"""The difference of the trays' weights at which the drawn beam leans three quarters of that."""

MOST_LEGAL = 27
"""Three rows of nine keys: with more than these one colour is shown at a time."""

Naming: TypeAlias = Callable[[Card], Touch]
"""What tapping a card means."""

KINDS = (Kind.NUMBER, Kind.STOP, Kind.DRAW_TWO, Kind.REVERSE, Kind.SKIP)


# --- seats and trays ----------------------------------------------------------------------


def seats_of(state: State) -> tuple[Seat, ...]:
    """The ring, in seat order."""
    players = state.players
    at_play = state.at_play if isinstance(state, TableState) else players
    upcoming = None
    if state.turn in at_play:
        upcoming = at_play[(at_play.index(state.turn) + state.direction) % len(at_play)]
    called = state.calls.called if isinstance(state, TableState) else frozenset()
    dealt = any(state.hands.values())
    return tuple(
        Seat(
            name,
            state.hands.get(name) if dealt else None,
            state.scores.get(name, 0),
            on_turn=name == state.turn,
            next_up=name == upcoming,
            said_uno=name in called,
            catchable=name == state.uno_open,
        )
        for name in players
    )


def lean_of(scale: ScaleView | None, counts: dict[Tray, int]) -> float:
    """How far the drawn beam leans, in degrees; positive has the right tray down."""
    if scale is not None and scale.left.grams is not None and scale.right.grams is not None:
        heavier = scale.right.grams - scale.left.grams
    else:
        heavier = TYPICAL_CARD_G * (counts[Tray.RIGHT] - counts[Tray.LEFT])
    if scale is not None and scale.tilted:
        return math.copysign(LEAN_TIPPED, heavier or 1.0)
    lean = LEAN_MOST * math.tanh(heavier / LEAN_GRAMS)
    return round(lean / LEAN_STEP) * LEAN_STEP


def balance_of(table: Table, state: TippoState, around: Surroundings) -> Balance:
    """Both trays as the referee and the sensors know them."""
    left, right = (_tray_picture(table, state, tray, around) for tray in Tray)
    return Balance(left, right, lean_of(around.scale, dict(table.counts)))


def _tray_picture(table: Table, state: TippoState, tray: Tray, around: Surroundings) -> TrayPicture:
    lies = state.tray(tray)
    return TrayPicture(
        tray,
        lies.top,
        lies.colour,
        table.counts[tray] if around.scale is not None else lies.cards,
        lies.open,
        tray_touch(table, state, tray, around),
    )


def tray_touch(table: Table, state: TippoState, tray: Tray, around: Surroundings) -> Touch | None:
    """What a tap on a tray means now."""
    first = table.awaited[0]
    if around.person_at_sim and isinstance(first, TakeBack) and first.stray.tray is tray:
        return TakeOut(tray)
    if around.person_at_sim and isinstance(first, PutBack):
        return PutDown(tray)
    if around.person_at_sim and state.phase is Phase.TILT:
        return (CardTap(card=str(UNKNOWN)), PutDown(tray))
    placing = next((a for a in table.awaited if isinstance(a, Placing)), None)
    if placing is not None and is_blind(table, tray):
        return commands.Play(card=placing.card, tray=tray.value)
    if placing is not None and around.person_at_sim:
        return PutDown(tray)
    if state.phase in (Phase.PLAY, Phase.DRAWN, Phase.TILT) and state.needs != "colour":
        return Open(Page.PAD, tray=tray)
    return None


def person_body(
    table: Table, state: TippoState, around: Surroundings, chosen: int | None
) -> PersonBody:
    """The table of a person at the simulated scale: take a card of the hand, then tap a tray."""
    shown = balance_of(table, state, around)
    card = around.hand[chosen] if chosen is not None and chosen < len(around.hand) else None
    if state.turn == around.hand_player and state.needs is None:
        tidies = isinstance(table.awaited[0], TakeBack | PutBack)

        def touch(tray: TrayPicture) -> Touch | None:
            if card is not None:
                return CardTap(card=str(card)), PutDown(tray.tray, card, around.hand_player)
            return tray.touch if tidies and isinstance(tray.touch, TakeOut | PutDown) else None

        left, right = (replace(tray, touch=touch(tray)) for tray in (shown.left, shown.right))
        shown = replace(shown, left=left, right=right)
    hand = tuple(
        Choice(held.spoken, ChooseCard(index), card=held, chosen=index == chosen)
        for index, held in enumerate(around.hand)
    )
    return PersonBody(seats_of(state), shown, hand)


def is_blind(table: Table, tray: Tray) -> bool:
    """True if nobody but people can see cards come and go in this tray."""
    return Sensor(tray.value) in table.faults


def table_body(table: Table, around: Surroundings) -> Body:
    """The ring of seats around the balance, or around the one pile."""
    state = table.state
    assert state is not None
    seats = seats_of(state)
    if isinstance(state, TippoState):
        return TableBody(seats, state.direction, balance_of(table, state, around))
    return PileBody(seats, state.direction, None, None, 0)


# --- UNO, CATCH, DRAW ---------------------------------------------------------------------


def calls_of(state: State) -> tuple[Choice, ...]:
    """UNO and CATCH: always there while a round runs, filled when there is something to call.

    In Battle whoever forgets UNO draws without being caught (H4).
    """
    if state.phase not in (Phase.PLAY, Phase.DRAWN, Phase.TILT, Phase.SPILLED):
        return ()
    return (_uno(state),) if state.game == "battle" else (_uno(state), _catch(state))


def _uno(state: State) -> Choice:
    called = state.calls.called if isinstance(state, TableState) else frozenset()
    may = [state.uno_open] if state.uno_open else []
    turn = state.turn
    calling = range(2, 6) if state.game == "rummy_up" else (2,)
    if turn and state.hands.get(turn) in calling and turn not in called and turn not in may:
        may.append(turn)
    if len(may) > 1:
        return Choice("UNO!", Open(Page.UNO), Tone.MAIN)
    if may:
        return Choice("UNO!", commands.Uno(player=may[0]), Tone.MAIN, note=may[0])
    return Choice("UNO!", Open(Page.UNO), Tone.QUIET)


def _catch(state: State) -> Choice:
    caught = state.uno_open
    if caught is None:
        return Choice("CATCH", Open(Page.CATCH), Tone.QUIET)
    if needs_catcher(state):
        return Choice("CATCH", Open(Page.CATCHER, player=caught), Tone.WARN, note=caught)
    return Choice("CATCH", commands.Catch(player=caught), Tone.WARN, note=caught)


def needs_catcher(state: State) -> bool:
    """True if the house rules make a false catch cost something, so that it matters who calls."""
    options = state.options if isinstance(state, TableState) else None
    return bool(getattr(options, "false_call_penalty", 0))


def moves_of(state: State) -> tuple[Choice, ...]:
    """DRAW, or after it PASS."""
    if state.needs not in (None, "drop") or state.turn is None:
        return ()
    if state.phase is Phase.PLAY:
        return (Choice("DRAW", commands.Draw()),)
    if state.phase is Phase.DRAWN:
        return (Choice("PASS", commands.Pass(), Tone.MAIN),)
    return ()


# --- pads ---------------------------------------------------------------------------------


def deck_of(state: State) -> tuple[Card, ...]:
    """Every different card of the game, colour by colour, the wilds last."""
    return sorted_cards(set(referee(state.game).cards.values()) - {UNKNOWN})


def sorted_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Colour by colour; numbers, Stops, actions; wilds last."""
    wilds = (WILD, WILD_DRAW_FOUR, TILT, UNKNOWN)
    colours = tuple(Colour)

    def rank(card: Card) -> tuple[int, int, int]:
        if card.colour is None:
            return len(colours), wilds.index(card), 0
        return colours.index(card.colour), KINDS.index(card.kind), card.number or 0

    return tuple(sorted(cards, key=rank))


def legal_first(state: TippoState, tray: Tray) -> tuple[Card, ...]:
    """The cards that may lie in a tray; those of its colour first."""
    legal = [card for card in deck_of(state) if fits(state, card, tray) is None]
    colour = state.tray(tray).colour
    return tuple(sorted(legal, key=lambda card: card.colour is not colour or card.is_wild))


def key(card: Card, touch: Touch) -> Choice:
    return Choice(card.spoken, touch, card=card)


def naming_touch(table: Table, card: Card, tray: Tray | None, around: Surroundings) -> Touch:
    """What tapping a card on the pad says: its name, and where no cell sees it, its tray too."""
    if tray is not None and is_blind(table, tray):
        return commands.Play(card=str(card), tray=tray.value)
    named = CardTap(card=str(card))
    if tray is not None and around.person_at_sim:
        return (named, PutDown(tray))
    return named


def pad_of(
    table: Table,
    state: State,
    tray: Tray | None,
    around: Surroundings,
    colour: Colour | None,
    *,
    lies: bool,
    every: bool = False,
) -> PadBody:
    """The pad for a card in a tray: the legal ones, or more with the illegal ones faded.

    `lies`: the card lies in the tray already; `every`: what is illegal too.
    """
    where = None if lies else tray

    def touch(card: Card) -> Touch:
        return naming_touch(table, card, where, around)

    if not isinstance(state, TippoState):
        return tabbed_pad(deck_of(state), colour, touch)
    quick = table.mode is Mode.QUICK
    pad = quick_pad(touch) if quick else tabbed_pad(deck_of(state), colour, touch)
    if tray is None or state.phase is Phase.TILT:  # T38: any card goes
        return pad
    legal = legal_first(state, tray)
    if quick or every or len(legal) > MOST_LEGAL:
        return _faded(pad, legal)
    return PadBody(tuple(key(card, touch(card)) for card in legal))


def _faded(pad: PadBody, legal: Sequence[Card]) -> PadBody:
    """The pad with all cards but the legal ones faded; they can still be tapped."""
    keys = (
        replace(each, faded=each.card is not None and each.card not in legal) for each in pad.keys
    )
    return replace(pad, keys=tuple(keys))


def tabbed_pad(
    deck: Sequence[Card], colour: Colour | None, touch: Naming, *, plain: bool = False
) -> PadBody:
    """One colour at a time, with tabs to the others and to the wilds."""
    tabs = tuple(
        Choice(c.word if c else "wild", Tab(c), colour=c, chosen=c is colour)
        for c in (*Colour, None)
    )
    shown = [card for card in deck if card.colour is colour]
    if colour is None and plain:
        shown.append(UNKNOWN)
    return PadBody(tuple(key(card, touch(card)) for card in shown), tabs, columns=6)


def quick_pad(touch: Naming) -> PadBody:
    """Quick refereeing: Stop, action and wild cards by colour, and one key for all others."""
    special = [Card(Kind.STOP, None, n) for n in range(1, 6)]
    special += [Card(kind) for kind in (Kind.DRAW_TWO, Kind.REVERSE, Kind.SKIP)]
    last = (WILD, WILD_DRAW_FOUR, TILT, UNKNOWN)
    cards = [
        card
        for colour, wild in zip(Colour, last, strict=True)
        for card in (*(Card(c.kind, colour, c.number) for c in special), wild)
    ]
    keys = tuple(
        Choice("any other", touch(card)) if card == UNKNOWN else key(card, touch(card))
        for card in cards
    )
    return PadBody(keys, grouped=True)


def colour_body(card: Card | None, tray: Tray | None) -> ColourBody:
    """Four colours to choose from."""
    return ColourBody(
        card,
        tuple(
            Choice(
                colour.word.capitalize(),
                commands.NameColour(colour=colour.value)
                if tray is None
                else commands.NameColour(colour=colour.value, tray=tray.value),
                colour=colour,
            )
            for colour in Colour
        ),
    )
