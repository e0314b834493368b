"""A loss as the judge says it: whose cards, what the trays would weigh with them, and why.

It never looks for one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.scale.missing import Missing
from companion.scale.motion import Flat
from companion.scale.reference import MARGIN
from companion.scale.trays import TrayCards
from companion.scale.weighing import MISFIT, Weighed
from companion.units import Tray


@dataclass(frozen=True, slots=True)
class Loss:
    """The cards whose weight is missing."""

    lost: dict[Tray, int]
    wholes_g: dict[Tray, float]
    """What each tray would show with all its cards on the beam as it hangs now."""
    reasons: tuple[str, ...]


def loss_of(
    trays: Sequence[TrayCards], flats: Sequence[Flat], missing: Missing, gain: float
) -> Loss:
    """The loss that explains these weights."""
    lost = {Tray.LEFT: 0, Tray.RIGHT: 0}
    wholes_g = {}
    for tray, flat, count in zip(trays, flats, missing.lost, strict=True):
        lost[tray.tray] = count
        wholes_g[tray.tray] = tray.whole_g(flat.until_s, missing.share)
    return Loss(lost, wholes_g, _reasons(lost, missing.share, gain))


def described(trays: list[TrayCards], weighed: Weighed, wholes_g: dict[Tray, float]) -> Loss | None:
    """The loss that an explanation speaks of, if "no card was lost" is much worse."""
    lost = {Tray.LEFT: 0, Tray.RIGHT: 0}
    for tray, change in zip(trays, weighed.changes, strict=True):
        lost[tray.tray] = max(0, -change)
    gain = weighed.cost_unchanged - weighed.cost
    surely = -sum(weighed.changes) - sum(tray.doubted for tray in trays)
    if surely <= 0 or gain < MARGIN or weighed.misfit > MISFIT:
        return None
    return Loss(lost, wholes_g, _reasons(lost, weighed.share, gain))


def _reasons(lost: Mapping[Tray, int], share: float, gain: float) -> tuple[str, ...]:
    return (
        f"{lost[Tray.LEFT]} and {lost[Tray.RIGHT]} cards' weight is gone, the beam's tilt "
        f"takes {-share:.1%}",
        f"that no card was lost fits worse by {gain:.0f}",
    )
