"""A round's special moments as people see them: Tilt, going out, counting, scores.

It never decides what is won: the referee has ruled.
"""

from dataclasses import replace

from companion.display.bodies import (
    CountBody,
    ScoreRow,
    ScoresBody,
    SettleBody,
    TiltBody,
    WinnerBody,
)
from companion.display.choice import Choice, Tone, Touch
from companion.display.glyph import Glyph
from companion.display.looking import Counting, Looking
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_table import balance_of, calls_of
from companion.display.wishes import (
    CountCard,
    CountFor,
    Digit,
    Gesture,
    Open,
    Page,
)
from companion.display.words import counted, counted_points, played_off, thing
from companion.games import commands, rulings
from companion.games.cards import Card, Kind
from companion.games.decks import points
from companion.games.referee import State
from companion.games.tippo.state import TippoState
from companion.table import awaited
from companion.table.table import Table

MENU = Choice("Menu", Open(Page.MENU), Tone.QUIET, glyph=Glyph.MENU)

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
