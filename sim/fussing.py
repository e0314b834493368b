"""Scripts of fuss: hands that adjust, steady, look, take a card back, or put down two at once.

They never make a play; what they undo is undone in the truth as well.
"""

from companion.games import commands
from companion.games.cards import Card, Kind
from companion.games.referee import Phase
from companion.units import Tray
from sim.hands import Touch
from sim.people import People, Wait


def fuss(people: People, what: str | None, tray: Tray) -> Wait:
    """Somebody's hand is at the scale once more, for no good reason."""
    rng, world, now = people.rng, people.world, people.now_s
    if what not in ("adjust", "steady", "look_under") or world.tipped or people.interrupted():
        return
    people.witness.note(now, "adversity", name=what)
    match what:
        case "adjust":
            until = now + rng.uniform(0.3, 0.8)
            peak_g = rng.choice((-1.0, 1.0)) * rng.uniform(3.0, 20.0)
            where = rng.choice(list(Tray))
            world.touch(
                Touch(where, now, until, peak_g=peak_g, braced=0.85, tremor=0.3, plateau=0.5)
            )
        case "steady":
            until = now + rng.uniform(0.5, 2.0)
            world.touch(Touch(None, now, until, stiffness=2.0))
        case _:
            until = now + rng.uniform(0.6, 1.5)
            peak_g = -rng.uniform(8.0, 35.0)
            world.touch(
                Touch(tray, now, until, peak_g=peak_g, braced=0.97, stiffness=2.0, plateau=0.5)
            )
    yield from people.wait(until - now, heed=True)


def stuck_to(people: People, who: str, card: Card) -> Card | None:
    """Another card of the hand that sticks to the one that is about to be put down, if any."""
    others = [other for other in people.hands[who] if other is not card]
    if "two_stuck" not in people.habits.names or len(others) < 3:
        return None
    return people.rng.choice(others) if people.rng.random() < 0.3 else None


def take_extra_back(people: People, who: str, extra: Card, tray: Tray) -> Wait:
    """The one too many goes back into the hand, if it still lies there."""
    people.witness.note(people.now_s, "adversity", name="two_stuck")
    yield from take_off_again(people, who, extra, tray)


def take_off_again(people: People, who: str, card: Card, tray: Tray) -> Wait:
    """A card that never left its hand in the truth is taken off, if it still lies on top."""
    yield from people.wait(people.rng.uniform(0.8, 2.0), heed=True)
    if people.interrupted() or people.world.names(tray)[-1:] != (str(card),):
        return
    names = people.world.take(tray, 1, at_s=people.now_s)
    people.witness.intend(tray, names, who, "back")
    yield from people.wait(0.6, heed=True)


def take_refused_back(people: People, who: str, card: Card, tray: Tray) -> Wait:
    """A card that the display does not accept comes out again, unless others lie on it by now."""
    if people.alone or people.interrupted() or people.laid.hidden(who) <= 0:
        return
    if people.world.tipped or people.world.names(tray)[-1:] != (str(card),):
        return
    names = people.world.take(tray, 1, at_s=people.now_s)
    people.witness.intend(tray, names, who, "back")
    people.mean(commands.Undo())
    people.saw_taken(tray, 1)
    yield from people.wait(people.rng.uniform(1.2, 2.5), heed=True)


def may_take_back(people: People, card: Card) -> bool:
    """A plain card that has just been put down and has changed nothing that cannot be undone."""
    return (
        people.alone
        and card.kind in (Kind.NUMBER, Kind.STOP)
        and people.state.phase is Phase.PLAY
        and not people.world.tipped
    )


def take_back(people: People, who: str, tray: Tray) -> Wait:
    """Changes their mind: the card comes out again, and it is their turn as before."""
    rng = people.rng
    yield from people.wait(rng.uniform(0.8, 2.0), heed=True)
    if people.interrupted() or people.world.tipped:
        return
    people.witness.note(people.now_s, "adversity", name="take_back")
    names = people.world.take(tray, 1, at_s=people.now_s)
    people.witness.intend(tray, names, who, "back")
    people.mean(commands.Undo())
    people.saw_taken(tray, 1)
    yield from people.wait(rng.uniform(1.2, 2.5), heed=True)
