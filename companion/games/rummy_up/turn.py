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


def brought(from_rack: Sequence[Sequence[Card]]) -> dict[int, frozenset[Effect]]:
    """The different effects that rack tiles bring to each meld, by its index (R10, R13)."""
    effects: dict[int, frozenset[Effect]] = {}
    for index, faces in enumerate(from_rack):
        for face in faces:
            one = effect(face)
            if one is not None:
                effects[index] = effects.get(index, frozenset()) | {one}
    return effects


def choices(from_rack: Sequence[Sequence[Card]]) -> dict[int, frozenset[Effect]]:
    """The melds, by their index, in which the player chooses one of several effects (R10)."""
    return {index: effects for index, effects in brought(from_rack).items() if len(effects) > 1}


def flaw_of_choice(
    given: Mapping[str, Effect], offered: Mapping[int, frozenset[Effect]]
) -> Refusal | None:
    """A choice for a meld in which there is nothing to choose, or that it does not offer."""
    for key, chosen in given.items():
        effects = offered.get(int(key), frozenset())
        if len(effects) < 2:
            text = f"`effects` names meld {key}, in which there is nothing to choose"
            return refusal(Code.BAD_INPUT, text, "R10")
        if chosen not in effects:
            text = f"No tile from the rack brings a {_WORDS[chosen]} to meld {key}"
            return refusal(Code.BAD_INPUT, text, "R10")
    return None


def missing_choice(
    given: Mapping[str, Effect], offered: Mapping[int, frozenset[Effect]]
) -> Refusal | None:
    """A meld that is offered several effects and for which none was chosen."""
    for index, effects in offered.items():
        if len(effects) > 1 and str(index) not in given:
            words = " or ".join(_WORDS[one] for one in _WORDS if one in effects)
            text = f"Meld {index} has one effect only: choose {words} with `effects`"
            return refusal(Code.EFFECT_NEEDED, text, "R10")
    return None


def acting(
    given: Mapping[str, Effect], offered: Mapping[int, frozenset[Effect]]
) -> Counter[Effect]:
    """How many melds act with each effect, one effect for each meld (R10)."""
    acts: Counter[Effect] = Counter()
    for index, effects in offered.items():
        chosen = given[str(index)] if len(effects) > 1 else next(iter(effects))
        acts[chosen] += 1
    return acts
