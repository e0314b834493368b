"""Keeps cards and names in step: a card that was not seen must not shift the names that follow.

The likelier pairing is taken at once and said, with one question; it never decides what is legal
(it asks the referee) and never touches what people have settled themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from msgspec import UNSET

from companion.games import commands
from companion.games.referee import Code
from companion.games.rulings import Ruling
from companion.table.acts import MOVES, Act, CardDown, Spilled, Told, may_follow
from companion.table.live_game import LiveGame
from companion.table.naming import (
    Held,
    Lined,
    WaitingName,
    card_of,
    is_named,
    named,
    named_after_s,
    tap_of,
    tells,
)
from companion.table.pairing import (
    ABOUT_TO_S,
    TIPPED_WITHIN_S,
    Contact,
    Pairing,
    Row,
    Upset,
    cost,
    hides_habit,
    is_habit,
    others,
    startled,
    tipped_by,
    unexplained,
)
from companion.table.timeline import Entry, Numbered, Timeline, numbered, place_of
from companion.units import MonoSeconds, Tray

REMEMBERED = 6
"""So many cards back names are paired anew; what is older people have long gone on from."""

AMISS = 2
"""So many of the newest cards may have another's name: they say nothing of how people name them."""

MISFIT = 1.0
"""What a play costs that the referee refuses, beside the costs of times in `pairing`."""
PLAINLY = 0.2
"""A pairing is given up only for one that is better by this."""
_ITS_NAME_MAY_MEND_IT = frozenset({Code.TRAY_STOPPED, Code.STOP_NEEDS_STOP, Code.COLOUR_NEEDED})

_MATTERS = (*MOVES, commands.NameColour)
"""Of what was refused before, only this is a sign that something is out of step."""

WORTH_A_LOOK = 0.7
"""A row whose times cost less than this, and in which nothing was refused, is in step."""


def better_pairing(live: LiveGame, *, every_card: bool) -> Lined | None:
    """The pairing that fits times and rules plainly better than the one that stands, if any.

    `every_card`: every card has a name sooner or later (full refereeing); without it only those
    that have one are looked at.
    """
    window = _Window(live, every_card=every_card)
    standing = window.standing
    if not every_card and not window.in_order:
        return None
    row = window.row
    strange = window.refused or startled(row)
    if not strange and (not row.habit or cost(row, standing) < WORTH_A_LOOK):
        return None
    best, least = None, window.total_as_it_stands() - PLAINLY
    for pairing in (standing, *others(row, standing)):
        times = cost(row, pairing)
        if times > least:
            continue
        for lined in window.lined(pairing):
            total = times + MISFIT * _misfits(live.timeline, lined)
            if total < least:
                best, least = lined, total
    return best


def unseen_before_spill(live: LiveGame, spill: Spilled) -> tuple[CardDown, WaitingName] | None:
    """The card that tipped the scale although nobody saw it: its name was said in the fall."""
    tipped_s = spill.tipped_s
    if tipped_s is None or live.unnamed() or not tipped_unseen(live, spill):
        return None
    said = next((name for name in live.names if name.at_s >= tipped_s), None)
    if said is None:
        return None
    position = len(live.timeline.entries)
    for tray in sorted(Tray, key=lambda tray: tray not in spill.trays):
        card = _guess(said, tipped_s, tray)
        if not live.timeline.tried(position, [(0, card, (), False)]).unfit:
            return card, said
    return None


def tipped_unseen(live: LiveGame, spill: Spilled, *, within_s: float = TIPPED_WITHIN_S) -> bool:
    """True if no card was felt within so long before the tip that may have tipped the scale."""
    tipped_s = spill.tipped_s
    return tipped_s is not None and unexplained(tipped_s, _contacts(live), within_s=within_s)


def named_before_tip(live: LiveGame, spill: Spilled) -> WaitingName | None:
    """A name that waited for its card when the scale tipped with nothing to be seen of it."""
    if spill.tipped_s is None or not tipped_unseen(live, spill):
        return None
    since_s = spill.tipped_s - ABOUT_TO_S
    return next((n for n in live.names if since_s <= n.at_s <= spill.tipped_s), None)


