"""The firmware of the companion's Pico."""
