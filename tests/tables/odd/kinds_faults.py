"""Kinds of traces in which a sensor fails, lies, stalls or comes back.

It never blames the table: what a broken sensor shows is no card.
"""

from tests.tables.odd.maker import Maker
from tests.tables.odd.scene import Scene
from tests.tables.odd.spoiling import (
    constant,
    frozen,
    noisy,
    outliers,
    restart,
    silent,
    spikes,
    too_fast,
)
from tests.tables.odd.stage import OTHER
from tests.tables.odd.truth import Failing, Placing, Removal


def _around(scene: Scene, begin: float, end: float) -> None:
    """Two plays before a fault and three after it, all as usual."""
    stage = scene.stage
    for t in (begin - 5.5, begin - 2.8, end + 5.0, end + 8.0, end + 11.0):
        scene.any_way(t, stage.tray())


def _fails(
    scene: Scene, sensor: str, kinds: tuple[str, ...], begin: float, after: float, end: float,
    *, margin: float = 1.0,
) -> None:  # fmt: skip
    """`sensor` fails from `begin` to `end`; it can be known from `after` seconds on."""
    earliest = begin + 0.9 * after - 0.05
    scene.truth.failings.append(
        Failing(sensor, kinds, earliest, begin + after + margin, healed=end, recovery=4.0)
    )


def _silence(scene: Scene) -> float:
    return 1.0 if scene.stage.sps == 10 else 0.5


def spiky(new: Maker) -> Scene:
    """Three per cent of the words end in ones; cards are played all the same, no fault."""
    scene = new(45, cards=(2, 2))
    for tray in ("left", "right"):
        scene.stage.spoil[tray].append(spikes(new.rng, 0.03))
    t = 3.0
    for _ in range(10):
        t += scene.stage.between(2, 4)
        scene.any_way(t, scene.stage.tray(), slack=0.4)
    return scene


def spiky_idle(new: Maker) -> Scene:
    """Five per cent of the words are damaged while nothing happens."""
    scene = new(60, cards=(4, 2))
    for tray in ("left", "right"):
        scene.stage.spoil[tray].append(spikes(new.rng, 0.05))
    return scene


def outlying(new: Maker) -> Scene:
    """Single words are off by grams to kilograms."""
    scene = new(45, cards=(2, 2))
    for tray in ("left", "right"):
        scene.stage.spoil[tray].append(outliers(new.rng, 0.015))
    t = 3.0
    for _ in range(10):
        t += scene.stage.between(2, 4)
        scene.any_way(t, scene.stage.tray(), slack=0.4)
    return scene


def saturated(new: Maker) -> Scene:
    """A cell reads full scale for some seconds."""
    scene = new(40, cards=(2, 3))
    tray, end = scene.stage.tray(), 10 + scene.stage.between(3, 6)
    value = 2**23 - 1 if scene.stage.chance(0.5) else -(2**23)
    scene.stage.spoil[tray].append(constant(10.0, end, value))
    _fails(scene, tray, ("saturated",), 10.0, 2 / scene.stage.cells[tray].rate, end)
    _around(scene, 10.0, end)
    return scene


def constant_zero(new: Maker) -> Scene:
    """A cell reads 0 and nothing else for some seconds: unplugged."""
    scene = new(45, cards=(2, 3))
    tray, end = scene.stage.tray(), 10 + scene.stage.between(4, 8)
    scene.stage.spoil[tray].append(constant(10.0, end, 0))
    _fails(scene, tray, ("stuck",), 10.0, 2.0, end)
    _around(scene, 10.0, end)
    return scene


def stuck_value(new: Maker) -> Scene:
    """A cell repeats its last value for some seconds."""
    scene = new(45, cards=(2, 3))
    tray, end = scene.stage.tray(), 10 + scene.stage.between(4, 8)
    scene.stage.spoil[tray].append(frozen(10.0, end))
    _fails(scene, tray, ("stuck",), 10.0, 2.0, end)
    _around(scene, 10.0, end)
    return scene


def stuck_and_changed(new: Maker) -> Scene:
    """A card is put in while the cell repeats its value: it is reported when it recovers."""
    scene = new(45, cards=(2, 3))
    stage, tray, end = scene.stage, scene.stage.tray(), 18.0
    stage.spoil[tray].append(frozen(10.0, end))
    _fails(scene, tray, ("stuck",), 10.0, 2.0, end)
    stage.load(tray, 14.0, stage.weight())
    scene.truth.placings.append(Placing(tray, 14.0, end, anew=True))
    return scene


def silent_cell(new: Maker) -> Scene:
    """One cell says nothing for some seconds."""
    scene = new(45, cards=(2, 3))
    tray, end = scene.stage.tray(), 10 + scene.stage.between(2, 8)
    scene.stage.spoil[tray].append(silent(10.0, end))
    _fails(scene, tray, ("silent",), 10.0, _silence(scene), end)
    _around(scene, 10.0, end)
    return scene


