"""Clocks one HX711 by a PIO state machine: exact pulses, whatever the processor is doing.

It never judges a word: see `tippo.cell`.
"""

from array import array
from time import sleep_us, ticks_us

import rp2
from machine import Pin

PIO_HZ = 1_000_000  # a cycle is 1 µs: SCK is high for 2 µs and low for at least 1

RING = 32  # words that wait while the host does not listen: 0.4 s at 80 a second


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    in_shiftdir=rp2.PIO.SHIFT_LEFT,
    fifo_join=rp2.PIO.JOIN_RX,
)
def clock_word():
    wrap_target()
    wait(0, pin, 0)     .side(0)  # DOUT low: a conversion is ready
    set(x, 23)          .side(0)
    label("bit")
    nop()               .side(1)  # SCK rises, DOUT is valid 0.1 µs later
    in_(pins, 1)        .side(1)
    jmp(x_dec, "bit")   .side(0)
    nop()               .side(1)  # the 25th pulse: channel A, gain 128
    in_(pins, 1)        .side(1)  # must read as 1
    push(noblock)       .side(0)
    irq(rel(0))         .side(0)
    wait(1, pin, 0)     .side(0)  # stuck low, it stays here and floods nobody
    wrap()


class Chip:
    """The two lines of one chip; ``number`` is the state machine that serves it."""

    def __init__(self, number, dout, sck):
        self._sck = Pin(sck, Pin.OUT, value=0)
        self._dout = Pin(dout, Pin.IN, Pin.PULL_UP)  # absent, it is never ready
        self._words = array("I", [0] * RING)
        self._times = array("I", [0] * RING)
        self._head = 0
        self._tail = 0
        self._machine = rp2.StateMachine(
            number, clock_word, freq=PIO_HZ, sideset_base=self._sck, in_base=self._dout
        )
        self._machine.irq(self._arrived, hard=True)
        self.restart()

    def _arrived(self, machine):
        # In an interrupt: nothing here may allocate.
        head = self._head
        self._words[head] = machine.get()
        self._times[head] = ticks_us()
        self._head = (head + 1) % RING

    def take(self):
        """The next (25-bit word, microseconds), or None."""
        tail = self._tail
        if tail == self._head:
            return None
        self._tail = (tail + 1) % RING
        return self._words[tail], self._times[tail]

    def restart(self):
        """Off by SCK high for over 60 µs (data sheet), and on again."""
        machine = self._machine
        machine.active(0)
        machine.exec("nop() .side(1)")
        sleep_us(100)
        machine.exec("nop() .side(0)")
        machine.restart()
        while machine.rx_fifo():
            machine.get()
        self._tail = self._head
        machine.active(1)
