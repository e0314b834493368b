"""What a careful calibration finds out about a simulated scale: nearly, but not quite, the truth.

It never weighs anything: the errors are drawn, as large as twenty cards in a tray leave them.
"""

from typing import Any

from companion.events import Sensor
from sim.world import World


def calibrate(world: World) -> dict[str, Any]:
    """What a careful calibration finds out about this scale, as in a table's file."""
    rng = world.stream("calibration")
    known: dict[str, Any] = {
        "card_g": round(world.setup.cardboard.grams * (1.0 + rng.gauss(0.0, 0.002)), 3),
        "tilt_switch": world.wiring.switch_fitted,
    }
    for sensor, chip in world.chips.items():
        nature = chip.nature
        gain = nature.counts_per_gram * (1.0 + nature.gain_error + rng.gauss(0.0, 0.002))
        known[sensor.value] = {
            "zero": nature.zero + round(rng.gauss(0.0, 0.5) * nature.noise_counts),
            "counts_per_gram": round(gain, 1),
        }
        if sensor is not Sensor.DECK:
            tray_g = world.setup.shape.tray_g + rng.gauss(0.0, 0.5)
            known[sensor.value]["tray_g"] = round(tray_g, 1)
    return known
