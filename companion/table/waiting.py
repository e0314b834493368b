"""What the passing of time means at the table, and what the table waits for.

Time comes as an argument; nothing here reads a clock.
"""

from companion.games import commands
from companion.games.referee import Phase, State
from companion.games.tippo.legality import awaiting_colour
from companion.games.tippo.state import TippoState
from companion.table import awaited
from companion.table.acts import CardDown
from companion.table.awaited import Awaited
from companion.table.drawing import register_draw
from companion.table.hearing import ask_about_doubtful
from companion.table.live_game import LiveGame
from companion.table.outcomes import Outcome
from companion.table.setting_up import ask_about_reset, reset_counts
from companion.table.situation import Situation
from companion.table.taps import Mode
from companion.units import Tray

SETTLE_S = 5
"""T33: the scale must rest so long after a last card (`settle_seconds`)."""


def pass_time(table: Situation, still_s: float) -> list[Outcome]:
    """What has become due. `still_s`: so long both cells have rested within 0.3 g."""
    table.still_s = still_s
    live = table.live
    if live is None or not table.has_scale or table.paused:
        return []
    outcomes = [*ask_about_doubtful(table, live), *ask_about_reset(table, live)]
    if table.mode is Mode.QUICK:
        for held in live.unnamed():
            if isinstance(held.act, CardDown) and held.act.nameable_until_s < table.now:
                outcomes += live.count_as_ordinary(held.number, table.now)
    outcomes += register_draw(table, live)
    if _has_settled(table, live):
        outcomes += live.tell(commands.Settled(), table.now, table.now)
    return outcomes


def _has_settled(table: Situation, live: LiveGame) -> bool:
    if live.state.phase is not Phase.GOING_OUT or table.tipping or live.unnamed():
        return False
    of_s = table.option("settle_seconds", SETTLE_S)
    return table.still_s >= of_s and table.now - table.last_card_s >= of_s


def what_is_awaited(table: Situation) -> tuple[Awaited, ...]:
    """What the table waits for, most pressing first."""
    live = table.live
    if live is None:
        return (awaited.NewGame(),)
    if table.paused:
        return (awaited.Rest(),)
    return (
        *(awaited.Answer(question) for question in table.questions.open),
        *_cards_out_of_place(table),
        *_names(table, live),
        *_of_the_game(table, live, live.state),
        *_named_cards(table, live),
    )


def _cards_out_of_place(table: Situation) -> list[Awaited]:
    return [
        *(awaited.TakeBack(stray) for stray in table.trays.strays_from_the_top()),
        *(awaited.PutBack(m.tray, m.count) for m in table.trays.missing.values()),
    ]


def _names(table: Situation, live: LiveGame) -> list[Awaited]:
    quick = table.mode is Mode.QUICK
    return [
        awaited.Name(
            held.number,
            held.act.tray,
            held.player,
            held.act.nameable_until_s if quick else None,
        )
        for held in live.unnamed()
        if isinstance(held.act, CardDown)
    ]


def _named_cards(table: Situation, live: LiveGame) -> list[Awaited]:
    return [
        awaited.Placing(
            waiting.tap.card,
            waiting.tap.colour,
            waiting.tap.player if isinstance(waiting.tap.player, str) else None,
            blind=table.blind_in(),
        )
        for waiting in live.names
    ]


def _of_the_game(table: Situation, live: LiveGame, state: State) -> list[Awaited]:
    waits: list[Awaited] = []
    if table.trays.start_cards_due:
        waits.append(awaited.StartCards(tuple(sorted(table.trays.start_cards_due))))
    match state.phase:
        case Phase.SETUP:
            waits.append(awaited.Deal())
        case Phase.SPILLED:
            waits.append(_reset(table, live))
        case Phase.GOING_OUT:
            waits.append(_settling(table, state))
        case Phase.HANDS:
            losers = tuple(name for name in state.players if state.hands.get(name))
            waits.append(awaited.Hands(losers))
        case Phase.GAME_OVER:
            waits.append(awaited.Over())
        case Phase.PLAY | Phase.DRAWN | Phase.TILT:
            waits.append(_move(state))
    return waits


def _move(state: State) -> Awaited:
    if state.needs == "colour" and state.turn is not None:
        return awaited.ColourOf(state.turn, _tray_without_colour(state))
    if state.turn is None or state.needs in ("challenge", "turn"):
        return awaited.Decision(state.needs or "", state.turn)
    if isinstance(state, TippoState) and state.phase is Phase.TILT and state.tray_of_tilt:
        return awaited.Drop(state.turn, state.tray_of_tilt)
    return awaited.Move(state.turn, drawn=state.phase is Phase.DRAWN)


def _tray_without_colour(state: State) -> Tray | None:
    return next(iter(awaiting_colour(state)), None) if isinstance(state, TippoState) else None


def _reset(table: Situation, live: LiveGame) -> Awaited:
    wanted = reset_counts(live)
    counted = table.trays.counts
    return awaited.Reset(
        wanted[Tray.LEFT],
        wanted[Tray.RIGHT],
        counted[Tray.LEFT],
        counted[Tray.RIGHT],
        blind=table.blind_in(),
    )


def _settling(table: Situation, state: State) -> Awaited:
    of_s = table.option("settle_seconds", SETTLE_S)
    rested_s = 0.0 if table.tipping else min(table.still_s, table.now - table.last_card_s, of_s)
    return awaited.Settling(
        next((name for name in state.players if state.hands.get(name) == 0), state.dealer),
        max(0.0, rested_s),
        of_s,
        blind=table.blind_in(),
    )
