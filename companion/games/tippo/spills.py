"""Who pays for a spill, how the scale is reset, and Tilt challenges from card to spill.

This module never judges an ordinary play: see `referee`.
"""

from msgspec import UNSET

from companion.games import rulings
from companion.games.cards import TILT, Colour, Kind
from companion.games.commands import Drop, Spill
from companion.games.referee import Phase, Refusal
from companion.games.tippo.legality import awaiting_colour
from companion.games.tippo.state import TiltChallenge
from companion.games.tippo.trays import TrayJudgement
from companion.units import Tray


class SpillJudgement(TrayJudgement):
    """Spills, resets, Tilt challenges, and going out while the scale may still spill."""

    # --- spills -----------------------------------------------------------------------------

    def spill(self, command: Spill) -> Refusal | None:
        """Somebody pays, the rest is ruled, and the table learns what goes back (T21, T27)."""
        before = self.state
        wrong = self.unknown_player(command.by)
        if wrong is not None:
            return wrong
        payer = None if command.no_fault else before.last_actor
        if command.by is not UNSET:
            payer = command.by
        rule = self._why(command, payer)
        trays = tuple(Tray) if command.trays is UNSET else command.trays
        self.rule(rulings.Spill(by=payer, trays=trays, no_fault=command.no_fault, rule=rule))
        after = Phase.DRAWN if before.phase is Phase.DRAWN else Phase.PLAY
        self.change(phase=Phase.SPILLED, after_reset=after)
        if payer is not None:
            self.penalise(payer, before.options.spill_penalty, "spill", rule)
        if before.phase is Phase.TILT:
            self._end_tilt(no_fault=command.no_fault)
        elif before.phase is Phase.GOING_OUT:
            self._still_out()
        state = self.state
        self.rule(
            rulings.Reset(
                left=tuple(map(str, state.left.goes_back)),
                right=tuple(map(str, state.right.goes_back)),
                set_aside=state.left.below + state.right.below,
                rule="T27",
            )
        )
        return None

    def _why(self, command: Spill, payer: str | None) -> str:
        """The rule that says who pays."""
        state = self.state
        if command.no_fault or command.by is not UNSET:
            return "T24"
        if payer is None:
            return "T28"
        if state.tilt is not None and not state.tilt.drops:
            return "T37"
        return "T32" if payer == state.out else "T21"

    def _still_out(self) -> None:
        """Whoever has played their last card is out only if they need not draw now (T32)."""
        state = self.state
        out, follows = state.out, state.follows
        assert out is not None
        assert follows is not None
        if not state.hands.get(out):
            self.change(after_reset=Phase.GOING_OUT)
        elif awaiting_colour(state):
            self.change(out=None)
            self.begin_turn(out, Phase.SPILLED)
        else:
            self.change(out=None, follows=None)
            self.begin_turn(follows, Phase.SPILLED)

    def reset(self) -> Refusal | None:
        """The scale stands again; play goes on where the spill interrupted it (T27, T35)."""
        state = self.state
        phase = state.after_reset
        assert phase is not None
        self.clear_trays()
        self.change(phase=phase, after_reset=None)
        if phase is Phase.HANDS:
            assert state.out is not None
            self.end_round(state.out)
        elif phase is not Phase.GOING_OUT:
            self.ask_colours("T31" if state.due or state.follows else None)
            self.go_on_once_named()
        return None

    # --- going out --------------------------------------------------------------------------

    def go_out(self, player: str, follows: str) -> None:
        """No cards left, but the scale may still spill (T33); `follows` plays on if it does."""
        self.change(phase=Phase.GOING_OUT, turn=None, out=player, follows=follows)
        self.rule(rulings.GoingOut(player=player, rule="T33"))

    def settled(self) -> Refusal | None:
        out = self.state.out
        assert out is not None
        self.end_round(out)
        return None

    # --- Tilt challenges --------------------------------------------------------------------

    def begin_tilt(self, player: str, tray: Tray, colour: Colour | None) -> None:
        """Beginning after `player`, all draw and drop until the scale tips (T36)."""
        seats = self.state.seats
        self.change(tilt=TiltChallenge(player, tray, colour))
        order = seats.once_round_after(player)
        self.rule(rulings.Tilt(by=player, tray=tray, order=order, rule="T36"))
        self.begin_turn(order[0], Phase.TILT)

    def drop(self, command: Drop) -> Refusal | None:
        """A card from the draw pile in the Tilt card's tray, whatever lies there (T38)."""
        wrong = self.no_such_card(command.card)
        if wrong is not None:
            return wrong
        tilt, player = self.state.tilt, self.state.turn
        assert tilt is not None
        assert player is not None
        if not self.take(1):
            self._lapse_tilt(tilt, player)
            return None
        self.put_in(self.cards[command.card], tilt.tray)
        tilt = TiltChallenge(tilt.by, tilt.tray, tilt.colour, tilt.drops + 1)
        self.change(tilt=tilt, last_actor=player)
        self.begin_turn(self.state.seats.after(player), Phase.TILT)
        return None

    def _lapse_tilt(self, tilt: TiltChallenge, player: str) -> None:
        """Nothing is left to draw: the challenge ends, `player` was to drop next (T44)."""
        self.rule(rulings.TiltOver(by=None, rule="T44"))
        self.change(tilt=None)
        if self.state.hands.get(tilt.by) == 0:
            self.go_out(tilt.by, player)
        else:
            self.begin_turn(player)
            self.ask_colours()

    def _end_tilt(self, *, no_fault: bool) -> None:
        """The scale has tipped: the last card acts, as if its player had laid it (T39, T40).

        Until one is put down nothing acts, whatever the Tilt has been corrected into (T37).
        """
        state = self.state
        tilt, tipper = state.tilt, state.last_actor
        assert tilt is not None
        assert tipper is not None
        rule = "T40" if tilt.drops else "T37"
        self.rule(rulings.TiltOver(by=None if no_fault else tipper, rule=rule))
        self.change(tilt=None)
        lies = state.tray(tilt.tray)
        if lies.top == TILT and lies.awaits_colour and not tilt.drops and tilt.colour is not None:
            self.choose(tilt.tray, tilt.colour, "T37")
        if state.hands.get(tilt.by) == 0:
            if tilt.drops:
                self._draw_before_counting(tilt.tray, tipper)
            self.change(after_reset=Phase.HANDS, turn=None, out=tilt.by)
        elif tilt.drops:
            self.begin_turn(self.act_from(tilt.tray, tipper), Phase.SPILLED)
        else:
            self.begin_turn(self.following(tipper), Phase.SPILLED)

    def _draw_before_counting(self, tray: Tray, tipper: str) -> None:
        """The round is over but for what a draw card put down last still gives (T46, U16)."""
        victim, last = self.state.seats.after(tipper), self.state.tray(tray).pile[-1]
        if last.kind is Kind.DRAW_TWO:
            self.force_draw(victim, 2, "draw_two")
        elif last.kind is Kind.WILD_DRAW_FOUR:
            self.force_draw(victim, 4, "wild_draw_four")
