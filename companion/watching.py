"""A judge and a table together: readings and taps in, in the order in which they count.

It never decides what happened (the judge does) nor what it means (the table does), only when each
of them hears of it. Live games and recorded tables go through it alike.
"""

from collections import deque
from collections.abc import Iterable
from typing import Protocol

from companion.events import Reading, Sensed, Spill
from companion.games.commands import Catch, Draw, Pass, Uno
from companion.games.referee import Phase, Refusal
from companion.scale.view import ScaleView
from companion.table.awaited import Name
from companion.table.inputs import Counted, Heard, Input, Passed
from companion.table.step import Step
from companion.table.stillness import Stillness
from companion.table.table import Table
from companion.table.taps import CardTap, Mode, Tap
from companion.units import DeviceSeconds, MonoSeconds

TICK_S = 0.05
"""How finely the table is told that time passes."""

LANDING_S = 1.5
"""A tap that depends on what still moves in a tray waits for it at most so long.

At 10 samples a second a card is decided up to about a second after it was let go; the draw that
follows it must not be taken for a draw of the player who put it down.
"""

TOUCHED_S = 0.4
"""At 10 samples a second two readings, and what the chip's filter delays them, show a touch."""

_BETWEEN_ROUNDS = frozenset({None, Phase.SETUP, Phase.HANDS, Phase.GAME_OVER})


class Judging(Protocol):
    """What is asked of a judge: `companion.scale.judge.Judge`."""

    def feed(self, reading: Reading) -> list[Sensed]: ...

    @property
    def live(self) -> ScaleView: ...


class Watching:
    """Feeds one table; without a judge (no scale) by taps alone."""

    def __init__(self, table: Table, judge: Judging | None) -> None:
        self.table = table
        self.judge = judge
        self._stillness = Stillness()
        self._still_s = 0.0
        self._next_tick_s = MonoSeconds(float("-inf"))
        self._waiting: deque[Tap] = deque()
        self._counts_told = False

    @property
    def view(self) -> ScaleView | None:
        """The scale at this moment, for the display."""
        return None if self.judge is None else self.judge.live

    def read(self, reading: Reading) -> list[Step]:
        """Takes the next reading of the board."""
        if self.judge is None:
            return []
        now = reading.mono_s
        events = self.judge.feed(reading)
        steps: list[Step] = []
        if events or now >= self._next_tick_s:
            steps += self._tick(now)
        for event in events:
            if isinstance(event, Spill):
                # Nothing lands any more; what was said in the fall may tell who tipped it.
                steps += self.finish()
            steps.append(self._feed(Heard(event), reading.device_s))
        if self._waiting:
            steps += self._release(now)
        return steps

    def tap(self, tap: Tap) -> list[Step]:
        """Takes a tap; some wait until what moves in the trays has been decided."""
        steps = self._tick(tap.at_s)
        lands = self._concerns_what_lands(tap)
        if self._waiting or (lands and not (self._calm_at(tap.at_s) and self._clear(tap))):
            self._waiting.append(tap)
            return steps
        return [*steps, self._feed(tap)]

    def catch_up(self, readings: Iterable[Reading]) -> None:
        """Readings whose events the table has had already: only the judge hears of them."""
        if self.judge is not None:
            self._counts_told = True
            for reading in readings:
                self.judge.feed(reading)

    def begin_with_start_cards(self, at_s: MonoSeconds) -> Step:
        """Says that one card lies in each tray from the beginning (a recorded table's deal)."""
        return self._feed(Counted(at_s, 1, 1))

    def finish(self) -> list[Step]:
        """Nothing will land any more: nothing is waited for."""
        steps = [self._feed(tap) for tap in self._waiting]
        self._waiting.clear()
        return steps

    def _release(self, now: MonoSeconds) -> list[Step]:
        steps: list[Step] = []
        while self._waiting:
            tap = self._waiting[0]
            if self._concerns_what_lands(tap) and not self._calm_at(now, since_s=tap.at_s):
                break
            if now - tap.at_s < TOUCHED_S and not self._clear(tap):
                break
            steps.append(self._feed(self._waiting.popleft()))
        return steps

    def _concerns_what_lands(self, tap: Tap) -> bool:
        """A draw or pass is the next player's, a call that is refused now may be due once the card
        is known, a name in quick mode is for the newest card."""
        match tap.said:
            case Draw() | Pass():
                return True
            case Uno() | Catch():
                game = self.table.game
                return game is not None and isinstance(game.apply(tap.said), Refusal)
            case CardTap():
                return self.table.mode is Mode.QUICK
            case _:
                return False

    def _clear(self, tap: Tap) -> bool:
        """False if a name may be that of a card which has touched its tray but moves no cell yet,
        or of the one before, which has no name."""
        named = isinstance(tap.said, CardTap) and self.table.mode is Mode.QUICK
        return not (named and any(isinstance(waits, Name) for waits in self.table.awaited))

    def _calm_at(self, now: MonoSeconds, since_s: MonoSeconds | None = None) -> bool:
        if self.judge is None or not self.table.in_play:
            return True
        if since_s is not None and now - since_s > LANDING_S:
            return True
        view = self.judge.live
        trays = (view.left, view.right)
        return bool(view.faults) or all(tray.resting or tray.cards is None for tray in trays)

    def _tick(self, now: MonoSeconds) -> list[Step]:
        """Tells the table that time has passed, and what it could not see happen."""
        self._next_tick_s = MonoSeconds(now + TICK_S)
        if self.judge is None or not (self.table.has_scale or self.table.state is None):
            return []
        view = self.judge.live
        self._still_s = self._stillness.see(
            now, view.left.grams, view.right.grams, tipping=view.tipping
        )
        steps = self._count(now, view)
        if self._waiting:
            # One of them may name the card that would now count as an ordinary one.
            return steps
        outcomes = self.table.step(now, self._still_s)
        if outcomes:
            steps.append(Step(Passed(now, self._still_s), tuple(outcomes)))
        return steps

    def _count(self, now: MonoSeconds, view: ScaleView) -> list[Step]:
        """Says what lies in the trays at the first rest, and between rounds when it changes."""
        left, right = view.left.cards, view.right.cards
        if left is None or right is None or not view.resting:
            return []
        state = self.table.state
        between = (None if state is None else state.phase) in _BETWEEN_ROUNDS
        known = tuple(self.table.counts.values())
        if (self._counts_told and not between) or (self._counts_told and known == (left, right)):
            return []
        self._counts_told = True
        return [] if known == (left, right) else [self._feed(Counted(now, left, right))]

    def _feed(self, given: Input, device_s: DeviceSeconds | None = None) -> Step:
        return Step(given, tuple(self.table.feed(given)), device_s)
