"""Tells a game in the terminal where there is no display: plays, spills, rounds, one progress line.

It never decides anything and takes no taps.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from companion.display.surroundings import Surroundings
from companion.display.wishes import AppWish
from companion.display.words import a_card, card_of, cards, counted_points, fault
from companion.events import FaultKind, Sensor
from companion.games import rulings
from companion.games.cards import Colour
from companion.games.rulings import Ruling
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

TARGET = 500
"""U21: the progress line counts up to this, unless the table agreed on another target."""


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
        self._faults: dict[Sensor, FaultKind] = {}
        self._ended = False

    @property
    def closed(self) -> bool:
        return self._ended

    def open(self) -> None:
        """Begins the progress line."""
        self._task = self._progress.add_task("waiting for a game", total=TARGET, leader="")
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
        """Moves the progress line on."""
        for sensor, kind in table.faults.items():
            if sensor not in self._faults:
                self.say(fault(sensor, kind), "yellow")
        self._faults = dict(table.faults)
        state = table.state
        if state is None or self._task is None:
            return None
        best = max(state.scores.values(), default=0)
        leader = next((name for name, score in state.scores.items() if score == best), "")
        options = table.start.options if table.start else None
        target = options.get("target", TARGET) if isinstance(options, dict) else TARGET
        minutes, seconds = divmod(int(max(0.0, around.now_s)), 60)
        self._progress.update(
            self._task,
            completed=best,
            total=float(target),
            description=f"{minutes}:{seconds:02d}  round {state.round}, {self._plays} plays",
            leader=f"{leader} leads with {best} of {target}" if best else "",
        )
        return None

    def said(self) -> Sequence[Said | AppWish]:
        return ()

    # --- wordings -----------------------------------------------------------------------------

    def _hear(self, outcome: Outcome, table: Table) -> None:
        match outcome:
            case Began():
                self.say(f"{', '.join(outcome.start.players)} sit down.", "bold")
            case Ruled():
                self._plays += isinstance(outcome.ruling, rulings.Played)
                text, style = sentence(outcome.ruling)
                if text:
                    self.say(f"{'Corrected: ' if outcome.amended else ''}{text}", style)
                if isinstance(outcome.ruling, rulings.RoundOver):
                    self._console.rule(f"end of round {table.state.round if table.state else ''}")
                if isinstance(outcome.ruling, rulings.GameOver):
                    self._ended = True
            case Declined():
                self.say(outcome.refusal.message, "yellow")
            case Noticed():
                self.say(outcome.text, "yellow")
            case Asked():
                answers = " / ".join(outcome.question.answers)
                self.say(f"{outcome.question.text} ({answers})", "magenta")
            case Answered():
                self.say(f"{outcome.question.text} {outcome.answer}.", "magenta")


def sentence(ruling: Ruling) -> tuple[str, str]:
    """A ruling in words with its style; empty for what goes without saying."""
    match ruling:
        case rulings.Played():
            where = f" in the {ruling.tray} tray" if ruling.tray else ""
            return f"{ruling.player} plays {a_card(card_of(ruling.card))}{where}.", ""
        case rulings.Drawn():
            return f"{ruling.player} draws {cards(ruling.count)}.", "dim"
        case rulings.Draw():
            return f"{ruling.player} must draw {cards(ruling.count)}.", ""
        case rulings.TurnLost():
            return f"{ruling.player} loses the turn.", "dim"
        case rulings.Direction():
            return f"Play goes to the {'left' if ruling.direction == 1 else 'right'}.", "dim"
        case rulings.ColourChosen():
            return f"The colour is {Colour(ruling.colour).word}.", "dim"
        case rulings.TrayStatus():
            return f"The {ruling.tray} tray is {'open' if ruling.open else 'stopped'}.", "dim"
        case rulings.Uno():
            return f"{ruling.player}: UNO!", "bold cyan"
        case rulings.UnoCaught():
            return f"{ruling.player} did not say UNO and is caught.", "bold cyan"
        case _:
            return _event(ruling)


def _event(ruling: Ruling) -> tuple[str, str]:
    match ruling:
        case rulings.Spill():
            whose = f"{ruling.by} was last to act" if ruling.by else "nobody pays"
            return f"SPILL! {whose}{_rule(ruling)}.", "bold red"
        case rulings.Penalty():
            return f"{ruling.player} draws {cards(ruling.count)} as a penalty.", "red"
        case rulings.Reset():
            left, right = (", ".join(side) or "nothing" for side in (ruling.left, ruling.right))
            return f"Put back {left} on the left and {right} on the right.", ""
        case rulings.Tilt():
            return f"Tilt! {', '.join(ruling.order)} drop cards until the scale tips.", "bold"
        case rulings.TiltOver():
            return (f"{ruling.by} has tipped it." if ruling.by else "The challenge is over."), ""
        case rulings.GoingOut():
            return f"{ruling.player} has no cards left; will the scale hold?", "bold"
        case rulings.RoundOver():
            return f"{ruling.player or 'Nobody'} is out.", "bold green"
        case rulings.Scored():
            points = counted_points(ruling.points)
            return f"{ruling.player} gets {points}, {ruling.total} in all.", "green"
        case rulings.GameOver():
            return _winner(ruling), "bold green"
        case _:
            return "", ""


def _winner(over: rulings.GameOver) -> str:
    scores = ", ".join(f"{name} {score}" for name, score in over.scores.items())
    if over.winner is None:
        names = " and ".join(over.tied or ())
        return f"{names} share first place. Scores: {scores}."
    return f"{over.winner} wins the game! Scores: {scores}."


def _rule(ruling: Ruling) -> str:
    return f" ({ruling.rule})" if ruling.rule else ""
