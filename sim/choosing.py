"""How a person at the table chooses: legally, by taste, and with an eye on the leaning scale.

It never sees anybody else's hand and never judges a move: it asks the rules what fits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from companion.games.cards import Card, Colour
from companion.games.decks import points
from companion.games.tippo.legality import fits
from companion.games.tippo.state import TippoState
from companion.units import Tray


@dataclass(frozen=True, slots=True)
class Temper:
    """What somebody is like; from 0 to 1 but where a unit is named."""

    care: float
    """How much the balance of the trays matters to them."""
    greed: float
    """How gladly they get rid of dear cards first."""
    memory: float
    """How reliably they call UNO."""
    watch: float
    """How reliably they catch others."""
    pace: float
    """Seconds that a short thought takes."""
    heavy: float
    """How heavy their hand is; 1: as most."""

    @classmethod
    def of_somebody(cls, rng: Random) -> "Temper":
        return cls(
            care=rng.uniform(0.0, 0.9),
            greed=rng.random(),
            memory=rng.uniform(0.6, 0.98),
            watch=rng.uniform(0.2, 0.9),
            pace=rng.uniform(0.6, 2.2),
            heavy=rng.lognormvariate(0.0, 0.5),
        )


def options(state: TippoState, hand: Sequence[Card]) -> list[tuple[Card, Tray]]:
    """Every card of the hand with every tray in which it may be put now."""
    return [
        (card, tray)
        for card in dict.fromkeys(hand)
        for tray in Tray
        if fits(state, card, tray) is None
    ]


def misfits(state: TippoState, hand: Sequence[Card]) -> list[tuple[Card, Tray]]:
    """Every card of the hand with every tray in which it may not be put now."""
    may = options(state, hand)
    return [(card, tray) for card in hand for tray in Tray if (card, tray) not in may]


def choose(
    state: TippoState, hand: Sequence[Card], temper: Temper, rng: Random
) -> tuple[Card, Tray] | None:
    """A card and a tray, not always the best ones; None if nothing fits or nothing is seen.

    Somebody with negative `care` likes to see the scale lean.
    """
    possible = options(state, hand)
    if not possible or rng.random() < 0.04:
        return None
    surplus = state.trays[Tray.RIGHT].cards - state.trays[Tray.LEFT].cards

    def appeal(option: tuple[Card, Tray]) -> float:
        card, tray = option
        tilt = surplus + (1 if tray is Tray.RIGHT else -1)
        keep_wilds = 1.0 if card.is_wild and len(hand) > 3 else 0.0
        return (
            rng.gauss(0.0, 1.0)
            + temper.greed * points(card) / 25.0
            - temper.care * max(0, abs(tilt) - 2) * 0.7
            - keep_wilds
        )

    return max(possible, key=appeal)


def favourite_colour(hand: Sequence[Card], rng: Random) -> Colour:
    """The colour of which the hand holds most, mostly."""
    held = [card.colour for card in hand if card.colour is not None]
    if not held or rng.random() < 0.1:
        return rng.choice(list(Colour))
    return max(Colour, key=held.count)
