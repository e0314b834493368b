"""The commands that a referee understands, with their JSON form (a public interface).

Cards and names are text here: whether they exist is the referee's answer, not the parser's.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

ColourText: TypeAlias = Literal["R", "Y", "G", "B"]
TrayText: TypeAlias = Literal["left", "right"]
EffectText: TypeAlias = Literal["draw_two", "draw_four", "skip", "reverse"]

Whole: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A number that people count with: bounded, so that sums of them always fit in the answer."""


class BaseCommand(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="do",
    tag=str.lower,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
):
    """What all commands share: frozen, told apart by `do`, unknown fields refused by name."""

    @property
    def do(self) -> str:
        """The command's own name, as in its JSON form."""
        return str(self.__struct_config__.tag)


class Start(BaseCommand, frozen=True, kw_only=True):
    game: str
    players: tuple[str, ...]
    dealer: str | UnsetType = UNSET
    options: dict[str, str | int] | UnsetType = UNSET
    force: bool = False


class Deal(BaseCommand, frozen=True, kw_only=True):
    left: str | UnsetType = UNSET
    right: str | UnsetType = UNSET
    top: str | UnsetType = UNSET
    table: tuple[str, ...] | UnsetType = UNSET
    colour: ColourText | UnsetType = UNSET
    colours: dict[TrayText, ColourText] | UnsetType = UNSET


class Play(BaseCommand, frozen=True, kw_only=True):
    card: str
    player: str | UnsetType = UNSET
    tray: TrayText | UnsetType = UNSET
    colour: ColourText | UnsetType = UNSET


class Draw(BaseCommand, frozen=True, kw_only=True):
    player: str | UnsetType = UNSET
    count: Annotated[int, Meta(ge=1, le=1_000_000_000)] | UnsetType = UNSET


class Pass(BaseCommand, frozen=True, kw_only=True):
    pass


class NameColour(BaseCommand, frozen=True, kw_only=True, tag="colour"):
    colour: ColourText
    tray: TrayText | UnsetType = UNSET


class Uno(BaseCommand, frozen=True, kw_only=True):
    player: str


class Catch(BaseCommand, frozen=True, kw_only=True):
    player: str
    by: str | UnsetType = UNSET


class Drop(BaseCommand, frozen=True, kw_only=True):
    card: str = "?"


class Spill(BaseCommand, frozen=True, kw_only=True):
    trays: tuple[TrayText, ...] | UnsetType = UNSET
    by: str | UnsetType = UNSET
    no_fault: bool = False

    def __post_init__(self) -> None:
        if self.no_fault and self.by is not UNSET:
            raise ValueError("either `by` pays or `no_fault` is true, not both")
        if self.trays is not UNSET and not 0 < len(self.trays) == len(set(self.trays)):
            raise ValueError("`trays` must name left, right or both, each once")


class Reset(BaseCommand, frozen=True, kw_only=True):
    pass


class Settled(BaseCommand, frozen=True, kw_only=True):
    pass


class Challenge(BaseCommand, frozen=True, kw_only=True):
    guilty: bool
    by: str | UnsetType = UNSET


class Accept(BaseCommand, frozen=True, kw_only=True):
    pass


class Defend(BaseCommand, frozen=True, kw_only=True):
    card: str
    colour: ColourText | UnsetType = UNSET


class Meld(BaseCommand, frozen=True, kw_only=True):
    table: tuple[tuple[str, ...], ...]
    effects: dict[str, EffectText] | UnsetType = UNSET


class Hands(BaseCommand, frozen=True, kw_only=True):
    hands: dict[str, tuple[str, ...]] | UnsetType = UNSET
    points: dict[str, Whole] | UnsetType = UNSET
    force: bool = False

    def __post_init__(self) -> None:
        if (self.hands is UNSET) == (self.points is UNSET):
            raise ValueError("give either `hands` or `points`, and not both")


class Leave(BaseCommand, frozen=True, kw_only=True):
    player: str


class Join(BaseCommand, frozen=True, kw_only=True):
    player: str
    seat: Whole | UnsetType = UNSET


class Correct(BaseCommand, frozen=True, kw_only=True):
    turn: str | UnsetType = UNSET
    direction: Literal[1, -1] | UnsetType = UNSET
    hand: dict[str, Whole] | UnsetType = UNSET
    left: str | UnsetType = UNSET
    right: str | UnsetType = UNSET
    top: str | UnsetType = UNSET
    colour: ColourText | UnsetType = UNSET

    def __post_init__(self) -> None:
        if all(getattr(self, name) is UNSET for name in self.__struct_fields__):
            raise ValueError("it must say what is to be corrected")


class Undo(BaseCommand, frozen=True, kw_only=True):
    pass


Command: TypeAlias = (
    Start
    | Deal
    | Play
    | Draw
    | Pass
    | NameColour
    | Uno
    | Catch
    | Drop
    | Spill
    | Reset
    | Settled
    | Challenge
    | Accept
    | Defend
    | Meld
    | Hands
    | Leave
    | Join
    | Correct
    | Undo
)
