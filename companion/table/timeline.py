"""The acts of one game in the order in which they count, each with the game as it stood after it.

The referee is a value, so an act can be put in, taken out or replaced some acts back: those after
it are applied again. This module never decides what an event or a tap means.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from msgspec import structs

from companion.games.commands import Command
from companion.games.game import Game
from companion.games.referee import Refusal, State
from companion.games.rulings import Ruling
from companion.table.acts import (
    Act,
    CardDown,
    Spilled,
    command_for_card,
    command_for_spill,
    may_follow,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An accepted act. `number` stays with it for as long as the game lasts."""

    number: int
    act: Act
    command: Command
    game: Game
    """As it stood after the act."""
    rulings: tuple[Ruling, ...]
    announced: tuple[Ruling, ...] = ()
    withheld: bool = False
    """The card has no name yet: its play is refereed as `?` but not announced."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A ruling that the table is told now; `amended` if it comes from an act told before."""

    number: int
    ruling: Ruling
    amended: bool


@dataclass(frozen=True, slots=True)
class Unfit:
    """An act that does not fit (any more), with the referee's reason."""

    number: int
    act: Act
    refusal: Refusal
    announced: tuple[Ruling, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What came of a change: rulings to announce in order, and acts that did not fit."""

    announcements: tuple[Announcement, ...] = ()
    unfit: tuple[Unfit, ...] = ()
    first: int = 0
    """The position from which entries are new."""


Numbered: TypeAlias = tuple[int, Act, tuple[Ruling, ...], bool]


class Timeline:
    """The live game as a sequence of entries."""

    def __init__(self, game: Game) -> None:
        self._begun = game
        self._entries: list[Entry] = []
        self._next_number = 1

    @property
    def game(self) -> Game:
        return self._entries[-1].game if self._entries else self._begun

    @property
    def begun(self) -> Game:
        """The game before the first act."""
        return self._begun

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    def find(self, number: int) -> Entry | None:
        return next((e for e in reversed(self._entries) if e.number == number), None)

    def game_before(self, number: int) -> Game:
        """The game as it stood before an entry."""
        position = self._position(number)
        return self._entries[position - 1].game if position else self._begun

    def command_of(self, act: Act, number: int) -> Command | Refusal:
        """What `act` would amount to in the place of entry `number`."""
        return self._command_for(act, self._position(number))

    @property
    def next_number(self) -> int:
        """What `new_number` will give."""
        return self._next_number

    def new_number(self) -> int:
        number = self._next_number
        self._next_number += 1
        return number

    def put(
        self,
        act: Act,
        *,
        number: int | None = None,
        withheld: bool = False,
        revived: Iterable[Act] = (),
        before: int | None = None,
    ) -> Change:
        """Puts an act where its time belongs, after every act that it must not overtake.

        `revived` are acts that were refused before and came later than this one: they are tried
        again after it. `before` is the number of an entry in front of which the act belongs
        whatever its time.
        """
        number = self.new_number() if number is None else number
        stand = [entry.act for entry in self._entries]
        position = place_of(act, stand) if before is None else self._position(before)
        rest = [numbered(entry) for entry in self._entries[position:]]
        again: list[Numbered] = [(self.new_number(), later, (), False) for later in revived]
        rest = sorted(rest + again, key=lambda one: one[1].at_s) if again else rest
        return self._fold(position, [(number, act, (), withheld), *rest])

    def append(self, act: Act, *, number: int | None = None, withheld: bool = False) -> Change:
        """Puts an act behind all others, whatever its time."""
        number = self.new_number() if number is None else number
        return self._fold(len(self._entries), [(number, act, (), withheld)])

    def replace(self, number: int, act: Act, *, withheld: bool = False) -> Change:
        """Replaces an act that lies some acts back and applies those after it again."""
        position = self._position(number)
        first, *rest = (numbered(entry) for entry in self._entries[position:])
        return self._fold(position, [(number, act, first[2], withheld), *rest])

    def remove(self, numbers: frozenset[int]) -> Change:
        """Takes acts out and applies those after them again."""
        position = min(self._position(number) for number in numbers)
        rest = [numbered(e) for e in self._entries[position:] if e.number not in numbers]
        return self._fold(position, rest)

    def rewrite(self, position: int, acts: Iterable[Numbered]) -> Change:
        """Replaces everything from `position` on."""
        return self._fold(position, acts)

    def tried(self, position: int, acts: Iterable[Numbered]) -> Change:
        """What would come of `rewrite`; nothing is changed."""
        copy = Timeline(self._begun)
        copy._entries = self._entries[:position]
        return copy._fold(position, acts)

    def _position(self, number: int) -> int:
        return next(i for i, entry in enumerate(self._entries) if entry.number == number)

    def _fold(self, position: int, acts: Iterable[Numbered]) -> Change:
        acts = list(acts)
        del self._entries[position:]
        unfit: list[Unfit] = []
        announcements: list[Announcement] = []
        for number, act, announced, withheld in acts:
            command = self._command_for(act)
            if isinstance(command, Refusal):
                unfit.append(Unfit(number, act, command, announced))
                continue
            answer = self.game.apply(command)
            if isinstance(answer, Refusal):
                unfit.append(Unfit(number, act, answer, announced))
                continue
            game, accepted = answer
            entry = Entry(number, act, command, game, accepted.rulings, announced, withheld)
            announcements += _news(entry)
            self._entries.append(entry if withheld else replace(entry, announced=entry.rulings))
        return Change(tuple(announcements), tuple(unfit), position)

    def _command_for(self, act: Act, position: int | None = None) -> Command | Refusal:
        before = self._entries[:position]
        state: State = before[-1].game.state if before else self._begun.state
        if isinstance(act, CardDown):
            return command_for_card(act, state)
        if isinstance(act, Spilled):
            return command_for_spill(act, state, [(e.act, e.game.state) for e in before])
        return act.command


def place_of(act: Act, stand: Sequence[Act], gives_way: Callable[[Act], bool] = may_follow) -> int:
    """Where an act of its time belongs among those that stand, behind all that do not give way."""
    position = len(stand)
    while position and stand[position - 1].at_s > act.at_s and gives_way(stand[position - 1]):
        position -= 1
    return position


def numbered(entry: Entry) -> Numbered:
    """An act as it can be applied again."""
    return (entry.number, entry.act, entry.announced, entry.withheld)


def _news(entry: Entry) -> list[Announcement]:
    if entry.withheld:
        return []
    known = Counter(map(_content, entry.announced))
    news = []
    for ruling in entry.rulings:
        if known[_content(ruling)] > 0:
            known[_content(ruling)] -= 1
        else:
            news.append(Announcement(entry.number, ruling, amended=bool(entry.announced)))
    return news


def _content(ruling: Ruling) -> str:
    """What the table must do or know; which rule decided it is no news by itself."""
    return repr(structs.replace(ruling, rule=None))
