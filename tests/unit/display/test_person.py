"""A person plays on the simulated scale, by what the display shows and what they tap."""

from collections.abc import Iterator

from companion.app import App
from companion.clock import Clock, VirtualClock
from companion.connected import Devices
from companion.display.bodies import ColourBody, PersonBody, RefusedBody
from companion.display.choice import Touch
from companion.display.desk import Desk
from companion.display.screen import Screen
from companion.display.wishes import TakeOut
from companion.games.referee import Phase
from companion.games.tippo.legality import fits
from companion.games.tippo.state import TippoState
from companion.journal.journal import Board, Journal
from companion.scale.calibration import Calibration
from companion.scale.judge import Judge
from companion.table.table import Table
from companion.table.taps import Mode, decode_tap_fields
from companion.units import Tray
from companion.watching import Watching
from sim.board import SimulatedTable
from sim.party import Plan
from tests.unit.display.eyes import Eyes

ME = "Mia"
PATIENCE_S = 150.0


def person_at_scale(
    plan: Plan, clock: Clock, eyes: Eyes, journal: Journal | None = None
) -> tuple[App, SimulatedTable]:
    """A loop, before its first turn, and the simulated scale at which a person plays along."""
    sim = SimulatedTable(plan, clock)
    sim.scale.open()
    watching = Watching(Table(Mode.FULL), Judge(Calibration.from_toml(sim.calibration)))
    board = Board("sim", simulated=True, plan={})
    devices = Devices(scale=sim.scale, company=sim, board=board, person_at_sim=True)
    return App(clock, watching, devices, Desk(eyes), journal=journal), sim


def evening(seed: int) -> Iterator[tuple[App, Eyes]]:
    """The person's table, every third of a second."""
    clock, eyes = VirtualClock(), Eyes()
    plan = Plan(seed, (ME, "Ann", "Ben"), people=("Ann", "Ben"), mode="full")
    app, sim = person_at_scale(plan, clock, eyes)
    app.tell(tuple(decode_tap_fields(fields) for fields in sim.opening))
    while clock.mono() < PATIENCE_S:
        app.step(clock.mono())
        clock.sleep(1 / 3)
        yield app, eyes


def tap_for(state: TippoState, screen: Screen) -> Touch | None:
    """What the person taps: a card that fits, then its tray; a colour; or DRAW and PASS."""
    body = screen.body
    if isinstance(body, ColourBody):
        return body.choices[0].touch
    if not isinstance(body, PersonBody) or state.turn != ME:
        return None
    taken = next((held for held in body.hand if held.chosen), None)
    for held in body.hand:
        for tray, picture in ((Tray.LEFT, body.balance.left), (Tray.RIGHT, body.balance.right)):
            if held.card is None or fits(state, held.card, tray) is not None:
                continue
            if taken is None:
                return held.touch
            if taken == held and picture.touch is not None:
                return picture.touch
    return screen.actions[0].touch if screen.actions and taken is None else None


def test_a_card_of_the_hand_is_taken_put_down_weighed_and_refereed() -> None:
    wait = 0
    held_before = 0
    for app, eyes in evening(seed=3):
        state, screen = app.table.state, eyes.screen
        wait -= 1
        if not isinstance(state, TippoState) or screen is None or wait > 0:
            continue
        if state.phase is Phase.PLAY and state.turn == ME:
            held_before = held_before or state.hands[ME]
        elif held_before and state.hands[ME] < held_before:
            body = screen.body
            if isinstance(body, PersonBody) and len(body.hand) == state.hands[ME]:
                return
        touch = tap_for(state, screen)
        if touch is not None:
            eyes.queue.append(touch)
            wait = 6
    raise AssertionError("the person never got a card into a tray")


def test_a_refused_card_is_taken_back_by_a_tap_on_its_tray() -> None:
    """U12: the card is the person's again, and another one can be played."""
    wait, refused, tries = 0, "", 0
    for app, eyes in evening(seed=3):
        state, screen = app.table.state, eyes.screen
        wait -= 1
        if not isinstance(state, TippoState) or screen is None or wait > 0:
            continue
        body = screen.body
        if isinstance(body, RefusedBody):
            eyes.queue.append(screen.actions[-1].touch)
        elif not isinstance(body, PersonBody) or state.turn != ME:
            continue
        elif refused and not app.table.strays:
            assert refused in [str(held.card) for held in body.hand]
            return
        elif refused:
            trays = [tray.touch for tray in (body.balance.left, body.balance.right)]
            assert trays == [TakeOut(Tray.LEFT), None]
            eyes.queue.append(trays[0])
        else:
            refused = put_down_what_does_not_fit(state, body, eyes)
            tries += 1
        wait = 8
    raise AssertionError(f"no card was refused and taken back in {tries} tries")


def put_down_what_does_not_fit(state: TippoState, body: PersonBody, eyes: Eyes) -> str:
    """Touches a card of the hand, then the left tray; the card, once it is on its way."""
    taken = next((held for held in body.hand if held.chosen), None)
    if taken is not None:
        eyes.queue.append(body.balance.left.touch)
        return str(taken.card)
    wrong = (h for h in body.hand if h.card and fits(state, h.card, Tray.LEFT) is not None)
    eyes.queue.append(next(wrong).touch)
    return ""
