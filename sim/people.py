"""People at the table: what they hold, see and say, and the cards that pass through their hands.

They never know how the scale is judged. Alone at a table they follow the truth, kept by a game
of their own; with somebody who is not simulated they follow what the display shows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import msgspec

from companion.games import commands
from companion.games.cards import UNKNOWN, Card, Colour
from companion.games.commands import Command, Deal, Start
from companion.games.decks import tippo_deck
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.tippo.state import TippoState
from companion.units import Tray
from sim.choosing import Temper
from sim.habits import Habits
from sim.hands import Placing
from sim.happenings import Happening, What
from sim.laid import Laid
from sim.overruling import REMEMBERED, Overruling
from sim.witness import Witness
from sim.world import World

Wait: TypeAlias = Iterator[float]
"""A script of actions; it yields the moment until which it waits. An alarm may end a wait."""

PATIENCE_S = 6.0
"""So long somebody waits for the display to show a card before they take it for refused."""

SPILLABLE = frozenset({Phase.PLAY, Phase.DRAWN, Phase.TILT, Phase.GOING_OUT})


class People:
    """Everybody who is simulated at one table."""

    announced: tuple[str, Card, Colour | None] | None = None
    """A card that was named on the display and never put down."""
    away = False
    """Persons play another game, at which these people do not sit."""
    spilled = False
    """Cards have been dumped and the scale has not been reset yet."""
    last_fall_s = 0.0
    wake_s = 0.0
    put_s = 0.0
    """When a card was last put down."""
    finished = False
    overruled = 0
    """How many taps it took them to put the display right."""

    def __init__(
        self,
        world: World,
        witness: Witness,
        *,
        start: Start,
        simulated: Sequence[str],
        mode: str,
        rounds: int | None,
        habits: Habits,
        rng: Random,
    ) -> None:
        self.world = world
        self.witness = witness
        self.rng = rng
        self.habits = habits
        self.start = start
        self.simulated = frozenset(simulated)
        self.alone = self.simulated == frozenset(start.players)
        self.full = mode == "full"
        self.rounds = rounds
        self.tempers = {player: _somebody(habits, rng) for player in start.players}
        self.hands: dict[str, list[Card]] = {player: [] for player in start.players}
        self.deck: list[Card] = []
        self.aside: list[Card] = []
        self.piles: dict[Tray, list[Card]] = {tray: [] for tray in Tray}
        """Both discard piles as they should lie, from the bottom up."""
        self.laid = Laid()
        self.on_their_way: list[Card] = []
        """Cards that were drawn to be put straight into a tray."""
        self.fallen: dict[Tray, int] = dict.fromkeys(Tray, 0)
        self.slid: list[tuple[Tray, str]] = []
        """Cards that fell off a level scale and lie beside it."""
        self.first_deal = Deal()
        self._taps: list[tuple[float, dict[str, Any]]] = []
        self._script: Wait = iter(())
        self._shown: TippoState | None = None
        self._overruling = Overruling(named=self.full)
        self._game = _begun(start) if self.alone else None

    # --- what they believe -------------------------------------------------------------------

    @property
    def state(self) -> TippoState:
        """The game as they know it; asked for only once it has begun."""
        state = self._shown if self._game is None else self._game.state
        assert isinstance(state, TippoState)
        return state

    @property
    def knowing(self) -> bool:
        """They have seen a game."""
        return self._game is not None or self._shown is not None

    @property
    def players(self) -> Sequence[str]:
        """Who sits there now, in seat order."""
        return self.state.players if self.knowing else self.start.players

    def look(self, state: TippoState) -> None:
        """They look at the display; alone they know better, and overrule it where it is wrong."""
        if self._game is not None:
            self._overrule(self._game, state)
            return
        if state is self._shown:
            return
        if self._shown is not None:
            self.laid.seen(self._shown.hands, state.hands)
        self._shown = state

    def _overrule(self, game: Game, shown: TippoState) -> None:
        for command in self._overruling.taps(
            self.now_s, shown, game.state, game.latest(REMEMBERED)
        ):
            self.overruled += 1
            self.tap(**msgspec.to_builtins(command))

    def due(self, player: str) -> int:
        """How many cards more (or fewer) than in their hand the game says they have."""
        hidden = 0 if self.alone else self.laid.hidden(player)
        return self.state.hands.get(player, 0) - len(self.hands.get(player, ())) - hidden

    def mean(self, command: Command) -> None:
        """They do what a perfect referee would be told as `command`, now."""
        self.mean_at(self.now_s, command)

    def mean_at(self, at_s: float, command: Command) -> None:
        """The same at a moment that may have passed a little while ago."""
        fields = msgspec.to_builtins(command)
        self.witness.note(at_s, "act", **fields)
        if self._game is None:
            return
        outcome = self._game.apply(command)
        assert not isinstance(outcome, Refusal), (
            f"people never make a refused command: {fields}: {outcome}; {self.state.as_json()}"
        )
        self._game = outcome[0]

    def allowed(self, command: Command) -> bool:
        """True if the referee would take this command now."""
        return self._game is None or not isinstance(self._game.apply(command), Refusal)

    # --- time, eyes and mouths ------------------------------------------------------------------

    @property
    def now_s(self) -> float:
        return self.world.now_s

    def interrupted(self) -> bool:
        """Cards have been dumped: whatever somebody was about to do can wait."""
        return self.spilled

    def begin(self, script: Wait) -> None:
        self._script = script
        self.go_on()

    def go_on(self) -> None:
        """Goes on with the script until it waits again."""
        wake = next(self._script, None)
        if wake is None:
            self.finished = True
            self.wake_s = float("inf")
        else:
            self.wake_s = wake

    def wait(self, seconds: float, *, heed: bool = False, startle: bool = False) -> Wait:
        """Does nothing for so long; with `heed` only until cards are dumped, with `startle` only
        until the scale tips."""
        until = self.now_s + seconds
        while self.now_s < until:
            if (heed and self.spilled) or (startle and self.world.tipped):
                return
            yield until

    def pause(self, seconds: float) -> Wait:
        """Waits as long as these people do who would ordinarily wait so long; heeds a spill."""
        return self.wait(self.habits.pause(seconds), heed=True)

    def wait_for_calm(self, calm_s: float, *, at_most_s: float = 30.0) -> Wait:
        """Waits until the scale has been quiet and level for `calm_s`, or cards are dumped."""
        give_up = self.now_s + at_most_s
        since = self.now_s
        while not self.spilled and self.now_s < give_up:
            if not (self.world.quiet and self.world.level):
                since = self.now_s
            elif self.now_s >= since + calm_s:
                return
            yield self.now_s + 0.05

    def wait_for_news(self) -> Wait:
        """Where not everybody is simulated: waits until the display shows another state."""
        if self.alone:
            return
        before = self._shown
        while self._shown is before and not self.spilled:
            yield self.now_s + 0.1

    def acknowledged(self, player: str) -> Wait:
        """Where not everybody is simulated: waits until the display shows a card put down."""
        give_up = self.now_s + PATIENCE_S
        while not self.alone and self.laid.hidden(player) > 0 and not self.spilled:
            if self.now_s >= give_up:
                break
            yield self.now_s + 0.1

    def tap(self, **fields: Any) -> None:
        """Somebody taps the display now."""
        self._taps.append((self.now_s, fields))

    def tap_command(self, command: Command) -> None:
        """Somebody tells the display a referee's command, which is also what they mean."""
        self.tap(**msgspec.to_builtins(command))
        self.mean(command)

    def collect_taps(self) -> list[dict[str, Any]]:
        """The taps since the last call, as lines of `taps.jsonl`."""
        ready, self._taps = self._taps, []
        return [{"t": round(at_s, 3), **fields} for at_s, fields in ready]

    def notice(self, happening: Happening) -> bool:
        """Everybody sees what happened to the scale; True if it makes them stop."""
        if happening.what is What.TIPPED:
            return True
        if happening.what is not What.FELL or happening.tray is None:
            return False
        self.last_fall_s = happening.at_s
        if not self.world.tipped and not self.spilled:
            self.slid += [(happening.tray, name) for name in happening.cards]
            return False
        self.fallen[happening.tray] += len(happening.cards)
        if self.spilled:
            return False
        self.spilled = True
        if self.knowing and self._game is not None and self.state.phase in SPILLABLE:
            self.mean_at(happening.at_s, commands.Spill())
        return True

    def who_pays(self) -> str | None:
        """Who would pay if cards were dumped now."""
        if not self.knowing or self.state.phase not in SPILLABLE:
            return None
        return self.state.last_actor

    # --- cards in hands and piles --------------------------------------------------------------

    def shuffle(self) -> None:
        """All cards come together again and are shuffled."""
        self.deck = self.shuffled(tippo_deck())
        self.aside = []
        self.piles = {tray: [] for tray in Tray}
        self.laid.clear()
        self.fallen = dict.fromkeys(Tray, 0)
        self.hands = {player: [] for player in self.players}

    def shuffled(self, cards: Sequence[Card]) -> list[Card]:
        """The same cards in another order; the last one is drawn first."""
        return self.rng.sample(cards, len(cards))

    def draw_card(self, *, from_below: bool = True) -> Card | None:
        """The top of the draw pile; what was set aside is shuffled first if there is none left.

        With `from_below` the cards under the top two of each tray follow (rule T49).
        """
        if not self.deck:
            self.deck, self.aside = self.shuffled(self.aside), []
        if not self.deck and from_below:
            for tray in Tray:
                self._take_from_below(tray)
            self.deck = self.shuffled(self.deck)
        if not self.deck:
            return None
        card = self.deck.pop()
        self.world.weigh_deck(len(self.deck))
        return card

    def _take_from_below(self, tray: Tray) -> None:
        spare = self.piles[tray][:-2]
        if not spare:
            return
        self.piles[tray] = self.piles[tray][-2:]
        self.deck += spare
        names = self.world.take(tray, len(spare), at_s=self.now_s, from_below=True)
        self.witness.intend(tray, names, None, "under")

    def take_what_is_due(self) -> Wait:
        """Everybody draws what the rulings gave them, one card after another; the cards of whoever
        has gone home go under the pile (rule U19)."""
        for gone in sorted(self.hands.keys() - set(self.players)):
            self.deck[:0] = self.hands.pop(gone)
        for player in self.players:
            due = self.due(player)
            if due > 0:
                drawn = 0
                for _ in range(due):
                    card = self.draw_card()
                    if card is None:
                        break
                    drawn += 1
                    self.hands.setdefault(player, []).append(card)
                    yield from self.wait(self.rng.uniform(0.2, 0.5))
                self.witness.note(self.now_s, "drawn", player=player, count=drawn)
            elif due < 0 and not self.alone:
                # Somebody took a command back, or they are not simulated: what they hold is theirs.
                self.deck[:0] = self.hands[player][due:]
                del self.hands[player][due:]

    def put(
        self, tray: Tray, cards: Sequence[Card], placing: Placing, by: str | None, act: str
    ) -> float:
        """Cards go from a hand into a tray, first contact now; when the hand lets go."""
        names = tuple(str(card) for card in cards)
        self.witness.intend(tray, names, by, act)
        self.put_s = self.now_s
        return self.world.put(tray, names, placing, at_s=self.now_s)

    def saw_put(self, tray: Tray, cards: Sequence[Card]) -> None:
        """Somebody who is not simulated puts these cards in a tray."""
        self.piles[tray] += cards

    def saw_taken(self, tray: Tray, count: int) -> None:
        """Somebody takes the top cards out of a tray: each goes back in the hand that it came from,
        and a start card, which came from none, under the pile."""
        for _ in range(min(count, len(self.piles[tray]))):
            card = self.piles[tray].pop()
            owner = self.laid.take(tray, card)
            if owner is not None and owner in self.hands:
                self.hands[owner].append(card)
            elif card != UNKNOWN:
                self.deck.insert(0, card)

    def take_all(self, tray: Tray, act: str) -> None:
        """Somebody lifts everything out of a tray."""
        names = self.world.take(tray, len(self.world.names(tray)), at_s=self.now_s)
        if names:
            self.witness.intend(tray, names, None, act)


def _begun(start: Start) -> Game:
    """The game that people without a display keep in their heads."""
    game = Game.begin(start)
    assert isinstance(game, Game), game
    return game


def _somebody(habits: Habits, rng: Random) -> Temper:
    temper = Temper.of_somebody(rng)
    return replace(temper, care=-0.6) if "careless" in habits.names else temper
