"""RLCard's UNO and our Classic agree in everything but the differences that are named."""

from typing import Any

from companion.bench.rlcard_uno import KNOWN, PLAYERS, Seen, disagreements, look, new_game
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Refusal
from companion.games.rulebook import RULES


def test_plays_and_their_effects_are_the_same_but_for_the_known_differences() -> None:
    """2,000 states; the benchmark compares 100,000."""
    assert list(disagreements(2_000)) == []


def test_every_known_difference_has_a_rule() -> None:
    assert set(KNOWN) <= set(RULES)


def openings() -> list[Seen]:
    """The first states of games that begin with each kind of card."""
    seen: dict[str, Seen] = {}
    for seed in range(200):
        state = look(new_game(seed))
        seen.setdefault(state.top.lstrip("RYGB"), state)
    return list(seen.values())


def dealt_here(top: str) -> Any:
    begun = Game.begin(
        decode_command(  # type: ignore[arg-type]  # it is a start
            {"do": "start", "game": "classic", "players": PLAYERS, "dealer": PLAYERS[-1]}
        )
    )
    assert isinstance(begun, Game)
    dealt = begun.apply(decode_command({"do": "deal", "top": top}))
    assert not isinstance(dealt, Refusal)
    return dealt[0].state


def test_the_first_card_does_the_same_but_for_draw_two_and_wild() -> None:
    """C4: RLCard's first player keeps the turn after a Draw Two; C3: it draws lots for a colour."""
    kinds = set()
    for theirs in openings():
        ours = dealt_here(theirs.top)
        assert [len(hand) for hand in theirs.hands] == list(ours.hands.values())
        assert theirs.direction == ours.direction
        if theirs.top.endswith("+2"):
            assert (PLAYERS[theirs.turn], ours.turn) == ("Ann", "Bob")
            kinds.add("C4")
        else:
            assert PLAYERS[theirs.turn] == ours.turn
        if theirs.top == "W":
            assert ours.needs == "colour"
            kinds.add("C3")
        else:
            assert theirs.colour == ours.pile.colour
    assert kinds == {"C3", "C4"}


def test_a_drawn_card_may_stay_in_the_hand_here_only() -> None:
    """U15: RLCard lays a drawn card of the colour in force, or a drawn wild, at once."""
    laid = kept = 0
    for number in range(200):
        theirs = new_game(number)
        before = look(theirs)
        if before.offered != {"draw"}:
            continue
        card = theirs.dealer.deck[-1]
        theirs.step("draw")
        counts = len(theirs.players[before.turn].hand) - len(before.hands[before.turn])
        fits = card.type == "wild" or card.color.upper() == before.colour
        assert counts == (0 if fits else 1)
        laid, kept = laid + fits, kept + (not fits)
    assert laid
    assert kept