def _guess(said: WaitingName, at_s: MonoSeconds, tray: Tray) -> CardDown:
    card = CardDown(at_s=at_s, decided_s=at_s, tray=tray, sensed=False, guessed=True)
    return replace(named(card, said), sure=False)


def _contacts(live: LiveGame) -> list[Contact]:
    return [Contact(held.act.at_s) for held in _felt(live, live.this_round())]


def _felt(live: LiveGame, entries: Iterable[Entry]) -> list[Held]:
    """Cards that the scale has felt, oldest first, whatever became of them."""
    lying = [Held(e.number, e.act, None) for e in entries]
    felt = [
        held
        for held in (*lying, *live.held, *live.refused_cards)
        if isinstance(held.act, CardDown) and held.act.sensed
    ]
    return sorted(felt, key=lambda held: held.act.at_s)


class _Window:
    """The cards and names of late, as they stand."""

    def __init__(self, live: LiveGame, *, every_card: bool) -> None:
        self._live = live
        entries = live.this_round()
        felt = _felt(live, entries)
        settled = (e.act.at_s for e in entries if _is_settled(e, every_card=every_card))
        since_s = max([live.settled_s, *settled])
        recent = [held for held in felt if held.act.at_s > since_s]
        if not every_card:
            recent = [held for held in recent if card_of(held.act).name != "?"]
        self._cards = recent[-REMEMBERED:]
        first_s = self._cards[0].act.at_s if self._cards else MonoSeconds(float("inf"))
        self._guesses = [e for e in entries if _is_guess(e) and e.act.at_s >= first_s]
        guessed = [_name_of(entry) for entry in self._guesses]
        self._names = sorted(
            [*guessed, *_names_of(self._cards), *live.names], key=lambda name: name.at_s
        )
        unseen = frozenset(k for k, name in enumerate(self._names) if name in guessed)
        upsets = tuple(_upsets(entries, [Contact(h.act.at_s) for h in felt]))
        self.row = Row(
            tuple(self._contact(held) for held in self._cards),
            tuple(name.at_s for name in self._names),
            upsets,
            tuple(e.act.at_s for e in entries if _is_other_move(e) and e.act.at_s >= first_s),
            unseen,
            every_card,
        )
        self.standing = Pairing(
            unseen,
            frozenset(k for k, contact in enumerate(self.row.cards) if contact.refused),
        )
        self.row = replace(self.row, habit=self._is_habit(first_s))
        self._own = {held.number for held in self._cards}
        self._told = {
            _name_of(entry): entry.announced
            for entry in entries
            if entry.number in self._own | {guess.number for guess in self._guesses}
            and is_named(entry.act)
        }
        self.refused = any(h.number in self._own for h in (*live.held, *live.refused_cards))

    def _is_habit(self, first_s: MonoSeconds) -> bool:
        """True if people are seen to name cards as they put them down, or would be but for a card
        that nobody saw among these, of which the first came at `first_s`."""
        acts = [entry.act for entry in self._live.timeline.entries if is_named(entry.act)]
        before = [act for act in acts if act.at_s < first_s]
        return is_habit(named_after_s(acts[:-AMISS])) or hides_habit(
            self.row, self.standing, named_after_s(before)
        )

    def _contact(self, held: Held) -> Contact:
        card = card_of(held.act)
        refused = card.name is None and held.number in {
            other.number for other in self._live.refused_cards
        }
        return Contact(card.at_s, card.sure, refused)

    # --- what stands ---------------------------------------------------------------------------

    def total_as_it_stands(self) -> float:
        as_it_is = {
            held.number: card_of(held.act)
            for k, held in enumerate(self._cards)
            if k not in self.standing.hands
        }
        lined = self._rewritten(as_it_is, self.standing, None)
        total = cost(self.row, self.standing) + MISFIT * _misfits(self._live.timeline, lined)
        return total if self.in_order else total + MISFIT

    @property
    def in_order(self) -> bool:
        """True if cards and names are paired first in, first out, but for what is known of."""
        paired = self.standing.of_cards(self.row)
        return all(
            card_of(held.act).name is None
            if k not in paired
            else card_of(held.act).named_at_s == self._names[paired[k]].at_s
            for k, held in enumerate(self._cards)
        )

    # --- what could stand ----------------------------------------------------------------------

    def lined(self, pairing: Pairing) -> Iterable[Lined]:
        """What would stand with this pairing: once, or once for each tray of an unseen card."""
        names = pairing.of_cards(self.row)
        cards: dict[int, CardDown] = {}
        for k, held in enumerate(self._cards):
            if k in pairing.hands:
                continue
            card = card_of(held.act)
            bare = replace(card, name=None, colour=None, player=UNSET, named_at_s=None)
            if not self.row.every_card and card.name is not None:
                bare = replace(bare, name="?")
            cards[held.number] = named(bare, self._names[names[k]]) if k in names else bare
        fresh = pairing.unseen - self.standing.unseen
        if not fresh:
            yield self._rewritten(cards, pairing, None)
            for entry in self._guesses if pairing == self.standing else ():
                guess = card_of(entry.act)
                other = Tray.RIGHT if guess.tray is Tray.LEFT else Tray.LEFT
                moved = {entry.number: replace(guess, tray=other)}
                yield self._rewritten({**cards, **moved}, pairing, None)
            return
        (name,) = fresh
        at_s, trays = self._where(name, pairing)
        for tray in trays:
            yield self._rewritten(cards, pairing, _guess(self._names[name], at_s, tray))

    def _where(self, name: int, pairing: Pairing) -> tuple[MonoSeconds, list[Tray]]:
        """When a card that nobody saw was put down, and the trays it may be in, likelier first."""
        said_s = self._names[name].at_s
        upset = tipped_by(self.row, pairing, name)
        if upset is not None:
            spilled = next(
                e.act
                for e in reversed(self._live.timeline.entries)
                if isinstance(e.act, Spilled) and e.act.tipped_s == upset.tipped_s
            )
            return upset.tipped_s, sorted(Tray, key=lambda tray: tray not in spilled.trays)
        names = pairing.of_cards(self.row)
        later = [self._cards[card].act.at_s for card, other in names.items() if other > name]
        return min([said_s, *(MonoSeconds(at_s - 0.001) for at_s in later)]), list(Tray)

    def _rewritten(
        self, cards: dict[int, CardDown], pairing: Pairing, guess: CardDown | None
    ) -> Lined:
        live, entries = self._live, self._live.timeline.entries
        unseen = [self._names[name] for name in pairing.unseen]
        dropped = {e.number for e in self._guesses if _name_of(e) not in unseen}
        added = self._put_in(cards, guess)
        stand = [entry.act for entry in entries]
        position = min(
            [k for k, e in enumerate(entries) if e.number in self._own | dropped]
            + [place_of(act, stand, _gives_way) for _, act, _, _ in added]
            + [len(entries)]
        )
        acts = self._kept(entries[position:], cards, dropped)
        began_s = min((act.at_s for _, act, _, _ in [*acts, *added]), default=MonoSeconds(0.0))
        added += [
            (-1 - k, told, (), False)
            for k, told in enumerate(live.refused_moves)
            if told.at_s > began_s
        ]
        for one in added:
            acts.insert(place_of(one[1], [act for _, act, _, _ in acts], _gives_way), one)
        still_refused = [self._cards[k] for k in pairing.hands & self.standing.hands]
        used = {*pairing.of_cards(self.row).values(), *pairing.unseen, *pairing.mistaken}
        return Lined(
            position,
            tuple(acts),
            tuple(name for k, name in enumerate(self._names) if k not in used),
            frozenset(held.number for held in self._cards if held not in still_refused),
            None if guess is None else live.timeline.next_number,
            tuple(self._cards[k] for k in sorted(pairing.hands - self.standing.hands)),
            frozenset(dropped),
        )

    def _put_in(self, cards: dict[int, CardDown], guess: CardDown | None) -> list[Numbered]:
        """Acts that do not stand yet: cards held back or refused, and one that nobody saw."""
        added: list[Numbered] = [
            (held.number, cards[held.number], (), cards[held.number].name is None)
            for held in (*self._live.held, *self._live.refused_cards)
            if held.number in cards
        ]
        if guess is not None:
            number = self._live.timeline.next_number
            added.append((number, guess, self._told_of(guess), False))
        return added

    def _kept(
        self, entries: Iterable[Entry], cards: dict[int, CardDown], dropped: set[int]
    ) -> list[Numbered]:
        """Acts that stand, each card with its name."""
        # Who put down a card that was no play may have changed with its name.
        changed = {h.act.at_s for h in self._cards if cards.get(h.number) != h.act}
        acts: list[Numbered] = []
        for entry in entries:
            number, act, announced, withheld = numbered(entry)
            if number in dropped or (number in self._own and number not in cards):
                continue
            if number in cards:
                act, withheld = cards[number], cards[number].name is None
                announced = self._told_of(cards[number])
            if isinstance(act, Spilled) and act.suspect_at_s in changed:
                act = replace(act, suspect=None, suspect_at_s=None)
            acts.append((number, act, announced, withheld))
        return acts

    def _told_of(self, card: CardDown) -> tuple[Ruling, ...]:
        """What has been told of a card goes with its name."""
        return self._told.get(_name_on(card), ()) if is_named(card) else ()


