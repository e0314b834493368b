"""How a command of an UNO game is judged: its form, its time, and what decides; who comes and goes.

What a card may be laid on and what else it does is each game's own: see its file.
"""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from msgspec import UNSET

from companion.games import rulings
from companion.games.commands import (
    BaseCommand,
    Catch,
    Command,
    Correct,
    Deal,
    Draw,
    Hands,
    Join,
    Leave,
    Pass,
    Play,
    Uno,
)
from companion.games.referee import Code, Phase, Refusal, refusal
from companion.games.rounds import RoundJudgement
from companion.games.turns import IN_A_ROUND, ON_TURN, S

MOST_PLAYERS = 10

BEFORE_THE_END = frozenset(Phase) - {Phase.GAME_OVER}

COMMON_PHASES: Mapping[type[BaseCommand], frozenset[Phase]] = {
    Deal: frozenset({Phase.SETUP}),
    Play: ON_TURN,
    Draw: ON_TURN,
    Pass: ON_TURN,
    Uno: IN_A_ROUND | {Phase.HANDS},
    Catch: IN_A_ROUND | {Phase.HANDS},
    Hands: frozenset({Phase.HANDS}),
    Leave: BEFORE_THE_END,
    Join: frozenset({Phase.SETUP}),
    Correct: IN_A_ROUND,
}
"""When each command is possible at all; a game adds its own and leaves out none of these."""

PLAIN = frozenset({Pass, Uno, Catch, Hands, Leave})
"""Commands whose fields no state makes wrong."""


class Fields(NamedTuple):
    """What a game makes of a command's optional fields: those it needs, those it does not know."""

    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


