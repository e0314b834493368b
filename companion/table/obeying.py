"""What each tap means at the table: a name for a card, a command, an answer, a correction.

It never touches a screen: what was tapped arrives as a value.
"""

from msgspec import UNSET

from companion.games import commands
from companion.games.game import Game
from companion.games.referee import Code, Phase, Refusal
from companion.games.tippo.state import TippoState
from companion.table.acts import MOVES, CardDown, Spilled
from companion.table.counted_out import end_as_counted
from companion.table.drawing import register_draw_before_act, tapped_draw
from companion.table.hearing import NEW_CARD, put_down
from companion.table.in_step import (
    NO,
    answer_about_tip,
    answer_where_it_is,
    answer_who_tipped,
    keep_in_step,
)
from companion.table.live_game import LiveGame
from companion.table.outcomes import Answered, Began, Declined, Doubt, Noticed, NoticeKind, Outcome
from companion.table.setting_up import AS_IT_IS, told_to_play_on
from companion.table.situation import NEVER, Expected, Situation
from companion.table.taps import (
    AmendTap,
    AnswerTap,
    AsItLiesTap,
    CardTap,
    ForgetTap,
    Mode,
    ModeTap,
    NextTap,
    PauseTap,
    Said,
    Tap,
)
from companion.units import MonoSeconds, Tray


def obey(table: Situation, tap: Tap) -> list[Outcome]:
    """What the table makes of a tap."""
    said = tap.said
    if isinstance(said, commands.Start):
        return _start(table, said)
    if isinstance(said, ModeTap):
        table.mode = Mode(said.mode)
        return [Noticed(table.now, NoticeKind.MODE, f"The table referees in {said.mode} mode.")]
    live = table.live
    if live is None:
        return _decline(table, Code.NO_GAME, "No game has been started yet.")
    if table.paused and isinstance(said, (*MOVES, CardTap, NextTap)):
        return _decline(table, Code.WRONG_PHASE, "The table rests: play on first.")
    return [*_moves_on(table, live, said, tap.at_s), *_obey(table, live, said, tap.at_s)]


def _moves_on(table: Situation, live: LiveGame, said: Said, at_s: MonoSeconds) -> list[Outcome]:
    """Names alone are no moves: they may be said before the scale is set up."""
    named = isinstance(said, commands.Play) and said.tray is UNSET
    if named or not isinstance(said, (*MOVES, commands.NameColour)) or not table.has_scale:
        return []
    return told_to_play_on(table, live, said, at_s)


def _obey(table: Situation, live: LiveGame, said: Said, at_s: MonoSeconds) -> list[Outcome]:
    match said:
        case CardTap():
            return _card(table, live, said, at_s)
        case commands.Play():
            return _play(table, live, said, at_s)
        case commands.Drop():
            return _drop(table, live, said, at_s)
        case commands.Deal():
            return _deal(table, live, said, at_s)
        case commands.Spill():
            return _spill(table, live, said, at_s)
        case commands.Uno() | commands.Catch():
            return _call(table, live, said, at_s)
        case commands.Undo():
            table.expected = None
            table.questions.drop(Doubt.RESET)
            return live.undo(table.now)
        case AmendTap():
            return live.amend(said, table.now)
        case AnswerTap():
            return _answer(table, live, said)
        case ForgetTap():
            live.forget_newest_name()
            return []
        case NextTap():
            return _next(table, live, at_s)
        case PauseTap():
            return _pause(table, on=said.on)
        case AsItLiesTap():
            table.trays.clear()
            return []
        case commands.Start() | ModeTap():
            raise AssertionError("obeyed before there is a game")
        case _:
            return _command(table, live, said, at_s)


def _start(table: Situation, start: commands.Start) -> list[Outcome]:
    running = table.state is not None and table.state.phase is not Phase.GAME_OVER
    if running and not start.force:
        return _decline(table, Code.GAME_RUNNING, "A game is running: finish it first.")
    begun = Game.begin(start)
    if isinstance(begun, Refusal):
        return [Declined(table.now, begun)]
    table.begin(LiveGame(begun, table.trays), start)
    return [Began(table.now, start)]


