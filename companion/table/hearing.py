"""What each sensed event means at the table: a play, a card taken back, a spill, a reset.

It never weighs anything: the judge has said what happened, this says what it amounts to.
"""

from companion.events import (
    Drawn,
    Fault,
    Level,
    Placed,
    Recovered,
    Removed,
    Sensed,
    Sensor,
    Spill,
    Tip,
    Wobble,
)
from companion.games.referee import Phase
from companion.games.tippo.state import TippoState
from companion.table.acts import CardDown, Spilled
from companion.table.drawing import hear_drawn, register_draw_before_act
from companion.table.in_step import NO, YES, ask_about_tip, hear_of_spill, keep_in_step
from companion.table.live_game import LiveGame
from companion.table.outcomes import Doubt, Noticed, NoticeKind, Outcome
from companion.table.setting_up import cards_since, hear_level, played_on, put_right
from companion.table.situation import NEVER, Situation
from companion.table.taps import Mode
from companion.table.trays import Stray, Why

TAPPED_PLAY_S = 4.0
"""So long before or after a play was tapped with its tray, the scale may report its card."""

PUT_BACK_S = 10.0
"""So long after a card slid off, a card placed in that tray is taken to be the same one (T25)."""

PUT_BACK, NEW_CARD = "put back", "a new card"


def hear(table: Situation, event: Sensed) -> list[Outcome]:
    """What the table makes of an event of the judge."""
    match event:
        case Placed():
            return _since_level(table, _placed(table, event))
        case Removed():
            return _since_level(table, _removed(table, event))
        case Tip():
            table.tipping, table.tipped_s = True, event.began_s
        case Wobble():
            table.tipping = False
            table.unseen_tip_s = table.tipped_s if table.blind_in() else NEVER
        case Spill():
            return _spill(table, event)
        case Level():
            return _level(table, event)
        case Fault():
            table.faults[event.sensor] = event.kind
        case Recovered():
            return _recovered(table, event)
        case Drawn():
            hear_drawn(table, event)
    return []


def _recovered(table: Situation, event: Recovered) -> list[Outcome]:
    if table.faults.pop(event.sensor, None) is None:
        return []
    return [Noticed(table.now, NoticeKind.RECOVERED, f"{_NAMES[event.sensor]} works again.")]


_NAMES = {
    Sensor.LEFT: "The left cell",
    Sensor.RIGHT: "The right cell",
    Sensor.DECK: "The cell under the draw pile",
    Sensor.TILT: "The tilt switch",
}


def _since_level(table: Situation, outcomes: list[Outcome]) -> list[Outcome]:
    """Once play goes on the last level says nothing of the trays any more."""
    if not table.setting_up:
        table.level = None
    return outcomes


def _placed(table: Situation, event: Placed) -> list[Outcome]:
    table.trays.add(event.tray, event.count)
    live = table.live
    if live is None or not table.has_scale or table.paused:
        return []
    set_up = put_right(table, live, event)
    if set_up:
        return set_up
    return [*played_on(table, live, event), *_came_down(table, live, event)]


def _came_down(table: Situation, live: LiveGame, event: Placed) -> list[Outcome]:
    if not _counts_as_play(table, live, event):
        return []
    if event.tray in table.trays.start_cards_due and not live.names:
        table.trays.start_cards_due.discard(event.tray)
        return []
    table.trays.start_cards_due.clear()
    table.last_card_s = event.decided_s
    if _is_the_tapped_play(table, live, event):
        return []
    missing = table.trays.missing.get(event.tray)
    if missing and not live.names and event.began_s - missing.at_s <= PUT_BACK_S:
        table.trays.put_back(event.tray, event.count)
        return [
            *table.questions.ask(
                table.now,
                Doubt.NEW_OR_PUT_BACK,
                f"Was the card put back in the {event.tray} tray, or is it a new card?",
                (PUT_BACK, NEW_CARD),
                placed=event,
            )
        ]
    return put_down(table, live, event)


def put_down(table: Situation, live: LiveGame, event: Placed) -> list[Outcome]:
    """Takes a card that the scale reports as the act of the player whose turn it is."""
    outcomes = [*register_draw_before_act(table, live), *table.next_act(card=True)]
    outcomes += _taken_to_be_true(table, Doubt.TIPPED_BY_IT, Doubt.WHO_TIPPED, Doubt.UNSEEN)
    card = CardDown(at_s=event.began_s, decided_s=event.decided_s, tray=event.tray, sure=event.sure)
    player = live.next_to_act()
    outcomes += live.put_down(card, table.now, quick=table.mode is Mode.QUICK)
    outcomes += keep_in_step(table, live)
    if event.count > 1:
        live.trays.strays += [Stray(0, event.tray, Why.EXTRA, event.began_s, player, None)] * (
            event.count - 1
        )
        outcomes.append(
            Noticed(
                table.now,
                NoticeKind.TWO_CARDS,
                f"{event.count} cards came down at once in the {event.tray} tray: they count as "
                "one play, take the others back.",
            )
        )
    return outcomes


