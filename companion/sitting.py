"""Sits people down: from what the command line and the settings say to an evening at a board.

It names the boards, so that the evening need not; it never plays.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rich.console import Console

from companion.boards import NoScale, RealStand, SimulatedStand, chosen_board
from companion.clock import Clock, ContinuedClock, PacedClock, SystemClock
from companion.config import LARGEST, SMALLEST, Places, Settings, load_settings, places
from companion.connected import Devices
from companion.errors import BadInput, DamagedJournal, JournalError, Refused
from companion.evening import Evening, Stand, spend
from companion.games.commands import Start
from companion.journal.journal import Board, Journal, Unfinished
from companion.journal.schema import set_aside
from companion.table.taps import Mode, Tap, decode_tap_fields
from companion.units import MonoSeconds
from companion.watchdog import machine_clock

Planned = TypeVar("Planned")

_FORGOTTEN = (
    "the cards that a person held on the simulated scale are gone: start a new game with --new"
)

_ANOTHER_JOURNAL = "The journal was damaged: it is kept aside, and a new one has begun."

_GAME = "game"
"""The field that the plan of a table without a scale has, and that of a scale has not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The options of `tippo play` and `tippo record`."""

    board: str | None = None
    people: int = 0
    persons: tuple[str, ...] = ()
    speed: float = 1.0
    seed: int = 1
    sps: str = "80"
    rounds: int = 0
    game: str | None = None
    mode: str | None = None
    display: bool | None = None
    size: str | None = None
    fullscreen: bool = False
    journal: Path | None = None
    settings: Path | None = None
    resume: bool | None = None
    recording: Path | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """The board and what it brings with it."""

    clock: Clock
    stand: Stand
    opening: tuple[Tap, ...] = ()


def play_evening(choices: Choices, console: Console | None = None) -> None:
    """Runs a whole evening, until people end it.

    Raises:
        BadInput: a choice or a setting that cannot be.
        Refused: a board, calibration or journal that cannot be used now.
    """
    settings = load_settings(choices.settings)
    where = places(settings, choices.settings)
    board = chosen_board(choices.board, settings, where)
    console = console or Console()
    simulated = board == "sim"
    opened, unfinished, news = _journal(choices, where, console, simulated=simulated)
    with opened as journal:
        resume = _resumes(choices, board, unfinished)
        seated = _seat(board, choices, settings, where, unfinished, resume=resume)
        evening = Evening(
            mode=Mode(choices.mode or settings.table.mode),
            opening=seated.opening or _named_game(choices, settings),
            headless=None if choices.display is None else not choices.display,
            size=_size(choices.size) or settings.display.size,
            fullscreen=choices.fullscreen or settings.display.fullscreen,
            turn=settings.display.turn,
            dim_after_s=settings.display.dim_after,
            dark_after_s=settings.display.dark_after,
            known_names=_known_names(settings, journal, simulated=simulated),
            resume=resume,
            news=news,
            recording=choices.recording,
        )
        spend(evening, seated.clock, seated.stand, journal, console)


def _journal(
    choices: Choices, where: Places, console: Console, *, simulated: bool
) -> tuple[Journal, Unfinished | None, str]:
    """The journal, its unfinished game, and what people should know of it; one that is damaged is
    set aside, unless people named it.

    A machine that starts by itself has nobody who could name another.
    """
    path = choices.journal or where.journal
    try:
        return *_read(path, simulated=simulated), ""
    except DamagedJournal:
        if choices.journal is not None:
            raise
    kept_as = set_aside(path, SystemClock().wall())
    console.print(
        f"The journal {path} is damaged: it is kept as {kept_as.name}, and a new one begins.",
        markup=False,
    )
    return Journal.open(path), None, _ANOTHER_JOURNAL


def _read(path: Path, *, simulated: bool) -> tuple[Journal, Unfinished | None]:
    journal = Journal.open(path)
    try:
        return journal, journal.unfinished(simulated=simulated)
    except JournalError:
        journal.close()
        raise


def _known_names(settings: Settings, journal: Journal, *, simulated: bool) -> tuple[str, ...]:
    """Those of the settings, then who has played; names that cannot be read keep nobody waiting."""
    played: tuple[str, ...] = ()
    with suppress(JournalError):
        played = journal.names(simulated=simulated)
    return tuple(dict.fromkeys((*settings.table.players, *played)))


def _resumes(choices: Choices, board: str, unfinished: Unfinished | None) -> bool:
    """Whether to go on at once; on a display people are otherwise asked."""
    if choices.recording is not None:
        if choices.resume:
            raise BadInput(
                "a recording begins with its game: leave out --resume, and play that one without "
                "recording it"
            )
        return False
    if choices.resume and unfinished is None:
        raise Refused("there is no unfinished game to go on with: start one with --new")
    if choices.resume is None:
        return unfinished is not None and board != "sim" and choices.display is False
    return choices.resume


def _seat(
    board: str,
    choices: Choices,
    settings: Settings,
    where: Places,
    unfinished: Unfinished | None,
    *,
    resume: bool,
) -> Seated:
    going_on = unfinished if resume else None
    match board:
        case "sim" if _without_scale(choices, settings, going_on):
            return _at_cards(choices, settings, going_on)
        case "sim":
            return _simulated(choices, settings, where, going_on)
        case "none":
            return Seated(_clock(unfinished), NoScale())
        case _:
            clock = _clock(unfinished)
            return Seated(clock, RealStand(board, settings, where, clock))


def _clock(unfinished: Unfinished | None) -> Clock:
    """The machine's clock; where people may go on with a game, its time goes on too."""
    machine = machine_clock()
    return machine if unfinished is None else ContinuedClock(unfinished.last_s, machine)


