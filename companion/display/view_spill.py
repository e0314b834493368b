"""A spill as people see it: who pays and why, and the guide to what goes back in the trays.

It never decides who pays: the referee has ruled.
"""

from collections.abc import Iterator

from companion.display.bodies import Reason, ResetBody, ResetTray, SpillBody, WhyBody
from companion.display.choice import Choice, Tone, Touch
from companion.display.looking import SpillNews
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_round import MENU
from companion.display.view_table import LEAN_TIPPED, calls_of
from companion.display.wishes import Gesture, Open, Page, PutDown, Request, TakeOut
from companion.display.words import cards, did
from companion.games import commands, rulings
from companion.games.cards import Card
from companion.games.referee import Phase
from companion.games.rulebook import sentence
from companion.games.tippo.state import TippoState
from companion.table import awaited
from companion.table.table import SpillVerdict, Table
from companion.units import Tray

LONG_AGO_S = 20.0
"""Beyond this the seconds between a play and a spill tell people nothing."""


def spill_screen(table: Table, news: SpillNews) -> Screen:
    """Who pays, how much and why; the reset guide follows by itself."""
    state = table.state
    assert state is not None
    verdict = table.last_spill
    lost = verdict.lost if verdict is not None else {}
    side = 1 if lost.get(Tray.RIGHT, 0) >= lost.get(Tray.LEFT, 0) else -1
    headline, onward = "The scale has spilled!", "What goes back?"
    if state.phase is not Phase.SPILLED:
        headline, onward = "Who pays for the spill has changed", "All right"
    actions = (
        Choice("Why?", Open(Page.WHY, act=news.act)),
        Choice("It was not so", Open(Page.PAYER, act=news.act)),
        Choice(onward, Gesture.SEEN, Tone.MAIN),
    )
    return Screen(
        headline,
        SpillBody(news.by, news.count, spill_text(verdict, news.by), side * LEAN_TIPPED),
        MENU,
        actions,
        calls=calls_of(state),
        tone=Tone.WARN,
    )


def spill_text(verdict: SpillVerdict | None, payer: str | None) -> str:
    """Why this player pays, in one sentence."""
    if verdict is None:
        return ""
    if payer is None:
        nobody = any(isinstance(r, rulings.Spill) and r.no_fault for r in verdict.rulings)
        return (
            "The table has agreed that it was nobody's fault."
            if nobody
            else "Nobody has made a play in this round yet."
        )
    last = verdict.last_act
    if last is None or not did(last.command):
        return "The last player who made a play pays."
    passed_s = verdict.at_s - last.at_s
    if passed_s > LONG_AGO_S:
        return f"{payer} made the last play: {payer} {did(last.command)}."
    when = "just as the first card fell"
    if passed_s >= 0.15:
        when = f"{passed_s:.1f} seconds before the first card fell"
    return f"{payer} {did(last.command)}, {when}."


def why_spill(verdict: SpillVerdict) -> WhyBody:
    """The rules that decided about a spill, then what the scale saw."""
    if verdict.payer is None:
        claim = "Nobody pays for this spill."
    else:
        claim = f"{verdict.payer} pays {cards(verdict.count)}. {spill_text(verdict, verdict.payer)}"
    cited = dict.fromkeys(r.rule for r in verdict.rulings if r.rule)
    if verdict.payer is not None:
        cited = {"T21": None, **cited}
    rules = tuple(Reason(rule, sentence(rule)) for rule in cited if sentence(rule))
    return WhyBody(claim, (*rules[:3], *(Reason("", text) for text in _seen_by_scale(verdict))))


def _seen_by_scale(verdict: SpillVerdict) -> Iterator[str]:
    """What the scale saw in plain words, then its evidence in numbers."""
    lost = {tray: count for tray, count in verdict.lost.items() if count}
    if lost:
        weights = " and ".join(f"{cards(count)} from the {tray}" for tray, count in lost.items())
        yield f"The scale tipped, and the weight of about {weights} tray was gone."
    elif not verdict.reasons:
        yield "The scale saw nothing: the table said that it has spilled."
    if verdict.reasons:
        yield "In numbers: " + "; ".join(reason.rstrip(".") for reason in verdict.reasons) + "."


def reset_screen(
    table: Table, state: TippoState, waits: awaited.Reset, around: Surroundings
) -> Screen:
    """Which cards go back in each tray, and how many the scale counts there."""
    trays = [
        _reset_tray(tray, state.tray(tray).goes_back, None if waits.blind else counted, around)
        for tray, counted in ((Tray.LEFT, waits.left_counted), (Tray.RIGHT, waits.right_counted))
    ]
    aside = state.left.below + state.right.below
    verdict = table.last_spill
    text = f"Set the other {cards(aside)} aside." if aside else ""
    if verdict is not None and verdict.payer is not None and verdict.count:
        text = f"{text} {verdict.payer} draws {cards(verdict.count)}.".strip()
    actions = [
        Choice("Why?", Open(Page.WHY, act=verdict.number if verdict else 0)),
        Choice("It was not so", Open(Page.PAYER)),
    ]
    if around.person_at_sim:
        actions.append(Choice("Set upright", Request.SET_UPRIGHT))
    actions.append(
        Choice("All is back", commands.Reset(), Tone.MAIN if waits.blind else Tone.PLAIN)
    )
    return Screen(
        "Put these cards back",
        ResetBody(trays[0], trays[1], aside, text),
        MENU,
        tuple(actions),
        calls=calls_of(state),
    )


def _reset_tray(
    tray: Tray, back: tuple[Card, ...], counted: int | None, around: Surroundings
) -> ResetTray:
    """A tray of the guide; who is alone at the simulated scale taps it to fill or to empty it."""
    touch: Touch | None = None
    alone = around.person_at_sim and not around.served
    if alone and counted is not None and counted != len(back):
        touch = PutDown(tray) if counted < len(back) else TakeOut(tray)
    return ResetTray(tray, back, counted, touch)
