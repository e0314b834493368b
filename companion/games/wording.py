"""Turns what msgspec says about a damaged value into one clear sentence for people.

It never decides whether a value is good.
"""

import re
from typing import Any

import msgspec
from msgspec import inspect

_PATH = re.compile(r"`\$\.(\w+)|`key` in `\$\.(\w+)")
_NAME = re.compile(r"`(.*)`")


def explain(error: msgspec.DecodeError, struct: type[msgspec.Struct] | None, whole: str) -> str:
    """One sentence, without its full stop, for why a value is no `struct`.

    `whole` is what the value is called, e.g. "`play`".
    """
    text = str(error)
    if not isinstance(error, msgspec.ValidationError):
        return "The line is no JSON object"
    if text.startswith("Object missing required field"):
        return f"{whole} needs `{_NAME.findall(text)[0]}`"
    if text.startswith("Object contains unknown field"):
        return f"{whole} knows no `{_NAME.findall(text)[0][:40]}`"
    found = _PATH.search(text)
    if found is None:
        return "A command must be a JSON object" if struct is None else f"{whole}: {text}"
    name = found[1] or found[2]
    wanted = _wanted(struct, name)
    if wanted is None:
        return f"`{name}` has a value that it cannot have"
    return f"`{name}` must be {wanted}"


def _wanted(struct: type[msgspec.Struct] | None, name: str) -> str | None:
    if struct is not None:
        for field in inspect.type_info(struct).fields:  # type: ignore[attr-defined]  # a struct's
            if field.encode_name == name:
                return describe(field.type)
    return None


def describe(kind: Any) -> str:
    """A type in words: "left or right", "a whole number from 0"."""
    match kind:
        case inspect.LiteralType(values=values):
            return _either([str(value) for value in values])
        case inspect.StrType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least):
            return "a whole number" if least is None else f"a whole number from {least}"
        case inspect.VarTupleType(item_type=item):
            return f"a list, each entry {describe(item)}"
        case inspect.DictType(key_type=key, value_type=value):
            names = "each name" if isinstance(key, inspect.StrType) else describe(key)
            return f"an object that gives {names} {describe(value)}"
        case inspect.UnionType(types=types):
            return _either([describe(one) for one in types])
        case _:
            return "something else"


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
