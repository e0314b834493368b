"""A wild whose colour nobody names while people play on: what they play says the colour.

It waits until two acts have come that cannot be judged without it; it never guesses before.
"""

from collections.abc import Sequence

from companion.games import commands
from companion.games.cards import Colour, parse
from companion.games.referee import Phase
from companion.games.tippo.legality import awaiting_colour
from companion.games.tippo.state import TippoState
from companion.table.acts import CardDown, Told
from companion.table.live_game import LiveGame
from companion.table.outcomes import Noticed, NoticeKind, Outcome
from companion.table.situation import Situation
from companion.units import MonoSeconds, Tray

WAITS_FOR = 2
"""So many acts wait before people have plainly played on."""


def take_colour_from_play(table: Situation, live: LiveGame) -> list[Outcome]:
    """Goes on with the likeliest colour once people have played on without naming one."""
    state = live.state
    if not isinstance(state, TippoState) or state.phase is Phase.SPILLED:
        return []
    waiting = awaiting_colour(state)
    cards = [held.act for held in live.held if isinstance(held.act, CardDown)]
    since_s = live.timeline.entries[-1].act.at_s if live.timeline.entries else MonoSeconds(0.0)
    draws = [
        told
        for told in live.refused_moves
        if isinstance(told.command, commands.Draw) and told.at_s > since_s
    ]
    if not waiting or len(cards) + len(draws) < WAITS_FOR:
        return []
    tray = waiting[0]
    colour = _colour_played(cards, tray)
    acts: list[CardDown | Told] = [*cards, *draws]
    first_s = min(act.at_s for act in acts)
    command = commands.NameColour(colour=colour.value, tray=tray.value)
    told = Told(at_s=MonoSeconds(first_s - 0.001), command=command)
    text = f"Nobody named a colour for the {tray} tray: play goes on with {colour.name.lower()}."
    return [
        Noticed(table.now, NoticeKind.UNSAID_COLOUR, text),
        *live.go_on_with_colour(told, table.now),
    ]


def _colour_played(cards: Sequence[CardDown], tray: Tray) -> Colour:
    """That of the first card which was put on the wild; any, if none tells."""
    for card in cards:
        if card.tray is not tray or card.name is None:
            continue
        try:
            colour = parse(card.name).colour
        except ValueError:
            continue
        if colour is not None:
            return colour
    return Colour.RED
