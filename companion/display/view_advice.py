"""The help of a learning game in Rummy Up: a rack is shown, and what can be played with it.

It never searches (`companion.display.asking` does) and never tells anybody to play what was found.
"""

from collections import Counter

from companion.display.asking import Answer
from companion.display.bodies import BoardBody, ListBody, MeldPicture, RackBody, TilePicture
from companion.display.choice import Choice, Tone, Touch
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.tiles import Draft, changed, moved
from companion.display.view_rummy import (
    board_body,
    question_of,
    stopping,
    tiles_of,
    untouchable,
)
from companion.display.view_setup import BACK
from companion.display.view_table import seats_of
from companion.display.wishes import Arrange, AskForPlay, Page, ShowRack
from companion.games.cards import parse
from companion.games.referee import Phase
from companion.games.rummy_up.finder import Found
from companion.games.rummy_up.referee import RummyState
from companion.games.rummy_up.tiles import copies


def advice_screen(state: RummyState, looking: Looking, around: Surroundings) -> Screen:
    """The rack is tapped, or what was found is shown."""
    if looking.page is Page.RACK:
        return _drawn_tile(state, looking) if state.phase is Phase.DRAWN else _rack(state, looking)
    answer = looking.answer
    player = state.turn or ""
    if answer is None:
        board = untouchable(board_body(state, Draft.of(state.board)))
        return Screen(f"{player}, let me think ...", board, BACK, who=player)
    if answer.trouble:
        return Screen("I cannot search here", ListBody((), answer.trouble), BACK)
    if answer.found is None:
        return _nothing(state, answer, around)
    return _found(state, answer.found)


def _drawn_tile(state: RummyState, looking: Looking) -> Screen:
    def touch(tile: str) -> Touch:
        return AskForPlay(question_of(state, (parse(tile),)))

    player = state.turn or ""
    pad = tiles_of(looking.colour, touch)
    return Screen(f"{player}, which tile did you draw?", pad, BACK, who=player)


def _rack(state: RummyState, looking: Looking) -> Screen:
    """The pad, and below it the tiles tapped so far; a tap on one takes it off again."""
    rack, player = looking.rack, state.turn or ""
    seen = Counter(map(str, (*state.board.faces.elements(), *state.board.loose))) + Counter(rack)

    def touch(tile: str) -> Touch | None:
        full = seen[tile] >= copies(parse(tile))
        return None if full else ShowRack((*rack, tile))

    tiles = tuple(
        TilePicture(tile, ShowRack(rack[:k] + rack[k + 1 :])) for k, tile in enumerate(rack)
    )
    body = RackBody(tiles_of(looking.colour, touch), tiles, "They are for this question only.")
    ask = AskForPlay(question_of(state, tuple(map(parse, rack))))
    return Screen(
        f"{player}, tap the tiles that you hold",
        body,
        BACK,
        (Choice("WHAT CAN I PLAY?", ask, Tone.MAIN),) if rack else (),
        who=player,
        notice=f"{len(rack)} of {state.hands[player]} tiles" if player else "",
    )


def _nothing(state: RummyState, answer: Answer, around: Surroundings) -> Screen:
    """Nothing at all can be played; what is left is to draw, or to pass."""
    player, stop = state.turn or "", stopping(state)
    rack = tuple(TilePicture(str(tile), None) for tile in answer.question.rack)
    body = RackBody(untouchable(board_body(state, Draft.of(state.board))), rack)
    what = "the tile cannot be played" if len(rack) == 1 else "none of these can be played"
    headline = f"{player}, {what}: {stop.label.lower()}"
    shown = body.above if around.hand_player else body
    return Screen(headline, shown, BACK, (Choice(stop.label, stop.touch, Tone.MAIN),), who=player)


def _found(state: RummyState, found: Found) -> Screen:
    """The board as it could lie, what is new and what has moved standing out."""
    player, draft = state.turn or "", Draft(found.table)
    from_rack, moves = changed(state.board, draft).from_rack, moved(state.board, found.melds)
    melds = tuple(
        MeldPicture(
            tuple(
                TilePicture(
                    str(tile),
                    None,
                    chosen=tile in moves[k] and tile.face not in from_rack[k],
                    fresh=tile.face in from_rack[k],
                )
                for tile in meld
            ),
            legal=True,
        )
        for k, meld in enumerate(found.melds)
    )
    loose = tuple(TilePicture(str(face), None) for face in changed(state.board, draft).loose)
    count = "1 tile" if len(found.rack) == 1 else f"{len(found.rack)} tiles"
    return Screen(
        f"{player}, you can play {count}",
        BoardBody(seats_of(state), melds, loose, None),
        BACK,
        (Choice("DO IT LIKE THIS", Arrange(draft), Tone.MAIN),),
        who=player,
        notice="With a plus: from your rack. In a purple frame: moves on the board.",
    )
