"""What the first moments of a motion tell: a hand on one tray, a knock on both, a falling beam.

It never waits for a rest; what it says is said of a scale that is still moving.
"""

from itertools import accumulate

from companion.scale.balance import Balance
from companion.scale.motion import reading_at
from companion.scale.together import INERTIA_SHARE, PUSH_CARDS, RINGS, Touch, moments
from companion.scale.trays import TrayCards
from companion.units import Tray

LEAD_PERIODS = 1.25
"""Two cells read the same moment up to one period apart."""
HALF_STEP_PERIODS = 2.0
"""A slow cell shows half of a step later than a fast one does."""
LEAD_S = 0.04
"""A hand that is on its tray this long before anything stirs on the other touches that one."""
FIRST_S = 0.06
ECHO_SHARE = 0.35
"""What a push on one tray may show on the other in its first moments, arms and base being stiff;
a knock on the table and a falling beam show on both alike."""
SLOW_ECHO_SHARE = 0.5
"""Between two readings of a slow cell a beam may already have begun to fall."""
PULLED_READINGS = 2
JUST_COUNTED_S = 1.5
"""So soon after a card was counted nobody has put down another; a scale takes its time to tip."""
UNSEEN_PERIODS = 1.6
"""A filter of four conversions shows by then what was there when the switch closed."""
UNSEEN_FALL_S = 0.3
"""So long before the switch closes a beam may have begun to fall."""
FALLING_S, PRESSED_S = 0.05, 0.6
"""Around the switch's closing, and how long before it a hand may have begun to press."""
PRESSED_SHARE = 0.15
"""No beam presses so much as it begins to fall: a hand is still there, and it goes down with it."""
PRESSED_PART = 0.3
"""A falling beam takes from one tray's share what it adds to the other's; a hand only adds."""
STEEPEST_SWITCH_SHARE = -0.1
"""cos 26 degrees: every switch has closed by then."""
GATHERS_SHARE = 0.005
"""A beam that gathers speed by less takes over a second to a switch: to 15 degrees of 10 cm."""
TOUCHED_SHARE = 2 * GATHERS_SHARE
"""A touch lasts well under a second: what goes down away from it does so faster."""
FALLING_SHARE = 0.05
"""A twentieth of g: what a beam gathers in its first degrees past the edge."""