def _taken_to_be_true(table: Situation, *doubts: Doubt) -> list[Outcome]:
    """People have gone on without answering, or something else is to be asked now."""
    return [
        answered
        for doubt in doubts
        for answered in table.questions.settle_doubt(doubt, None, table.now)
    ]


def _counts_as_play(table: Situation, live: LiveGame, event: Placed) -> bool:
    if table.in_play:
        return True
    if live.state.phase is not Phase.SPILLED:
        return False
    # Decided after the spill, but put down before the first card fell.
    spill = next(e.act for e in reversed(live.timeline.entries) if isinstance(e.act, Spilled))
    return event.began_s < spill.at_s


def _is_the_tapped_play(table: Situation, live: LiveGame, event: Placed) -> bool:
    expected = table.expected
    if expected is None or expected.tray is not event.tray:
        return False
    if abs(event.began_s - expected.at_s) > TAPPED_PLAY_S:
        return False
    table.expected = None
    live.confirm(expected.number, event.began_s)
    return True


def _removed(table: Situation, event: Removed) -> list[Outcome]:
    table.trays.take(event.tray, event.count)
    live = table.live
    if live is None or table.paused:
        return []
    if not table.in_play:
        return put_right(table, live, event) if table.has_scale else []
    if event.tray in table.trays.start_cards_due:
        return []
    outcomes: list[Outcome] = []
    for taken in range(event.count):
        withdrawn = live.take_back(event.tray, event.began_s, table.now)
        if withdrawn is None:
            left = event.count - taken
            table.trays.owe(event.tray, left, event.began_s)
            outcomes.append(
                Noticed(
                    table.now,
                    NoticeKind.SLID_OFF,
                    f"{'A card' if left == 1 else f'{left} cards'} left the {event.tray} tray "
                    "without a spill: put it back, nobody pays (T25).",
                )
            )
            break
        outcomes += withdrawn
    return outcomes


def _spill(table: Situation, event: Spill) -> list[Outcome]:
    table.tipping, table.level = False, None
    for tray, lost in event.lost.items():
        table.trays.take(tray, lost)
    live = table.live
    if live is None or not table.has_scale:
        return []
    spill = Spilled(
        at_s=event.began_s,
        decided_s=event.decided_s,
        trays=event.trays,
        lost=tuple(event.lost.items()),
        reasons=event.reasons,
        no_fault=table.paused,
        tipped_s=table.tipped_s if table.tipped_s > NEVER else None,
    )
    if live.state.phase is Phase.SPILLED:
        return live.sharpen_spill(spill, table.now)
    if not table.in_play:
        return []
    # An answer speaks of the last spill: none may still be awaited about the one before.
    outcomes = _taken_to_be_true(table, Doubt.TIPPED_BY_IT, Doubt.WHO_TIPPED)
    outcomes += [*hear_of_spill(table, live, spill), *live.spill(spill, table.now)]
    outcomes += ask_about_tip(table, live, spill)
    number = live.last_spill_number()
    if not event.sure and number is not None and not table.paused:
        outcomes += table.questions.ask(
            table.now, Doubt.FELL_OUT, "Did cards fall out?", (YES, NO), act=number
        )
    return outcomes


def ask_about_doubtful(table: Situation, live: LiveGame) -> list[Outcome]:
    """Asks whether a doubtful card that nobody has named in time is a card at all."""
    outcomes: list[Outcome] = []
    for held in live.unnamed():
        card = held.act
        if not isinstance(card, CardDown) or card.sure:
            continue
        if card.nameable_until_s < table.now:
            outcomes += table.questions.ask(
                table.now,
                Doubt.CARD_OR_HAND,
                f"Did {held.player or 'somebody'} put a card in the {card.tray} tray?",
                (YES, NO),
                act=held.number,
            )
    return outcomes


def _level(table: Situation, event: Level) -> list[Outcome]:
    before, live = table.level, table.live
    if before is None or live is None or not table.in_play:
        return hear_level(table, live, event)
    outcomes = [one for moved in cards_since(before, event) for one in hear(table, moved)]
    table.level = event
    return outcomes


def take_counts(table: Situation, left: int, right: int) -> list[Outcome]:
    """The judge counts these cards at its first rest; in a game they should be the piles'."""
    table.trays.set_counts(left, right)
    live = table.live
    if live is None or not table.in_play or not table.has_scale or table.trays.start_cards_due:
        return []
    state = live.state
    assert isinstance(state, TippoState)
    return [
        Noticed(
            table.now,
            NoticeKind.MISCOUNT,
            f"The {tray} tray holds {counted} cards, the game says {state.trays[tray].cards}: "
            "put it right, or go on.",
        )
        for tray, counted in table.trays.counts.items()
        if counted != state.trays[tray].cards + len(table.trays.strays_in(tray))
    ]
