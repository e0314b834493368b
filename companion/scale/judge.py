"""The judge: readings in, what happened on the scale out; causal, with time as an argument.

It never reads a clock, a file or the future, and never guesses silently: every event carries
its reasons.
"""

import math

from companion.events import (
    Fault,
    FaultKind,
    Reading,
    Recovered,
    Sample,
    Sensed,
    Sensor,
    SensorFault,
    Spill,
)
from companion.scale import play
from companion.scale.balance import Balance
from companion.scale.beam import Beam
from companion.scale.calibration import Calibration
from companion.scale.deck import Deck
from companion.scale.resetting import Resetting
from companion.scale.tipping import Tipping
from companion.scale.trays import TrayCards
from companion.scale.view import ScaleView, TrayView
from companion.units import Grams, MonoSeconds


class Judge:
    """Judges one scale. `feed` it every reading in order; a Sample of Nones is time that passed."""

    def __init__(self, calibration: Calibration) -> None:
        self._balance = Balance(calibration)
        self._deck = Deck(calibration.deck, calibration.card_g) if calibration.deck else None
        self._beam = Beam(self._balance)
        self._tipping = Tipping(self._balance, self._beam)
        self._resetting: Resetting | None = None
        self._left, self._right = self._balance.left.cell, self._balance.right.cell
        self._cells = [self._left, self._right]
        if self._deck is not None:
            self._cells.append(self._deck.cell)
        self._now_s = self._heard_s = -math.inf
        self._deaf_s = math.inf
        """From then on a cell may be silent."""
        self._alert = False
        """True while each row is worth a look: in a tip, or as the switch bounces."""
        self._last_row: Sample | None = None

    # --- in --------------------------------------------------------------------------------

    def feed(self, reading: Reading) -> list[Sensed]:
        """Takes one reading; returns what it decided, in order, usually nothing.

        Times must not decrease. A row that comes twice is taken once.
        """
        if isinstance(reading, SensorFault):
            return self._reported(reading)
        host_s = reading.mono_s
        if host_s == self._heard_s and reading == self._last_row:
            return []
        self._last_row, self._heard_s = reading, host_s
        news = False
        if (left := reading.left) is not None:
            news = self._left.take(host_s, left)
        if (right := reading.right) is not None:
            news = self._right.take(host_s, right) or news
        if (deck := reading.deck) is not None and self._deck is not None:
            news = self._deck.cell.take(host_s, deck) or news
        if news or reading.tilt or self._alert or host_s >= self._deaf_s:
            events = self._decide(reading)
            self._alert = self._tipping.open is not None or not self._balance.switch.calm
            return events
        return []

    def _decide(self, row: Sample) -> list[Sensed]:
        host_s, balance, switch = row.mono_s, self._balance, self._balance.switch
        tipping = self._tipping.open is not None
        now_s = self._now_s = max(self._now_s, self._sampled_s(row))
        events = self._faults(host_s)
        if row.tilt is not None and balance.switch_fitted:
            turned = switch.take(now_s, row.tilt)
            if (turned or switch.closed) and self._beam.watch_switch(now_s, tipping=tipping):
                events.append(self._switch_event(host_s))
        if self._deck is not None:
            events += self._deck.step(host_s)
        balance.count_first()
        if balance.righted and not tipping and self._resetting is None:
            balance.count_righted()
        balance.look_beside()
        balance.look_at_quiet()
        if not tipping:
            balance.standing.finish_steps()
            if balance.quiet():
                stands = self._beam.stuck or not balance.found_tilted
                balance.standing.follow(learning=stands and self._resetting is None)
                if self._resetting is None and switch.calm:
                    return events
        self._beam.step(now_s, blurred=self._resetting is not None)
        if self._resetting is None:
            events += self._judge(now_s, host_s)
        if self._resetting is not None:
            events += self._resetting.step(now_s, host_s)
            if self._resetting.over:
                self._resetting = None
        return events

    def _judge(self, now_s: float, host_s: float) -> list[Sensed]:
        events: list[Sensed] = []
        if self._tipping.open is None:
            events += self._tipping.opens(host_s)
        if self._tipping.open is None:
            waits = self._beam.suspected or self._beam.tilted or self._balance.righted
            return events if waits else events + play.step(self._balance, host_s)
        events += self._tipping.step(now_s, host_s)
        if events and isinstance(events[-1], Spill):
            self._beam.spilled(now_s)
            self._resetting = Resetting(self._balance, self._beam, events[-1].lost)
        return events

    def _sampled_s(self, row: Sample) -> float:
        if row.left is not None and self._left.cadence.late:
            return self._left.cadence.sampled_s
        if row.right is not None and self._right.cadence.late:
            return self._right.cadence.sampled_s
        return row.mono_s

    # --- faults ----------------------------------------------------------------------------

    def _faults(self, host_s: float) -> list[Sensed]:
        events: list[Sensed] = []
        deaf_s = math.inf
        for cell in self._cells:
            until_s = cell.hearken(host_s)
            if until_s < deaf_s:
                deaf_s = until_s
            if cell.health.news:
                events += cell.health.news
                cell.health.news.clear()
        self._deaf_s = deaf_s
        return events

    def _switch_event(self, host_s: float) -> Sensed:
        """The switch is stuck, or was."""
        kind: type[Fault | Recovered] = Recovered
        reason = "the tilt switch opens again"
        began_s = host_s
        if self._beam.stuck:
            kind, reason = Fault, "the tilt switch is closed on a level scale at rest"
            began_s = min(self._balance.switch.closed_at_s, host_s)
        return kind(
            began_s=MonoSeconds(began_s), decided_s=MonoSeconds(host_s), reasons=(reason,),
            sensor=Sensor.TILT, kind=FaultKind.STUCK,
        )  # fmt: skip

    def _reported(self, fault: SensorFault) -> list[Sensed]:
        """A board that knows that a reading is worthless, or that it is lost, says so itself."""
        for cell in self._cells:
            health = cell.health
            if health.sensor is fault.sensor:
                cell.hearken(fault.mono_s)  # one that never spoke is silent from now on
                if fault.kind is FaultKind.SILENT:
                    health.silent(min(cell.cadence.arrived_s, fault.mono_s), fault.mono_s)
                else:
                    health.damaged(fault.mono_s)
        return self._faults(fault.mono_s)

    # --- out -------------------------------------------------------------------------------

    @property
    def live(self) -> ScaleView:
        """The scale at this moment, for the display."""
        faults = [(c.health.sensor, c.health.active) for c in self._cells if c.health.active]
        if self._beam.stuck:
            faults.append((Sensor.TILT, FaultKind.STUCK))
        return ScaleView(
            left=_tray_view(self._balance.left),
            right=_tray_view(self._balance.right),
            tilted=self._beam.tilted,
            tipping=self._tipping.open is not None,
            faults=tuple(faults),
        )


def _tray_view(tray: TrayCards) -> TrayView:
    grams = None if tray.cell.health.blind else tray.cell.now_g()
    return TrayView(
        grams=None if grams is None else Grams(grams),
        cards=tray.cards if tray.known else None,
        resting=tray.known and not tray.cell.moving,
    )