def silent_and_more(new: Maker) -> Scene:
    """Two cards are put in while the cell says nothing."""
    scene = new(45, cards=(2, 3))
    stage, tray, end = scene.stage, scene.stage.tray(), 18.0
    stage.spoil[tray].append(silent(10.0, end))
    _fails(scene, tray, ("silent",), 10.0, _silence(scene), end)
    for t in (13.0, 15.0):
        stage.load(tray, t, stage.weight())
    scene.truth.placings.append(Placing(tray, 13.0, end, 2, anew=True))
    scene.any_way(26.0, tray)
    return scene


def silent_and_less(new: Maker) -> Scene:
    """A card is taken out while the cell says nothing; the other tray gets one."""
    scene = new(45, cards=(3, 3))
    stage, tray, end = scene.stage, scene.stage.tray(), 18.0
    stage.spoil[tray].append(silent(10.0, end))
    _fails(scene, tray, ("silent",), 10.0, _silence(scene), end)
    stage.unload(tray, 13.0)
    scene.truth.removals.append(Removal(tray, 13.0, end, anew=True))
    scene.any_way(14.5, OTHER[tray], slack=1.0)
    scene.any_way(26.0, tray)
    return scene


def silent_both(new: Maker) -> Scene:
    """The whole board is silent for some seconds: the first row after it tells."""
    scene = new(45, cards=(3, 3))
    end = 14.0
    for tray in ("left", "right"):
        scene.stage.spoil[tray].append(silent(10.0, end))
        scene.truth.failings.append(
            Failing(tray, ("silent",), 10.4, end + 1.0, healed=end, recovery=4.0, optional=True)
        )
    _around(scene, 10.0, end)
    return scene


def silent_briefly(new: Maker) -> Scene:
    """Holes of 0.3 to 0.45 s are no fault."""
    scene = new(45, cards=(2, 2))
    for at in (6.0, 13.0, 20.0, 27.0):
        hole = scene.stage.between(0.3, 0.45)
        scene.stage.spoil[scene.stage.tray()].append(silent(at, at + hole))
    for t in (9.0, 16.0, 23.0, 31.0):
        scene.any_way(t, scene.stage.tray())
    return scene


def restarts(new: Maker) -> Scene:
    """A chip restarts: a hole of 0.4 s, four bad conversions, and the zero has not moved."""
    scene = new(45, cards=(2, 2))
    for at in (6.0, 14.0, 22.0):
        tray = scene.stage.tray()
        gram = abs(scene.stage.cells[tray].counts_per_gram)
        hole = 0.41 if scene.stage.sps == 10 else 0.06
        scene.stage.spoil[tray].append(restart(new.rng, at, hole, gram))
    for t in (10.0, 18.0, 26.0):
        scene.any_way(t, scene.stage.tray())
    return scene


def bad_at_power_up(new: Maker) -> Scene:
    """The first four conversions of the trace have not settled."""
    scene = new(20, cards=(3, 2))
    for tray in ("left", "right"):
        gram = abs(scene.stage.cells[tray].counts_per_gram)
        scene.stage.spoil[tray].append(restart(new.rng, -1.0, 1.0, gram))
    scene.any_way(6.0, "left")
    scene.any_way(10.0, "right")
    return scene


def desync_damaged(new: Maker) -> Scene:
    """Half of the words of some seconds are damaged."""
    scene = new(45, cards=(2, 3))
    tray, end = scene.stage.tray(), 10 + scene.stage.between(4, 8)
    scene.stage.spoil[tray].append(spikes(new.rng, 0.5, 10.0, end))
    scene.truth.failings.append(Failing(tray, ("desync",), 10.1, 12.2, healed=end, recovery=4.0))
    _around(scene, 10.0, end)
    return scene


def always_ready(new: Maker) -> Scene:
    """A loose wire: rubbish, 120 to 170 readings a second."""
    scene = new(45, cards=(2, 3))
    tray, end = scene.stage.tray(), 10 + scene.stage.between(4, 8)
    scene.stage.spoil[tray].append(too_fast(new.rng, 10.0, end, scene.stage.between(125, 170)))
    scene.truth.failings.append(Failing(tray, ("desync",), 10.03, 12.0, healed=end, recovery=4.0))
    _around(scene, 10.0, end)
    return scene


def noisy_cell(new: Maker) -> Scene:
    """A cell is noisy at rest for ten seconds, 0.5 to 1 g rms."""
    scene = new(50, cards=(2, 3))
    tray, end = scene.stage.tray(), 20.0
    rms = scene.stage.between(0.5, 1.0) * abs(scene.stage.cells[tray].counts_per_gram)
    scene.stage.spoil[tray].append(noisy(new.rng, 10.0, end, rms))
    scene.truth.failings.append(Failing(tray, ("noisy",), 12.5, 15.0, healed=end, recovery=6.0))
    _around(scene, 10.0, end)
    return scene


