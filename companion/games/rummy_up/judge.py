"""Whether a turn's rearrangement of the Rummy Up board is legal, and in words why not.

This module never deals with turns, hands or effects: see `turn`.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from companion.games.cards import Card
from companion.games.referee import Code, Refusal, refusal
from companion.games.rummy_up.board import Change, WrittenMeld
from companion.games.rummy_up.melds import Meld, flaw, is_set, written
from companion.games.rummy_up.tiles import BARE_WILD, copies, one_too_many, parse_meld, spoken
from companion.games.rummy_up.wilds import Vacated, unreplaced

LIMIT = 4
"""Tiles that may come from the rack in one turn (R6)."""


def read_melds(table: Sequence[Sequence[str]]) -> tuple[WrittenMeld, ...] | Refusal:
    """The melds of a command; text that is no tile, or a tile too many, is `unknown_card`."""
    melds: list[WrittenMeld] = []
    for texts in table:
        try:
            melds.append(parse_meld(texts))
        except ValueError as error:
            return refusal(
                Code.UNKNOWN_CARD,
                f"{error} of Rummy Up: tiles are R1 to B12, a wild in a meld is W=R5",
                "R1",
            )
    return tuple(melds)


def flaw_of_board(
    old: Sequence[Meld], new: Sequence[WrittenMeld], change: Change
) -> Refusal | tuple[Meld, ...]:
    """The new melds if they may lie there, else what is wrong with them (R7).

    Checks that no tile has left the melds (R2), that each meld is a run or a set (R18, R20),
    that wilds which moved were replaced (R16) and that a tile came from the rack.
    """
    if change.missing:
        return refusal(
            Code.TILES_MISSING,
            f"{_capital(spoken(change.missing[0]))} is in no meld: a tile that lay in a meld "
            "stays in one",
            "R2",
        )
    named = _named(new, change.touched)
    if isinstance(named, Refusal):
        return named
    for index in change.touched:
        if wrong := flaw(named[index]):
            return refusal(Code.ILLEGAL_MELD, *wrong)
    wild_moved = any(tile.wild for meld in change.broken for tile in meld)
    if wild_moved and (stray := unreplaced(old, named)):
        return _not_replaced(stray)
    if not change.rack_tiles:
        return refusal(
            Code.ILLEGAL_MELD, "No tile came from the rack: play at least one, or draw", "R7"
        )
    return named


def flaw_of_number(change: Change, *, hand: int, drawn: bool) -> Refusal | None:
    """Whether too many tiles came from the rack (R5, R6)."""
    count = len(change.rack_tiles)
    if drawn and count > 1:
        return refusal(
            Code.ONLY_THE_DRAWN_CARD,
            f"{count} tiles came from the rack: after a draw only the drawn tile may be played",
            "R5",
        )
    if count > LIMIT:
        return refusal(
            Code.TOO_MANY_TILES,
            f"{count} tiles came from the rack: at most {LIMIT} may in one turn",
            "R6",
        )
    if count > hand:
        return refusal(
            Code.TOO_MANY_TILES, f"{count} tiles came from a rack of {hand}: count them", "R6"
        )
    return None


def flaw_of_copies(faces: Iterable[Card]) -> Refusal | None:
    """Whether more copies of a tile were seen than the set holds (R1)."""
    face = one_too_many(faces)
    if face is None:
        return None
    return refusal(
        Code.UNKNOWN_CARD,
        f"There are only {copies(face)} tiles like {spoken(face)} in the set",
        "R1",
    )


def _named(melds: Sequence[WrittenMeld], touched: Sequence[int]) -> tuple[Meld, ...] | Refusal:
    for index in touched:
        if BARE_WILD in melds[index]:
            return refusal(
                Code.ILLEGAL_MELD,
                f"The wild in {' '.join(map(str, melds[index]))} must say which tile it stands for",
                "R18",
            )
    return cast(tuple[Meld, ...], tuple(melds))


def _not_replaced(place: Vacated) -> Refusal:
    wanted = (
        f"no missing colour of the {place.wild.number}s"
        if is_set(place.home)
        else f"no {place.wild.colour.word} {place.wild.number}"
    )
    return refusal(
        Code.ILLEGAL_MELD,
        f"{_capital(place.wild.spoken)} in {written(place.home)} has moved, and {wanted} "
        "has taken its place",
        "R16",
    )


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
