"""Tells a game in the terminal where there is no display: plays, spills, rounds, one progress line.

It never decides anything and takes no taps.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from companion.display.surroundings import Surroundings
from companion.display.telling import Line, Teller
from companion.display.wishes import AppWish
from companion.display.words import fault, plainly
from companion.events import FaultKind, Sensor
from companion.games import commands, rulings
from companion.games.referee import Phase, State
from companion.table.outcomes import (
    Answered,
    Asked,
    Began,
    Declined,
    Noticed,
    Outcome,
    Ruled,
)
from companion.table.table import Table
from companion.table.taps import Said


class Narrator:
    """A terminal. Closed when the game is over or `close` was called."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[leader]}"),
            console=console,
            transient=True,
        )
        self._task: TaskID | None = None
        self._plays = 0
        self._teller = Teller("")
        self._act: int | None = None
        """The act of which was told last."""
        self._faults: dict[Sensor, FaultKind] = {}
        self._trouble = ""
        self._ended = False

    @property
    def closed(self) -> bool:
        return self._ended

    def open(self) -> None:
        """Begins the progress line."""
        self._task = self._progress.add_task("waiting for a game", total=None, leader="")
        self._progress.start()

    def close(self) -> None:
        """Ends the progress line; may be called twice."""
        self._progress.stop()

    def say(self, text: str, style: str = "") -> None:
        """A line of its own."""
        self._console.print(Text(text, style=style))

    def hear(self, outcomes: Sequence[Outcome], table: Table) -> None:
        for outcome in outcomes:
            self._hear(outcome, table)

    def show(self, table: Table, around: Surroundings) -> object:
        """Moves the progress line on; what keeps the companion from going on is said once."""
        if around.trouble != self._trouble:
            self._trouble = around.trouble
            self.say(around.trouble or "The journal can be written again.", "yellow")
        for sensor, kind in table.faults.items():
            if sensor not in self._faults:
                self.say(fault(sensor, kind), "yellow")
        self._faults = dict(table.faults)
        state = table.state
        if state is None or self._task is None:
            return None
        minutes, seconds = divmod(int(max(0.0, around.now_s)), 60)
        self._progress.update(
            self._task,
            completed=max(state.scores.values(), default=0),
            total=float(state.target),
            description=f"{minutes}:{seconds:02d}  round {state.round}, {self._plays} plays",
            leader=_leader(state),
        )
        return None

    def said(self) -> Sequence[Said | AppWish]:
        return ()

    # --- wordings -----------------------------------------------------------------------------

    def _hear(self, outcome: Outcome, table: Table) -> None:
        match outcome:
            case Began():
                self._teller = Teller(outcome.start.game)
                self.say(f"{', '.join(outcome.start.players)} sit down.", "bold")
            case Ruled():
                self._ruled(outcome, table)
            case Declined():
                refusal = outcome.refusal
                rule = f" ({refusal.rule})" if refusal.rule else ""
                self.say(f"{plainly(refusal.message, refusal.rule)}{rule}", "yellow")
            case Noticed():
                self.say(outcome.text, "yellow")
            case Asked():
                answers = " / ".join(outcome.question.answers)
                self.say(f"{outcome.question.text} ({answers})", "magenta")
            case Answered():
                self.say(f"{outcome.question.text} {outcome.answer}.", "magenta")

    def _ruled(self, ruled: Ruled, table: Table) -> None:
        if ruled.act != self._act:
            self._act = ruled.act
            entry = next((e for e in reversed(table.entries) if e.number == ruled.act), None)
            if entry is not None:
                self._plays += isinstance(entry.command, commands.Meld)
                self._tell(self._teller.told(entry.command))
        self._plays += isinstance(ruled.ruling, rulings.Played)
        self._tell(self._teller.ruled(ruled.ruling), "Corrected: " if ruled.amended else "")
        if isinstance(ruled.ruling, rulings.RoundOver):
            self._console.rule(f"end of round {table.state.round if table.state else ''}")
        if isinstance(ruled.ruling, rulings.GameOver):
            self._ended = table.state is not None and table.state.phase is Phase.GAME_OVER

    def _tell(self, line: Line | None, before: str = "") -> None:
        if line is not None:
            self.say(f"{before}{line.text}", line.style)


def _leader(state: State) -> str:
    """Who leads, and how near the end is: where low wins, by the highest score."""
    highest = max(state.scores.values(), default=0)
    if not highest:
        return ""
    leader = (min if state.low_wins else max)(state.scores, key=lambda name: state.scores[name])
    of = f", {highest} of" if state.low_wins else " of"
    return f"{leader} leads with {state.scores[leader]}{of} {state.target}"
