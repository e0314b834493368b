"""Which name is which card's: first in, first out, but for cards unseen and hands taken for cards.

It weighs times only: whether a play may lie there is for the referee, what is done about it for
`companion.table.lining_up`. It never changes a game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.table.acts import NAMING_S
from companion.units import MonoSeconds

STARTLED_S = 2.0
"""So long after a spill was decided a name can still be that of the card that tipped the scale."""

TIPPED_WITHIN_S = 1.0
"""A card that tips the scale does so within this time of its first contact."""

NEAR_S, FAR_S = (-2.5, 3.0), (-3.5, 4.5)
"""A card is named this long before (-) or after its first contact: most are, nearly all are."""

NAMED_S = (0.0, 2.5)
"""Whoever names a card as they put it down, or after it, does so between these times."""
KNOWN_PAIRS, HABITUAL = 6, 0.75
"""So many cards show how people here name them, if so large a part of them agrees."""

LATE, LATEST = 0.5, 1.0
"""What a pair of card and name costs that is beyond the one and the other."""
ACROSS_A_SPILL = 0.25
"""What a pair costs between whose card and name the scale was set up again."""
NEXT_TO_ANOTHERS = 0.75
"""What a name costs that waits although it was said just after a card was put down, before an act
of somebody else, or while the scale fell without a card that was seen to tip it."""
UNSEEN, GUESSED, UNSEEN_JUST_BEFORE_A_TIP, UNSEEN_IN_A_TIP = 1.5, 1.0, 1.0, 0.25
"""What it costs that nobody saw a card whose name was said; less if that has been told already."""
NAMED_ANEW, MISTAKEN = 1.6, 2.0
"""What it costs that a name was no card's: somebody named a card anew, or never put it down."""
NAMELESS = 0.5
"""What a card costs that has no name (yet)."""
HAND, DOUBTFUL_HAND, REFUSED = 1.5, 0.5, 1.0
"""What it costs that what was taken for a card was none, or none that could lie there."""

FELT_LATE_S = 0.4
"""At ten samples a second a contact is felt so much later at most."""

ANEW_S = 2.5
"""Whoever has named a card wrongly names it anew within this time."""

ABOUT_TO_S = 3.0
"""A card named longer ago than this when the scale tips was still in a hand."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A card that the scale felt."""

    at_s: MonoSeconds
    sure: bool = True
    refused: bool = False
    """It could not lie there, whatever its name."""


@dataclass(frozen=True, slots=True)
class Upset:
    """A spill, from the moment when the beam left level to the end of the reset."""

    tipped_s: MonoSeconds
    known_s: MonoSeconds
    over_s: MonoSeconds
    explained: bool
    """A card was felt that may have tipped it."""

    def falling_at(self, at_s: MonoSeconds) -> bool:
        """True while the scale falls and people are startled."""
        return self.tipped_s <= at_s <= self.known_s + STARTLED_S


@dataclass(frozen=True, slots=True)
class Row:
    """Cards and names of late, each oldest first, and what happened between them."""

    cards: tuple[Contact, ...]
    names: tuple[MonoSeconds, ...]
    upsets: tuple[Upset, ...] = ()
    others: tuple[MonoSeconds, ...] = ()
    """When players drew or passed instead of putting a card down."""
    guessed: frozenset[int] = frozenset()
    """Names whose cards are taken to lie there although nobody saw them."""
    every_card: bool = True
    """Every card has a name sooner or later, and here are all of them; else only those with one."""
    habit: bool = True
    """People here name a card as they put it down or after it; else times say nothing of pairs."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """First in, first out, but for these."""

    unseen: frozenset[int] = frozenset()
    """Names whose card the scale did not feel."""
    hands: frozenset[int] = frozenset()
    """What was felt and was no card."""
    mistaken: frozenset[int] = frozenset()
    """Names that were no card's."""

    def of_cards(self, row: Row) -> dict[int, int]:
        """For each card its name, as far as there are names."""
        cards = (k for k in range(len(row.cards)) if k not in self.hands)
        left_out = self.unseen | self.mistaken
        names = (name for name in range(len(row.names)) if name not in left_out)
        return dict(zip(cards, names, strict=False))


def others(row: Row, pairing: Pairing) -> Iterator[Pairing]:
    """The pairings that differ in a single card or name from this one, and from this one with
    every card."""
    if pairing.hands:
        every_card = replace(pairing, hands=frozenset())
        yield every_card
        yield from _others(row, every_card)
    yield from _others(row, pairing)


def _others(row: Row, pairing: Pairing) -> Iterator[Pairing]:
    yield from (replace(pairing, unseen=pairing.unseen ^ {name}) for name in range(len(row.names)))
    yield from (
        replace(pairing, mistaken=frozenset({name}))
        for name in range(len(row.names) - 1)
        if name not in pairing.unseen
    )
    # The newest card may have no name yet; in quick refereeing no card need have one.
    yield from (
        replace(pairing, hands=pairing.hands ^ {card})
        for card in range(len(row.cards) - 1)
        if row.every_card
    )


