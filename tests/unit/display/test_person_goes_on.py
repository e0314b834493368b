"""A person's game on the simulated scale goes on after the companion was killed, hand and all."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.clock import PacedClock
from companion.display.bodies import PersonBody
from companion.errors import Refused
from companion.games.decks import tippo_deck
from companion.games.referee import Phase
from companion.games.tippo.state import TippoState
from companion.journal.journal import Journal
from companion.table.table import Table
from companion.table.taps import decode_tap_fields
from companion.units import MonoSeconds
from sim.board import SimulatedTable
from sim.interrupted import Interrupted
from sim.party import Plan
from tests.unit.display.eyes import Eyes
from tests.unit.display.test_person import ME, person_at_scale, tap_for

PATIENCE_S = 250.0
PLAN = Plan(3, (ME, "Ann", "Ben"), people=("Ann", "Ben"), sps=10, mode="full")


class Sitting:
    """The person's table from the start of the program to a pulled plug."""

    def __init__(self, journal: Journal, *, resume: bool) -> None:
        self.clock, self.eyes = PacedClock(0.0), Eyes()
        self.app, self.sim = person_at_scale(PLAN, self.clock, self.eyes, journal)
        unfinished = journal.unfinished(simulated=True)
        if resume:
            assert unfinished is not None
            self.app.resume()
            self.app.catch_up(self.clock, MonoSeconds(unfinished.last_s))
        else:
            self.app.tell(tuple(decode_tap_fields(fields) for fields in self.sim.opening))

    @property
    def state(self) -> TippoState:
        state = self.app.table.state
        assert isinstance(state, TippoState)
        return state

    @property
    def hand(self) -> list[str]:
        return sorted(map(str, self.sim.hand_of(ME)))

    def turns(self) -> Iterator[None]:
        """Every third of a second; the person plays what fits, or draws."""
        wait, until_s = 0, self.clock.mono() + PATIENCE_S
        while self.clock.mono() < until_s:
            self.app.step(self.clock.mono())
            self.clock.sleep(1 / 3)
            if self.app.table.state is None:
                continue
            yield
            wait -= 1
            screen = self.eyes.screen
            touch = tap_for(self.state, screen) if screen is not None and wait <= 0 else None
            if touch is not None:
                self.eyes.queue.append(touch)
                wait = 6


def test_the_hand_and_the_trays_are_as_they_were_and_play_goes_on(tmp_path: Path) -> None:
    """Killed when the person has played a card; the next one is played in the next sitting."""
    path = tmp_path / "journal.sqlite"
    before: tuple[object, list[str]] | None = None
    for sitting_number in range(2):
        with Journal.open(path) as journal:
            sitting = Sitting(journal, resume=before is not None)
            if before is not None:
                assert (sitting.state.as_json(), sitting.hand) == before
            held = len(sitting.hand)
            for _ in sitting.turns():
                settled = (
                    sitting.state.phase is Phase.PLAY
                    and len(sitting.hand) == (sitting.state.hands[ME])
                )
                if settled and held and len(sitting.hand) < held:
                    break
                held = max(held, len(sitting.hand))
            else:
                raise AssertionError(f"the person never played a card in sitting {sitting_number}")
            assert isinstance(sitting.eyes.screen and sitting.eyes.screen.body, PersonBody)
            before = sitting.state.as_json(), sitting.hand


def test_a_card_is_in_one_place_when_the_game_goes_on(tmp_path: Path) -> None:
    """All 112 cards are somewhere at the table, none of them twice."""
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        sitting = Sitting(journal, resume=False)
        for _ in sitting.turns():
            if sitting.clock.mono() > 60.0:
                break
        sitting.app.quit()
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        sitting = Sitting(journal, resume=True)
        people = sitting.sim.party.people
        cards = [*people.deck, *people.aside]
        for pile in (*people.hands.values(), *people.piles.values()):
            cards += pile
        assert len(cards) in (111, 112)  # one may have been on its way
        assert not Counter(cards) - Counter(tippo_deck())


def test_what_is_no_table_of_cards_is_refused() -> None:
    """A journal of another version does not make a table up."""
    table = Table()
    for held in ({}, {"hands": {ME: ["zzz"]}, "deck": [], "aside": [], "piles": {}}):
        with pytest.raises(Refused, match="--new"):
            Interrupted.of(_state(table), held)


def _state(table: Table) -> TippoState:
    for fields in SimulatedTable(PLAN, PacedClock(0.0)).opening:
        table.tap(decode_tap_fields(fields))
    assert isinstance(table.state, TippoState)
    return table.state
