"""One word of an HX711 by the hx711 package's own bit reading, without its waits.

It never waits for a chip: who reads asks `ready` first. The package waits for ever on an unplugged
chip, sleeps half a second in its constructor and gives every error as False; here only its
bit loop is used, and what it hides is told.
"""

from hx711 import GPIO, HX711

from companion.clock import Clock
from companion.units import Counts
from hardware.gpio.word import Damage, Word

LONGEST_PULSE_S = 60e-6
"""A longer pulse switches the chip off (data sheet, "Reset and Power-Down")."""

WORD_PULSES = 25
"""Of a word at channel A, gain 128: one for each bit, and the one after it."""


class ChipLines(HX711):  # type: ignore[misc] # the package has no types
    """The lines of one chip at channel A, gain 128."""

    def __init__(self, dout: int, sck: int, clock: Clock) -> None:
        # The package's constructor reads, sleeps and trusts; it only sets what is set here.
        self._dout_pin, self._pd_sck = dout, sck
        self._looks = 0
        self._channel, self._channel_a_gain = "A", 128
        self._clock = clock
        self._tail: list[bool] = []
        self._gain_pulse_long = False
        GPIO.setmode(GPIO.BCM)
        GPIO.setup(sck, GPIO.OUT, initial=GPIO.LOW)
        # Pulled up, an absent chip is never ready.
        GPIO.setup(dout, GPIO.IN, pull_up_down=GPIO.PUD_UP)

    def ready(self) -> bool:
        """Whether a conversion waits to be read."""
        # A thousand times a second: the package's own look writes a line for its log each time.
        return not GPIO.input(self._dout_pin)

    @property
    def _dout(self) -> int:
        """What the package asks for once to see that the chip is ready, and once after each bit:
        so it is known how many pulses a word has had that the package gave up."""
        self._looks += 1
        return self._dout_pin

    def read(self) -> Word:
        """Clocks out the conversion that `ready` has seen."""
        self._tail.clear()
        self._looks = 0
        counts = self._read(max_tries=1)
        if not self._tail:
            return Word(None, self._given_up())
        if not all(self._tail):
            return Word(None, Damage.OUT_OF_STEP)
        if counts is False:
            return Word(None, Damage.SATURATED, self._gain_pulse_long)
        return Word(Counts(counts), None, self._gain_pulse_long)

    def _given_up(self) -> Damage:
        """The package has stopped after a slow pulse, but slow it was only for the host, as a rule.

        A chip that was switched off keeps DOUT high while it starts: one low bit among the rest
        of the word shows that it goes on, and needs no time to settle.
        """
        if self._looks < 2:  # not ready any more, or the very first pulse was slow
            return Damage.STRETCHED
        bits = [bool(GPIO.input(self._dout_pin))]
        for _ in range(WORD_PULSES - self._looks):
            if self._pulse_s() >= LONGEST_PULSE_S:
                return Damage.STRETCHED
            bits.append(bool(GPIO.input(self._dout_pin)))
        *rest, after = bits
        if all(rest):
            return Damage.STRETCHED
        return Damage.SLOW if after else Damage.OUT_OF_STEP

    def _pulse_s(self) -> float:
        """Makes one pulse; how long it took at most, seconds."""
        began_s = self._clock.mono()
        GPIO.output(self._pd_sck, True)
        GPIO.output(self._pd_sck, False)
        return self._clock.mono() - began_s

    def hold_clock(self, high: bool) -> None:
        """Holds SCK: high for over 60 µs switches the chip off, low lets it begin afresh."""
        GPIO.output(self._pd_sck, high)

    def _set_channel_gain(self, num: int) -> bool:
        """The package's last step of a word; its own goes on reading for ever if it is slow."""
        for _ in range(num):
            self._gain_pulse_long = self._pulse_s() >= LONGEST_PULSE_S
        self._tail.append(bool(GPIO.input(self._dout_pin)))
        return True
