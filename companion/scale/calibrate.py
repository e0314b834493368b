"""Finds out what counts, grams and cards are on a scale: a procedure of five weighings.

It never talks to a board, waits or writes a file; whoever runs it asks people what `asks` says,
gathers readings, and hands them to `weigh`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from companion.events import Reading, Sample, Sensor
from companion.scale.calibration import Calibration, CellCalibration, DeckCalibration
from companion.scale.levels import (
    Level,
    Levels,
    Refusal,
    Trouble,
    values_of,
    weigh_both,
    weigh_one,
)
from companion.units import Tray

TYPICAL_CARD_G = 1.75
"""An UNO card, as weighed; it sets what a gram is where no coin does."""

SIGNAL_TO_NOISE = 10.0
"""What one card must stand out of the noise of a single reading, to be counted safely."""

LOAD_TO_NOISE = 50.0
"""What the whole load must stand out, so that the calibration is right to some 2 per cent."""

FELT_BY_THE_OTHER = 3.0
"""How many times more the other tray's cell must feel a load to be taken for this tray's."""

TOLERANCE_CARDS = 0.35
"""How far the check may be off. Half a card would still be counted right."""


FROM_THE_START = (Trouble.SWAPPED, Trouble.WRONG_SIGN, Trouble.NOISY, Trouble.VERIFICATION)
"""Troubles that are mended with a screwdriver: nothing weighed before them can be trusted."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is put in the trays: cards, or a coin of known weight (and cards after it)."""

    cards: int = 20
    coin_g: float | None = None


