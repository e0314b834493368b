"""A new game is its own file: everything that games share comes with the core."""

from random import Random

from companion.games.commands import (
    Command,
    Deal,
    Draw,
    Hands,
    NameColour,
    Pass,
    Play,
    Start,
    Undo,
    Uno,
)
from companion.games.game import Game
from companion.games.referee import Code, Phase, Refusal
from companion.games.rulings import Draw as DrawRuling
from companion.games.rulings import Turn, TurnLost
from tests.unit.games.mau_mau import MauMauReferee, MauMauState, mau_mau_deck


def begun() -> Game:
    rules = MauMauReferee()
    start = Start(game="mau_mau", players=("Ann", "Bob", "Cem"))
    opened = rules.start(start)
    assert not isinstance(opened, Refusal)
    return Game(rules, start, opened.state)


def after(game: Game, *commands: Command) -> Game:
    for command in commands:
        answer = game.apply(command)
        assert not isinstance(answer, Refusal), answer
        game = answer[0]
    return game


def test_a_seven_makes_the_next_player_draw_two_and_miss_the_turn() -> None:
    answer = after(begun(), Deal(top="R2")).apply(Play(card="R7"))
    assert not isinstance(answer, Refusal)
    rulings = answer[1].rulings
    assert DrawRuling(player="Cem", count=2, reason="draw_two") in rulings
    assert TurnLost(player="Cem", reason="draw_two") in rulings
    assert rulings[-1] == Turn(player="Ann")


def test_a_jack_names_a_colour_and_takes_no_jack_on_it() -> None:
    game = after(begun(), Deal(top="R2"), Play(card="W"), NameColour(colour="G"))
    refused = game.apply(Play(card="W", colour="B"))
    assert isinstance(refused, Refusal)
    assert refused.code is Code.NO_MATCH
    assert after(game, Play(card="G3")).state.turn == "Ann"


def test_calls_scores_undo_and_the_next_deal_come_with_the_core() -> None:
    game = after(begun(), Deal(top="R2"))
    dealt = game.state
    assert isinstance(dealt, MauMauState)
    assert dealt.hands == {"Ann": 5, "Bob": 5, "Cem": 5}
    assert dealt.draw_pile == 36 - 15 - 1
    game = after(game, Play(card="R3"), Undo())
    assert game.state == dealt


def test_a_whole_evening_of_mau_mau_ends_with_a_winner() -> None:
    random, deck, game = Random(1), [str(card) for card in mau_mau_deck()], begun()
    while game.state.phase is not Phase.GAME_OVER:
        state = game.state
        match state.phase:
            case Phase.SETUP:
                command: Command = Deal(top=random.choice(deck[:-4]))
            case Phase.HANDS:
                losers = (name for name in state.players if name != state.out)
                command = Hands(points=dict.fromkeys(losers, 20))
            case _ if state.needs == "colour":
                command = NameColour(colour="G")
            case _ if state.uno_open and random.random() < 0.5:
                command = Uno(player=state.uno_open)
            case _:
                draw: Command = Draw() if state.phase is Phase.PLAY else Pass()
                command = draw if random.random() < 0.2 else Play(card=random.choice(deck))
        answer = game.apply(command)
        if isinstance(answer, Refusal):
            assert game.state is state
        else:
            game = answer[0]
    assert max(game.state.scores.values()) >= 100
