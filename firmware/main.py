"""Starts the companion's firmware when the Pico has power; see tippo/board.py."""

from tippo import board

if not board.maintenance_wanted():
    board.run()
