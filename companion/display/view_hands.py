"""The card games as a person among simulated people sees them: their own hand, and what it can do.

It never decides what may be laid: a card that does not go is refused by the referee.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.display import view_pile, view_rummy
from companion.display.bodies import ChoicesBody, HandBody, RackBody, TilePicture
from companion.display.choice import Choice, Tone, Touch
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.tiles import Draft, OffBoard, changed
from companion.display.view_round import MENU
from companion.display.view_table import calls_of, sorted_cards
from companion.display.wishes import Arrange, SeeHand
from companion.games import commands
from companion.games.battle.state import BattleState
from companion.games.cards import Card
from companion.games.one_pile import OnePileState
from companion.games.referee import Phase, State
from companion.games.rummy_up.referee import RummyState
from companion.table.taps import CardTap


def hand_screen(state: OnePileState, around: Surroundings, notice: str) -> Screen:
    """The pile, and below it the hand of the person, who is on turn or looks on."""
    player, own = around.hand_player, state.turn == around.hand_player
    battle = state.battle if isinstance(state, BattleState) else 0
    drawn = own and state.phase is Phase.DRAWN and not battle
    held = _in_order(around.hand, drawn=drawn)
    touches = [_touch_of(card, state, player) for card in held]
    last = len(touches) - 1
    hand = tuple(
        Choice(
            card.spoken,
            None if drawn and k != last else touch,
            card=card,
            chosen=(drawn and k == last) or (not own and touch is not None),
        )
        for k, (card, touch) in enumerate(zip(held, touches, strict=True))
    )
    steals = not own and any(touches)
    return Screen(
        _headline(state, player, steals=steals),
        HandBody(replace(view_pile.pile_body(state), touch=None), hand),
        MENU,
        _moves(state, player),
        calls_of(state),
        who=player if own or steals else state.turn or "",
        notice=notice,
    )


def _in_order(hand: Sequence[Card], *, drawn: bool) -> tuple[Card, ...]:
    """Colour by colour; a card that was just drawn is at the end."""
    if drawn and hand:
        return (*sorted_cards(hand[:-1]), hand[-1])
    return sorted_cards(hand)


def _touch_of(card: Card, state: OnePileState, player: str) -> Touch | None:
    """What tapping a card of the hand means: in one's turn a play, in another's a steal."""
    if state.turn == player:
        return CardTap(card=str(card))
    if isinstance(state, BattleState) and view_pile.may_steal(state, card, player):
        return commands.Play(card=str(card), player=player)
    return None


def _headline(state: OnePileState, player: str, *, steals: bool) -> str:
    if steals:
        return f"{player}, you can steal: tap the card!"
    if state.turn != player:
        return f"{state.turn}'s turn" if state.turn else "Rock, paper, scissors"
    if isinstance(state, BattleState) and state.battle:
        return f"{player}, answer the battle, or draw {state.battle}"
    if state.phase is Phase.DRAWN:
        return f"{player}, play the card you drew, or pass"
    return f"{player}, tap a card of yours, or draw"


def _moves(state: OnePileState, player: str) -> tuple[Choice, ...]:
    steal = state.steal if isinstance(state, BattleState) else None
    stolen = steal is not None and steal.before.turn == player
    moves = (view_pile.BOTH_AT_ONCE,) if stolen else ()
    if state.turn != player or state.needs is not None:
        return moves
    return (*moves, *view_pile.draws_of(state))


def challenge_screen(state: State, player: str) -> Screen:
    """The person was hit by a Wild Draw Four; whoever laid it would have to show their hand."""
    choices = (
        Choice("Accept", commands.Accept(), Tone.MAIN, note="draw 4 cards"),
        Choice("Challenge!", SeeHand(player), note="guilty: they draw 4; innocent: you draw 6"),
    )
    body = ChoicesBody("Had they a card of the colour that lay there?", choices)
    return Screen(f"{player}, a Wild Draw Four!", body, MENU, calls=calls_of(state), who=player)


def rack_screen(state: RummyState, looking: Looking, around: Surroundings, notice: str) -> Screen:
    """The board, and below it the rack of the person."""
    screen = view_rummy.rummy_screen(state, looking, around, notice)
    if isinstance(screen.body, ChoicesBody):
        return screen
    own = state.turn == around.hand_player
    draft = looking.draft or Draft.of(state.board)
    board = view_rummy.board_body(state, draft)
    if not own:
        board = view_rummy.untouchable(board)
        screen = replace(screen, headline=f"{state.turn}'s turn", actions=(), who=state.turn or "")
    return replace(screen, body=RackBody(board, _rack(state, draft, around, own=own)))


def _rack(
    state: RummyState, draft: Draft, around: Surroundings, *, own: bool
) -> tuple[TilePicture, ...]:
    """The tiles that have not been put on the board yet; after a draw only the drawn one goes."""
    drawn = own and state.phase is Phase.DRAWN
    left = list(_in_order(around.hand, drawn=drawn))
    placed = changed(state.board, draft).rack_tiles
    for face in placed:
        if face in left:
            left.remove(face)
    tiles = []
    for k, face in enumerate(left):
        off_board = OffBoard(str(face))
        picked = own and draft.picked == off_board and face not in left[:k]
        goes = not drawn or (k == len(left) - 1 and not placed)
        free = own and draft.picked is None and goes
        touch: Touch | None = Arrange(draft.picking(off_board)) if free else None
        if picked:
            touch = Arrange(draft.picking(None))
        tiles.append(TilePicture(str(face), touch, chosen=picked or (drawn and free)))
    return tuple(tiles)