def tilt_stuck(new: Maker) -> Scene:
    """The switch closes and stays closed while both cells show a level scale at rest."""
    scene = new(50, cards=(3, 3), switch="shut", switch_from=8.0)
    scene.truth.failings.append(Failing("tilt", ("stuck",), 17.5, 20.0))
    scene.truth.tip_windows.append((7.9, 21.0))
    scene.soft(27.0, "left")
    scene.soft(31.0, "right")
    return scene


def tilt_stuck_then_plays(new: Maker) -> Scene:
    """The switch is closed from the first row on; cards are played all the time."""
    scene = new(50, cards=(3, 3), switch="shut")
    scene.truth.failings.append(Failing("tilt", ("stuck",), 9.5, 14.0))
    scene.truth.tip_windows.append((0.0, 15.0))
    for t in (20.0, 24.0, 32.0, 36.0):
        scene.soft(t, scene.stage.tray(), slack=1.0)
    return scene


def tilt_stuck_then_spill(new: Maker) -> Scene:
    """The switch is stuck closed and known to be; a spill is seen by the cells."""
    scene = new(60, cards=(5, 5), switch="shut", switch_from=5.0)
    scene.truth.failings.append(Failing("tilt", ("stuck",), 14.5, 17.0))
    scene.truth.tip_windows.append((4.9, 18.0))
    tray = scene.low()
    spill = scene.tip_over(26.0, tray, {tray: 4}, until=3.5, seen=False)
    scene.set_up_again(spill.back)
    return scene


def tilt_chatter(new: Maker) -> Scene:
    """The switch chatters for milliseconds when the table is bumped: no tip."""
    scene = new(40, cards=(3, 3))
    for t in (6.0, 14.0, 22.0, 30.0):
        scene.bump(t, scene.stage.between(1, 5))
        for _ in range(3):
            at = t + scene.stage.between(0.0, 0.2)
            scene.stage.pulses.append((at, scene.stage.between(0.001, 0.008)))
    return scene


def tilt_bouncing(new: Maker) -> Scene:
    """A worn switch bounces for tens of milliseconds at each change: one tip, one end."""
    scene = new(40, cards=(4, 4), bounce=0.012)
    stage = scene.stage
    scene.wobble(6.0, scene.low(), stage.between(22, 35), stage.between(0.3, 1.0))
    tray = scene.low()
    spill = scene.tip_over(14.0, tray, {tray: 3}, until=3.0)
    scene.set_up_again(spill.back)
    return scene


def late_burst(new: Maker) -> Scene:
    """The host stalls for a second or two, then all rows arrive at once; cards came meanwhile."""
    scene = new(45, cards=(2, 2))
    for begin, end in ((8.0, 9.2), (20.0, 22.0)):
        scene.stage.stalls.append((begin, end))
        placing = scene.soft(begin + 0.3, scene.stage.tray(), slack=2.0)
        placing.anew, placing.off = True, end
        for tray in ("left", "right"):
            scene.truth.failings.append(
                Failing(tray, ("silent",), begin + 0.4, end + 1, healed=end, optional=True)
            )
    for t in (13.0, 16.0, 27.0, 31.0):
        scene.any_way(t, scene.stage.tray())
    return scene


def late_spill(new: Maker) -> Scene:
    """A spill happens while the host stalls for 0.8 s; its rows arrive in a burst."""
    scene = new(40, cards=(5, 5))
    stage = scene.stage
    tray = scene.low()
    stage.stalls.append((8.1, 8.9))
    spill = scene.tip_over(8.0, tray, {tray: 4}, until=4.0, slack=1.0)
    at = scene.set_up_again(spill.back) + 3.0
    scene.play_on(at)
    scene.any_way(at, stage.tray())
    for cell in ("left", "right"):
        scene.truth.failings.append(Failing(cell, ("silent",), 8.5, 9.9, healed=8.9, optional=True))
    return scene


def doubled_rows(new: Maker) -> Scene:
    """Some rows are delivered twice, some are lost."""
    scene = new(45, cards=(2, 2))
    scene.stage.doubles = True
    for _ in range(12):
        at = scene.stage.between(3, 40)
        scene.stage.pauses.append((at, at + scene.stage.between(0.02, 0.15)))
    t = 3.0
    for _ in range(8):
        t += scene.stage.between(2, 4)
        scene.any_way(t, scene.stage.tray(), slack=0.3)
    return scene


