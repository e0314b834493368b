"""What happens in a turn of an UNO game: plays, draws, what cards do, calling and being caught.

What a card may be laid on is each game's own; rounds and scores are in `rounds`.
"""

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from companion.games import rulings
from companion.games.cards import Card, Colour, Kind
from companion.games.commands import Catch, Draw, Play, Uno
from companion.games.judgement import Judgement, TableState
from companion.games.referee import Code, Phase, Refusal, refusal

IN_A_ROUND = frozenset({Phase.PLAY, Phase.DRAWN, Phase.TILT, Phase.SPILLED, Phase.GOING_OUT})
ON_TURN = frozenset({Phase.PLAY, Phase.DRAWN})
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


S = TypeVar("S", bound=TableState)


class TurnJudgement(Judgement[S]):
    """The judging of what somebody does in a turn."""

    thing: ClassVar[str] = "card"
    """What people hold and lay."""
    cards: ClassVar[Mapping[str, Card]]
    """Every text that is a card of this game's deck, and `?`."""
    deck_rule: ClassVar[str | None] = None
    """The rule that says what the deck holds."""
    most_to_call: ClassVar[int] = 2
    """With how many cards at most one may say UNO before playing."""
    colour_rule: ClassVar[str | None] = None
    """The rule that lets a player name the colour of a wild."""
    draw_rule: ClassVar[str | None] = None
    """The rule that says more about a turn's draw than U14."""
    catch_rule: ClassVar[str] = "U4"
    two_player_reverse_rule: ClassVar[str] = "U9"

    def lay(self, command: Play, player: str) -> Refusal | None:
        """Lays a card of the deck for `player`, who is at the table, or says why it cannot lie."""
        raise NotImplementedError

    def no_such_card(self, *texts: str | UnsetType) -> Refusal | None:
        """The first of `texts` that is no card of the deck; texts not given are skipped."""
        for text in texts:
            if isinstance(text, str) and text not in self.cards:
                unknown = f"There is no {self.thing} {text[:20]!r} in this game"
                return refusal(Code.UNKNOWN_CARD, unknown, self.deck_rule)
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
        if player not in self.state.hands or command.card not in self.cards:
            return self.unknown_player(player) or self.no_such_card(command.card)
        wrong = self.lay(command, player)
        return None if wrong is None else self.misplayed(player, wrong)

    def misplayed(self, player: str, wrong: Refusal) -> Refusal | None:
        """Refuses a misplay, or by house rule accepts it for a penalty (U12).

        Nobody pays who was not dealt in.
        """
        price = self.state.options.misplay_penalty
        if not price or wrong.code not in MISPLAYS or player not in self.state.at_play:
            return wrong
        self.rule(rulings.Refused(code=wrong.code, message=wrong.message, rule=wrong.rule))
        self.penalise(player, price, "misplay", "U12")
        return None

    def not_your_turn(self, player: str) -> Refusal | None:
        turn = self.state.turn
        if player == turn:
            return None
        return refusal(Code.NOT_YOUR_TURN, f"It is {turn}'s turn, not {player}'s", "U12")

    def not_on_turn(self, named: str | UnsetType) -> Refusal | None:
        """Why the player whom a command names may not act in this turn; nobody need be named."""
        if named is UNSET:
            return None
        return self.unknown_player(named) or self.not_your_turn(named)

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
        wrong = self.not_on_turn(command.player) or self.colour_needed()
        if wrong is not None:
            return wrong
        player = state.turn
        assert player is not None
        self.close_window()
        count = self.give(player, 1)
        self.rule(
            rulings.Drawn(player=player, count=count, rule=self.draw_rule if count else "U22")
        )
        if count:
            self.state = replace(self.state, phase=Phase.DRAWN, last_actor=player)
        else:
            self.begin_turn(self.following(player))
        return None

    def pass_turn(self) -> Refusal | None:
        """Ends a turn after its draw."""
        wrong = self.colour_needed()
        if wrong is not None:
            return wrong
        player = self.state.turn
        assert player is not None
        if self.state.phase is not Phase.DRAWN:
            return refusal(Code.DRAW_FIRST, f"{player} must draw before passing", "U15")
        self.begin_turn(self.following(player))
        return None

    def discard(self, player: str, cards: int = 1) -> None:
        """Takes what was laid out of the hand.

        Whoever could be caught has been told before (`close_window`).
        """
        state = self.state
        left = max(0, state.hands[player] - cards)
        self.state = replace(
            state,
            hands={**state.hands, player: left},
            calls=state.calls.after_discard(player, left),
            last_actor=player,
        )

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
            player, state.hands[player], own_turn=own_turn, most=self.most_to_call, thing=self.thing
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
        wrong = self._round_is_out() or state.calls.refuse_catch(
            player, state.hands[player], thing=self.thing
        )
        if wrong is not None:
            return wrong if command.by is UNSET else self._false_call(command.by, wrong)
        self.rule(rulings.UnoCaught(player=player, rule=self.catch_rule))
        self.change(calls=state.calls.closed())
        self.penalise(player, state.options.uno_penalty, "uno", "U8")
        return None

    def _round_is_out(self) -> Refusal | None:
        if self.state.phase not in (Phase.GOING_OUT, Phase.HANDS):
            return None
        text = f"After the last {self.thing} of a round nobody can call or be caught"
        return refusal(Code.TOO_LATE, text, "U7")

    def _false_call(self, caller: str, wrong: Refusal) -> Refusal | None:
        """Refuses, or by house rule lets the false caller draw (U5); never one who is out."""
        price = self.state.options.false_call_penalty
        if not price or not self.state.hands[caller]:
            return wrong
        self.rule(rulings.Refused(code=wrong.code, message=wrong.message, rule=wrong.rule))
        self.penalise(caller, price, "false_call", "U5")
        return None
