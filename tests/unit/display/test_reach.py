"""Whatever the referee would accept now can be said with a few taps."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.display.layout import lay_out
from companion.display.looking import Looking
from companion.display.view import view
from companion.display.view_table import deck_of
from companion.display.wishes import Gesture, Look, Open, Page, Tab
from companion.games import commands
from companion.games.cards import Colour
from companion.games.commands import Command
from companion.games.referee import Refusal, State
from companion.games.registry import referee
from companion.games.tippo.state import TippoState
from companion.table import awaited
from companion.table.taps import CardTap, Mode, NextTap
from companion.units import Tray
from tests.unit.display.walks import Walk, choices_in, touchable, walk

TAPS_DEEP = 3


def sayable(one: Walk) -> set[str]:
    """All that can be said to the table by opening pages, at most so many, one after the other."""
    around = one.around
    found: set[str] = set()
    known: set[Looking] = {one.looking}
    edge = [one.looking]
    for _ in range(TAPS_DEEP + 1):
        after: list[Looking] = []
        for looking in edge:
            for touch in touchable(lay_out(view(one.table, looking, around))):
                if isinstance(touch, Open | Tab) or touch is Gesture.CLOSE:
                    after += [looking.after(touch)]
                elif not isinstance(touch, Look):
                    found |= set(map(repr, touch if isinstance(touch, tuple) else (touch,)))
        edge = [looking for looking in dict.fromkeys(after) if looking not in known]
        known |= set(edge)
    return found


def candidates(state: State) -> Iterator[Command]:
    """What people may want to tell, as plain as they can tell it."""
    yield commands.Draw()
    yield commands.Pass()
    yield commands.Accept()
    yield commands.Challenge(guilty=True)
    yield commands.Challenge(guilty=False)
    for name in state.players:
        yield commands.Uno(player=name)
        yield commands.Catch(player=name)
        yield commands.Leave(player=name)
        yield commands.Correct(turn=name)
        yield commands.Correct(hand={name: 3})
    yield commands.Correct(direction=-1 if state.direction == 1 else 1)
    if isinstance(state, TippoState):
        yield commands.Spill()
        for colour in Colour:
            for tray in state.trays:
                yield commands.NameColour(colour=colour.value, tray=tray.value)
    else:
        for colour in Colour:
            yield commands.NameColour(colour=colour.value)


def legal(state: State) -> Iterator[Command]:
    """Those of them that the referee would accept."""
    rules = referee(state.game)
    for command in candidates(state):
        if not isinstance(rules.apply(state, command), Refusal):
            yield command


def playable(state: State) -> Iterator[str]:
    """The cards that the referee would take from whoever has the turn."""
    rules = referee(state.game)
    for card in map(str, deck_of(state)):
        plays = [commands.Play(card=card)]
        if isinstance(state, TippoState):
            plays = [commands.Play(card=card, tray=tray.value) for tray in state.trays]
        if any(not isinstance(rules.apply(state, play), Refusal) for play in plays):
            yield card


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    game=st.sampled_from(["tippo", "tippo", "classic", "battle", "rummy_up"]),
)
def test_every_legal_command_is_a_few_taps_away(seed: int, game: str) -> None:
    for step, one in enumerate(walk(seed, game, steps=12)):
        state = one.table.state
        if state is None or step % 3 or not isinstance(one.table.awaited[0], FREE_TO_MOVE):
            continue
        if one.looking.refusal is not None:
            continue
        said = sayable(one)
        quick = one.table.mode is Mode.QUICK
        for command in legal(state):
            passes = isinstance(command, commands.Pass) and quick and not one.table.has_scale
            assert repr(NextTap() if passes else command) in said, command
        if game != "rummy_up" and state.needs is None and not quick:
            for card in playable(state):
                tapped = repr(CardTap(card=card)) in said
                assert tapped or any(f"Play(card={card!r}" in tap for tap in said), card


FREE_TO_MOVE = (awaited.Move, awaited.Decision, awaited.ColourOf)
"""What the table waits for while nothing else, such as a question, comes first."""


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    game=st.sampled_from(["tippo", "tippo", "classic", "battle", "rummy_up"]),
)
def test_every_tap_that_is_only_for_the_display_shows_something(seed: int, game: str) -> None:
    """Whatever is not chosen already leads somewhere, but for an eraser with nothing to erase."""
    for one in walk(seed, game, steps=12):
        around = one.around
        opened = Open(one.rng.choice(OPENED_BY_A_KEY), tray=Tray.LEFT)
        for looking in (one.looking, one.looking.after(opened)):
            screen = view(one.table, looking, around)
            for choice in choices_in(screen):
                touch = choice.touch if isinstance(choice.touch, tuple) else (choice.touch,)
                looks = [look for look in touch if isinstance(look, Look)]
                if choice.chosen or choice.label == "erase" or len(looks) < len(touch):
                    continue
                after = looking
                for look in looks:
                    after = after.after(look)
                assert view(one.table, after, around) != screen, choice


OPENED_BY_A_KEY = (Page.MENU, Page.PAD, Page.CORRECT, Page.AMEND, Page.SCORES, Page.JOIN, Page.END)
"""Pages that the screens of any moment lead to."""
