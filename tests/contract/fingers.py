"""Fingers on the real display: what simulated people want to tell is tapped by mouse events.

They know what the display shows and find their way by its own pages; no tap reaches the table but
as an event of pygame's.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pygame
import pytest

from companion.display.choice import Touch
from companion.display.desk import Desk
from companion.display.frame import fit
from companion.display.layout import lay_out
from companion.display.looking import Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view import view
from companion.display.wishes import (
    AppWish,
    CountFor,
    Digit,
    Gesture,
    Look,
    Open,
    Page,
    StartCard,
    Tab,
)
from companion.games import commands
from companion.games.cards import parse
from companion.games.decks import points
from companion.table.table import Table
from companion.table.taps import CardTap, Said, decode_tap_fields
from sim.board import SimulatedTable
from sim.pins import VirtualTime

REACTS_S = 0.1
"""Between two taps of one finger."""

TAPS_DEEP = 30
"""Three hands are counted, digit by digit, with fewer."""

LONGEST_S = 600.0
"""Whoever has not got to tell something by then never will."""

PAGES: Mapping[type, tuple[Page, ...]] = {
    commands.Deal: (Page.DEAL_PAD,),
    CardTap: (Page.PAD, Page.ALL_CARDS),
    commands.Uno: (Page.UNO,),
    commands.Catch: (Page.CATCH, Page.CATCHER),
}
"""Where they look for what they want to tell."""


class Fingers:
    """The people of a simulated table tap on the display that `tippo play` opens."""

    def __init__(self, table: SimulatedTable, time: VirtualTime) -> None:
        self._table = table
        self._time = time
        self._wanted: deque[Said] = deque()
        self._desk: Desk | None = None
        self._seen: tuple[Table, Surroundings] | None = None
        # `start` comes by the settings: people's names are known before they sit down.
        for fields in table.opening[1:]:
            self._wanted.append(decode_tap_fields(fields).said)
        time.tasks().start("fingers", self._step)

    @property
    def told_everything(self) -> bool:
        """The round is over, and nothing is left that they wanted to tell."""
        return self._table.finished and not self._wanted

    @contextmanager
    def at_the_display(self) -> Iterator[None]:
        """Eyes see the display, and see that what was tapped has been heard."""
        show, said = Desk.show, Desk.said

        def seen(desk: Desk, table: Table, around: Surroundings) -> Screen:
            screen = show(desk, table, around)
            self._desk, self._seen = desk, (table, around)
            if table.game is not None and not table.paused:
                self._table.look(table.game)
            return screen

        def heard(desk: Desk) -> list[Said | AppWish]:
            told = said(desk)
            for one in told:
                if self._wanted and _tells(one, self._wanted[0]):
                    self._told(self._wanted.popleft(), one)
            return told

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Desk, "show", seen)
            patch.setattr(Desk, "said", heard)
            yield

    def _told(self, wanted: Said, told: object) -> None:
        """A wild whose colour was not named with it is asked for it at once."""
        if not isinstance(wanted, CardTap) or wanted.colour is None:
            return
        if isinstance(told, CardTap) and told.colour is None:
            self._wanted.appendleft(commands.NameColour(colour=wanted.colour))

    def _step(self) -> float:
        self._wanted += [decode_tap_fields(fields).said for fields in self._table.taps()]
        if self.told_everything or self._time.mono() > LONGEST_S:
            pygame.event.post(pygame.event.Event(pygame.QUIT))
            return 1.0
        if self._wanted and self._desk is not None and self._seen is not None:
            table, around = self._seen
            way = _way(table, self._desk.looking, around, self._wanted[0])
            if way is not None:
                self._tap(view(table, self._desk.looking, around), way)
        return REACTS_S

    @staticmethod
    def _tap(screen: Screen, touch: Touch) -> None:
        surface = pygame.display.get_surface()
        assert surface is not None
        frame = fit(surface.get_size())
        scene = lay_out(screen, frame)
        item = next(item for item in reversed(scene.items) if item.touch == touch)
        left = (surface.get_width() - scene.width * frame.scale) / 2
        top = (surface.get_height() - scene.height * frame.scale) / 2
        place = (round(left + item.box.cx * frame.scale), round(top + item.box.cy * frame.scale))
        pygame.event.post(
            pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=1, touch=False)
        )


def _way(table: Table, looking: Looking, around: Surroundings, wanted: Said) -> Touch | None:
    """The first of the taps that lead to it, if some do."""
    known = {looking}
    edge: list[tuple[Touch | None, Looking]] = [(None, looking)]
    for _ in range(TAPS_DEEP):
        further: list[tuple[Touch | None, Looking]] = []
        for first, here in edge:
            for touch in _touches(view(table, here, around)):
                if any(_tells(one, wanted) for one in _parts(touch)):
                    return first if first is not None else touch
                there = _onward(touch, wanted, here)
                if there is not None and there not in known:
                    known.add(there)
                    further.append((first if first is not None else touch, there))
        edge = further
    return None


def _onward(touch: Touch, wanted: Said, here: Looking) -> Looking | None:
    """What a tap there leads to, if it helps; a key may say for whom it counts as well."""
    *before, last = _parts(touch)
    for part in before:
        if not isinstance(part, Look):
            return None
        here = here.after(part)
    if not isinstance(last, Look) or not _helps(last, wanted, here):
        return None
    return here.after(last)


def _touches(screen: Screen) -> Iterator[Touch]:
    scene = lay_out(screen, fit((800, 480)))
    yield from (item.touch for item in scene.items if item.touch is not None)


def _parts(touch: Touch) -> Sequence[Any]:
    return touch if isinstance(touch, tuple) else (touch,)


def _tells(told: object, wanted: Said) -> bool:
    """Whether that is what they want to tell; a wild's colour may come after its card."""
    match wanted:
        case CardTap():
            return isinstance(told, CardTap) and told.card == wanted.card
        case commands.Hands(hands=hands) if isinstance(hands, dict):
            sums = {name: sum(map(_points, cards)) for name, cards in hands.items()}
            return isinstance(told, commands.Hands) and told.points == sums
        case commands.NameColour():
            return isinstance(told, commands.NameColour) and told.colour == wanted.colour
        case _:
            return told == wanted


