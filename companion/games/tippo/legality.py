"""What may be laid where, and what may be done now: pure questions about a state.

The referee decides by them, and whoever shows or plays the game asks the same ones. Nothing
here changes a state, and nobody's hand is known.
"""

from companion.games.cards import FITS_ANYWHERE, UNKNOWN, Card, Kind
from companion.games.referee import Code, Refusal, refusal
from companion.games.tippo.state import TippoState, TrayState
from companion.units import Tray

NO_STOPS = frozenset({Kind.NUMBER, Kind.UNKNOWN})
"""What may never lie on a visible Stop (T12)."""


def matches(card: Card, tray: TrayState) -> bool:
    """Whether a card matches what lies in a tray by colour, number or symbol (T8).

    Wilds match everything, and so does everything an unnamed card on top; an unnamed card that
    is played is not judged. In an empty tray, as they are between rounds, anything may lie.
    """
    if card.colour is tray.colour or card.kind in FITS_ANYWHERE or not tray.pile:
        return True
    top = tray.pile[-1]
    if top == UNKNOWN:
        return True
    if card.number is not None:
        return card.number == top.number
    return card.kind is top.kind


def fits(state: TippoState, card: Card, tray: Tray) -> Refusal | None:
    """Why `card` may not be laid in `tray`, whoever lays it; None if it may (T11, T12)."""
    if card.is_wild:
        return None
    lies = state.tray(tray)
    if not lies.open and not (card.is_stop and state.options.stop_on_stopped == "yes"):
        return _stopped(state, card, tray)
    if not matches(card, lies):
        text = f"{_capital(card.spoken)} {_mismatch(card, lies)} in the {tray} tray"
        return refusal(Code.NO_MATCH, text, "T8" if card.is_action else "U12")
    if lies.has_stop and card.kind in NO_STOPS:
        covers = f"cannot cover {lies.pile[-1].spoken} in the {tray} tray"
        text = f"{_capital(card.spoken)} is no Stop card and {covers}"
        return refusal(Code.STOP_NEEDS_STOP, text, "T12")
    return None


def _stopped(state: TippoState, card: Card, tray: Tray) -> Refusal:
    by_house_rule = state.options.stop_on_stopped == "yes"
    goes = "a wild or a matching Stop card" if by_house_rule else "a wild"
    stop = _capital(state.tray(tray).pile[-1].spoken)
    text = f"{stop} stops the {tray} tray: only {goes} can go there, not {card.spoken}"
    return refusal(Code.TRAY_STOPPED, text, "T11")


def _mismatch(card: Card, lies: TrayState) -> str:
    """In words what a card would have to match in a tray, and does not."""
    top = lies.pile[-1]
    if top.is_wild:
        if lies.colour is None:
            return f"must wait for the colour of {top.spoken}"
        return f"is not {lies.colour.word}, the colour named for {top.spoken}"
    what = "symbol" if card.is_action or top.is_action else "number"
    return f"matches neither the colour nor the {what} of {top.spoken}"


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def trays_for(state: TippoState, card: Card) -> tuple[Tray, ...]:
    """The trays in which `card` may be laid now, were it in the hand of whoever has the turn."""
    return tuple(tray for tray in Tray if fits(state, card, tray) is None)


def awaiting_colour(state: TippoState) -> tuple[Tray, ...]:
    """The trays whose wild has no colour yet, whether or not it is asked for now."""
    left, right = state.left.awaits_colour, state.right.awaits_colour
    if not (left or right):
        return ()
    return (Tray.LEFT, Tray.RIGHT) if left and right else (Tray.LEFT if left else Tray.RIGHT,)
