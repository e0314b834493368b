"""Two referees of Tippo that share no line rule the same, whatever a table does."""

from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.stream import Stream
from tests.differential.second_tippo_people import OpenTable
from tests.differential.second_tippo_table import DECK, NEEDS, ON_TURN, PHASES, TRAYS, WILDS

WORDS: dict[str, tuple[str, ...]] = {
    "turn": ("player",),
    "direction": ("direction",),
    "dealt": ("player", "count"),
    "drawn": ("player", "count"),
    "draw": ("player", "count", "reason"),
    "penalty": ("player", "count", "reason"),
    "turn_lost": ("player", "reason"),
    "colour": ("colour", "tray"),
    "choose_colour": ("player", "tray"),
    "uno": ("player",),
    "uno_caught": ("player",),
    "uno_safe": ("player",),
    "tilt_over": ("by",),
    "reshuffle": ("count",),
    "going_out": ("player",),
    "round_over": ("player",),
    "scored": ("player", "points", "total"),
    "game_over": ("winner",),
    "refused": ("code",),
    "played": ("player", "card", "tray"),
    "left": ("player",),
    "joined": ("player",),
}
HOUSE_RULES: dict[str, tuple[Any, ...]] = {
    "misplay_penalty": (0, 1, 2),
    "false_call_penalty": (0, 2),
    "uno_penalty": (2, 0, 3),
    "reverse_2p": ("skip", "none"),
    "next_dealer": ("left", "winner"),
    "target": (500, 50),
    "stop_on_stopped": ("no", "yes"),
    "forced_draw_counts": ("no", "yes"),
    "spill_penalty": (2, 0, 1),
}
FAVOURITES: tuple[tuple[str, ...], ...] = (
    DECK,
    ("W+4", "R+2", "G+2"),
    ("Tilt", "R1!", "W"),
    ("Rskip", "Rrev", "R+2", "W"),
)
ANYTHING = (*(do for do in PHASES if do != "leave"), "uno", "catch", "undo")
NEWCOMERS = ("X", "Y", "Z")


def in_words(ruling: dict[str, Any]) -> str:
    """A ruling as the second referee says it."""
    kind = ruling["ruling"]
    match kind:
        case "tray":
            said = [ruling["tray"], "open" if ruling["open"] else "stopped", ruling["reason"]]
        case "spill":
            said = [ruling["by"], *["no_fault"] * ruling.get("no_fault", False)]
        case "reset":
            said = [",".join(ruling[tray]) for tray in TRAYS] + [ruling["set_aside"]]
        case "tilt":
            said = [ruling["by"], ruling["tray"], *ruling["order"]]
        case _:
            said = [ruling[name] for name in WORDS[kind]]
    return " ".join(map(str, [kind, *said]))


def likely(random: Random, phase: str, *, waits: bool) -> str:
    """What a table would do next, most of the time."""
    if random.random() < 0.2:
        return "leave" if random.random() < 0.06 else random.choice(ANYTHING)
    if phase in ON_TURN:
        if waits:
            return "colour"
        other = "pass" if phase == "drawn" else "draw"
        return random.choice(["play", "play", "play", "play", other, "uno", "catch", "spill"])
    if phase in ("tilt", "going_out"):
        return random.choice([NEEDS[phase], NEEDS[phase], "spill"])
    return NEEDS.get(phase, "undo")


