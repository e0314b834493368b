"""From JSON to a command: what is damaged is named in one clear sentence."""

from typing import Any, get_args

import msgspec
import pytest

from companion.errors import BadInput
from companion.games.commands import BaseCommand, Command, NameColour, Play
from companion.games.decode import decode_command

STRUCTS: tuple[type[BaseCommand], ...] = get_args(Command)
OPTIONAL = [
    (struct, field.encode_name)
    for struct in STRUCTS
    for field in msgspec.structs.fields(struct)
    if not field.required
]


def needed(struct: type[BaseCommand]) -> dict[str, Any]:
    """A well-formed command with nothing but what it needs."""
    values: dict[str, Any] = {"players": ["A", "B"], "guilty": True, "table": [], "colour": "R"}
    fields = {
        field.encode_name: values.get(field.encode_name, "A")
        for field in msgspec.structs.fields(struct)
        if field.required
    }
    one_of_several: dict[str, Any] = {"Hands": {"points": {}}, "Correct": {"direction": 1}}
    also = one_of_several.get(struct.__name__, {})
    return {"do": struct.__struct_config__.tag, **fields, **also}


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_command_round_trips(struct: type[BaseCommand]) -> None:
    command = decode_command(needed(struct))
    assert isinstance(command, struct)
    assert decode_command(msgspec.json.encode(command)) == command
    assert command.do == needed(struct)["do"]


@pytest.mark.parametrize(("struct", "field"), OPTIONAL)
def test_an_optional_field_given_as_null_is_ill_typed(
    struct: type[BaseCommand], field: str
) -> None:
    with pytest.raises(BadInput, match=f"`{field}` must be"):
        decode_command({**needed(struct), field: None})


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_an_unknown_field_is_refused_by_name(struct: type[BaseCommand]) -> None:
    with pytest.raises(BadInput, match="knows no `surprise`"):
        decode_command({**needed(struct), "surprise": 1})


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"do": "play", "card": "R7", "tray": "up"}', "`tray` must be left or right."),
        ('{"do": "play"}', "`play` needs `card`."),
        ('{"do": "play", "card": 7}', "`card` must be text."),
        ('{"do": "colour", "colour": "X"}', "`colour` must be B, G, R or Y."),
        ('{"do": "correct", "direction": 0}', "`direction` must be -1 or 1."),
        ('{"do": "join", "player": "A", "seat": -1}', "`seat` must be a whole number from 0."),
        ('{"do": "spill", "trays": "left"}', "`trays` must be a list, each entry left or right."),
        ('{"do": "challenge", "guilty": 1}', "`guilty` must be true or false."),
        ('{"do": "deal", "colours": {"up": "R"}}', "`colours` must be an object that gives left"),
        ('{"do": "correct", "hand": {"A": "1"}}', "`hand` must be an object that gives each name"),
        ('{"do": "hands"}', "`hands`: give either `hands` or `points`, and not both."),
        ('{"do": "spill", "by": "A", "no_fault": true}', "`spill`: either `by` pays"),
        ('{"do": "correct"}', "`correct`: it must say what is to be corrected."),
        ('{"do": "dance"}', "`do` must be one of start, deal, play"),
        ('{"do": null}', "`do` must be one of start, deal, play"),
        ('{"do": "draw", "do": "pass"}', "`do` may stand only once in a command."),
        ('{"do": "x", "seat": 1e999}', "`do` must be one of start, deal, play"),
        ('{"do": "correct", "hand": {"A": 1e999}}', "`hand` has a value that it cannot have."),
        ('{"card": "R7"}', "A command needs `do`."),
        ("[]", "A command must be a JSON object."),
        ("{", "The line is no JSON object."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        decode_command(line)
    assert str(caught.value).startswith(sentence)


def test_an_object_is_read_like_a_line() -> None:
    assert decode_command({"do": "play", "card": "R7"}) == Play(card="R7")
    assert decode_command('{"do": "colour", "colour": "R"}') == NameColour(colour="R")
    with pytest.raises(BadInput, match="`do` must be one of"):
        decode_command({"do": ["play"]})
