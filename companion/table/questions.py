"""The questions that the table has put to people and that are still open.

A question never stops the game: until it is answered the likelier answer is taken to be true.
"""

from dataclasses import dataclass

from companion.events import Placed
from companion.table.outcomes import Answered, Asked, Doubt, Question
from companion.units import MonoSeconds

MAX_OPEN = 4
"""Older questions are no longer asked: nobody remembers."""


@dataclass(frozen=True, slots=True)
class Open:
    """An open question with what it is about."""

    question: Question
    placed: Placed | None = None


class Questions:
    """Asks, and remembers what was asked."""

    def __init__(self) -> None:
        self._open: dict[int, Open] = {}
        self._next_number = 1

    @property
    def open(self) -> tuple[Question, ...]:
        """Newest last."""
        return tuple(asked.question for asked in self._open.values())

    def ask(
        self,
        now: MonoSeconds,
        doubt: Doubt,
        text: str,
        answers: tuple[str, ...],
        *,
        act: int = 0,
        placed: Placed | None = None,
    ) -> list[Asked]:
        """Asks; no doubt is spoken of twice about one act."""
        about = [(asked.question.act, asked.question.doubt) for asked in self._open.values()]
        if act and (act, doubt) in about:
            return []
        question = Question(self._next_number, doubt, text, answers, act)
        self._next_number += 1
        self._open[question.number] = Open(question, placed)
        if len(self._open) > MAX_OPEN:
            del self._open[next(iter(self._open))]
        return [Asked(now, question)]

    def take(self, number: int, answer: str) -> Open | None:
        """Closes a question; None if it is not open or has no such answer."""
        asked = self._open.get(number)
        if asked is None or answer not in asked.question.answers:
            return None
        return self._open.pop(number)

    def settle(self, act: int, answer: str, now: MonoSeconds) -> list[Answered]:
        """Closes the question about an act because play has answered it."""
        asked = next((o for o in self._open.values() if act and o.question.act == act), None)
        if asked is None:
            return []
        del self._open[asked.question.number]
        return [Answered(now, asked.question, answer, by_tap=False)]

    def settle_doubt(self, doubt: Doubt, answer: str | None, now: MonoSeconds) -> list[Answered]:
        """Closes the questions of one kind because play has answered them; without an answer as
        was taken to be true."""
        settled = [o.question for o in self._open.values() if o.question.doubt is doubt]
        self.drop(doubt)
        return [
            Answered(now, question, answer or question.answers[0], by_tap=False)
            for question in settled
        ]

    def drop(self, doubt: Doubt) -> None:
        """What it was about has changed: it is asked anew, or not at all."""
        self._open = {n: o for n, o in self._open.items() if o.question.doubt is not doubt}

    def clear(self) -> None:
        """A new round: what is past does not matter any more."""
        self._open.clear()
