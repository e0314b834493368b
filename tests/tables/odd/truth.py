"""What really happened in a trace, as the statements that a judge's events are held against.

It never looks at a signal: a kind of trace writes its truth beside the forces that it applies.
"""

from dataclasses import dataclass, field

TRAYS = ("left", "right")


@dataclass(slots=True)
class Placing:
    """One card put in a tray by one hand (or `count` cards stuck together)."""

    tray: str
    contact: float
    off: float
    """When the hand has left and the card lies by itself."""
    count: int = 1
    sure: bool | None = None
    """True, False: so it must be said. None: either is right."""
    tips: bool = False
    """Its putting down tips the scale: it is decided before the tip, whatever the hand does."""
    slack: float = 0.0
    """Further seconds within which it may be decided (the scale still swings)."""
    leans_from: float | None = None
    """From then on it lies by itself, half out: it may be decided from there on."""
    anew: bool = False
    """It came to light after a fault: its own time cannot be known."""
    optional: bool = False
    """A shove that looks like a card: it may be reported, but never as sure."""


@dataclass(slots=True)
class Removal:
    tray: str
    begin: float
    end: float
    count: int = 1
    anew: bool = False
    slack: float = 0.0


@dataclass(slots=True)
class Tipping:
    """The beam past the switch's angle, from leaving level to its end."""

    begin: float
    """When the switch closes (or would)."""
    side: str | None
    ends: str
    """`wobble`, `spill`, `either` or `open` (still tipped as the trace ends)."""
    back: float
    """When the beam is level again or the hand takes hold of it: a spill is decided by then."""
    first_left: float | None = None
    lost: dict[str, list[float]] = field(default_factory=dict)
    """The moments at which cards left each tray."""
    optional: bool = False
    seen: bool = True
    """False: there is no working switch, its beginning is known from the cells alone."""
    side_unknown: bool = False
    """A cell is missing: any side may be named."""
    slack: float = 0.0
    """Further seconds for the verdict: a sensor that would have shown it at once is missing."""


@dataclass(slots=True)
class Rest:
    """The scale at rest while it is being set up after a spill (also the last, lasting rest)."""

    begin: float
    end: float
    left: int
    right: int
    slack: float = 0.0
    """Further seconds within which it may be written (a cell has only just come back)."""


@dataclass(slots=True)
class Pull:
    """Cards drawn from the pile on the deck's cell."""

    at: float
    off: float
    count: int = 1


@dataclass(slots=True)
class Failing:
    """A sensor that cannot be trusted: reported between `earliest` and `latest`."""

    sensor: str
    kinds: tuple[str, ...]
    earliest: float
    latest: float
    healed: float | None = None
    """When it works again; recovered is due within `recovery` seconds of it."""
    recovery: float = 3.0
    optional: bool = False


@dataclass(slots=True)
class Truth:
    placings: list[Placing] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    tippings: list[Tipping] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)
    pulls: list[Pull] = field(default_factory=list)
    failings: list[Failing] = field(default_factory=list)
    tip_windows: list[tuple[float, float]] = field(default_factory=list)
    """Times in which a tip that ends in a wobble may be seen or not: the scale is being carried."""
