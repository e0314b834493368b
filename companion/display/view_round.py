"""A round's special moments as people see them: spill, reset, Tilt, going out, counting, scores.

It never decides who pays or what is won: the referee has ruled.
"""

from collections.abc import Iterator
from dataclasses import replace

from companion.display.bodies import (
    CountBody,
    Reason,
    ResetBody,
    ResetTray,
    ScoreRow,
    ScoresBody,
    SettleBody,
    SpillBody,
    TiltBody,
    WhyBody,
    WinnerBody,
)
from companion.display.choice import Choice, Tone, Touch
from companion.display.glyph import Glyph
from companion.display.looking import Counting, Looking, SpillNews
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_table import LEAN_TIPPED, balance_of, calls_of, tray_touch
from companion.display.wishes import CountCard, CountFor, Digit, Gesture, Open, Page, Request
from companion.display.words import cards, counted, counted_points, did, played_off, thing
from companion.games import commands, rulings
from companion.games.cards import Card, Kind
from companion.games.decks import points
from companion.games.referee import Phase, State
from companion.games.rulebook import sentence
from companion.games.tippo.state import TippoState
from companion.table import awaited
from companion.table.table import SpillVerdict, Table
from companion.units import Tray

LONG_AGO_S = 20.0
"""Beyond this the seconds between a play and a spill tell people nothing."""

MENU = Choice("Menu", Open(Page.MENU), Tone.QUIET, glyph=Glyph.MENU)

# --- spill and reset ----------------------------------------------------------------------


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
        ResetTray(
            tray,
            state.tray(tray).goes_back,
            None if waits.blind else counted,
            tray_touch(table, state, tray, around),
        )
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


# --- Tilt and going out -------------------------------------------------------------------


def tilt_screen(
    table: Table, state: TippoState, waits: awaited.Drop, around: Surroundings
) -> Screen:
    """Whose turn it is to drop a card, who follows, and how many lie already."""
    at = state.players.index(waits.player)
    order = tuple(
        state.players[(at + k * state.direction) % len(state.players)]
        for k in range(len(state.players))
    )
    drops = state.tilt.drops if state.tilt is not None else None
    return Screen(
        f"{waits.player}, draw a card and drop it in the {waits.tray} tray",
        TiltBody(balance_of(table, state, around), waits.tray, drops, order),
        MENU,
        calls=calls_of(state),
        who=waits.player,
        notice="Tilt! Somebody must tip the scale.",
    )


def settle_screen(
    table: Table, state: TippoState, waits: awaited.Settling, around: Surroundings
) -> Screen:
    """The last card lies; the scale must hold."""
    share = 1.0 if not waits.of_s else min(1.0, waits.rested_s / waits.of_s)
    actions = (Choice("It holds", commands.Settled(), Tone.MAIN),) if waits.blind else ()
    return Screen(
        f"{waits.player} is out, if the scale holds!",
        SettleBody(
            waits.player,
            balance_of(table, state, around),
            "Hands off the table!",
            round(share, 2),
        ),
        MENU,
        actions,
        who=waits.player,
    )


# --- counting -----------------------------------------------------------------------------


SIGNS = {
    "+2": Card(Kind.DRAW_TWO),
    "reverse": Card(Kind.REVERSE),
    "swap": Card(Kind.REVERSE),
    "skip": Card(Kind.SKIP),
    "block": Card(Kind.SKIP),
    "wild": Card(Kind.WILD),
    "+4": Card(Kind.WILD_DRAW_FOUR),
    "tilt": Card(Kind.TILT),
}
"""What has a sign instead of a number, whatever its colour."""


def value_keys(game: str) -> tuple[tuple[str, int], ...]:
    """What a card left in a hand can be, and its points (T50, H24, R28)."""
    numbers = [(str(n), n) for n in range(10)]
    if game == "battle":
        return (*numbers, ("+2", 1), ("swap", 1), ("block", 1), ("wild", 1), ("+4", 20))
    if game == "rummy_up":
        tiles = [(str(n), 20 if n in (2, 5, 7) else n) for n in range(1, 13)]
        return (*tiles, ("wild", 50))
    named = [
        ("+2", Kind.DRAW_TWO),
        ("reverse", Kind.REVERSE),
        ("skip", Kind.SKIP),
        ("wild", Kind.WILD),
        ("+4", Kind.WILD_DRAW_FOUR),
        ("tilt", Kind.TILT),
    ]
    known = named if game == "tippo" else named[:-1]
    return (*numbers, *((label, points(Card(kind))) for label, kind in known))


def count_screen(state: State, waits: awaited.Hands, looking: Looking) -> Screen:
    """One hand after the other; when all are counted, one tap is left."""
    counting = looking.counting
    losers = waits.players
    player = counting.player if counting.player in losers else _first_open(state, losers, counting)
    held = state.hands.get(player, 0)
    typing = counting.typing
    others = tuple(
        Choice(
            name,
            CountFor(name),
            note=_count_note(state, counting, name),
            chosen=name == player,
        )
        for name in losers
    )
    laid = tuple(_value(label, None) for label, _ in counting.cards_of(player))
    body = CountBody(
        player,
        held,
        laid,
        counting.points_of(player),
        tuple(
            replace(key, touch=(CountFor(player), key.touch))
            for key in (_digit_keys() if typing else _value_keys(state.game))
        ),
        others,
        typing,
    )
    return Screen(
        f"{player}, which {thing(state.game)}s are left?"
        if player
        else f"Everyone is out of {thing(state.game)}s",
        body,
        MENU,
        _count_actions(state, losers, counting, player),
        who=player,
    )


