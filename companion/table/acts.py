"""What people did, as values: an act becomes a referee's command in the state that it meets.

An act never says whether it was legal; the referee does, when the act's turn comes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import UNSET, UnsetType

from companion.games import commands
from companion.games.commands import ColourText, Command, TrayText
from companion.games.referee import Code, Phase, Refusal, State
from companion.games.tippo.state import TippoState
from companion.units import MonoSeconds, Tray


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDown:
    """A card was put in a tray by the player whose turn it was."""

    at_s: MonoSeconds
    """The first contact."""
    decided_s: MonoSeconds
    """When the judge was sure that it lies, or the tap said so."""
    tray: Tray
    name: str | None = None
    """What the card is; None until somebody says so (refereed as `?` meanwhile)."""
    colour: ColourText | None = None
    player: str | UnsetType = UNSET
    named_at_s: MonoSeconds | None = None
    sensed: bool = True
    """False where a tap alone says so."""
    sure: bool = True
    guessed: bool = False
    """True for a card that nobody saw: its name was said, and the cards around it had theirs."""
    amended: bool = False
    """True if people have said what it was: its name is not another card's."""

    @property
    def nameable_until_s(self) -> MonoSeconds:
        """In quick mode: until then it may still be named."""
        return max(MonoSeconds(self.at_s + NAMING_S), self.decided_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spilled:
    """Cards were dumped; who pays goes by the acts' times against `at_s`, the first card's fall."""

    at_s: MonoSeconds
    decided_s: MonoSeconds
    trays: tuple[Tray, ...]
    by: str | UnsetType = UNSET
    no_fault: bool = False
    suspect: str | None = None
    """Who put down a card that is no play (refused, or not named yet) and still lay there."""
    suspect_at_s: MonoSeconds | None = None
    sensed: bool = True
    lost: tuple[tuple[Tray, int], ...] = ()
    reasons: tuple[str, ...] = ()
    """The judge's evidence, for "why?"."""
    tipped_s: MonoSeconds | None = None
    """When the beam left level, if the scale saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A command just as people gave it, or as the table concluded (`reset`, `settled`)."""

    at_s: MonoSeconds
    command: Command


Act: TypeAlias = CardDown | Spilled | Told

NAMING_S = 2.5
"""So long after it landed a card may be named in quick mode (recorded tables)."""

MOVES = (commands.Play, commands.Draw, commands.Pass, commands.Drop)
"""The commands that are acts of a player and move the game on."""


def is_move(act: Act) -> bool:
    """True for a play, a draw, a pass, a drop: what another act can follow."""
    return isinstance(act, CardDown) or (isinstance(act, Told) and isinstance(act.command, MOVES))


def may_follow(act: Act) -> bool:
    """True if an act that began earlier but was decided later may be put before this one."""
    return isinstance(act, CardDown | Spilled) or isinstance(
        act.command, (*MOVES, commands.NameColour, commands.Uno, commands.Catch)
    )


def command_for_card(card: CardDown, state: State) -> Command | Refusal:
    """The play, or in a Tilt challenge the drop, that a card put down amounts to."""
    if isinstance(state, TippoState) and state.phase is Phase.TILT:
        if state.tray_of_tilt != card.tray:
            return Refusal(
                Code.WRONG_PHASE,
                f"During a Tilt challenge cards go in the {state.tray_of_tilt} tray: "
                f"take this one out of the {card.tray} tray.",
                "T38",
            )
        return commands.Drop(card=card.name or "?")
    return commands.Play(
        card=card.name or "?",
        tray=card.tray.value,
        colour=UNSET if card.colour is None else card.colour,
        player=card.player,
    )


def command_for_spill(spill: Spilled, state: State, before: Sequence[tuple[Act, State]]) -> Command:
    """The spill with whoever was last to act before its first card fell.

    `before` holds the acts of the game so far, each with the state after it. Source: T21-T23,
    and recorded tables: "a draw tapped after the first card fell comes too late".
    """
    named: tuple[TrayText, ...] = tuple(tray.value for tray in spill.trays)
    trays = named or UNSET
    if spill.no_fault or spill.by is not UNSET:
        return commands.Spill(trays=trays, by=spill.by, no_fault=spill.no_fault)
    payer = _last_actor_at(spill, state, before)
    if payer == state.last_actor:
        return commands.Spill(trays=trays)
    if payer is None:
        return commands.Spill(trays=trays, no_fault=True)
    return commands.Spill(trays=trays, by=payer)


def _last_actor_at(spill: Spilled, state: State, before: Sequence[tuple[Act, State]]) -> str | None:
    known = len(before)
    while known and before[known - 1][0].at_s > spill.at_s and may_follow(before[known - 1][0]):
        known -= 1
    payer = before[known - 1][1].last_actor if known else None
    if spill.suspect is not None and spill.suspect_at_s is not None:
        moves = (act.at_s for act, _ in reversed(before[:known]) if is_move(act))
        if spill.suspect_at_s >= next(moves, spill.suspect_at_s):
            payer = spill.suspect
    return payer if payer is None or payer in state.players else state.last_actor
