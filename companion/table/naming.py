"""Acts and the names of their cards: small questions and copies, all of them values.

It never changes a game.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from msgspec import UNSET

from companion.games import commands
from companion.games.commands import Command
from companion.table.acts import Act, CardDown, Spilled, Told
from companion.table.taps import CardTap
from companion.table.timeline import Numbered
from companion.units import MonoSeconds, Tray


@dataclass(frozen=True, slots=True)
class Held:
    """An act that can be judged only when something else is said: its name, a colour."""

    number: int
    act: Act
    player: str | None


@dataclass(frozen=True, slots=True)
class WaitingName:
    """A card that was named and not put down yet."""

    at_s: MonoSeconds
    tap: CardTap


@dataclass(frozen=True, slots=True)
class Lined:
    """A better pairing: what stands from `position` on, the names that wait, and what is new."""

    position: int
    acts: tuple[Numbered, ...]
    waiting: tuple[WaitingName, ...]
    cards: frozenset[int]
    """Numbers of the cards that it was about."""
    guessed: int | None
    """The act of a card that is now taken to have been put down unseen."""
    hands: tuple[Held, ...]
    """What is now taken to have been a hand."""
    withdrawn: frozenset[int]
    """Acts of cards that are no longer taken to have been put down unseen."""


def tells(act: Act, kind: type[Command]) -> bool:
    return isinstance(act, Told) and isinstance(act.command, kind)


def is_comment(act: Act) -> bool:
    """True for what people say between acts: it does not keep a card from being taken back."""
    return isinstance(act, Told) and isinstance(
        act.command, commands.Uno | commands.Catch | commands.NameColour
    )


def belongs_to(act: Act, next_act: Act) -> bool:
    if isinstance(act, Spilled):
        return tells(next_act, commands.Reset)
    return tells(next_act, commands.NameColour)


def nameless(act: Act) -> bool:
    return isinstance(act, CardDown) and act.name is None


def is_named(act: Act) -> bool:
    """True for a card of which people have said what it is, and when."""
    return isinstance(act, CardDown) and act.name is not None and act.named_at_s is not None


def named_after_s(acts: Iterable[Act]) -> list[float]:
    """How long after its first contact each card was named that the scale felt; before it: < 0."""
    return [
        act.named_at_s - act.at_s
        for act in acts
        if isinstance(act, CardDown) and act.sensed and act.named_at_s is not None
    ]


def lies_in(act: Act, tray: Tray) -> bool:
    return isinstance(act, CardDown) and act.tray is tray


def card_of(act: Act) -> CardDown:
    assert isinstance(act, CardDown)
    return act


def named(card: CardDown, waiting: WaitingName) -> CardDown:
    tap = waiting.tap
    return replace(
        card,
        name=tap.card,
        colour=tap.colour,
        player=tap.player,
        named_at_s=waiting.at_s,
        sure=True,
    )


def tap_of(card: CardDown) -> CardTap:
    assert card.name is not None
    return CardTap(card=card.name, colour=card.colour, player=card.player)


def amended(act: Act, name: CardTap, now: MonoSeconds) -> Act | None:
    if isinstance(act, CardDown):
        return replace(named(act, WaitingName(now, name)), player=act.player, amended=True)
    if isinstance(act, Told) and isinstance(act.command, commands.Play):
        colour = UNSET if name.colour is None else name.colour
        play = commands.Play(
            card=name.card, player=act.command.player, tray=act.command.tray, colour=colour
        )
        return replace(act, command=play)
    if isinstance(act, Told) and isinstance(act.command, commands.Drop):
        return replace(act, command=commands.Drop(card=name.card))
    return None
