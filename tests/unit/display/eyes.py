"""A display that nobody looks at: it remembers the screen, and taps what it is told to."""

from companion.display.choice import Touch
from companion.display.light import Light
from companion.display.screen import Screen


class Eyes:
    """In place of the window: remembers the screen, and taps what it is told to."""

    closed = False
    stirred = False

    def __init__(self) -> None:
        self.screen: Screen | None = None
        self.queue: list[Touch] = []

    def show(self, screen: Screen, _light: Light = Light.FULL) -> None:
        self.screen = screen

    def touches(self) -> list[Touch]:
        tapped, self.queue = self.queue, []
        return tapped
