"""Cards that leave the draw pile on its own cell: which of them were a turn's draw.

It never guesses who drew: the rules say whose turn it is, and who has cards to take.
"""

from collections.abc import Iterable

from companion.events import Drawn
from companion.games import commands, rulings
from companion.games.referee import Phase
from companion.table.live_game import LiveGame
from companion.table.outcomes import Outcome, Ruled
from companion.table.situation import Situation, Taken
from companion.units import MonoSeconds

ALONE_S = 1.5
"""A turn's draw takes one card; what follows it sooner belongs to a penalty nobody has told yet."""
TOLD_LATE_S = 6.0
"""So long after the pile told of a turn's draw a tap may still tell the same."""


def owe(table: Situation, outcomes: Iterable[Outcome]) -> None:
    """Rulings say how many cards will leave the pile besides; a deal begins anew."""
    for outcome in outcomes:
        match outcome.ruling if isinstance(outcome, Ruled) else None:
            case rulings.Drawn(count=count) | rulings.Draw(count=count):
                table.due += count
            case rulings.Penalty(count=count):
                table.due += count
            case rulings.Dealt():
                table.due, table.taken = 0, None
            case _:
                pass


def hear_drawn(table: Situation, event: Drawn) -> None:
    """Cards that were due have been taken; one more may be the draw of the player on turn."""
    expected = min(table.due, event.count)
    table.due -= expected
    rest = event.count - expected
    if rest and table.in_play:
        before = 0 if table.taken is None else table.taken.count
        table.taken = Taken(event.began_s, event.decided_s, before + rest)


def register_draw(table: Situation, live: LiveGame) -> list[Outcome]:
    """A single card that nobody owed, and that nothing followed for a moment, is the draw of the
    player on turn, tapped or not."""
    taken = table.taken
    if taken is None or table.now - taken.decided_s < ALONE_S or not _is_a_draw(table, live, taken):
        return []
    return _register(table, live, taken)


def register_draw_before_act(table: Situation, live: LiveGame) -> list[Outcome]:
    """The same when another act follows: what was taken before it and is no draw is forgotten."""
    taken, table.taken = table.taken, None
    if taken is None or not _is_a_draw(table, live, taken):
        return []
    return _register(table, live, taken)


def tapped_draw(table: Situation, live: LiveGame, at_s: MonoSeconds) -> bool:
    """Takes note that a draw is tapped; True if the pile has told of it already."""
    if live.state.phase is Phase.DRAWN and abs(at_s - table.drawn_unasked_s) <= TOLD_LATE_S:
        return True
    if table.taken is not None:
        table.taken = None
        table.due -= 1
    return False


def _is_a_draw(table: Situation, live: LiveGame, taken: Taken) -> bool:
    unclear = table.tipping or table.paused or bool(live.unnamed())
    on_turn = live.state.phase is Phase.PLAY and live.state.needs is None
    return taken.count == 1 and on_turn and not unclear


def _register(table: Situation, live: LiveGame, taken: Taken) -> list[Outcome]:
    table.taken = None
    table.due -= 1
    table.drawn_unasked_s = taken.at_s
    return live.tell(commands.Draw(), taken.at_s, table.now)
