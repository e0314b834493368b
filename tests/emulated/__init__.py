"""The firmware on a whole emulated Pico; `make test-pico UF2=path` runs it, in minutes."""
