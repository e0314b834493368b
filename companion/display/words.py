"""How people say things: cards, plays, faults, points; the display's own small wordings.

It never decides anything.
"""

from collections.abc import Iterable, Iterator, Sequence

from companion.events import FaultKind, Sensor
from companion.games import commands, rulings
from companion.games.battle.names import spoken as battle_name
from companion.games.battle.state import Tie
from companion.games.cards import UNKNOWN, Card, Colour, parse
from companion.games.commands import Command
from companion.games.rulings import Ruling
from companion.table.timeline import Entry
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


def a_card(card: Card, game: str = "") -> str:
    """ "the red 3", "the Wild", "a card"; by the name that the game has for it."""
    if card == UNKNOWN:
        return "a card"
    return battle_name(card) if game == "battle" else card.spoken


def did(command: Command, game: str = "") -> str:
    """What somebody did: "played the red 3", "drew a card", "drew a tile"."""
    match command:
        case commands.Play():
            return f"played {a_card(card_of(command.card), game)}"
        case commands.Drop():
            return f"dropped {a_card(card_of(command.card))}"
        case commands.Draw():
            return f"drew a {thing(game)}"
        case commands.Meld():
            return "laid tiles"
        case commands.Pass():
            return "passed"
        case commands.Uno():
            return "said UNO"
        case _:
            return ""


def consequences(made: Iterable[Ruling], game: str) -> Iterator[str]:
    """What an act brought to others, one short sentence each: "Ben draws 2 cards."."""
    for ruling in made:
        match ruling:
            case rulings.Steal():
                yield "A steal!"
            case rulings.Draw() | rulings.Penalty() if ruling.count:
                yield f"{ruling.player} draws {counted(ruling.count, game)}."
            case rulings.TurnLost(reason="skip" | "reverse"):
                yield f"{ruling.player} is skipped."
            case rulings.Direction():
                yield f"Play goes to the {'left' if ruling.direction == 1 else 'right'} now."
            case _:
                pass


def played_off(tie: Tie) -> str:
    """Who plays on for what (H27)."""
    how = "Sudden death" if tie.kind == "sudden_death" else "A play-off"
    return f"{how} for {tie.place} place: {all_of(tie.players)}."


def last_thing(entries: Sequence[Entry]) -> str:
    """What an undo takes back: "played the red 3", "the deal"."""
    newest = entries[-1].command
    return did(newest) or _THINGS.get(type(newest), "the last command")


_THINGS: dict[type[Command], str] = {
    commands.Deal: "the deal",
    commands.Spill: "the spill",
    commands.Reset: "the reset of the scale",
    commands.NameColour: "the colour",
    commands.Catch: "the catch",
    commands.Settled: "the end of the round",
    commands.Hands: "the count of the hands",
    commands.Correct: "the correction",
    commands.Leave: "that somebody left",
    commands.Join: "that somebody joined",
    commands.Meld: "the meld",
    commands.Accept: "that it was accepted",
    commands.Challenge: "the challenge",
    commands.Defend: "the defence",
}


def thing(game: str) -> str:
    """What people hold in a game."""
    return "tile" if game == "rummy_up" else "card"


def counted(count: int, game: str) -> str:
    """ "1 card", "3 tiles"."""
    return f"1 {thing(game)}" if count == 1 else f"{count} {thing(game)}s"


def cards(count: int) -> str:
    return counted(count, "")


def tile(text: str) -> str:
    """A tile of Rummy Up in words: "the red 7", "the wild"."""
    return "the wild" if text.startswith("W") else f"the {Colour(text[0]).word} {text[1:]}"


def all_of(names: Sequence[str]) -> str:
    """ "Ann, Ben and Cleo"."""
    *most, last = names or ("",)
    return f"{', '.join(most)} and {last}" if most else last


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
