"""A round that people have counted although the table had not seen it end: their count stands.

Whoever deals the next round has ended the last one. Without this one card that was never seen could
cost every later round its scores. It never acts before the next deal is told.
"""

from companion.games import commands
from companion.games.commands import Command, Hands
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.tippo.legality import awaiting_colour
from companion.games.tippo.state import TippoState
from companion.table.live_game import LiveGame
from companion.table.outcomes import Noticed, NoticeKind, Outcome
from companion.table.situation import Situation

ENDS_ALWAYS = "W"
"""A card that may lie anywhere, for the last one that nobody saw."""

_ENDED = (Phase.GOING_OUT, Phase.HANDS)


def end_as_counted(table: Situation, live: LiveGame) -> list[Outcome]:
    """Before a deal: ends the round with the hands that were told and refused, if they were."""
    counted = _counted(live)
    if live.state.phase is Phase.SETUP or counted is None:
        return []
    left = _cards_left(counted)
    out = [name for name in live.state.players if not left.get(name)]
    if len(out) != 1:
        return []
    position, ending = _ending(live, out[0], left)
    count = Hands(hands=counted.hands, points=counted.points, force=True)
    outcomes = live.end_otherwise(position, [*ending, count], table.now)
    if not outcomes:
        return []
    text = f"The round had ended without the table seeing it: {out[0]} is out, as the hands say."
    return [Noticed(table.now, NoticeKind.COUNTED_OUT, text), *outcomes]


def _counted(live: LiveGame) -> Hands | None:
    """The hands that were told last since the deal, and refused."""
    for told in reversed(live.refused_moves):
        if isinstance(told.command, Hands) and told.at_s > live.dealt_s:
            return told.command
    return None


def _cards_left(counted: Hands) -> dict[str, int]:
    """So many cards each loser has left; with points alone at least one."""
    if isinstance(counted.hands, dict):
        return {name: len(cards) for name, cards in counted.hands.items()}
    assert isinstance(counted.points, dict)
    return dict.fromkeys(counted.points, 1)


def _ending(live: LiveGame, out: str, left: dict[str, int]) -> tuple[int, list[Command]]:
    """What would have had to be seen, and in place of which acts."""
    position = len(live.timeline.entries)
    game = live.timeline.game
    if _state(game).out == out:
        return position, [commands.Settled()] if game.state.phase is Phase.GOING_OUT else []
    while game.state.phase in _ENDED:
        position -= 1
        game = live.timeline.entries[position - 1].game
    return position, _unseen_end(game, out, left)


def _unseen_end(game: Game, out: str, left: dict[str, int]) -> list[Command]:
    ending: list[Command] = []
    last_card = commands.Play(card=ENDS_ALWAYS, tray="left")
    hand = {name: count for name, count in left.items() if name in game.state.players}
    while game.state.phase not in _ENDED:
        state = _state(game)
        command: Command = last_card
        if state.phase is Phase.TILT:
            command = commands.Spill(no_fault=True)
        elif state.phase is Phase.SPILLED:
            command = commands.Reset()
        elif waiting := awaiting_colour(state):
            command = commands.NameColour(colour="R", tray=waiting[0].value)
        elif state.turn != out or state.hands.get(out) != 1:
            command = commands.Correct(turn=out, hand={**hand, out: 1})
        answer = game.apply(command)
        if isinstance(answer, Refusal):
            return []
        game = answer[0]
        ending.append(command)
    return [*ending, commands.Settled()]


def _state(game: Game) -> TippoState:
    assert isinstance(game.state, TippoState)
    return game.state
