"""What the table says and asks when a card was not seen, or a hand was taken for one.

It never weighs what is likelier: `companion.table.lining_up` does.
"""

from dataclasses import replace

from companion.games.cards import parse
from companion.games.referee import Phase
from companion.table.acts import CardDown, Spilled
from companion.table.lining_up import (
    better_pairing,
    named_before_tip,
    tipped_unseen,
    unseen_before_spill,
)
from companion.table.live_game import LiveGame
from companion.table.naming import named
from companion.table.outcomes import Doubt, Noticed, NoticeKind, Outcome
from companion.table.pairing import TIPPED_WITHIN_S
from companion.table.situation import Situation
from companion.table.taps import Mode
from companion.table.unsaid_colour import take_colour_from_play
from companion.units import MonoSeconds, Tray

BY_ITSELF_S = 3.25
"""So soon after the last card a scale falls by itself: of 255 simulated falls that came one second
to this after it 2 were by a card that nobody saw, of 33 later ones 2, too."""

IT_WAITS, IT_TIPPED = "it is still in a hand", "it tipped the scale"
YES, NO = "yes", "no"
NEVER_DOWN = "it was never put down"


def in_tray(tray: Tray) -> str:
    """The answer that a card lies there."""
    return f"in the {tray} tray"


def keep_in_step(table: Situation, live: LiveGame) -> list[Outcome]:
    """Pairs names and cards anew if another pairing is plainly likelier."""
    playing = table.in_play or live.state.phase is Phase.SPILLED
    if not playing or not table.has_scale or table.paused:
        return []
    lined = better_pairing(live, every_card=table.mode is Mode.FULL)
    if lined is None:
        return take_colour_from_play(table, live)
    outcomes = live.line_up(lined, table.now)
    for number in lined.withdrawn:
        outcomes += table.questions.settle(number, IT_WAITS, table.now)
    for held in lined.hands:
        outcomes += table.questions.settle(held.number, NO, table.now)
        assert isinstance(held.act, CardDown)
        text = f"What touched the {held.act.tray} tray was no card: nobody has named one."
        outcomes.append(Noticed(table.now, NoticeKind.NO_CARD, text))
    if lined.guessed is not None:
        table.questions.drop(Doubt.WHO_TIPPED)
        outcomes += _ask_about(table, live, lined.guessed)
    return outcomes


def _ask_about(table: Situation, live: LiveGame, number: int) -> list[Outcome]:
    entry = live.timeline.find(number)
    if entry is None or not isinstance(entry.act, CardDown):
        return []
    tipped = any(
        isinstance(other.act, Spilled) and other.act.tipped_s == entry.act.at_s
        for other in live.timeline.entries
    )
    if tipped:
        return _ask_whether_it_tipped(table, entry.act.name, number)
    return _ask_where_it_is(table, live, entry.act, number)


def _ask_where_it_is(
    table: Situation, live: LiveGame, card: CardDown, number: int
) -> list[Outcome]:
    whose = live.timeline.game_before(number).state.turn
    trays = (card.tray, *(tray for tray in Tray if tray is not card.tray))
    asked = table.questions.ask(
        table.now,
        Doubt.UNSEEN,
        f"The scale did not feel {whose}'s {spoken(card.name)}: where is it?",
        (*map(in_tray, trays), NEVER_DOWN),
        act=number,
    )
    return [*asked]


def hear_of_spill(table: Situation, live: LiveGame, spill: Spilled) -> list[Outcome]:
    """Before a spill is ruled on: a card that was named in the fall tipped the scale (T23)."""
    found = None if table.paused else unseen_before_spill(live, spill)
    if found is None:
        return []
    card, said = found
    number = live.timeline.next_number
    outcomes = live.put_down_unseen(card, said, table.now)
    return [*outcomes, *_ask_whether_it_tipped(table, card.name, number)]


def ask_about_tip(table: Situation, live: LiveGame, spill: Spilled) -> list[Outcome]:
    """A card that was named just before the scale tipped may have tipped it, or not (T23)."""
    if table.paused or not isinstance(live.timeline.entries[-1].act, Spilled):
        return []
    said = named_before_tip(live, spill)
    if said is None:
        return _ask_who_tipped(table, live, spill)
    return _ask_whether_it_tipped(table, said.tap.card, 0)


def _ask_who_tipped(table: Situation, live: LiveGame, spill: Spilled) -> list[Outcome]:
    """In quick mode an ordinary card that tips the scale unseen has no name that could tell."""
    before = live.timeline.game_before(live.timeline.entries[-1].number).state
    who = before.turn
    # In a Tilt challenge the next one is about to drop a card whenever the scale falls.
    within_s = TIPPED_WITHIN_S if before.phase is Phase.TILT else BY_ITSELF_S
    if table.mode is not Mode.QUICK or who is None:
        return []
    if not tipped_unseen(live, spill, within_s=within_s):
        return []
    asked = table.questions.ask(
        table.now,
        Doubt.WHO_TIPPED,
        f"Did {who} put down a card that tipped the scale?",
        (NO, YES),
    )
    return [*asked]


def answer_who_tipped(table: Situation, live: LiveGame, answer: str) -> list[Outcome]:
    """People say that somebody's ordinary card tipped the scale, or that it fell by itself."""
    spill = _last_spill(live)
    if answer != YES or spill is None or spill.tipped_s is None:
        return []
    card = replace(_that_tipped(spill, spill.tipped_s, table.now), name="?")
    return live.tipped_it(card, table.now)


def _ask_whether_it_tipped(table: Situation, name: str | None, number: int) -> list[Outcome]:
    """`number` is the card's act if it counts as if it had, else 0."""
    answers = (IT_TIPPED, IT_WAITS) if number else (IT_WAITS, IT_TIPPED)
    text = f"Where is {spoken(name)}, the card that was named as the scale fell?"
    return [*table.questions.ask(table.now, Doubt.TIPPED_BY_IT, text, answers, act=number)]


def answer_about_tip(table: Situation, live: LiveGame, number: int, answer: str) -> list[Outcome]:
    """People say whether a card tipped the scale; `number` is its act if it counts as if it had."""
    if number:
        return live.was_in_a_hand(number, table.now) if answer == IT_WAITS else []
    spill = _last_spill(live)
    if answer != IT_TIPPED or spill is None or spill.tipped_s is None:
        return []
    said = named_before_tip(live, spill)
    if said is None:
        return []
    live.names.remove(said)
    card = named(_that_tipped(spill, spill.tipped_s, table.now), said)
    return live.tipped_it(card, table.now)


def _last_spill(live: LiveGame) -> Spilled | None:
    acts = (entry.act for entry in reversed(live.timeline.entries))
    return next((act for act in acts if isinstance(act, Spilled)), None)


def _that_tipped(spill: Spilled, tipped_s: MonoSeconds, now: MonoSeconds) -> CardDown:
    """The card of which people say that it tipped the scale."""
    tray = spill.trays[0] if spill.trays else Tray.LEFT
    return CardDown(at_s=tipped_s, decided_s=now, tray=tray, sensed=False, amended=True)


def answer_where_it_is(table: Situation, live: LiveGame, number: int, answer: str) -> list[Outcome]:
    """People say where a card lies that the scale did not feel."""
    if answer == NEVER_DOWN:
        live.settled_s = table.now
        return live.withdraw(number, table.now)
    tray = next(tray for tray in Tray if answer == in_tray(tray))
    return live.lies_in(number, tray, table.now)


def spoken(card: str | None) -> str:
    """A card's name in a sentence."""
    try:
        return parse(card or "?").spoken
    except ValueError:
        return card or "a card"
