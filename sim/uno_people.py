"""People who play Classic or Battle: they hold real cards, see most of what fits, and forget UNO.

What may be laid they ask the referee; they never correct it but where it asks who is on turn.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import Any

from companion.games import commands, rulings
from companion.games.cards import Card, Colour, Kind, parse
from companion.games.commands import Command, Play
from companion.games.decks import classic_deck
from companion.games.one_pile import OnePileState
from companion.games.referee import Accepted, Phase, Refusal
from companion.games.registry import referee
from companion.games.rulings import Ruling
from sim.card_people import CardPeople

OVERLOOKS = 0.1
"""How often somebody draws although a card fits."""
FORGETS_UNO = 0.3
CALLS_LATE = 0.3
NAMES_LATER = 0.2
"""How often a wild is laid without a word; its colour comes when asked."""
KEEPS_DRAWN = 0.2


class UnoPeople(CardPeople):
    """Everybody at the table, and what the simulated ones do next.

    They make up their minds from what lies there now and remember nothing: so it makes no
    difference to them whether the companion was switched off in between.
    """

    def __init__(self, random: Random, simulated: Collection[str], game: str) -> None:
        super().__init__(random, simulated)
        self.rules = referee(game)

    # --- what they do -------------------------------------------------------------------------

    def next_command(self, state: Any) -> Command | None:
        match state.phase:
            case Phase.SETUP:
                return self._turn_up(state)
            case Phase.PLAY | Phase.DRAWN:
                return (
                    self._about_uno(state)
                    or self.interrupt(state)
                    or self.answer(state)
                    or (self.turn(state) if state.turn in self.simulated else None)
                )
            case Phase.HANDS:
                return self._count(state)
            case _:
                return None

    def _turn_up(self, state: OnePileState) -> Command:
        deck = list(classic_deck())
        self.random.shuffle(deck)
        deals = (commands.Deal(top=str(card)) for card in deck)
        return next(deal for deal in deals if not self._refused(state, deal))

    def _count(self, state: OnePileState) -> Command:
        losers = (name for name in state.players if name != state.out)
        return commands.Hands(hands={name: tuple(map(str, self.hands[name])) for name in losers})

    def _about_uno(self, state: OnePileState) -> Command | None:
        """Whoever forgot UNO calls late, is caught, or neither."""
        player = state.uno_open
        if player is None:
            return None
        if player in self.simulated and self.random.random() < CALLS_LATE:
            return commands.Uno(player=player)
        return self.catch(state, player)

    def catch(self, state: OnePileState, player: str) -> Command | None:
        """What somebody does who may have seen that `player` forgot UNO."""

    def interrupt(self, state: Any) -> Command | None:
        """What somebody may do out of turn."""

    def answer(self, state: Any) -> Command | None:
        """What the referee waits for before the turn goes on."""
        if state.needs != "colour" or state.turn not in self.simulated:
            return None
        return commands.NameColour(colour=self._favourite(state.turn))

    def turn(self, state: Any) -> Command:
        player, drawn = state.turn, state.phase is Phase.DRAWN
        hand = self.hands[player]
        plays = self.plays(state, hand[-1:] if drawn else hand)
        if not plays or self.random.random() < (KEEPS_DRAWN if drawn else OVERLOOKS):
            return commands.Pass() if drawn else commands.Draw()
        due = len(hand) == 2 and player not in state.calls.called
        if due and self.random.random() > FORGETS_UNO:
            return commands.Uno(player=player)
        return self.random.choice(plays)

    def plays(self, state: Any, cards: Iterable[Card]) -> Sequence[Play]:
        """The plays of the player on turn that the referee would accept, one a card."""
        plays = (self.laying(state.turn, card) for card in dict.fromkeys(cards))
        return [play for play in plays if not self._refused(state, play)]

    def laying(self, player: str, card: Card, by_name: bool = False) -> Play:
        """A play of the card, often with the colour of a wild."""
        named: dict[str, Any] = {"player": player} if by_name else {}
        if card.is_wild and self.random.random() > NAMES_LATER:
            named["colour"] = self._favourite(player)
        return Play(card=str(card), **named)

    def _refused(self, state: Any, command: Command) -> bool:
        return isinstance(self.rules.apply(state, command), Refusal)

    def _favourite(self, player: str) -> Any:
        """The colour of which they hold most."""
        held = Counter(card.colour for card in self.hands[player] if card.colour)
        return max(Colour, key=lambda colour: (held[colour], self.random.random())).value

    # --- what happens to their cards ----------------------------------------------------------

    def saw(self, command: Command, before: Any, answer: Accepted[Any]) -> None:
        """Who pays for a forgotten UNO draws before the next card lies; all others after it."""
        del before
        if isinstance(command, commands.Deal):
            top = parse(str(command.top))
            self.deal(classic_deck(), [top], answer.state.hands)
            self.discards = [top]
            return
        late = [ruling for ruling in answer.rulings if _for_uno(ruling)]
        rest = [ruling for ruling in answer.rulings if not _for_uno(ruling)]
        self.follow((*late, *rest), answer.state.hands)


def _for_uno(ruling: Ruling) -> bool:
    return isinstance(ruling, rulings.Penalty) and ruling.reason == "uno"


CATCHES = 0.5
CHALLENGES = 0.3
BLUFFS = 0.2
"""How often somebody lays a Wild Draw Four although they hold the colour in force."""


class ClassicPeople(UnoPeople):
    """People at Classic: they catch, bluff with a Wild Draw Four, and challenge one."""

    def __init__(self, random: Random, simulated: Collection[str]) -> None:
        super().__init__(random, simulated, "classic")
        self._in_force: Colour | None = None

    def catch(self, state: OnePileState, player: str) -> Command | None:
        others = [name for name in state.players if name != player and name in self.simulated]
        if not others or self.random.random() > CATCHES:
            return None
        return commands.Catch(player=player, by=self.random.choice(others))

    def answer(self, state: Any) -> Command | None:
        guilty = self.guilt(state)
        if guilty is None:
            return super().answer(state)
        if state.turn not in self.simulated:
            return None
        if self.random.random() > CHALLENGES:
            return commands.Accept()
        return commands.Challenge(guilty=guilty, by=state.turn)

    def guilt(self, state: Any) -> bool | None:
        """A card of the colour that was in force is in the hand (C6)."""
        if state.needs != "challenge":
            return None
        hand = self.hands[state.accused]
        return any(card.colour is not None and card.colour is self._in_force for card in hand)

    def plays(self, state: Any, cards: Iterable[Card]) -> Sequence[Play]:
        colour = state.pile.colour
        tempted = any(card.colour is colour for card in self.hands[state.turn] if card.colour)
        honest = tempted and self.random.random() > BLUFFS
        return super().plays(
            state, [c for c in cards if not (honest and c.kind is Kind.WILD_DRAW_FOUR)]
        )

    def saw(self, command: Command, before: Any, answer: Accepted[Any]) -> None:
        if isinstance(command, Play) and before.pile is not None:
            self._in_force = before.pile.colour
        super().saw(command, before, answer)


STEALS = 0.6
DEFENDS = 0.3
DRAWS_ONE_BY_ONE = 0.3


class BattlePeople(UnoPeople):
    """People at Battle: they steal, defend, and at times draw a battle's cards one by one."""

    def __init__(self, random: Random, simulated: Collection[str]) -> None:
        super().__init__(random, simulated, "battle")
        self._before_steal: tuple[dict[str, list[Card]], list[Card], list[Card]] | None = None

    def interrupt(self, state: Any) -> Command | None:
        return self._defence(state) if state.steal is not None else self._steal(state)

    def _steal(self, state: Any) -> Command | None:
        for name in state.at_play:
            if name == state.turn or name not in self.simulated or self.random.random() > STEALS:
                continue
            for card in dict.fromkeys(self.hands[name]):
                play = self.laying(name, card, by_name=True)
                if not self._refused(state, play):
                    return play
        return None

    def _defence(self, state: Any) -> Command | None:
        defender = state.steal.before.turn
        if defender not in self.simulated or self.random.random() > DEFENDS:
            return None
        for card in dict.fromkeys(self.hands[defender]):
            play = self.laying(defender, card)
            defence = commands.Defend(card=play.card, colour=play.colour)
            if not self._refused(state, defence):
                return defence
        return None

    def answer(self, state: Any) -> Command | None:
        if state.needs == "turn":
            lowest = min(state.scores[name] for name in state.at_play)
            tied = [name for name in state.at_play if state.scores[name] == lowest]
            return commands.Correct(turn=self.random.choice(tied))
        return super().answer(state)

    def turn(self, state: Any) -> Command:
        if state.drawing_battle:
            return commands.Draw()
        chosen = super().turn(state)
        one_by_one = self.random.random() < DRAWS_ONE_BY_ONE
        if state.battle and one_by_one and isinstance(chosen, commands.Draw):
            return commands.Draw(count=1)
        return chosen

    def saw(self, command: Command, before: Any, answer: Accepted[Any]) -> None:
        if isinstance(command, commands.Defend) and self._before_steal is not None:
            self.hands, self.pile, self.discards = self._before_steal
        hands = {name: list(hand) for name, hand in self.hands.items()}
        self._before_steal = hands, list(self.pile), list(self.discards)
        super().saw(command, before, answer)
