"""One load cell on the board: which conversions are good, how fast they come, when one is missing.

Pure: it gets words and times and never touches a pin or a clock.
"""

from tippo.wire import elapsed_us

SETTLING_WORDS = 4  # conversions to discard after a restart (HX711 data sheet: settling time)
SILENT_US = 1_000_000
RESTART_EVERY_US = 2_000_000
LONG_HOLE_US = 350_000  # no chip at work is silent this long; one that begins afresh is
HOLE_PERIODS = 3.5  # the same, where the chip's period is known
SLOW_WORDS = 5  # of a second, all after holes: the chip has become slower, as by its jumper
COUNTS_MAX = 0x7FFFFF
COUNTS_MIN = -0x800000


class Cell:
    """``chip`` has `take()`, the next (25-bit word, microseconds) or None, and `restart()`."""

    def __init__(self, name, chip, now_us):
        self.name = name
        self.good = 0
        self.bad = 0
        self.restarts = 0
        self._chip = chip
        self._discard = SETTLING_WORDS
        self._heard_us = now_us
        self._restarted_us = now_us
        self._second_us = now_us
        self._words_this_second = 0
        self._rate_centihertz = 0
        self._hole_us = LONG_HOLE_US
        # Of this second's good words that came after no hole: holes would make the period seem
        # longer, and the next of them seem none.
        self._regular_words = 0
        self._regular_us = 0

    def take(self):
        """The next of (microseconds, counts, None) or (microseconds, None, fault), or None."""
        while True:
            taken = self._chip.take()
            if taken is None:
                return None
            result = self._judge(*taken)
            if result is not None:
                return result

    def _judge(self, word, us):
        gap_us = elapsed_us(us, self._heard_us)
        hole = gap_us > self._hole_us
        if hole:
            self._discard = SETTLING_WORDS
        self._heard_us = us
        self._words_this_second += 1
        if not word & 1:  # the pulse after the word must read as 1
            self.bad += 1
            self._discard = SETTLING_WORDS
            self._restart_if_due(us)
            return us, None, "out_of_step"
        if not hole:
            self._regular_words += 1
            self._regular_us += gap_us
        if self._discard:
            self._discard -= 1
            return None
        counts = word >> 1
        if counts & 0x800000:
            counts -= 0x1000000
        if counts == COUNTS_MAX or counts == COUNTS_MIN:
            self.bad += 1
            return us, None, "saturated"
        self.good += 1
        return us, counts, None

    def look(self, now_us):
        """Says (microseconds, None, "silent") for each second without a word, else None."""
        if elapsed_us(now_us, self._second_us) >= 1_000_000:
            span = elapsed_us(now_us, self._second_us)
            self._rate_centihertz = self._words_this_second * 100_000_000 // span
            self._measure_hole()
            self._words_this_second = 0
            self._second_us = now_us
        if elapsed_us(now_us, self._heard_us) < SILENT_US:
            return None
        self._heard_us = now_us
        self._discard = SETTLING_WORDS
        self._restart_if_due(now_us)
        return now_us, None, "silent"

    def _measure_hole(self):
        if self._regular_words:
            period_us = self._regular_us // self._regular_words
            self._hole_us = min(LONG_HOLE_US, int(HOLE_PERIODS * period_us))
        elif self._words_this_second >= SLOW_WORDS:
            self._hole_us = LONG_HOLE_US
        self._regular_words = 0
        self._regular_us = 0

    def _restart_if_due(self, now_us):
        # Restarted too often, a chip never gets as far as its first conversion.
        if elapsed_us(now_us, self._restarted_us) >= RESTART_EVERY_US:
            self.restart(now_us)

    def restart(self, now_us):
        """Switches the chip off and on; its next conversions are discarded."""
        self._chip.restart()
        self.restarts += 1
        self._restarted_us = now_us
        self._discard = SETTLING_WORDS

    def report(self):
        """What `Lines.rates` says of it."""
        return self.name, self._rate_centihertz, self.good, self.bad, self.restarts
