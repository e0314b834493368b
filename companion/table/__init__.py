"""One live game: sensed events and taps in, commands to the referee, rulings out.

Nothing in this room reads a clock, a device or a file.
"""
