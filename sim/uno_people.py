"""People who play Classic or Battle: they hold real cards, see most of what fits, and forget UNO.

What may be laid they ask the referee; they never correct it but where it asks who is on turn.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from companion.games import commands, rulings
from companion.games.cards import Card, Colour, Kind
from companion.games.commands import Command, Play
from companion.games.decks import classic_deck
from companion.games.one_pile import OnePileState
from companion.games.referee import Phase, Refusal
from companion.games.registry import referee
from companion.games.rounds import HAND
from companion.games.rulings import Ruling

OVERLOOKS = 0.1
"""How often somebody draws although a card fits."""
FORGETS_UNO = 0.3
CALLS_LATE = 0.3
NAMES_LATER = 0.2
"""How often a wild is laid without a word; its colour comes when asked."""
KEEPS_DRAWN = 0.2


class UnoPeople:
    """Everybody at the table: their hands, both piles, and what they do next."""

    def __init__(self, random: Random, game: str) -> None:
        self.random = random
        self.rules = referee(game)
        self.hands: dict[str, list[Card]] = {}
        self.pile: list[Card] = []
        self.discards: list[Card] = []
        self._window: object = None
        """The UNO window about which they have made up their minds."""

    # --- what they do -------------------------------------------------------------------------

    def next_command(self, state: Any) -> Command | None:
        """What somebody does now; None when the game is over."""
        match state.phase:
            case Phase.SETUP:
                return self._deal(state)
            case Phase.PLAY | Phase.DRAWN:
                return (
                    self._about_uno(state)
                    or self.interrupt(state)
                    or self.answer(state)
                    or self.turn(state)
                )
            case Phase.HANDS:
                return self._count(state)
            case _:
                return None

    def _deal(self, state: OnePileState) -> Command:
        self.pile = list(classic_deck())
        self.random.shuffle(self.pile)
        self.hands = {
            name: [self.pile.pop() for _ in range(HAND if name in state.at_play else 0)]
            for name in state.players
        }
        while self._refused(state, commands.Deal(top=str(self.pile[-1]))):
            self.random.shuffle(self.pile)
        self.discards = [self.pile.pop()]
        return commands.Deal(top=str(self.discards[0]))

    def _count(self, state: OnePileState) -> Command:
        losers = (name for name in state.players if name != state.out)
        return commands.Hands(hands={name: tuple(map(str, self.hands[name])) for name in losers})

    def _about_uno(self, state: OnePileState) -> Command | None:
        """Once for each window: whoever forgot UNO calls late, is caught, or neither."""
        player = state.uno_open
        window = (player, state.round, state.last_actor, state.lying.cards)
        if player is None or window == self._window:
            return None
        self._window = window
        if self.random.random() < CALLS_LATE:
            return commands.Uno(player=player)
        return self.catch(state, player)

    def catch(self, state: OnePileState, player: str) -> Command | None:
        """What somebody does who may have seen that `player` forgot UNO."""

    def interrupt(self, state: Any) -> Command | None:
        """What somebody may do out of turn."""

    def answer(self, state: Any) -> Command | None:
        """What the referee waits for before the turn goes on."""
        if state.needs != "colour":
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

    def move(self, made: Sequence[Ruling]) -> None:
        """Moves the cards as the rulings of an accepted command say.

        Who pays for a forgotten UNO draws before the next card lies; all others draw after it.
        """
        late = [ruling for ruling in made if _for_uno(ruling)]
        for ruling in (*late, *(ruling for ruling in made if not _for_uno(ruling))):
            match ruling:
                case rulings.Played():
                    card = next(c for c in self.hands[ruling.player] if str(c) == ruling.card)
                    self.hands[ruling.player].remove(card)
                    self.discards.append(card)
                case rulings.Drawn() | rulings.Draw() | rulings.Penalty():
                    self.hands[ruling.player] += [self._draw() for _ in range(ruling.count)]
                case _:
                    pass

    def _draw(self) -> Card:
        if not self.pile:
            *self.pile, top = self.discards
            self.discards = [top]
            self.random.shuffle(self.pile)
        return self.pile.pop()

    @property
    def held(self) -> Mapping[str, int]:
        return {name: len(hand) for name, hand in self.hands.items()}


def _for_uno(ruling: Ruling) -> bool:
    return isinstance(ruling, rulings.Penalty) and ruling.reason == "uno"


CATCHES = 0.5
CHALLENGES = 0.3
BLUFFS = 0.2
"""How often somebody lays a Wild Draw Four although they hold the colour in force."""


class ClassicPeople(UnoPeople):
    """People at Classic: they catch, bluff with a Wild Draw Four, and challenge one."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, "classic")
        self._in_force: Colour | None = None

    def catch(self, state: OnePileState, player: str) -> Command | None:
        if self.random.random() > CATCHES:
            return None
        others = [name for name in state.players if name != player]
        return commands.Catch(player=player, by=self.random.choice(others))

    def answer(self, state: Any) -> Command | None:
        if state.needs != "challenge":
            return super().answer(state)
        if self.random.random() > CHALLENGES:
            return commands.Accept()
        hand = self.hands[state.accused]
        guilty = any(card.colour is not None and card.colour is self._in_force for card in hand)
        return commands.Challenge(guilty=guilty, by=state.turn)

    def plays(self, state: Any, cards: Iterable[Card]) -> Sequence[Play]:
        colour = state.pile.colour
        tempted = any(card.colour is colour for card in self.hands[state.turn] if card.colour)
        honest = tempted and self.random.random() > BLUFFS
        return super().plays(
            state, [c for c in cards if not (honest and c.kind is Kind.WILD_DRAW_FOUR)]
        )

    def saw(self, command: Command, before: Any, made: Sequence[Ruling]) -> None:
        if isinstance(command, Play) and before.pile is not None:
            self._in_force = before.pile.colour
        self.move(made)


STEALS = 0.6
DEFENDS = 0.3
DRAWS_ONE_BY_ONE = 0.3


class BattlePeople(UnoPeople):
    """People at Battle: they steal, defend, and at times draw a battle's cards one by one."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, "battle")
        self._considered: object = None
        """The card about which they have made up their minds whether to steal or defend it."""
        self._before_steal: tuple[dict[str, list[Card]], list[Card], list[Card]] | None = None

    def interrupt(self, state: Any) -> Command | None:
        card = (state.round, state.lying.cards, state.last_actor)
        if card == self._considered:
            return None
        self._considered = card
        return self._defence(state) if state.steal is not None else self._steal(state)

    def _steal(self, state: Any) -> Command | None:
        for name in state.at_play:
            if name == state.turn or self.random.random() > STEALS:
                continue
            for card in dict.fromkeys(self.hands[name]):
                play = self.laying(name, card, by_name=True)
                if not self._refused(state, play):
                    return play
        return None

    def _defence(self, state: Any) -> Command | None:
        if self.random.random() > DEFENDS:
            return None
        for card in dict.fromkeys(self.hands[state.steal.before.turn]):
            play = self.laying(state.steal.before.turn, card)
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

    def saw(self, command: Command, _before: Any, made: Sequence[Ruling]) -> None:
        if isinstance(command, commands.Defend):
            assert self._before_steal is not None
            self.hands, self.pile, self.discards = self._before_steal
        hands = {name: list(hand) for name, hand in self.hands.items()}
        self._before_steal = hands, list(self.pile), list(self.discards)
        self.move(made)
