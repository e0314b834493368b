"""The referee of Classic UNO: start cards, the challenge of a Wild Draw Four, both ways of scoring.

It never sees a hand: whether a Wild Draw Four was legal is told by the table (C6, C8).
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec import UNSET

from companion.games import rulings
from companion.games.cards import WILD_DRAW_FOUR, Card, Colour, Kind
from companion.games.commands import (
    Accept,
    BaseCommand,
    Challenge,
    Command,
    Correct,
    Draw,
    Play,
    Start,
)
from companion.games.one_pile import OnePileJudgement, OnePileState
from companion.games.opening import open_game
from companion.games.options import UnoOptions
from companion.games.referee import Accepted, Code, Phase, Refusal, refusal
from companion.games.turns import ON_TURN
from companion.games.uno import Fields

GUILTY = 4
"""Cards for who laid a Wild Draw Four illegally (C9)."""
CHALLENGE_LOST = 2
"""Cards for the challenger of an innocent player, on top of the four (C10)."""


class ClassicOptions(UnoOptions, frozen=True, kw_only=True):
    """The house rules of Classic."""

    scoring: Literal["winner", "running"] = "winner"
    """The winner takes all points, or everyone keeps what they were left with (C31)."""


class ClassicState(OnePileState, frozen=True, kw_only=True):
    """A state of Classic: one pile and, at times, a Wild Draw Four that can be challenged."""

    options: ClassicOptions
    accused: str | None = None
    """Who laid the Wild Draw Four that the player on turn may challenge now (C8)."""
    corrected: bool = False
    """Whether another card was put on top since: a wild is then named first (protocol, 9)."""
    challenger: str | None = None
    """Who goes on once a guilty player has named the colour of a last Wild Draw Four (C11)."""

    @property
    def low_wins(self) -> bool:
        return self.options.scoring == "running"

    @property
    def needs(self) -> str | None:
        if self.phase not in ON_TURN or self.accused is None:
            return super().needs
        return "colour" if self.corrected and self.lying.waits_for_colour else "challenge"


class ClassicJudgement(OnePileJudgement[ClassicState]):
    """One command of Classic being judged."""

    deck_rule: ClassVar[str | None] = "C1"
    colour_rule: ClassVar[str | None] = "C7"
    phases: ClassVar[Mapping[type[BaseCommand], frozenset[Phase]]] = {
        **OnePileJudgement.phases,
        Challenge: ON_TURN,
        Accept: ON_TURN,
    }
    fields: ClassVar[Mapping[type[BaseCommand], Fields]] = {
        **OnePileJudgement.fields,
        Draw: Fields(lacks=("count",)),
    }

    def own(self, command: Command) -> Refusal | None:
        match command:
            case Challenge():
                return self.challenge(command)
            case Accept():
                wrong = self._nothing_to_challenge()
                if wrong is None:
                    self.accept()
                    self._ask_unnamed()
                return wrong
            case _:
                return super().own(command)

    # --- the deal ---------------------------------------------------------------------------

    def refuse_start(self, top: Card) -> Refusal | None:
        if top != WILD_DRAW_FOUR:
            return None
        text = "A Wild Draw Four cannot start the pile: return it to the deck and turn another"
        return refusal(Code.START_CARD, text, "C5")

    def start_card(self, top: Card, colour: Colour | None) -> None:
        seats = self.state.seats
        first = seats.left_of(seats.dealer)
        match top.kind:
            case Kind.REVERSE if self.reverse_skips:
                self.begin_turn(self.lose_turn(first, "reverse", "U9"))
            case Kind.REVERSE:
                self.turn_round("C2")
                self.begin_turn(seats.dealer)
            case Kind.DRAW_TWO:
                self.force_draw(first, 2, "draw_two", "C4")
                self.begin_turn(self.lose_turn(first, "draw_two", "C4"))
            case Kind.SKIP:
                self.begin_turn(self.lose_turn(first, "skip", "C4"))
            case Kind.WILD if colour is not None:
                self.rule(rulings.ColourChosen(colour=colour, rule="C3"))
            case Kind.WILD:
                self.ask_colour(first, "C3")
            case _:
                pass

    # --- plays ------------------------------------------------------------------------------

    def play(self, command: Play) -> Refusal | None:
        return self._accept_before(command) or super().play(command)

    def draw(self, command: Draw) -> Refusal | None:
        return self._accept_before(command) or super().draw(command)

    def _accept_before(self, command: Play | Draw) -> Refusal | None:
        """Whoever plays or draws instead of challenging accepts the Wild Draw Four (C8)."""
        if self.state.needs == "challenge":
            self.accept()
        return None if self.state.phase in ON_TURN else self.not_now(command)

    def lay(self, command: Play, player: str) -> Refusal | None:
        card, pile = self.cards[command.card], self.state.lying
        wrong = self.not_your_turn(player) or self.colour_needed()
        if wrong is not None:
            return wrong
        if not pile.matches(card):
            return refusal(Code.NO_MATCH, f"You cannot lay {card.spoken} on {pile.spoken}", "U12")
        self.put_down(command, player)
        return None

    def take_effect(self, card: Card, player: str) -> None:
        if card == WILD_DRAW_FOUR:
            self.change(accused=player, corrected=False)
            self.begin_turn(self.following(player))
        else:
            self.go_on(player, self.act(card, player))

    def goes_on_after_colour(self, chooser: str) -> str:
        challenger = self.state.challenger
        self.change(challenger=None)
        return challenger or chooser

    # --- the Wild Draw Four -----------------------------------------------------------------

    def _nothing_to_challenge(self) -> Refusal | None:
        if self.state.needs == "challenge":
            return None
        text = "There is no Wild Draw Four to challenge now"
        if self.state.accused is not None:
            text = f"First {self.state.turn} must name a colour, then the challenge goes on"
        return refusal(Code.WRONG_PHASE, text, "C8")

    def _opponents(self) -> tuple[str, str]:
        """The victim, who may challenge, and the accused; neither waits any longer."""
        victim, accused = self.state.turn, self.state.accused
        assert victim is not None
        assert accused is not None
        self.change(accused=None)
        return victim, accused

    def accept(self) -> None:
        """The Wild Draw Four stands: its victim draws four and loses the turn."""
        victim, accused = self._opponents()
        counted = None if self.state.hands[accused] else "U16"
        self.force_draw(victim, 4, "wild_draw_four", counted)
        again = "U10" if self.between_two else None
        self.go_on(accused, self.lose_turn(victim, "wild_draw_four", again))

    def challenge(self, command: Challenge) -> Refusal | None:
        wrong = self._nothing_to_challenge() or self.unknown_player(command.by)
        if wrong is not None:
            return wrong
        if command.by not in (UNSET, self.state.turn):
            text = f"Only {self.state.turn}, whom the Wild Draw Four hits, may challenge it"
            return refusal(Code.NOT_YOUR_TURN, text, "C8")
        if command.guilty:
            self._guilty(*self._opponents())
        else:
            self._innocent(*self._opponents())
            self._ask_unnamed()
        return None

    def _ask_unnamed(self) -> None:
        """A last card named no colour; if its player is not out after all, the next one does."""
        turn = self.state.turn
        if turn is not None and self.state.needs == "colour":
            self.ask_colour(turn, "C11")

    def _guilty(self, victim: str, accused: str) -> None:
        """The accused draws the four, the challenger plays a normal turn (C9)."""
        self.force_draw(accused, GUILTY, "challenge", "C9")
        if self.state.uno_open == accused:
            self.close_window()
        if self.state.needs == "colour" and self.state.hands[accused]:
            self.ask_colour(accused, "C11")
            self.change(challenger=victim)
            self.begin_turn(accused)
        else:
            # The challenger's turn has begun already: a call in it stands (U1).
            calls = self.state.calls
            self.go_on(accused, victim)
            self.change(calls=calls)

    def _innocent(self, victim: str, accused: str) -> None:
        """The challenger draws six and loses the turn (C10)."""
        self.force_draw(victim, 4, "wild_draw_four", "C10")
        self.penalise(victim, CHALLENGE_LOST, "challenge_lost", "C10")
        self.go_on(accused, self.lose_turn(victim, "challenge_lost", "C10"))

    # --- scores, and the table itself -------------------------------------------------------

    def score(self, left: Mapping[str, int]) -> None:
        if self.state.low_wins:
            self.score_each(left, "C31")
        else:
            super().score(left)

    def correct_cards(self, command: Correct) -> None:
        if command.top is not UNSET:
            self.change(corrected=True)
        super().correct_cards(command)

    def drop_pending(self) -> None:
        super().drop_pending()
        self.change(accused=None, challenger=None)

    def hand_over(self, leaver: str) -> str:
        """A pending challenge goes to the next; if the accused leaves, it cannot be made."""
        if self.state.accused == leaver:
            self.accept()
        return super().hand_over(leaver)

    def cleared(self) -> dict[str, object]:
        return {**super().cleared(), "accused": None, "corrected": False, "challenger": None}


class ClassicReferee:
    """The rules of Classic as a function of state and command."""

    game = "classic"
    cards = ClassicJudgement.cards

    def start(self, command: Start) -> Accepted[ClassicState] | Refusal:
        return open_game(command, ClassicState, ClassicOptions, ClassicJudgement.deck_size)

    def apply(self, state: ClassicState, command: Command) -> Accepted[ClassicState] | Refusal:
        judgement = ClassicJudgement(state)
        return judgement.decide(command) or judgement.accepted()
