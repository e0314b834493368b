"""What the UNO games share: seating, dealing, UNO calls, scoring, leaving, joining, correcting.

What a card may be laid on and what else it does is each game's own: see its file.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple, TypeVar

from msgspec import UNSET, UnsetType

from companion.games import rulings
from companion.games.calls import Calls
from companion.games.cards import Card, Colour, Kind
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
    Start,
    Uno,
)
from companion.games.decks import points
from companion.games.judgement import (
    Judgement,
    TableState,
)
from companion.games.referee import Code, Phase, Refusal, refusal
from companion.games.seats import TO_THE_LEFT, Seats

HAND = 7
"""Cards that each player is dealt."""

MOST_PLAYERS = 10

MISPLAYS = frozenset(
    {
        Code.NOT_YOUR_TURN,
        Code.TRAY_STOPPED,
        Code.NO_MATCH,
        Code.STOP_NEEDS_STOP,
        Code.CANNOT_STEAL,
        Code.TILES_MISSING,
        Code.ILLEGAL_MELD,
        Code.ONLY_THE_DRAWN_CARD,
        Code.TOO_MANY_TILES,
    }
)
"""Refusals of a card that was illegal or out of turn, or of an illegal board (U12)."""

IN_A_ROUND = frozenset({Phase.PLAY, Phase.DRAWN, Phase.TILT, Phase.SPILLED, Phase.GOING_OUT})
ON_TURN = frozenset({Phase.PLAY, Phase.DRAWN})
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


class Fields(NamedTuple):
    """What a game makes of a command's optional fields: those it needs, those it does not know."""

    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


S = TypeVar("S", bound=TableState)


