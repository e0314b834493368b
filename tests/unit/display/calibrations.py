"""Screens of a calibration in the middle of it, from weighings of a scale without chance."""

from companion.display.screen import Screen
from companion.display.view_calibration import weighing_screen
from companion.scale.calibrate import Step
from companion.scale.guide import SWING_S, Guide
from companion.scale.levels import WEIGHING_S
from companion.units import MonoSeconds
from tests.unit.scale.test_calibrate import LOAD_G, Bench, at


def moving_the_cards() -> Screen:
    """They were weighed on the left and lie on the right now."""
    guide = Guide(at(Step.CARDS_RIGHT))
    guide.take(Bench().read(0.0, LOAD_G), MonoSeconds(WEIGHING_S))
    return weighing_screen(guide, simulated=False)


def refused() -> Screen:
    """Nobody has moved the cards."""
    guide = Guide(at(Step.CARDS_RIGHT))
    began = MonoSeconds(-SWING_S)
    guide.begin(began)
    guide.take(Bench().read(LOAD_G, 0.0), MonoSeconds(WEIGHING_S))
    assert guide.refusal is not None
    return weighing_screen(guide, simulated=False)
