"""The `start` of every game that is played with cards: seats, options, and the first `setup`.

It never deals a card.
"""

from typing import Any, TypeVar

from msgspec import UNSET

from companion.games.commands import Start
from companion.games.judgement import TableState
from companion.games.options import Options, read_options
from companion.games.referee import Accepted, Code, Refusal, refusal
from companion.games.seats import Seats
from companion.games.uno import MOST_PLAYERS

S = TypeVar("S", bound=TableState)


def open_game(
    command: Start,
    state: type[S],
    options: type[Options],
    deck_size: int,
    most: int = MOST_PLAYERS,
) -> Accepted[S] | Refusal:
    """The first state of a game; what is wrong comes in the order that the protocol gives."""
    seats = _seats(command, most)
    if isinstance(seats, Refusal):
        return seats
    agreed = read_options(command, options)
    if isinstance(agreed, Refusal):
        return agreed
    wrong = _unknown_dealer(seats)
    if wrong is not None:
        return wrong
    nothing: dict[str, Any] = dict.fromkeys(seats.players, 0)
    begun = state(
        game=command.game,
        options=agreed,
        seats=seats,
        hands=nothing,
        scores=nothing,
        draw_pile=deck_size,
    )
    return Accepted(begun, ())


def _seats(command: Start, most: int) -> Seats | Refusal:
    """The seats that a `start` asks for; `bad_input` comes before an unknown dealer."""
    players = command.players
    if not 2 <= len(players) <= most:
        return refusal(Code.BAD_INPUT, f"`players` must be 2 to {most} names")
    if not all(players) or len(set(players)) < len(players):
        return refusal(Code.BAD_INPUT, "`players` must be names that differ, none empty")
    dealer = players[0] if command.dealer is UNSET else command.dealer
    return Seats(players, dealer)


def _unknown_dealer(seats: Seats) -> Refusal | None:
    if seats.dealer in seats.players:
        return None
    return refusal(Code.UNKNOWN_PLAYER, f"The dealer {seats.dealer[:40]!r} is no player")