class UnoJudgement(Judgement[S]):
    """The judging of a command in an UNO game; a game's own class fills in what differs."""

    cards: ClassVar[Mapping[str, Card]]
    """Every text that is a card of this game's deck, and `?`."""
    deck_size: ClassVar[int]
    hand_size: ClassVar[int] = HAND
    most_players: ClassVar[int] = MOST_PLAYERS
    most_to_call: ClassVar[int] = 2
    """With how many cards at most one may say UNO before playing."""
    phases: ClassVar[Mapping[type[BaseCommand], frozenset[Phase]]] = COMMON_PHASES
    fields: ClassVar[Mapping[type[BaseCommand], Fields]] = {}
    waits: ClassVar[Mapping[Phase, tuple[str, str | None]]] = {}
    """What a phase asks of the table first, with its rule, for those refused until then."""
    colour_rule: ClassVar[str | None] = None
    """The rule that lets a player name the colour of a wild."""
    draw_rule: ClassVar[str | None] = None
    """The rule that says more about a turn's draw than U14."""
    catch_rule: ClassVar[str] = "U4"
    two_player_reverse_rule: ClassVar[str] = "U9"
    points_rule: ClassVar[str | None] = None
    """The rule that says what the cards left in a hand are worth."""

    # --- what a game fills in ---------------------------------------------------------------

    def deal(self, command: Deal) -> Refusal | None:
        raise NotImplementedError

    def lay(self, command: Play, player: str) -> Refusal | None:
        """Lays a card of the deck for `player`, who is at the table, or says why it cannot lie."""
        raise NotImplementedError

    def own(self, command: Command) -> Refusal | None:
        """Decides a command that only this game knows."""
        raise NotImplementedError

    def malformed(self, command: Command) -> Refusal | None:
        """What is wrong with the fields in the light of the state; comes before everything."""
        lacks = self.fields.get(type(command))
        if lacks is not None:
            for name in lacks.needs:
                if getattr(command, name) is UNSET:
                    return refusal(Code.BAD_INPUT, f"`{command.do}` needs `{name}`")
            for name in lacks.lacks:
                if getattr(command, name) is not UNSET:
                    return refusal(
                        Code.BAD_INPUT, f"`{command.do}` in {self.state.game} knows no `{name}`"
                    )
        if isinstance(command, Join):
            return self._bad_seat(command)
        if isinstance(command, Correct) and command == Correct():
            return refusal(Code.BAD_INPUT, "`correct` needs to say what is to be corrected")
        return None

    def correct_cards(self, command: Correct) -> None:
        """Sets the visible cards that the table names."""

    def drop_pending(self) -> None:
        """Forgets whatever was half done: the table has said whose turn it is."""

    def hand_over(self, leaver: str) -> str:
        """Settles what `leaver`, still seated, owes; who goes on in their place."""
        return self.state.seats.after(leaver)

    def cleared(self) -> dict[str, object]:
        """The game's own fields as they are between rounds."""
        return {}

    # --- the frame --------------------------------------------------------------------------

    def decide(self, command: Command) -> Refusal | None:
        """Judges one command completely; None: it is accepted and the state has changed."""
        known = self.phases.get(type(command))
        if known is None:
            text = f"`{command.do}` is nothing that {self.state.game} knows"
            return refusal(Code.WRONG_PHASE, text)
        wrong = self.malformed(command)
        if wrong is not None:
            return wrong
        if self.state.phase not in known:
            return self.not_now(command)
        match command:
            case Play():
                return self.play(command)
            case Draw():
                return self.draw(command)
            case Pass():
                return self.pass_turn()
            case Uno():
                return self.say_uno(command)
            case Catch():
                return self.catch(command)
            case Deal():
                return self.deal(command)
            case Hands():
                return self.count_hands(command)
            case Leave():
                return self.leave(command)
            case Join():
                return self.join(command)
            case Correct():
                return self.correct(command)
            case _:
                return self.own(command)

    def not_now(self, command: Command) -> Refusal:
        phase = self.state.phase
        why, rule = self.waits.get(phase, (_WAITS.get(phase, "the round goes on"), None))
        if isinstance(command, Join):
            rule = "U20"
        return refusal(Code.WRONG_PHASE, f"`{command.do}` is not possible now: {why}", rule)

    def no_such_card(self, *texts: str | UnsetType) -> Refusal | None:
        """The first of `texts` that is no card of the deck; texts not given are skipped."""
        for text in texts:
            if isinstance(text, str) and text not in self.cards:
                return refusal(Code.UNKNOWN_CARD, f"This deck has no card {text[:20]!r}")
        return None

    @staticmethod
    def named_colour(colour: str | UnsetType) -> Colour | None:
        """The colour that a command names, or None."""
        return Colour(colour) if isinstance(colour, str) else None

    # --- turns ------------------------------------------------------------------------------

    def play(self, command: Play) -> Refusal | None:
        """Plays a card, or lets a misplay cost what the house rules say (U12)."""
        player = self.state.turn if command.player is UNSET else command.player
        assert player is not None
        wrong = self.unknown_player(player) or self.no_such_card(command.card)
        if wrong is not None:
            return wrong
        return self.misplayed(player, self.lay(command, player))

    def misplayed(self, player: str, wrong: Refusal | None) -> Refusal | None:
        """Refuses a misplay, or by house rule accepts it for a penalty (U12)."""
        price = self.state.options.misplay_penalty
        if wrong is None or not price or wrong.code not in MISPLAYS:
            return wrong
        self.rule(rulings.Refused(code=wrong.code, message=wrong.message, rule=wrong.rule))
        self.penalise(player, price, "misplay", "U12")
        return None

    def not_your_turn(self, player: str) -> Refusal | None:
        turn = self.state.turn
        if player == turn:
            return None
        return refusal(Code.NOT_YOUR_TURN, f"It is {turn}'s turn, not {player}'s", "U12")

    def colour_needed(self) -> Refusal | None:
        if self.state.needs != "colour":
            return None
        return refusal(
            Code.COLOUR_NEEDED, f"First {self.state.turn} must name a colour", self.colour_rule
        )

    def draw(self, command: Draw) -> Refusal | None:
        """The turn's own draw of one card (U14); a draw that lapses passes the turn (U22)."""
        state = self.state
        if state.phase is Phase.DRAWN and state.needs != "colour":
            return refusal(Code.ALREADY_DRAWN, f"{state.turn} has drawn: play it or pass", "U14")
        player = state.turn if command.player is UNSET else command.player
        assert player is not None
        wrong = self.unknown_player(player) or self.not_your_turn(player) or self.colour_needed()
        if wrong is not None:
            return wrong
        self.close_window()
        count = self.give(player, 1)
        self.rule(
            rulings.Drawn(player=player, count=count, rule=self.draw_rule if count else "U22")
        )
        if count:
            self.change(phase=Phase.DRAWN, last_actor=player)
        else:
            self.begin_turn(self.following(player))
        return None

    def pass_turn(self) -> Refusal | None:
        wrong = self.colour_needed()
        if wrong is not None:
            return wrong
        player = self.state.turn
        assert player is not None
        if self.state.phase is not Phase.DRAWN:
            return refusal(Code.DRAW_FIRST, f"{player} must draw before passing", "U15")
        self.begin_turn(self.following(player))
        return None

    def discard(self, player: str, cards: int = 1) -> int:
        """Takes what was laid out of the hand; how many cards are left there."""
        self.close_window()
        left = max(0, self.state.hands[player] - cards)
        self.change(
            hands={**self.state.hands, player: left},
            calls=self.state.calls.after_discard(player, left),
            last_actor=player,
        )
        return left

    def force_draw(
        self, player: str, count: int, reason: rulings.DrawReason, rule: str | None = None
    ) -> None:
        """A draw that a card forces: it is no play (T22)."""
        drawn = self.give(player, count)
        self.rule(rulings.Draw(player=player, count=drawn, reason=reason, rule=rule))

    def turn_round(self, rule: str | None = None) -> None:
        """Play goes the other way from now on."""
        turned = self.state.seats.reversed()
        self.change(seats=turned)
        self.rule(rulings.Direction(direction=turned.direction, rule=rule))

    def lose_turn(self, player: str, reason: rulings.LostReason, rule: str | None = None) -> str:
        """Skips `player`; who comes after them."""
        self.rule(rulings.TurnLost(player=player, reason=reason, rule=rule))
        return self.following(player)

    @property
    def between_two(self) -> bool:
        return len(self.state.at_play) == 2

    @property
    def reverse_skips(self) -> bool:
        """Whether a Reverse works as a Skip (U9)."""
        return self.between_two and self.state.options.reverse_2p == "skip"

    def act(self, card: Card, player: str) -> str:
        """What the card of `player` does to the next one; whose turn it then is (U9, U10)."""
        victim = self.following(player)
        if card.number is not None:
            return victim
        two = self.between_two
        counted = None if self.state.hands[player] else "U16"
        match card.kind:
            case Kind.DRAW_TWO:
                self.force_draw(victim, 2, "draw_two", counted)
                return self.lose_turn(victim, "draw_two", "U10" if two else None)
            case Kind.WILD_DRAW_FOUR:
                self.force_draw(victim, 4, "wild_draw_four", counted)
                return self.lose_turn(victim, "wild_draw_four", "U10" if two else None)
            case Kind.SKIP:
                return self.lose_turn(victim, "skip", "U10" if two else None)
            case Kind.REVERSE if self.reverse_skips:
                return self.lose_turn(victim, "reverse", self.two_player_reverse_rule)
            case Kind.REVERSE:
                self.turn_round()
                return self.following(player)
            case _:
                return victim

    # --- UNO --------------------------------------------------------------------------------

    def say_uno(self, command: Uno) -> Refusal | None:
        state, player = self.state, command.player
        wrong = self.unknown_player(player)
        if wrong is not None:
            return wrong
        own_turn = state.turn == player and state.phase in ON_TURN
        wrong = self._round_is_out() or state.calls.refuse_call(
            player, state.hands[player], own_turn=own_turn, most=self.most_to_call
        )
        if wrong is not None:
            return self._false_call(player, wrong)
        self.rule(rulings.Uno(player=player, rule="U1"))
        if state.calls.open == player:
            self.rule(rulings.UnoSafe(player=player, rule="U2"))
        self.change(calls=state.calls.after_call(player))
        return None

    def catch(self, command: Catch) -> Refusal | None:
        state, player = self.state, command.player
        wrong = self.unknown_player(player, command.by)
        if wrong is not None:
            return wrong
        wrong = self._round_is_out() or state.calls.refuse_catch(player, state.hands[player])
        if wrong is not None:
            return wrong if command.by is UNSET else self._false_call(command.by, wrong)
        self.rule(rulings.UnoCaught(player=player, rule=self.catch_rule))
        self.change(calls=state.calls.closed())
        self.penalise(player, state.options.uno_penalty, "uno", "U8")
        return None

    def _round_is_out(self) -> Refusal | None:
        if self.state.phase not in (Phase.GOING_OUT, Phase.HANDS):
            return None
        text = "After the last card of a round nobody can call or be caught"
        return refusal(Code.TOO_LATE, text, "U7")

    def _false_call(self, caller: str, wrong: Refusal) -> Refusal | None:
        """Refuses, or by house rule lets the false caller draw (U5); never one who is out."""
        price = self.state.options.false_call_penalty
        if not price or not self.state.hands[caller]:
            return wrong
        self.rule(rulings.Refused(code=wrong.code, message=wrong.message, rule=wrong.rule))
        self.penalise(caller, price, "false_call", "U5")
        return None

    # --- rounds and scores ------------------------------------------------------------------

    def deal_hands(self, left_on_pile: int) -> None:
        """Everyone at play has a hand, and whoever starts the turn."""
        at_play = self.state.at_play
        for player in at_play:
            self.rule(rulings.Dealt(player=player, count=self.hand_size))
        hands = {name: self.hand_size if name in at_play else 0 for name in self.state.players}
        self.change(hands=hands, draw_pile=left_on_pile)
        self.begin_turn(self.starter())

    def starter(self) -> str:
        """Who starts a round: the dealer's left neighbour."""
        return self.state.seats.left_of(self.state.dealer)

    def end_round(self, player: str) -> None:
        """`player` is out for good; the hands are counted next."""
        self.change(phase=Phase.HANDS, turn=None, out=player)
        self.rule(rulings.RoundOver(player=player))

    def count_hands(self, command: Hands) -> Refusal | None:
        state = self.state
        named: dict[str, object] = {}
        named.update(command.hands or command.points or {})
        gone = [name for name in named if name not in state.scores]
        wrong = self.unknown_player(*gone)
        if wrong is None and command.hands is not UNSET:
            texts = (text for cards in command.hands.values() for text in cards)
            wrong = self.no_such_card(*texts) or self.unheld(command.hands.values())
        if wrong is not None:
            return wrong
        losers = [name for name in state.players if name != state.out]
        if {name for name, cards in named.items() if (name, cards) != (state.out, ())} != {*losers}:
            text = f"Count exactly the hands of {', '.join(losers)}"
            return refusal(Code.HAND_MISMATCH, text)
        if command.hands is UNSET:
            assert command.points is not UNSET
            self.score({name: command.points[name] for name in losers})
            return None
        for name in losers:
            if len(command.hands[name]) != state.hands[name] and not command.force:
                text = (
                    f"{name} should hold {state.hands[name]} cards, not {len(command.hands[name])}"
                )
                return refusal(Code.HAND_MISMATCH, text)
        self.score({name: sum(map(self.worth, command.hands[name])) for name in losers})
        return None

    def worth(self, text: str) -> int:
        """The points of a card left in a hand."""
        return points(self.cards[text])

    def unheld(self, hands: Iterable[tuple[str, ...]]) -> Refusal | None:
        """Cards of the deck that cannot be left in a hand."""
        if any("?" in cards for cards in hands):
            return refusal(Code.UNKNOWN_CARD, "A card left in a hand must be named, `?` is none")
        return None

    def score(self, left: Mapping[str, int]) -> None:
        """Everything left in the others' hands goes to the one who went out (T50)."""
        winner = self.state.out
        assert winner is not None
        won = sum(left.values())
        total = self.state.scores[winner] + won
        self.change(scores={**self.state.scores, winner: total})
        self.rule(rulings.Scored(player=winner, points=won, total=total, rule=self.points_rule))
        if total >= self.state.options.target:
            self.end_game(winner)
        else:
            self.next_round()

    def score_each(self, left: Mapping[str, int], rule: str) -> None:
        """Everyone keeps what they were left with; at the target the lowest total wins."""
        state = self.state
        scores = {name: score + left.get(name, 0) for name, score in state.scores.items()}
        self.change(scores=scores)
        for name in state.players:
            points_left = left.get(name, 0)
            self.rule(
                rulings.Scored(player=name, points=points_left, total=scores[name], rule=rule)
            )
        if all(scores[name] < state.options.target for name in state.players):
            self.next_round()
            return
        self.lowest_wins(self.with_lowest_score(), rule)

    def with_lowest_score(self) -> tuple[str, ...]:
        """Those at the table with the lowest score, in seat order."""
        scores, players = self.state.scores, self.state.players
        lowest = min(scores[name] for name in players)
        return tuple(name for name in players if scores[name] == lowest)

    def lowest_wins(self, best: tuple[str, ...], rule: str) -> None:
        """A game that is won by the lowest total is over; a tie is shared."""
        self.end_game(*best, rule=rule)

    def next_round(self) -> None:
        """Between rounds everything is the next round's already (U17)."""
        state = self.state
        dealer = state.seats.left_of(state.dealer)
        if state.options.next_dealer == "winner" and state.out in state.players:
            dealer = state.out
        self.change(
            phase=Phase.SETUP,
            round=state.round + 1,
            seats=state.seats.with_dealer(dealer),
            turn=None,
            hands=dict.fromkeys(state.players, 0),
            last_actor=None,
            draw_pile=self.deck_size,
            set_aside=0,
            calls=Calls(),
            out=None,
            **self.cleared(),
        )

    def end_game(self, *best: str, rule: str = "U21") -> None:
        """The game is over; several `best` share the first place."""
        self.change(phase=Phase.GAME_OVER, turn=None, calls=Calls())
        shared = len(best) > 1
        self.rule(
            rulings.GameOver(
                winner=None if shared else best[0],
                scores=dict(self.state.scores),
                tied=best if shared else None,
                shared=shared,
                rule=rule,
            )
        )

    # --- the table itself -------------------------------------------------------------------

    def leave(self, command: Leave) -> Refusal | None:
        """A player goes home; their cards go under the draw pile (U19)."""
        state, leaver = self.state, command.player
        wrong = self.unknown_player(leaver)
        if wrong is not None:
            return wrong
        self.rule(rulings.Left(player=leaver, rule="U19"))
        self.change(draw_pile=state.draw_pile + state.hands[leaver])
        self.set_hand(leaver, 0, "U19")
        goes_on = self.hand_over(leaver) if len(state.players) > 2 else state.seats.after(leaver)
        hands = {name: count for name, count in self.state.hands.items() if name != leaver}
        actor = self.state.last_actor
        self.change(
            seats=self.state.seats.without(leaver),
            hands=hands,
            last_actor=state.seats.after(leaver) if actor == leaver else actor,
        )
        if len(hands) == 1:
            self.end_game(goes_on, rule="U19")
        elif state.turn == leaver:
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


def seat_players(command: Start, most: int = MOST_PLAYERS) -> Seats | Refusal:
    """The seats that a `start` asks for; `bad_input` comes before an unknown dealer."""
    players = command.players
    if not 2 <= len(players) <= most:
        return refusal(Code.BAD_INPUT, f"`players` must be 2 to {most} names")
    if not all(players) or len(set(players)) < len(players):
        return refusal(Code.BAD_INPUT, "`players` must be names that differ, none empty")
    dealer = players[0] if command.dealer is UNSET else command.dealer
    return Seats(players, dealer, TO_THE_LEFT)


def unknown_dealer(seats: Seats) -> Refusal | None:
    if seats.dealer in seats.players:
        return None
    return refusal(Code.UNKNOWN_PLAYER, f"The dealer {seats.dealer[:40]!r} is no player")