def spill_with_one_cell(new: Maker) -> Scene:
    """One cell is silent when the other tray dumps: the switch and the other cell tell."""
    scene = new(50, cards=(6, 6))
    tray = scene.low()
    scene.stage.spoil[OTHER[tray]].append(silent(8.0, 30.0))
    _fails(scene, OTHER[tray], ("silent",), 8.0, _silence(scene), 30.0)
    spill = scene.tip_over(14.0, tray, {tray: 5}, until=3.5, slack=8.0)
    spill.side_unknown = True
    scene.set_up_again(spill.back)
    for rest in scene.truth.rests:
        rest.begin, rest.slack = max(rest.begin, 30.0), 3.0
    scene.truth.rests = scene.truth.rests[-1:]
    return scene


def wobble_with_one_cell(new: Maker) -> Scene:
    """One cell is silent while the scale wobbles: nothing was lost."""
    scene = new(45, cards=(6, 6))
    tray = scene.low()
    scene.stage.spoil[OTHER[tray]].append(silent(8.0, 25.0))
    _fails(scene, OTHER[tray], ("silent",), 8.0, _silence(scene), 25.0)
    wobble = scene.wobble(14.0, tray, scene.stage.between(22, 35), 0.5)
    wobble.side_unknown = True
    return scene


def spiky_spill(new: Maker) -> Scene:
    """Three per cent of the words are damaged, before, during and after a spill."""
    scene = new(40, cards=(5, 6))
    tray = scene.low()
    for cell in ("left", "right"):
        scene.stage.spoil[cell].append(spikes(new.rng, 0.03))
    spill = scene.tip_over(8.0, tray, {tray: 4, OTHER[tray]: 2}, until=4.0, slack=0.4)
    scene.set_up_again(spill.back)
    return scene


def tilt_chatter_long(new: Maker) -> Scene:
    """A worn switch chatters by milliseconds for ten seconds; nobody tips anything."""
    scene = new(40, cards=(3, 3))
    at = 8.0
    while at < 18.0:
        length = scene.stage.between(0.001, 0.009)
        scene.stage.pulses.append((at, length))
        at += length + scene.stage.between(0.06, 0.5)
    scene.soft(13.0, "left")
    scene.soft(23.0, "right")
    return scene


def stuck_and_less(new: Maker) -> Scene:
    """A card is taken out while the cell repeats its value: it is reported when it recovers."""
    scene = new(45, cards=(4, 4))
    stage, tray, end = scene.stage, scene.stage.tray(), 18.0
    stage.spoil[tray].append(frozen(10.0, end))
    _fails(scene, tray, ("stuck",), 10.0, 2.0, end)
    stage.unload(tray, 14.0)
    scene.truth.removals.append(Removal(tray, 14.0, end, anew=True))
    return scene


def deck_silent(new: Maker) -> Scene:
    """The deck's cell says nothing for some seconds; the trays play on."""
    scene = new(45, cards=(2, 2), deck=50)
    scene.stage.spoil["deck"].append(silent(10.0, 16.0))
    _fails(scene, "deck", ("silent",), 10.0, _silence(scene), 16.0)
    for t in (5.0, 13.0, 22.0):
        scene.any_way(t, scene.stage.tray())
    scene.draw(26.0)
    scene.draw(30.0, 2)
    return scene


def deck_stuck(new: Maker) -> Scene:
    """The deck's cell repeats a value."""
    scene = new(45, cards=(2, 2), deck=50)
    scene.stage.spoil["deck"].append(frozen(10.0, 16.0))
    _fails(scene, "deck", ("stuck",), 10.0, 2.0, 16.0)
    scene.draw(6.0)
    scene.any_way(13.0, scene.stage.tray())
    scene.draw(26.0)
    return scene


def falls_silent_for_good(new: Maker) -> Scene:
    """A cell dies and does not come back; the other tray is played."""
    scene = new(40, cards=(2, 2))
    tray = scene.stage.tray()
    scene.stage.spoil[tray].append(silent(10.0, 1e9))
    _fails(scene, tray, ("silent",), 10.0, _silence(scene), 1e9)
    scene.truth.failings[-1].healed = None
    for t in (5.0, 15.0, 20.0, 25.0, 30.0):
        scene.any_way(t, tray if t < 10 else OTHER[tray])
    return scene


KINDS = (
    spiky, spiky_idle, outlying, saturated, constant_zero, stuck_value, stuck_and_changed,
    silent_cell, silent_and_more, silent_and_less, silent_both, silent_briefly, restarts,
    bad_at_power_up, desync_damaged, always_ready, noisy_cell, tilt_stuck, tilt_stuck_then_plays,
    tilt_stuck_then_spill, tilt_chatter, tilt_bouncing, late_burst, late_spill, doubled_rows,
    spill_with_one_cell, wobble_with_one_cell, spiky_spill, tilt_chatter_long, stuck_and_less,
    deck_silent, deck_stuck, falls_silent_for_good,
)  # fmt: skip
