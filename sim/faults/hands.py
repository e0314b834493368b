"""Adversity of hands and of timing: habits that people have at the scale.

What each habit does is written in `sim.habits` and `sim.fussing`; here they only get their names.
"""

from dataclasses import replace
from random import Random

from sim.faults.adversity import Adversity, Install, Table
from sim.setup import Setup


def habits(*names: str) -> Install:
    """Gives the people of a table these habits."""

    def install(table: Table, rng: Random) -> None:  # noqa: ARG001 - habits share one stream
        table.habits.names.update(names)

    return install


_HABITS = {
    "hands": {
        "press": "A hand presses on the tray while placing (20-400 g, 0.1-1.5 s).",
        "soft": "A card is laid down so softly that nothing jumps.",
        "drop": "A card is dropped from a height.",
        "half_in": "Half of a card goes in, and it is pushed home later.",
        "two_stuck": "Two cards stick together; one is taken back.",
        "take_back": "Somebody takes a card back and plays on.",
        "wrong_card": "Somebody puts a card down that does not go, and takes it back.",
        "adjust": "A hand adjusts another card.",
        "hold": "A hand holds the tray still while placing.",
        "steady": "Somebody steadies the beam.",
        "look_under": "Somebody lifts a tray to look under it.",
        "clumsy": "A hand pushes the tray so hard that the beam swings far.",
        "careless": "People put their cards where the scale leans already.",
        "hurry": "The next card comes while the other tray still swings.",
    },
    "timing": {
        "draw_mid_tip": "The next player draws in the middle of a tip.",
        "play_mid_tip": "The next player discards in the middle of a tip.",
        "play_at_spill": "A card is put down at the very moment of a spill.",
        "quick_plays": "Plays come 0.4 s apart.",
    },
}

_WITH_TIPS = frozenset({"careless", "draw_mid_tip", "play_mid_tip", "play_at_spill"})
"""What needs a scale that tips often enough to be seen."""


def _touchy(setup: Setup, rng: Random) -> Setup:
    shape = replace(setup.shape, stiffness=rng.uniform(0.13, 0.18))
    return replace(setup, shape=shape)


HANDS = tuple(
    Adversity(
        name,
        group,
        sentence,
        change=_touchy if name in _WITH_TIPS else None,
        install=habits(name, "careless") if name in _WITH_TIPS else habits(name),
    )
    for group, named in _HABITS.items()
    for name, sentence in named.items()
)
