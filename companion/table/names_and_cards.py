"""Cards in the trays and names that people said, in the course of one game: which wait, which pair.

What is likelier where they do not fit is found in `companion.table.lining_up`; it never sees a
sensor or a clock.
"""

from collections import deque
from collections.abc import Sequence

from companion.games import commands
from companion.games.commands import Command
from companion.games.game import Game
from companion.table.acts import NAMING_S, CardDown, Told
from companion.table.course import Course
from companion.table.naming import Lined, WaitingName, nameless, tells
from companion.table.outcomes import Declined, Outcome, Ruled
from companion.table.taps import CardTap
from companion.table.timeline import Numbered
from companion.table.trays import Trays, Why
from companion.units import MonoSeconds

MAX_WAITING_NAMES = 20


class NamesAndCards(Course):
    """The course of a game with the names that wait for their cards."""

    def __init__(self, game: Game, trays: Trays) -> None:
        super().__init__(game, trays)
        self.names: deque[WaitingName] = deque(maxlen=MAX_WAITING_NAMES)
        self.settled_s = MonoSeconds(float("-inf"))
        """Until then people have put right themselves what was to be put right."""

    def wait_for_card(self, tap: CardTap, at_s: MonoSeconds) -> None:
        """Keeps a name for a card that is still to be put down."""
        self.names.append(WaitingName(at_s, tap))

    def forget_newest_name(self) -> None:
        if self.names:
            self.names.pop()

    def forget_name(self, card: str) -> None:
        """The card with this name was put down where no sensor sees it."""
        waiting = next((name for name in self.names if name.tap.card == card), None)
        if waiting is not None:
            self.names.remove(waiting)

    def put_down_unseen(self, card: CardDown, said: WaitingName, now: MonoSeconds) -> list[Outcome]:
        """A card that no sensor saw, but whose name was said."""
        self.names.remove(said)
        return self._try(card, self.timeline.new_number(), now, self.next_to_act())

    def line_up(self, lined: Lined, now: MonoSeconds) -> list[Outcome]:
        """Names and cards are paired anew; the acts after them are applied again."""
        self.names = deque(lined.waiting, maxlen=MAX_WAITING_NAMES)
        was_refused = {held.number for held in self.refused_cards}
        self.held = [held for held in self.held if held.number not in lined.cards]
        self.refused_cards = [h for h in self.refused_cards if h.number not in lined.cards]
        strays = self.trays.strays
        strays[:] = [s for s in strays if s.number not in lined.cards or s.why is Why.EXTRA]
        if lined.guessed is not None:
            self.timeline.new_number()
        acts = [one if one[0] > 0 else (self.timeline.new_number(), *one[1:]) for one in lined.acts]
        outcomes = self._absorb(self.timeline.rewrite(lined.position, acts), now)
        self._forget_what_stands(lined.position)
        return [
            outcome
            for outcome in outcomes
            if not (isinstance(outcome, Declined) and outcome.act in was_refused)
        ]

    def go_on_with_colour(self, told: Told, now: MonoSeconds) -> list[Outcome]:
        """A colour that nobody has named, and what waits for it in the order of its time."""
        acts: list[Numbered] = [
            (held.number, held.act, (), nameless(held.act)) for held in self.held
        ]
        acts += [
            (self.timeline.new_number(), refused, (), False)
            for refused in self._refused
            if refused.at_s > told.at_s
        ]
        acts.sort(key=lambda one: one[1].at_s)
        self.held.clear()
        number = self.timeline.new_number()
        end = len(self.timeline.entries)
        outcomes = self._absorb(self.timeline.rewrite(end, [(number, told, (), False), *acts]), now)
        self._forget_what_stands(end)
        return outcomes

    def end_otherwise(
        self, position: int, ending: Sequence[Command], now: MonoSeconds
    ) -> list[Outcome]:
        """The acts from `position` on gave way to others, of which only the last is told; nothing
        changes if one of them does not fit."""
        acts = [
            (self.timeline.next_number + k, Told(at_s=now, command=command), (), False)
            for k, command in enumerate(ending)
        ]
        if self.timeline.tried(position, acts).unfit:
            return []
        numbers = [self.timeline.new_number() for _ in acts]
        change = self.timeline.rewrite(position, acts)
        news = [told for told in change.announcements if told.number == numbers[-1]]
        return [Ruled(now, told.ruling, told.number) for told in news]

    @property
    def dealt_s(self) -> MonoSeconds:
        """When this round was dealt."""
        return next(
            (e.act.at_s for e in reversed(self.timeline.entries) if tells(e.act, commands.Deal)),
            MonoSeconds(0.0),
        )

    def begin_round(self, at_s: MonoSeconds) -> None:
        """What was left over from the round before is no card of this one."""
        self.refused_cards.clear()
        self.held.clear()
        while self.names and self.names[0].at_s < at_s - NAMING_S:
            self.names.popleft()
