"""Habits of hands and of haste: how people treat the scale when they are not at their best.

They never change what a card is or whose turn it is; each habit has its name in `sim.faults`.
"""

from dataclasses import dataclass, field, replace
from random import Random

from sim.hands import Placing

STYLES = ("press", "soft", "drop", "half_in", "hold", "clumsy")
"""Ways to put a card down; one of those that a table has is taken now and then."""

FUSSES = ("adjust", "steady", "look_under", "take_back", "two_stuck")
"""What somebody may do besides."""

RASH = ("draw_mid_tip", "play_mid_tip", "play_at_spill")
"""What somebody may do although the scale is tipping."""


@dataclass(slots=True)
class Habits:
    """The habits of one table; without any everybody plays as most do."""

    rng: Random
    names: set[str] = field(default_factory=set)

    @property
    def hasty(self) -> bool:
        """They play on while the scale still swings, cards 0.4 s apart."""
        return "quick_plays" in self.names

    @property
    def impatient(self) -> bool:
        """The next player is about to act while the last card still settles."""
        return self.hasty or not self.names.isdisjoint(RASH)

    def pause(self, seconds: float) -> float:
        """How long somebody waits who would ordinarily wait so long."""
        if self.hasty:
            return min(seconds, self.rng.uniform(0.05, 0.15))
        if "hurry" in self.names:
            return seconds * 0.35
        return seconds

    def placing(self, heavy: float) -> tuple[Placing, str | None]:
        """How somebody with such a hand puts a card down now, with the name of the habit."""
        ordinary = Placing.ordinary(self.rng, heavy)
        styles = [style for style in STYLES if style in self.names]
        if not styles or self.rng.random() < 0.4:
            return ordinary, None
        style = self.rng.choice(styles)
        return self._in_style(ordinary, style), style

    def _in_style(self, ordinary: Placing, style: str) -> Placing:
        match style:
            case "press":
                return _pressing(ordinary, self.rng)
            case "soft":
                lay_s = self.rng.uniform(0.5, 1.2)
                return replace(ordinary, lay_s=lay_s, push_g=0.0, steadied=0.0, drop_m=0.0)
            case "drop":
                drop_m = self.rng.uniform(0.05, 0.25)
                return replace(ordinary, push_g=0.0, steadied=0.0, drop_m=drop_m)
            case "clumsy":
                return _clumsy(ordinary, self.rng)
            case "half_in":
                return _half_in(ordinary, self.rng)
            case _:
                return _holding_on(ordinary, self.rng)

    def fuss(self) -> str | None:
        """What somebody does after a card was put down, if anything."""
        fusses = [fuss for fuss in FUSSES if fuss in self.names]
        if not fusses or self.rng.random() < 0.5:
            return None
        return self.rng.choice(fusses)

    def mistaken(self) -> bool:
        """Somebody is about to put down a card that does not go."""
        return "wrong_card" in self.names and self.rng.random() < 0.25

    def rash(self) -> str | None:
        """What the next player does although the scale is tipping, if anything."""
        moves = [
            move for move in ("draw_mid_tip", "play_mid_tip", "play_at_spill") if move in self.names
        ]
        if not moves or self.rng.random() < 0.2:
            return None
        return self.rng.choice(moves)


def _pressing(ordinary: Placing, rng: Random) -> Placing:
    """Presses the card down, briefly or long, while the beam is held."""
    push_s = 0.1 * 15.0 ** rng.random()
    return replace(
        ordinary,
        lay_s=max(ordinary.lay_s, push_s + 0.1),
        push_g=20.0 * 20.0 ** rng.random(),
        push_from_s=0.05,
        push_s=push_s,
        braced=rng.uniform(0.96, 1.0),
        steadied=rng.uniform(1.0, 3.0),
        drop_m=0.0,
    )


def _clumsy(ordinary: Placing, rng: Random) -> Placing:
    """Knocks on the tray with the card, and nothing is held."""
    return replace(
        ordinary,
        push_g=rng.uniform(25.0, 110.0),
        push_s=rng.uniform(0.08, 0.2),
        braced=rng.uniform(0.2, 0.5),
        steadied=0.0,
        drop_m=0.0,
    )


def _half_in(ordinary: Placing, rng: Random) -> Placing:
    """Leaves the card leaning on the rim, and pushes it home later."""
    return replace(
        ordinary,
        drop_m=0.0,
        home_m=rng.uniform(0.03, 0.042),
        leaning=rng.uniform(0.3, 0.8),
        home_later_s=rng.uniform(0.7, 3.0),
    )


def _holding_on(ordinary: Placing, rng: Random) -> Placing:
    """Keeps the hand at the beam till well after the card lies."""
    return replace(
        ordinary,
        drop_m=0.0,
        steadied=rng.uniform(2.0, 5.0),
        push_from_s=0.0,
        push_s=ordinary.lay_s + rng.uniform(0.2, 1.0),
        push_g=0.0,
    )
