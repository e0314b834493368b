"""A second referee of Tippo, written from the rules' text alone, as short as the text allows.

It shares nothing with the first: no code, no types, no order of questions. It never explains: a
ruling is its words in one line of text. Who comes, goes and corrects is in `second_tippo_people`.
"""

from tests.differential.second_tippo_table import (
    ON_TURN,
    TRAYS,
    WILDS,
    No,
    SecondTable,
    Table,
    colour_of,
    is_action,
    is_stop,
    symbol_of,
)


class SecondTippo(SecondTable):
    """What is ruled about each command."""

    # --- the commands -------------------------------------------------------------------------

    def do_deal(self, left: str, right: str) -> None:
        t = self.table
        t.piles, t.colours = (
            {"left": [left], "right": [right]},
            {"left": colour_of(left), "right": colour_of(right)},
        )
        for tray in TRAYS:
            if not self.is_open(tray):
                self.say("tray", tray, "stopped", "deal")
        for player in t.players:
            self.say("dealt", player, 7)
        t.hands = dict.fromkeys(t.players, 7)
        t.draw_pile = 112 - 7 * len(t.players) - 2
        self.go_on(self.after(t.dealer))
        self.ask()

    def why_not(self, card: str, tray: str, player: str) -> str | None:
        t, top = self.table, self.table.piles[tray][-1]
        if player != t.turn:
            return "not_your_turn"
        if self.waiting():
            raise No("colour_needed")
        if card in WILDS:
            return None
        allowed = is_stop(card) and t.options.get("stop_on_stopped") == "yes"
        if not self.is_open(tray) and not allowed:
            return "tray_stopped"
        same = colour_of(card) == t.colours[tray] or symbol_of(card) == symbol_of(top)
        if "?" not in (card, top) and not same:
            return "no_match"
        if is_stop(top) and not is_stop(card) and not is_action(card):
            return "stop_needs_stop"
        return None

    def do_play(
        self, card: str, tray: str, player: str | None = None, colour: str | None = None
    ) -> None:
        t, who = self.table, player or str(self.table.turn)
        wrong = self.why_not(card, tray, who)
        if wrong:
            if not t.options.get("misplay_penalty"):
                raise No(wrong)
            self.say("refused", wrong)
            self.penalise(who, t.options["misplay_penalty"], "misplay")
            return
        self.say("played", who, card, tray)
        self.close()
        t.hands[who], t.last_actor, t.phase = max(0, t.hands[who] - 1), who, "play"
        if t.ahead == who:
            t.ahead = None
        if t.hands[who] == 1 and who not in t.called:
            t.uno_open = who
        elif t.hands[who] != 1:
            t.called.discard(who)
        self.put(card, tray)
        if card == "Tilt":
            t.tilt = {"by": who, "tray": tray, "colour": colour, "drops": 0}
            order = [self.after(who, step + 1) for step in range(len(t.players))]
            self.say("tilt", who, tray, *order)
            self.go_on(order[0], "tilt")
            return
        if colour:
            self.name(tray, colour)
        if not t.hands[who]:
            self.go_out(who, self.act(card, who))
        elif card in WILDS and not colour:
            t.wild = tray
            self.ask()
        else:
            self.go_on(self.act(card, who))

    def go_out(self, player: str, follows: str) -> None:
        t = self.table
        t.follows, t.out, t.phase, t.turn = follows, player, "going_out", None
        self.say("going_out", player)

    def name(self, tray: str, colour: str) -> None:
        self.table.colours[tray] = colour
        self.say("colour", colour, tray)

    def do_colour(self, colour: str, tray: str | None = None) -> None:
        t, waiting = self.table, self.waiting()
        if not waiting:
            raise No("wrong_phase")
        self.name(tray or waiting[0], colour)
        if self.waiting():
            return
        if t.wild:
            self.go_on(self.act(t.piles[t.wild][-1], str(t.turn)))
        elif t.follows:
            self.go_on(t.follows)
        t.wild = t.follows = None

    def do_draw(self) -> None:
        t, who = self.table, str(self.table.turn)
        if t.phase == "drawn":
            raise No("already_drawn")
        if self.waiting():
            raise No("colour_needed")
        self.close()
        drawn = self.give(who, 1)
        self.say("drawn", who, drawn)
        if drawn:
            t.phase, t.last_actor = "drawn", who
        else:
            self.go_on(self.after(who))

    def do_pass(self) -> None:
        if self.waiting():
            raise No("colour_needed")
        if self.table.phase != "drawn":
            raise No("draw_first")
        self.go_on(self.after(str(self.table.turn)))

    def do_uno(self, player: str) -> None:
        t, count = self.table, self.table.hands[player]
        mine = t.turn == player and t.phase in ON_TURN
        late = t.uno_open == player
        if t.phase in ("going_out", "hands"):
            wrong = "too_late"
        elif late or (mine and count == 2 and player not in t.called):
            self.say("uno", player)
            if late:
                self.close()
            else:
                t.ahead = player
            t.called.add(player)
            return
        elif count not in (1, 2):
            wrong = "not_at_one"
        elif player in t.called:
            wrong = "already_called"
        else:
            wrong = "nothing_to_call" if count == 2 or mine else "too_late"
        self.falsely(player, wrong)

    def do_catch(self, player: str, by: str | None = None) -> None:
        t = self.table
        if t.phase in ("going_out", "hands"):
            wrong = "too_late"
        elif t.hands[player] != 1:
            wrong = "not_at_one"
        elif t.uno_open == player:
            t.uno_open = None
            self.say("uno_caught", player)
            self.penalise(player, t.options.get("uno_penalty", 2), "uno")
            return
        else:
            wrong = "already_called" if player in t.called else "too_late"
        self.falsely(by, wrong)

    def falsely(self, caller: str | None, wrong: str) -> None:
        if not caller or not self.table.options.get("false_call_penalty"):
            raise No(wrong)
        if not self.table.hands[caller]:
            raise No(wrong)
        self.say("refused", wrong)
        self.penalise(caller, 2, "false_call")

    def do_drop(self, card: str = "?") -> None:
        t, who, tilt = self.table, str(self.table.turn), self.table.tilt
        assert tilt
        if self.take(1):
            self.put(card, tilt["tray"])
            tilt["drops"] += 1
            t.last_actor = who
            self.go_on(self.after(who), "tilt")
            return
        t.tilt = None
        self.say("tilt_over", None)
        if t.hands.get(tilt["by"]) == 0:
            self.go_out(tilt["by"], who)
        else:
            self.go_on(who)
            self.ask()

    def do_spill(self, by: str | None = None, no_fault: bool = False) -> None:
        t, was = self.table, self.table.phase
        payer = None if no_fault else by or t.last_actor
        self.say("spill", payer, *["no_fault"] * no_fault)
        t.phase, t.after_reset = "spilled", "drawn" if was == "drawn" else "play"
        if payer:
            self.penalise(payer, t.options.get("spill_penalty", 2), "spill")
        if was == "tilt":
            self.end_tilt(no_fault)
        elif was == "going_out":
            self.after_a_last_card()
        shown = [",".join(t.piles[tray][:-3:-1]) for tray in TRAYS]
        self.say("reset", *shown, self.below())

    def end_tilt(self, no_fault: bool) -> None:
        t, tilt, tipper = self.table, self.table.tilt, str(self.table.last_actor)
        assert tilt
        t.tilt = None
        top = t.piles[tilt["tray"]][-1]
        self.say("tilt_over", None if no_fault else tipper)
        if not tilt["drops"]:
            if top == "Tilt" and tilt["colour"] and not t.colours[tilt["tray"]]:
                self.name(tilt["tray"], tilt["colour"])
            top = "?"  # Nobody has put it down: it does nothing.
        if t.hands.get(tilt["by"]) != 0:
            self.go_on(self.act(top, tipper), "spilled")
            return
        victim, symbol = self.after(tipper), symbol_of(top)
        if symbol == "+2":
            self.say("draw", victim, self.give(victim, 2), "draw_two")
        elif symbol == "W+4":
            self.say("draw", victim, self.give(victim, 4), "wild_draw_four")
        t.out, t.turn, t.after_reset = tilt["by"], None, "hands"

    def after_a_last_card(self) -> None:
        t, out = self.table, str(self.table.out)
        if not t.hands.get(out):
            t.after_reset = "going_out"
        elif self.waiting():
            t.out = None
            self.go_on(out, "spilled")
        else:
            self.go_on(str(t.follows), "spilled")
            t.out = t.follows = None

    def do_reset(self) -> None:
        t = self.table
        t.set_aside += self.below()
        self.keep_top_two()
        t.phase, t.after_reset = str(t.after_reset), None
        if t.phase == "hands":
            self.say("round_over", t.out)
        elif t.phase != "going_out":
            self.ask()

    def do_settled(self) -> None:
        self.table.phase = "hands"
        self.say("round_over", self.table.out)

    def do_hands(self, points: dict[str, int]) -> None:
        t, out = self.table, str(self.table.out)
        if {*points} != {*t.players} - {out}:
            raise No("hand_mismatch")
        t.scores[out] += sum(points.values())
        self.say("scored", out, sum(points.values()), t.scores[out])
        if t.scores[out] >= t.options.get("target", 500):
            t.phase = "game_over"
            t.uno_open = None
            self.say("game_over", out)
            return
        seat = t.players.index(t.dealer) + 1
        dealer = t.players[seat % len(t.players)]
        if t.options.get("next_dealer") == "winner" and out in t.players:
            dealer = out
        nothing = dict.fromkeys(t.players, 0)
        self.table = Table(t.players, t.options, dealer, t.scores, t.round + 1, hands=nothing)
