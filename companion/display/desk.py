"""The display at work: outcomes and the table in, what people said out, one Screen shown.

It keeps what only the display knows (`Looking`) and never changes the table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from companion.display.asking import Advisor
from companion.display.choice import Touch
from companion.display.light import Light, Lighting
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.stirring import Stirring
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import AppWish, AskForPlay, Look
from companion.table.outcomes import Outcome
from companion.table.table import Table
from companion.table.taps import Said
from companion.units import MonoSeconds

STILL_S = 0.1
"""So often a table at which nothing happens is looked at."""

LIGHTING = Lighting()


class Shows(Protocol):
    """What a desk needs of a display: see `companion.display.window.Display`."""

    @property
    def closed(self) -> bool: ...

    @property
    def stirred(self) -> bool: ...

    def show(self, screen: Screen, light: Light = Light.FULL, /) -> None: ...

    def touches(self) -> Sequence[Touch]: ...


class Desk:
    """Binds a display to a table. Its owner stamps what people said with the time."""

    def __init__(
        self,
        display: Shows,
        known_names: Iterable[str] = (),
        advisor: Advisor | None = None,
        lighting: Lighting = LIGHTING,
    ) -> None:
        self._display = display
        self._advisor = advisor or Advisor()
        self._lighting = lighting
        self._light = Light.FULL
        self._around: Surroundings | None = None
        self._screen: Screen | None = None
        self._has_news = True
        self._stirred_s = MonoSeconds(0.0)
        self._scale = Stirring()
        self.looking = Looking(known_names=tuple(known_names))

    @property
    def closed(self) -> bool:
        """True once people have closed the window."""
        return self._display.closed

    def hear(self, outcomes: Iterable[Outcome], table: Table) -> None:
        """Brings what the table answered before people's eyes."""
        for outcome in outcomes:
            self.looking = self.looking.hearing(outcome, table.now)
            self._has_news = True

    def show(self, table: Table, around: Surroundings) -> Screen:
        """Shows the table as it is, and an answer as soon as it is found."""
        found = self._advisor.answered()
        if found is not None:
            self.looking = self.looking.advised(found)
            self._has_news = True
        self._scale.see(around.now_s, around.scale)
        if self._screen is not None and not self._is_due(around):
            return self._screen
        screen = view(table, self.looking, around)
        warns = self._screen is None or screen.alert != self._screen.alert
        if self._has_news or self._scale.stirs or warns:
            self._stirred_s = around.now_s
        self._light = self._lighting.after(around.now_s - self._stirred_s)
        self._screen, self._around, self._has_news = screen, around, False
        self._display.show(screen, self._light)
        return screen

    def _is_due(self, around: Surroundings) -> bool:
        """False if the screen is the same as it was a moment ago: a small computer saves work."""
        before = self._around
        if before is None or self._has_news or around.now_s - before.now_s >= STILL_S:
            return True
        if self._scale.stirs:
            return True
        return around != replace(before, now_s=around.now_s, scale=around.scale)

    def said(self) -> list[Said | AppWish]:
        """What people said since the last call; what only changes the view is done here."""
        told: list[Said | AppWish] = []
        touches = self._display.touches()
        if self._display.stirred or touches:
            self._has_news = True
            if self._light is Light.DARK:
                return []
        for touch in touches:
            for one in touch if isinstance(touch, tuple) else (touch,):
                told += self._sorted(one)
        return told

    def _sorted(self, touch: Touch) -> list[Said | AppWish]:
        if isinstance(touch, Said):
            self.looking = self.looking.said(touch)
            return [touch]
        if isinstance(touch, AppWish):
            return [touch]
        if isinstance(touch, AskForPlay):
            self._advisor.ask(touch.question)
        if isinstance(touch, Look):
            self.looking = self.looking.after(touch)
        return []