def touch(balance: Balance, tray: TrayCards, end_s: float) -> Touch | None:
    """What was put on this tray alone before `end_s`, if anything."""
    cell, other = tray.cell, balance.other(tray)
    if not _moves(tray):
        return None
    came_s = cell.left_base_s(end_s)
    # What moved the other tray before it last rested is in its trail no more.
    began_s = max(came_s, other.cell.stirred_s)
    answered_s = _answered_s(balance, tray, end_s)
    period_s = max(cell.cadence.period_s, other.cell.cadence.period_s)
    enough_g = max(PUSH_CARDS * tray.card_g, 3 * cell.sigma_g)
    smeared_s = HALF_STEP_PERIODS * (other.cell.cadence.period_s - cell.cadence.period_s)
    if answered_s - began_s > max(LEAD_S, LEAD_PERIODS * period_s + max(0.0, smeared_s)):
        alone = cell.between(began_s, answered_s)[1:]
        late = alone[-max(2, len(alone) // 3) :]
        # A card that is laid down weighs more and more; one that drops rings about its weight.
        if max(_mean(late), _mean(alone)) > enough_g and not _swings(
            other, alone, began_s, answered_s
        ):
            return Touch(came_s, max(alone), lies=False)
    if not other.sighted or _unseen(other, end_s):
        pushed = cell.between(began_s, end_s + period_s)
        goes_down = _falling_unseen(balance, end_s) is tray.tray
        if not goes_down or max(pushed, default=0.0) < enough_g:
            return None
        return Touch(began_s, max(pushed), lies=False)
    first_s = began_s + max(FIRST_S, 2.2 * period_s)
    mine, theirs = cell.between(began_s, first_s)[1:], other.cell.between(began_s, first_s)
    echo_g, unrest_g = _mean([abs(g) for g in theirs]), _mean([abs(g) for g in mine])
    if _mean(mine[:2]) >= enough_g and echo_g <= ECHO_SHARE * unrest_g + 2 * other.cell.sigma_g:
        return Touch(began_s, max(mine), lies=False)
    smeared = cell.cadence.fast and not other.cell.cadence.fast
    if smeared or falling_side(balance, end_s, None) is not tray.tray:
        return None
    return _pressed_touch(tray, other, began_s, end_s) or _leaned_on(tray, other, began_s, end_s)


def _swings(other: TrayCards, alone: list[float], begin_s: float, end_s: float) -> bool:
    """True if the other tray was away from its base all the while, and only came back to it."""
    echoes_g = [abs(away_g) for away_g in other.cell.between(begin_s, end_s)]
    unrest_g = _mean([abs(away_g) for away_g in alone])
    return _mean(echoes_g) > ECHO_SHARE * unrest_g + 2 * other.cell.sigma_g


def _leaned_on(tray: TrayCards, other: TrayCards, began_s: float, end_s: float) -> Touch | None:
    """The same where the hand pressed so hard that the beam turned freely under it.

    That presses on the tray which rises too, but less: its own inertia, without the beam's.
    """
    if not tray.cell.cadence.fast:
        return None
    after_s = end_s + FALLING_S
    mine, theirs = tray.cell.between(began_s, after_s), other.cell.between(began_s, after_s)
    push_g, answer_g = _mean(mine), _mean(theirs)
    if push_g < PUSH_CARDS * tray.card_g or min(mine) < -RINGS * max(mine):
        return None
    rises = -RINGS * push_g < answer_g < INERTIA_SHARE * push_g
    return Touch(began_s, max(mine), lies=False) if rises else None


def _pressed_touch(tray: TrayCards, other: TrayCards, began_s: float, end_s: float) -> Touch | None:
    """The same where the hand was light at first, or a filter of four readings spreads its touch
    over the fall that follows it.

    A knock moves both trays alike, a falling beam in opposite sense, and this tray goes down: what
    rose far above the other one at the same moment was put there. A fast cell rings: with it a
    moment lasts as long as a first touch.
    """
    mine, theirs = tray.cell, other.cell
    period_s = theirs.cadence.period_s
    share, count = SLOW_ECHO_SHARE, 1
    if mine.cadence.fast:
        share, count = ECHO_SHARE, round(FIRST_S / mine.cadence.period_s)
    readings = mine.readings_between(began_s, end_s + period_s)
    pushes_g = [away_g for _, away_g in readings]
    lowest_g = list(accumulate(pushes_g, min))
    around = theirs.readings_between(began_s - 2 * period_s, end_s + 2 * period_s)
    if around:  # a cell that is read earlier did not feel it earlier
        around.insert(0, (around[0][0] - period_s, 0.0))
    echoes_g = [abs(reading_at(around, at_s)) if around else 0.0 for at_s, _ in readings]
    for first in range(len(readings) - count + 1):
        push_g = _mean(pushes_g[first : first + count])
        rings = mine.cadence.fast and -lowest_g[first + count - 1] > RINGS * push_g
        if push_g < PUSH_CARDS * tray.card_g or rings:
            continue
        echo_g = _mean(echoes_g[first : first + count])
        if echo_g - 2 * theirs.sigma_g < share * push_g:
            return Touch(began_s, push_g, lies=False)
    return None


def unseen_touch(balance: Balance, end_s: float) -> tuple[TrayCards, Touch] | None:
    """The tray that goes down although nobody saw why, and since when somebody may have put
    something in it: its cell said nothing in the moments before `end_s`.

    A scale that rested tips, nearly always, because something is put in a tray; and if it was a
    knock on the table, people can say so.
    """
    if any(tray.fresh and end_s - tray.fresh.at_s < JUST_COUNTED_S for tray in balance.trays):
        return None  # that card has tipped it
    unseen = [tray for tray in balance.trays if _unseen(tray, end_s)]
    side = _falling_unseen(balance, end_s)
    if side is None and len(unseen) == 1:
        side = unseen[0].tray
    for tray in unseen:
        if tray.tray is side:
            began_s = max(tray.cell.onset_s, end_s - UNSEEN_FALL_S)
            return tray, Touch(began_s, 0.0, lies=False)
    return None


def _unseen(tray: TrayCards, end_s: float) -> bool:
    """True if the cell gave less than half of its readings in the moments around `end_s`."""
    cell = tray.cell
    if not tray.known or not cell.moving or cell.onset_s > end_s - UNSEEN_FALL_S:
        return False
    begin_s, after_s = end_s - UNSEEN_FALL_S, end_s + UNSEEN_PERIODS * cell.cadence.period_s
    expected = (after_s - begin_s) / cell.cadence.period_s
    return len(cell.between(begin_s, after_s)) < expected / 2


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def pulled_first(balance: Balance, tray: TrayCards, end_s: float) -> bool:
    """True if a hand lifted something from this tray alone before the beam answered."""
    cell = tray.cell
    if not _moves(tray) or not balance.other(tray).sighted:
        return False  # a tray that goes down weighs less too
    began_s = cell.left_base_s(end_s)
    if began_s > end_s:
        return False
    answered_s = _answered_s(balance, tray, end_s)
    alone = cell.between(began_s, answered_s)[1:]
    pulled = sum(away_g < -PUSH_CARDS * tray.card_g - 2 * cell.sigma_g for away_g in alone)
    return pulled >= PULLED_READINGS


def falling_side(balance: Balance, closed_s: float, touched: Tray | None) -> Tray | None:
    """The side that goes down: it weighs less while it gathers speed, the other one more.

    Where a hand presses on one tray the beam goes down with it, whatever the other one shows.
    """
    fast = all(tray.cell.cadence.fast for tray in balance.sighted())
    shares = {
        tray.tray: _mean(tray.cell.between(*_passing(tray, closed_s))) / tray.gross_g
        for tray in balance.sighted()
    }
    left, right = shares.get(Tray.LEFT, 0.0), shares.get(Tray.RIGHT, 0.0)
    if touched is not None:
        goes_down = _goes_down(balance, touched, closed_s, shares, fast=fast)
        return touched if goes_down else touched.other
    sunk = [tray.tray for tray in balance.sighted() if _sank(balance, tray, closed_s)]
    if len(sunk) == 1:
        return sunk[0]
    pressed = _pressed_down(balance, closed_s) if fast else None
    if pressed is not None:
        return pressed
    if abs(left - right) <= FALLING_SHARE:
        return heavier_side(balance)
    both_heavier = left + right > abs(left - right)
    return Tray.LEFT if (left > right) is both_heavier else Tray.RIGHT


def _goes_down(
    balance: Balance, touched: Tray, closed_s: float, shares: dict[Tray, float], *, fast: bool
) -> bool:
    """True if the tray into which something was put goes down with it."""
    tray = balance.left if touched is Tray.LEFT else balance.right
    mine = shares.get(touched, 0.0) - tray.card_g / tray.gross_g
    theirs = shares.get(touched.other, 0.0)
    if mine > PRESSED_SHARE or theirs >= 0.0:
        return True
    # An angle takes the same share of both: what only one of them lost shows where the beam goes.
    if mine - theirs > TOUCHED_SHARE and _sank(balance, balance.other(tray), closed_s):
        return False
    return fast or theirs > min(mine, 0.0) - FALLING_SHARE


def _sank(balance: Balance, tray: TrayCards, closed_s: float) -> bool:
    """True if this tray, at which no hand is, has gathered speed downwards until the switch closed.

    A tray weighs less as it is accelerated down, and for the beam's angle. That grows from nothing
    to what the tray shows in the end, faster and faster: on the mean it makes up less than half.
    """
    shown = moments(balance, closed_s)
    passing = [m.of(tray.tray) for m in shown if m.at_s > closed_s - 2 * FALLING_S]
    angle_g = max(_mean(passing), STEEPEST_SWITCH_SHARE * tray.gross_g) / 2
    gathers_g = -GATHERS_SHARE * tray.gross_g
    return _mean([moment.of(tray.tray) for moment in shown]) < min(angle_g, gathers_g)


def _passing(tray: TrayCards, closed_s: float) -> tuple[float, float]:
    """The moments in which the beam passes the switch's angle, from when to when."""
    around_s = max(FALLING_S, tray.cell.cadence.period_s)
    return closed_s - around_s, closed_s + around_s


def _pressed_down(balance: Balance, closed_s: float) -> Tray | None:
    """The tray that was pressed until the beam passed the switch, whoever presses there now.

    Once the hand has gone, what held the beam still slows it down: its acceleration misleads.
    """
    trays = balance.sighted()
    added = {tray.tray: tray.cell.between(closed_s - PRESSED_S, closed_s) for tray in trays}
    if len(trays) < 2 or not all(added.values()):
        return None
    harder, softer = sorted(trays, key=lambda tray: -sum(added[tray.tray]))
    hand = added[harder.tray]
    if min(hand) < -RINGS * max(hand):
        return None  # a knock, or a beam that falls by itself
    push, answer = (sum(added[tray.tray]) / tray.gross_g for tray in (harder, softer))
    falls = FALLING_SHARE * FALLING_S / harder.cell.cadence.period_s
    return harder.tray if push > falls and answer > -PRESSED_PART * push else None


def heavier_side(balance: Balance) -> Tray | None:
    """The side with more cards: where the beam goes if nothing else pushes it."""
    left, right = balance.left, balance.right
    if not (left.known and right.known) or left.cards == right.cards:
        return None
    return Tray.LEFT if left.cards > right.cards else Tray.RIGHT


def _moves(tray: TrayCards) -> bool:
    return tray.sighted and tray.cell.moving and tray.cell.base is not None


def _answered_s(balance: Balance, tray: TrayCards, end_s: float) -> float:
    """When the other tray began to move, or must have if its cell said nothing.

    A tray that goes down weighs less for it: what pushed it until then was no fall.
    """
    other = balance.other(tray)
    if other.sighted and not _unseen(other, end_s):
        return other.cell.left_base_s(end_s) if _moves(other) else end_s
    return end_s if _falling_unseen(balance, end_s) is tray.tray else end_s - UNSEEN_FALL_S


def _falling_unseen(balance: Balance, end_s: float) -> Tray | None:
    """The side that goes down where one cell alone cannot tell a push from a rise."""
    return heavier_side(balance) or falling_side(balance, end_s, None)
