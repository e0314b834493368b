"""What people tell the companion, with its JSON form: a referee's command, or the table's own.

`{"t": 12.1, "do": "card", "card": "R7"}`: the format of `taps.jsonl` in a recorded table. This
module never says what a tap means at the moment: see `companion.table.table`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, UnsetType

from companion.errors import BadInput
from companion.games.commands import BaseCommand, ColourText, Command
from companion.games.decode import decode_command
from companion.units import MonoSeconds


class Mode(StrEnum):
    """How closely the table referees, switchable at any moment."""

    FULL = "full"
    """Every card is named."""
    QUICK = "quick"
    """An ordinary card needs no tap; Stop, action and wild cards are named."""


class CardTap(BaseCommand, frozen=True, kw_only=True, tag="card"):
    """The card just put down, or about to be, is this one; the sensors say in which tray."""

    card: str
    colour: ColourText | None = None
    player: str | UnsetType = UNSET


class ModeTap(BaseCommand, frozen=True, kw_only=True, tag="mode"):
    """Referee fully, or quickly, from now on."""

    mode: Literal["full", "quick"]


class AmendTap(BaseCommand, frozen=True, kw_only=True, tag="amend"):
    """It was another card: `act` is the number of a play that lies some commands back."""

    act: int
    card: str
    colour: ColourText | None = None


class AnswerTap(BaseCommand, frozen=True, kw_only=True, tag="answer"):
    """The answer to a question of the table; `answer` is one of the question's own choices."""

    question: int
    answer: str


class NextTap(BaseCommand, frozen=True, kw_only=True, tag="next"):
    """Quick refereeing without a scale: an ordinary card was played, or the turn passes."""


class ForgetTap(BaseCommand, frozen=True, kw_only=True, tag="forget"):
    """The card named last, which nobody has put down yet, is not coming."""


class PauseTap(BaseCommand, frozen=True, kw_only=True, tag="pause"):
    """The table rests (`on`), or plays on. In a pause no card is a play, and a spill is nobody's
    fault (T24)."""

    on: bool


class AsItLiesTap(BaseCommand, frozen=True, kw_only=True, tag="as_it_lies"):
    """What lies in the trays is right: nothing is to be taken out or put back."""


OwnTap: TypeAlias = (
    CardTap | ModeTap | AmendTap | AnswerTap | NextTap | ForgetTap | PauseTap | AsItLiesTap
)
Said: TypeAlias = Command | OwnTap


@dataclass(frozen=True, slots=True)
class Tap:
    """What was said, and when, on the clock of the samples."""

    at_s: MonoSeconds
    said: Said


_OWN_WORDS = frozenset(tap.__struct_config__.tag for tap in get_args(OwnTap))


def decode_said(fields: dict[str, Any]) -> Said:
    """The command or tap of a decoded JSON object without its `t`.

    Raises:
        BadInput: an unknown `do`, or a missing, unknown or ill-typed field, by name.
    """
    do = fields.get("do")
    if not isinstance(do, str) or do not in _OWN_WORDS:
        return decode_command(fields)
    try:
        said: OwnTap = msgspec.convert(fields, OwnTap)
    except msgspec.ValidationError as error:
        raise BadInput(f"this is no {fields['do']!r} tap: {error}") from None
    return said


def decode_tap(text: str, *, line: int | None = None) -> Tap:
    """One line of `taps.jsonl`.

    Raises:
        BadInput: the line is damaged; with its number if one is given.
    """
    try:
        fields = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise BadInput(f"this tap is no JSON: {error}", line=line) from None
    if not isinstance(fields, dict):
        raise BadInput("a tap is a JSON object with `t` and `do`", line=line)
    try:
        return decode_tap_fields(fields)
    except BadInput as error:
        raise BadInput(str(error), line=line) from None


def decode_tap_fields(fields: Mapping[str, Any]) -> Tap:
    """The same from an object that has been read already.

    Raises:
        BadInput: it has no time, or is no command or tap.
    """
    said = dict(fields)
    at_s = said.pop("t", None)
    if isinstance(at_s, bool) or not isinstance(at_s, int | float) or not _is_a_time(at_s):
        raise BadInput("a tap needs `t`, its time in seconds")
    return Tap(MonoSeconds(float(at_s)), decode_said(said))


def _is_a_time(at_s: float) -> bool:
    try:
        return math.isfinite(at_s)
    except OverflowError:
        return False


def encode_said(said: Said) -> dict[str, Any]:
    """The JSON form of a command or tap, without a time."""
    fields: dict[str, Any] = msgspec.to_builtins(said)
    return fields


def encode_tap(tap: Tap) -> str:
    """A line of `taps.jsonl`; `decode_tap(encode_tap(tap)) == tap`."""
    return msgspec.json.encode({"t": tap.at_s, **encode_said(tap.said)}).decode()
