"""Lamps and buzzer say what the table has ruled, and of several things the most important."""

import pytest

from companion.games import rulings
from companion.games.commands import Command, Deal, Play, Reset, Spill, Start
from companion.games.referee import Code, refusal
from companion.games.rulings import Ruling
from companion.ports import Lamp, Sound
from companion.signals import lamps_of, sound_of
from companion.table.outcomes import Declined, Outcome, Ruled
from companion.table.table import Table
from companion.table.taps import Tap
from companion.units import MonoSeconds

AT = MonoSeconds(1.0)
TIPPO = Start(game="tippo", players=("Ann", "Ben"))
PLAYED = rulings.Played(player="Ann", card="R7", tray="left")
SPILL = rulings.Spill(by="Ann", trays=("left",))
OUT = rulings.RoundOver(player="Ann")
WON = rulings.GameOver(winner="Ann", scores={})
DECLINED = Declined(AT, refusal(Code.NO_MATCH, "It does not fit"))


def ruled(*told: Ruling) -> list[Outcome]:
    return [Ruled(AT, ruling, 1) for ruling in told]


@pytest.mark.parametrize(
    ("told", "lamps"),
    [
        ((), (Lamp.OFF, Lamp.OFF)),
        ((TIPPO,), (Lamp.OFF, Lamp.OFF)),
        ((TIPPO, Deal(left="R5", right="G3")), (Lamp.OPEN, Lamp.OPEN)),
        ((TIPPO, Deal(left="R5!", right="G3")), (Lamp.STOP, Lamp.OPEN)),
        ((TIPPO, Deal(left="R5!", right="G3"), Spill()), (Lamp.ALERT, Lamp.ALERT)),
        ((TIPPO, Deal(left="R5!", right="G3"), Spill(), Reset()), (Lamp.STOP, Lamp.OPEN)),
        ((Start(game="classic", players=("Ann", "Ben")), Deal(top="R5")), (Lamp.OFF, Lamp.OFF)),
        ((TIPPO, Deal(left="R5", right="G3"), Play(card="R9", tray="left")), (Lamp.OPEN,) * 2),
    ],
)
def test_the_lamps_follow_the_trays(told: tuple[Command, ...], lamps: tuple[Lamp, Lamp]) -> None:
    table = Table()
    for second, command in enumerate(told):
        table.feed(Tap(MonoSeconds(second), command))
    assert tuple(lamps_of(table).values()) == lamps


@pytest.mark.parametrize(
    ("told", "sound"),
    [
        ([], None),
        (ruled(rulings.Turn(player="Ann")), None),
        (ruled(PLAYED), Sound.PLACED),
        (ruled(PLAYED, rulings.Uno(player="Ann")), Sound.UNO),
        (ruled(PLAYED, rulings.UnoCaught(player="Ann")), Sound.UNO),
        (ruled(rulings.Uno(player="Ann"), OUT), Sound.ROUND_OVER),
        (ruled(WON), Sound.ROUND_OVER),
        (ruled(PLAYED, OUT, SPILL), Sound.SPILL),
        ([DECLINED], Sound.REFUSED),
        ([DECLINED, *ruled(PLAYED)], Sound.PLACED),
    ],
)
def test_one_sound_says_the_most_important_of_a_moment(
    told: list[Outcome], sound: Sound | None
) -> None:
    assert sound_of(told) is sound
