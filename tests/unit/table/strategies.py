"""Arbitrary evenings: sensed events, taps and passing time in any order, sensible or not."""

from hypothesis import strategies as st

from companion.events import (
    Drawn,
    Fault,
    FaultKind,
    Level,
    Placed,
    Recovered,
    Removed,
    Sensed,
    Sensor,
    Spill,
    Tip,
    Wobble,
)
from companion.games import commands
from companion.games.commands import ColourText, TrayText
from companion.table.inputs import Counted, Heard, Input, Passed
from companion.table.taps import (
    AmendTap,
    AnswerTap,
    AsItLiesTap,
    CardTap,
    ForgetTap,
    ModeTap,
    NextTap,
    PauseTap,
    Said,
    Tap,
)
from companion.units import Grams, MonoSeconds, Tray

PLAYERS = ("Ann", "Ben", "Cleo")
CARDS = (
    *("R7", "R9", "G3", "G9", "R3!", "G3!", "B1", "R+2", "Grev", "Rskip"),
    *("W", "W+4", "Tilt", "?"),
)
COLOURS: tuple[ColourText, ...] = ("R", "Y", "G", "B")
TRAYS: tuple[TrayText, ...] = ("left", "right")
ANSWERS = ("yes", "no", "put back", "it is right as it is")
PAUSES_S = (0.0, 0.2, 0.7, 1.5, 3.0, 6.0)
LATE_S = (0.0, 0.0, 0.3, 0.9, 2.0)


def saying(kind: int, one: int, other: int) -> Said:
    """Something that people can say; `one` and `other` choose its particulars."""
    card, colour = CARDS[one % len(CARDS)], COLOURS[other % 4]
    player, another = PLAYERS[one % 3], PLAYERS[other % 3]
    choices: tuple[Said, ...] = (
        CardTap(card=card),
        CardTap(card=card, colour=colour),
        CardTap(card=card, player=another),
        commands.Play(card=card, tray=TRAYS[other % 2]),
        commands.Draw(),
        commands.Pass(),
        commands.NameColour(colour=colour),
        commands.Uno(player=player),
        commands.Catch(player=player, by=another),
        commands.Drop(card=card),
        commands.Spill(),
        commands.Spill(by=player),
        commands.Spill(no_fault=True),
        commands.Reset(),
        commands.Settled(),
        commands.Hands(points={player: 5, another: 7}, force=True),
        commands.Deal(left=card, right=CARDS[other]),
        commands.Leave(player=player),
        commands.Join(player="Dan"),
        commands.Correct(hand={player: other}),
        commands.Correct(turn=player),
        commands.Undo(),
        ModeTap(mode="quick" if other % 2 else "full"),
        AmendTap(act=one, card=CARDS[other % len(CARDS)], colour=colour),
        AnswerTap(question=1 + one % 4, answer=ANSWERS[other % 4]),
        NextTap(),
        ForgetTap(),
        PauseTap(on=other % 4 == 0),
        AsItLiesTap(),
    )
    return choices[kind % len(choices)]


def sensing(
    kind: int, one: int, other: int, began_s: MonoSeconds, decided_s: MonoSeconds
) -> Sensed:
    """Something that the judge can report."""
    tray, sensor = list(Tray)[one % 2], list(Sensor)[other % 4]
    lost = {tray: other}

    def placed(count: int, *, sure: bool) -> Placed:
        return Placed(
            began_s=began_s,
            decided_s=decided_s,
            tray=tray,
            count=count,
            grams=Grams(1.8),
            sure=sure,
        )

    choices: tuple[Sensed, ...] = (
        placed(1, sure=True),
        placed(1, sure=True),
        placed(1 + other % 2, sure=one % 3 > 0),
        Removed(
            began_s=began_s, decided_s=decided_s, tray=tray, count=1 + other % 2, grams=Grams(1.8)
        ),
        Spill(began_s=began_s, decided_s=decided_s, trays=(tray,), lost=lost, sure=one % 4 > 0),
        Level(began_s=began_s, decided_s=decided_s, left=one % 4, right=other),
        Level(began_s=began_s, decided_s=decided_s, left=2, right=1 + other % 2),
        Tip(began_s=began_s, decided_s=decided_s, side=tray),
        Wobble(began_s=began_s, decided_s=decided_s),
        Fault(began_s=began_s, decided_s=decided_s, sensor=sensor, kind=FaultKind.SILENT),
        Recovered(began_s=began_s, decided_s=decided_s, sensor=sensor, kind=FaultKind.SILENT),
        Drawn(began_s=began_s, decided_s=decided_s, count=1),
    )
    return choices[kind % len(choices)]


_Choice = tuple[int, int, int, int, int]
_CHOICES = st.tuples(
    st.integers(0, 59), st.integers(0, 13), st.integers(0, 3), st.integers(0, 5), st.integers(0, 4)
)


def evenings(*, most: int = 30) -> st.SearchStrategy[list[Input]]:
    """A game of Tippo that has been dealt, and anything after it, in the order of deciding."""
    return st.lists(_CHOICES, min_size=1, max_size=most).map(_evening)


def _evening(choices: list[_Choice]) -> list[Input]:
    evening: list[Input] = [
        Counted(MonoSeconds(0.0), 1, 1),
        Tap(MonoSeconds(0.0), commands.Start(game="tippo", players=PLAYERS)),
        Tap(MonoSeconds(0.0), commands.Deal(left="R5", right="G3")),
    ]
    now = 0.0
    for kind, one, other, pause, late in choices:
        now += PAUSES_S[pause]
        began_s = MonoSeconds(max(0.0, now - LATE_S[late]))
        if kind < 24:
            evening.append(Heard(sensing(kind, one, other, began_s, MonoSeconds(now))))
        elif kind < 28:
            evening.append(Passed(MonoSeconds(now), 15.0 * (one % 2)))
        else:
            evening.append(Tap(began_s, saying(kind - 28, one, other)))
    return evening
