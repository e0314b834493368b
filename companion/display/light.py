"""How bright the display is: it dims while nobody plays, and long after it goes dark.

It never lights or dims anything itself: see `companion.display.window`.
"""

from dataclasses import dataclass
from enum import StrEnum

from companion.display import theme
from companion.display.frame import Frame
from companion.display.scene import Box, Item, Scene, Words
from companion.display.screen import Screen


class Light(StrEnum):
    """How bright it is; whatever happens makes it full."""

    FULL = "full"
    DIM = "dim"
    """Half-light: it can still be read."""
    DARK = "dark"
    """Black but for a few words, which wander so that they do not burn in."""


@dataclass(frozen=True, slots=True)
class Lighting:
    """After how many seconds in which nothing happens it dims and goes dark; 0: never."""

    dim_after_s: float = 180.0
    dark_after_s: float = 900.0

    def after(self, idle_s: float) -> Light:
        """How bright it is after so long."""
        if self.dark_after_s and idle_s >= self.dark_after_s:
            return Light.DARK
        if self.dim_after_s and idle_s >= self.dim_after_s:
            return Light.DIM
        return Light.FULL


BLACK = theme.Ink(0, 0, 0)
EMBER = theme.Ink(96, 88, 72)
WANDER_S = 60.0
"""So long the words of a dark display stay in their place."""


def dark_scene(screen: Screen, frame: Frame, now_s: float) -> Scene:
    """What a dark display shows: its headline, small, each minute in another place."""
    places = Box(0, 0, frame.width, frame.height).inset(24).grid(2, 5)
    place = places[int(now_s / WANDER_S) * 3 % len(places)]
    words = Words(screen.headline or "Tap to wake", 18, EMBER, lines=2)
    return Scene(frame.width, frame.height, BLACK, (Item(place, words),))