def _simulated(
    choices: Choices, settings: Settings, where: Places, going_on: Unfinished | None
) -> Seated:
    from sim.board import SimulatedTable

    plan = _plan(choices, settings) if going_on is None else _plan_again(going_on)
    clock = PacedClock(choices.speed)
    table = SimulatedTable(plan, clock)
    table.scale.open()
    person = plan.simulated != plan.players or not plan.simulated
    devices = Devices(
        scale=table.scale,
        company=table,
        board=Board(table.scale.description, simulated=True, plan=_plan_fields(plan)),
        person_at_sim=person,
    )
    opening = tuple(decode_tap_fields(fields) for fields in table.opening)
    return Seated(clock, SimulatedStand(table, devices, where, clock), opening)


def _without_scale(choices: Choices, settings: Settings, going_on: Unfinished | None) -> bool:
    """Whether simulated people play a game that needs no scale."""
    if going_on is not None:
        return going_on.game != "tippo"
    return choices.people > 0 and (choices.game or settings.table.game) != "tippo"


def _at_cards(choices: Choices, settings: Settings, going_on: Unfinished | None) -> Seated:
    from sim.card_table import CardPlan, CardTable

    if going_on is not None and _GAME not in going_on.plan:
        # Nobody was simulated at that table: its people hold their cards themselves.
        board = Board("no scale", simulated=True, plan=going_on.plan)
        return Seated(_clock(going_on), NoScale(Devices(board=board)))
    if going_on is not None:
        plan = _planned(going_on, CardPlan)
    else:
        players = _names(choices)
        plan = CardPlan(
            game=choices.game or settings.table.game,
            seed=choices.seed,
            players=players,
            people=_simulated_of(players, choices),
            rounds=choices.rounds or None,
            options=dict(settings.table.options),
        )
    clock = PacedClock(choices.speed)
    table = CardTable(plan, clock)
    description = f"simulated people, seed {plan.seed}"
    devices = Devices(
        company=table,
        board=Board(description, simulated=True, plan=_plan_fields(plan)),
        person_at_sim=plan.simulated != plan.players,
    )
    return Seated(clock, NoScale(devices), tuple(map(decode_tap_fields, table.opening)))


def _simulated_of(players: tuple[str, ...], choices: Choices) -> tuple[str, ...]:
    return tuple(name for name in players if name not in choices.persons)


def _names(choices: Choices) -> tuple[str, ...]:
    """Who sits there: persons first, then as many simulated people as asked for."""
    from sim.party import NAMES

    for name in choices.persons:
        if not name.strip() or not name.isprintable():
            raise BadInput(f"--with {name!a} is no name that can be shown: spell it otherwise")
    people = tuple(name for name in NAMES if name not in choices.persons)[: choices.people]
    players = (*choices.persons, *people)
    if len(players) > 10 or len(set(players)) < len(players):
        raise BadInput("at most ten people sit at a table, each with a name of their own")
    if people and len(players) < 2:
        raise BadInput("a game needs two people: --people 2, or --people 1 --with YOUR_NAME")
    return players


def _plan(choices: Choices, settings: Settings) -> Any:
    from sim.party import NAMES, Plan

    players = _names(choices)
    return Plan(
        seed=choices.seed,
        players=players or NAMES[:2],
        people=_simulated_of(players, choices),
        sps=int(choices.sps),
        mode=choices.mode or settings.table.mode,
        rounds=choices.rounds or None,
        options=dict(settings.table.options),
    )


def _plan_fields(plan: Any) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(plan)
    return fields


def _plan_again(going_on: Unfinished) -> Any:
    from sim.party import Plan

    plan = _planned(going_on, Plan)
    person = plan.simulated != plan.players
    if (person and going_on.holding is None) or _GAME in going_on.plan:
        raise Refused(_FORGOTTEN)
    return plan


def _planned(going_on: Unfinished, kind: type[Planned]) -> Planned:
    """The plan of a simulated table as the journal keeps it."""
    try:
        return msgspec.convert(going_on.plan, kind)
    except msgspec.ValidationError:
        raise Refused(
            "the interrupted game was played at a simulated table of another version: start a new "
            "game with --new"
        ) from None


def _named_game(choices: Choices, settings: Settings) -> tuple[Tap, ...]:
    """A game asked for by name, when it is known who plays; else people say so on the display."""
    if choices.game is None or len(settings.table.players) < 2:
        return ()
    start = Start(
        game=choices.game,
        players=settings.table.players,
        options=dict(settings.table.options) or msgspec.UNSET,
    )
    return (Tap(MonoSeconds(0.0), start),)


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise BadInput(f"--size is for example 1024x600, not {text!r}")
    # Python reads no number of thousands of digits; nine are too many for a window already.
    size = int(width[:9]), int(height[:9])
    if any(not least <= side <= LARGEST for least, side in zip(SMALLEST, size, strict=True)):
        least = "x".join(map(str, SMALLEST))
        raise BadInput(f"--size must be between {least} and {LARGEST}x{LARGEST}, not {text}")
    return size
