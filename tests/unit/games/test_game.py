"""A game as a value, and the questions that others ask about its state."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import msgspec
import pytest

from companion.errors import BadInput
from companion.games.cards import parse
from companion.games.commands import Play
from companion.games.decks import classic_deck, points, tippo_deck
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.options import UnoOptions
from companion.games.referee import Code, Refusal
from companion.games.registry import REFEREES, referee
from companion.games.seats import Seats
from companion.games.tippo.legality import fits, trays_for
from companion.games.tippo.state import TippoState
from companion.units import Tray
from tests.unit.games.walk import command, doable, start

EVERY = ("play", "draw", "pass", "colour", "drop", "reset", "settled", "deal", "hands", "spill")
FIELDS: dict[str, dict[str, Any]] = {
    "play": {"card": "W", "tray": "left", "colour": "R"},
    "colour": {"colour": "R"},
    "deal": {"left": "R7", "right": "B8"},
    "hands": {"points": {}},
}


def begun(given: dict[str, Any]) -> Game:
    game = Game.begin(decode_command(given))  # type: ignore[arg-type]  # a start by construction
    assert isinstance(game, Game)
    return game


def test_a_long_game_is_forgotten_without_recursion() -> None:
    """Its past is a chain as long as the game."""
    game = begun({"do": "start", "game": "tippo", "players": ["Ann", "Bob"]})
    turn = decode_command({"do": "correct", "turn": "Ann"})
    dealt = game.apply(decode_command({"do": "deal", "left": "R7", "right": "B8"}))
    assert not isinstance(dealt, Refusal)
    game = dealt[0]
    for _ in range(50 * sys.getrecursionlimit()):
        answer = game.apply(turn)
        assert not isinstance(answer, Refusal)
        game = answer[0]
    assert len(game.commands) == 50 * sys.getrecursionlimit() + 1
    del game, answer, dealt


def test_what_is_not_doable_is_refused_for_its_time() -> None:
    """And what is doable is never refused for it."""
    untimely = {Code.WRONG_PHASE, Code.ALREADY_DRAWN, Code.DRAW_FIRST, Code.COLOUR_NEEDED}
    random = Random(5)
    game = begun(start(random))
    for _ in range(700):
        for do in EVERY:
            answer = game.apply(decode_command({"do": do, **FIELDS.get(do, {})}))
            refused = isinstance(answer, Refusal) and answer.code in untimely
            assert refused == (do not in doable(game.state)), (do, game.state)
        moved = game.apply(decode_command(command(random, game.state)))
        if not isinstance(moved, Refusal):
            game = moved[0]
        if game.state.phase == "game_over":
            game = begun(start(random))


def test_what_fits_is_what_the_referee_accepts() -> None:
    random = Random(6)
    game = begun(start(random))
    for _ in range(400):
        state: TippoState = game.state
        if "play" in doable(state):
            for card in random.sample(tippo_deck(), 5):
                for tray in Tray:
                    answer = game.apply(Play(card=str(card), tray=tray.value))
                    assert isinstance(answer, Refusal) == (fits(state, card, tray) is not None)
                    assert (tray in trays_for(state, card)) != isinstance(answer, Refusal)
        moved = game.apply(decode_command(command(random, state)))
        game = game if isinstance(moved, Refusal) else moved[0]
        if game.state.phase == "game_over":
            game = begun(start(random))


def test_the_decks_hold_what_the_sheets_say() -> None:
    """T1: 112 cards with 20 Stops; C1: 108 cards."""
    tippo = tippo_deck()
    assert len(tippo) == 112
    assert sum(card.is_stop for card in tippo) == 20
    assert sum(card.is_action for card in tippo) == 24
    assert sum(card.is_wild for card in tippo) == 12
    assert len(classic_deck()) == 108
    assert not any(card.is_stop for card in classic_deck())


@pytest.mark.parametrize(
    ("card", "worth"),
    [("R0", 0), ("G9", 9), ("B5!", 5), ("Y+2", 20), ("Rrev", 20), ("Gskip", 20), ("W", 50),
     ("W+4", 50), ("Tilt", 50)],
)  # fmt: skip
def test_what_a_card_counts(card: str, worth: int) -> None:
    """T50."""
    assert points(parse(card)) == worth


def test_seats_go_round_in_the_direction_of_play() -> None:
    seats = Seats(("Ann", "Bob", "Cem"), "Ann")
    assert seats.once_round_after("Ann") == ("Bob", "Cem", "Ann")
    assert seats.reversed().once_round_after("Ann") == ("Cem", "Bob", "Ann")
    assert seats.reversed().left_of("Ann") == "Bob"
    assert seats.without("Ann") == Seats(("Bob", "Cem"), "Bob")
    assert seats.joined_by("Dee", 1).players == ("Ann", "Dee", "Bob", "Cem")


def test_an_unknown_game_is_refused_with_the_names_of_those_there_are() -> None:
    assert referee("tippo") is REFEREES["tippo"]
    with pytest.raises(BadInput, match="tippo"):
        referee("chess")


UNO_DEFAULTS: dict[str, Any] = {
    "uno_penalty": 2,
    "misplay_penalty": 0,
    "false_call_penalty": 0,
    "target": 500,
    "reverse_2p": "skip",
    "next_dealer": "left",
    "grace_seconds": 0,
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "tippo": {
        **UNO_DEFAULTS,
        "stop_on_stopped": "no",
        "forced_draw_counts": "no",
        "spill_penalty": 2,
        "settle_seconds": 5,
    },
    "classic": {**UNO_DEFAULTS, "scoring": "winner"},
    "battle": {
        "uno_penalty": 2,
        "misplay_penalty": 0,
        "target": 100,
        "finish_penalty": "all",
        "steal_turn": "stealer",
    },
    "rummy_up": {**UNO_DEFAULTS, "target": 200},
}


def test_every_option_has_the_default_of_the_rules() -> None:
    assert msgspec.structs.asdict(UnoOptions()) == UNO_DEFAULTS


@pytest.mark.parametrize("game", DEFAULTS)
def test_a_game_knows_these_house_rules_and_begins_with_these_values(game: str) -> None:
    """U3, U5, U8, U9, U12, U17, U21, T11, T22, T33, T35, C31, H5, H6, H24, R14, R28."""
    state = begun({"do": "start", "game": game, "players": ["Ann", "Bob"]}).state
    assert msgspec.structs.asdict(state.options) == DEFAULTS[game]


DEALS: dict[str, dict[str, Any]] = {
    "tippo": {"left": "R7", "right": "B8"},
    "classic": {"top": "R7"},
    "battle": {"top": "R7"},
    "rummy_up": {"table": ["R1", "R2", "R3", "W"]},
}
WITHIN: dict[str, list[dict[str, Any]]] = {
    "tippo": [{"do": "play", "card": "Tilt", "tray": "left"}],
    "classic": [{"do": "play", "card": "R1"}],
    "battle": [
        {"do": "play", "card": "R1"},
        {"do": "play", "card": "R1", "player": "Ann"},
    ],
    "rummy_up": [{"do": "meld", "table": [["R1", "R2", "R3", "R4"]]}],
}


def parts(value: object) -> Iterator[object]:
    """A value and everything that it holds."""
    yield value
    if isinstance(value, msgspec.Struct):
        held: Iterable[object] = msgspec.structs.asdict(value).values()
    elif is_dataclass(value):
        held = [getattr(value, field.name) for field in fields(value)]
    else:
        held = value if isinstance(value, tuple | frozenset) else ()
    for part in held:
        yield from parts(part)


@pytest.mark.parametrize("game", DEALS)
def test_nothing_that_a_state_holds_can_be_changed_in_place(game: str) -> None:
    """Undo is the state before: so nobody may touch it (only its mappings are trusted)."""
    players = ["Ann", "Bob", "Cem"]
    playing = begun({"do": "start", "game": game, "players": players})
    for given in ({"do": "deal", **DEALS[game]}, *WITHIN[game]):
        answer = playing.apply(decode_command(given))
        assert not isinstance(answer, Refusal)
        playing = answer[0]
    for part in parts(playing.state):
        assert not isinstance(part, list | set)
        names = [field.name for field in fields(part)] if is_dataclass(part) else []
        if isinstance(part, msgspec.Struct):
            names = list(part.__struct_fields__)
        for name in names:
            with pytest.raises(AttributeError):
                setattr(part, name, None)
