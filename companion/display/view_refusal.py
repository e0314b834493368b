"""A refusal as people see it: what does not go, why, and what is to be done.

It never decides what goes: the referee has.
"""

from companion.display import view_table
from companion.display.bodies import RefusedBody
from companion.display.choice import Choice, Tone
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_round import MENU
from companion.display.wishes import Gesture, Open, Page
from companion.display.words import card_of, plainly
from companion.games.cards import UNKNOWN
from companion.games.referee import State
from companion.table.outcomes import Declined
from companion.table.table import Table

REFUSAL_S = 6.0
"""So long a refused tap is explained."""


def still_matters(table: Table, declined: Declined, around: Surroundings) -> bool:
    """True while a refusal is to be read: a card's until it is taken back, a tap's for a while."""
    if any(stray.number == declined.act for stray in table.strays):
        return True
    return around.now_s - declined.at_s < REFUSAL_S


def refused_screen(table: Table, state: State, declined: Declined) -> Screen:
    """What does not go, why, and what to do about it."""
    stray = next((s for s in table.strays if s.number == declined.act), None)
    refusal = declined.refusal
    actions = []
    if refusal.rule:
        actions.append(Choice("Why?", Open(Page.WHY)))
    if declined.act is not None:
        actions.append(Choice("It was another card", Open(Page.AMEND_PAD, act=declined.act)))
    actions.append(Choice("All right", Gesture.SEEN, Tone.MAIN))
    card = card_of(stray.name) if stray is not None and stray.name else None
    headline = "This does not go"
    if stray is not None:
        headline = f"Take it back out of the {stray.tray} tray"
    elif declined.no_longer:
        headline = "This does not fit any more"
    return Screen(
        headline,
        RefusedBody(
            None if card == UNKNOWN else card,
            plainly(refusal.message, refusal.rule),
            refusal.rule or "",
        ),
        MENU,
        actions=tuple(actions),
        calls=view_table.calls_of(state),
        tone=Tone.PLAIN,
    )
