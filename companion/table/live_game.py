"""The game on the table: acts, cards that wait for a name, names that wait for a card, strays.

It changes only through its verbs, each of which says what the table must be told. It never sees a
sensor or a clock: which verb an event or a tap amounts to is decided in `companion.table.table`.
"""

from dataclasses import replace

from msgspec import UNSET

from companion.games import commands
from companion.games.commands import Command
from companion.games.referee import Code, Phase, Refusal, State
from companion.table.acts import Act, CardDown, Spilled, Told, is_move
from companion.table.names_and_cards import NamesAndCards
from companion.table.naming import (
    Held,
    WaitingName,
    amended,
    belongs_to,
    card_of,
    is_comment,
    lies_in,
    named,
    nameless,
    tap_of,
    tells,
)
from companion.table.outcomes import Declined, Noticed, NoticeKind, Outcome, Ruled
from companion.table.taps import AmendTap, CardTap
from companion.table.timeline import Entry
from companion.table.trays import Why
from companion.units import MonoSeconds, Tray


class LiveGame(NamesAndCards):
    """One game, from its start to its end."""

    # --- cards ------------------------------------------------------------------------------

    def unnamed(self) -> list[Held]:
        """Cards in the trays that nobody has named, oldest first, with whose they are."""
        lying = [
            Held(entry.number, entry.act, entry.game.state.last_actor)
            for entry in self.timeline.entries
            if entry.withheld
        ]
        return sorted(
            lying + [held for held in self.held if nameless(held.act)],
            key=lambda held: held.act.at_s,
        )

    def put_down(self, card: CardDown, now: MonoSeconds, *, quick: bool) -> list[Outcome]:
        """A card is at once the act of the player whose turn it is; a name that waits is its.

        In quick mode a card keeps no name that was said after the next card touched its tray:
        such a name is the next card's, even if that one is decided only now.
        """
        outcomes: list[Outcome] = []
        if self.names:
            card = named(card, self.names.popleft())
        elif quick:
            waiting, outcomes = self._name_said_since(card.at_s, now)
            card = card if waiting is None else named(card, waiting)
        return outcomes + self._try(card, self.timeline.new_number(), now, self.next_to_act())

    def _name_said_since(
        self, at_s: MonoSeconds, now: MonoSeconds
    ) -> tuple[WaitingName | None, list[Outcome]]:
        last = next((e for e in reversed(self.timeline.entries) if is_move(e.act)), None)
        if last is None or not isinstance(last.act, CardDown) or last.act.named_at_s is None:
            return None, []
        if not (last.act.sensed and last.act.at_s < at_s < last.act.named_at_s):
            return None, []
        ordinary = replace(last.act, name="?", colour=None, player=UNSET, named_at_s=None)
        change = self.timeline.replace(last.number, ordinary)
        waiting = WaitingName(last.act.named_at_s, tap_of(last.act))
        return waiting, self._absorb(change, now, last.number, _actor(last))

    def put_down_by_tap(self, card: CardDown, now: MonoSeconds) -> tuple[int, list[Outcome]]:
        """A card with its name and tray as people told them; and the number of the act."""
        number = self.timeline.new_number()
        return number, self._try(card, number, now, self.next_to_act())

    def tipped_it(self, card: CardDown, now: MonoSeconds) -> list[Outcome]:
        """People say that this card tipped the scale, unseen: it came before the last spill, even
        if the scale has been set up again since."""
        spill = next(e for e in reversed(self.timeline.entries) if isinstance(e.act, Spilled))
        before: State = self.timeline.game_before(spill.number).state
        number = self.timeline.new_number()
        return self._try(card, number, now, before.turn, before=spill.number)

    def confirm(self, number: int, at_s: MonoSeconds) -> None:
        """The scale saw the card of a tapped play, too: it can be taken back from its tray."""
        entry = self.timeline.find(number)
        if entry is None or not isinstance(entry.act, CardDown):
            return
        self.timeline.replace(number, replace(entry.act, at_s=at_s, sensed=True))

    def was_in_a_hand(self, number: int, now: MonoSeconds) -> list[Outcome]:
        """A card that was taken to have been put down unseen still waits for that."""
        entry = self.timeline.find(number)
        if entry is None or not isinstance(entry.act, CardDown):
            return []
        self.settled_s = now
        outcomes = self.withdraw(number, now)
        if entry.act.named_at_s is not None:
            self.names.appendleft(WaitingName(entry.act.named_at_s, tap_of(entry.act)))
        return outcomes

    def lies_in(self, number: int, tray: Tray, now: MonoSeconds) -> list[Outcome]:
        """People say in which tray a card lies that no sensor saw."""
        entry = self.timeline.find(number)
        if entry is None or not isinstance(entry.act, CardDown):
            return []
        act = replace(entry.act, tray=tray, guessed=False, amended=True)
        return self._absorb(self.timeline.replace(number, act), now, number, _actor(entry))

    def name(self, tap: CardTap, at_s: MonoSeconds, now: MonoSeconds) -> list[Outcome]:
        """Names the oldest card without a name; with none there, the name waits for its card."""
        return self._name(next(iter(self.unnamed()), None), tap, at_s, now)

    def name_quickly(self, tap: CardTap, at_s: MonoSeconds, now: MonoSeconds) -> list[Outcome]:
        """The same in quick mode: only a card that could still be named when it was said."""
        return self._name(next(iter(self.nameable(at_s)), None), tap, at_s, now)

    def nameable(self, at_s: MonoSeconds) -> list[Held]:
        """Cards that at `at_s` nobody had named, and that were neither too old for it nor
        followed by another act; oldest first."""
        newest: list[tuple[Act, Held]] = [(h.act, h) for h in (*self.held, *self.refused_cards)]
        newest += [
            (entry.act, Held(entry.number, entry.act, _actor(entry)))
            for entry in reversed(self.this_round())
            if is_move(entry.act)
        ]
        found: list[Held] = []
        for act, held in sorted(newest, key=lambda pair: -pair[0].at_s):
            if isinstance(act, CardDown) and act.named_at_s is None:
                found.append(held)
            if act.at_s <= at_s:
                break
        return [h for h in reversed(found) if at_s <= card_of(h.act).nameable_until_s]

    def _name(
        self, card: Held | None, tap: CardTap, at_s: MonoSeconds, now: MonoSeconds
    ) -> list[Outcome]:
        waiting = WaitingName(at_s, tap)
        if card is not None:
            return self._rename(card, named(card_of(card.act), waiting), now)
        self.names.append(waiting)
        return []

    def count_as_ordinary(self, number: int, now: MonoSeconds) -> list[Outcome]:
        """Quick refereeing: nobody named this card, so it is a number card, `?`."""
        held = next((h for h in self.unnamed() if h.number == number), None)
        if held is None:
            return []
        return self._rename(held, replace(card_of(held.act), name="?"), now)

    def take_back(self, tray: Tray, at_s: MonoSeconds, now: MonoSeconds) -> list[Outcome] | None:
        """A card left a level tray; None if it was neither a stray nor the last act's card."""
        stray = self.trays.stray_in(tray)
        if stray is not None:
            self.trays.strays.remove(stray)
            self._forget_refused(stray.number)
            return [Noticed(now, NoticeKind.TAKEN_BACK, f"Taken back from the {tray} tray.")]
        held = next((h for h in reversed(self.held) if lies_in(h.act, tray)), None)
        if held is not None:
            self.held.remove(held)
            return [Noticed(now, NoticeKind.TAKEN_BACK, f"Taken back from the {tray} tray.")]
        last = next((e for e in reversed(self.timeline.entries) if not is_comment(e.act)), None)
        if last is None or not lies_in(last.act, tray) or last.act.at_s > at_s:
            return None
        outcomes = self.withdraw(last.number, now)
        named_at_s = card_of(last.act).named_at_s
        if named_at_s is not None and named_at_s > at_s:
            # The name was said after the card had left: it is for the card that follows.
            self.names.appendleft(WaitingName(named_at_s, tap_of(card_of(last.act))))
        return outcomes

    def _forget_refused(self, number: int) -> None:
        self.refused_cards = [held for held in self.refused_cards if held.number != number]

    def withdraw(self, number: int, now: MonoSeconds) -> list[Outcome]:
        """Takes a play out as if it had not been made, with the colour it named; or a spill,
        with its reset."""
        held = next((h for h in self.held if h.number == number), None)
        if held is not None:
            self.held.remove(held)
            return []
        entry = self.timeline.find(number)
        if entry is None:
            return []
        later = [e for e in self.timeline.entries if e.number > number]
        belongs = later[:1] if later and belongs_to(entry.act, later[0].act) else []
        numbers = {number, *(e.number for e in belongs)}
        outcomes = self._absorb(self.timeline.remove(frozenset(numbers)), now)
        if entry.announced:
            outcomes += self._whose_turn(number, now)
        return outcomes

    def amend(self, tap: AmendTap, now: MonoSeconds) -> list[Outcome]:
        """It was another card: the acts after it are applied again; what no longer fits is said.

        If that name waits for a card, this is the card, and the names behind it move up.
        """
        if self.timeline.find(tap.act) is not None:
            self.forget_name(tap.card)
        name = CardTap(card=tap.card, colour=tap.colour)
        stray = next((s for s in self.trays.strays if s.number == tap.act), None)
        if stray is not None and stray.why is Why.REFUSED:
            self.trays.strays.remove(stray)
            self._forget_refused(stray.number)
            card = CardDown(at_s=stray.at_s, decided_s=now, tray=stray.tray)
            return self._try(named(card, WaitingName(now, name)), tap.act, now, stray.player)
        held = next((h for h in self.unnamed() if h.number == tap.act), None)
        if held is not None:
            return self._rename(held, named(card_of(held.act), WaitingName(now, name)), now)
        entry = self.timeline.find(tap.act)
        act = None if entry is None else amended(entry.act, name, now)
        if entry is None or act is None:
            return [Declined(now, Refusal(Code.BAD_INPUT, "There is no such play to amend."))]
        refusal = self._refusal_of(act, entry.number)
        if refusal is not None:
            return [Declined(now, refusal)]
        return self._absorb(
            self.timeline.replace(entry.number, act), now, entry.number, _actor(entry)
        )

    def _rename(self, held: Held, card: CardDown, now: MonoSeconds) -> list[Outcome]:
        if held in self.held:
            self.held.remove(held)
            return self._try(card, held.number, now, held.player)
        if held in self.refused_cards:
            self._forget_refused(held.number)
            self.trays.forget(held.number)
            return self._try(card, held.number, now, held.player)
        change = self.timeline.replace(held.number, card)
        return self._absorb(change, now, held.number, held.player)

    # --- everything else --------------------------------------------------------------------

    def tell(self, command: Command, at_s: MonoSeconds, now: MonoSeconds) -> list[Outcome]:
        """A command as people gave it, or as the table concluded."""
        number = self.timeline.new_number()
        told = Told(at_s=at_s, command=command)
        if not is_move(told):
            return self._absorb(self.timeline.append(told, number=number), now, number)
        change = self.timeline.put(told, number=number, before=self._spill_unknown_at(at_s))
        return self._absorb(change, now, number)

    def tell_before(
        self, number: int, command: Command, at_s: MonoSeconds, now: MonoSeconds
    ) -> list[Outcome]:
        """A call that still counts although entry `number` came first."""
        told = Told(at_s=at_s, command=command)
        fresh = self.timeline.new_number()
        return self._absorb(self.timeline.put(told, number=fresh, before=number), now, fresh)

    def uno_closed_by(self, player: str, since_s: MonoSeconds) -> int | None:
        """The act that ended a player's UNO window at `since_s` or later, while it could be
        caught until then."""
        for entry in reversed(self.timeline.entries):
            if entry.act.at_s < since_s:
                return None
            if self.timeline.game_before(entry.number).state.uno_open == player:
                return None if entry.game.state.uno_open == player else entry.number
        return None

    def spill_begun_after(self, at_s: MonoSeconds) -> int | None:
        """The spill that nothing has followed, if it had not begun at `at_s`."""
        number, spill = self._last_spill()
        return number if spill is not None and spill.at_s > at_s else None

    def _spill_unknown_at(self, at_s: MonoSeconds) -> int | None:
        """The spill that had begun at `at_s` but was not decided: nobody could know of it."""
        number, spill = self._last_spill()
        return number if spill is not None and spill.at_s <= at_s < spill.decided_s else None

    def spill(self, spill: Spilled, now: MonoSeconds) -> list[Outcome]:
        """The scale dumped cards: whoever acted last before the first one fell pays."""
        suspect = self._suspect(spill.at_s)
        if suspect is not None:
            spill = replace(spill, suspect=suspect[0], suspect_at_s=suspect[1])
        number = self.timeline.new_number()
        outcomes = self._absorb(self.timeline.append(spill, number=number), now, number)
        if self.state.phase is Phase.SPILLED:
            self.trays.clear_strays()
        return outcomes

    def last_spill_number(self) -> int | None:
        """The act of a spill that nothing has followed."""
        return self._last_spill()[0]

    def _last_spill(self) -> tuple[int, Spilled] | tuple[None, None]:
        last = self.timeline.entries[-1] if self.timeline.entries else None
        if last is None or not isinstance(last.act, Spilled):
            return None, None
        return last.number, last.act

    def correct_spill(self, command: commands.Spill, now: MonoSeconds) -> list[Outcome] | None:
        """Another pays for the last spill, or nobody; None if acts have followed it."""
        for entry in reversed(self.timeline.entries):
            if isinstance(entry.act, Spilled):
                act = replace(entry.act, by=command.by, no_fault=command.no_fault)
                refusal = self._refusal_of(act, entry.number)
                if refusal is not None:
                    return [Declined(now, refusal)]
                return self._absorb(self.timeline.replace(entry.number, act), now, entry.number)
            if is_move(entry.act) or tells(entry.act, commands.Deal):
                return None
        return None

    def sharpen_spill(self, sensed: Spilled, now: MonoSeconds) -> list[Outcome]:
        """The scale saw the spill that was tapped before: its time says who pays."""
        last = self.timeline.entries[-1]
        if not isinstance(last.act, Spilled) or last.act.sensed:
            return []
        act = replace(sensed, by=last.act.by, no_fault=last.act.no_fault)
        return self._absorb(self.timeline.replace(last.number, act), now, last.number)

    def undo(self, at_s: MonoSeconds) -> list[Outcome]:
        """Takes back the last act, whatever it was."""
        self.settled_s = at_s
        if self.held:
            held = self.held.pop()
            self._stray(held.number, held.act, held.player, Why.UNDONE)
            return []
        answer = self.timeline.game.apply(commands.Undo())
        if isinstance(answer, Refusal):
            return [Declined(at_s, answer)]
        entry = self.timeline.entries[-1]
        self.timeline.remove(frozenset({entry.number}))
        self._stray(entry.number, entry.act, None, Why.UNDONE)
        return [Ruled(at_s, ruling, entry.number) for ruling in answer[1].rulings]


def _actor(entry: Entry) -> str | None:
    state: State = entry.game.state
    return state.last_actor
