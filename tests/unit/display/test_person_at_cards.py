"""A person plays the card games with simulated people, by what is shown and what they tap."""

from collections.abc import Iterator
from random import Random

import pytest

from companion.app import App
from companion.clock import VirtualClock
from companion.connected import Devices
from companion.display.bodies import (
    ChoicesBody,
    ColourBody,
    HandBody,
    RackBody,
    RefusedBody,
    ScoresBody,
)
from companion.display.choice import Choice, Touch
from companion.display.desk import Desk
from companion.display.screen import Screen
from companion.display.wishes import AskForPlay, Open, SeeHand
from companion.games import commands
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.journal.journal import Board
from companion.table.table import Table
from companion.table.taps import CardTap, decode_tap_fields
from companion.watching import Watching
from sim.card_table import CardPlan, CardTable
from tests.unit.display.eyes import Eyes

ME = "Mia"
PATIENCE_S = 1500.0


def evening(game: str, seed: int) -> Iterator[tuple[App, Screen]]:
    """The person's table until a round is over, every third of a second; they tap on what they
    were shown."""
    clock, eyes, random = VirtualClock(), Eyes(), Random(seed)
    people = CardTable(CardPlan(game, seed, (ME, "Ann", "Ben"), people=("Ann", "Ben")), clock)
    devices = Devices(company=people, board=Board("sim", simulated=True), person_at_sim=True)
    app = App(clock, Watching(Table(), None), devices, Desk(eyes))
    app.tell(tuple(decode_tap_fields(fields) for fields in people.opening))
    while clock.mono() < PATIENCE_S:
        app.step(clock.mono())
        clock.sleep(1 / 3)
        assert eyes.screen is not None
        yield app, eyes.screen
        state = app.table.state
        if state is not None and (state.round > 1 or state.phase is Phase.GAME_OVER):
            return
        touch = tap_for(app, eyes.screen, random)
        if touch is not None:
            eyes.queue.append(touch)
    raise AssertionError("the round never ended")


def would_go(game: Game | None, card: Choice) -> bool:
    assert game is not None
    return not isinstance(game.apply(commands.Play(card=str(card.card))), Refusal)


def tap_for(app: App, screen: Screen, random: Random) -> Touch | None:
    """What the person taps: a card that goes or may be stolen; else DRAW, then PASS."""
    body, state = screen.body, app.table.state
    own = state is not None and state.turn == ME
    if isinstance(body, ColourBody | ChoicesBody):
        return random.choice(body.choices).touch
    if isinstance(body, RefusedBody):
        return screen.actions[-1].touch
    if isinstance(body, HandBody):
        able = [card for card in body.hand if card.touch is not None]
        able = [card for card in able if not own or would_go(app.table.game, card)]
        if able:
            return random.choice(able).touch
    if isinstance(body, RackBody) and own:
        held = [tile.touch for tile in body.rack if tile.touch is not None]
        if held and random.random() < 0.3:
            return random.choice(held)
    moves = [move.touch for move in screen.actions if not isinstance(move.touch, AskForPlay | Open)]
    return moves[-1] if moves and own else None


def in_play(app: App) -> bool:
    state = app.table.state
    return state is not None and state.phase in (Phase.PLAY, Phase.DRAWN)


@pytest.mark.parametrize("game", ["classic", "battle", "rummy_up"])
def test_a_round_is_played_by_taps_on_the_own_hand_alone(game: str) -> None:
    """Nobody is asked for cards that they do not hold; the hand is as large as it is counted."""
    bodies, own_turns = set(), 0
    for app, screen in evening(game, seed=2):
        state = app.table.state
        if not in_play(app) or state is None:
            continue
        bodies.add(type(screen.body))
        own_turns += state.turn == ME
        if isinstance(screen.body, HandBody):
            assert len(screen.body.hand) == state.hands[ME]
    assert own_turns > 10
    assert bodies <= {HandBody, RackBody, ColourBody, ChoicesBody, RefusedBody}


def test_dealing_and_counting_are_left_to_the_others() -> None:
    for app, screen in evening("classic", seed=2):
        state = app.table.state
        if state is not None and state.phase in (Phase.SETUP, Phase.HANDS):
            assert isinstance(screen.body, ScoresBody)


def test_in_anothers_turn_no_card_of_the_hand_can_be_tapped_in_classic() -> None:
    for app, screen in evening("classic", seed=2):
        if in_play(app) and isinstance(screen.body, HandBody) and screen.who != ME:
            assert all(card.touch is None for card in screen.body.hand)
            assert screen.actions == ()


def test_in_battle_the_same_card_can_be_laid_in_anothers_turn() -> None:
    """A steal is a tap on one's own card; no other card can be tapped then."""
    for seed in range(40):
        for _, screen in evening("battle", seed):
            if screen.headline == f"{ME}, you can steal: tap the card!":
                assert isinstance(screen.body, HandBody)
                able = [card for card in screen.body.hand if card.touch is not None]
                assert able
                assert all(isinstance(card.touch, commands.Play) for card in able)
                assert all(card.chosen for card in able)
                return
    raise AssertionError("nobody could steal")


def test_a_person_who_challenges_is_told_by_the_hand_that_is_shown() -> None:
    """Not they but whoever laid the Wild Draw Four says guilty or innocent."""
    for seed in range(40):
        for app, screen in evening("classic", seed):
            if isinstance(screen.body, ChoicesBody) and "Wild Draw Four" in screen.headline:
                touches = [choice.touch for choice in screen.body.choices]
                assert touches == [commands.Accept(), SeeHand(ME)]
            if any(isinstance(entry.command, commands.Challenge) for entry in app.table.entries):
                challenge = next(
                    entry.command
                    for entry in app.table.entries
                    if isinstance(entry.command, commands.Challenge)
                )
                if challenge.by == ME:
                    return
    raise AssertionError("nobody challenged")


def test_after_a_draw_only_the_drawn_card_can_be_tapped() -> None:
    """U15"""
    seen = False
    for app, screen in evening("classic", seed=2):
        state = app.table.state
        if state is None or state.phase is not Phase.DRAWN or screen.who != ME:
            continue
        if isinstance(screen.body, HandBody):
            *others, drawn = screen.body.hand
            assert all(card.touch is None for card in others)
            assert isinstance(drawn.touch, CardTap)
            seen = True
    assert seen
