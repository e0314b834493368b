"""The referee of Tippo: the deal, plays on two trays, the colours of wilds, corrections.

What a spill or a Tilt card leads to is judged in `spills`, the trays themselves in `trays`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, TypeAlias

from msgspec import UNSET, UnsetType

from companion.games import rulings
from companion.games.cards import TILT, Card, Colour
from companion.games.commands import (
    BaseCommand,
    Command,
    Correct,
    Deal,
    Draw,
    Drop,
    Leave,
    NameColour,
    Play,
    Reset,
    Settled,
    Spill,
    Start,
)
from companion.games.opening import open_game
from companion.games.referee import Accepted, Code, Phase, Refusal, refusal
from companion.games.rounds import HAND
from companion.games.tippo.legality import awaiting_colour, fits
from companion.games.tippo.spills import SpillJudgement
from companion.games.tippo.state import TRAYS, TippoOptions, TippoState, TrayState
from companion.games.turns import IN_A_ROUND, ON_TURN
from companion.games.uno import COMMON_PHASES, Fields
from companion.units import Tray

Texts: TypeAlias = Mapping[Tray, str | UnsetType]


_NOTHING_PENDING: Mapping[str, None] = MappingProxyType(
    {"tilt": None, "due": None, "follows": None, "after_reset": None}
)


class TippoJudgement(SpillJudgement):
    """The judging of one command in Tippo."""

    phases: ClassVar[Mapping[type[BaseCommand], frozenset[Phase]]] = {
        **COMMON_PHASES,
        NameColour: ON_TURN,
        Drop: frozenset({Phase.TILT}),
        Spill: IN_A_ROUND - {Phase.SPILLED},
        Reset: frozenset({Phase.SPILLED}),
        Settled: frozenset({Phase.GOING_OUT}),
    }
    fields: ClassVar[Mapping[type[BaseCommand], Fields]] = {
        Deal: Fields(needs=("left", "right"), lacks=("top", "table")),
        Play: Fields(needs=("tray",)),
        Draw: Fields(lacks=("count",)),
        Correct: Fields(lacks=("top",)),
    }
    waits: ClassVar[Mapping[Phase, tuple[str, str | None]]] = {
        Phase.TILT: ("the Tilt challenge goes on until the scale tips", "T36"),
        Phase.SPILLED: ("the scale has spilled, put the cards back first", "T27"),
        Phase.GOING_OUT: ("a last card was played, wait until the scale rests", "T33"),
    }
    occasions: ClassVar[Mapping[type[BaseCommand], tuple[str, str | None]]] = {
        Drop: ("nobody has played a Tilt card", "T36"),
        Reset: ("the scale has not spilled", "T27"),
        Settled: ("nobody has played their last card", "T33"),
    }

    def malformed(self, command: Command) -> Refusal | None:
        if isinstance(command, Play):
            return None if command.colour is UNSET else self._bad_colour_of(command.card)
        if isinstance(command, NameColour):
            return self._bad_colour(command) if self.state.phase in ON_TURN else None
        if isinstance(command, Deal):
            return self._bad_start_colours(command)
        if isinstance(command, Correct) and command.colour is not UNSET:
            return self._bad_corrected_colour(command)
        return super().malformed(command)

    def _bad_colour_of(self, text: str) -> Refusal | None:
        card = self.cards.get(text)
        if card is None or card.is_wild:
            return None
        return refusal(Code.BAD_INPUT, f"Only a wild takes a colour, not {card.spoken}")

    def _bad_colour(self, command: NameColour) -> Refusal | None:
        waiting = awaiting_colour(self.state)
        if command.tray is UNSET and len(waiting) > 1:
            text = "Both trays wait for a colour: `tray` must be left or right"
            return refusal(Code.BAD_INPUT, text, "T5")
        if command.tray is not UNSET and waiting and command.tray not in waiting:
            text = f"The {command.tray} tray has a colour, only the other one waits for one"
            return refusal(Code.BAD_INPUT, text, "T3")
        return None

    def _bad_corrected_colour(self, command: Correct) -> Refusal | None:
        texts = {Tray.LEFT: command.left, Tray.RIGHT: command.right}
        if self.no_such_card(*texts.values()) is not None or len(self._wilds(texts)) == 1:
            return None
        return refusal(Code.BAD_INPUT, "`colour` needs exactly one wild among the corrected cards")

    def _wilds(self, texts: Texts) -> list[Tray]:
        """The trays for which the text of a wild is given."""
        found = []
        for tray, text in texts.items():
            card = None if text is UNSET else self.cards.get(text)
            if card is not None and card.is_wild:
                found.append(tray)
        return found

    def _bad_start_colours(self, command: Deal) -> Refusal | None:
        assert command.left is not UNSET
        assert command.right is not UNSET
        texts = {Tray.LEFT: command.left, Tray.RIGHT: command.right}
        if command.colour is not UNSET and command.colours is not UNSET:
            return refusal(Code.BAD_INPUT, "Give either `colour` or `colours`, not both", "T5")
        if command.colours is not UNSET:
            cards = [self.cards.get(texts[TRAYS[tray]]) for tray in command.colours]
            if any(card is not None and not card.is_wild for card in cards):
                text = "`colours` may only name trays in which a wild lies"
                return refusal(Code.BAD_INPUT, text, "T5")
        if command.colour is UNSET or self.no_such_card(*texts.values()) is not None:
            return None
        if len(self._wilds(texts)) != 1:
            text = "`colour` needs exactly one wild among the start cards"
            return refusal(Code.BAD_INPUT, text, "T5")
        return None

    # --- the deal -----------------------------------------------------------------------------

    def deal(self, command: Deal) -> Refusal | None:
        """Every hand 7, a card in each tray; what the start cards do is ignored (T4, T5, T6)."""
        assert command.left is not UNSET
        assert command.right is not UNSET
        wrong = self.no_such_card(command.left, command.right)
        if wrong is not None:
            return wrong
        self.deal_hands(self.deck_size - HAND * len(self.state.players) - len(Tray))
        for tray, text in ((Tray.LEFT, command.left), (Tray.RIGHT, command.right)):
            card = self.cards[text]
            self.set_tray(tray, TrayState((card,), card.colour))
        for tray, lies in self.state.trays.items():
            if not lies.open:
                self.rule_tray(tray, False, "deal", "T6")
        for tray in awaiting_colour(self.state):
            if command.colours is not UNSET and tray in command.colours:
                self.choose(tray, Colour(command.colours[tray.value]), "T5")
            elif command.colour is not UNSET:
                self.choose(tray, Colour(command.colour), "T5")
        self.ask_colours()
        return None

    # --- plays --------------------------------------------------------------------------------

    def lay(self, command: Play, player: str) -> Refusal | None:
        assert command.tray is not UNSET
        card, tray = self.cards[command.card], TRAYS[command.tray]
        wrong = self.not_your_turn(player) or self.colour_needed() or fits(self.state, card, tray)
        if wrong is not None:
            return wrong
        self.rule(rulings.Played(player=player, card=command.card, tray=tray))
        self.close_window()
        self.put_in(card, tray)
        self.discard(player)
        if card.is_wild:
            self._lay_wild(card, tray, player, self.named_colour(command.colour))
        else:
            self.go_on(player, self.act(card, player))
        return None

    def _lay_wild(self, card: Card, tray: Tray, player: str, colour: Colour | None) -> None:
        """What comes of a wild that lies; the last card of a hand needs no colour (T32)."""
        if card == TILT:
            self.begin_tilt(player, tray, colour)
        elif colour is None and self.state.hands[player]:
            self.change(due=tray, phase=Phase.PLAY)
            self.ask_colours("T3")
        else:
            if colour is not None:
                self.choose(tray, colour, "T3")
            self.go_on(player, self.act(card, player))

    def name_colour(self, command: NameColour) -> Refusal | None:
        """Names a missing colour; once none is missing, play goes on as it should (T3, T31)."""
        waiting = awaiting_colour(self.state)
        if not waiting:
            return refusal(Code.WRONG_PHASE, "`colour` is not possible now: no wild waits for one")
        tray = waiting[0] if command.tray is UNSET else TRAYS[command.tray]
        self.choose(tray, Colour(command.colour), self.rule_of_colour(tray))
        self.go_on_once_named()
        return None

    def own(self, command: Command) -> Refusal | None:
        if isinstance(command, NameColour):
            return self.name_colour(command)
        if isinstance(command, Drop):
            return self.drop(command)
        if isinstance(command, Spill):
            return self.spill(command)
        if isinstance(command, Reset):
            return self.reset()
        if isinstance(command, Settled):
            return self.settled()
        raise AssertionError(f"a command without a decision: {command}")

    # --- what the table says ------------------------------------------------------------------

    def correct_cards(self, command: Correct) -> None:
        """Replaces visible cards; a wild whose colour is not said must be named (T3)."""
        before = self.state.trays
        for tray, text in ((Tray.LEFT, command.left), (Tray.RIGHT, command.right)):
            if text is UNSET:
                continue
            card, lies = self.cards[text], self.state.tray(tray)
            self.set_tray(tray, TrayState((*lies.pile[:-1], card), card.colour, lies.open))
            if card.is_wild and command.colour is not UNSET:
                self.choose(tray, Colour(command.colour), "T3")
        for tray, lies in self.state.trays.items():
            if lies.open is not before[tray].open:
                self.rule_tray(tray, lies.open, "correct", None)
        said = command.turn is not UNSET or self.state.trays != before
        if said and self.state.needs == "colour":
            self.ask_colours("T3")
        self.go_on_once_named()

    def drop_pending(self) -> None:
        """The table says whose turn it is: spills, challenges and goings-out are over."""
        if self.state.phase is Phase.SPILLED:
            self.clear_trays()
        self.change(out=None, **_NOTHING_PENDING)

    def end_game(self, *best: str, rule: str = "U21") -> None:
        self.change(**_NOTHING_PENDING)
        super().end_game(*best, rule=rule)

    def leave(self, command: Leave) -> Refusal | None:
        was_on_turn = self.state.turn == command.player
        wrong = super().leave(command)
        if was_on_turn:
            if self.state.after_reset is Phase.DRAWN:
                self.change(after_reset=Phase.PLAY)
            if self.state.needs == "colour":
                self.ask_colours("U19")
        return wrong

    def hand_over(self, leaver: str) -> str:
        """A wild that the leaver laid acts now; the next who really plays names its colour."""
        state = self.state
        goes_on = state.seats.after(leaver)
        if state.follows == leaver:
            self.change(follows=goes_on)
        if state.turn == leaver and state.due is not None:
            goes_on = self.act_from(state.due, leaver)
            self.change(due=None)
        elif state.turn == leaver and state.follows is not None:
            goes_on = state.follows
            self.change(follows=None)
        return goes_on

    def cleared(self) -> dict[str, object]:
        return {"left": TrayState(), "right": TrayState(), **_NOTHING_PENDING}


class TippoReferee:
    """The rules of Tippo as a function of state and command."""

    game = "tippo"
    cards = TippoJudgement.cards

    def start(self, command: Start) -> Accepted[TippoState] | Refusal:
        return open_game(command, TippoState, TippoOptions, TippoJudgement.deck_size)

    def apply(self, state: TippoState, command: Command) -> Accepted[TippoState] | Refusal:
        judgement = TippoJudgement(state)
        return judgement.decide(command) or judgement.accepted()
