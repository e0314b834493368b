"""Cards that the display refuses at a table where a person plays: none of the box is ever lost."""

from collections import Counter

import pytest

from companion.clock import VirtualClock
from companion.games import commands
from companion.games.cards import Card
from companion.games.decks import tippo_deck
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.units import Tray
from sim.board import SimulatedTable
from sim.party import NAMES, Plan

ME, ANN = "Me", NAMES[0]


class Evening:
    """A person and a simulated one, and a display that accepts only what it is told to accept."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.table = SimulatedTable(
            Plan(seed=3, players=(ME, ANN), people=(ANN,), sps=10), self.clock
        )
        self.table.scale.open()
        begun = Game.begin(self.table.party.start)
        assert isinstance(begun, Game)
        self.game = begun
        self.tell(self.table.party.deal)

    def tell(self, command: commands.Command) -> None:
        answer = self.game.apply(command)
        assert not isinstance(answer, Refusal), answer
        self.game = answer[0]

    def pass_on(self, seconds: float) -> None:
        """So long the display shows the same."""
        until = self.clock.mono() + seconds
        while self.clock.mono() < until:
            self.clock.sleep(0.1)
            self.table.scale.poll()
            self.table.taps()
            self.table.look(self.game)

    def lay(self, tray: Tray, card: Card) -> None:
        """The person puts a card down, which the display has not accepted yet."""
        self.table.put(tray, card=card, by=ME)
        self.pass_on(3.0)

    @property
    def hand(self) -> list[Card]:
        return list(self.table.hand_of(ME))

    @property
    def cards(self) -> Counter[Card]:
        """Every card of the table, wherever it is."""
        people = self.table.party.people
        piles = (people.deck, people.aside, people.on_their_way)
        heaps = [*piles, *people.hands.values(), *people.piles.values()]
        return Counter(card for heap in heaps for card in heap)


def on_turn() -> Evening:
    """An evening at which it is the person's turn."""
    evening = Evening()
    evening.tell(commands.Correct(turn=ME))
    evening.pass_on(8.0)
    return evening


@pytest.mark.parametrize("next_is_accepted", [False, True])
def test_a_refused_card_that_is_taken_back_late_comes_into_the_hand_it_came_from(
    next_is_accepted: bool,
) -> None:
    """Others have gone on meanwhile; their cards may have been refused as well."""
    evening = on_turn()
    hand = evening.hand
    evening.lay(Tray.LEFT, hand[0])
    evening.lay(Tray.RIGHT, hand[1])
    if next_is_accepted:
        evening.tell(commands.Correct(hand={ME: 6}))
    evening.pass_on(9.0)
    assert evening.hand == hand[2:]
    evening.table.take(Tray.LEFT)
    evening.pass_on(3.0)
    assert evening.hand == [*hand[2:], hand[0]]
    assert evening.cards == Counter(tippo_deck())


def test_a_refused_card_waits_in_its_tray_while_somebody_else_plays() -> None:
    evening = on_turn()
    hand = evening.hand
    evening.lay(Tray.LEFT, hand[0])
    evening.tell(commands.Correct(turn=ANN))
    evening.pass_on(20.0)
    assert evening.hand == hand[1:]
    assert evening.cards == Counter(tippo_deck())


def test_simulated_people_take_back_what_the_display_does_not_accept() -> None:
    evening = Evening()
    evening.tell(commands.Correct(turn=ANN))
    evening.pass_on(30.0)
    acts = [line["act"] for line in evening.table.party.truth() if "act" in line]
    assert acts.count("back") >= 1
    assert evening.cards == Counter(tippo_deck())


def test_a_play_that_a_person_takes_back_is_in_their_hand_again_and_nothing_is_drawn() -> None:
    evening = on_turn()
    hand = evening.hand
    evening.lay(Tray.LEFT, hand[0])
    evening.tell(commands.Correct(hand={ME: 6}))
    evening.pass_on(2.0)
    evening.table.take(Tray.LEFT)
    evening.pass_on(3.0)
    evening.tell(commands.Undo())
    evening.pass_on(5.0)
    assert evening.hand == [*hand[1:], hand[0]]
    assert evening.cards == Counter(tippo_deck())


def test_a_refused_card_is_in_the_box_after_the_game_was_broken_off() -> None:
    evening = on_turn()
    evening.lay(Tray.LEFT, evening.hand[0])
    held = evening.table.holding()
    assert held is not None
    evening.table.take_up(evening.game, held)
    evening.pass_on(5.0)
    assert len(evening.hand) == 7
    assert evening.cards == Counter(tippo_deck())


def test_a_draw_that_is_undone_puts_the_card_under_the_pile() -> None:
    evening = on_turn()
    evening.tell(commands.Draw())
    evening.pass_on(4.0)
    assert len(evening.hand) == 8
    evening.tell(commands.Undo())
    evening.pass_on(4.0)
    assert len(evening.hand) == 7
    assert evening.cards == Counter(tippo_deck())
