"""What the tiles of a Rummy Up turn do: which effects act, and which are the player's choice.

This module never moves a turn or a hand: see `rummy_up`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.games.cards import Card
from companion.games.referee import Code, Refusal, refusal
from companion.games.rummy_up.tiles import Effect, effect

_WORDS: Mapping[Effect, str] = {
    "draw_two": "Draw Two",
    "draw_four": "Draw Four",
    "skip": "Skip",
    "reverse": "Reverse",
}


def effects_of(from_rack: Sequence[Card]) -> frozenset[Effect]:
    """The different effects that a meld's rack tiles bring (R10, R13)."""
    return frozenset(brought for face in from_rack if (brought := effect(face)) is not None)


def choices(from_rack: Sequence[Sequence[Card]]) -> dict[int, frozenset[Effect]]:
    """The melds, by their index, in which the player chooses one of several effects (R10)."""
    brought = {index: effects_of(faces) for index, faces in enumerate(from_rack) if faces}
    return {index: effects for index, effects in brought.items() if len(effects) > 1}


def flaw_of_choice(
    given: Mapping[str, Effect], from_rack: Sequence[Sequence[Card]]
) -> Refusal | None:
    """A choice for a meld in which there is nothing to choose, or that it does not offer."""
    offered = choices(from_rack)
    for key, chosen in given.items():
        effects = offered.get(int(key), frozenset())
        if not effects:
            text = f"`effects` names meld {key}, in which there is nothing to choose"
            return refusal(Code.BAD_INPUT, text, "R10")
        if chosen not in effects:
            text = f"No tile from the rack brings a {_WORDS[chosen]} to meld {key}"
            return refusal(Code.BAD_INPUT, text, "R10")
    return None


def missing_choice(
    given: Mapping[str, Effect], from_rack: Sequence[Sequence[Card]]
) -> Refusal | None:
    """A meld that brings several effects and for which none was chosen."""
    for index, effects in choices(from_rack).items():
        if str(index) not in given:
            words = " or ".join(_WORDS[one] for one in _WORDS if one in effects)
            text = f"Meld {index} has one effect only: choose {words} with `effects`"
            return refusal(Code.EFFECT_NEEDED, text, "R10")
    return None


def acting(given: Mapping[str, Effect], from_rack: Sequence[Sequence[Card]]) -> Counter[Effect]:
    """How many melds act with each effect, one effect for each meld (R10)."""
    acts: Counter[Effect] = Counter()
    for index, faces in enumerate(from_rack):
        brought = effects_of(faces) if faces else ()
        if len(brought) > 1:
            acts[given[str(index)]] += 1
        else:
            acts.update(brought)
    return acts
