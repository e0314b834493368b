"""Kinds of traces without a tip: cards come and go on a level scale.

It never breaks a sensor: see `kinds_faults`.
"""

from typing import Any

import numpy as np

from tests.tables.odd.maker import Maker
from tests.tables.odd.scene import Scene
from tests.tables.odd.stage import OTHER
from tests.tables.odd.truth import Removal


def _plays(new: Maker, how: str, **options: Any) -> Scene:
    """Ten plays, two seconds or so apart, on either tray."""
    scene = new(42, cards=(1, 1), **options)
    t = 3.0
    for _ in range(10):
        t += scene.stage.between(1.8, 4.0)
        getattr(scene, how)(t, scene.stage.tray(), sure=True if how == "soft" else None)
    return scene


def place_soft(new: Maker) -> Scene:
    """Cards are laid down gently."""
    return _plays(new, "soft")


def place_dropped(new: Maker) -> Scene:
    """Cards are dropped from a height."""
    return _plays(new, "drop")


def place_pressed(new: Maker) -> Scene:
    """Cards are pushed in with 20 to 400 g."""
    return _plays(new, "pressed")


def place_any(new: Maker) -> Scene:
    """Cards are put down in any way, into trays that fill up to twenty."""
    scene = new(110, cards=(1, 1))
    t = 3.0
    for _ in range(30):
        t += scene.stage.between(1.6, 4.5)
        scene.any_way(t, scene.stage.tray())
    return scene


def place_long_press(new: Maker) -> Scene:
    """The hand stays on the card for one to two seconds."""
    scene = new(40, cards=(2, 2))
    for t in (5.0, 12.0, 19.0, 26.0):
        scene.pressed(
            t, scene.stage.tray(), scene.stage.between(20, 150), scene.stage.between(1, 2)
        )
    return scene


def place_held(new: Maker) -> Scene:
    """The other hand holds the tray still while the card is put in."""
    scene = new(40, cards=(2, 2))
    stage = scene.stage
    for t in (5.0, 14.0, 23.0):
        tray, length = stage.tray(), stage.between(1.0, 2.5)
        stage.fumble(tray, t, t + length, stage.between(5, 15), mean=20)
        stage.load(tray, t + length / 2, stage.weight(), 0.1)
        stage.ring(t + length, 0.6)
        scene.placed(tray, t, t + length)
    return scene


