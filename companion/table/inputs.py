"""Everything that can move a table, as values with a JSON form: what the journal keeps of it.

Feeding the same inputs to a new table gives the same table: that is how a game is resumed.
"""

from typing import TypeAlias

import msgspec

from companion.events import Sensed
from companion.table.taps import Said, Tap, decode_said, encode_said
from companion.units import MonoSeconds


class Heard(msgspec.Struct, frozen=True, tag_field="input", tag="sensed"):
    """The judge's event."""

    event: Sensed


class Passed(msgspec.Struct, frozen=True, tag_field="input", tag="passed"):
    """Time has passed; both cells have rested within 0.3 g for `still_s` seconds."""

    at_s: MonoSeconds
    still_s: float


class Counted(msgspec.Struct, frozen=True, tag_field="input", tag="counted"):
    """What the judge counts in the trays at rest: said at the start and when play begins anew."""

    at_s: MonoSeconds
    left: int
    right: int


Input: TypeAlias = Heard | Tap | Passed | Counted


class _Tapped(msgspec.Struct, frozen=True, tag_field="input", tag="tap"):
    at_s: MonoSeconds
    said: dict[str, object]


_Kept: TypeAlias = Heard | Passed | Counted | _Tapped


def time_of(given: Input) -> MonoSeconds:
    """When the table got it."""
    return given.event.decided_s if isinstance(given, Heard) else given.at_s


def encode_input(given: Input) -> str:
    """One line of JSON; `decode_input(encode_input(given)) == given`."""
    form = _Tapped(given.at_s, encode_said(given.said)) if isinstance(given, Tap) else given
    return msgspec.json.encode(form).decode()


def decode_input(text: str) -> Input:
    """The input of a journal's line.

    Raises:
        ValueError: the line is damaged, or of a version that this companion does not know.
    """
    given: _Kept = msgspec.json.decode(text, type=_Kept)
    if isinstance(given, _Tapped):
        said: Said = decode_said(dict(given.said))
        return Tap(given.at_s, said)
    return given
