"""The rulings that a referee gives, with their JSON form (a public interface).

A ruling says what the table must do or know. This module never decides anything.
"""

from typing import Literal, TypeAlias, get_args

import msgspec

PenaltyReason: TypeAlias = Literal[
    "spill", "uno", "finished_on_penalty_card", "challenge_lost", "misplay", "false_call"
]
DrawReason: TypeAlias = Literal["draw_two", "wild_draw_four", "battle", "challenge"]
LostReason: TypeAlias = Literal["skip", "reverse", "draw_two", "wild_draw_four", "challenge_lost"]
TrayReason: TypeAlias = Literal["stop_played", "stop_covered", "wild", "reset", "deal", "correct"]


class BaseRuling(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="ruling", omit_defaults=True, gc=False
):
    """What all rulings share; `rule` is the number of the rule that decided, if one did."""

    rule: str | None = None


class Spill(BaseRuling, frozen=True, kw_only=True, tag="spill"):
    by: str | None
    trays: tuple[str, ...]
    no_fault: bool = False


class Left(BaseRuling, frozen=True, kw_only=True, tag="left"):
    player: str


class Joined(BaseRuling, frozen=True, kw_only=True, tag="joined"):
    player: str


class StealUndone(BaseRuling, frozen=True, kw_only=True, tag="steal_undone"):
    player: str


class Played(BaseRuling, frozen=True, kw_only=True, tag="played"):
    player: str
    card: str
    tray: str | None = None


class Steal(BaseRuling, frozen=True, kw_only=True, tag="steal", rename={"victim": "from"}):
    player: str
    victim: str
    card: str


class Refused(BaseRuling, frozen=True, kw_only=True, tag="refused"):
    code: str
    message: str = ""


class ColourChosen(BaseRuling, frozen=True, kw_only=True, tag="colour"):
    colour: str
    tray: str | None = None


class Uno(BaseRuling, frozen=True, kw_only=True, tag="uno"):
    player: str


class UnoCaught(BaseRuling, frozen=True, kw_only=True, tag="uno_caught"):
    player: str


class UnoSafe(BaseRuling, frozen=True, kw_only=True, tag="uno_safe"):
    player: str


class Penalty(BaseRuling, frozen=True, kw_only=True, tag="penalty"):
    player: str
    count: int
    reason: PenaltyReason


class Tilt(BaseRuling, frozen=True, kw_only=True, tag="tilt"):
    by: str
    tray: str
    order: tuple[str, ...]


class TiltOver(BaseRuling, frozen=True, kw_only=True, tag="tilt_over"):
    by: str | None


class Direction(BaseRuling, frozen=True, kw_only=True, tag="direction"):
    direction: Literal[1, -1]


class Reshuffle(BaseRuling, frozen=True, kw_only=True, tag="reshuffle"):
    count: int


class Drawn(BaseRuling, frozen=True, kw_only=True, tag="drawn"):
    player: str
    count: int


class Draw(BaseRuling, frozen=True, kw_only=True, tag="draw"):
    player: str
    count: int
    reason: DrawReason


class Battle(BaseRuling, frozen=True, kw_only=True, tag="battle"):
    total: int


class TurnLost(BaseRuling, frozen=True, kw_only=True, tag="turn_lost"):
    player: str
    reason: LostReason


class TrayStatus(BaseRuling, frozen=True, kw_only=True, tag="tray"):
    tray: str
    open: bool
    reason: TrayReason


class Reset(BaseRuling, frozen=True, kw_only=True, tag="reset"):
    left: tuple[str, ...]
    right: tuple[str, ...]
    set_aside: int


class ChooseColour(BaseRuling, frozen=True, kw_only=True, tag="choose_colour"):
    player: str
    tray: str | None = None


class GoingOut(BaseRuling, frozen=True, kw_only=True, tag="going_out"):
    player: str


class RoundOver(BaseRuling, frozen=True, kw_only=True, tag="round_over"):
    player: str | None


class Scored(BaseRuling, frozen=True, kw_only=True, tag="scored"):
    player: str
    points: int
    total: int


class GameOver(BaseRuling, frozen=True, kw_only=True, tag="game_over"):
    winner: str | None
    scores: dict[str, int]
    tied: tuple[str, ...] | None = None
    shared: bool = False


class SuddenDeath(BaseRuling, frozen=True, kw_only=True, tag="sudden_death"):
    players: tuple[str, ...]


class TieBreak(BaseRuling, frozen=True, kw_only=True, tag="tie_break"):
    players: tuple[str, ...]
    by: Literal["rps", "rounds"]


class Dealt(BaseRuling, frozen=True, kw_only=True, tag="dealt"):
    player: str
    count: int


class Turn(BaseRuling, frozen=True, kw_only=True, tag="turn"):
    player: str | None
    """None only after an `undo` that leads back to where nobody has a turn."""


Ruling: TypeAlias = (
    Spill
    | Left
    | Joined
    | StealUndone
    | Played
    | Steal
    | Refused
    | ColourChosen
    | Uno
    | UnoCaught
    | UnoSafe
    | Penalty
    | Tilt
    | TiltOver
    | Direction
    | Reshuffle
    | Drawn
    | Draw
    | Battle
    | TurnLost
    | TrayStatus
    | Reset
    | ChooseColour
    | GoingOut
    | RoundOver
    | Scored
    | GameOver
    | SuddenDeath
    | TieBreak
    | Dealt
    | Turn
)

ORDER: tuple[type[BaseRuling], ...] = get_args(Ruling)
"""The order of rulings in one answer (protocol, fine print 11): that in which they stand above."""
