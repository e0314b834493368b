"""From JSON to a Command: a line of a stream, or an object that has been read already.

It checks form only. Whether a card or a player exists is the referee's answer.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

import msgspec

from companion.errors import BadInput
from companion.games.commands import BaseCommand, Command
from companion.games.wording import explain


@cache
def _decoder() -> msgspec.json.Decoder[Command]:
    return msgspec.json.Decoder(Command)


@cache
def _structs() -> Mapping[str, type[BaseCommand]]:
    return {str(struct.__struct_config__.tag): struct for struct in get_args(Command)}


def decode_command(source: str | bytes | Mapping[str, Any]) -> Command:
    """The command of a JSON line or of an object.

    Raises:
        BadInput: the line is no JSON object, has an unknown `do`, or a missing, unknown or
            ill-typed field; the message is one sentence that names it.
    """
    try:
        if isinstance(source, Mapping):
            command: Command = msgspec.convert(source, Command)
            return command
        return _decoder().decode(source)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"{_sentence(error, source)}.") from None
    except RecursionError:
        raise BadInput("The line is nested too deeply.") from None


def _sentence(error: msgspec.DecodeError, source: str | bytes | Mapping[str, Any]) -> str:
    do = _do_of(source)
    struct = _structs().get(do) if isinstance(do, str) else None
    if isinstance(error, msgspec.ValidationError):
        wrong_do = str(error).endswith("`$.do`")
        if wrong_do and struct is not None:
            return "`do` may stand only once in a command"
        if wrong_do or (struct is None and do is not None):
            return f"`do` must be one of {', '.join(_structs())}"
    return explain(error, struct, "A command" if struct is None else f"`{do}`")


def _do_of(source: str | bytes | Mapping[str, Any]) -> object:
    """What stands under `do` in a line whose form is wrong somewhere else; None if nothing."""
    if isinstance(source, Mapping):
        return source.get("do")
    try:
        line = msgspec.json.decode(source)
    except (msgspec.DecodeError, RecursionError):
        return None
    return line.get("do") if isinstance(line, dict) else None
