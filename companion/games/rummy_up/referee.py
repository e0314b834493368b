"""The referee of UNO Rummy Up: the deal, melds and their effects, draws, passes, the count.

It never sees a rack, only how many tiles are on it: what came from it follows from the board.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec import UNSET

from companion.games import rulings
from companion.games.cards import Card
from companion.games.commands import (
    BaseCommand,
    Catch,
    Command,
    Correct,
    Deal,
    Draw,
    Meld,
    Play,
    Start,
)
from companion.games.judgement import TableState
from companion.games.opening import open_game
from companion.games.options import Target, UnoOptions
from companion.games.referee import Accepted, Code, Phase, Refusal, refusal
from companion.games.rummy_up.board import Board, Change, change
from companion.games.rummy_up.judge import (
    flaw_of_board,
    flaw_of_copies,
    flaw_of_number,
    read_melds,
)
from companion.games.rummy_up.tiles import FACES, TILES, Effect, points
from companion.games.rummy_up.turn import acting, brought, flaw_of_choice, missing_choice
from companion.games.turns import ON_TURN
from companion.games.uno import COMMON_PHASES, Fields, UnoJudgement

HAND = 14
LOOSE = 4
"""Tiles that are turned up at the start (R2)."""
MOST_PLAYERS = 4
MOST_TO_CALL = 5
"""With five tiles a turn can still end at one (R6)."""


class RummyOptions(UnoOptions, frozen=True, kw_only=True):
    """The house rules of Rummy Up."""

    target: Target = 200
    """The score at which a game is over (R28)."""


class RummyState(TableState, frozen=True, kw_only=True):
    """A state of Rummy Up: the board beside what every game has."""

    options: RummyOptions
    board: Board = Board()
    passes: int = 0
    """How many players have passed in a row because the pool is empty (R25)."""

    def as_json(self) -> dict[str, Any]:
        shown = super().as_json()
        shown["table"] = [[str(tile) for tile in meld] for meld in self.board.melds]
        shown["loose"] = [str(face) for face in self.board.loose]
        return shown


class RummyJudgement(UnoJudgement[RummyState]):
    """One command of Rummy Up being judged."""

    thing: ClassVar[str] = "tile"
    cards: ClassVar[Mapping[str, Card]] = {str(face): face for face in FACES}
    deck_rule: ClassVar[str | None] = "R1"
    deck_size: ClassVar[int] = TILES
    hand_size: ClassVar[int] = HAND
    most_players: ClassVar[int] = MOST_PLAYERS
    most_to_call: ClassVar[int] = MOST_TO_CALL
    catch_rule: ClassVar[str] = "R22"
    two_player_reverse_rule: ClassVar[str] = "R14"
    points_rule: ClassVar[str | None] = "R28"
    phases: ClassVar[Mapping[type[BaseCommand], frozenset[Phase]]] = {
        **{do: phases for do, phases in COMMON_PHASES.items() if do is not Play},
        Meld: ON_TURN,
    }
    fields: ClassVar[Mapping[type[BaseCommand], Fields]] = {
        Deal: Fields(needs=("table",), lacks=("left", "right", "top", "colour", "colours")),
        Draw: Fields(lacks=("count",)),
        Correct: Fields(lacks=("left", "right", "top", "colour")),
    }

    def malformed(self, command: Command) -> Refusal | None:
        if isinstance(command, Meld):
            return self._bad_index(command)
        if isinstance(command, Deal) and command.table is not UNSET and len(command.table) != LOOSE:
            text = f"`table` must be the {LOOSE} face-up tiles, not {len(command.table)}"
            return refusal(Code.BAD_INPUT, text, "R2")
        return super().malformed(command)

    def _bad_index(self, command: Meld) -> Refusal | None:
        if command.effects is UNSET:
            return None
        indices = {str(index) for index in range(len(command.table))}
        for key in command.effects:
            if key not in indices:
                text = f"`effects` names meld {key[:20]!r}, which is not in `table`"
                return refusal(Code.BAD_INPUT, text, "R10")
        return None

    # --- the deal ---------------------------------------------------------------------------

    def deal(self, command: Deal) -> Refusal | None:
        """Every rack 14, four tiles face up: what they are has no effect (R2, R3)."""
        assert command.table is not UNSET
        wrong = self.no_such_card(*command.table)
        if wrong is None:
            loose = tuple(self.cards[text] for text in command.table)
            wrong = flaw_of_copies(loose)
            self.change(board=Board((), loose))
        if wrong is not None:
            return wrong
        self.deal_hands(TILES - HAND * len(self.state.players) - LOOSE)
        return None

    # --- melds ------------------------------------------------------------------------------

    def own(self, command: Command) -> Refusal | None:
        assert isinstance(command, Meld)
        player = self.state.turn
        assert player is not None
        wrong = self._meld(command, player)
        return None if wrong is None else self.misplayed(player, wrong)

    def _meld(self, command: Meld, player: str) -> Refusal | None:
        """The turn's rearrangement of the board, which ends the turn."""
        written = read_melds(command.table)
        if isinstance(written, Refusal):
            return written
        given: Mapping[str, Effect] = {} if command.effects is UNSET else command.effects
        state = self.state
        changed = change(state.board, written)
        offered = brought(changed.from_rack)
        wrong = flaw_of_choice(given, offered) or self._too_many(changed)
        if wrong is not None:
            return wrong
        melds = flaw_of_board(state.board.melds, written, changed)
        if isinstance(melds, Refusal):
            return melds
        wrong = flaw_of_number(
            changed, hand=state.hands[player], drawn=state.phase is Phase.DRAWN
        ) or missing_choice(given, offered)
        if wrong is not None:
            return wrong
        self.close_window()
        board = Board(melds, changed.loose)
        self.discard(player, len(changed.rack_tiles))
        self.change(board=board, passes=0)
        self.go_on(player, self._take_effect(acting(given, offered), player))
        return None

    def _too_many(self, changed: Change) -> Refusal | None:
        """More copies of an added tile in melds than the set holds (R1)."""
        board = self.state.board
        lying = (face for face in {*changed.added} for _ in range(board.count(face)))
        return flaw_of_copies((*lying, *changed.added))

    def _take_effect(self, acts: Counter[Effect], player: str) -> str:
        """Reverses first, then all draws on one player, then skips; who goes on (R11)."""
        rule = "R11" if acts.total() > 1 else None
        skips = self.reverse_skips
        if acts["reverse"] % 2 and not skips:
            self.turn_round(rule)
        following = self._draws(acts, player, rule)
        for _ in range(acts["reverse"] if skips else 0):
            following = self.lose_turn(following, "reverse", self.two_player_reverse_rule)
        for _ in range(acts["skip"]):
            following = self.lose_turn(following, "skip", "U10" if self.between_two else rule)
        return following

    def _draws(self, acts: Counter[Effect], player: str, rule: str | None) -> str:
        """The next player takes what all melds together demand, and loses one turn."""
        victim = self.following(player)
        twos, fours = acts["draw_two"], acts["draw_four"]
        why = rule if self.state.hands[player] else "R24"
        if twos:
            self.force_draw(victim, 2 * twos, "draw_two", why)
        if fours:
            self.force_draw(victim, 4 * fours, "wild_draw_four", why)
        if not twos and not fours:
            return victim
        reason: rulings.LostReason = "wild_draw_four" if fours else "draw_two"
        return self.lose_turn(victim, reason, "U10" if self.between_two else rule)

    # --- draws and passes -------------------------------------------------------------------

    def draw(self, command: Draw) -> Refusal | None:
        """Draws from the pool; an empty one is never reshuffled (R25)."""
        state = self.state
        if state.phase is Phase.PLAY and not state.draw_pile:
            text = f"The pool is empty: {state.turn} must meld or pass"
            return self.not_on_turn(command.player) or refusal(Code.PILE_EMPTY, text, "R25")
        return super().draw(command)

    def pass_turn(self) -> Refusal | None:
        """Ends a turn without a meld; with an empty pool all passing ends the round (R25)."""
        state, player = self.state, self.state.turn
        assert player is not None
        if state.phase is Phase.PLAY and state.draw_pile:
            return refusal(Code.DRAW_FIRST, f"{player} must draw before passing", "R5")
        self.close_window()
        passes = 0 if state.draw_pile else state.passes + 1
        if passes < len(state.players):
            self.change(passes=passes)
            self.begin_turn(self.following(player))
        else:
            self.change(phase=Phase.HANDS, turn=None)
            self.rule(rulings.RoundOver(player=None, rule="R25"))
        return None

    # --- UNO --------------------------------------------------------------------------------

    def catch(self, command: Catch) -> Refusal | None:
        """Only whoever acts next may catch, before they touch a tile (R22)."""
        wrong = self.unknown_player(command.player, command.by)
        if wrong is None and command.by is not UNSET and self.state.turn is not None:
            wrong = self._not_next(command.player, command.by)
        return wrong or super().catch(command)

    def _not_next(self, caught: str, catcher: str) -> Refusal | None:
        turn = self.state.turn
        may = self.following(caught) if turn == caught else turn
        if catcher == may:
            return None
        text = f"Only {may}, who is next, may catch {caught}"
        return refusal(Code.NOT_YOUR_TURN, text, "R22")

    # --- the count --------------------------------------------------------------------------

    def unheld(self, hands: Iterable[tuple[str, ...]]) -> Refusal | None:
        """Racks with a tile that lies on the board too often already (R1)."""
        board = self.state.board
        held = (self.cards[text] for tiles in hands for text in tiles)
        return flaw_of_copies((*board.faces.elements(), *board.loose, *held))

    def worth(self, text: str) -> int:
        return points(self.cards[text])

    def score(self, left: Mapping[str, int]) -> None:
        """All points to whoever went out; if nobody did, the differences to the lowest (R25)."""
        if self.state.out is not None:
            super().score(left)
            return
        lowest = min(left.values())
        best = [name for name, rack in left.items() if rack == lowest]
        if len(best) > 1:
            self.next_round()
            return
        self.change(out=best[0])
        super().score({name: rack - lowest for name, rack in left.items()})

    def cleared(self) -> dict[str, object]:
        return {"board": Board(), "passes": 0}


class RummyReferee:
    """The rules of Rummy Up as a function of state and command."""

    game = "rummy_up"
    cards = RummyJudgement.cards

    def start(self, command: Start) -> Accepted[RummyState] | Refusal:
        return open_game(command, RummyState, RummyOptions, TILES, MOST_PLAYERS)

    def apply(self, state: RummyState, command: Command) -> Accepted[RummyState] | Refusal:
        judgement = RummyJudgement(state)
        return judgement.decide(command) or judgement.accepted()
