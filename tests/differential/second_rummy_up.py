"""A second referee of Rummy Up, written from the rules' text alone: what is done in a round.

It shares nothing with the first: no code, no types, no order of questions. It never explains a
refusal, and what a command may look like is left to `second_rummy_stream`.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.differential.second_rummy_board import (
    Board,
    Meld,
    No,
    check_copies,
    is_tile,
    tiles_of,
    value,
)

DECK = 100
Ruling = dict[str, Any]


def ruling(kind: str, **fields: Any) -> Ruling:
    return {"ruling": kind, **fields}


@dataclass
class Table:
    """Everything that lies and stands on the table."""

    players: list[str]
    dealer: str
    options: dict[str, Any]
    hands: dict[str, int]
    scores: dict[str, int]
    phase: str = "setup"
    round: int = 1
    turn: str | None = None
    direction: int = 1
    last_actor: str | None = None
    draw_pile: int = DECK
    table: list[Meld] = field(default_factory=list)
    loose: Meld = field(default_factory=list)
    uno_open: str | None = None
    called: set[str] = field(default_factory=set)
    """Who has called in this turn, or has called and holds one tile."""
    ahead: str | None = None
    """Who of them has called in this turn, and has not played since."""
    passes: int = 0
    out: str | None = None

    def state(self) -> dict[str, Any]:
        hidden = ("options", "called", "ahead", "passes", "out")
        shown = {name: held for name, held in vars(self).items() if name not in hidden}
        needs = {"setup": "deal", "hands": "hands"}.get(self.phase)
        return {**shown, "game": "rummy_up", "set_aside": 0, "needs": needs}

    # --- what the rules ask again and again ---------------------------------------------------

    def known(self, *names: str | None) -> None:
        if any(name is not None and name not in self.players for name in names):
            raise No("unknown_player")

    def after(self, player: str) -> str:
        return self.players[(self.players.index(player) + self.direction) % len(self.players)]

    def left_of(self, player: str) -> str:
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def hold(self, player: str, count: int) -> list[Ruling]:
        """A rack that changes by anything but a meld: who is not at one cannot be caught."""
        self.hands[player] = count
        if count == 1:
            return []
        if player != self.ahead:
            self.called.discard(player)
        return self.close() if self.uno_open == player else []

    def give(self, player: str, wanted: int, kind: str, **fields: Any) -> list[Ruling]:
        """U22."""
        count = min(wanted, self.draw_pile)
        self.draw_pile -= count
        safe = self.hold(player, self.hands[player] + count) if count else []
        return [*safe, ruling(kind, player=player, count=count, **fields)]

    def close(self) -> list[Ruling]:
        """U3: the next player has touched a tile."""
        player, self.uno_open = self.uno_open, None
        return [] if player is None else [ruling("uno_safe", player=player)]

    def go_on(self, player: str) -> list[Ruling]:
        self.turn, self.phase = player, "play"
        self.called, self.ahead = self.called - {self.ahead}, None
        return [ruling("turn", player=player)]

    # --- rounds -------------------------------------------------------------------------------

    def do_deal(self, table: Meld) -> list[Ruling]:
        if not all(map(is_tile, table)):
            raise No("unknown_card")
        check_copies(Counter(table))
        self.loose = table
        self.hands = dict.fromkeys(self.players, 14)
        self.draw_pile = DECK - 4 - 14 * len(self.players)
        dealt = [ruling("dealt", player=player, count=14) for player in self.players]
        return dealt + self.go_on(self.left_of(self.dealer))

    def end_round(self, player: str | None) -> list[Ruling]:
        self.phase, self.turn, self.out = "hands", None, player
        return [ruling("round_over", player=player)]

    def do_hands(
        self,
        hands: dict[str, Meld] | None = None,
        points: dict[str, int] | None = None,
        force: bool = False,
    ) -> list[Ruling]:
        given: dict[str, Any] = {**(hands or {}), **(points or {})}
        if not set(given) <= set(self.scores):
            raise No("unknown_player")
        tiles = [tile for rack in (hands or {}).values() for tile in rack]
        if not all(map(is_tile, tiles)):
            raise No("unknown_card")
        if hands is not None:
            check_copies(tiles_of(self.table) + Counter(self.loose) + Counter(tiles))
        losers = {name for name in self.players if name != self.out}
        if {name for name in given if (name, given[name]) != (self.out, [])} != losers:
            raise No("hand_mismatch")
        if points is not None:
            return self.score(points)
        if not force and any(len(given[name]) != self.hands[name] for name in losers):
            raise No("hand_mismatch")
        return self.score({name: sum(map(value, given[name])) for name in losers})

    def score(self, left: dict[str, int]) -> list[Ruling]:
        """R28; R25: the differences to the lowest rack, if one alone is lowest."""
        winner, lowest = self.out, 0
        if winner is None:
            lowest = min(left.values())
            best = [name for name, rack in left.items() if rack == lowest]
            winner = best[0] if len(best) == 1 else None
        said = []
        if winner is not None:
            won = sum(rack - lowest for rack in left.values())
            total = self.scores[winner] = self.scores[winner] + won
            said = [ruling("scored", player=winner, points=won, total=total)]
            if total >= self.options["target"]:
                return said + self.end_game(winner)
        again = winner in self.players and self.options["next_dealer"] == "winner"
        self.dealer = str(winner) if again else self.left_of(self.dealer)
        self.phase, self.round, self.direction = "setup", self.round + 1, 1
        self.hands, self.draw_pile = dict.fromkeys(self.players, 0), DECK
        self.table, self.loose, self.passes = [], [], 0
        self.called, self.ahead = set(), None
        self.last_actor = self.out = self.uno_open = None
        return said

    def end_game(self, winner: str) -> list[Ruling]:
        self.phase, self.turn, self.uno_open = "game_over", None, None
        return [ruling("game_over", winner=winner, scores=dict(self.scores))]

    # --- a turn -------------------------------------------------------------------------------

    def do_draw(self, player: str | None = None) -> list[Ruling]:
        if self.phase == "drawn":
            raise No("already_drawn")
        self.known(player)
        if player not in (None, self.turn):
            raise No("not_your_turn")
        if not self.draw_pile:
            raise No("pile_empty")
        self.last_actor = str(self.turn)
        said = self.close() + self.give(self.last_actor, 1, "drawn")
        self.phase = "drawn"
        return said

    def do_pass(self) -> list[Ruling]:
        if self.phase == "play" and self.draw_pile:
            raise No("draw_first")
        said = self.close()
        self.passes = 0 if self.draw_pile else self.passes + 1
        if self.passes >= len(self.players):
            return said + self.end_round(None)
        return said + self.go_on(self.after(str(self.turn)))

    def do_meld(self, table: list[Meld], effects: dict[str, str] | None = None) -> list[Ruling]:
        player, chosen = str(self.turn), effects or {}
        board = Board(self.table, self.loose, table)
        offered = {str(index): board.effects(index) for index in range(len(table))}
        if any(len(offered[key]) < 2 or one not in offered[key] for key, one in chosen.items()):
            raise No("bad_input")
        check_copies(tiles_of(table))
        board.check()
        count = board.rack.total()
        if self.phase == "drawn" and count > 1:
            raise No("only_the_drawn_card")
        if count > min(4, self.hands[player]):
            raise No("too_many_tiles")
        if any(len(offer) > 1 and key not in chosen for key, offer in offered.items()):
            raise No("effect_needed")
        said = self.close()
        self.loose = self.still_loose(board)
        self.table, self.passes, self.last_actor = table, 0, player
        self.hands[player] -= count
        if self.ahead == player:
            self.ahead = None
        if self.hands[player] != 1:
            self.called.discard(player)
        elif player not in self.called:
            self.uno_open = player
        acts = Counter(chosen.get(key) or min(offer) for key, offer in offered.items() if offer)
        return said + self.act(player, acts)

    def still_loose(self, board: Board) -> Meld:
        used, rest = Counter(board.used_loose), []
        for tile in self.loose:
            if used[tile]:
                used[tile] -= 1
            else:
                rest.append(tile)
        return rest

    def act(self, player: str, acts: Counter[str]) -> list[Ruling]:
        """R11: reverses, then draws on the next player, then skips; R14, R24."""
        said: list[Ruling] = []
        lost = ["skip"] * acts["skip"]
        if len(self.players) == 2 and self.options["reverse_2p"] == "skip":
            lost = ["reverse"] * acts["reverse"] + lost
        elif acts["reverse"] % 2:
            self.direction *= -1
            said.append(ruling("direction", direction=self.direction))
        victim, draws = self.after(player), []
        for effect, reason, each in (
            ("draw_two", "draw_two", 2),
            ("draw_four", "wild_draw_four", 4),
        ):
            if acts[effect]:
                said += self.give(victim, each * acts[effect], "draw", reason=reason)
                draws = [reason]
        at = player
        for reason in draws + lost:
            at = self.after(at)
            said.append(ruling("turn_lost", player=at, reason=reason))
        return said + (self.go_on(self.after(at)) if self.hands[player] else self.end_round(player))

    # --- UNO ----------------------------------------------------------------------------------

    def do_uno(self, player: str) -> list[Ruling]:
        self.known(player)
        count, mine = self.hands[player], player == self.turn
        late = self.uno_open == player
        if self.phase == "hands":
            raise No("too_late")
        if not late:
            if count not in range(1, 6):
                raise No("not_at_one")
            if player in self.called:
                raise No("already_called")
            if count == 1:
                raise No("nothing_to_call" if mine else "too_late")
            if not mine:
                raise No("nothing_to_call")
            self.ahead = player
        self.called.add(player)
        return [ruling("uno", player=player), *(self.close() if late else [])]

    def do_catch(self, player: str, by: str | None = None) -> list[Ruling]:
        """R22: only by whoever is next."""
        self.known(player, by)
        if self.phase == "hands":
            raise No("too_late")
        if by not in (None, self.after(player) if self.turn == player else self.turn):
            raise No("not_your_turn")
        if self.hands[player] != 1:
            raise No("not_at_one")
        if self.uno_open != player:
            raise No("already_called" if player in self.called else "too_late")
        self.uno_open = None
        caught = ruling("uno_caught", player=player)
        return [caught, *self.give(player, self.options["uno_penalty"], "penalty", reason="uno")]

    # --- people -------------------------------------------------------------------------------

    def do_leave(self, player: str) -> list[Ruling]:
        """U19."""
        self.known(player)
        said, follower = [ruling("left", player=player)], self.after(player)
        if self.uno_open == player:
            said += self.close()
        if self.dealer == player:
            self.dealer = self.left_of(player)
        if self.last_actor == player:
            self.last_actor = follower
        self.draw_pile += self.hands.pop(player)
        self.players = [name for name in self.players if name != player]
        self.called.discard(player)
        if len(self.players) == 1:
            return said + self.end_game(self.players[0])
        return said + (self.go_on(follower) if self.turn == player else [])

    def do_join(self, player: str, seat: int | None = None) -> list[Ruling]:
        """U20."""
        self.players.insert(len(self.players) if seat is None else seat, player)
        self.hands[player] = self.scores[player] = 0
        return [ruling("joined", player=player)]

    def do_correct(
        self,
        turn: str | None = None,
        direction: int | None = None,
        hand: dict[str, int] | None = None,
    ) -> list[Ruling]:
        self.known(turn, *(hand or {}))
        said = []
        for name, count in (hand or {}).items():
            said += self.hold(name, count)
        if direction not in (None, self.direction):
            self.direction *= -1
            said.append(ruling("direction", direction=self.direction))
        return said + (self.go_on(turn) if turn else [])
