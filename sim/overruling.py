"""People at a table overrule a display that has got something wrong, once it is plainly wrong.

They do what the table can: put back what the display still waits for, tap what the scale has
missed, or correct it. They never act before the display has had its time, and what they tap stands
in the journal like every other tap.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from companion.games.commands import (
    BaseCommand,
    Command,
    Correct,
    Deal,
    Hands,
    Play,
    Reset,
    Settled,
    Spill,
    Undo,
)
from companion.games.referee import Phase, Refusal
from companion.games.tippo.referee import TippoReferee
from companion.games.tippo.state import TippoState

PATIENCE_S = 9.0
"""Longer than a display that is right takes for anything, the 5 s after a last card included."""
GLANCE_S = 5.0
"""A display that could not be seen for longer than this gets its time anew."""
MISSED = 12
"""So many commands at most are tapped after the fact; beyond that the state is corrected."""
REMEMBERED = 400
"""So many commands back people know what was dealt and counted."""


class Overruling:
    """Compares what the display shows with what the people know."""

    def __init__(self, *, named: bool) -> None:
        self._named = named
        """Every card is named, so that the visible cards can be compared."""
        self._wrong_since_s: float | None = None
        self._looked_s = 0.0

    def taps(
        self, now_s: float, shown: TippoState, known: TippoState, done: Sequence[Command]
    ) -> list[Command]:
        """What somebody taps now; `done` are the last commands as they were meant, oldest first."""
        looked_s, self._looked_s = self._looked_s, now_s
        if self._told(shown) == self._told(known) or now_s - looked_s > GLANCE_S:
            self._wrong_since_s = None
            return []
        if self._wrong_since_s is None:
            self._wrong_since_s = now_s
        if now_s - self._wrong_since_s < PATIENCE_S:
            return []
        self._wrong_since_s = None
        if shown.phase is Phase.SPILLED and known.phase is not Phase.SPILLED:
            return [Reset()]
        return (
            self._missed(shown, known, done)
            or _catching_up(shown, known, done)
            or _correction(shown, known)
        )

    def _told(self, state: TippoState) -> tuple[Any, ...]:
        """What people would notice if it were wrong."""
        tops = tuple(tray.top for tray in state.trays.values()) if self._named else ()
        return (
            state.phase,
            state.round,
            state.turn,
            state.direction,
            dict(state.hands),
            dict(state.scores),
            tops,
        )

    def _missed(
        self, shown: TippoState, known: TippoState, done: Sequence[Command]
    ) -> list[Command]:
        """The last commands, if they are just what the display has missed."""
        for count in range(1, 1 + min(MISSED, len(done))):
            state, commands = shown, list(done[-count:])
            for command in commands:
                answer = TippoReferee().apply(state, command)
                if isinstance(answer, Refusal):
                    break
                state = answer.state
            else:
                if self._told(state) == self._told(known):
                    return commands
        return []


def _correction(shown: TippoState, known: TippoState) -> list[Command]:
    """Sets whatever differs, where both are between two plays of a round."""
    between = (Phase.PLAY, Phase.DRAWN)
    if shown.phase not in between or known.phase is not Phase.PLAY or known.turn is None:
        return []
    command = Correct(turn=known.turn, hand=dict(known.hands))
    for name, tray in (("left", known.left), ("right", known.right)):
        top = tray.top
        if top is None or top == shown.tray(name).top or tray.awaits_colour:
            continue
        if top.is_wild and tray.colour is not None:
            if isinstance(command.colour, str):
                continue  # one colour a correction: the other wild comes with the next
            command = msgspec.structs.replace(command, colour=tray.colour.value)
        command = msgspec.structs.replace(command, **{name: str(top)})
    if known.direction in (1, -1) and known.direction != shown.direction:
        command = msgspec.structs.replace(command, direction=known.direction)
    return [command]


def _catching_up(shown: TippoState, known: TippoState, done: Sequence[Command]) -> list[Command]:
    """Brings the display over the end of a round, or back from one that has not ended."""
    counted = _latest(Hands, done)
    if shown.phase is Phase.SETUP and known.round == shown.round:
        dealt = _latest(Deal, done)
        return [] if dealt is None else [dealt]
    if known.round == shown.round:
        if known.phase is Phase.HANDS and known.out is not None:
            return _ending(shown, known.out, dict(known.hands))
        if shown.phase is Phase.HANDS and known.turn is not None:
            return [Undo(), Correct(turn=known.turn, hand=dict(known.hands))]
        return []
    if counted is None or not isinstance(counted.hands, dict):
        return []
    left = {name: len(cards) for name, cards in counted.hands.items()}
    out = next(name for name in shown.players if not left.get(name))
    if shown.phase is Phase.HANDS and shown.out == out:
        return [msgspec.structs.replace(counted, force=True)]
    return _ending(shown, out, left)


def _ending(shown: TippoState, out: str, left: dict[str, int]) -> list[Command]:
    """Lets `out` play a last card, from whatever the display still waits for."""
    before: dict[Phase, list[Command]] = {
        Phase.PLAY: [],
        Phase.DRAWN: [],
        Phase.SPILLED: [Reset()],
        Phase.TILT: [Spill(no_fault=True), Reset()],
    }
    correction = Correct(turn=out, hand={**left, out: 1})
    if shown.phase in (Phase.HANDS, Phase.GOING_OUT):
        if shown.out == out:
            return [Settled()] if shown.phase is Phase.GOING_OUT else []
        before[shown.phase] = [Undo()]
    if shown.phase not in before:
        return []
    return [*before[shown.phase], correction, Play(card="W", tray="left")]


C = TypeVar("C", bound=BaseCommand)


def _latest(kind: type[C], done: Sequence[Command]) -> C | None:
    return next((command for command in reversed(done) if isinstance(command, kind)), None)
