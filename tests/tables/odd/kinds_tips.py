"""Kinds of traces in which the beam leaves level: wobbles and spills, and who was at it.

It never breaks a sensor, but some have no tilt switch.
"""

from typing import Any

from tests.tables.odd.maker import Maker
from tests.tables.odd.scene import Scene
from tests.tables.odd.stage import OTHER
from tests.tables.odd.truth import Placing, Rest, Tipping


def _filled(new: Maker, seconds: float, low: int = 3, high: int = 8, **options: Any) -> Scene:
    return new(seconds, cards=(new.integer(low, high), new.integer(low, high)), **options)


def _after(scene: Scene, spill: Tipping, plays: int = 2) -> float:
    """The table sets the scale up again after a spill and plays on; returns the time then."""
    at = scene.set_up_again(spill.back) + scene.stage.between(2.6, 4.5)
    if plays:
        scene.play_on(at)
    for _ in range(plays):
        at = scene.any_way(at, scene.stage.tray()).off + scene.stage.between(1.8, 3.0)
    return at


def _lost(scene: Scene, low: str, *, other: bool = True, at_least: int = 1) -> dict[str, int]:
    """Most of the low tray's cards and, perhaps, some of the other's."""
    held = {tray: len(scene.stage.cards[tray]) for tray in ("left", "right")}
    integers = scene.stage.rng.integers
    lost = {low: int(integers(max(at_least, held[low] // 2), held[low] + 1))}
    if other and held[OTHER[low]]:
        lost[OTHER[low]] = int(integers(1, held[OTHER[low]] + 1))
    return lost


def wobble_short(new: Maker) -> Scene:
    """Something knocks the beam past the switch for a moment, it comes back by itself."""
    scene = _filled(new, 30)
    for t in (6.0, 18.0):
        scene.bump(t - 0.05, scene.stage.between(1, 4))
        scene.wobble(t, scene.low(), scene.stage.between(19, 30), scene.stage.between(0.05, 0.2))
    return scene


def wobble_hanging(new: Maker) -> Scene:
    """The beam goes over and hangs at an angle for seconds; a hand brings it back."""
    scene = _filled(new, 30)
    stage = scene.stage
    hang = stage.between(2, 4)
    tipping = scene.wobble(7.0, scene.low(), stage.between(25, 40), hang)
    for tray in ("left", "right"):
        stage.fumble(tray, 7.2 + hang, tipping.back, stage.between(5, 20))
    return scene


def wobble_both_sides(new: Maker) -> Scene:
    """It swings over to the other side too: one tip, one wobble."""
    scene = _filled(new, 30)
    stage = scene.stage
    scene.wobble(7.0, scene.low(), stage.between(22, 35), 0.2, other=stage.between(20, 28))
    return scene


def wobble_caught(new: Maker) -> Scene:
    """The scale tips, somebody catches it and lifts it back with both hands."""
    scene = _filled(new, 30)
    stage = scene.stage
    tipping = scene.wobble(7.0, scene.low(), stage.between(22, 40), stage.between(0.4, 1.0))
    for tray in ("left", "right"):
        stage.fumble(tray, 7.4, tipping.back + 0.3, stage.between(10, 60))
    tipping.back += 0.3
    return scene


def place_then_wobble(new: Maker) -> Scene:
    """A card tips the scale while it is put down; it comes back and the card stays."""
    scene = _filled(new, 35)
    for t in (7.0, 20.0):
        tray = scene.low()
        placing = scene.any_way(t, tray, tips=True)
        start = max(t + 0.08, placing.off - scene.stage.between(0.0, 0.15))
        scene.wobble(start, tray, scene.stage.between(20, 32), scene.stage.between(0.05, 0.4))
    return scene


def shove_then_wobble(new: Maker) -> Scene:
    """A hand without a card shoves the scale over; it comes back."""
    scene = _filled(new, 35)
    stage = scene.stage
    for t in (7.0, 20.0):
        tray, length = stage.tray(), stage.between(0.2, 0.6)
        stage.press(tray, t, length, stage.between(50, 300))
        scene.wobble(t + 0.5 * length, tray, stage.between(20, 32), stage.between(0.05, 0.4))
        scene.truth.placings.append(Placing(tray, t, t + length, optional=True))
    return scene


def placed_and_spilled(new: Maker) -> Scene:
    """A card tips the scale while it is put down, and is dumped with the others."""
    scene = _filled(new, 35)
    stage = scene.stage
    tray = scene.low()
    placing = scene.pressed(7.0, tray, stage.between(20, 200), stage.between(0.15, 0.5), tips=True)
    start = placing.off - stage.between(0.0, 0.1)
    spill = scene.tip_over(start, tray, _lost(scene, tray, at_least=2), until=stage.between(2.5, 5))
    _after(scene, spill)
    return scene


def dropped_and_spilled(new: Maker) -> Scene:
    """A card is dropped and the scale goes over in the same moment."""
    scene = _filled(new, 35)
    stage = scene.stage
    tray = scene.low()
    scene.drop(7.0, tray, tips=True)
    start = 7.0 + stage.between(0.08, 0.25)
    spill = scene.tip_over(start, tray, _lost(scene, tray, at_least=2), until=stage.between(2.5, 5))
    _after(scene, spill)
    return scene


def placed_rested_spilled(new: Maker) -> Scene:
    """The card lies still for a while, then the scale creeps over and dumps."""
    scene = _filled(new, 45)
    stage = scene.stage
    tray = scene.low()
    placing = scene.any_way(6.0, tray, sure=True)
    begin = placing.off + stage.between(2.0, 3.0)
    end = begin + stage.between(1.5, 5.0)
    scene.lean(begin, end, tray, 8.0)
    stage.turn((end, 0.0), (end + 0.4, -8.0 if tray == "right" else 8.0))
    spill = scene.tip_over(end, tray, _lost(scene, tray), until=stage.between(2.5, 5))
    _after(scene, spill)
    return scene


def spilled_by_itself(new: Maker) -> Scene:
    """Nobody touches anything, the scale tips and dumps."""
    scene = _filled(new, 40)
    stage = scene.stage
    tray = scene.low()
    _after(scene, scene.tip_over(8.0, tray, _lost(scene, tray), until=stage.between(2, 5)))
    return scene


def dumps_one_tray(new: Maker) -> Scene:
    """Only the low tray is emptied."""
    scene = _filled(new, 40)
    stage = scene.stage
    tray = scene.low()
    lost = {tray: len(stage.cards[tray])}
    _after(scene, scene.tip_over(8.0, tray, lost, until=stage.between(2, 5)))
    return scene


def dumps_both_trays(new: Maker) -> Scene:
    """Both trays are emptied."""
    scene = _filled(new, 40)
    stage = scene.stage
    lost = {tray: len(stage.cards[tray]) for tray in ("left", "right")}
    _after(scene, scene.tip_over(8.0, scene.low(), lost, until=stage.between(2, 5)))
    return scene


def loses_one_card(new: Maker) -> Scene:
    """A single card falls out soon after; the beam lies on the table until it is righted."""
    scene = _filled(new, 40)
    stage = scene.stage
    tray = scene.low()
    first = 8.4 + stage.between(0.4, 1.0)
    until = stage.between(3.0, 5)
    _after(scene, scene.tip_over(8.0, tray, {tray: 1}, first=first, until=until))
    return scene


def one_by_one(new: Maker) -> Scene:
    """The cards slide out one after the other over seconds: one spill."""
    scene = _filled(new, 40, 5, 9)
    stage = scene.stage
    tray = scene.low()
    spread = stage.between(2, 4)
    _after(scene, scene.tip_over(8.0, tray, _lost(scene, tray), spread=spread, until=spread + 2))
    return scene


def hangs_then_dumps(new: Maker) -> Scene:
    """The scale hangs tipped for seconds before the first card lets go."""
    scene = _filled(new, 45)
    stage = scene.stage
    tray = scene.low()
    wait = stage.between(1.5, 3.5)
    _after(scene, scene.tip_over(8.0, tray, _lost(scene, tray), first=8.4 + wait, until=wait + 3))
    return scene


def keeps_some(new: Maker) -> Scene:
    """A card hangs in the tray and is still there when the scale is righted."""
    scene = _filled(new, 40, 4, 8)
    stage = scene.stage
    tray = scene.low()
    lost = {tray: len(stage.cards[tray]) - 1}
    _after(scene, scene.tip_over(8.0, tray, lost, until=stage.between(2, 4)))
    return scene


def righted_midway(new: Maker) -> Scene:
    """A hand grabs the scale while cards still fall."""
    scene = _filled(new, 40, 5, 9)
    stage = scene.stage
    tray = scene.low()
    lost = {tray: len(stage.cards[tray]) - 1}
    _after(scene, scene.tip_over(8.0, tray, lost, spread=0.7, until=stage.between(1.3, 1.6)))
    return scene


def bumped_and_spilled(new: Maker) -> Scene:
    """Somebody knocks the table so hard that the scale tips and dumps."""
    scene = _filled(new, 40)
    stage = scene.stage
    tray = scene.low()
    scene.bump(8.0, stage.between(5, 15))
    spill = scene.tip_over(8.1, tray, _lost(scene, tray), until=stage.between(2, 5))
    spill.side_unknown = True
    _after(scene, spill)
    return scene


def shoved_and_spilled(new: Maker) -> Scene:
    """A hand without a card pushes the tray over, and the cards fall."""
    scene = _filled(new, 40)
    stage = scene.stage
    tray, length = stage.tray(), stage.between(0.2, 0.5)
    stage.press(tray, 8.0, length, stage.between(50, 300))
    scene.truth.placings.append(Placing(tray, 8.0, 8.0 + length, optional=True))
    spill = scene.tip_over(8.0 + 0.6 * length, tray, _lost(scene, tray), until=stage.between(2, 5))
    _after(scene, spill)
    return scene


def played_during_tip(new: Maker) -> Scene:
    """While the scale hangs tipped, a card is put in the high tray; nothing falls."""
    scene = _filled(new, 30)
    stage = scene.stage
    tray = scene.low()
    scene.wobble(8.0, tray, stage.between(22, 32), stage.between(1.5, 2.5))
    scene.soft(9.0, OTHER[tray], slack=4.0)
    return scene


def drawn_during_tip(new: Maker) -> Scene:
    """While the scale hangs tipped, the next player draws from the pile on its own cell."""
    scene = _filled(new, 40, deck=40)
    tray = scene.low()
    spill = scene.tip_over(8.0, tray, _lost(scene, tray), first=10.2, until=5.0)
    scene.draw(8.8)
    _after(scene, spill)
    return scene


def swings_over_and_dumps(new: Maker) -> Scene:
    """The beam goes to one side, comes back, goes over to the other and dumps there: one tip."""
    scene = _filled(new, 40)
    stage = scene.stage
    tray = scene.low()
    sign = 1 if tray == "right" else -1
    stage.turn((7.5, 0.0), (7.85, -25.0 * sign), (8.3, 0.0))
    first = scene.crossing(7.0)
    spill = scene.tip_over(8.3, tray, _lost(scene, tray), first=8.7, until=stage.between(2, 5))
    spill.begin, spill.side = first, "left" if tray == "right" else "right"
    _after(scene, spill)
    return scene


def take_then_wobble(new: Maker) -> Scene:
    """A card is taken out, the scale tips because of it and is brought back."""
    scene = _filled(new, 35)
    stage = scene.stage
    tray = stage.tray()
    scene.take(7.0, tray)
    scene.wobble(8.2, OTHER[tray], stage.between(20, 30), stage.between(0.3, 1.0))
    scene.truth.removals[-1].slack = 4.0
    return scene


def played_as_it_spills(new: Maker) -> Scene:
    """A card comes to lie in the other tray, and at once the scale goes over."""
    scene = _filled(new, 40)
    tray = scene.low()
    placing = scene.soft(8.0, OTHER[tray], tips=True)
    spill = scene.tip_over(placing.off + 0.35, tray, _lost(scene, tray, other=False), until=3.5)
    _after(scene, spill)
    return scene


def two_plays_then_spill(new: Maker) -> Scene:
    """Two plays 0.7 s apart, and the second tips the scale."""
    scene = _filled(new, 40)
    stage = scene.stage
    tray = scene.low()
    scene.soft(8.0, tray)
    placing = scene.pressed(8.9, tray, stage.between(20, 80), 0.3, tips=True)
    spill = scene.tip_over(placing.off - 0.05, tray, _lost(scene, tray, at_least=3), until=3.5)
    _after(scene, spill)
    return scene


def two_spills(new: Maker) -> Scene:
    """Spilled, set up again, played on, spilled again."""
    scene = _filled(new, 75)
    stage = scene.stage
    tray = scene.low()
    first = scene.tip_over(8.0, tray, _lost(scene, tray), until=stage.between(2, 4))
    at = _after(scene, first, plays=3) + 2
    tray = scene.low()
    placing = scene.pressed(at, tray, 60.0, 0.3, tips=True)
    lost = _lost(scene, tray, at_least=2)
    second = scene.tip_over(placing.off - 0.05, tray, lost, until=stage.between(2, 4))
    _after(scene, second, plays=1)
    return scene


def reset_with_less(new: Maker) -> Scene:
    """One pile holds a single card, so only one goes back into its tray."""
    scene = new(45, cards=(1, new.integer(5, 8)))
    spill = scene.tip_over(8.0, "right", {"left": 1, "right": 4}, until=3.0)
    at = scene.set_up_again(spill.back, {"left": 1, "right": 2}) + 3.0
    scene.play_on(at)
    scene.any_way(at, scene.stage.tray())
    return scene


def reset_corrected(new: Maker) -> Scene:
    """Three cards are put back in one tray, and one is taken out again a moment later."""
    scene = _filled(new, 45)
    stage = scene.stage
    tray = scene.low()
    spill = scene.tip_over(8.0, tray, _lost(scene, tray), until=3.0)
    kept = {"left": 2, "right": 3}
    at = scene.set_up_again(spill.back, kept) + 3.0
    scene.play_on(at)
    stage.fumble("right", at, at + 0.5, 8)
    stage.unload("right", at + 0.3)
    scene.truth.rests.append(Rest(at + 0.8, stage.seconds, 2, 2))
    return scene


def carried_away(new: Maker) -> Scene:
    """The whole scale is carried to another place with all its cards."""
    scene = _filled(new, 40)
    stage = scene.stage
    length = stage.between(3, 6)
    for tray in ("left", "right"):
        stage.fumble(tray, 8.0, 8.0 + length, stage.between(3, 10))
    stage.turn((8.0, 0), (9.0, 6), (9.5, -7), (7.5 + length, 5), (8.0 + length, 0))
    stage.ring(8.0 + length, 4.0)
    scene.truth.tip_windows.append((8.0, 9.0 + length))
    return scene


def no_switch_idle(new: Maker) -> Scene:
    """No switch is fitted; bumps and shoves are no tip."""
    scene = _filled(new, 40, tilt_switch=False)
    stage = scene.stage
    for t in (5.0, 15.0):
        scene.bump(t, stage.between(2, 8))
    stage.press("left", 25.0, 0.5, 150)
    stage.ring(25.5, 2.0)
    return scene


def no_switch_plays(new: Maker) -> Scene:
    """No switch is fitted; cards are played and taken back."""
    scene = new(45, cards=(2, 2), tilt_switch=False)
    t = 3.0
    for _ in range(8):
        t += scene.stage.between(1.8, 4)
        scene.any_way(t, scene.stage.tray())
    scene.take(t + 4, scene.truth.placings[-1].tray)
    return scene


def no_switch_wobble(new: Maker) -> Scene:
    """No switch is fitted; the scale goes far over, hangs, and comes back with all its cards."""
    scene = _filled(new, 30, tilt_switch=False)
    stage = scene.stage
    scene.wobble(8.0, scene.low(), stage.between(32, 45), stage.between(0.8, 2), seen=False)
    return scene


def no_switch_spill(new: Maker) -> Scene:
    """No switch is fitted; the scale goes over and dumps."""
    scene = _filled(new, 40, tilt_switch=False)
    stage = scene.stage
    tray = scene.low()
    spill = scene.tip_over(8.0, tray, _lost(scene, tray), until=stage.between(2, 5), seen=False)
    _after(scene, spill)
    return scene


def no_switch_placed_and_spilled(new: Maker) -> Scene:
    """No switch is fitted; a card tips the scale while it is put down."""
    scene = _filled(new, 40, tilt_switch=False)
    stage = scene.stage
    tray = scene.low()
    placing = scene.pressed(7.0, tray, stage.between(20, 200), stage.between(0.15, 0.5), tips=True)
    lost = _lost(scene, tray, at_least=2)
    spill = scene.tip_over(placing.off - 0.05, tray, lost, until=4.0, seen=False)
    _after(scene, spill)
    return scene


def switch_never_closes(new: Maker) -> Scene:
    """The switch is broken and stays open; the cells must show the spill."""
    scene = _filled(new, 40, switch="open")
    stage = scene.stage
    tray = scene.low()
    spill = scene.tip_over(8.0, tray, _lost(scene, tray), until=stage.between(2, 5), seen=False)
    _after(scene, spill)
    return scene


def no_tray_weight(new: Maker) -> Scene:
    """The calibration does not say what a tray weighs."""
    scene = _filled(new, 60, say_tray_g=False)
    stage = scene.stage
    tray = scene.low()
    scene.wobble(7.0, tray, stage.between(22, 35), stage.between(0.3, 1.5))
    spill = scene.tip_over(16.0, tray, _lost(scene, tray), until=stage.between(2, 4))
    _after(scene, spill)
    return scene


def wobble_then_spill(new: Maker) -> Scene:
    """A wobble, some plays, and then a spill."""
    scene = _filled(new, 55)
    stage = scene.stage
    tray = scene.low()
    scene.wobble(6.0, tray, stage.between(20, 35), stage.between(0.1, 1.0))
    scene.any_way(11.0, OTHER[tray])
    scene.any_way(14.0, tray)
    spill = scene.tip_over(20.0, tray, _lost(scene, tray), until=stage.between(2, 4))
    _after(scene, spill)
    return scene


KINDS = (
    wobble_short, wobble_hanging, wobble_both_sides, wobble_caught, place_then_wobble,
    shove_then_wobble, placed_and_spilled, dropped_and_spilled, placed_rested_spilled,
    spilled_by_itself, dumps_one_tray, dumps_both_trays, loses_one_card, one_by_one,
    hangs_then_dumps, keeps_some, righted_midway, bumped_and_spilled, shoved_and_spilled,
    played_during_tip, drawn_during_tip, swings_over_and_dumps, take_then_wobble,
    played_as_it_spills, two_plays_then_spill, two_spills, reset_with_less,
    reset_corrected, carried_away, no_switch_idle, no_switch_plays, no_switch_wobble,
    no_switch_spill, no_switch_placed_and_spilled, switch_never_closes, no_tray_weight,
    wobble_then_spill,
)  # fmt: skip
