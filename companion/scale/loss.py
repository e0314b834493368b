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
    gone: dict[Tray, int]
    """The loss that goes with `wholes_g`, by which it is dated; as many cards weigh alike, not
    always the one that is told."""


def loss_of(
    trays: Sequence[TrayCards], flats: Sequence[Flat], missing: Missing, gain: float
) -> Loss:
    """The loss that explains these weights."""
    wholes_g = {
        tray.tray: tray.whole_g(flat.until_s, missing.gone_share)
        for tray, flat in zip(trays, flats, strict=True)
    }
    lost = _of_both(trays, missing.lost)
    reasons = _reasons(lost, missing.share, gain)
    return Loss(lost, wholes_g, reasons, _of_both(trays, missing.gone or missing.lost))


def described(trays: list[TrayCards], weighed: Weighed, wholes_g: dict[Tray, float]) -> Loss | None:
    """The loss that an explanation speaks of, if "no card was lost" is much worse."""
    lost = _of_both(trays, [max(0, -change) for change in weighed.changes])
    gain = weighed.cost_unchanged - weighed.cost
    surely = -sum(weighed.changes) - sum(tray.doubted for tray in trays)
    if surely <= 0 or gain < MARGIN or weighed.misfit > MISFIT:
        return None
    return Loss(lost, wholes_g, _reasons(lost, weighed.share, gain), lost)


def _of_both(trays: Sequence[TrayCards], losses: Sequence[int]) -> dict[Tray, int]:
    """What each tray has lost; one that was not looked at is said to have lost nothing."""
    seen = {tray.tray: lost for tray, lost in zip(trays, losses, strict=True)}
    return {tray: seen.get(tray, 0) for tray in Tray}


def _reasons(lost: Mapping[Tray, int], share: float, gain: float) -> tuple[str, ...]:
    return (
        f"{lost[Tray.LEFT]} and {lost[Tray.RIGHT]} cards' weight is gone, the beam's tilt "
        f"takes {-share:.1%}",
        f"that no card was lost fits worse by {gain:.0f}",
    )
