"""What the first moments of a motion tell: a hand on one tray, a knock on both, a falling beam.

It never waits for a rest; what it says is said of a scale that is still moving.
"""

from companion.scale.balance import Balance
from companion.scale.trays import TrayCards
from companion.units import Tray

FIRST_S = 0.08
"""A hand reaches its tray this long before the beam answers: the beam's own swing takes
a quarter of 0.3 s and more."""
ECHO_SHARE = 0.35
"""What a push on one tray may show on the other in that time, arms and base being stiff."""
FALLING_SHARE = 0.05
"""A twentieth of g: what a beam gathers in its first degrees past the edge."""


def touched_first_s(balance: Balance, tray: TrayCards, end_s: float) -> float | None:
    """When something was put on this tray alone before `end_s`, if it has not come to rest."""
    cell = tray.cell
    if not cell.moving or cell.base is None:
        return None
    began_s = cell.left_base_s(end_s)
    if began_s >= end_s:
        return None
    first_s = max(FIRST_S, 2.5 * cell.cadence.period_s)
    mine = cell.between(began_s, began_s + first_s)[1:]
    other = balance.other(tray)
    theirs = other.cell.between(began_s, began_s + first_s) if _moves(other) else []
    push_g = max(mine, default=0.0)
    echo_g = max(map(abs, theirs), default=0.0)
    if push_g < max(0.6 * tray.card_g, 4 * cell.sigma_g):
        return None
    if min(mine) < -0.5 * tray.card_g - 4 * cell.sigma_g:
        return None
    return began_s if echo_g < ECHO_SHARE * push_g + 0.3 * tray.card_g else None


def falling_side(balance: Balance, closed_s: float) -> Tray | None:
    """The side that goes down: it weighs less while it gathers speed, the other one more."""
    votes = 0.0
    for tray in balance.sighted():
        if not _moves(tray):
            continue
        began_s = tray.cell.left_base_s(closed_s)
        for away_g in tray.cell.between(began_s, closed_s + 0.1):
            if abs(away_g) > FALLING_SHARE * tray.gross_g + 4 * tray.cell.sigma_g:
                down = away_g < 0
                votes += 1 if down == (tray is balance.left) else -1
                break
    if votes:
        return Tray.LEFT if votes > 0 else Tray.RIGHT
    return heavier_side(balance)


def heavier_side(balance: Balance) -> Tray | None:
    """The side with more cards: where the beam goes if nothing else pushes it."""
    left, right = balance.left, balance.right
    if not (left.known and right.known) or left.cards == right.cards:
        return None
    return Tray.LEFT if left.cards > right.cards else Tray.RIGHT


def _moves(tray: TrayCards) -> bool:
    return tray.sighted and tray.cell.moving and tray.cell.base is not None
