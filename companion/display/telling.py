"""A game told in sentences, one for each ruling: for the terminal and for the history.

It never decides anything, and says nothing about what goes without saying.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import UNSET

from companion.display.words import a_card, all_of, card_of, counted, counted_points, plainly, tile
from companion.games import rulings
from companion.games.cards import Colour
from companion.games.commands import Command, Deal, Meld
from companion.games.rulings import Ruling


class Line(NamedTuple):
    """A sentence, and how it is to stand out (a style of rich)."""

    text: str
    style: str = ""


class Teller:
    """Tells one game; it remembers whose turn it is and which melds lie on the board."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._turn: str | None = None
        self._tiles: Counter[str] = Counter()

    def ruled(self, ruling: Ruling) -> Line | None:
        """What a ruling says to people; None if they see it anyway."""
        if isinstance(ruling, rulings.Turn):
            self._turn = ruling.player
        elif isinstance(ruling, rulings.Dealt):
            self._tiles = Counter()
        told = _SENTENCES.get(type(ruling))
        return None if told is None else Line(told.sentence(ruling, self._game), told.style)

    def told(self, command: Command) -> Line | None:
        """What a command says that none of its rulings does: the cards of a deal, or the tiles of
        a meld that are new on the board."""
        match command:
            case Deal():
                return _dealt(command, self._game)
            case Meld():
                return self._melded(command.table)
            case _:
                return None

    def _melded(self, table: Sequence[Sequence[str]]) -> Line | None:
        lying = Counter("W" if text.startswith("W") else text for meld in table for text in meld)
        laid, self._tiles = lying - self._tiles, lying
        if self._turn is None or not laid:
            return None
        return Line(f"{self._turn} lays {all_of([tile(text) for text in laid.elements()])}.")


def _dealt(deal: Deal, game: str) -> Line | None:
    if deal.table is not UNSET:
        return Line(f"Turned up: {all_of([tile(text) for text in deal.table])}.")
    places = ((deal.left, " on the left"), (deal.right, " on the right"), (deal.top, ""))
    lying = [f"{a_card(card_of(text), game)}{where}" for text, where in places if text is not UNSET]
    return Line(f"Turned up: {all_of(lying)}.") if lying else None


class _Told(NamedTuple):
    style: str
    sentence: Callable[[Any, str], str]


def _played(ruling: rulings.Played, game: str) -> str:
    where = f" in the {ruling.tray} tray" if ruling.tray else ""
    return f"{ruling.player} plays {a_card(card_of(ruling.card), game)}{where}."


def _spill(ruling: rulings.Spill, _game: str) -> str:
    whose = f"{ruling.by} was last to act" if ruling.by else "nobody pays"
    return f"SPILL! {whose}{f' ({ruling.rule})' if ruling.rule else ''}."


def _reset(ruling: rulings.Reset, _game: str) -> str:
    left, right = (", ".join(side) or "nothing" for side in (ruling.left, ruling.right))
    return f"Put back {left} on the left and {right} on the right."


def _battle(ruling: rulings.Battle, game: str) -> str:
    return (
        f"The battle stands at {counted(ruling.total, game)}." if ruling.total else "Battle over."
    )


def _tie_break(ruling: rulings.TieBreak, _game: str) -> str:
    how = "rock, paper, scissors" if ruling.by == "rps" else "rounds of their own"
    return f"{all_of(ruling.players)} are tied: {how} will decide."


def _winner(over: rulings.GameOver, _game: str) -> str:
    scores = ", ".join(f"{name} {score}" for name, score in over.scores.items())
    tied = all_of(over.tied or ())
    if over.winner is None and not over.shared:
        return f"{tied} are tied for first place. Scores: {scores}."
    if over.winner is None:
        return f"{tied} share first place. Scores: {scores}."
    if over.tied:
        return f"{over.winner} has won; {tied} play for last place. Scores: {scores}."
    return f"{over.winner} wins the game! Scores: {scores}."


_SENTENCES: Mapping[type, _Told] = MappingProxyType(
    {
        rulings.Spill: _Told("bold red", _spill),
        rulings.Left: _Told("bold", lambda r, _: f"{r.player} goes home."),
        rulings.Joined: _Told("bold", lambda r, _: f"{r.player} sits down."),
        rulings.StealUndone: _Told("bold", lambda r, _: f"{r.player} takes the stolen card back."),
        rulings.Played: _Told("", _played),
        rulings.Steal: _Told("bold", lambda r, _: f"A steal, with the same card as {r.victim}!"),
        rulings.Refused: _Told("yellow", lambda r, _: plainly(r.message, r.rule)),
        rulings.ColourChosen: _Told("dim", lambda r, _: f"The colour is {Colour(r.colour).word}."),
        rulings.Uno: _Told("bold cyan", lambda r, _: f"{r.player}: UNO!"),
        rulings.UnoCaught: _Told(
            "bold cyan", lambda r, _: f"{r.player} did not say UNO and is caught."
        ),
        rulings.Penalty: _Told(
            "red", lambda r, game: f"{r.player} draws {counted(r.count, game)} as a penalty."
        ),
        rulings.Tilt: _Told(
            "bold", lambda r, _: f"Tilt! {', '.join(r.order)} drop cards until the scale tips."
        ),
        rulings.TiltOver: _Told(
            "bold", lambda r, _: f"{r.by} has tipped it." if r.by else "The challenge is over."
        ),
        rulings.Direction: _Told(
            "dim", lambda r, _: f"Play goes to the {'left' if r.direction == 1 else 'right'}."
        ),
        rulings.Reshuffle: _Told("dim", lambda r, _: f"{r.count} cards are shuffled again."),
        rulings.Drawn: _Told("dim", lambda r, game: f"{r.player} draws {counted(r.count, game)}."),
        rulings.Draw: _Told("", lambda r, game: f"{r.player} must draw {counted(r.count, game)}."),
        rulings.Battle: _Told("bold", _battle),
        rulings.TurnLost: _Told("dim", lambda r, _: f"{r.player} loses the turn."),
        rulings.TrayStatus: _Told(
            "dim", lambda r, _: f"The {r.tray} tray is {'open' if r.open else 'stopped'}."
        ),
        rulings.Reset: _Told("", _reset),
        rulings.GoingOut: _Told(
            "bold", lambda r, _: f"{r.player} has no cards left; will the scale hold?"
        ),
        rulings.RoundOver: _Told("bold green", lambda r, _: f"{r.player or 'Nobody'} is out."),
        rulings.Scored: _Told(
            "green",
            lambda r, _: f"{r.player} gets {counted_points(r.points)}, {r.total} in all.",
        ),
        rulings.GameOver: _Told("bold green", _winner),
        rulings.SuddenDeath: _Told("bold red", lambda r, _: f"Sudden death: {all_of(r.players)}!"),
        rulings.TieBreak: _Told("bold", _tie_break),
    }
)
"""What is told of each kind of ruling; what is not here goes without saying."""