class UnoJudgement(RoundJudgement[S]):
    """The judging of a command in an UNO game; a game's own class fills in what differs."""

    most_players: ClassVar[int] = MOST_PLAYERS
    phases: ClassVar[Mapping[type[BaseCommand], frozenset[Phase]]] = COMMON_PHASES
    fields: ClassVar[Mapping[type[BaseCommand], Fields]] = {}
    waits: ClassVar[Mapping[Phase, tuple[str, str | None]]] = {}
    """What a phase asks of the table first, with its rule, for those refused until then."""
    occasions: ClassVar[Mapping[type[BaseCommand], tuple[str, str | None]]] = {}
    """What has not happened yet for a command that an ordinary turn does not know."""

    # --- what a game fills in ---------------------------------------------------------------

    def deal(self, command: Deal) -> Refusal | None:
        raise NotImplementedError

    def own(self, command: Command) -> Refusal | None:
        """Decides a command that only this game knows."""
        raise NotImplementedError

    def malformed(self, command: Command) -> Refusal | None:
        """What is wrong with the fields in the light of the state; comes before everything."""
        return self._bad_seat(command) if isinstance(command, Join) else None

    def _wrong_fields(self, command: Command, known: Fields) -> Refusal | None:
        """A field that this game needs or does not know."""
        for name in known.needs:
            if getattr(command, name) is UNSET:
                return refusal(Code.BAD_INPUT, f"`{command.do}` needs `{name}`")
        for name in known.lacks:
            if getattr(command, name) is not UNSET:
                text = f"`{command.do}` in {self.state.game} knows no `{name}`"
                return refusal(Code.BAD_INPUT, text)
        return None

    def correct_cards(self, command: Correct) -> None:
        """Sets the visible cards that the table names."""

    def drop_pending(self) -> None:
        """Forgets whatever was half done: the table has said whose turn it is."""

    def hand_over(self, leaver: str) -> str:
        """Settles what `leaver`, still seated, owes; who goes on in their place."""
        return self.state.seats.after(leaver)

    # --- the frame --------------------------------------------------------------------------

    def decide(self, command: Command) -> Refusal | None:
        """Judges one command completely; None: it is accepted and the state has changed."""
        kind = type(command)
        known = self.phases.get(kind)
        if known is None:
            text = f"`{command.do}` is no command of {self.state.game}"
            return refusal(Code.WRONG_PHASE, text)
        fields = self.fields.get(kind)
        wrong = None if fields is None else self._wrong_fields(command, fields)
        if wrong is None and kind not in PLAIN:
            wrong = self.malformed(command)
        if wrong is not None:
            return wrong
        if self.state.phase not in known:
            return self.not_now(command)
        if isinstance(command, Play):
            return self.play(command)
        if isinstance(command, Draw):
            return self.draw(command)
        if kind not in COMMON_PHASES:
            return self.own(command)
        if isinstance(command, Pass):
            return self.pass_turn()
        if isinstance(command, Uno):
            return self.say_uno(command)
        if isinstance(command, Catch):
            return self.catch(command)
        if isinstance(command, Deal):
            return self.deal(command)
        if isinstance(command, Hands):
            return self.count_hands(command)
        if isinstance(command, Leave):
            return self.leave(command)
        if isinstance(command, Join):
            return self.join(command)
        assert isinstance(command, Correct)
        return self.correct(command)

    def not_now(self, command: Command) -> Refusal:
        phase = self.state.phase
        if phase in ON_TURN:
            why, rule = self.occasions.get(type(command), ("the round goes on", None))
        else:
            why, rule = self.waits.get(phase, (_WAITS.get(phase, "the round goes on"), None))
        if isinstance(command, Join):
            rule = "U20"
        return refusal(Code.WRONG_PHASE, f"`{command.do}` is not possible now: {why}", rule)

    # --- the table itself -------------------------------------------------------------------

    def leave(self, command: Leave) -> Refusal | None:
        """A player goes home; their cards go under the draw pile (U19)."""
        state, leaver = self.state, command.player
        wrong = self.unknown_player(leaver)
        if wrong is not None:
            return wrong
        self.rule(rulings.Left(player=leaver, rule="U19"))
        self.change(draw_pile=state.draw_pile + state.hands[leaver])
        goes_on = self.hand_over(leaver) if len(state.players) > 2 else state.seats.after(leaver)
        self.set_hand(leaver, 0, "U19")
        hands = {name: count for name, count in self.state.hands.items() if name != leaver}
        actor = self.state.last_actor
        self.change(
            seats=self.state.seats.without(leaver),
            hands=hands,
            last_actor=self.following(leaver) if actor == leaver else actor,
        )
        if len(hands) == 1:
            self.end_game(goes_on, rule="U19")
        elif self.state.turn == leaver:
            phase = Phase.PLAY if state.phase is Phase.DRAWN else state.phase
            self.begin_turn(goes_on, phase)
        return None

    def _bad_seat(self, command: Join) -> Refusal | None:
        players, name = self.state.players, command.player
        if not name or name in players:
            return refusal(Code.BAD_INPUT, f"`player` must be a new name, not {name!r}")
        if len(players) >= self.most_players:
            return refusal(Code.BAD_INPUT, f"There are {self.most_players} players already")
        if command.seat is not UNSET and command.seat > len(players):
            return refusal(Code.BAD_INPUT, f"`seat` must be 0 to {len(players)}")
        return None

    def join(self, command: Join) -> Refusal | None:
        """A newcomer sits down between two rounds with nothing on the score sheet (U20)."""
        state, name = self.state, command.player
        seat = len(state.players) if command.seat is UNSET else command.seat
        self.change(
            seats=state.seats.joined_by(name, seat),
            hands={**state.hands, name: 0},
            scores={**state.scores, name: 0},
        )
        self.rule(rulings.Joined(player=name, rule="U20"))
        return None

    def correct(self, command: Correct) -> Refusal | None:
        """The table overrules the referee (protocol, 9)."""
        hand = {} if command.hand is UNSET else command.hand
        wrong = self.unknown_player(command.turn, *hand) or self.no_such_card(
            command.left, command.right, command.top
        )
        if wrong is not None:
            return wrong
        for player, count in hand.items():
            self.set_hand(player, count)
        if command.direction is not UNSET and command.direction != self.state.direction:
            self.turn_round()
        if command.turn is not UNSET:
            self.drop_pending()
            self.begin_turn(command.turn)
        self.correct_cards(command)
        return None


_WAITS: Mapping[Phase, str] = {
    Phase.SETUP: "the round is not dealt yet",
    Phase.HANDS: "the round is over and the hands are to be counted",
    Phase.GAME_OVER: "the game is over",
}
