"""The scale read by a Raspberry Pi Pico and sent over its USB serial port."""
