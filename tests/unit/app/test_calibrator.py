"""The calibration at the display: people are led through it on every board, and nothing is lost
by a refusal, a wrong tap or a cable."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.bench.rounds import Wired, on_a_pico, on_pins
from companion.calibrator import Calibrator, End, Hands, carry_out
from companion.clock import Clock
from companion.display.bodies import ChoicesBody
from companion.display.calibration import CalibrationBody, Deed, Reach, Turn
from companion.display.choice import Touch
from companion.display.light import Light
from companion.display.screen import Screen
from companion.ports import Scale
from companion.scale.calibrate import Step
from companion.scale.saved import load_calibration
from companion.units import Tray
from sim.board import SimulatedTable
from sim.hx711 import ChipFault
from sim.party import Plan
from sim.pins import VirtualTime
from sim.weighing import WeighingHands

TICK_S = 0.1


@dataclass
class Panel:
    """A display that remembers what it showed, and a finger that taps what is there."""

    shown: list[Screen] = field(default_factory=list)
    tapped: list[Touch] = field(default_factory=list)
    closed: bool = False
    stirred: bool = False

    def show(self, screen: Screen, _light: Light = Light.FULL) -> None:
        if not self.shown or screen != self.shown[-1]:
            self.shown.append(screen)

    def touches(self) -> Sequence[Touch]:
        tapped, self.tapped = self.tapped, []
        return tapped

    @property
    def screen(self) -> Screen:
        return self.shown[-1]

    def tap(self, touch: Touch) -> None:
        """Taps what can be tapped now."""
        offered = [choice.touch for choice in self.screen.actions]
        if self.screen.corner is not None:
            offered.append(self.screen.corner.touch)
        if isinstance(self.screen.body, ChoicesBody):
            offered += [choice.touch for choice in self.screen.body.choices]
        if isinstance(self.screen.body, CalibrationBody):
            offered += self.screen.body.touches or ()
        assert touch in offered, (touch, self.screen.headline, offered)
        self.tapped.append(touch)


@dataclass
class Desk:
    """A calibrator at a table; `people` do with their hands what the screen asks for."""

    panel: Panel
    calibrator: Calibrator
    clock: Clock
    table: SimulatedTable
    path: Path
    people: Callable[[Step], None]
    wired: Wired | None = None

    def turn(self, seconds: float = TICK_S) -> None:
        end_s = self.clock.mono() + seconds
        while self.clock.mono() < end_s:
            self.calibrator.step(self.clock.mono())
            self.clock.sleep(TICK_S)

    @property
    def body(self) -> CalibrationBody:
        assert isinstance(self.panel.screen.body, CalibrationBody)
        return self.panel.screen.body

    def tap(self, touch: Touch) -> None:
        self.panel.tap(touch)
        self.turn(2 * TICK_S)

    def weigh(self, step: Step) -> None:
        """People do what this weighing asks for, and say so."""
        self.people(step)
        if step is Step.TIP:
            self.turn(8.0)
            return
        self.turn(3.0)
        self.tap(Deed.READY)
        self.turn(4.5)


SIMULATED, REAL = ["sim"], ["pins", "pty"]


@contextmanager
def at(board: str, path: Path) -> Iterator[Desk]:
    """A calibrator at this board in virtual time."""
    time = VirtualTime()
    table = SimulatedTable(Plan(seed=4, people=(), sps=10), time)
    hands: list[Hands] = []

    def hands_for(*, cards: int, coin_g: float | None) -> Hands:
        hands.append(WeighingHands(table, cards=cards, coin_g=coin_g))
        return hands[-1]

    def seated(scale: Scale, wired: Wired | None) -> Desk:
        panel = Panel()
        calibrator = Calibrator(
            time,
            scale,
            panel,
            board=f"the {board}",
            path=path,
            why="This scale has not been calibrated yet.",
            hands=hands_for if board == "sim" else None,
            playable=True,
            tick_s=TICK_S,
        )

        def people(step: Step) -> None:
            if board == "sim":
                middle = step in (Step.TIP, Step.EMPTY)
                right = step in (Step.CARDS_RIGHT, Step.COIN_RIGHT)
                panel.tap(Reach(None if middle else Tray.RIGHT if right else Tray.LEFT))
                return
            if not hands:
                hands_for(cards=20, coin_g=None)
            carry_out(step, hands[-1])

        return Desk(panel, calibrator, time, table, path, people, wired)

    if board == "sim":
        table.scale.open()
        yield seated(table.scale, None)
        return
    with {"pins": on_pins, "pty": on_a_pico}[board](time, table) as wired:
        yield seated(wired.scale, wired)
        wired.scale.close()


STEPS = (Step.TIP, Step.EMPTY, Step.CARDS_LEFT, Step.CARDS_RIGHT, Step.AGAIN)


@pytest.mark.parametrize("board", SIMULATED + REAL)
def test_people_are_led_from_the_first_tip_to_a_saved_calibration(
    board: str, tmp_path: Path
) -> None:
    path = tmp_path / "calibration.toml"
    with at(board, path) as desk:
        desk.turn(1.0)
        assert desk.panel.screen.headline == "Calibrate the scale"
        assert isinstance(desk.panel.screen.body, ChoicesBody)
        assert desk.panel.screen.body.text == "This scale has not been calibrated yet."
        desk.tap(Deed.BEGIN)
        for number, step in enumerate(STEPS):
            assert (desk.body.done, desk.body.of, desk.body.refused) == (number, 5, ""), step
            desk.weigh(step)
        assert desk.panel.screen.headline == "The scale is calibrated"
        assert desk.body.found[0] == "A card weighs 1.75 g."
        assert not path.exists(), "nothing is saved before people say so"
        desk.tap(Deed.SAVE)
        saved = load_calibration(path)
        assert saved.board == f"the {board}"
        truth = desk.table.calibration
        card_g = truth["card_g"]
        for tray in Tray:
            a_card = saved.calibration.tray(tray).counts_per_gram * saved.calibration.card_g
            assert a_card == pytest.approx(truth[tray.value]["counts_per_gram"] * card_g, rel=0.03)


def test_the_bars_move_with_the_hands_and_progress_is_seen_while_it_weighs(
    tmp_path: Path,
) -> None:
    with at("sim", tmp_path / "c.toml") as desk:
        desk.turn(1.0)
        desk.tap(Deed.BEGIN)
        desk.tap(Deed.AS_IT_IS)
        for step in (Step.EMPTY, Step.CARDS_LEFT):
            desk.weigh(step)
        assert desk.body.left.words == "20.0 cards"
        assert desk.body.left.share == pytest.approx(1.0, abs=0.02)
        desk.people(Step.CARDS_RIGHT)
        desk.turn(3.0)
        assert desk.body.left.words == "0.0 cards"
        assert desk.body.right.share > 0.3
        assert desk.body.right.resting
        desk.tap(Deed.READY)
        shares = []
        for _ in range(30):
            desk.turn()
            shares.append(desk.body.share)
        assert desk.panel.screen.headline == "Hands off: weighing"
        seen = [share for share in shares if share is not None]
        assert seen == sorted(seen)
        assert seen[-1] > 0.6


def test_a_coin_is_weighed_before_the_cards(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    with at("sim", path) as desk:
        desk.turn(0.5)
        desk.tap(Turn.COIN)
        desk.tap(Turn.CARDS)
        desk.tap(Deed.BEGIN)
        order = (Step.TIP, Step.EMPTY, Step.COIN_LEFT, Step.COIN_RIGHT, *STEPS[2:])
        assert desk.body.of == len(order)
        for step in order:
            desk.weigh(step)
        desk.tap(Deed.SAVE)
        found = load_calibration(path).calibration
        assert found.card_g == pytest.approx(desk.table.calibration["card_g"], rel=0.02)
        assert found.left.counts_per_gram == pytest.approx(
            desk.table.calibration["left"]["counts_per_gram"], rel=0.02
        )


def test_a_refusal_says_why_and_only_that_weighing_is_repeated(tmp_path: Path) -> None:
    with at("sim", tmp_path / "c.toml") as desk:
        desk.turn(0.5)
        desk.tap(Deed.BEGIN)
        desk.weigh(Step.TIP)
        desk.weigh(Step.EMPTY)
        desk.tap(Deed.READY)
        desk.turn(4.5)
        assert desk.body.refused.startswith("Neither cell has felt anything: is the load in")
        assert [choice.label for choice in desk.panel.screen.actions] == ["Begin anew", "Try again"]
        desk.weigh(Step.CARDS_LEFT)
        assert desk.body.refused == ""
        assert desk.body.done == 3


def test_cards_in_the_other_tray_are_seen_to_be_there(tmp_path: Path) -> None:
    with at("sim", tmp_path / "c.toml") as desk:
        desk.turn(0.5)
        desk.tap(Deed.BEGIN)
        desk.weigh(Step.TIP)
        desk.weigh(Step.EMPTY)
        desk.tap(Reach(Tray.RIGHT))
        desk.turn(3.0)
        desk.tap(Deed.READY)
        desk.turn(4.5)
        assert "the right cell has felt what was put in the left tray" in desk.body.refused.lower()
        assert desk.body.done == 1, "swapped plugs: nothing weighed before can be trusted"


def test_without_a_switch_people_say_so_with_one_tap(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    with at("sim", path) as desk:
        desk.turn(0.5)
        desk.tap(Deed.BEGIN)
        desk.turn(16.0)
        assert desk.body.refused.startswith("The tilt switch has not changed")
        desk.tap(Deed.AS_IT_IS)
        assert (desk.body.done, desk.body.of) == (0, 4)
        for step in STEPS[1:]:
            desk.weigh(step)
        desk.tap(Deed.SAVE)
        assert load_calibration(path).calibration.tilt_switch is False


@pytest.mark.parametrize("board", REAL)
def test_a_cell_that_is_unplugged_is_said_at_its_bar_and_refused_when_weighed(
    board: str, tmp_path: Path
) -> None:
    with at(board, tmp_path / "c.toml") as desk:
        desk.turn(1.0)
        desk.tap(Deed.BEGIN)
        desk.tap(Deed.AS_IT_IS)
        assert desk.wired is not None
        desk.wired.right.set_fault(ChipFault.UNPLUGGED, desk.clock.mono())
        desk.turn(2.0)
        assert desk.body.right.fault
        assert desk.body.right.words == "no readings"
        assert not desk.body.left.fault
        desk.weigh(Step.EMPTY)
        assert desk.body.refused.startswith("The right cell gives no readings: look at its cables")
        desk.wired.right.set_fault(None, desk.clock.mono())
        desk.turn(2.0)
        desk.weigh(Step.EMPTY)
        assert desk.body.done == 1


@pytest.mark.parametrize(
    ("deeds", "end"),
    [
        ([Deed.LEAVE], End.LEFT),
        ([Deed.WITHOUT], End.WITHOUT),
        ([Deed.BEGIN, Deed.LEAVE, Deed.LEAVE], End.LEFT),
    ],
)
def test_whoever_leaves_has_saved_nothing(deeds: list[Deed], end: End, tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    with at("sim", path) as desk:
        desk.turn(0.5)
        for deed in deeds:
            desk.tap(deed)
        assert desk.calibrator.run() is end
    assert not path.exists()


def test_a_calibration_that_cannot_be_written_is_said_and_can_be_saved_later(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "is a file"
    folder.write_text("")
    with at("sim", folder / "c.toml") as desk:
        desk.turn(0.5)
        desk.tap(Deed.BEGIN)
        for step in STEPS:
            desk.weigh(step)
        desk.tap(Deed.SAVE)
        assert "cannot be written" in desk.panel.screen.alert
        folder.unlink()
        desk.tap(Deed.SAVE)
        assert desk.calibrator.run() is End.SAVED
        assert load_calibration(folder / "c.toml").board == "the sim"


def test_the_simulated_scale_is_left_as_it_was_found(tmp_path: Path) -> None:
    with at("sim", tmp_path / "c.toml") as desk:
        before = desk.table.picture.cards
        desk.turn(0.5)
        desk.tap(Deed.BEGIN)
        for step in STEPS:
            desk.weigh(step)
        desk.tap(Deed.SAVE)
        desk.calibrator.run()
        desk.clock.sleep(5.0)
        desk.table.advance()
        assert desk.table.picture.cards == before
        assert not desk.table.picture.tipped
        assert not desk.table.picture.touched
