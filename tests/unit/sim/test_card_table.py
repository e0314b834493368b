"""Simulated people without a scale: they play whole games legally, and not perfectly."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.clock import PacedClock, VirtualClock
from companion.errors import BadInput
from companion.games import commands
from companion.games.commands import Command, Start
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from sim.card_table import THINKS_S, CardPlan, CardTable, evening
from sim.party import NAMES

GAMES = ("classic", "battle", "rummy_up")


def played(plan: CardPlan) -> tuple[Any, Counter[str]]:
    """The last state of an evening, and its rulings."""
    state, rulings = None, Counter[str]()
    for _, accepted in evening(plan):
        state = accepted.state
        rulings.update(type(ruling).__name__ for ruling in accepted.rulings)
    return state, rulings


PLANS = [
    CardPlan("classic", 1, NAMES[:4], options={"target": 250}),
    CardPlan("classic", 2, NAMES[:2], options={"scoring": "running", "target": 250}),
    CardPlan("classic", 3, NAMES, options={"misplay_penalty": 2, "false_call_penalty": 2}),
    CardPlan("battle", 1, NAMES[:4]),
    CardPlan("battle", 2, NAMES[:2], options={"finish_penalty": "plus_only"}),
    CardPlan("battle", 3, NAMES, options={"steal_turn": "original"}),
    CardPlan("rummy_up", 1, NAMES[:4], options={"target": 60}),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.game} {len(plan.players)}")
def test_a_whole_game_ends_with_a_winner_and_nothing_is_refused(plan: CardPlan) -> None:
    state, rulings = played(plan)
    assert state.phase == "game_over"
    assert rulings["GameOver"] >= 1
    assert rulings["RoundOver"] == state.round


def test_they_get_up_after_the_rounds_that_were_agreed() -> None:
    state, _ = played(CardPlan("classic", 4, NAMES[:3], rounds=1))
    assert (state.phase, state.round) == ("setup", 2)


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("classic", {"Uno", "UnoSafe", "UnoCaught", "Penalty", "ColourChosen", "ChooseColour"}),
        ("battle", {"Uno", "UnoSafe", "UnoCaught", "Steal", "StealUndone", "Battle"}),
    ],
)
def test_they_forget_call_late_catch_challenge_steal_and_defend(
    game: str, wanted: set[str]
) -> None:
    seen = Counter[str]()
    done: set[str] = set()
    for seed in range(12):
        plan = CardPlan(game, seed, NAMES[:4], rounds=2)
        seen += played(plan)[1]
        for command, _ in evening(plan):
            done.add(f"{command.do} {getattr(command, 'guilty', '')}".strip())
    assert wanted <= set(seen)
    if game == "classic":
        assert {"challenge True", "challenge False", "accept", "colour", "pass"} <= done
    else:
        assert {"defend", "colour", "draw", "pass"} <= done


def commands_of(plan: CardPlan) -> list[Command]:
    return [command for command, _ in evening(plan)]


def test_the_same_plan_gives_the_same_evening() -> None:
    plan = CardPlan("battle", 7, NAMES[:3], rounds=1)
    assert commands_of(plan) == commands_of(plan)


class Sitting:
    """A table at which a person sits, who taps what the test says."""

    def __init__(self, plan: CardPlan) -> None:
        self.clock = VirtualClock()
        self.table = CardTable(plan, self.clock)
        (opening,) = self.table.opening
        begun = Game.begin(command_of(opening))  # type: ignore[arg-type]  # it is a start
        assert isinstance(begun, Game)
        self.game = begun
        self.table.look(begun)

    @property
    def state(self) -> Any:
        return self.game.state

    def tell(self, command: Command) -> bool:
        answer = self.game.apply(command)
        if isinstance(answer, Refusal):
            return False
        self.game = answer[0]
        self.table.look(self.game)
        return True

    def wait(self) -> None:
        """Long enough for everybody to have thought."""
        self.table.look(self.game)
        self.clock.sleep(THINKS_S[1])
        for tap in self.table.taps():
            assert self.tell(command_of(tap)), tap


def command_of(tap: dict[str, Any]) -> Command:
    return decode_command({key: value for key, value in tap.items() if key != "t"})


def act(sitting: Sitting, player: str) -> None:
    """The person lays the first card that the referee takes, else draws, else passes."""
    state, hand = sitting.state, sitting.table.hand_of(player)
    if state.needs == "colour":
        assert sitting.tell(commands.NameColour(colour="G"))
        return
    if state.needs == "challenge":
        sitting.table.show_hand(player)
        sitting.wait()
        return
    for card in hand[-1:] if state.phase is Phase.DRAWN else hand:
        if state.game != "rummy_up" and sitting.tell(commands.Play(card=str(card))):
            return
    assert sitting.tell(commands.Draw()) or sitting.tell(commands.Pass())


@pytest.mark.parametrize("game", ["classic", "battle", "rummy_up"])
@pytest.mark.parametrize("seed", range(3))
def test_a_person_is_dealt_cards_and_plays_a_round_with_simulated_people(
    game: str, seed: int
) -> None:
    """They deal to the person, wait for them, and always know what everybody holds."""
    sitting = Sitting(CardPlan(game, seed, ("Zoe", "Ann", "Ben"), people=("Ann", "Ben")))
    turns = 0
    for _ in range(2000):
        state = sitting.state
        if state.round == 2 or state.phase is Phase.GAME_OVER:
            break
        assert len(sitting.table.hand_of("Zoe")) == state.hands["Zoe"]
        assert sitting.table.hand_of("Ann") == ()
        if state.turn == "Zoe" and state.needs in (None, "colour", "challenge"):
            turns += 1
            act(sitting, "Zoe")
        else:
            sitting.wait()
    assert sitting.state.round == 2 or sitting.state.phase is Phase.GAME_OVER
    assert turns >= 3


def test_while_a_person_thinks_nobody_plays_for_them() -> None:
    sitting = Sitting(CardPlan("classic", 1, ("Zoe", "Ann"), people=("Ann",)))
    while sitting.state.turn != "Zoe":
        sitting.wait()
    before = sitting.game
    for _ in range(20):
        sitting.wait()
    assert sitting.game is before


def test_what_is_taken_back_goes_back_in_its_hand() -> None:
    sitting = Sitting(CardPlan("classic", 2, ("Zoe", "Ann"), people=("Ann",)))
    while sitting.state.turn != "Zoe":
        sitting.wait()
    hand = sitting.table.hand_of("Zoe")
    act(sitting, "Zoe")
    assert sitting.table.hand_of("Zoe") != hand
    assert sitting.tell(commands.Undo())
    assert sitting.table.hand_of("Zoe") == hand


@given(seed=st.integers(0, 10**6), cut=st.integers(0, 200), game=st.sampled_from(GAMES))
@settings(max_examples=8, deadline=None)
def test_whoever_looks_at_a_game_again_goes_on_as_if_nothing_had_happened(
    seed: int, cut: int, game: str
) -> None:
    """The companion was switched off after `cut` commands: the rest of the evening is the same."""
    plan = CardPlan(game, seed, NAMES[:3], rounds=1)
    commands_told = commands_of(plan)
    again = Sitting(plan)
    for command in commands_told[:cut]:
        again.game = again.game.apply(command)[0]  # type: ignore[index]  # it was accepted before
    again.table.look(again.game)
    while not again.table.finished:
        again.wait()
    assert list(again.game.commands) == commands_told


def test_cards_that_the_table_corrects_are_taken_or_laid_down() -> None:
    """People follow a table that overrules the referee, whatever it says."""
    sitting = Sitting(CardPlan("classic", 3, ("Zoe", "Ann", "Ben"), people=("Ann", "Ben")))
    while sitting.state.turn != "Zoe":
        sitting.wait()
    for count in (3, 9):
        assert sitting.tell(commands.Correct(hand={"Zoe": count}))
        assert len(sitting.table.hand_of("Zoe")) == count
    assert sitting.tell(commands.Correct(top="W", colour="B"))
    card = "R9" if "R9" not in map(str, sitting.table.hand_of("Zoe")) else "R8"
    assert sitting.tell(commands.Correct(top="R1"))
    assert sitting.tell(commands.Play(card=card))
    assert len(sitting.table.hand_of("Zoe")) == sitting.state.hands["Zoe"]


def test_nobody_taps_while_nothing_is_shown() -> None:
    """In a pause the display shows no game; the simulated people wait, too."""
    sitting = Sitting(CardPlan("classic", 1, NAMES[:2]))
    sitting.wait()
    assert sitting.game.past is not None
    sitting.table.taps()
    for _ in range(10):
        sitting.clock.sleep(THINKS_S[1])
        assert sitting.table.taps() == ()


def test_at_another_game_they_do_not_sit() -> None:
    sitting = Sitting(CardPlan("classic", 1, ("Zoe", "Ann"), people=("Ann",)))
    other = Game.begin(Start(game="battle", players=("Zoe", "Ann")))
    assert isinstance(other, Game)
    sitting.game = other
    sitting.wait()
    assert sitting.game is other
    assert sitting.table.hand_of("Zoe") == ()


def test_options_that_the_game_does_not_know_are_refused() -> None:
    with pytest.raises(BadInput, match="settle_seconds"):
        CardTable(CardPlan("classic", 1, NAMES[:2], options={"settle_seconds": 5}), PacedClock(0))
