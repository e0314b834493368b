"""What the display shows, as a value: one frozen Screen for everything that people can see.

This module never decides what is shown (`companion.display.view`) nor where
(`companion.display.layout`) nor how it is painted (`companion.display.paint`).
"""

from dataclasses import dataclass

from companion.display.bodies import Body
from companion.display.choice import Choice, Tone


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything on the display at one moment.

    `headline` is the one sentence that says what the table waits for; `who` is the name in it
    that stands out. `corner` is the way to the menu or back. `actions` are at the foot, and after
    them, always in the same place while a round runs, the `calls`: UNO and CATCH.
    """

    headline: str
    body: Body
    corner: Choice | None = None
    actions: tuple[Choice, ...] = ()
    calls: tuple[Choice, ...] = ()
    who: str = ""
    notice: str = ""
    """The last thing that happened, in a few words."""
    alert: str = ""
    """A fault of a sensor, in one sentence with what to do; empty while all is well."""
    simulated: bool = False
    tone: Tone = Tone.PLAIN
