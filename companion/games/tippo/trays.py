"""What laying a card in a tray does to both of them, and where cards are drawn from in Tippo.

This module never asks whether a card may lie there: see `legality`.
"""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from companion.games import rulings
from companion.games.cards import Card, Colour
from companion.games.decks import by_text, tippo_deck
from companion.games.referee import Code, Phase, Refusal, refusal
from companion.games.rulings import DrawReason, TrayReason
from companion.games.tippo.legality import awaiting_colour
from companion.games.tippo.state import TippoState, TrayState, stops
from companion.games.turns import ON_TURN
from companion.games.uno import UnoJudgement
from companion.units import Tray


class TrayJudgement(UnoJudgement[TippoState]):
    """The trays, their colours and Stops, and the piles."""

    cards: ClassVar[Mapping[str, Card]] = by_text(tippo_deck())
    deck_rule: ClassVar[str | None] = "T1"
    deck_size: ClassVar[int] = len(tippo_deck())
    points_rule: ClassVar[str | None] = "T50"

    def put_in(self, card: Card, tray: Tray) -> None:
        """Lays the card; Stops stop and open the trays at once (T13, T14, T15)."""
        before = self.state
        lies = before.tray(tray)
        laid = TrayState((*lies.pile, card), card.colour, lies.open)
        if not card.is_stop and not lies.has_stop:
            self.state = before.with_tray(tray, laid)
            return
        self.set_tray(tray, laid)
        for name, now in self.state.trays.items():
            if now.open is before.tray(name).open:
                continue
            if card.is_stop:
                self.rule_tray(name, now.open, "stop_played", "T15" if now.open else None)
            elif card.is_wild and name is tray:
                self.rule_tray(name, now.open, "wild", "T14")
            else:
                self.rule_tray(name, now.open, "stop_covered", "T13")

    def set_tray(self, tray: Tray, now: TrayState) -> None:
        """Replaces a tray, and opens or stops both as their Stops say."""
        state = self.state.with_tray(tray, now)
        left, right = stops(state.left, state.right)
        self.state = replace(state, left=left, right=right)

    def rule_tray(self, tray: Tray, is_open: bool, reason: TrayReason, rule: str | None) -> None:
        self.rule(rulings.TrayStatus(tray=tray, open=is_open, reason=reason, rule=rule))

    def rule_of_colour(self, tray: Tray) -> str:
        """Why the colour of a tray is to be named: a start card, or a wild laid in play."""
        return "T5" if self.state.tray(tray).cards == 1 else "T3"

    def colour_needed(self) -> Refusal | None:
        state = self.state
        if state.left.colour is not None and state.right.colour is not None:
            return None
        waiting = awaiting_colour(state)
        if not waiting:
            return None
        where = " and ".join(waiting)
        text = f"First {self.state.turn} must name a colour for the {where} tray"
        return refusal(Code.COLOUR_NEEDED, text, self.rule_of_colour(waiting[0]))

    def choose(self, tray: Tray, colour: Colour, rule: str | None = None) -> None:
        """Sets the colour that a wild's player has named for its tray (T3)."""
        lies = self.state.tray(tray)
        self.set_tray(tray, TrayState(lies.pile, colour, lies.open))
        self.rule(rulings.ColourChosen(colour=colour, tray=tray, rule=rule))

    def ask_colours(self, rule: str | None = None) -> None:
        """Whoever has the turn must first name the colours that are missing.

        Without a `rule` nobody on turn has laid the wild: it is a start card (T5), or the last
        one of a Tilt challenge (T41).
        """
        player = self.state.turn
        assert player is not None
        for tray in awaiting_colour(self.state):
            why = rule or ("T5" if self.state.tray(tray).cards == 1 else "T41")
            self.rule(rulings.ChooseColour(player=player, tray=tray, rule=why))

    def act_from(self, tray: Tray, player: str) -> str:
        """What the visible card of a tray does, as `player`'s; whose turn it then is."""
        return self.act(self.state.tray(tray).pile[-1], player)

    def go_on_once_named(self) -> None:
        """Play goes on after a wild as soon as no colour is missing any more."""
        state = self.state
        player, due, follows = state.turn, state.due, state.follows
        if state.phase not in ON_TURN or awaiting_colour(state):
            return
        assert player is not None
        self.change(due=None, follows=None)
        if due is not None:
            self.begin_turn(self.act_from(due, player))
        elif follows is not None:
            self.begin_turn(follows)

    def refill(self) -> bool:
        """What is set aside, else what lies below the top two of each tray (T49).

        During a Tilt challenge, and while a spill is cleared up, the trays supply nothing.
        """
        state = self.state
        if state.set_aside:
            self.change(draw_pile=state.draw_pile + state.set_aside, set_aside=0)
            self.rule(rulings.Reshuffle(count=state.set_aside, rule="T49"))
            return True
        below = state.left.below + state.right.below
        if not below or state.phase in (Phase.TILT, Phase.SPILLED):
            return False
        self.clear_trays()
        self.change(draw_pile=self.state.draw_pile + below, set_aside=0)
        self.rule(rulings.Reshuffle(count=below, rule="T49"))
        return True

    def clear_trays(self) -> None:
        """Sets aside all but the top two cards of each tray (T27)."""
        state = self.state
        left, right = (
            TrayState(lies.goes_back[::-1], lies.colour, lies.open)
            for lies in (state.left, state.right)
        )
        aside = state.set_aside + state.left.below + state.right.below
        self.change(left=left, right=right, set_aside=aside)

    def force_draw(
        self, player: str, count: int, reason: DrawReason, rule: str | None = None
    ) -> None:
        """By house rule a draw that a played card forces counts as a play (T22)."""
        before = self.state.hands[player]
        super().force_draw(player, count, reason, rule)
        counts = self.state.options.forced_draw_counts == "yes" and self.state.phase in ON_TURN
        if counts and self.state.hands[player] > before:
            self.change(last_actor=player)
