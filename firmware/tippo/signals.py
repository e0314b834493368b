"""Lamps and buzzer, moved on step by step; nobody waits for a blink or a beep.

Pure: it gets times and calls what it was given, and never touches a pin.
"""

from tippo.wire import elapsed_us

ALERT_HALF_US = 250_000

BEEPS_MS = {
    "placed": (30,),
    "uno": (100, 60, 100),
    "refused": (250,),
    "spill": (120, 80, 120, 80, 400),
    "round_over": (100, 100, 100, 100, 100, 100, 600),
}


class Lamp:
    """``light(green, red)`` lights the two colours of one lamp."""

    def __init__(self, light):
        self._light = light
        self._shown = "off"
        light(0, 0)

    def show(self, shown):
        self._shown = shown

    def step(self, now_us):
        flash = self._shown == "alert" and (now_us // ALERT_HALF_US) % 2 == 0
        self._light(self._shown == "open", self._shown == "stop" or flash)


class Buzzer:
    """``sound(on)`` switches the buzzer."""

    def __init__(self, sound):
        self._sound = sound
        self._beeps = ()
        self._began_us = 0
        sound(0)

    def play(self, name, now_us):
        self._beeps = BEEPS_MS[name]
        self._began_us = now_us

    def step(self, now_us):
        if not self._beeps:
            return
        left_us = elapsed_us(now_us, self._began_us)
        for index, milliseconds in enumerate(self._beeps):
            if left_us < milliseconds * 1000:
                self._sound(1 - index % 2)
                return
            left_us -= milliseconds * 1000
        self._beeps = ()
        self._sound(0)
