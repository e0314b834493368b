"""Classic and Battle as people see them: the one pile, the pad, stealing and defending.

It never decides what may be laid: it asks the game's referee.
"""

from collections.abc import Sequence

from companion.display.bodies import ChoicesBody, PadBody, PileBody
from companion.display.choice import Choice, Tone, Touch
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.view_round import MENU
from companion.display.view_table import calls_of, deck_of, key, seats_of, tabbed_pad
from companion.display.wishes import Open, Page
from companion.display.words import a_card, cards, played_off
from companion.games import commands, rulings
from companion.games.battle.state import BattleState
from companion.games.cards import Card
from companion.games.one_pile import OnePileState
from companion.games.referee import Phase, Refusal
from companion.games.registry import referee
from companion.table.table import Table
from companion.table.taps import CardTap, Mode, NextTap


def pile_body(state: OnePileState) -> PileBody:
    """The ring of seats around the pile."""
    pile = state.pile
    return PileBody(
        seats_of(state),
        state.direction,
        None if pile is None else pile.top,
        None if pile is None else pile.colour,
        0 if pile is None else pile.cards,
        state.battle if isinstance(state, BattleState) else 0,
        Open(Page.PAD),
    )


def pile_screen(table: Table, state: OnePileState, looking: Looking, notice: str) -> Screen:
    """A turn: in full refereeing the pad is the first thing seen, so that a turn is one tap."""
    player = state.turn or ""
    drawn = state.phase is Phase.DRAWN
    if refereed_quickly(table, state) or looking.page is Page.RING or state.pile is None:
        return Screen(
            f"{player}, will you play the card you drew?" if drawn else f"{player}, your turn",
            pile_body(state),
            MENU,
            _moves(table, state, at_ring=True),
            calls_of(state),
            who=player,
            notice=notice,
        )
    asked = "tap the card you drew, or pass" if drawn else "which card do you play?"
    return Screen(
        f"{player}, {asked}",
        pile_pad(table, state, looking),
        MENU,
        _moves(table, state, at_ring=False),
        calls_of(state),
        who=player,
        notice=notice,
    )


def refereed_quickly(table: Table, state: OnePileState) -> bool:
    """Whether only special cards are named; in Battle every card can be stolen, so all are."""
    return table.mode is Mode.QUICK and not isinstance(state, BattleState)


def pile_pad(table: Table, state: OnePileState, looking: Looking) -> PadBody:
    """What may be laid on the pile first; with a tab chosen any card of that colour."""

    def touch(card: Card) -> Touch:
        return CardTap(card=str(card))

    legal = legal_cards(state)
    if refereed_quickly(table, state):
        legal = tuple(card for card in legal if card.number is None)
    if looking.page is Page.ALL_CARDS or not 0 < len(legal) <= MOST_LEGAL:
        return tabbed_pad(deck_of(state), looking.colour, touch)
    pile = state.lying
    keys = tuple(key(card, touch(card)) for card in legal)
    return PadBody(keys, columns=6, top=pile.top, colour=pile.colour)


MOST_LEGAL = 24
"""Four rows of six keys: with more than these one colour is shown at a time."""


def legal_cards(state: OnePileState) -> tuple[Card, ...]:
    """The cards that the referee would take now from whoever has the turn."""
    rules = referee(state.game)
    legal: list[Card] = []
    for card in deck_of(state):
        answer = rules.apply(state, commands.Play(card=str(card)))
        if isinstance(answer, Refusal):
            continue
        if not any(isinstance(ruling, rulings.Refused) for ruling in answer.rulings):
            legal.append(card)
    return tuple(legal)


def _moves(table: Table, state: OnePileState, *, at_ring: bool) -> tuple[Choice, ...]:
    moves: list[Choice] = []
    if refereed_quickly(table, state):
        return (*_quick_moves(state), *draws_of(state))
    other = Open(Page.TABLE) if at_ring else Open(Page.RING)
    moves.append(Choice("Cards" if at_ring else "Table", other))
    if not at_ring:
        moves.append(Choice("Another card", Open(Page.ALL_CARDS)))
    if isinstance(state, BattleState):
        moves += _steals_of(state)
    return (*moves, *draws_of(state))


