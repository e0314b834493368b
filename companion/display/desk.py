"""The display at work: outcomes and the table in, what people said out, one Screen shown.

It keeps what only the display knows (`Looking`) and never changes the table.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from companion.display.asking import Advisor
from companion.display.looking import Looking
from companion.display.screen import Screen, Touch
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import AppWish, AskForPlay, Look
from companion.table.outcomes import Outcome
from companion.table.table import Table
from companion.table.taps import Said


class Shows(Protocol):
    """What a desk needs of a display: see `companion.display.window.Display`."""

    @property
    def closed(self) -> bool: ...

    def show(self, screen: Screen) -> None: ...

    def touches(self) -> Sequence[Touch]: ...


class Desk:
    """Binds a display to a table. Its owner stamps what people said with the time."""

    def __init__(
        self,
        display: Shows,
        known_names: Iterable[str] = (),
        advisor: Advisor | None = None,
    ) -> None:
        self._display = display
        self._advisor = advisor or Advisor()
        self.looking = Looking(known_names=tuple(known_names))

    @property
    def closed(self) -> bool:
        """True once people have closed the window."""
        return self._display.closed

    def hear(self, outcomes: Iterable[Outcome], table: Table) -> None:
        """Brings what the table answered before people's eyes."""
        for outcome in outcomes:
            self.looking = self.looking.hearing(outcome, table.now)

    def show(self, table: Table, around: Surroundings) -> Screen:
        """Shows the table as it is, and an answer as soon as it is found."""
        found = self._advisor.answered()
        if found is not None:
            self.looking = self.looking.advised(found)
        screen = view(table, self.looking, around)
        self._display.show(screen)
        return screen

    def said(self) -> list[Said | AppWish]:
        """What people said since the last call; what only changes the view is done here."""
        told: list[Said | AppWish] = []
        for touch in self._display.touches():
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
