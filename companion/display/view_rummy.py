"""Rummy Up as people see it: the board whose tiles they move, and what they add from the rack.

It never decides what may lie there: it asks the referee's own questions about runs and sets.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from companion.display import words
from companion.display.asking import Question
from companion.display.bodies import BoardBody, ChoicesBody, MeldPicture, PadBody, TilePicture
from companion.display.choice import Choice, Tone, Touch
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.tiles import Draft, InMeld, OffBoard, changed, is_legal, open_choices
from companion.display.view_round import MENU
from companion.display.view_setup import BACK
from companion.display.view_table import calls_of, seats_of
from companion.display.wishes import Arrange, AskForPlay, Open, Page, Tab
from companion.games import commands
from companion.games.cards import Card, Colour
from companion.games.commands import EffectText
from companion.games.referee import Phase
from companion.games.rummy_up.judge import LIMIT
from companion.games.rummy_up.referee import RummyState
from companion.games.rummy_up.tiles import HIGHEST, LOWEST

TileTouch: TypeAlias = Callable[[str], Touch | None]
"""What tapping a tile means; None where it cannot be tapped."""

EFFECTS: dict[EffectText, str] = {
    "draw_two": "Draw Two",
    "draw_four": "Draw Four",
    "skip": "Skip",
    "reverse": "Reverse",
}


def rummy_screen(state: RummyState, looking: Looking, around: Surroundings, notice: str) -> Screen:
    """The board; only what changed is asked."""
    draft = looking.draft or Draft.of(state.board)
    player = state.turn or ""
    if draft.asking:
        asked = _effect_screen(state, draft, player)
        if asked is not None:
            return asked
    headline = f"{player}, move tiles, add some, or draw"
    if state.phase is Phase.DRAWN:
        headline = f"{player}, play the tile you drew, or pass"
    elif not state.draw_pile:
        headline = f"{player}, move tiles, add some, or pass"
    picked = draft.picked_tile
    if picked is not None:
        headline = f"{player}, tap where {words.tile(picked)} goes"
    return Screen(
        headline,
        board_body(state, draft),
        MENU,
        _moves(state, draft, around),
        calls_of(state),
        who=player,
        notice=notice,
    )


def board_body(state: RummyState, draft: Draft) -> BoardBody:
    """All melds, the tiles that lie loose, and what came from the rack in this turn."""
    difference = changed(state.board, draft)
    melds = tuple(
        MeldPicture(
            tuple(_tile(draft, k, i, difference.from_rack[k]) for i in range(len(meld))),
            is_legal(meld),
        )
        for k, meld in enumerate(draft.melds)
    )
    free = draft.picked is None
    loose = tuple(
        TilePicture(str(face), Arrange(draft.picking(OffBoard(str(face)))) if free else None)
        for face in difference.loose
    )
    new = None if free else Choice("new meld", Arrange(draft.put(None)), Tone.NEXT)
    return BoardBody(seats_of(state), melds, loose, new)


def untouchable(board: BoardBody) -> BoardBody:
    """The same board, to be looked at only."""
    melds = tuple(
        replace(meld, tiles=tuple(replace(tile, touch=None) for tile in meld.tiles))
        for meld in board.melds
    )
    loose = tuple(replace(tile, touch=None) for tile in board.loose)
    return replace(board, melds=melds, loose=loose, new=None)


def _tile(draft: Draft, meld: int, index: int, from_rack: tuple[object, ...]) -> TilePicture:
    text = draft.melds[meld][index]
    here = InMeld(meld, index)
    if draft.picked is None:
        touch: Touch = Arrange(draft.picking(here))
    elif draft.picked == here:
        touch = Arrange(draft.picking(None))
    else:
        touch = Arrange(draft.put(meld))
    face = "W" if text.startswith("W") else text
    fresh = face in {str(card) for card in from_rack}
    return TilePicture(text, touch, chosen=draft.picked == here, fresh=fresh)


def _moves(state: RummyState, draft: Draft, around: Surroundings) -> tuple[Choice, ...]:
    if draft.picked is not None:
        return (Choice("PUT AWAY", Arrange(_put_away(state, draft))),)
    moves = [] if around.hand_player else [Choice("+ TILE", Open(Page.PAD))]
    if draft.melds != Draft.of(state.board).melds:
        moves.append(Choice("START OVER", Arrange(Draft.of(state.board))))
        return (*moves, Choice("DONE", _done(state, draft), Tone.MAIN))
    return (*moves, Choice("HELP ME", _help(state, around)), stopping(state))


def stopping(state: RummyState) -> Choice:
    """What ends a turn without a meld: DRAW, after it or without a pool PASS."""
    if state.phase is Phase.DRAWN or state.draw_pile == 0:
        return Choice("PASS", commands.Pass())
    return Choice("DRAW", commands.Draw())


def _help(state: RummyState, around: Surroundings) -> Touch:
    """Can anything be played? The table knows no rack but that of a simulated game."""
    if around.hand_player:
        return AskForPlay(question_of(state, around.hand))
    return Open(Page.RACK)


def question_of(state: RummyState, rack: tuple[Card, ...]) -> Question:
    """After a draw only the drawn tile, the last of the rack, may be played (R5, R6)."""
    drawn = state.phase is Phase.DRAWN
    return Question(state.board, rack[-1:] if drawn else rack, 1 if drawn else LIMIT)


def _put_away(state: RummyState, draft: Draft) -> Draft:
    """A tile of the rack goes back there, one of the board to its place."""
    picked = draft.picked
    if isinstance(picked, InMeld):
        fresh = changed(state.board, draft).from_rack[picked.meld]
        tile = draft.melds[picked.meld][picked.index]
        if ("W" if tile.startswith("W") else tile) in {str(card) for card in fresh}:
            return draft.taken_off()
    return draft.picking(None)


def _done(state: RummyState, draft: Draft) -> Touch:
    if open_choices(state.board, draft):
        return Arrange(Draft(draft.melds, asking=True))
    return _meld(draft)


def _meld(draft: Draft) -> commands.Meld:
    if not draft.effects:
        return commands.Meld(table=draft.melds)
    return commands.Meld(table=draft.melds, effects=dict(draft.effects))


def _effect_screen(state: RummyState, draft: Draft, player: str) -> Screen | None:
    """One meld brings several effects, and only one acts: which?"""
    waiting = open_choices(state.board, draft)
    if not waiting:
        return None
    index = min(waiting)
    chosen = {
        effect: draft.choosing(index, effect) for effect in EFFECTS if effect in waiting[index]
    }
    last = len(waiting) == 1
    answers = tuple(
        Choice(EFFECTS[effect], _meld(after) if last else Arrange(after))
        for effect, after in chosen.items()
    )
    tiles = ", ".join(words.tile(tile).removeprefix("the ") for tile in draft.melds[index])
    return Screen(
        f"{player}, which one shall act?",
        ChoicesBody(f"In {tiles} only one of these acts.", answers, columns=len(answers)),
        MENU,
        calls=calls_of(state),
        who=player,
    )


def tile_pad(state: RummyState, looking: Looking) -> Screen:
    """Which tile comes from the rack?"""
    draft = looking.draft or Draft.of(state.board)

    def touch(tile: str) -> Touch:
        return Arrange(draft.picking(OffBoard(tile)))

    player = state.turn or ""
    return Screen(
        f"{player}, which tile from your rack?", tiles_of(looking.colour, touch), BACK, who=player
    )


def tiles_of(colour: Colour | None, touch: TileTouch) -> PadBody:
    """The tiles of one colour, with tabs to the others and to the wild."""
    tabs = tuple(
        Choice(c.word if c else "wild", Tab(c), colour=c, chosen=c is colour)
        for c in (*Colour, None)
    )
    shown = ["W"] if colour is None else [f"{colour}{n}" for n in range(LOWEST, HIGHEST + 1)]
    keys = tuple(Choice(tile, touch(tile), tile=tile) for tile in shown)
    return PadBody(keys, tabs, columns=4)
