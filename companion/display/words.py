"""How people say things: cards, plays, faults, points; the display's own small wordings.

It never decides anything.
"""

from companion.events import FaultKind, Sensor
from companion.games import commands
from companion.games.cards import UNKNOWN, Card, parse
from companion.games.commands import Command
from companion.units import Tray

GAMES = {
    "tippo": ("Tippo", "on the scale"),
    "classic": ("Classic", "match and shout"),
    "battle": ("Battle", "steal and fight back"),
    "rummy_up": ("Rummy Up", "runs and sets"),
}
"""Of each game: its name, and what it is in three words."""


def card_of(text: str) -> Card:
    """The card of a text form, the unnamed one if it is none."""
    try:
        return parse(text)
    except ValueError:
        return UNKNOWN


def a_card(card: Card) -> str:
    """ "the red 3", "the Wild", "a card"."""
    return "a card" if card == UNKNOWN else card.spoken


def did(command: Command) -> str:
    """What somebody did: "played the red 3", "drew a card"."""
    match command:
        case commands.Play():
            return f"played {a_card(card_of(command.card))}"
        case commands.Drop():
            return f"dropped {a_card(card_of(command.card))}"
        case commands.Draw():
            return "drew a card"
        case commands.Pass():
            return "passed"
        case commands.Uno():
            return "said UNO"
        case _:
            return ""


def cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def counted_points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def plainly(message: str, rule: str | None) -> str:
    """A refusal for the display: its rule has a place of its own, and nobody typed a command."""
    text = message.replace(f" ({rule}).", ".") if rule else message
    if text.startswith("`") and ": " in text:
        text = text.split(": ", 1)[1]
    return text[:1].upper() + text[1:]


_SEEN = {
    FaultKind.SILENT: "says nothing",
    FaultKind.STUCK: "is stuck",
    FaultKind.SATURATED: "reads past its end",
    FaultKind.NOISY: "is restless",
    FaultKind.DESYNC: "sends nonsense",
}


def fault(sensor: Sensor, kind: FaultKind) -> str:
    """What is wrong with a sensor and what to do meanwhile."""
    match sensor:
        case Sensor.TILT:
            return f"The tilt switch {_SEEN[kind]}: check its wire. The cells still see a spill."
        case Sensor.DECK:
            return f"The cell under the draw pile {_SEEN[kind]}: check its plug, tap DRAW."
        case _:
            side = Tray(sensor.value)
            return f"The {side} cell {_SEEN[kind]}: check its plug, tap the {side} tray meanwhile."
