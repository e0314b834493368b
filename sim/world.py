"""The world at the table: the beam, two trays, cards, hands and chips, moving through time.

It never knows whose turn it is, what a card means, or how anybody judges what the cells say.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.events import Sample, Sensor
from companion.units import Counts, MonoSeconds, Tray
from sim.beam import GRAVITY, Beam
from sim.cells import CellWithChip
from sim.hands import Bump, Placing, Touch, pull, shake
from sim.happenings import Happening, What
from sim.setup import CELL, SIDE, Setup
from sim.switch import TiltSwitch
from sim.trays import OPENING_M, CardTray, LyingCard
from sim.wires import Wiring

STEP_S = 0.002
"""Length of an integration step while hands are at work, cards slide or the beam falls, ..."""

SWING_S = 0.004
"""... and while the beam only swings: a two-hundredth of its period."""


@dataclass(slots=True, eq=False)
class _Laying:
    """A hand that is putting cards down (`by` 1) or picking them up (`by` -1)."""

    tray: Tray
    cards: list[LyingCard]
    begin_s: float
    end_s: float
    by: int
    hold: bool = False
    began: bool = False


@dataclass(slots=True)
class World:
    """A seeded scale on a table. Time moves only by `advance`."""

    seed: int | str
    setup: Setup
    now_s: float = 0.0
    trays: dict[Tray, CardTray] = field(default_factory=lambda: {tray: CardTray() for tray in Tray})
    beam: Beam = field(init=False)
    switch: TiltSwitch = field(init=False)
    chips: dict[Sensor, CellWithChip] = field(init=False)
    wiring: Wiring = field(init=False)
    tipped: bool = field(default=False, init=False)
    """True from the moment when the beam passes the switch's angle until it is calm again."""
    _touches: list[Touch] = field(default_factory=list, init=False)
    _bumps: list[Bump] = field(default_factory=list, init=False)
    _layings: list[_Laying] = field(default_factory=list, init=False)
    _happenings: list[Happening] = field(default_factory=list, init=False)
    _moving: bool = field(default=True, init=False)
    _cards: Random = field(init=False)

    def __post_init__(self) -> None:
        self.beam = Beam(self.setup.shape)
        self.switch = TiltSwitch(self.setup.switch, self.stream("switch"))
        self.chips = {
            Sensor(tray.value): CellWithChip(nature, self.stream(tray.value), self.now_s)
            for tray, nature in self.setup.cells.items()
        }
        if self.setup.deck is not None:
            self.chips[Sensor.DECK] = CellWithChip(self.setup.deck, self.stream("deck"), self.now_s)
        if self.setup.common_clock:
            self.chips[Sensor.RIGHT].convert_with(self.chips[Sensor.LEFT])
        self.wiring = Wiring(
            self.stream, self.setup.latency_s, common_clock=self.setup.common_clock
        )
        self._cards = self.stream("cards")

    def stream(self, name: str) -> Random:
        """A stream of chance of its own for each part of the scale."""
        return Random(f"{self.seed}/{name}")  # noqa: S311 - a simulation, nothing secret

    # --- what people do to it --------------------------------------------------------------

    def lay_out(self, cards: Mapping[Tray, Sequence[str]]) -> None:
        """Puts cards in the trays before time begins, and lets the beam find its rest."""
        for tray, names in cards.items():
            self.trays[tray].add([self._cut(name) for name in names])
        begin = self.now_s
        while self._moving and self.now_s < begin + 30.0:
            self._step(STEP_S)
        self.now_s = begin
        for tray, grams in self.forces().items():
            self.chips[CELL[tray]].lie_at(grams)

    def put(self, tray: Tray, names: Sequence[str], placing: Placing, *, at_s: float) -> float:
        """Somebody's hand first touches the tray with these cards at `at_s`; when it lets go."""
        cards = [self._cut(name) for name in names]
        for card in cards:
            card.slid_m = placing.home_m
            card.leaning = placing.leaning
        begin, end = at_s, at_s + placing.lay_s
        if placing.drop_m:
            self._drop(tray, cards, placing, at_s)
            end = at_s + 0.02
        self._layings.append(_Laying(tray, cards, begin, end, by=1, hold=not placing.drop_m))
        if placing.push_g or placing.steadied:
            self.touch(
                Touch(
                    tray,
                    begin + placing.push_from_s,
                    begin + placing.push_from_s + placing.push_s,
                    peak_g=placing.push_g,
                    braced=placing.braced,
                    stiffness=placing.steadied,
                    tremor=0.1,
                    plateau=0.3,
                )
            )
            end = max(end, begin + placing.push_from_s + placing.push_s)
            self._layings[-1].end_s = end
        if placing.home_later_s is not None:
            self._push_home(tray, cards, end + placing.home_later_s)
        return end

    def take(
        self,
        tray: Tray,
        count: int,
        *,
        at_s: float,
        lift_s: float = 0.3,
        from_below: bool = False,
    ) -> tuple[str, ...]:
        """Somebody takes the top (or bottom) `count` cards out by hand, from `at_s` on."""
        promised = {id(card) for laying in self._layings for card in laying.cards}
        free = [card for card in self.trays[tray].cards if id(card) not in promised]
        cards = free[:count] if from_below else free[max(0, len(free) - count) :]
        if cards:
            self._layings.append(_Laying(tray, cards, at_s, at_s + lift_s, by=-1))
        return tuple(card.name for card in cards)

    def touch(self, touch: Touch) -> None:
        self._touches.append(touch)

    def bump(self, bump: Bump) -> None:
        self._bumps.append(bump)

    def grasp(self, *, angle: float = 0.0, bring_s: float = 0.5) -> Touch:
        """Somebody takes the beam, brings it level (or to `angle`), holds it until `let_go`."""
        hold = Touch(
            None,
            self.now_s,
            math.inf,
            stiffness=4.0,
            angle=angle,
            bring_s=bring_s,
            disk=True,
        )
        self.touch(hold)
        return hold

    def let_go(self, touch: Touch) -> None:
        """The hand of `grasp` is off."""
        touch.end_s = self.now_s

    def set_upright(self, *, at_s: float, hold_s: float = 0.8) -> float:
        """Somebody takes the beam, brings it level, puts the disk back; when the hand is off."""
        self.touch(Touch(None, at_s, at_s + hold_s, stiffness=4.0, angle=0.0, disk=True))
        return at_s + hold_s

    def weigh_deck(self, cards: int) -> None:
        """From now on the draw pile has `cards` cards, if it lies on a cell of its own."""
        if Sensor.DECK in self.chips:
            self.chips[Sensor.DECK].bear(self.now_s, cards * self.setup.cardboard.grams)

    def _cut(self, name: str) -> LyingCard:
        return self.setup.cardboard.cut(name, self._cards)

    def _drop(self, tray: Tray, cards: list[LyingCard], placing: Placing, at_s: float) -> None:
        speed = math.sqrt(2.0 * GRAVITY * placing.drop_m)
        grams = sum(card.grams for card in cards)
        lasts = 0.02
        self.touch(Touch(tray, at_s, at_s + lasts, peak_g=2.0 * grams * speed / (GRAVITY * lasts)))

    def _push_home(self, tray: Tray, cards: list[LyingCard], at_s: float) -> None:
        self.touch(Touch(tray, at_s, at_s + 0.3, peak_g=8.0, braced=0.7, tremor=0.2, plateau=0.2))
        self._layings.append(_Laying(tray, cards, at_s, at_s + 0.3, by=0))

    # --- what others may see ---------------------------------------------------------------

    @property
    def quiet(self) -> bool:
        """Nothing moves, nobody touches it or is about to."""
        return not (self._moving or self._touches or self._layings or self._bumps)

    @property
    def sliding(self) -> bool:
        """Cards are on their way out of a tray."""
        return any(tray.sliding for tray in self.trays.values())

    @property
    def level(self) -> bool:
        """The beam stands as a balanced scale does, and is nearly still; or leans far and rests."""
        lean, switch = abs(self.beam.angle), self.setup.switch
        if self.beam.speed == 0.0:
            return lean < switch.angle - switch.play
        return lean < switch.angle * 0.8 and abs(self.beam.speed) < 0.05

    @property
    def held(self) -> bool:
        """Somebody holds the beam itself."""
        return any(touch.tray is None and touch.begin_s <= self.now_s for touch in self._touches)

    @property
    def touched(self) -> bool:
        """Somebody has a hand on it."""
        return any(begin <= self.now_s for begin in self._begins())

    def names(self, tray: Tray) -> tuple[str, ...]:
        """The cards in a tray from the bottom up."""
        return tuple(card.name for card in self.trays[tray].cards)

    def happenings(self) -> list[Happening]:
        """What has happened since the last call, in order."""
        ready, self._happenings = self._happenings, []
        return ready

    def readings(self) -> list[Sample]:
        """The rows that have reached the host since the last call, in the order of arrival."""
        now = self.now_s
        for sensor, chip in self.chips.items():
            self.wiring.carry(sensor, chip.convert(now), now)
        self.wiring.carry(Sensor.TILT, self.switch.edges(now), now)
        return [
            Sample(
                mono_s=MonoSeconds(row.at_s),
                left=None if row.left is None else Counts(row.left),
                right=None if row.right is None else Counts(row.right),
                tilt=row.tilt,
                deck=None if row.deck is None else Counts(row.deck),
            )
            for row in self.wiring.arrived(now)
        ]

    # --- time ------------------------------------------------------------------------------

    def advance(self, until_s: float) -> None:
        """Moves on to `until_s` or, while anything moves, at most one step beyond it."""
        while self.now_s < until_s:
            self.tick(until_s)

    def tick(self, until_s: float) -> None:
        """One step where anything moves; where nothing does, one leap to `until_s` at most.

        Steps are never cut short: what happens does not depend on how often somebody looks.
        """
        if not self._moving:
            wake = min(self._begins(), default=until_s)
            if wake > self.now_s:
                self.now_s = max(self.now_s, min(wake, until_s))
                return
            self._moving = True
        self._step(self._pace())

    def _pace(self) -> float:
        busy = self._touches or self._layings or self._bumps or self.tipped
        return STEP_S if busy else SWING_S

    def _begins(self) -> list[float]:
        """When each hand or bump that is not over began or will begin."""
        return [
            *(touch.begin_s for touch in self._touches),
            *(bump.begin_s for bump in self._bumps),
            *(laying.begin_s for laying in self._layings),
        ]

    def _step(self, dt: float) -> None:
        now = self.now_s
        self._handle(now)
        load_g = self.trays[Tray.RIGHT].grams - self.trays[Tray.LEFT].grams
        beam, shape = self.beam, self.setup.shape
        flat = math.cos(beam.angle)
        lever = GRAVITY * 1e-3 * shape.arm_m
        outside, felt = pull(self._touches, now, beam.angle, beam.speed, lever)
        cards_kg = (self.trays[Tray.LEFT].grams + self.trays[Tray.RIGHT].grams) * 1e-3
        lift, swing = shake(self._bumps, now)
        outside += swing * beam.inertia(cards_kg)
        had_disk = beam.disk_m is not None
        moving = beam.step(dt, load_g * lever * flat, outside, cards_kg)
        if had_disk and beam.disk_m is None:
            self._happenings.append(Happening(now, What.DISK_LOST))
        self.now_s = now + dt
        moving |= self._slide(dt)
        self._load_cells(now, self.forces(lift, felt))
        self._watch(moving)

    def _load_cells(self, now: float, forces: Mapping[Tray, float]) -> None:
        left_g, right_g = forces[Tray.LEFT], forces[Tray.RIGHT]
        talk = self.setup.cross_talk
        self.chips[Sensor.LEFT].bear(now, left_g + talk * right_g)
        self.chips[Sensor.RIGHT].bear(now, right_g + talk * left_g)

    def _handle(self, now: float) -> None:
        """Hands put cards down and pick them up, and leave when they are done."""
        if self._layings:
            self._lay(now)
        if self._touches:
            if any(touch.disk and touch.end_s <= now for touch in self._touches):
                self.beam.put_disk_back()
            self._touches = [touch for touch in self._touches if touch.end_s > now]
        if self._bumps:
            self._bumps = [bump for bump in self._bumps if bump.end_s > now]

    def _lay(self, now: float) -> None:
        for laying in [item for item in self._layings if item.begin_s <= now]:
            tray = self.trays[laying.tray]
            if not laying.began:
                laying.began = True
                self._begin(laying, tray, now)
            part = min(1.0, (now - laying.begin_s) / max(1e-6, laying.end_s - laying.begin_s))
            for card in laying.cards:
                self._carry(card, laying.by, part)
            tray.weigh()
            if now >= laying.end_s:
                self._layings.remove(laying)
                self._end(laying, tray, now)

    def _carry(self, card: LyingCard, by: int, part: float) -> None:
        """A card on its way into a tray (1), out of it (-1), or home in it (0)."""
        if by > 0:
            card.borne = part * card.leaning
        elif by < 0:
            card.borne = 1.0 - part
        else:
            card.borne = card.leaning + part * (1.0 - card.leaning)
            card.slid_m = min(card.slid_m, OPENING_M * (1.0 - part))

    def _begin(self, laying: _Laying, tray: CardTray, now: float) -> None:
        for card in laying.cards:
            card.held = laying.hold or laying.by < 0
        if laying.by > 0:
            tray.add(laying.cards)
            names = tuple(card.name for card in laying.cards)
            self._happenings.append(Happening(now, What.CONTACT, laying.tray, names))

    def _end(self, laying: _Laying, tray: CardTray, now: float) -> None:
        still_there = [card for card in laying.cards if card in tray.cards]
        names = tuple(card.name for card in still_there)
        for card in laying.cards:
            card.held = False
        tray.weigh()
        if laying.by > 0:
            self._happenings.append(Happening(now, What.LET_GO, laying.tray, names))
        elif laying.by < 0:
            tray.remove(still_there)
            self._happenings.append(Happening(now, What.TAKEN, laying.tray, names))

    def _slide(self, dt: float) -> bool:
        sliding = False
        for tray, side in SIDE.items():
            cards = self.trays[tray]
            outward = side * self.beam.angle
            if not cards.sliding and not cards.slips_at(outward):
                continue
            sliding = True
            for card in cards.step(dt, outward):
                self._happenings.append(Happening(self.now_s, What.FELL, tray, (card.name,)))
        return sliding

    def forces(
        self, lift: float = 0.0, felt: Mapping[Tray, float] | None = None
    ) -> dict[Tray, float]:
        """Grams that each cell feels, its empty tray taken off."""
        flat = math.cos(self.beam.angle) + lift / GRAVITY
        tray_g = self.setup.shape.tray_g
        heave = self.setup.shape.arm_m * self.beam.acceleration / GRAVITY
        return {
            tray: (tray_g + self.trays[tray].grams) * (flat - side * heave)
            - tray_g
            + (felt[tray] if felt is not None else 0.0)
            for tray, side in SIDE.items()
        }

    def _watch(self, moving: bool) -> None:
        now = self.now_s
        self.switch.follow(now, self.beam.angle)
        lean = abs(self.beam.angle)
        if not self.tipped and lean > self.setup.switch.angle:
            self.tipped = True
            side = Tray.RIGHT if self.beam.angle > 0.0 else Tray.LEFT
            self._happenings.append(Happening(now, What.TIPPED, side))
        awaited = self._touches or self._layings or self._bumps
        busy = bool(awaited) and min(self._begins()) <= now
        self._moving = moving or busy
        if self.tipped and not busy and self.level and not moving:
            self.tipped = False
            self._happenings.append(Happening(now, What.CALM))