class Step(StrEnum):
    TIP = "tip"
    EMPTY = "empty"
    COIN_LEFT = "coin_left"
    COIN_RIGHT = "coin_right"
    CARDS_LEFT = "cards_left"
    CARDS_RIGHT = "cards_right"
    AGAIN = "again"
    DECK = "deck"
    """Only if there is a cell under the draw pile."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Learned:
    """What a calibration found out."""

    calibration: Calibration
    tilt_rests_closed: bool
    check: dict[Tray, float]
    """Cards found in each tray by the last weighing, when the load lay in the left one."""


class Procedure:
    """The weighings one after another. `step` is the one that is next; nothing is lost by a
    refusal but the weighing that was refused.

    With ``upside_down`` a cell that counts down under load is taken as it is.
    """

    def __init__(
        self, load: Load | None = None, *, tilt_fitted: bool = True, upside_down: bool = False
    ) -> None:
        self.load = load or Load()
        self.step = Step.TIP if tilt_fitted else Step.EMPTY
        self._tilt_fitted = tilt_fitted
        self._upside_down = upside_down
        self._empty: Levels = {}
        self._empty_deck: Level | None = None
        self._deck: DeckCalibration | None = None
        self._per_gram: dict[Tray, float] = {}
        self._per_card: dict[Tray, float] = {}
        self._rests_closed = False
        self._check: dict[Tray, float] = {}

    @property
    def asks(self) -> str:
        """What people are to do before the next weighing."""
        cards = f"{self.load.cards} cards"
        match self.step:
            case Step.TIP:
                return (
                    "Take everything out of both trays, and the draw pile off its place. Let the "
                    "scale stand level, tip it by hand as far as it spills, and set it level again."
                )
            case Step.EMPTY:
                return (
                    "See that both trays are empty. Prop the beam up on both sides, under its "
                    "arms and not under the trays, so that it stays level whatever lies in them."
                )
            case Step.COIN_LEFT:
                return f"Put the coin of {self.load.coin_g:g} g in the left tray."
            case Step.COIN_RIGHT:
                return "Move the coin to the right tray."
            case Step.CARDS_LEFT:
                coin = "Take the coin out. " if self.load.coin_g is not None else ""
                return f"{coin}Put {cards} in the left tray."
            case Step.CARDS_RIGHT:
                return f"Move the {cards} to the right tray."
            case Step.AGAIN:
                return f"To check, move the {cards} back to the left tray."
            case Step.DECK:
                return f"Put the {cards} where the draw pile lies."
            case Step.DONE:
                return "Done: take the cards out."

    @property
    def steps(self) -> tuple[Step, ...]:
        """The weighings from the first to the last, as far as is known; the draw pile's cell
        shows itself with the empty trays."""
        steps = [Step.EMPTY, Step.CARDS_LEFT, Step.CARDS_RIGHT, Step.AGAIN]
        if self._tilt_fitted:
            steps.insert(0, Step.TIP)
        if self.load.coin_g is not None:
            at = steps.index(Step.CARDS_LEFT)
            steps[at:at] = [Step.COIN_LEFT, Step.COIN_RIGHT]
        if self._empty_deck is not None:
            steps.append(Step.DECK)
        return tuple(steps)

    def accept(self, trouble: Trouble) -> None:
        """People take what was refused as it is: no tilt switch, or a cell that counts down.

        Raises:
            ValueError: nothing can be taken as it is after this trouble.
        """
        if trouble is Trouble.NO_TILT:
            self._tilt_fitted = False
        elif trouble is Trouble.WRONG_SIGN:
            self._upside_down = True
        else:
            raise ValueError(f"{trouble} has to be mended")
        self.step = Step.EMPTY

    def off_empty(self, tray: Tray, counts: float) -> float | None:
        """How far a cell is from its empty tray, counts; None before that was weighed."""
        empty = self._empty.get(tray)
        return None if empty is None else counts - empty.counts

    def cards_at(self, tray: Tray, counts: float) -> float | None:
        """How many cards that is; None before they were weighed in this tray."""
        off, per_card = self.off_empty(tray, counts), self._per_card.get(tray)
        return None if off is None or per_card is None else off / per_card

    def weigh(self, readings: Sequence[Reading]) -> Refusal | None:
        """Takes what was read while people had done what was asked; None moves on.

        After a refusal the same weighing is next, or the first one where nothing before it can
        be trusted.
        """
        refusal = self._weigh(readings)
        if refusal is not None and refusal.trouble in FROM_THE_START:
            self._per_gram.clear()
            self._per_card.clear()
            self._empty = {}
            self.step = Step.EMPTY
        return refusal

    def _weigh(self, readings: Sequence[Reading]) -> Refusal | None:
        if self.step is Step.TIP:
            return self._tip(readings)
        if self.step is Step.DECK:
            return self._weigh_deck(readings)
        levels = weigh_both(readings, steady_tilt=self._tilt_fitted)
        if isinstance(levels, Refusal):
            return levels
        match self.step:
            case Step.EMPTY:
                if values_of(readings, Sensor.DECK):
                    deck = weigh_one(readings, Sensor.DECK)
                    if isinstance(deck, Refusal):
                        return deck
                    self._empty_deck = deck
                self._empty = levels
                self.step = Step.CARDS_LEFT if self.load.coin_g is None else Step.COIN_LEFT
                return None
            case Step.COIN_LEFT | Step.CARDS_LEFT:
                return self._loaded(Tray.LEFT, levels)
            case Step.COIN_RIGHT | Step.CARDS_RIGHT:
                return self._loaded(Tray.RIGHT, levels)
            case Step.AGAIN:
                return self._checked(levels)
            case _:
                return None

    @property
    def learned(self) -> Learned:
        """Everything, after the last weighing; a ValueError before it."""
        if self.step is not Step.DONE:
            raise ValueError(f"the calibration is not finished: {self.step} is next")
        return Learned(self._calibration(), self._rests_closed, dict(self._check))

    def _calibration(self) -> Calibration:
        def cell(tray: Tray) -> CellCalibration:
            return CellCalibration(
                zero=round(self._empty[tray].counts, 1),
                counts_per_gram=round(self._gram(tray), 3),
            )

        return Calibration(
            card_g=round(self._card_g(), 4),
            left=cell(Tray.LEFT),
            right=cell(Tray.RIGHT),
            deck=self._deck,
            tilt_switch=self._tilt_fitted,
        )

    def _gram(self, tray: Tray) -> float:
        if self._per_gram:
            return self._per_gram[tray]
        return self._per_card[tray] / TYPICAL_CARD_G

    def _card_g(self) -> float:
        if not self._per_gram:
            return TYPICAL_CARD_G
        return fmean(self._per_card[tray] / self._per_gram[tray] for tray in Tray)

    # --- the weighings ---------------------------------------------------------------------

    def _tip(self, readings: Sequence[Reading]) -> Refusal | None:
        tilts = [r.tilt for r in readings if isinstance(r, Sample) and r.tilt is not None]
        if len(set(tilts)) < 2:
            return Refusal(
                Trouble.NO_TILT,
                "the tilt switch has not changed: tip the scale further, look at the switch's "
                "two wires, or say that none is fitted",
            )
        if tilts[-1] is not tilts[0]:
            return Refusal(
                Trouble.NOT_AT_REST,
                "the tilt switch has not come back: set the scale level and tip it once more",
            )
        self._rests_closed = tilts[0]
        self.step = Step.EMPTY
        return None

    def _loaded(self, tray: Tray, levels: Levels) -> Refusal | None:
        rises = {side: levels[side].counts - self._empty[side].counts for side in Tray}
        noises = {side: max(levels[side].noise, self._empty[side].noise, 1.0) for side in Tray}
        refusal = self._felt_nothing(tray, rises, noises)
        if refusal is not None:
            return refusal
        coin = self._weighs_coin
        refusal = self._unreliable(tray, rises[tray], noises[tray], coin=coin)
        if refusal is not None:
            return refusal
        if coin:
            self._per_gram[tray] = rises[tray] / (self.load.coin_g or 1.0)
        else:
            self._per_card[tray] = rises[tray] / self.load.cards
            if tray is Tray.RIGHT:
                refusal = self._left_over(Tray.LEFT, rises[Tray.LEFT])
                if refusal is not None:
                    return refusal
        self.step = list(Step)[list(Step).index(self.step) + 1]
        return None

    def _felt_nothing(
        self, tray: Tray, rises: dict[Tray, float], noises: dict[Tray, float]
    ) -> Refusal | None:
        if all(abs(rises[side]) < max(6.0 * noises[side], 20.0) for side in Tray):
            return Refusal(
                Trouble.NO_DIFFERENCE,
                f"neither cell has felt anything: is the load in the {tray} tray, and does the "
                "tray rest on its load cell only?",
            )
        if abs(rises[tray.other]) > FELT_BY_THE_OTHER * abs(rises[tray]):
            if tray.other in (self._per_gram or self._per_card):  # its plug was right before
                return _not_moved(tray)
            return Refusal(
                Trouble.SWAPPED,
                f"the {tray.other} cell has felt what was put in the {tray} tray: if that is the "
                f"{tray} one for whoever looks at the display, swap the two cells' plugs (or their "
                "pins in the settings); then begin anew",
            )
        return None

    @property
    def _weighs_coin(self) -> bool:
        return self.step in (Step.COIN_LEFT, Step.COIN_RIGHT)

    def _unreliable(self, tray: Tray, rise: float, noise: float, *, coin: bool) -> Refusal | None:
        if abs(rise) < LOAD_TO_NOISE * noise:
            more = "a heavier coin" if coin else "more cards"
            return Refusal(
                Trouble.LOAD_TOO_SMALL,
                f"the load is too small for the {tray} cell: it moved by {abs(rise):.0f} counts at "
                f"a noise of {noise:.0f}; use {more}",
            )
        one_card = abs(rise) / self.load.cards
        if not coin and one_card < SIGNAL_TO_NOISE * noise:
            return Refusal(
                Trouble.NOISY,
                f"the {tray} cell is too noisy for cards: one card is {one_card:.0f} counts, the "
                f"noise {noise:.0f}; look at its ground wire and supply, or use a cell for less "
                "weight (1 kg or 500 g)",
            )
        known = self._per_gram or self._per_card
        others = known.get(tray.other)
        if not self._upside_down and (rise < 0 or (others is not None and others * rise < 0)):
            return Refusal(
                Trouble.WRONG_SIGN,
                f"the {tray} cell counts down under load: it is mounted upside down, or its white "
                "and green wires are swapped; turn it, swap them, or take it as it is",
            )
        return None

    def _left_over(self, tray: Tray, rise: float) -> Refusal | None:
        cards = rise / self._per_card[tray]
        if abs(cards) < TOLERANCE_CARDS:
            return None
        return Refusal(
            Trouble.NOT_EMPTIED,
            f"the {tray} tray is not as it was when it was empty, but off by {cards:+.2f} cards: "
            "move all of them, and see that nothing touches the tray",
        )

    def _checked(self, levels: Levels) -> Refusal | None:
        found = {
            tray: (levels[tray].counts - self._empty[tray].counts) / self._per_card[tray]
            for tray in Tray
        }
        if found[Tray.RIGHT] > FELT_BY_THE_OTHER * max(found[Tray.LEFT], 0.0) + TOLERANCE_CARDS:
            return _not_moved(Tray.LEFT)
        off = found[Tray.LEFT] - self.load.cards
        if abs(off) >= TOLERANCE_CARDS or abs(found[Tray.RIGHT]) >= TOLERANCE_CARDS:
            return Refusal(
                Trouble.VERIFICATION,
                f"the check failed: {self.load.cards} cards were weighed as "
                f"{found[Tray.LEFT]:.2f} on the left and {found[Tray.RIGHT]:.2f} were found on the "
                "right; something touches a tray or a cell is loose: tighten it and begin anew",
            )
        self._check = found
        self.step = Step.DONE if self._empty_deck is None else Step.DECK
        return None

    def _weigh_deck(self, readings: Sequence[Reading]) -> Refusal | None:
        """Upside down or not does not matter here: only a fall of this cell is ever asked for."""
        level = weigh_one(readings, Sensor.DECK)
        if isinstance(level, Refusal):
            return level
        empty = self._empty_deck or level
        rise, noise = level.counts - empty.counts, max(level.noise, empty.noise, 1.0)
        if abs(rise) < LOAD_TO_NOISE * noise:
            return Refusal(
                Trouble.NO_DIFFERENCE,
                f"the draw pile's cell has hardly felt the cards ({rise:.0f} counts): put all of "
                "them on its place",
            )
        self._deck = DeckCalibration(
            zero=round(empty.counts, 1),
            counts_per_gram=round(rise / (self.load.cards * self._card_g()), 3),
        )
        self.step = Step.DONE
        return None


def _not_moved(tray: Tray) -> Refusal:
    return Refusal(
        Trouble.NOT_EMPTIED,
        f"the load still lies in the {tray.other} tray: move all of it to the {tray} one",
    )
