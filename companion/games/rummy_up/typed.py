"""A board and a rack as people type them, read for the question what can be played.

It never answers the question: see `finder`.
"""

from collections.abc import Iterable, Sequence

from companion.errors import BadInput
from companion.games.cards import Card
from companion.games.referee import Refusal
from companion.games.rummy_up.board import Board
from companion.games.rummy_up.judge import flaw_of_copies, read_melds
from companion.games.rummy_up.melds import Meld, flaw
from companion.games.rummy_up.tiles import FACES, Tile

_BY_TEXT = {str(face): face for face in FACES}


def read_tiles(texts: Iterable[str]) -> tuple[Card, ...]:
    """Tiles as they lie on a rack, `R1` to `B12` and `W`, apart by spaces or commas.

    Raises:
        BadInput: a text is no tile.
    """
    words = [word for text in texts for word in text.replace(",", " ").split()]
    unknown = next((word for word in words if word not in _BY_TEXT), None)
    if unknown is not None:
        raise BadInput(
            f"{unknown[:20]!r} is no tile: tiles are R1 to R12, Y1 to Y12, G1 to G12, B1 to B12, "
            "and W for a wild"
        )
    return tuple(_BY_TEXT[word] for word in words)


def read_board(melds: Sequence[str], loose: Sequence[str], rack: Sequence[Card]) -> Board:
    """A board whose melds are written like `R3 R4 W=R5`, with its loose tiles.

    Raises:
        BadInput: a meld is no run or set, or there are more tiles of a kind than the set holds.
    """
    texts = [text.replace(",", " ").split() for text in melds]
    read = read_melds(texts)
    if isinstance(read, Refusal):
        raise BadInput(f"--meld: {read.message}")
    board = Board(
        tuple(_legal(meld, text) for meld, text in zip(read, melds, strict=True)), read_tiles(loose)
    )
    too_many = flaw_of_copies((*board.faces.elements(), *board.loose, *rack))
    if too_many is not None:
        raise BadInput(f"board and rack together: {too_many.message}")
    return board


def _legal(meld: Sequence[object], text: str) -> Meld:
    tiles = tuple(tile for tile in meld if isinstance(tile, Tile))
    if len(tiles) != len(meld):
        raise BadInput(f"--meld {text!r}: a wild must say which tile it stands for, as in W=R5")
    wrong = flaw(tiles)
    if wrong is not None:
        raise BadInput(f"--meld {text!r}: {wrong[0]} ({wrong[1]})")
    return tiles