def _points(card: str) -> int:
    return points(parse(card))


def _helps(touch: Look, wanted: Said, here: Looking) -> bool:
    """Whether somebody who wants to tell it would tap there."""
    match touch:
        case Gesture.SEEN | Gesture.CLOSE:
            return True
        case Open():
            return touch.page in PAGES.get(type(wanted), ())
        case Tab():
            return isinstance(wanted, CardTap | commands.Deal)
        case StartCard():
            cards = (wanted.left, wanted.right) if isinstance(wanted, commands.Deal) else ()
            return touch.card in cards[touch.slot : touch.slot + 1]
        case CountFor() | Digit() | Gesture.TYPE_POINTS:
            return isinstance(wanted, commands.Hands) and _counts(touch, wanted, here)
        case _:
            return False


def _counts(touch: Look, wanted: commands.Hands, here: Looking) -> bool:
    """One player after the other, digit by digit."""
    assert isinstance(wanted.hands, dict)
    counting = here.counting
    sums = {name: str(sum(map(_points, cards))) for name, cards in wanted.hands.items()}
    whose = next((name for name, total in sums.items() if counting.typed_of(name) != total), "")
    match touch:
        case CountFor():
            return touch.player == whose != counting.player
        case Gesture.TYPE_POINTS:
            return counting.player == whose and not counting.typing
        case Digit():
            typed = counting.typed_of(whose)
            return counting.player == whose and sums[whose].startswith(typed + touch.digit)
        case _:
            return False
