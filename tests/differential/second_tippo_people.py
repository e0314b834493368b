"""Who comes to a table of Tippo, who goes, and what the table overrules: a second time, from the
rules' text alone.

It shares nothing with the first referee; what happens in a round is in `second_tippo`.
"""

from typing import Any

from tests.differential.second_tippo import SecondTippo
from tests.differential.second_tippo_table import ON_TURN, TRAYS, WILDS, No, colour_of


class OpenTable(SecondTippo):
    """A table at which people come and go, and which has the last word."""

    def check_form(self, do: str, fields: dict[str, Any]) -> None:
        super().check_form(do, fields)
        if do == "join":
            players, seat = self.table.players, fields.get("seat", 0)
            if fields["player"] in ("", *players) or len(players) == 10 or seat > len(players):
                raise No("bad_input")
        wilds = [fields.get(tray) for tray in TRAYS if fields.get(tray) in WILDS]
        if do == "correct" and "colour" in fields and len(wilds) != 1:
            raise No("bad_input")

    def known(self, *names: str) -> None:
        if not {*names} <= {*self.table.players}:
            raise No("unknown_player")

    def do_join(self, player: str, seat: int | None = None) -> None:
        """U20."""
        t = self.table
        t.players = list(t.players)
        t.players.insert(len(t.players) if seat is None else seat, player)
        t.hands[player] = t.scores[player] = 0
        self.say("joined", player)

    # --- leaving ------------------------------------------------------------------------------

    def do_leave(self, player: str) -> None:
        """U19; protocol, 10."""
        self.known(player)
        t, heir = self.table, self.after(player)
        self.say("left", player)
        t.draw_pile += t.hands[player]
        mine, last = t.turn == player, len(t.players) == 2
        goes_on = self.inherit(player, heir) if not last else heir
        if t.uno_open == player:
            self.close()
        if t.dealer == player:
            t.dealer = t.players[(t.players.index(player) + 1) % len(t.players)]
        if t.last_actor == player:
            t.last_actor = heir
        t.called.discard(player)
        del t.hands[player]
        t.players = [name for name in t.players if name != player]
        if last:
            t.phase, t.turn, t.uno_open = "game_over", None, None
            self.say("game_over", heir)
        elif mine:
            self.go_on(goes_on, "play" if t.phase == "drawn" else t.phase)
            if t.after_reset == "drawn":
                t.after_reset = "play"
            if t.phase in ON_TURN:
                self.ask()

    def inherit(self, leaver: str, heir: str) -> str:
        """What the leaver owes; who goes on if it was the leaver's turn.

        A wild that was laid acts on whoever comes next, and the next who really plays names it.
        """
        t = self.table
        if t.follows == leaver:
            t.follows = heir
        if t.turn != leaver:
            return heir
        if t.wild:
            heir = self.act(t.piles[t.wild][-1], leaver)
        elif t.follows:
            heir = t.follows
        t.wild = t.follows = None
        return heir

    # --- correcting ---------------------------------------------------------------------------

    def do_correct(
        self,
        turn: str | None = None,
        direction: int | None = None,
        hand: dict[str, int] | None = None,
        colour: str | None = None,
        **cards: str,
    ) -> None:
        """Protocol, 9."""
        t = self.table
        self.known(*([turn] if turn else []), *(hand or {}))
        for player, count in (hand or {}).items():
            t.hands[player] = count
            self.hand_changed(player)
        if direction not in (None, t.direction):
            t.direction *= -1
            self.say("direction", t.direction)
        if turn:
            self.drop_everything()
            self.go_on(turn)
        lay = {tray: (t.piles[tray][-1], t.colours[tray]) for tray in TRAYS}
        self.lay(cards, colour)
        changed = lay != {tray: (t.piles[tray][-1], t.colours[tray]) for tray in TRAYS}
        if t.phase not in ON_TURN:
            return
        if turn or changed:
            self.ask()
        self.act_if_named()

    def drop_everything(self) -> None:
        t = self.table
        if t.phase == "spilled":
            t.set_aside += self.below()
            self.keep_top_two()
        t.tilt = t.wild = t.follows = t.out = t.after_reset = None

    def lay(self, cards: dict[str, str], colour: str | None) -> None:
        t, before = self.table, {tray: self.is_open(tray) for tray in TRAYS}
        for tray, card in cards.items():
            t.piles[tray][-1] = card
            t.colours[tray] = colour_of(card)
            if card in WILDS and colour:
                self.name(tray, colour)
        for tray in TRAYS:
            if before[tray] != self.is_open(tray):
                self.say("tray", tray, "stopped" if before[tray] else "open", "correct")

    def do_reset(self) -> None:
        super().do_reset()
        if self.table.phase in ON_TURN:
            self.act_if_named()

    def act_if_named(self) -> None:
        """A wild that waited, or what lies there now, acts once no colour is missing."""
        t = self.table
        if self.waiting() or not (t.wild or t.follows):
            return
        follows = self.act(t.piles[t.wild][-1], str(t.turn)) if t.wild else str(t.follows)
        t.wild = t.follows = None
        self.go_on(follows)