def _misfits(timeline: Timeline, lined: Lined) -> float:
    """Acts that the referee would refuse; a card that nobody saw must be one that may lie there."""
    misfits = 0.0
    for unfit in timeline.tried(lined.position, lined.acts).unfit:
        if unfit.number == lined.guessed:
            return float("inf")
        act, code = unfit.act, unfit.refusal.code
        if isinstance(act, CardDown):
            misfits += not (act.name is None and code in _ITS_NAME_MAY_MEND_IT)
        elif unfit.number > 0 or not isinstance(act, Told) or isinstance(act.command, _MATTERS):
            misfits += 1
    return misfits


def _upsets(entries: Sequence[Entry], contacts: Sequence[Contact]) -> Iterable[Upset]:
    for k, entry in enumerate(entries):
        spill = entry.act
        if not isinstance(spill, Spilled):
            continue
        tipped_s = spill.at_s if spill.tipped_s is None else spill.tipped_s
        over_s = next(
            (e.act.at_s for e in entries[k + 1 :] if tells(e.act, commands.Reset)),
            MonoSeconds(float("inf")),
        )
        known_s = max(spill.at_s, spill.decided_s)
        explained = spill.tipped_s is None or not unexplained(tipped_s, contacts)
        yield Upset(tipped_s, known_s, over_s, explained)


def _is_guess(entry: Entry) -> bool:
    return isinstance(entry.act, CardDown) and entry.act.guessed


def _is_settled(entry: Entry, *, every_card: bool) -> bool:
    """True if nothing before it is to be paired anew: people have said it, or set it right."""
    act = entry.act
    if isinstance(act, CardDown):
        quick = every_card and act.name is not None and act.named_at_s is None
        return act.amended or quick or not (act.sensed or act.guessed)
    return tells(act, commands.Correct)


def _is_other_move(entry: Entry) -> bool:
    return isinstance(entry.act, Told) and isinstance(
        entry.act.command, commands.Draw | commands.Pass
    )


def _name_on(card: CardDown) -> WaitingName:
    assert card.named_at_s is not None
    return WaitingName(card.named_at_s, tap_of(card))


def _name_of(entry: Entry) -> WaitingName:
    assert isinstance(entry.act, CardDown)
    return _name_on(entry.act)


def _names_of(cards: Iterable[Held]) -> list[WaitingName]:
    return [_name_on(card_of(held.act)) for held in cards if is_named(held.act)]


def _gives_way(act: Act) -> bool:
    """True if an act that began earlier may be put before this one; a reset keeps none back."""
    return may_follow(act) or tells(act, commands.Reset)
