"""How fast Rummy Up is judged and searched, and whether rummikub-solver sees the same plays.

It judges whole games of simulated people; the searches are of boards of 60 tiles.
"""

import statistics
import time
from random import Random

from companion.bench.report import Report
from companion.bench.rummikub import Peer, random_table
from companion.games.commands import Command, Start
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.rummy_up.finder import find_play
from companion.games.rummy_up.judge import LIMIT
from companion.games.rummy_up.referee import RummyState
from companion.games.rummy_up.tiles import WILDS
from sim.rummy_people import RummyPeople

AREA = "rummy_up"
BOARD = 60
NAMES = ("Ann", "Bob", "Cem", "Dee")


def measure(report: Report, *, quick: bool) -> None:
    """Adds the figures of Rummy Up; `quick` searches 15 boards instead of 300."""
    start, commands = _game(Random(1))  # noqa: S311 - a game, nothing secret
    begun = time.process_time()
    game = Game.begin(start)
    for command in commands:
        assert isinstance(game, Game)
        answer = game.apply(command)
        assert not isinstance(answer, Refusal)
        game = answer[0]
    report.figure(AREA, "commands judged", len(commands) / (time.process_time() - begun), "1/s")
    _search(report, 15 if quick else 300)


def _game(random: Random) -> tuple[Start, list[Command]]:
    """The commands of a game of four, played to its end."""
    start = Start(game="rummy_up", players=NAMES)
    game, people = Game.begin(start), RummyPeople(random, NAMES)
    assert isinstance(game, Game)
    while game.state.phase is not Phase.GAME_OVER:
        state = game.state
        assert isinstance(state, RummyState)
        command = people.next_command(state)
        assert command is not None
        answer = game.apply(command)
        assert not isinstance(answer, Refusal)
        game, accepted = answer
        people.saw(command, state, accepted)
    return start, list(game.commands)


def _search(report: Report, boards: int) -> None:
    """Searches random boards, and lets the peer search the same."""
    random = Random(60)  # noqa: S311 - boards, nothing secret
    peer = _peer(report)
    ours, theirs, differences = [], [], 0
    for _ in range(boards):
        board, left = random_table(random, BOARD)
        rack = left[: random.randrange(1, 15)]
        begun = time.process_time()
        found = find_play(board, rack)
        ours.append(time.process_time() - begun)
        if peer is not None:
            begun = time.process_time()
            most = peer.most(board.faces.elements(), rack)
            theirs.append(time.process_time() - begun)
            differences += (found is None) != (most == 0) or (
                most <= LIMIT and (len(found.rack) if found else 0) != most
            )
    beside = f"rummikub-solver 1.0.0: {statistics.median(theirs):.2f} s" if theirs else ""
    name = f"a play searched on {BOARD} tiles, median"
    report.figure(AREA, name, statistics.median(ours), "s", aim="under 1 s", peer=beside)
    beside = f"{max(theirs):.2f} s" if theirs else ""
    report.figure(AREA, "slowest search", max(ours), "s", aim="under 1 s", peer=beside)
    report.figure(AREA, "with all four wilds, slowest", _slowest(boards), "s", aim="under 1 s")
    if theirs:
        name = f"boards of {boards} on which the peer sees another play"
        report.figure(AREA, name, differences, "", aim="0")


def _slowest(boards: int) -> float:
    """The longest search on boards with wilds, which the peer's rules cannot tell apart."""
    random = Random(61)  # noqa: S311 - boards, nothing secret
    longest = 0.0
    for _ in range(boards):
        board, left = random_table(random, BOARD, wilds=WILDS)
        begun = time.process_time()
        find_play(board, left[: random.randrange(1, 15)])
        longest = max(longest, time.process_time() - begun)
    return longest


def _peer(report: Report) -> Peer | None:
    try:
        return Peer()
    except ImportError:
        report.note("rummikub-solver is not installed (extra `peers`): no figure beside ours.")
        return None
