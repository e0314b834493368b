"""Kinds of traces in which no card is moved: drift, noise, bumps, and hands that only touch.

It never expects an event.
"""

import numpy as np

from tests.tables.odd.maker import Maker
from tests.tables.odd.scene import Scene


def idle_empty(new: Maker) -> Scene:
    """Nothing happens to an empty scale."""
    return new(90)


def idle_loaded(new: Maker) -> Scene:
    """Nothing happens to a scale with cards in it: they are counted and are no event."""
    scene = new(90)
    scene.stage.initial(new.integer(1, 12), new.integer(1, 12))
    return scene


def idle_bad_drift(new: Maker) -> Scene:
    """Cells that wander ten times as much as good ones."""
    scene = new(90, cards=(3, 4))
    for cell in scene.stage.cells.values():
        cell.drift = 10.0
    return scene


def ramp(new: Maker) -> Scene:
    """0.3 g a second on one tray for some seconds, up or down: no card is that slow."""
    scene = new(45, cards=(2, 2))
    stage, tray = scene.stage, scene.stage.tray()
    begin, length = stage.between(5, 10), stage.between(6, 25)
    slope = 0.3 if stage.chance(0.5) else -0.3
    stage.force[tray] += slope * np.clip(stage.grid - begin, 0, length)
    return scene


def ramps_steady(new: Maker) -> Scene:
    """Both cells drift by 0.2 g a second, in opposite or equal sense, for a whole minute."""
    scene = new(70, cards=(5, 3))
    for tray in ("left", "right"):
        sign = 1 if scene.stage.chance(0.5) else -1
        scene.stage.force[tray] += sign * 0.2 * scene.stage.grid
    return scene


def warming(new: Maker) -> Scene:
    """The temperature moves both zeros by some grams in a minute and a half, in a curve."""
    scene = new(90, cards=(4, 4))
    stage = scene.stage
    for tray in ("left", "right"):
        stage.force[tray] += stage.between(2, 5) * (1 - np.exp(-stage.grid / stage.between(20, 60)))
    return scene


def noise_double(new: Maker) -> Scene:
    """Twice the noise, nothing happens."""
    scene = new(60, cards=(2, 3))
    for cell in scene.stage.cells.values():
        cell.noise_g = min(0.22, 2 * cell.noise_g)
    return scene


def footsteps(new: Maker) -> Scene:
    """People walk about: small jolts, two a second, for ten seconds."""
    scene = new(40, cards=(3, 3))
    t = 5.0
    while t < 15:
        scene.stage.ring(t, scene.stage.between(0.1, 0.5))
        t += scene.stage.between(0.4, 0.6)
    return scene


def bumps(new: Maker) -> Scene:
    """The table is bumped, more or less hard, and the scale stays level."""
    scene = new(45, cards=(4, 3))
    for t in (6.0, 13.0, 20.0, 28.0, 35.0):
        scene.bump(t + scene.stage.between(-1, 1), scene.stage.between(2, 12))
    return scene


def leaning_child(new: Maker) -> Scene:
    """A hand rests on a tray for seconds, 20 to 400 g, and goes away."""
    scene = new(45, cards=(3, 2))
    stage = scene.stage
    for t in (6.0, 18.0, 30.0):
        length = stage.between(1, 5)
        stage.fumble(stage.tray(), t, t + length, 15, mean=stage.between(20, 200))
        stage.ring(t + length, 1.0)
    return scene


def touches(new: Maker) -> Scene:
    """Sleeves and fingers brush the trays: short touches of a few grams."""
    scene = new(40, cards=(3, 5))
    stage = scene.stage
    for t in (5.0, 10.0, 15.0, 20.0, 25.0, 30.0):
        stage.press(stage.tray(), t, stage.between(0.15, 0.6), stage.between(2, 12))
    return scene


def steady_hand(new: Maker) -> Scene:
    """Somebody steadies the beam with two fingers for a while."""
    scene = new(40, cards=(3, 5))
    stage = scene.stage
    for t in (6.0, 20.0):
        length = stage.between(1, 4)
        for tray in ("left", "right"):
            stage.fumble(tray, t, t + length, stage.between(2, 8))
    return scene


def lifted_tray(new: Maker) -> Scene:
    """A tray is lifted to look under it and set down again."""
    scene = new(40, cards=(4, 3))
    stage = scene.stage
    tray = stage.tray()
    for t in (6.0, 20.0):
        length = stage.between(1.0, 3.0)
        weight = stage.tray_g + sum(stage.cards[tray])
        up = np.clip((stage.grid - t) / 0.3, 0, 1) - np.clip((stage.grid - t - length) / 0.3, 0, 1)
        stage.force[tray] -= weight * up
        stage.fumble(tray, t, t + length + 0.3, 4)
        stage.ring(t + length + 0.3, 1.5)
    return scene


def shoves(new: Maker) -> Scene:
    """Hands shove the tray hard, without a card and without tipping the scale."""
    scene = new(40, cards=(3, 3))
    stage = scene.stage
    for t in (5.0, 12.0, 19.0, 26.0, 33.0):
        length, grams = stage.between(0.15, 0.8), stage.between(50, 400)
        stage.press(stage.tray(), t, length, grams)
        stage.ring(t + length, min(3.0, 0.01 * grams))
    return scene


KINDS = (
    idle_empty, idle_loaded, idle_bad_drift, ramp, ramps_steady, warming, noise_double,
    footsteps, bumps, leaning_child, touches, steady_hand, lifted_tray, shoves,
)  # fmt: skip