def _count_actions(
    state: State, losers: tuple[str, ...], counting: Counting, player: str
) -> tuple[Choice, ...]:
    typed = (CountFor(player), Gesture.TYPE_POINTS)
    how = Choice("Tap cards" if counting.typing else "Type points", typed)
    missing = [name for name in losers if name != player and not _is_counted(state, counting, name)]
    if missing:
        tone = Tone.MAIN if _is_counted(state, counting, player) else Tone.PLAIN
        return how, Choice(f"Next: {missing[0]}", CountFor(missing[0]), tone)
    total = {name: counting.points_of(name) for name in losers}
    tone = Tone.MAIN if _is_counted(state, counting, player) else Tone.PLAIN
    done = f"Done: {counted_points(sum(total.values()))}"
    return how, Choice(done, commands.Hands(points=total), tone)


def _is_counted(state: State, counting: Counting, name: str) -> bool:
    if counting.typed_of(name):
        return True
    return len(counting.cards_of(name)) == state.hands.get(name, 0)


def _first_open(state: State, losers: tuple[str, ...], counting: Counting) -> str:
    waiting = (name for name in losers if not _is_counted(state, counting, name))
    return next(waiting, losers[0] if losers else "")


def _count_note(state: State, counting: Counting, name: str) -> str:
    held = state.hands.get(name, 0)
    if counting.typed_of(name) or _is_counted(state, counting, name):
        return counted_points(counting.points_of(name))
    tapped = len(counting.cards_of(name))
    there = counted(held, state.game)
    return f"{tapped} of {there}" if tapped else there


def _value_keys(game: str) -> tuple[Choice, ...]:
    keys = [_value(label, CountCard(label, worth)) for label, worth in value_keys(game)]
    return (*keys, Choice("erase", Gesture.UNCOUNT))


def _value(label: str, touch: Touch) -> Choice:
    """A card that can be left in a hand: drawn, if it has a sign and not a number."""
    return Choice(label, touch, card=SIGNS.get(label))


def _digit_keys() -> tuple[Choice, ...]:
    digits = [Choice(str(n), Digit(str(n))) for n in range(1, 10)]
    return (*digits, Choice("0", Digit("0")), Choice("erase", Gesture.ERASE))


# --- scores -------------------------------------------------------------------------------


def scores_body(table: Table) -> ScoresBody:
    """Everybody's total, highest first (where low wins, lowest first), and round by round."""
    state = table.state
    assert state is not None
    names = tuple(state.scores)
    rounds: list[dict[str, int]] = [dict.fromkeys(names, 0)]
    rounds += [
        dict(entry.game.state.scores)
        for entry in table.entries
        if isinstance(entry.command, commands.Hands)
    ]
    if len(rounds) == 1 and any(state.scores.values()):
        rounds.append(dict(state.scores))
    before = rounds[-2] if len(rounds) > 1 else rounds[0]
    ranked = sorted(names, key=lambda name: state.scores[name], reverse=not state.low_wins)
    best = state.scores[ranked[0]] if ranked else 0
    rows = tuple(
        ScoreRow(
            name,
            state.scores[name],
            state.scores[name] - before.get(name, 0),
            struck=name not in state.players,
            leads=state.scores[name] == best and len(rounds) > 1,
        )
        for name in ranked
    )
    lines = tuple(tuple(total.get(name, 0) for total in rounds) for name in names)
    return ScoresBody(rows, names, lines, state.target, len(rounds) - 1)


def scored_screen(table: Table) -> Screen:
    """After a round: who won how much."""
    body = scores_body(table)
    tie = getattr(table.state, "tie", None)
    winner = next((row for row in body.rows if row.won), None)
    headline = f"After round {body.round}"
    if winner is not None and sum(1 for row in body.rows if row.won) == 1:
        headline = f"{winner.name} wins {counted_points(winner.won or 0)}"
    return Screen(
        headline,
        body,
        MENU,
        (Choice("Next round", Gesture.SEEN, Tone.MAIN),),
        who=winner.name if winner else "",
        notice=played_off(tie) if tie is not None else "",
    )


def winner_screen(table: Table) -> Screen:
    """The end of the game: whose it is."""
    ruled = [
        ruling
        for entry in reversed(table.entries)
        for ruling in entry.rulings
        if isinstance(ruling, rulings.GameOver)
    ]
    over = ruled[0] if ruled else None
    body = scores_body(table)
    winner = over.winner if over is not None else None
    if winner is None:
        shared = over.tied if over is not None and over.tied else ()
        winner = " & ".join(shared) or (body.rows[0].name if body.rows else "")
    spills = (Choice("Who paid and why", Open(Page.SPILLS)),) if table.has_scale else ()
    again = Choice("New game", Open(Page.SETUP), Tone.MAIN)
    return Screen("The game is over", WinnerBody(winner, body), MENU, (*spills, again))
