"""Whose the cards are that lie in the trays, as far as the display has not caught up with them.

It never decides who may take a card: it only knows in whose hand one belongs that comes out again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.cards import Card
from companion.units import Tray


@dataclass(slots=True)
class _Lying:
    player: str
    tray: Tray
    card: Card
    shown: bool = False
    """The display has counted it out of its player's hand."""


@dataclass(slots=True)
class Laid:
    """The cards that were put down since the trays were last cleared, the latest last.

    A card that the display refuses may lie there for long while others are played on.
    """

    _lying: list[_Lying] = field(default_factory=list)
    _returned: list[str] = field(default_factory=list)
    """Who took a card back that the display still counts as played, once for each."""

    def put(self, player: str, tray: Tray, card: Card) -> None:
        self._lying.append(_Lying(player, tray, card))

    def take(self, tray: Tray, card: Card) -> str | None:
        """The card comes out again; in whose hand it belongs, None if nobody put it there."""
        for lies in reversed(self._lying):
            if lies.tray is tray and lies.card == card:
                self._lying.remove(lies)
                if lies.shown:
                    self._returned.append(lies.player)
                return lies.player
        return None

    def seen(self, before: Mapping[str, int], now: Mapping[str, int]) -> None:
        """The display counts other hands than before."""
        for player, count in now.items():
            more = count - before.get(player, count)
            for _ in range(-more):
                self._show_latest_of(player)
            for _ in range(min(more, self._returned.count(player))):
                self._returned.remove(player)

    def _show_latest_of(self, player: str) -> None:
        waiting = (lies for lies in reversed(self._lying) if lies.player == player)
        latest = next((lies for lies in waiting if not lies.shown), None)
        if latest is not None:
            latest.shown = True

    def hidden(self, player: str) -> int:
        """How many cards more the display counts in this hand than are in it."""
        unshown = sum(lies.player == player and not lies.shown for lies in self._lying)
        return unshown - self._returned.count(player)

    def clear(self) -> None:
        """The trays have been cleared: nothing of it comes back into a hand."""
        self._lying.clear()
        self._returned.clear()
