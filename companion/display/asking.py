"""The question "can anything be played?" of a learning game, searched for beside the paint loop.

It never touches the table: the rack that somebody shows is known to this question only, and is
forgotten with it.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from companion.errors import Refused
from companion.games.cards import Card
from companion.games.rummy_up.board import Board
from companion.games.rummy_up.finder import Found, find_play


@dataclass(frozen=True, slots=True)
class Question:
    """What can be laid on this board with this rack, at most `limit` tiles of it?"""

    board: Board
    rack: tuple[Card, ...]
    limit: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found; nothing (`found` None) can be played, or `trouble` says why nobody knows."""

    question: Question
    found: Found | None
    trouble: str = ""


def answer(question: Question) -> Answer:
    """The answer, when the search is over; a Zero 2 takes some seconds for a full board."""
    try:
        found = find_play(question.board, question.rack, limit=question.limit)
    except Refused as error:
        return Answer(question, None, str(error))
    return Answer(question, found)


class Advisor:
    """Searches for one question at a time in a thread of its own; the newest question counts.

    The solver lets other threads run while it works, so that the display never waits for it; it is
    loaded with the first question, for it takes 20 MB that no other game needs.
    """

    def __init__(self, search: Callable[[Question], Answer] = answer) -> None:
        self._search = search
        self._thread: ThreadPoolExecutor | None = None
        self._pending: Future[Answer] | None = None

    def ask(self, question: Question) -> None:
        """Begins a search; one for an older question that has not begun is dropped."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="advisor")
        if self._pending is not None:
            self._pending.cancel()
        self._pending = self._thread.submit(self._search, question)

    def answered(self) -> Answer | None:
        """The answer to the newest question, once; None while there is none."""
        if self._pending is None or not self._pending.done():
            return None
        pending, self._pending = self._pending, None
        return pending.result()
