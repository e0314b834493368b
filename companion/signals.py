"""What the lamps at the trays and the buzzer say.

It never says anything that the table has not ruled.
"""

from collections.abc import Iterable, Mapping

from companion.games import rulings
from companion.games.referee import Phase
from companion.games.tippo.state import TippoState
from companion.ports import Lamp, Sound
from companion.table.outcomes import Declined, Outcome, Ruled
from companion.table.table import Table
from companion.units import Tray

_SOUNDS: tuple[tuple[type[rulings.BaseRuling], Sound], ...] = (
    (rulings.Spill, Sound.SPILL),
    (rulings.RoundOver, Sound.ROUND_OVER),
    (rulings.GameOver, Sound.ROUND_OVER),
    (rulings.Uno, Sound.UNO),
    (rulings.UnoCaught, Sound.UNO),
    (rulings.Played, Sound.PLACED),
)
"""The most important first: a new sound would cut off the old one."""


def lamps_of(table: Table) -> Mapping[Tray, Lamp]:
    """OPEN or STOP at each tray; ALERT from a spill to its reset."""
    state = table.state
    if not isinstance(state, TippoState) or state.left.top is None:
        return dict.fromkeys(Tray, Lamp.OFF)
    if state.phase is Phase.SPILLED:
        return dict.fromkeys(Tray, Lamp.ALERT)
    return {tray: Lamp.OPEN if state.trays[tray].open else Lamp.STOP for tray in Tray}


def sound_of(outcomes: Iterable[Outcome]) -> Sound | None:
    """The one sound for what happened at the same moment."""
    told = list(outcomes)
    ruled = {type(outcome.ruling) for outcome in told if isinstance(outcome, Ruled)}
    for kind, sound in _SOUNDS:
        if kind in ruled:
            return sound
    return Sound.REFUSED if any(isinstance(outcome, Declined) for outcome in told) else None
