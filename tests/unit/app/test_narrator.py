"""The story in the terminal: who leads by the game's own rules, and what keeps it from going on."""

import io

import pytest
from rich.console import Console

from companion.display.surroundings import Surroundings
from companion.games.commands import Command, Correct, Deal, Hands, Play, Start
from companion.narrator import Narrator
from companion.table.table import Table
from companion.table.taps import Tap
from companion.units import MonoSeconds


def progress_of(*told: Command) -> str:
    """What a terminal shows of the table after these commands."""
    terminal, table = io.StringIO(), Table()
    for second, command in enumerate(told):
        table.feed(Tap(MonoSeconds(second), command))
    narrator = Narrator(Console(file=terminal, force_terminal=True, width=100, color_system=None))
    narrator.open()
    narrator.show(table, Surroundings(MonoSeconds(60.0)))
    narrator.close()
    return terminal.getvalue()


def one_round(**start: object) -> tuple[Command, ...]:
    """Ann goes out; Ben is left with 9 points and Cem with 20."""
    players = ("Ann", "Ben", "Cem")
    return (
        Start(players=players, **start),  # type: ignore[arg-type]  # what a start may say
        Deal(top="R5"),
        Correct(hand={"Ann": 1}, turn="Ann"),
        Play(card="R7"),
        Hands(points={"Ben": 9, "Cem": 20}),
    )


@pytest.mark.parametrize(
    ("start", "leads"),
    [
        ({"game": "classic"}, "Ann leads with 29 of 500"),
        ({"game": "classic", "options": {"target": 300}}, "Ann leads with 29 of 300"),
        ({"game": "classic", "options": {"scoring": "running"}}, "Ann leads with 0, 20 of 500"),
        ({"game": "battle"}, "Ann leads with 0, 20 of 100"),
    ],
)
def test_the_leader_and_the_target_are_the_games_own(start: dict[str, object], leads: str) -> None:
    """Where low wins the lowest leads, and the highest brings the end (C31, H24)."""
    assert leads in progress_of(*one_round(**start))


def test_nobody_leads_before_the_first_count() -> None:
    assert "leads" not in progress_of(*one_round(game="battle")[:3])


def test_what_keeps_the_companion_from_going_on_is_said_once_and_its_end_too() -> None:
    terminal, table = io.StringIO(), Table()
    narrator = Narrator(Console(file=terminal, width=100))
    for trouble in ("", "The disk is full.", "The disk is full.", "", ""):
        narrator.show(table, Surroundings(MonoSeconds(60.0), trouble=trouble))
    assert terminal.getvalue().splitlines() == [
        "The disk is full.",
        "The journal can be written again.",
    ]
