"""What every game shares: the fields of a state, and the judging of one command step by step.

It knows no rule of any one game. A Judgement lives for one command; the states it starts from
and ends with are frozen values.
"""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from companion.games import rulings
from companion.games.calls import Calls
from companion.games.options import Options
from companion.games.referee import Accepted, Code, Phase, Refusal, refusal
from companion.games.rulings import Ruling
from companion.games.seats import Seats

_PLACE = {kind: place for place, kind in enumerate(rulings.ORDER)}


def _place(ruling: Ruling) -> int:
    return _PLACE[type(ruling)]


class TableState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What every game keeps between two commands; its mappings are never changed in place.

    None of these values can be part of a cycle, so the garbage collector need not watch them.
    """

    game: str
    options: Options
    seats: Seats
    phase: Phase = Phase.SETUP
    round: int = 1
    turn: str | None = None
    hands: Mapping[str, int]
    scores: Mapping[str, int]
    """Everyone's points, also of those who have left (U19)."""
    last_actor: str | None = None
    """Who made the last play, a discard or the draw of their own turn, in this round (T21)."""
    draw_pile: int
    set_aside: int = 0
    calls: Calls = Calls()
    out: str | None = None
    """Who has played their last card in this round."""

    @property
    def players(self) -> tuple[str, ...]:
        return self.seats.players

    @property
    def at_play(self) -> tuple[str, ...]:
        """Who takes turns in this round, in seat order."""
        return self.seats.players

    @property
    def dealer(self) -> str:
        return self.seats.dealer

    @property
    def direction(self) -> int:
        return self.seats.direction

    @property
    def target(self) -> int:
        return self.options.target

    @property
    def low_wins(self) -> bool:
        return False

    @property
    def uno_open(self) -> str | None:
        return self.calls.open

    @property
    def needs(self) -> str | None:
        """What the referee waits for; a game adds what only it can wait for."""
        match self.phase:
            case Phase.SETUP:
                return "deal"
            case Phase.HANDS:
                return "hands"
            case _:
                return None

    def as_json(self) -> dict[str, Any]:
        """The fields of the stream's `state` that every game shows."""
        return {
            "game": self.game,
            "phase": self.phase,
            "round": self.round,
            "players": self.seats.players,
            "dealer": self.seats.dealer,
            "turn": self.turn,
            "direction": self.seats.direction,
            "hands": self.hands,
            "scores": self.scores,
            "last_actor": self.last_actor,
            "draw_pile": self.draw_pile,
            "set_aside": self.set_aside,
            "needs": self.needs,
            "uno_open": self.calls.open,
        }


S = TypeVar("S", bound=TableState)


class Judgement(Generic[S]):
    """One command being judged: the state as it changes, and the rulings as they are made."""

    def __init__(self, state: S) -> None:
        self.state = state
        self._before = state
        self._rulings: list[Ruling] = []
        self._turn_moved = False

    # --- writing the answer ---------------------------------------------------------------

    def change(self, **fields: Any) -> None:
        """Replaces fields of the state; an unknown name raises TypeError.

        What nearly every command needs calls `replace` itself, for a third of the time.
        """
        self.state = replace(self.state, **fields)

    def rule(self, ruling: Ruling) -> None:
        self._rulings.append(ruling)

    def begin_turn(self, player: str, phase: Phase = Phase.PLAY) -> None:
        """It is `player`'s turn from now on; the `turn` ruling will be the last of this answer."""
        calls = self.state.calls
        if calls.ahead is not None:
            calls = calls.after_turn()
        self.state = replace(self.state, turn=player, phase=phase, calls=calls)
        self._turn_moved = True

    def accepted(self) -> Accepted[S]:
        """The answer, its rulings in the order that the table reads them (protocol, 11)."""
        if len(self._rulings) > 1:
            self._rulings.sort(key=_place)
        turn = self.state.turn
        if turn is not None and (self._turn_moved or turn != self._before.turn):
            self._rulings.append(rulings.Turn(player=turn))
        return Accepted(self.state, tuple(self._rulings))

    def following(self, player: str) -> str:
        """Who is next after `player` in the direction of play."""
        return self.state.seats.after(player)

    # --- hands and piles --------------------------------------------------------------------

    def refill(self) -> bool:
        """Makes a new draw pile, ruling `reshuffle`; False if there is nothing to make it of."""
        return False

    def take(self, wanted: int) -> int:
        """Takes cards from the draw pile, reshuffling in mid-draw; how many there were (U22)."""
        taken = 0
        while True:
            pile = self.state.draw_pile
            step = min(wanted - taken, pile)
            if step:
                taken += step
                self.state = replace(self.state, draw_pile=pile - step)
            if taken == wanted or not self.refill():
                return taken

    def give(self, player: str, wanted: int, rule: str | None = None) -> int:
        """Up to `wanted` cards from the draw pile into a hand; how many really were drawn.

        A UNO window on that player closes, by `rule` if one says so.
        """
        count = self.take(wanted)
        if count:
            self.set_hand(player, self.state.hands[player] + count, rule)
        return count

    def set_hand(self, player: str, count: int, rule: str | None = None) -> None:
        """A hand that has changed by anything but a discard; no longer at one, no longer caught."""
        calls = self.state.calls
        if count != 1:
            if calls.open == player:
                self.rule(rulings.UnoSafe(player=player, rule=rule))
            calls = calls.after_hand_changed(player)
        self.state = replace(self.state, hands={**self.state.hands, player: count}, calls=calls)

    def penalise(
        self, player: str, count: int, reason: rulings.PenaltyReason, rule: str | None = None
    ) -> None:
        drawn = self.give(player, count, "T34" if reason == "spill" else None)
        self.rule(rulings.Penalty(player=player, count=drawn, reason=reason, rule=rule))

    # --- UNO --------------------------------------------------------------------------------

    def close_window(self) -> None:
        """The next player acts: whoever could be caught no longer can (U3)."""
        calls = self.state.calls
        if calls.open is not None:
            self.rule(rulings.UnoSafe(player=calls.open, rule="U3"))
            self.change(calls=calls.closed())

    # --- what may be wrong with a command in every game ---------------------------------------

    def unknown_player(self, *names: str | UnsetType | None) -> Refusal | None:
        """The first of `names` that nobody at the table has; names not given are skipped."""
        for name in names:
            if isinstance(name, str) and name not in self.state.hands:
                return refusal(Code.UNKNOWN_PLAYER, f"Nobody called {name[:40]!r} is at the table")
        return None
