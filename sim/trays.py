"""A tray on the beam's arm: cards lie in it one on another, slide, and fall out at its open end.

It never knows who put a card there or what the card means.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from sim.beam import GRAVITY

OPENING_M = 0.045
"""How far a card slides until more than half of it hangs over the lip and it falls."""

DRAG = 0.4
"""The part of its speed that a sliding card passes on to the one that lies on it."""


@dataclass(frozen=True, slots=True)
class Cardboard:
    """What the cards of one deck are like; each card is cut from it with its own friction."""

    grams: float
    """Mean weight of a card."""
    spread: float = 0.008
    """rms of a single card's weight, as a part of it."""
    grip: float = 0.41
    """Mean tangent of the angle at which a card begins to slide, ..."""
    grip_spread: float = 0.05
    steepest: float = 0.62
    """... and the most that it can be."""
    glide: tuple[float, float] = (0.72, 0.93)
    """Friction while sliding, as a part of `grip`."""
    patience_s: float = 1.2
    drag: float = 6.7
    sticky: float = 0.0
    """Which part of the cards clings to the tray and will not fall at all."""
    slick: float = 0.0
    """Which part of them slides as on ice."""

    def cut(self, name: str, rng: Random) -> "LyingCard":
        """One card, with the friction of its own coating and bend."""
        grams = self.grams * (1.0 + self.spread * rng.gauss(0.0, 1.0))
        grip = min(self.steepest, max(0.30, rng.gauss(self.grip, self.grip_spread)))
        glide = grip * rng.uniform(*self.glide)
        patience_s = rng.expovariate(1.0 / self.patience_s)
        drag = self.drag * rng.lognormvariate(0.0, 0.7)
        if rng.random() < self.sticky:
            grip, glide = 2.0, 1.9
        elif rng.random() < self.slick:
            grip, glide, drag = 0.3, 0.15, 1.0
        return LyingCard(name, grams, grip, glide, patience_s, drag)


@dataclass(slots=True, eq=False)
class LyingCard:
    """One piece of cardboard; `slid_m` is how far it is from lying home against the arm."""

    name: str
    grams: float
    grip: float
    """Tangent of the angle at which it begins to slide."""
    glide: float
    """The same while it slides; always less."""
    patience_s: float
    """How long it lies still between the two before the contact gives way."""
    drag: float
    """1/s: how much the edges of its neighbours and of the tray slow it down."""
    slid_m: float = 0.0
    speed: float = 0.0
    borne: float = 1.0
    """Which part of its weight the tray bears; the hand that still holds it bears the rest."""
    leaning: float = 1.0
    """What `borne` is once the hand is off; less than 1 for a card that was not put home."""
    held: bool = False

    def gives_way(self, slope: float, dt: float) -> bool:
        """True if it begins to slide outwards now; lying on a slope wears its patience down."""
        if slope <= self.glide:
            return False
        self.patience_s -= dt
        return slope > self.grip or self.patience_s <= 0.0


class CardTray:
    """Cards from the bottom up; the arm's side is closed, the outer end is open."""

    def __init__(self) -> None:
        self.cards: tuple[LyingCard, ...] = ()
        self.grams = 0.0
        """What the tray bears now."""
        self.sliding = False
        self._slickest = math.inf
        self._inner_grip = math.inf

    def add(self, cards: Sequence[LyingCard]) -> None:
        self.cards = (*self.cards, *cards)
        self.weigh()

    def remove(self, cards: Sequence[LyingCard]) -> None:
        self.cards = tuple(card for card in self.cards if card not in cards)
        self.weigh()

    def weigh(self) -> None:
        """To be called when a card is held, let go, or borne more or less than before."""
        self.grams = sum(card.grams * card.borne for card in self.cards)
        loose = [card for card in self.cards if not card.held]
        self._slickest = min((card.glide for card in loose), default=math.inf)
        self._inner_grip = min((card.grip for card in loose if card.slid_m > 0.0), default=math.inf)

    def slips_at(self, outward: float) -> bool:
        """True if at this angle (positive: open end down) a card that lies still will start."""
        slope = math.tan(outward)
        return slope > self._slickest or -slope > self._inner_grip

    def step(self, dt: float, outward: float) -> list[LyingCard]:
        """Slides for `dt` seconds at this angle; answers with the cards that fell out."""
        slope = math.tan(outward)
        pull = GRAVITY * math.sin(outward)
        press = GRAVITY * math.cos(outward)
        below = 0.0
        fallen: list[LyingCard] = []
        for card in self.cards:
            if card.held:
                card.speed = 0.0
                continue
            speed = card.speed
            if speed == 0.0:
                inward = -slope > card.grip and card.slid_m > 0.0
                if inward or card.gives_way(slope, dt):
                    speed = (pull - math.copysign(card.glide * press, slope)) * dt
            else:
                faster = (pull - math.copysign(card.glide * press, speed)) * dt
                after = (speed + faster) / (1.0 + card.drag * dt)
                speed = 0.0 if speed * after < 0.0 else after
            # A card lies on the one below and is dragged along by it.
            speed = max(speed, DRAG * below) if below > 0.0 else speed
            below = speed
            card.speed = speed
            card.slid_m += speed * dt
            if card.slid_m <= 0.0:
                card.slid_m = 0.0
                card.speed = 0.0
            elif card.slid_m > OPENING_M:
                fallen.append(card)
        self.sliding = any(card.speed != 0.0 for card in self.cards)
        if fallen:
            self.remove(fallen)
        return fallen