def command(random: Random, second: OpenTable, favourites: tuple[str, ...]) -> dict[str, Any]:
    table = second.table
    do = likely(random, table.phase, waits=bool(second.waiting()))
    card = random.choice(random.choice((DECK, favourites, ("?", *DECK))))
    few = [name for name, count in table.hands.items() if count in (1, 2)]
    player = random.choice(few if few and random.random() < 0.6 else table.players)
    fields: dict[str, Any] = {}
    match do:
        case "deal":
            fields = {"left": card, "right": random.choice(favourites)}
        case "play":
            fields = {"card": card, "tray": random.choice(TRAYS)}
            for other in random.sample(DECK, 12) if table.phase in ON_TURN else ():
                if not second.waiting() and not second.why_not(
                    other, fields["tray"], str(table.turn)
                ):
                    fields["card"] = other if random.random() < 0.7 else card
                    break
            if random.random() < (0.6 if fields["card"] in WILDS else 0.02):
                fields["colour"] = random.choice("RYGB")
            if random.random() < 0.1:
                fields["player"] = player
        case "colour":
            fields = {"colour": random.choice("RYGB")}
            if random.random() < 0.5:
                fields["tray"] = random.choice(TRAYS)
        case "uno":
            fields = {"player": player}
        case "catch":
            fields = {"player": player, **random.choice(({}, {"by": random.choice(table.players)}))}
        case "drop":
            fields = {"card": card}
        case "spill":
            fields = random.choice(({}, {}, {"by": player}, {"no_fault": True}))
        case "hands":
            losers = [name for name in table.players if name != table.out or random.random() < 0.1]
            fields = {"points": {name: random.randrange(40) for name in losers}}
        case "leave":
            fields = {"player": player}
        case "join":
            fields = {"player": random.choice((*NEWCOMERS, player))}
            if random.random() < 0.5:
                fields["seat"] = random.randrange(5)
        case "correct":
            fields = corrected(random, player)
        case _:
            pass
    return {"do": do, **fields}


def corrected(random: Random, player: str) -> dict[str, Any]:
    """What a table overrules; a card more often than not."""
    fields: dict[str, Any] = {}
    for tray in TRAYS:
        if random.random() < 0.4:
            fields[tray] = random.choice((*DECK, *WILDS, "?"))
    if random.random() < 0.4:
        fields["colour"] = random.choice("RYGB")
    if random.random() < 0.3:
        fields["turn"] = player
    if random.random() < 0.3:
        fields["hand"] = {player: random.choice((0, 1, 2, 3))}
    if not fields or random.random() < 0.2:
        fields["direction"] = random.choice((1, -1))
    return fields


def shorten(second: OpenTable, send: Any, random: Random) -> None:
    """So that a walk comes to last cards: a hand is corrected, which opens no window."""
    table, player = second.table, random.choice(second.table.players)
    if table.phase in ON_TURN and table.uno_open != player:
        table.hands[player] = random.choice((1, 2, 2, 3))
        second.hand_changed(player)
        send({"do": "correct", "hand": {player: table.hands[player]}})
        second.before.clear()


@pytest.mark.parametrize("seed", range(80))
def test_both_rule_the_same_in_the_same_order_and_leave_the_same_table(seed: int) -> None:
    random = Random(seed)
    players = "ABCDEFGHIJ"[: random.choice((2, 2, 3, 3, 4, 5, 8, 10))]
    options = {
        name: random.choice(values) for name, values in HOUSE_RULES.items() if random.random() < 0.4
    }
    stream, second = Stream(), OpenTable(players, **options)
    favourites = random.choice(FAVOURITES)

    def send(said: dict[str, Any]) -> Any:
        given = stream.answer(msgspec.json.encode(said))
        assert given is not None
        return msgspec.json.decode(given[0])

    send({"do": "start", "game": "tippo", "players": list(players), "options": options})
    said: list[Any] = []
    for _ in range(100):
        if random.random() < 0.1:
            shorten(second, send, random)
        said.append(command(random, second, favourites))
        if said[-1]["do"] == "undo" and not second.before:
            continue
        theirs, ours = second.answer(said[-1]), send(said[-1])
        rulings = (
            [in_words(one) for one in ours["rulings"]] if ours["ok"] else ours["error"]["code"]
        )
        assert rulings == theirs, said[-8:]
        state = second.state()
        assert {name: ours["state"][name] for name in state} == state, said[-8:]
