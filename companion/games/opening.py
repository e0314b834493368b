"""The `start` of every game that is played with cards: seats, options, and the first `setup`.

It never deals a card.
"""

from typing import Any, TypeVar

from companion.games.commands import Start
from companion.games.judgement import TableState
from companion.games.options import Options, read_options
from companion.games.referee import Accepted, Refusal
from companion.games.uno import MOST_PLAYERS, seat_players, unknown_dealer

S = TypeVar("S", bound=TableState)


def open_game(
    command: Start,
    state: type[S],
    options: type[Options],
    deck_size: int,
    most: int = MOST_PLAYERS,
) -> Accepted[S] | Refusal:
    """The first state of a game; what is wrong comes in the order that the protocol gives."""
    seats = seat_players(command, most)
    if isinstance(seats, Refusal):
        return seats
    agreed = read_options(command, options)
    if isinstance(agreed, Refusal):
        return agreed
    wrong = unknown_dealer(seats)
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
