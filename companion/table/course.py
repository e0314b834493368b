"""The course of one game: what follows when an act is put in, taken out or replaced.

It tells what the table must be told, and keeps acts that cannot be judged yet. It never decides
which act an event or a tap amounts to: `companion.table.live_game` and the table do.
"""

from collections import deque
from collections.abc import Sequence

from companion.games import commands, rulings
from companion.games.game import Game
from companion.games.referee import Code, Refusal, State
from companion.table.acts import Act, CardDown, Spilled, Told
from companion.table.naming import Held, nameless, tells
from companion.table.outcomes import Declined, Outcome, Ruled
from companion.table.timeline import Change, Entry, Timeline, Unfit
from companion.table.trays import Stray, Trays, Why
from companion.units import MonoSeconds

_ITS_NAME_DECIDES = frozenset({Code.TRAY_STOPPED, Code.STOP_NEEDS_STOP})
"""A card without a name is refused for these as an ordinary card; a wild may lie there."""

MAX_REFUSED_TAPS = 8


class Course:
    """The timeline, with what is held back and what was refused."""

    def __init__(self, game: Game, trays: Trays) -> None:
        self.timeline = Timeline(game)
        self.trays = trays
        self.held: list[Held] = []
        self.refused_cards: list[Held] = []
        """Cards that the referee refused in this round and nobody has taken back."""
        self._refused: deque[Told] = deque(maxlen=MAX_REFUSED_TAPS)

    @property
    def state(self) -> State:
        state: State = self.timeline.game.state
        return state

    @property
    def refused_moves(self) -> tuple[Told, ...]:
        """What people told of late and was refused, or fits no more."""
        return tuple(self._refused)

    def _absorb(
        self,
        change: Change,
        now: MonoSeconds,
        fresh: int | None = None,
        player: str | None = None,
    ) -> list[Outcome]:
        outcomes: list[Outcome] = [
            Ruled(now, told.ruling, told.number, told.amended) for told in change.announcements
        ]
        for unfit in change.unfit:
            outcomes += self._misfit(unfit, now, unfit.number == fresh, player)
        entry = None if fresh is None else self.timeline.find(fresh)
        if entry and any(isinstance(ruling, rulings.Refused) for ruling in entry.rulings):
            self._stray(entry.number, entry.act, player, Why.REFUSED)
        if entry and tells(entry.act, commands.NameColour):
            outcomes += self._retry_held(now)
        return outcomes

    def _try(
        self,
        card: CardDown,
        number: int,
        now: MonoSeconds,
        player: str | None,
        before: int | None = None,
    ) -> list[Outcome]:
        overtaken = [told for told in self._refused if told.at_s > card.at_s]
        change = self.timeline.put(
            card, number=number, withheld=card.name is None, revived=overtaken, before=before
        )
        self._forget_what_stands(change.first)
        return self._absorb(change, now, number, player)

    def _forget_what_stands(self, position: int) -> None:
        """What had been refused and now stands is refused no more."""
        stand = {id(entry.act) for entry in self.timeline.entries[position:]}
        for told in [told for told in self._refused if id(told) in stand]:
            self._refused.remove(told)

    def _misfit(
        self, unfit: Unfit, now: MonoSeconds, fresh: bool, player: str | None
    ) -> list[Outcome]:
        act = unfit.act
        waits_for_colour = unfit.refusal.code is Code.COLOUR_NEEDED and (
            isinstance(act, CardDown) or bool(unfit.announced)
        )
        if waits_for_colour or (nameless(act) and unfit.refusal.code in _ITS_NAME_DECIDES):
            self.held.append(Held(unfit.number, act, player or self.next_to_act()))
            return []
        if isinstance(act, Told):
            if not fresh and not unfit.announced:
                return []
            self._refused.append(act)
        elif isinstance(act, CardDown):
            player = player or self.state.turn
            self._stray(unfit.number, act, player, Why.REFUSED)
            self.refused_cards.append(Held(unfit.number, act, player))
        elif not fresh:
            return []
        number = unfit.number if isinstance(act, CardDown) else None
        return [Declined(now, unfit.refusal, number, no_longer=bool(unfit.announced))]

    def _retry_held(self, now: MonoSeconds) -> list[Outcome]:
        waiting, self.held = self.held, []
        outcomes: list[Outcome] = []
        for held in waiting:
            change = self.timeline.append(held.act, number=held.number, withheld=nameless(held.act))
            outcomes += self._absorb(change, now, held.number, held.player)
        return outcomes

    def _refusal_of(self, act: Act, number: int) -> Refusal | None:
        """Why `act` could not stand in the place of entry `number`."""
        command = self.timeline.command_of(act, number)
        if isinstance(command, Refusal):
            return command
        answer = self.timeline.game_before(number).apply(command)
        return answer if isinstance(answer, Refusal) else None

    def _stray(self, number: int, act: Act, player: str | None, why: Why) -> None:
        if not isinstance(act, CardDown) or not act.sensed:
            return
        if any(isinstance(e.act, Spilled) and e.act.at_s > act.at_s for e in self.this_round()):
            return
        self.trays.strays.append(
            Stray(number, act.tray, why, act.at_s, player, act.name, act.named_at_s)
        )

    def this_round(self) -> Sequence[Entry]:
        """What has followed the last deal, oldest first."""
        entries = self.timeline.entries
        dealt = [k for k, entry in enumerate(entries) if tells(entry.act, commands.Deal)]
        return entries[dealt[-1] + 1 if dealt else 0 :]

    def _suspect(self, at_s: MonoSeconds) -> tuple[str, MonoSeconds] | None:
        """Who put down the newest card before `at_s` that is no play (yet), and when (T23)."""
        held = [(h.player, h.act.at_s) for h in self.held if isinstance(h.act, CardDown)]
        stray = self.trays.suspect_before(at_s)
        lying = held + ([(stray.player, stray.at_s)] if stray else [])
        named = [(player, then) for player, then in lying if player is not None and then <= at_s]
        return max(named, key=lambda suspect: suspect[1], default=None)

    def next_to_act(self) -> str | None:
        """Whose turn it is; while a wild's colour is awaited, whose turn it will be."""
        if self.state.needs != "colour":
            return self.state.turn
        answer = self.timeline.game.apply(commands.NameColour(colour="R"))
        then: State = self.state if isinstance(answer, Refusal) else answer[0].state
        return then.turn

    def _whose_turn(self, number: int, now: MonoSeconds) -> list[Outcome]:
        turn = self.state.turn
        return [] if turn is None else [Ruled(now, rulings.Turn(player=turn), number)]
