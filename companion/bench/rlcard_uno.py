"""RLCard's UNO as an independent referee of Classic: what may be laid in the states of its games.

It never plays a game of its own, and it leaves out nothing but the differences named in KNOWN.
"""

from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.bench.report import Report
from companion.games.cards import WILD_DRAW_FOUR
from companion.games.commands import Accept, Deal, Draw, Play, Start
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Refusal

AREA = "referee"
PLAYERS = ("Ann", "Bob", "Cem")
"""Three, for between two RLCard does not let a Reverse work as a Skip (U9)."""

KNOWN: Mapping[str, str] = MappingProxyType(
    {
        "C3": "A Wild turned up has a colour by lot; here the first player names it.",
        "C4": "A Draw Two turned up costs two cards but not the turn.",
        "C6": "A Wild Draw Four is offered only when nothing else at all may be laid; here hands "
        "are hidden, so it is taken and may be challenged.",
        "U13": "A draw is offered only to those who can lay nothing.",
        "U15": "A drawn card of the colour in force, or a drawn wild, is laid at once.",
    }
)
"""Where RLCard decides otherwise, by the number of our rule."""

DRAW = "draw"
_KINDS = {"skip": "skip", "reverse": "rev", "draw_2": "+2", "wild": "W", "wild_draw_4": "W+4"}


class Seen(NamedTuple):
    """A state of an RLCard game, in our notation; a play is a card and, for a wild, its colour."""

    turn: int
    direction: int
    hands: tuple[tuple[str, ...], ...]
    top: str
    colour: str
    offered: frozenset[str]


def _play(text: str) -> str:
    """RLCard's `r-draw_2`, `g-wild` in our notation: `R+2`, `W G`."""
    colour, kind = text.split("-")
    ours = _KINDS.get(kind, kind)
    return f"{ours} {colour.upper()}" if ours in ("W", "W+4") else colour.upper() + ours


def new_game(seed: int) -> Any:
    """An RLCard game of three, dealt; ImportError where RLCard is not installed."""
    import numpy as np  # type: ignore[import-not-found, unused-ignore]  # comes with RLCard
    from rlcard.games.uno.game import (  # type: ignore[import-not-found, import-untyped, unused-ignore]  # an optional peer, untyped
        UnoGame,
    )

    game = UnoGame(num_players=len(PLAYERS))
    game.np_random = np.random.RandomState(seed)
    game.init_game()
    return game


def look(game: Any) -> Seen:
    """What RLCard says of its game now."""
    turn, target = game.round.current_player, game.round.target
    offered = (a if a == DRAW else _play(a) for a in game.get_legal_actions())
    return Seen(
        turn,
        game.round.direction,
        tuple(tuple(_play(card.str).split()[0] for card in player.hand) for player in game.players),
        _play(f"{target.color}-{target.trait}").split()[0],
        target.color.upper(),
        frozenset(offered),
    )


def _table() -> Game:
    """A round of Classic to be corrected into any state."""
    game = Game.begin(Start(game="classic", players=PLAYERS))
    assert isinstance(game, Game)
    dealt = game.apply(Deal(top="R5"))
    assert not isinstance(dealt, Refusal)
    return dealt[0]


def as_ours(table: Game, seen: Seen) -> Game:
    """The same state at our referee."""
    wild = {"colour": seen.colour} if seen.top.startswith("W") else {}
    correct: dict[str, Any] = {
        "do": "correct",
        "turn": PLAYERS[seen.turn],
        "direction": seen.direction,
        "hand": {name: len(hand) for name, hand in zip(PLAYERS, seen.hands, strict=True)},
        "top": seen.top,
        **wild,
    }
    answer = table.apply(decode_command(correct))
    assert not isinstance(answer, Refusal), answer
    return answer[0]


def legal_here(game: Game, seen: Seen) -> frozenset[str]:
    """The plays that our referee accepts from the hand on turn, and the draw."""
    plays = {
        f"{card} {colour}" if card.startswith("W") else card
        for card in seen.hands[seen.turn]
        for colour in ("RYGB" if card.startswith("W") else "-")
    }
    accepted = {text for text in plays if not isinstance(game.apply(_command(text)), Refusal)}
    if not isinstance(game.apply(Draw()), Refusal):
        accepted.add(DRAW)
    return frozenset(accepted)


def _command(play: str) -> Play:
    card, _, colour = play.partition(" ")
    return Play(card=card, colour=colour) if colour else Play(card=card)  # type: ignore[arg-type]  # one of the four


def as_rlcard_offers(legal: frozenset[str]) -> frozenset[str]:
    """Our legal plays as RLCard would offer them, its known differences C6 and U13 applied."""
    fours = {play for play in legal if play.startswith(str(WILD_DRAW_FOUR))}
    return (legal - fours - {DRAW}) or frozenset(fours) or legal


def after_here(game: Game, play: str) -> tuple[str | None, Mapping[str, int]]:
    """Whose turn it is after a play that nobody challenges, and everybody's cards."""
    answer = game.apply(_command(play))
    assert not isinstance(answer, Refusal), answer
    if answer[0].state.needs == "challenge":
        answer = answer[0].apply(Accept())
        assert not isinstance(answer, Refusal), answer
    return answer[0].state.turn, answer[0].state.hands


def disagreements(states: int, seed: int = 0) -> Iterator[str]:
    """Every unexplained difference in so many random states of RLCard's games, in words.

    Compared are the plays that are legal and, for the one that is made, who is next and how many
    cards everybody holds then.
    """
    random, table = Random(seed), _table()  # noqa: S311  (a game's dice)
    theirs = new_game(seed)
    for number in range(states):
        if theirs.is_over():
            theirs = new_game(seed + number)
        seen = look(theirs)
        ours = as_ours(table, seen)
        here = as_rlcard_offers(legal_here(ours, seen))
        if here != seen.offered:
            yield f"{seen}: here {sorted(here)}"
        action = random.choice(theirs.get_legal_actions())
        theirs.step(action)
        if action == DRAW:
            continue
        turn, hands = after_here(ours, _play(action))
        counts = tuple(len(player.hand) for player in theirs.players)
        next_one = None if theirs.is_over() else PLAYERS[theirs.round.current_player]
        if tuple(hands.values()) != counts or (not theirs.is_over() and turn != next_one):
            yield f"{seen}, {action}: here {turn} {hands}, there {next_one} {counts}"


def measure(report: Report, *, quick: bool) -> None:
    """Adds how many states were compared and how many differed otherwise than known."""
    states = 2_000 if quick else 100_000
    try:
        found = sum(1 for _ in disagreements(states))
    except ImportError:
        report.note("RLCard is not installed (extra `peers`): Classic was compared with nothing.")
        return
    text = f"in {states:,} states of RLCard 1.2.0's UNO"
    report.figure(AREA, f"Classic: unexplained differences {text}", found, "", aim="0")
