"""The Pico itself: its pins, its clock, its port and its watchdog.

It never decides anything: see `tippo.loop`. The pins are those of the builder's book.
"""

import sys
from binascii import hexlify
from os import remove
from select import POLLIN, poll
from time import sleep_us, ticks_us

import machine
from machine import WDT, Pin

from tippo.hx711_pio import Chip
from tippo.loop import Loop

CELL_PINS = {"left": (2, 3), "right": (4, 5), "deck": (6, 7)}  # DOUT, SCK
DECK_FITTED_PIN = 8  # a wire from it to ground says that there is a cell under the draw pile
NO_TILT_PIN = 9  # a wire from it to ground says that no tilt switch is fitted
TILT_PIN = 10
LAMP_PINS = {"left": (11, 12), "right": (13, 14)}  # green, red
BUZZER_PIN = 15

WATCHDOG_MS = 8000
MAINTENANCE = "maintenance"  # a file of this name keeps the firmware from starting, once


class Board:
    """What `tippo.loop.Loop` asks for."""

    def __init__(self):
        self.board_id = hexlify(machine.unique_id()).decode()
        self.began = "watchdog" if machine.reset_cause() == machine.WDT_RESET else "power"
        names = ["left", "right"] + (["deck"] if _strapped(DECK_FITTED_PIN) else [])
        self.chips = {
            name: Chip(number, *CELL_PINS[name]) for number, name in enumerate(names)
        }
        self._tilt = None if _strapped(NO_TILT_PIN) else Pin(TILT_PIN, Pin.IN, Pin.PULL_UP)
        self._lamps = {
            tray: (Pin(green, Pin.OUT, value=0), Pin(red, Pin.OUT, value=0))
            for tray, (green, red) in LAMP_PINS.items()
        }
        self._buzzer = Pin(BUZZER_PIN, Pin.OUT, value=0)
        self.ticks_us = ticks_us
        self.bootloader = machine.bootloader

    def contact(self):
        return None if self._tilt is None else 1 - self._tilt.value()

    def light(self, tray, green, red):
        self._lamps[tray][0].value(green)
        self._lamps[tray][1].value(red)

    def sound(self, on):
        self._buzzer.value(on)

    def write(self, text):
        sys.stdout.buffer.write(text)

    def maintain(self):
        """Begins afresh without the firmware, so that files can be put on the board."""
        with open(MAINTENANCE, "w"):
            pass
        machine.reset()


def _strapped(number):
    return not Pin(number, Pin.IN, Pin.PULL_UP).value()


def maintenance_wanted():
    """Whether this start was asked to leave the board alone; the next one is not."""
    try:
        remove(MAINTENANCE)
    except OSError:
        return False
    return True


def run():
    """Never returns but by an interrupt from the keyboard (Ctrl-C over the port)."""
    board = Board()
    loop = Loop(board)
    watchdog = WDT(timeout=WATCHDOG_MS)
    waiting = poll()
    waiting.register(sys.stdin, POLLIN)
    while True:
        watchdog.feed()
        loop.step()
        while waiting.poll(0):
            loop.receive(sys.stdin.buffer.read(1))
        sleep_us(200)
