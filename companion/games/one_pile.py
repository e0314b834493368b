"""What Classic and Battle share: one discard pile, laid on by everyone, and its reshuffle.

It never says what a card does beyond naming its colour: that is each game's own.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from companion.games import rulings
from companion.games.cards import Card, Colour
from companion.games.commands import (
    BaseCommand,
    Command,
    Correct,
    Deal,
    Defend,
    Leave,
    NameColour,
    Play,
)
from companion.games.decks import by_text, classic_deck
from companion.games.judgement import TableState
from companion.games.pile import NO_PILE, Pile
from companion.games.referee import Code, Phase, Refusal, refusal
from companion.games.turns import ON_TURN
from companion.games.uno import COMMON_PHASES, Fields, UnoJudgement


class OnePileState(TableState, frozen=True, kw_only=True):
    """A state of a game with one discard pile."""

    pile: Pile | None = None
    """None only between rounds."""
    due: bool = False
    """Whether the visible card takes effect once the player on turn has named its colour."""

    @property
    def lying(self) -> Pile:
        """The pile of a round that is on."""
        assert self.pile is not None
        return self.pile

    @property
    def needs(self) -> str | None:
        waits = self.phase in ON_TURN and self.pile is not None and self.pile.waits_for_colour
        return "colour" if waits else super().needs

    def as_json(self) -> dict[str, Any]:
        shown = super().as_json()
        shown["pile"] = NO_PILE if self.pile is None else self.pile.as_json()
        return shown


S = TypeVar("S", bound=OnePileState)


class OnePileJudgement(UnoJudgement[S]):
    """One command being judged in a game with one discard pile."""

    cards: ClassVar[Mapping[str, Card]] = by_text(classic_deck())
    deck_size: ClassVar[int] = len(classic_deck())
    phases: ClassVar[Mapping[type[BaseCommand], frozenset[Phase]]] = {
        **COMMON_PHASES,
        NameColour: ON_TURN,
    }
    fields: ClassVar[Mapping[type[BaseCommand], Fields]] = {
        Deal: Fields(needs=("top",), lacks=("left", "right", "table", "colours")),
        Play: Fields(lacks=("tray",)),
        NameColour: Fields(lacks=("tray",)),
        Correct: Fields(lacks=("left", "right")),
    }

    # --- what a game fills in ---------------------------------------------------------------

    def refuse_start(self, top: Card) -> Refusal | None:
        """Why this card cannot start the pile."""
        raise NotImplementedError

    def start_card(self, top: Card, colour: Colour | None) -> None:
        """What the card that was turned up does to the first player."""

    def take_effect(self, card: Card, player: str) -> None:
        """What a laid card does, its colour being named; gives the turn to whoever goes on."""
        raise NotImplementedError

    def follow(self, card: Card, player: str) -> str:
        """What the card of `player` does to those who come after; whose turn it then is."""
        return self.act(card, player)

    # --- the frame --------------------------------------------------------------------------

    def malformed(self, command: Command) -> Refusal | None:
        if isinstance(command, (Play, Defend)):
            return self._colour_of(command.colour, command.card)
        if isinstance(command, (Deal, Correct)):
            return super().malformed(command) or self._colour_of(command.colour, command.top)
        return super().malformed(command)

    def _colour_of(self, colour: str | UnsetType, text: str | UnsetType) -> Refusal | None:
        """A colour goes with a wild only; text that is no card is refused later."""
        if colour is UNSET:
            return None
        if text is UNSET:
            return refusal(Code.BAD_INPUT, "`colour` goes with a wild in `top`")
        card = self.cards.get(text)
        if card is None or card.is_wild:
            return None
        return refusal(Code.BAD_INPUT, f"Only a wild takes a `colour`, not {card.spoken}")

    def deal(self, command: Deal) -> Refusal | None:
        assert command.top is not UNSET
        wrong = self.no_such_card(command.top)
        if wrong is not None:
            return wrong
        top = self.cards[command.top]
        wrong = self.refuse_start(top)
        if wrong is not None:
            return wrong
        colour = _colour(command.colour)
        self.change(pile=Pile(top, top.colour or colour))
        self.deal_hands(self.deck_size - self.hand_size * len(self.state.at_play) - 1)
        self.start_card(top, colour)
        return None

    def put_down(self, command: Play, player: str) -> None:
        """Lays the card, and lets it take effect once its colour is known.

        A wild as the last card of a hand needs no colour (protocol, 3).
        """
        card, colour = self.cards[command.card], _colour(command.colour)
        self.rule(rulings.Played(player=player, card=command.card))
        self.close_window()
        pile = self.state.lying.covered_by(card, colour)
        self.discard(player)
        self.state = replace(self.state, pile=pile)
        self.laid_down(card, player)
        if colour is not None:
            self.rule(rulings.ColourChosen(colour=colour, rule=self.colour_rule))
        if pile.waits_for_colour and self.state.hands[player]:
            self.ask_colour(player)
            self.change(due=True, phase=Phase.PLAY)
        else:
            self.take_effect(card, player)

    def laid_down(self, card: Card, player: str) -> None:
        """What comes of a card that `player` has laid before its effect."""

    def own(self, command: Command) -> Refusal | None:
        if isinstance(command, NameColour):
            return self.name_colour(command)
        raise AssertionError(f"a command without a decision: {command}")

    def ask_colour(self, player: str, rule: str | None = None) -> None:
        self.rule(rulings.ChooseColour(player=player, rule=rule or self.colour_rule))

    def name_colour(self, command: NameColour) -> Refusal | None:
        """The colour that was missing; the wild's effect comes with it (protocol, 3)."""
        state = self.state
        if state.needs != "colour" or state.turn is None:
            return refusal(Code.WRONG_PHASE, "No card waits for a colour now", self.colour_rule)
        colour = Colour(command.colour)
        self.rule(rulings.ColourChosen(colour=colour, rule=self.colour_rule))
        self.change(pile=state.lying.named(colour))
        self._once_named(state.turn)
        return None

    def _once_named(self, chooser: str) -> None:
        """What waited for the colour comes now: the card's effect, or another's turn."""
        if self.state.due:
            self.change(due=False)
            self.take_effect(self.state.lying.top, chooser)
            return
        goes_on = self.goes_on_after_colour(chooser)
        if goes_on != chooser:
            self.begin_turn(goes_on)

    def goes_on_after_colour(self, chooser: str) -> str:
        """Who is on turn once a colour is named that no effect waits for."""
        return chooser

    def colour_needed(self) -> Refusal | None:
        return super().colour_needed() if self.state.lying.waits_for_colour else None

    # --- piles and corrections --------------------------------------------------------------

    def refill(self) -> bool:
        """All of the discard pile but its top card becomes the draw pile (C28)."""
        pile = self.state.pile
        if pile is None or pile.cards < 2:
            return False
        below = pile.cards - 1
        self.rule(rulings.Reshuffle(count=below, rule="C28"))
        self.change(pile=replace(pile, cards=1), draw_pile=below)
        return True

    def correct_cards(self, command: Correct) -> None:
        waited = self.state.needs == "colour"
        if command.top is not UNSET:
            card, pile = self.cards[command.top], self.state.lying
            self.change(pile=pile.shows(card, _colour(command.colour)))
        waits, turn = self.state.needs == "colour", self.state.turn
        if turn is None:
            return
        if waits and (command.top is not UNSET or command.turn is not UNSET):
            self.ask_colour(turn)
        elif waited and not waits:
            self._once_named(turn)

    def drop_pending(self) -> None:
        self.change(due=False)

    def leave(self, command: Leave) -> Refusal | None:
        on_turn = self.state.turn
        wrong = super().leave(command)
        if (
            wrong is None
            and self.state.turn not in (None, on_turn)
            and self.state.needs == "colour"
        ):
            self.ask_colour(self.state.turn, "U19")
        return wrong

    def hand_over(self, leaver: str) -> str:
        """A wild that the leaver laid acts now; the next who really plays names its colour."""
        state = self.state
        if state.turn != leaver or not state.due:
            return super().hand_over(leaver)
        self.change(due=False)
        return self.follow(state.lying.top, leaver)

    def cleared(self) -> dict[str, object]:
        return {"pile": None, "due": False}


def _colour(named: str | UnsetType) -> Colour | None:
    return None if named is UNSET else Colour(named)
