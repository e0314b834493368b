"""People who play Rummy Up: they hold real tiles, see most of what fits, and forget to say UNO.

They never rearrange the board and never ask the companion what can be played.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.games import commands, rulings
from companion.games.cards import Card, parse
from companion.games.commands import Command
from companion.games.referee import Accepted, Phase
from companion.games.rummy_up.board import change
from companion.games.rummy_up.judge import LIMIT, read_melds
from companion.games.rummy_up.melds import Meld, flaw, formable, is_set
from companion.games.rummy_up.referee import LOOSE, RummyState
from companion.games.rummy_up.tiles import FACES, HIGHEST, LOWEST, Tile, copies
from companion.games.rummy_up.turn import choices
from sim.card_people import CardPeople

OVERLOOKS = 0.2
"""How often somebody does not see a play that is there."""
FORGETS_UNO = 0.3
CATCHES = 0.6


class RummyPeople(CardPeople):
    """Everybody at a Rummy Up table: their racks, the pool, and what they do next."""

    # --- what they do -------------------------------------------------------------------------

    def next_command(self, state: RummyState) -> Command | None:
        match state.phase:
            case Phase.SETUP:
                return self._turn_up()
            case Phase.PLAY | Phase.DRAWN if state.turn in self.simulated:
                return self._turn(state, state.turn)
            case Phase.HANDS:
                return self._count(state)
            case _:
                return None

    def _turn_up(self) -> Command:
        return commands.Deal(table=tuple(map(str, self.random.sample(_TILES, LOOSE))))

    def _count(self, state: RummyState) -> Command:
        losers = (name for name in state.players if name != state.out)
        return commands.Hands(hands={name: tuple(map(str, self.hands[name])) for name in losers})

    def _turn(self, state: RummyState, player: str) -> Command:
        caught = state.uno_open
        if caught is not None and caught != player and self.random.random() < CATCHES:
            return commands.Catch(player=caught, by=player)
        rack = self.hands[player]
        drawn = state.phase is Phase.DRAWN
        limit = 1 if drawn else self.random.randint(1, LIMIT)
        melds, used = self._play(state, rack[-1:] if drawn else rack, limit)
        if not used:
            if drawn or not state.draw_pile:
                return commands.Pass()
            return commands.Draw()
        due = len(rack) - used == 1 and player not in state.calls.called
        if due and self.random.random() > FORGETS_UNO:
            return commands.Uno(player=player)
        return self._meld(state, melds)

    def _meld(self, state: RummyState, melds: Sequence[Meld]) -> Command:
        from_rack = change(state.board, melds).from_rack
        effects = {
            str(index): self.random.choice(sorted(offered))
            for index, offered in choices(from_rack).items()
        }
        table = tuple(tuple(map(str, meld)) for meld in melds)
        return commands.Meld(table=table, effects=effects)

    # --- what they see ------------------------------------------------------------------------

    def _play(self, state: RummyState, rack: Sequence[Card], limit: int) -> tuple[list[Meld], int]:
        """The board after what somebody sees to do, and how many tiles they use for it."""
        melds = list(state.board.melds)
        loose, held, used = Counter(state.board.loose), Counter(rack), 0
        for meld in self._as_seen(formable(held + loose)):
            faces = Counter(tile.face for tile in meld)
            wanted = faces - loose
            if wanted <= held and 0 < wanted.total() <= limit - used:
                melds.append(meld)
                loose -= faces
                held -= wanted
                used += wanted.total()
        for index, meld in enumerate(melds):
            for longer in self._as_seen(_extensions(meld)):
                face = next(iter(Counter(longer) - Counter(meld))).face
                if held[face] and not loose[face] and used < limit:
                    melds[index] = longer
                    held[face] -= 1
                    used += 1
                    break
        return melds, used

    def _as_seen(self, melds: Iterable[Meld]) -> list[Meld]:
        seen = [meld for meld in melds if self.random.random() > OVERLOOKS]
        self.random.shuffle(seen)
        return seen

    # --- what happens to their tiles ----------------------------------------------------------

    def saw(self, command: Command, before: RummyState, answer: Accepted[RummyState]) -> None:
        hands = answer.state.hands
        if isinstance(command, commands.Deal):
            self.deal(_TILES, map(parse, command.table or ()), hands)
            return
        misplayed = any(isinstance(ruling, rulings.Refused) for ruling in answer.rulings)
        if isinstance(command, commands.Meld) and before.turn is not None and not misplayed:
            written = read_melds(command.table)
            assert isinstance(written, tuple)
            for face in change(before.board, written).rack_tiles:
                self.lay(before.turn, [], str(face))
        self.follow(answer.rulings, hands)


_TILES = tuple(face for face in FACES for _ in range(copies(face)))


def _extensions(meld: Meld) -> Iterable[Meld]:
    """The meld with one tile more, as itself or as a wild."""
    first, last = meld[0], meld[-1]
    for wild in (False, True):
        if is_set(meld):
            colours = {tile.colour for tile in meld}
            for colour in type(first.colour):
                if colour not in colours:
                    yield from _legal((*meld, Tile(colour, first.number, wild)))
            continue
        if first.number > LOWEST:
            yield from _legal((Tile(first.colour, first.number - 1, wild), *meld))
        if last.number < HIGHEST:
            yield from _legal((*meld, Tile(last.colour, last.number + 1, wild)))


def _legal(meld: Meld) -> Iterable[Meld]:
    return () if flaw(meld) else (meld,)