def two_stuck(new: Maker) -> Scene:
    """Now and then two cards stick together."""
    scene = new(40, cards=(2, 1))
    for i, t in enumerate((5.0, 10.0, 15.0, 20.0, 25.0, 30.0)):
        how = (scene.soft, scene.pressed)[i % 2]
        how(t, scene.stage.tray(), count=1 + i % 3 // 2)
    return scene


def bare_steps(new: Maker) -> Scene:
    """Steps of 1.5 to 1.9 g, up and down, with no hand to be seen: each is a card."""
    scene = new(50, cards=(4, 4), card_g=1.7, spread_g=0.2)
    for i in range(12):
        t, tray = 4.0 + 3.5 * i, scene.stage.tray()
        if scene.stage.chance(0.65):
            scene.stage.load(tray, t, scene.stage.weight(), 0.005)
            scene.placed(tray, t, t)
        elif scene.stage.cards[tray]:
            scene.stage.unload(tray, t, 1, 0.005)
            scene.truth.removals.append(Removal(tray, t, t))
    return scene


def hand_at_start(new: Maker) -> Scene:
    """The trace begins with hands on both trays: the cards are counted once they are off."""
    scene = new(30, cards=(3, 4))
    for tray in ("left", "right"):
        scene.stage.fumble(tray, -1.0, scene.stage.between(2, 4), 30, mean=60)
    scene.soft(9.0, scene.stage.tray())
    scene.pressed(13.0, scene.stage.tray())
    return scene


def lean_then_push(new: Maker) -> Scene:
    """A card stands half out of the tray with part of its weight, and is pushed home later."""
    scene = new(40, cards=(2, 1))
    stage = scene.stage
    for t in (5.0, 16.0, 27.0):
        tray, weight, part = stage.tray(), stage.weight(), stage.between(0.4, 0.75)
        later = t + stage.between(1.5, 3.5)
        length = stage.between(0.2, 0.5)
        stage.load(tray, t, weight, 0.1)
        stage.mass[tray] -= weight * (1 - part) * ((stage.grid >= t) & (stage.grid < later + 0.1))
        stage.press(tray, later, length, stage.between(20, 80))
        stage.ring(later + length, 0.5)
        scene.placed(tray, t, later + length).leans_from = t + 0.1
    return scene


def push_home_later(new: Maker) -> Scene:
    """A card lies half out of the tray with its whole weight, and is pushed home later."""
    scene = new(40, cards=(2, 1))
    stage = scene.stage
    for t in (5.0, 16.0, 27.0):
        placing = scene.soft(t, stage.tray())
        later = placing.off + stage.between(1.5, 3.5)
        stage.press(placing.tray, later, 0.4, stage.between(20, 80))
        stage.ring(later + 0.4, 0.5)
    return scene


def take_back(new: Maker) -> Scene:
    """A card is played and taken back."""
    scene = new(40, cards=(2, 3))
    for t in (5.0, 16.0, 27.0):
        placing = scene.any_way(t, scene.stage.tray())
        scene.take(placing.off + scene.stage.between(1.5, 4), placing.tray)
    return scene


def adjusting(new: Maker) -> Scene:
    """A card in the tray is lifted a little, turned and let go."""
    scene = new(40, cards=(4, 4))
    stage = scene.stage
    for t in (5.0, 14.0, 23.0, 32.0):
        tray, length = stage.tray(), stage.between(0.5, 1.5)
        stage.fumble(tray, t, t + length, stage.between(3, 15))
        stage.ring(t + length, 0.4)
    return scene


def take_one(new: Maker) -> Scene:
    """Single cards are taken out."""
    scene = new(40, cards=(5, 5))
    for t in (5.0, 13.0, 21.0, 29.0):
        scene.take(t, scene.stage.tray())
    return scene


def take_many(new: Maker) -> Scene:
    """Several cards are taken out at once."""
    scene = new(40, cards=(9, 9))
    for t, tray in ((6.0, "left"), (14.0, "right"), (22.0, "left"), (30.0, "right")):
        scene.take(t, tray, new.integer(2, 4))
    return scene


def slid_off(new: Maker) -> Scene:
    """A card slides off a level scale by itself."""
    scene = new(35, cards=(6, 6))
    stage = scene.stage
    for t in (6.0, 15.0, 24.0):
        tray = stage.tray()
        stage.unload(tray, t, 1, stage.between(0.1, 0.5))
        stage.ring(t + 0.3, 0.3)
        scene.truth.removals.append(Removal(tray, t, t + 0.5))
    return scene


def swapped_card(new: Maker) -> Scene:
    """One card is taken out and another put in a second later."""
    scene = new(35, cards=(4, 4))
    for t in (6.0, 16.0, 25.0):
        tray = scene.stage.tray()
        scene.take(t, tray)
        scene.any_way(t + scene.stage.between(1.6, 2.5), tray)
    return scene


def both_trays_at_once(new: Maker) -> Scene:
    """Two people put a card down at the same moment, one in each tray."""
    scene = new(35, cards=(2, 2))
    for t in (5.0, 12.0, 19.0, 26.0):
        scene.any_way(t, "left")
        scene.any_way(t + scene.stage.between(-0.3, 0.3), "right")
    return scene


def alternating_quickly(new: Maker) -> Scene:
    """Left, right, left, right, 0.4 to 0.7 s apart: two of one tray are never closer than 0.8 s."""
    scene = new(30, cards=(2, 2))
    t = 5.0
    for i in range(12):
        scene.soft(t, "left" if i % 2 else "right")
        t += scene.stage.between(0.4, 0.7)
    return scene


def quick_same_tray(new: Maker) -> Scene:
    """The same tray gets cards whose hands leave 0.65 to 1.0 s apart: separate events."""
    scene = new(30, cards=(2, 2))
    for begin, tray in ((5.0, "left"), (14.0, "right"), (22.0, "left")):
        off = begin
        for _ in range(4):
            rise = scene.stage.between(0.06, 0.16)
            scene.stage.load(tray, off - rise, scene.stage.weight(), rise)
            scene.stage.ring(off, scene.stage.between(0.05, 0.25))
            scene.placed(tray, off - rise, off)
            off += scene.stage.between(0.65, 1.0)
    return scene


def close_same_tray(new: Maker) -> Scene:
    """The same tray gets two cards 0.2 to 0.45 s apart: one event or two, but two cards."""
    scene = new(35, cards=(2, 2))
    for t in (5.0, 12.0, 19.0, 26.0):
        tray = scene.stage.tray()
        placing = scene.soft(t, tray)
        scene.soft(placing.off + scene.stage.between(0.1, 0.3), tray)
    return scene


def place_while_swinging(new: Maker) -> Scene:
    """The scale still swings from a bump while a card is put down."""
    scene = new(40, cards=(3, 3))
    for t in (5.0, 14.0, 23.0, 31.0):
        scene.bump(t, scene.stage.between(2, 6))
        scene.any_way(t + scene.stage.between(0.2, 0.5), scene.stage.tray(), slack=1.0)
    return scene


def place_in_drift(new: Maker) -> Scene:
    """Cards are put down while the cells drift by up to 0.2 g a second."""
    scene = _plays(new, "any_way")
    for tray in ("left", "right"):
        slope = scene.stage.between(0.1, 0.2) * (1 if scene.stage.chance(0.5) else -1)
        scene.stage.force[tray] += slope * scene.stage.grid
    return scene


def place_in_noise(new: Maker) -> Scene:
    """Cards are put down with twice the noise."""
    scene = _plays(new, "any_way")
    for cell in scene.stage.cells.values():
        cell.noise_g = min(0.22, 2 * cell.noise_g)
    return scene


def place_with_crosstalk(new: Maker) -> Scene:
    """Each cell feels some per cent of the other tray through the base."""
    scene = new(60, cards=(1, 1))
    for cell in scene.stage.cells.values():
        cell.crosstalk = scene.stage.between(-0.06, 0.06)
    t = 3.0
    for _ in range(14):
        t += scene.stage.between(1.8, 4.0)
        scene.any_way(t, scene.stage.tray())
    return scene


def place_with_gain_error(new: Maker) -> Scene:
    """The calibration is wrong by some per cent."""
    scene = new(60, cards=(1, 1))
    for cell in scene.stage.cells.values():
        cell.gain_error = scene.stage.between(-0.06, 0.06)
    t = 3.0
    for _ in range(14):
        t += scene.stage.between(1.8, 4.0)
        scene.any_way(t, scene.stage.tray())
    return scene


def odd_deck(new: Maker) -> Scene:
    """The cards weigh some per cent more or less than the calibration says, and vary."""
    scene = new(70, cards=(3, 3), spread_g=0.1)
    scene.stage.card_g += scene.stage.between(-0.12, 0.12)
    t = 3.0
    for _ in range(16):
        t += scene.stage.between(1.8, 4.0)
        scene.any_way(t, scene.stage.tray())
    return scene


def upside_down(new: Maker) -> Scene:
    """A cell is mounted upside down: its counts fall under load."""
    scene = new(50, cards=(2, 3))
    cell = scene.stage.cells[scene.stage.tray()]
    cell.counts_per_gram *= -1
    t = 3.0
    for _ in range(6):
        t += scene.stage.between(1.8, 4.0)
        scene.any_way(t, scene.stage.tray())
    scene.take(t + 4, scene.stage.tray())
    return scene


def two_rates(new: Maker) -> Scene:
    """One chip runs at 10 SPS, the other at 80."""
    scene = new(50, cards=(1, 2))
    tray = scene.stage.tray()
    scene.stage.cells[tray] = scene.stage.new_cell(10 if new.sps == 80 else 80)
    t = 3.0
    for _ in range(10):
        t += scene.stage.between(2, 4.0)
        scene.any_way(t, scene.stage.tray())
    return scene


def creeping_cell(new: Maker) -> Scene:
    """Ten cards at once make the cell creep for a minute, by some per cent of a card and more."""
    scene = new(80, cards=(1, 1))
    stage = scene.stage
    stage.force["left"] += 1.2 * (1 - np.exp(-np.clip(stage.grid - 5, 0, None) / 20))
    t = 5.0
    for _ in range(10):
        scene.any_way(t, "left")
        t += stage.between(1.7, 4)
    for _ in range(5):
        t += stage.between(3, 6)
        scene.any_way(t, stage.tray())
    return scene


def first_card_early(new: Maker) -> Scene:
    """The first card comes soon after the trace has begun."""
    scene = new(15, cards=(1, 1))
    scene.soft(2.2, scene.stage.tray())
    scene.soft(6.0, scene.stage.tray())
    return scene


def deck_draws(new: Maker) -> Scene:
    """Cards are drawn from the pile on its own cell, one by one, and played."""
    scene = new(60, cards=(2, 2), deck=new.integer(30, 90))
    t = 3.0
    for i in range(12):
        t += scene.stage.between(2, 4)
        if i % 3 == 2:
            scene.any_way(t, scene.stage.tray())
        else:
            scene.draw(t, new.integer(1, 2) if i % 4 else 4)
    return scene


def deck_refilled(new: Maker) -> Scene:
    """The pile is touched, knocked, and refilled: none of that is a draw."""
    scene = new(40, cards=(2, 2), deck=20)
    stage = scene.stage
    for t in (5.0, 12.0):
        stage.fumble("deck", t, t + 0.6, 30, mean=40)
    stage.fumble("deck", 20.0, 22.0, 60, mean=80)
    stage.mass["deck"] += 30 * stage.card_g * (stage.grid > 21.5)
    scene.draw(28.0)
    return scene


def table_of_hands(new: Maker) -> Scene:
    """An ordinary round of everything: plays, take-backs, touches, bumps, shoves."""
    scene = new(120, cards=(2, 2))
    stage, t = scene.stage, 4.0
    while t < 112:
        what = stage.between(0, 1)
        tray = stage.tray()
        if what < 0.6:
            t = scene.any_way(t, tray).off
        elif what < 0.7 and len(stage.cards[tray]) > 2:
            scene.take(t, tray)
            t += 0.4
        elif what < 0.8:
            scene.bump(t, stage.between(1, 6))
            t += 1.2
        elif what < 0.9:
            stage.press(tray, t, 0.4, stage.between(10, 200))
            stage.ring(t + 0.4, 0.8)
            t += 1.0
        else:
            stage.press(OTHER[tray], t, 0.4, stage.between(2, 12))
            t += 0.6
        t += stage.between(1.6, 3.0)
    return scene


KINDS = (
    place_soft, place_dropped, place_pressed, place_any, place_long_press, place_held,
    two_stuck, bare_steps, hand_at_start, lean_then_push, push_home_later, take_back, adjusting,
    take_one, take_many, slid_off, swapped_card, both_trays_at_once, alternating_quickly,
    quick_same_tray, close_same_tray, place_while_swinging, place_in_drift, place_in_noise,
    place_with_crosstalk, place_with_gain_error, odd_deck, upside_down, two_rates,
    creeping_cell, first_card_early, deck_draws, deck_refilled, table_of_hands,
)  # fmt: skip
