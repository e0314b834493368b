"""The tilt switch and the arcade buttons, by looking at their levels 500 times a second.

It never asks for edges: edge detection of RPi.GPIO fails on kernels since 6.6, and a missed edge
would be a missed spill.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.clock import Clock
from companion.events import Sample
from companion.ports import Button
from hardware.inbox import Inbox

LOOK_EVERY_S = 0.002
"""Five times finer than the shortest closing of a ball switch that tips."""
STEADY_S = 0.020
"""A ball switch rattles for some 10 ms, an arcade button for 5."""


class Debounce:
    """A level that counts only after it has held for ``steady_s``, on its way up as down."""

    def __init__(self, level: bool, now_s: float, steady_s: float = STEADY_S) -> None:
        self.level = level
        self.edges = 0
        self._steady_s = steady_s
        self._candidate = level
        self._since_s = now_s

    def look(self, level: bool, now_s: float) -> bool:
        """Takes a look at the raw level; says whether the debounced level changed now."""
        if level is not self._candidate:
            self._candidate, self._since_s = level, now_s
        if self._candidate is self.level or now_s - self._since_s < self._steady_s:
            return False
        self.level = self._candidate
        self.edges += 1
        return True


class TiltSwitch:
    """Delivers each change of the raw switch; True is past its angle.

    ``closed`` looks at the contact; whether it rests closed was learned in set-up.
    """

    def __init__(
        self, closed: Callable[[], bool], *, rests_closed: bool, clock: Clock, inbox: Inbox
    ) -> None:
        self._closed = closed
        self._rests_closed = rests_closed
        self._clock = clock
        self._inbox = inbox
        self.level = self._tilted()
        self.raw_edges = 0
        self.debounced = Debounce(self.level, clock.mono())

    def step(self) -> float:
        level = self._tilted()
        self.debounced.look(level, self._clock.mono())
        if level is not self.level:
            self.level = level
            self.raw_edges += 1
            self._inbox.put(lambda now: Sample(mono_s=now, tilt=level))
        return LOOK_EVERY_S

    def _tilted(self) -> bool:
        return self._closed() is not self._rests_closed


@dataclass(slots=True)
class _Watched:
    pressed: Callable[[], bool]
    debounced: Debounce


class GpioButtons:
    """The port Buttons: one press, one entry."""

    def __init__(self, pressed: Mapping[Button, Callable[[], bool]], clock: Clock) -> None:
        self._clock = clock
        self._presses: deque[Button] = deque()
        self._watched = {
            button: _Watched(look, Debounce(False, clock.mono()))
            for button, look in pressed.items()
        }

    def step(self) -> float:
        now_s = self._clock.mono()
        for button, watched in self._watched.items():
            changed = watched.debounced.look(watched.pressed(), now_s)
            if changed and watched.debounced.level:
                self._presses.append(button)
        return LOOK_EVERY_S

    def poll(self) -> Sequence[Button]:
        return [self._presses.popleft() for _ in range(len(self._presses))]