def cost(row: Row, pairing: Pairing) -> float:
    """How odd the times of a pairing are; 0 if nothing is."""
    named = pairing.of_cards(row)
    cards = {name: row.cards[card] for card, name in named.items()}
    pairs = sum(_of_pair(row, row.cards[card], name) for card, name in named.items())
    hands = sum(_of_hand(row.cards[card]) for card in pairing.hands)
    unseen = sum(_of_unseen(row, pairing, name) for name in pairing.unseen)
    odd = sum(
        _is_odd(row, at_s, cards.get(name))
        for name, at_s in enumerate(row.names)
        if name not in pairing.unseen | pairing.mistaken
    )
    mistaken = sum(_of_mistaken(row, name) for name in pairing.mistaken)
    nameless = row.every_card * NAMELESS * (len(row.cards) - len(pairing.hands) - len(named))
    return pairs + hands + unseen + mistaken + nameless + NEXT_TO_ANOTHERS * odd


def is_habit(after_s: Sequence[float], within_s: tuple[float, float] = NAMED_S) -> bool:
    """True if cards are named as they are put down or after it (`within_s`), as far as known;
    `after_s`: how long after its first contact each was.

    Where people say a name before they put the card down a name that waits is nothing odd: first
    in, first out is all there is to go by then, however long it waits.
    """
    near = sum(within_s[0] <= one <= within_s[1] for one in after_s)
    return len(after_s) >= KNOWN_PAIRS and near >= HABITUAL * len(after_s)


def hides_habit(row: Row, standing: Pairing, before_s: Sequence[float]) -> bool:
    """True if people are seen to name cards about when they put them down once a name is taken to
    be that of a card which tipped the scale unseen; `before_s`: as for `is_habit`, before this row.

    As long as every card has the name of the one before it no habit can be seen.
    """
    for name in set(range(len(row.names))) - standing.unseen:
        pairing = replace(standing, unseen=standing.unseen | {name})
        if tipped_by(row, pairing, name) is not None:
            pairs = pairing.of_cards(row).items()
            named_s = [row.names[of] - row.cards[card].at_s for card, of in pairs]
            if is_habit([*before_s, *named_s], NEAR_S):
                return True
    return False


def _of_pair(row: Row, card: Contact, name: int) -> float:
    name_s = row.names[name]
    first, last = sorted((card.at_s, name_s))
    if any(first <= upset.over_s and upset.tipped_s <= last for upset in row.upsets):
        across = any(first <= upset.known_s and upset.over_s <= last for upset in row.upsets)
        return ACROSS_A_SPILL if across else 0.0
    # Whoever is behind with naming names one card after the other: one delay is no two.
    before_s = row.names[name - 1] if name else card.at_s
    after_s = name_s - (before_s if card.at_s < before_s < name_s else card.at_s)
    if not row.habit or NEAR_S[0] <= after_s <= NEAR_S[1]:
        return 0.0
    return LATE if FAR_S[0] <= after_s <= FAR_S[1] else LATEST


def _of_hand(contact: Contact) -> float:
    if contact.refused:
        return REFUSED
    return HAND if contact.sure else DOUBTFUL_HAND


def _of_mistaken(row: Row, name: int) -> float:
    named_anew = row.names[name + 1] - row.names[name] <= ANEW_S
    return NAMED_ANEW if named_anew else MISTAKEN


def _of_unseen(row: Row, pairing: Pairing, name: int) -> float:
    upset = tipped_by(row, pairing, name)
    if upset is None:
        return GUESSED if name in row.guessed else UNSEEN
    return UNSEEN_IN_A_TIP if upset.falling_at(row.names[name]) else UNSEEN_JUST_BEFORE_A_TIP


def tipped_by(row: Row, pairing: Pairing, name: int) -> Upset | None:
    """The unexplained spill that the card with this name may have caused, unseen.

    It cannot have if a card that lay there before gets its name after this one was said.
    """
    said_s = row.names[name]
    nameless_s = [
        row.cards[card].at_s for card, other in pairing.of_cards(row).items() if other > name
    ]
    return next(
        (
            upset
            for upset in reversed(row.upsets)
            if not upset.explained
            and upset.tipped_s - ABOUT_TO_S <= said_s <= upset.known_s + STARTLED_S
            and all(at_s > upset.tipped_s for at_s in nameless_s)
        ),
        None,
    )


def _is_odd(row: Row, name_s: MonoSeconds, card: Contact | None) -> bool:
    """A name that is not taken to be that of the act just before or after it."""
    for upset in row.upsets:
        if not upset.explained and upset.falling_at(name_s):
            return card is None or card.at_s > upset.known_s
    if not row.habit:
        return False
    if card is not None:
        return any(name_s < other_s < card.at_s for other_s in row.others)
    just_before = any(0.0 < name_s - other.at_s <= NAMING_S for other in row.cards)
    return just_before or any(name_s < other_s for other_s in row.others)


def startled(row: Row) -> bool:
    """True if a name was said while the scale fell without a card that was seen to tip it."""
    return any(
        upset.falling_at(at_s) for upset in row.upsets if not upset.explained for at_s in row.names
    )


def unexplained(
    tipped_s: MonoSeconds, contacts: Sequence[Contact], *, within_s: float = TIPPED_WITHIN_S
) -> bool:
    """True if no card was felt that may have tipped the scale."""
    return not any(
        tipped_s - within_s <= contact.at_s <= tipped_s + FELT_LATE_S for contact in contacts
    )
