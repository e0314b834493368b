"""Lamps and buzzer, driven step by step so that nobody waits for a blink or a beep.

It never decides when to light or to sound.
"""

from collections.abc import Mapping
from typing import Protocol

from companion.clock import Clock
from companion.ports import Lamp, Sound
from companion.units import Tray

STEP_S = 0.01
"""How finely a beep is timed."""
LAMP_S = 0.05
"""How soon a lamp follows; nobody sees less."""
ALERT_HALF_S = 0.25

BEEPS: Mapping[Sound, tuple[float, ...]] = {
    Sound.PLACED: (0.03,),
    Sound.UNO: (0.10, 0.06, 0.10),
    Sound.REFUSED: (0.25,),
    Sound.SPILL: (0.12, 0.08, 0.12, 0.08, 0.40),
    Sound.ROUND_OVER: (0.10, 0.10, 0.10, 0.10, 0.10, 0.10, 0.60),
}
"""Seconds on, off, on, ... for a buzzer that knows one note."""


class Switchable(Protocol):
    """An output that is on or off (gpiozero's LED and Buzzer)."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class GreenRed:
    """The two colours of one lamp; a pin is touched only when it changes."""

    def __init__(self, green: Switchable, red: Switchable) -> None:
        self._green = green
        self._red = red
        self._lit = (False, False)

    def light(self, *, green: bool, red: bool) -> None:
        if self._lit == (green, red):
            return
        self._lit = (green, red)
        (self._green.on if green else self._green.off)()
        (self._red.on if red else self._red.off)()


class GpioLamps:
    """The port Lamps: open is green, stop is red, alert flashes red twice a second."""

    def __init__(self, lamps: Mapping[Tray, GreenRed], clock: Clock) -> None:
        self._lamps = lamps
        self._clock = clock
        self._shown = dict.fromkeys(lamps, Lamp.OFF)

    def show(self, tray: Tray, lamp: Lamp) -> None:
        if tray in self._shown:
            self._shown[tray] = lamp

    def step(self) -> float:
        lit = int(self._clock.mono() / ALERT_HALF_S) % 2 == 0
        for tray, lamp in self._shown.items():
            red = lamp is Lamp.STOP or (lamp is Lamp.ALERT and lit)
            self._lamps[tray].light(green=lamp is Lamp.OPEN, red=red)
        return LAMP_S

    def dark(self) -> None:
        for lamp in self._lamps.values():
            lamp.light(green=False, red=False)


class GpioSounder:
    """The port Sounder on an active buzzer."""

    def __init__(self, buzzer: Switchable, clock: Clock) -> None:
        self._buzzer = buzzer
        self._clock = clock
        self._sound: Sound | None = None
        self._began_s = 0.0

    def play(self, sound: Sound) -> None:
        self._began_s = self._clock.mono()
        self._sound = sound

    def step(self) -> float:
        if self._sound is None:
            return STEP_S
        left_s = self._clock.mono() - self._began_s
        for index, seconds in enumerate(BEEPS[self._sound]):
            if left_s < seconds:
                (self._buzzer.off if index % 2 else self._buzzer.on)()
                return STEP_S
            left_s -= seconds
        self.silence()
        return STEP_S

    def silence(self) -> None:
        self._sound = None
        self._buzzer.off()


class NoSounder:
    """No buzzer is fitted."""

    def play(self, sound: Sound) -> None:
        """Nothing sounds."""
