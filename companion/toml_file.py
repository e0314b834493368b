"""Reads a TOML file that people may have written, whatever is in it.

It never knows what a key means.
"""

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import BadInput


def read_toml(path: Path, name: str) -> dict[str, Any]:
    """The whole file; `name` is what people call it, with its path.

    Raises:
        BadInput: it cannot be read, is no UTF-8 text or no TOML.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{name} is no UTF-8 text") from None
    return parse_toml(text, name)


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The same from its text.

    Raises:
        BadInput: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadInput(f"{name} is no TOML that can be read: its lists are too deep") from None
    except ValueError as error:  # TOMLDecodeError, or a number too long for Python
        raise BadInput(f"{name} is no TOML: {error}") from None


def in_place(error: msgspec.ValidationError) -> tuple[str, str]:
    """What is wrong with a value, and its key; no key where it is the whole that is wrong."""
    complaint, _, place = str(error).partition(" - at `$")
    return complaint, place.rstrip("`").lstrip(".")