def _quick_moves(state: OnePileState) -> tuple[Choice, ...]:
    """A number card is one tap whatever it is; after a draw NEXT would mean that it was kept."""
    special = Choice("SPECIAL", Open(Page.PAD), note="which one?")
    if state.phase is Phase.DRAWN:
        return Choice("NUMBER", commands.Play(card="?"), note="is laid"), special
    return Choice("NEXT", NextTap(), Tone.MAIN, note="a number is laid"), special


def draws_of(state: OnePileState) -> tuple[Choice, ...]:
    """DRAW, or what a battle has come to; after a draw PASS."""
    if isinstance(state, BattleState) and state.battle:
        return (Choice(f"DRAW {state.battle}", commands.Draw(), Tone.WARN),)
    if state.phase is Phase.PLAY:
        return (Choice("DRAW", commands.Draw()),)
    return (Choice("PASS", commands.Pass(), Tone.MAIN),)


BOTH_AT_ONCE = Choice("BOTH AT ONCE", Open(Page.DEFEND))


def _steals_of(state: BattleState) -> tuple[Choice, ...]:
    if state.steal is not None:
        return (BOTH_AT_ONCE,)
    return () if state.laid is None else (Choice("STEAL", Open(Page.STEAL)),)


# --- stealing -----------------------------------------------------------------------------


def may_steal(state: BattleState, card: Card, player: str) -> bool:
    """Whether the referee would take this card out of turn."""
    play = commands.Play(card=str(card), player=player)
    return not isinstance(referee(state.game).apply(state, play), Refusal)


def thief_touch(state: BattleState, name: str) -> Touch:
    """A steal by this player: the same card again, or with a 0 any 0 (H8)."""
    top = state.lying.top
    if top.number == 0:
        return Open(Page.STEAL_CARD, player=name)
    return commands.Play(card=str(top), player=name)


def steal_pad(state: BattleState, player: str) -> PadBody:
    """The four 0s, any of which follows a 0."""
    zeros = [card for card in deck_of(state) if card.number == 0]
    keys = tuple(key(c, commands.Play(card=str(c), player=player)) for c in zeros)
    return PadBody(keys, columns=2)


def defend_pad(state: BattleState, looking: Looking, hand: Sequence[Card]) -> PadBody:
    """The card of the player who was on turn, which stands (H11); of their hand if it is known."""

    def touch(card: Card) -> Touch:
        return commands.Defend(card=str(card))

    if hand:
        return PadBody(tuple(key(card, touch(card)) for card in hand), columns=6)
    return tabbed_pad(deck_of(state), looking.colour, touch)


def battle_notice(state: OnePileState) -> str:
    """What a battle has come to, or what is played off."""
    if not isinstance(state, BattleState):
        return ""
    if state.battle:
        return f"Battle! Answer with a +2, +4, Swap or Block, or draw {cards(state.battle)}."
    if state.sudden_death:
        return "Sudden death: nobody steals but with a 0."
    return "" if state.tie is None else played_off(state.tie)


def thieves_sentence(state: BattleState) -> str:
    """Who lays the same card once more?"""
    top = state.lying.top
    same = "a 0" if top.number == 0 else f"another {a_card(top, state.game).removeprefix('the ')}"
    return f"Who steals with {same}?"


# --- what only the people can say -------------------------------------------------------------


def challenge_screen(state: OnePileState, player: str) -> Screen:
    """Is a Wild Draw Four challenged, and what does the hand show (C8)?"""
    accused = getattr(state, "accused", "")
    choices = (
        Choice("Accept", commands.Accept(), Tone.MAIN, note="you draw 4 cards"),
        Choice("Guilty!", commands.Challenge(guilty=True), note=f"{accused} draws 4 cards"),
        Choice("Innocent", commands.Challenge(guilty=False), note="you draw 6 cards"),
    )
    text = f"Accept, or look at {accused}'s hand: does it hold the colour that lay there before?"
    body = ChoicesBody(text, choices, columns=3)
    return Screen(f"{player}, a Wild Draw Four!", body, MENU, calls=calls_of(state), who=player)


def scissors_screen(state: OnePileState) -> Screen:
    """A Wild sends the battle to the lowest score, and several have it (H18)."""
    lowest = min(state.scores[name] for name in state.at_play)
    tied = [name for name in state.at_play if state.scores[name] == lowest]
    choices = tuple(Choice(name, commands.Correct(turn=name)) for name in tied)
    text = "The Wild sends the battle to the lowest score. Who has won?"
    return Screen("Rock, paper, scissors!", ChoicesBody(text, choices), MENU)
