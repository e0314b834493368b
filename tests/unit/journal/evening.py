"""A short hand-made evening for the journal's tests: inputs in order, none of them random."""

from collections.abc import Iterator

from companion.events import Level, Placed, Spill
from companion.games.commands import Deal, Draw, Pass, Start
from companion.journal.history import GameHistory, History
from companion.journal.journal import Board, Journal
from companion.table.inputs import Counted, Heard, Input, Passed
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import AmendTap, CardTap, Tap
from companion.units import DeviceSeconds, Grams, MonoSeconds, Tray, WallUtc

PLAYERS = ("Ann", "Ben", "Cleo")
BOARD = Board("bench", plan={"seed": 7})
WALL = WallUtc("2024-05-01T18:00:00.000+00:00")


def at(seconds: float) -> MonoSeconds:
    return MonoSeconds(seconds)


def placed(seconds: float, tray: Tray) -> Heard:
    """A card that came down at `seconds` and was decided half a second later."""
    return Heard(
        Placed(
            began_s=at(seconds),
            decided_s=at(seconds + 0.5),
            tray=tray,
            count=1,
            grams=Grams(1.8),
            sure=True,
            reasons=("left rests +1.80 g from before",),
        )
    )


def inputs() -> Iterator[Input]:
    """Plays with and without a name, a spill in between, an amendment, an undo."""
    yield Counted(at(0.0), 1, 1)
    yield Tap(at(0.1), Start(game="tippo", players=PLAYERS))
    yield Tap(at(0.2), Deal(left="R5", right="G3"))
    yield Tap(at(1.0), CardTap(card="R7"))
    yield placed(1.5, Tray.LEFT)
    yield placed(5.0, Tray.LEFT)
    yield Heard(Spill(began_s=at(6.0), decided_s=at(6.2), trays=(Tray.LEFT,), lost={Tray.LEFT: 3}))
    yield Tap(at(7.0), CardTap(card="R9"))
    yield Heard(Level(began_s=at(8.0), decided_s=at(9.0), left=2, right=1))
    yield Tap(at(10.0), AmendTap(act=2, card="R2"))
    yield Tap(at(11.0), Draw())
    yield Tap(at(12.0), Pass())
    yield placed(14.0, Tray.RIGHT)
    yield Passed(at(20.0), 3.0)


def write(journal: Journal, table: Table, given: Input) -> Step:
    """Feeds one input and makes it durable, as the loop does."""
    step = Step(given, tuple(table.feed(given)), DeviceSeconds(1000.0))
    journal.write([step], table.entries, wall=WALL, board=BOARD, prelude=table.prelude)
    return step


def told(table: Table) -> object:
    """Everything that can be seen of a table, to compare two of them."""
    state = table.state
    return (
        None if state is None else state.as_json(),
        table.awaited,
        table.deeds,
        table.counts,
        table.strays,
        table.questions,
        table.mode,
        table.last_spill,
        table.faults,
        table.tipping,
    )


def play(journal: Journal) -> Table:
    """The whole evening, made durable step by step."""
    table = Table()
    for given in inputs():
        write(journal, table, given)
    return table


def resumed(journal: Journal) -> Table:
    """The table of the newest game that is unfinished, from its inputs."""
    unfinished = journal.unfinished(simulated=False)
    assert unfinished is not None
    table = Table()
    for given in journal.inputs(unfinished.number):
        table.feed(given)
    return table


def first_game(journal: Journal) -> GameHistory:
    """What the history tells of the journal's first game."""
    with History(journal.path) as history:
        return history.game(1)


def play_on(journal: Journal, table: Table, times: int) -> None:
    """What comes after the deal once more, `times` over."""
    for one in list(inputs())[4:] * times:
        write(journal, table, one)
