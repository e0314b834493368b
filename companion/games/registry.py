"""Which games there are, by the name that `start` gives them. A new game is one entry here.

This module never knows a rule.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput
from companion.games.battle.judgement import BattleReferee
from companion.games.classic import ClassicReferee
from companion.games.referee import Referee
from companion.games.rummy_up.referee import RummyReferee
from companion.games.tippo.referee import TippoReferee

REFEREES: Mapping[str, Referee[Any]] = MappingProxyType(
    {
        rules.game: rules
        for rules in (TippoReferee(), ClassicReferee(), BattleReferee(), RummyReferee())
    }
)


def referee(game: str) -> Referee[Any]:
    """The referee of a game.

    Raises:
        BadInput: there is no such game.
    """
    try:
        return REFEREES[game]
    except KeyError:
        raise BadInput(f"`game` must be one of {', '.join(REFEREES)}, not {game[:20]!r}") from None