def _pause(table: Situation, *, on: bool) -> list[Outcome]:
    """A rest, or its end: the trays may have been touched meanwhile, and are right as they are."""
    if table.paused and not on:
        table.trays.clear_strays()
        table.last_card_s = table.now
    table.paused = on
    return []


def _command(
    table: Situation, live: LiveGame, command: commands.Command, at_s: MonoSeconds
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    if isinstance(command, commands.Draw) and tapped_draw(table, live, at_s):
        return []
    if isinstance(command, MOVES):
        outcomes += register_draw_before_act(table, live)
        outcomes += table.next_act(card=False)
    elif isinstance(command, commands.Reset):
        outcomes += table.questions.settle_doubt(Doubt.RESET, AS_IT_IS, table.now)
    outcomes += live.tell(command, at_s, table.now)
    if isinstance(command, MOVES):
        outcomes += keep_in_step(table, live)
    return outcomes


def _deal(
    table: Situation, live: LiveGame, deal: commands.Deal, at_s: MonoSeconds
) -> list[Outcome]:
    ended = end_as_counted(table, live) if table.has_scale else []
    outcomes = [*ended, *live.tell(deal, at_s, table.now)]
    if not any(isinstance(outcome, Declined) for outcome in outcomes):
        table.questions.clear()
        table.trays.clear()
        live.begin_round(at_s)
        table.trays.await_start_cards()
    return outcomes


def _card(table: Situation, live: LiveGame, tap: CardTap, at_s: MonoSeconds) -> list[Outcome]:
    if not table.has_scale:
        play = commands.Play(
            card=tap.card,
            player=tap.player,
            colour=UNSET if tap.colour is None else tap.colour,
        )
        return live.tell(play, at_s, table.now)
    if _is_for_the_next_card(table, live, tap):
        live.wait_for_card(tap, at_s)
        return []
    quick = table.mode is Mode.QUICK
    outcomes: list[Outcome] = []
    for card in (live.nameable(at_s) if quick else live.unnamed())[:1]:
        outcomes += table.questions.settle(card.number, "yes", table.now)
    name = live.name_quickly if quick else live.name
    outcomes += name(tap, at_s, table.now)
    return [*outcomes, *keep_in_step(table, live)]


def _is_for_the_next_card(table: Situation, live: LiveGame, tap: CardTap) -> bool:
    """In quick mode the next player may name a card while the last one still could be named."""
    unnamed = live.unnamed()
    return (
        table.mode is Mode.QUICK
        and bool(unnamed)
        and tap.player is not UNSET
        and tap.player != unnamed[0].player
        and tap.player == live.state.turn
    )


def _play(
    table: Situation, live: LiveGame, play: commands.Play, at_s: MonoSeconds
) -> list[Outcome]:
    if not table.has_scale:
        return live.tell(play, at_s, table.now)
    colour = None if play.colour is UNSET else play.colour
    name = CardTap(card=play.card, colour=colour, player=play.player)
    if play.tray is UNSET or live.unnamed():
        return _card(table, live, name, at_s)
    return _card_by_tap(table, live, Tray(play.tray), name, at_s)


def _drop(
    table: Situation, live: LiveGame, drop: commands.Drop, at_s: MonoSeconds
) -> list[Outcome]:
    state = live.state
    nothing_to_draw = state.draw_pile == 0 and state.set_aside == 0
    if not isinstance(state, TippoState) or state.tray_of_tilt is None or nothing_to_draw:
        return _command(table, live, drop, at_s)
    name = CardTap(card=drop.card)
    if live.unnamed():
        return _card(table, live, name, at_s)
    return _card_by_tap(table, live, state.tray_of_tilt, name, at_s)


def _card_by_tap(
    table: Situation, live: LiveGame, tray: Tray, name: CardTap, at_s: MonoSeconds
) -> list[Outcome]:
    """A card that a tap alone reports; where the cell works it may be reported once more."""
    live.forget_name(name.card)
    outcomes = table.next_act(card=True)
    card = CardDown(
        at_s=at_s,
        decided_s=at_s,
        tray=tray,
        name=name.card,
        colour=name.colour,
        player=name.player,
        named_at_s=at_s,
        sensed=False,
    )
    number, told = live.put_down_by_tap(card, table.now)
    if not table.blind_in(tray):
        table.expected = Expected(number, tray, at_s)
    return outcomes + told


def _spill(
    table: Situation, live: LiveGame, spill: commands.Spill, at_s: MonoSeconds
) -> list[Outcome]:
    if not table.has_scale:
        return live.tell(spill, at_s, table.now)
    if spill.by is not UNSET or spill.no_fault:
        corrected = live.correct_spill(spill, table.now)
        if corrected is not None:
            return corrected
    trays = () if spill.trays is UNSET else tuple(Tray(tray) for tray in spill.trays)
    # A fall that the cells could not see: what is put back before people say so is nobody's play.
    seen = table.unseen_tip_s == NEVER
    return live.spill(
        Spilled(
            at_s=at_s if seen else table.unseen_tip_s,
            decided_s=at_s,
            trays=trays,
            by=spill.by,
            no_fault=spill.no_fault,
            sensed=False,
        ),
        table.now,
    )


def _call(
    table: Situation, live: LiveGame, call: commands.Uno | commands.Catch, at_s: MonoSeconds
) -> list[Outcome]:
    """A call or a catch; within `grace_seconds` it still counts after the next player acted."""
    grace_s = table.option("grace_seconds", 0)
    closed_by = live.uno_closed_by(call.player, MonoSeconds(at_s - grace_s)) if grace_s else None
    before = closed_by or live.spill_begun_after(at_s)
    if before is not None:
        return live.tell_before(before, call, at_s, table.now)
    return live.tell(call, at_s, table.now)


def _next(table: Situation, live: LiveGame, at_s: MonoSeconds) -> list[Outcome]:
    if table.has_scale or table.mode is not Mode.QUICK:
        return _decline(
            table,
            Code.WRONG_PHASE,
            '"Next" is for quick refereeing without a scale: here the cards themselves pass the '
            "turn.",
        )
    passes = live.state.phase is Phase.DRAWN
    return live.tell(commands.Pass() if passes else commands.Play(card="?"), at_s, table.now)


def _answer(table: Situation, live: LiveGame, tap: AnswerTap) -> list[Outcome]:
    asked = table.questions.take(tap.question, tap.answer)
    if asked is None:
        return _decline(table, Code.BAD_INPUT, "That question is not open any more.")
    outcomes: list[Outcome] = [Answered(table.now, asked.question, tap.answer)]
    match asked.question.doubt:
        case Doubt.NEW_OR_PUT_BACK:
            if tap.answer == NEW_CARD and asked.placed is not None:
                outcomes += put_down(table, live, asked.placed)
        case Doubt.CARD_OR_HAND | Doubt.FELL_OUT:
            if tap.answer == NO:
                outcomes += live.withdraw(asked.question.act, table.now)
        case Doubt.RESET:
            if tap.answer == AS_IT_IS and live.state.phase is Phase.SPILLED:
                outcomes += live.tell(commands.Reset(), table.now, table.now)
        case Doubt.TIPPED_BY_IT:
            outcomes += answer_about_tip(table, live, asked.question.act, tap.answer)
        case Doubt.WHO_TIPPED:
            outcomes += answer_who_tipped(table, live, tap.answer)
        case Doubt.UNSEEN:
            outcomes += answer_where_it_is(table, live, asked.question.act, tap.answer)
    return outcomes


def _decline(table: Situation, code: Code, message: str) -> list[Outcome]:
    return [Declined(table.now, Refusal(code, message))]
