"""The scale is set up again after a spill: when that is done, and what is said when it is not.

It never counts cards itself: the judge has said what lies in the trays.
"""

from companion.events import Level, Placed, Removed, Sensed
from companion.games import commands
from companion.games.commands import Command
from companion.games.referee import Phase, Refusal
from companion.games.tippo.state import TippoState
from companion.table.acts import Spilled
from companion.table.live_game import LiveGame
from companion.table.outcomes import Doubt, Outcome
from companion.table.situation import Situation
from companion.units import Grams, MonoSeconds, Tray

PUT_RIGHT, AS_IT_IS = "it is put right", "it is right as it is"
"""Until somebody answers, people are at it."""

WRONG_FOR_S = 4.0
"""So long after the last change a scale that rests with other counts is asked about."""
NEARLY_FOR_S = 2.0
"""Who puts cards back takes one to two seconds for each."""
UNSEEN_FOR_S = 12.0
"""So long a scale that rests may go without a word of the judge about what lies in it."""


def reset_counts(live: LiveGame) -> dict[Tray, int]:
    """How many cards a reset asks for in each tray: the top two, or a smaller pile whole (T27)."""
    state = live.state
    assert isinstance(state, TippoState)
    return {tray: len(state.trays[tray].goes_back) for tray in Tray}


def hear_level(table: Situation, live: LiveGame | None, event: Level) -> list[Outcome]:
    """The first `level` as the rules ask for it ends the reset."""
    table.tipping = False
    table.trays.set_counts(event.left, event.right)
    table.level = event
    if live is None or live.state.phase is not Phase.SPILLED:
        return []
    if reset_counts(live) != table.trays.counts:
        table.questions.drop(Doubt.RESET)
        return []
    return _over(table, live, PUT_RIGHT, event.decided_s)


def put_right(table: Situation, live: LiveGame, moved: Placed | Removed) -> list[Outcome]:
    """The reset is over if this card was all that it lacked, or that lay there too much.

    The judge takes a scale for set up that has stood with a card more or less than is asked for.
    """
    if _level_since_spill(table, live) is None or reset_counts(live) != table.trays.counts:
        return []
    return _over(table, live, PUT_RIGHT, moved.decided_s)


def played_on(table: Situation, live: LiveGame, card: Placed) -> list[Outcome]:
    """The reset is over too if people have long gone on from it: the judge tells a play from a card
    that is put back, and this one comes on a pile that lacks none."""
    level = _level_since_spill(table, live)
    if level is None or level.decided_s > card.began_s:
        return []
    before = table.trays.counts[card.tray] - card.count
    if before < reset_counts(live)[card.tray]:
        return []
    return _over(table, live, AS_IT_IS, level.decided_s)


def told_to_play_on(
    table: Situation, live: LiveGame, command: Command, at_s: MonoSeconds
) -> list[Outcome]:
    """Whoever makes a move that only the reset forbids, when the scale has stood nearly as it asks
    for, or when they have been asked about it, says that the scale is right as it is."""
    asked = any(question.doubt is Doubt.RESET for question in table.questions.open)
    if not asked and not _stands_nearly(table, live):
        return []
    then = live.timeline.game.apply(commands.Reset())
    if isinstance(then, Refusal) or isinstance(then[0].apply(command), Refusal):
        return []
    return _over(table, live, AS_IT_IS, at_s)


def _stands_nearly(table: Situation, live: LiveGame) -> bool:
    """True if the scale has rested with at most a card more or less than is asked for in each tray,
    and with none empty that should hold any."""
    level = _level_since_spill(table, live)
    if level is None or table.now - level.decided_s < NEARLY_FOR_S:
        return False
    wanted, counted = reset_counts(live), table.trays.counts
    return all(
        abs(counted[tray] - wanted[tray]) <= 1 and counted[tray] >= min(1, wanted[tray])
        for tray in Tray
    )


def _over(table: Situation, live: LiveGame, answer: str, at_s: MonoSeconds) -> list[Outcome]:
    return [
        *table.questions.settle_doubt(Doubt.RESET, answer, table.now),
        *live.tell(commands.Reset(), at_s, table.now),
    ]


def _level_since_spill(table: Situation, live: LiveGame) -> Level | None:
    """What the judge said last of a scale that is being set up."""
    if live.state.phase is not Phase.SPILLED or table.level is None:
        return None
    return table.level if table.level.decided_s > _spill(live)[1] else None


def _spill(live: LiveGame) -> tuple[int, MonoSeconds]:
    """The number of the spill that is being put right, and when it was decided."""
    return next(
        (entry.number, max(entry.act.at_s, entry.act.decided_s))
        for entry in reversed(live.timeline.entries)
        if isinstance(entry.act, Spilled)
    )


def cards_since(before: Level, now: Level) -> list[Sensed]:
    """What came and went between two levels of one scale.

    The judge speaks of levels until it sees a reset; a table on which people said that it is right
    as it is plays on meanwhile, and then each card that is put down changes the level.
    """
    events: list[Sensed] = []
    for tray in Tray:
        was, count = (level.left if tray is Tray.LEFT else level.right for level in (before, now))
        if count > was:
            events.append(
                Placed(
                    began_s=now.began_s, decided_s=now.decided_s, reasons=now.reasons, tray=tray,
                    count=count - was, grams=Grams(0.0), sure=True,
                )
            )  # fmt: skip
        elif count < was:
            events.append(
                Removed(
                    began_s=now.began_s, decided_s=now.decided_s, reasons=now.reasons, tray=tray,
                    count=was - count, grams=Grams(0.0),
                )
            )  # fmt: skip
    return events


def ask_about_reset(table: Situation, live: LiveGame) -> list[Outcome]:
    """No table waits for ever: a scale that rests otherwise than asked for is spoken of."""
    if live.state.phase is not Phase.SPILLED or table.tipping:
        return []
    number, spilled_s = _spill(live)
    level = _level_since_spill(table, live)
    since_s = spilled_s if level is None else level.decided_s
    patience_s = UNSEEN_FOR_S if level is None else WRONG_FOR_S
    if table.still_s < WRONG_FOR_S or table.now - since_s < patience_s:
        return []
    return [
        *table.questions.ask(
            table.now,
            Doubt.RESET,
            _what_lies_there(table, live, seen=level is not None),
            (PUT_RIGHT, AS_IT_IS),
            act=number,
        )
    ]


def _what_lies_there(table: Situation, live: LiveGame, *, seen: bool) -> str:
    if not seen:
        return "The scale rests, but it is not clear what lies in its trays: is it set up?"
    wanted, counted = reset_counts(live), table.trays.counts
    wrong = [tray for tray in Tray if counted[tray] != wanted[tray]]
    told = " and ".join(
        f"{_cards(counted[tray])} in the {tray} tray, {wanted[tray] or 'none'} "
        f"{'is' if wanted[tray] == 1 else 'are'} asked for"
        for tray in wrong
    )
    return f"The scale feels {told}."


def _cards(count: int) -> str:
    return {0: "no card", 1: "1 card"}.get(count, f"{count} cards")
