"""What the cards are called at a Battle table: Swap, Block, +2 and +4.

It never says what they do.
"""

from collections.abc import Mapping
from types import MappingProxyType

from companion.games.cards import Card, Kind
from companion.games.pile import Pile

_NAMES: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.REVERSE: "Swap",
        Kind.SKIP: "Block",
        Kind.DRAW_TWO: "+2",
        Kind.WILD_DRAW_FOUR: "+4",
    }
)


def spoken(card: Card) -> str:
    """The card in words: "the red Swap", "the +4"."""
    name = _NAMES.get(card.kind)
    if name is None:
        return card.spoken
    return f"the {card.colour.word} {name}" if card.colour else f"the {name}"


def spoken_top(pile: Pile) -> str:
    """What lies there, in words, with the colour that was named for a wild."""
    top = spoken(pile.top)
    return f"{top} (now {pile.colour.word})" if pile.top.is_wild and pile.colour else top
